#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/check.h"

#include "domain/application.h"
#include "domain/configuration.h"
#include "domain/dataset.h"
#include "mining/structure/term_search.h"

FREEABLE(term_shapes)

/* Which shapes the columns of an application have, one by one, with their values in a
 * configuration. */

struct made {
	struct application *app;
	struct dataset *runs;
	struct config_table *t;
	struct term_shapes *s;
};

/* rows: without the derived columns, which come last; the shapes are up to the caller. */
static struct made made(const char *columns, const double *rows, size_t n, size_t n_columns)
{
	struct made m = {0};
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text,
		      "application = { name = \"t\"; %s"
		      "target = { name = \"time\"; unit = \"s\"; }; };",
		      columns);
	must(application_parse(strbuf_text(&text), "t.conf", &m.app, &err));
	strbuf_release(&text);
	m.runs = dataset_new(m.app);
	assert_non_null(m.runs);
	for (size_t i = 0; i < n; i++) {
		double row[64];

		configuration_clear(m.app, row);
		memcpy(row, rows + i * n_columns, n_columns * sizeof *row);
		configuration_derive(m.app, row);
		runs_add(m.runs, row, 1 + (double)i);
	}
	must(config_table_make(m.runs, &m.t, &err));
	assert_int_equal(m.t->n, n);
	return m;
}

static struct made shaped(const char *columns, const double *rows, size_t n, size_t n_columns)
{
	struct made m = made(columns, rows, n, n_columns);

	must(term_shapes_make(m.t, &m.s, &err));
	return m;
}

static void made_release(struct made *m)
{
	term_shapes_free(m->s);
	config_table_free(m->t);
	dataset_free(m->runs);
	application_free(m->app);
}

/* A shape of a slot, and its value in the last configuration. */
struct expected {
	size_t slot;
	const char *over, *under;
	enum term_way way;
	double price, value;
	size_t takes; /* 0: none; else 1 + slot */
};

static const char *or_none(const char *text)
{
	return text ? text : "-";
}

static void check_shapes(const struct term_shapes *s, const struct expected *want, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < s->n_slots; i++) {
		assert_null(s->slot[i].shape[0].over);
		assert_int_equal(s->slot[i].shape[0].takes, SIZE_MAX);
		for (size_t k = 1; k < s->slot[i].n; k++, at++) {
			const struct term_shape *shape = &s->slot[i].shape[k];
			const char *of = shape->under ? shape->under : shape->over;

			assert_true(at < n);
			assert_int_equal(i, want[at].slot);
			assert_string_equal(or_none(shape->over), or_none(want[at].over));
			assert_string_equal(or_none(shape->under), or_none(want[at].under));
			assert_int_equal(shape->way, want[at].way);
			check_rel(shape->price, want[at].price, 0);
			check_rel(shape->value[s->n_rows - 1], want[at].value, 1e-14);
			assert_int_equal(shape->takes, want[at].takes - 1);
			assert_int_equal(shape->two_thirds,
					 !strncmp(of, "pow(", 4) && strstr(of, ", 2 / 3)"));
		}
	}
	assert_int_equal(at, n);
}

/* Terms of processes alone, of which there are 12. */
#define PROCS_TERMS                                                                          \
	{0, NULL, "procs", WAY_DIVIDED, 0.5, 1 / 12.0, 0},                                   \
		{0, NULL, "sqrt(procs)", WAY_SURFACE, 1.5, 1 / sqrt(12), 0},                 \
		{0, NULL, "pow(procs, 2 / 3)", WAY_SURFACE, 1, 1 / pow(12, 2.0 / 3), 0},     \
		{0, "min(procs - 1, 1)", NULL, WAY_MESSAGES, 1, 1, 0},                       \
		{0, "min(procs - 1, 1)", "procs", WAY_MESSAGES, 1.5, 1 / 12.0, 0},           \
		{0, "min(procs - 1, 1)", "sqrt(procs)", WAY_MESSAGES, 1.5, 1 / sqrt(12), 0}, \
		{0,                                                                          \
		 "min(procs - 1, 1)",                                                        \
		 "pow(procs, 2 / 3)",                                                        \
		 WAY_MESSAGES,                                                               \
		 1.5,                                                                        \
		 1 / pow(12, 2.0 / 3),                                                       \
		 0},                                                                         \
		{0, "log2(procs)", NULL, WAY_TREE, 1, log2(12), 0},                          \
		{0, "log2(procs)", "procs", WAY_TREE, 2.5, log2(12) / 12.0, 0},              \
	{                                                                                    \
		0, "procs", NULL, WAY_ALL_TO_ALL, 2, 12, 0                                   \
	}

/* 3 nodes of 4 processes and 5 threads in the last configuration. Twelve processes that no grid
 * tells of stand 2 x 6: 2 is the largest power of two that is not above their root, the fill is
 * 2 + 6 - 2. */
TEST(every_role_has_its_shapes)
{
	static const char columns[] =
		"problem = ( { name = \"n\"; min = 1; }, { name = \"m\"; min = 0; },"
		" { name = \"one\"; min = 1; }, { name = \"real\"; type = \"real\"; },"
		" { name = \"x\"; min = 1; }, { name = \"y\"; min = 1; },"
		" { name = \"same\"; min = 1; }, { name = \"below\"; } );"
		"workload = ( { name = \"w\"; min = 1; default = 1; } );"
		"resources = ( { name = \"nodes\"; min = 1; }, { name = \"ppn\"; min = 1; },"
		" { name = \"threads\"; min = 1; } );"
		"tunables = ( { name = \"b\"; min = 1; candidates = \"seen\"; },"
		" { name = \"c\"; min = 0; candidates = \"seen\"; },"
		" { name = \"wide\"; min = 1; candidates = \"seen\"; },"
		" { name = \"p\"; min = 1; candidates = \"seen\"; },"
		" { name = \"q\"; min = 1; candidates = \"seen\"; },"
		" { name = \"even\"; min = 1; candidates = \"seen\"; },"
		" { name = \"zero\"; min = 0; candidates = \"seen\"; } );"
		"derived = ( { name = \"procs\"; expr = \"nodes * ppn\"; } );";
	/* n is a multiple of b but for the last row, and of even always; wide is above n once; c
	 * may be 0, zero is */
	static const double rows[] = {
		/* n m one real x y same below w nodes ppn threads b c wide p q even zero */
		12, 3, 1, 0.5,	5, 10, 4, -1, 2, 1, 1, 1, 4, 3, 20, 1, 3,  3, 0, /**/
		18, 0, 2, 1.25, 6, 12, 4, 0,  1, 2, 1, 2, 4, 5, 7,  2, 6,  6, 1, /**/
		21, 7, 3, 2.5,	9, 18, 4, 1,  3, 3, 4, 5, 2, 7, 5,  5, 15, 7, 2};
	const struct expected want[] = {
		PROCS_TERMS,
		{0, "fill", NULL, WAY_FILL, 2, 6, 0},
		{0, "fill", "sqrt(procs)", WAY_FILL, 2.5, 6 / sqrt(12), 0},
		{0, "fill", "procs", WAY_FILL_WORK, 2, 6 / 12.0, 0},
		{0, "stages", NULL, WAY_FILL, 2, 3 * (cbrt(12) - 1), 0},
		{0, "stages", "sqrt(procs)", WAY_FILL, 2.5, (3 * (cbrt(12) - 1)) / sqrt(12), 0},
		{0, "stages", "procs", WAY_FILL_WORK, 2, (3 * (cbrt(12) - 1)) / 12.0, 0},
		{1, "min(nodes - 1, 1)", NULL, WAY_MESSAGES, 1.5, 1, 0},
		{1, "log2(nodes)", NULL, WAY_TREE, 1.5, log2(3), 0},
		{2, NULL, "threads", WAY_NONE, 0.5, 1 / 5.0, 0},
		{3, "n", NULL, WAY_NONE, 0.5, 21, 0},
		{3, "n * n", NULL, WAY_NONE, 1, 21 * 21, 0},
		{3, "n * n * n", NULL, WAY_NONE, 1.5, 21 * 21 * 21, 0},
		{3, "pow(n, 2 / 3)", NULL, WAY_NONE, 0.5, pow(21, 2.0 / 3), 0},
		{3, "n * log2(n)", NULL, WAY_NONE, 2, 21 * log2(21), 0},
		{3, "ceil(n / threads)", NULL, WAY_NONE, 0.5, 5, 3},
		{3, "ceil(n / b)", NULL, WAY_NONE, 1.5, 11, 0},
		{3, "ceil(n / p)", NULL, WAY_NONE, 1.5, 5, 0},
		{3, "ceil(n / q)", NULL, WAY_NONE, 1.5, 2, 0},
		{3, "ceil(n / procs)", NULL, WAY_DIVIDED, 3, 2, 1},
		{4, "(m + 1)", NULL, WAY_NONE, 0.5, (7 + 1), 0},
		{4, "(m + 1) * (m + 1)", NULL, WAY_NONE, 1, (7 + 1) * (7 + 1), 0},
		{5, "one", NULL, WAY_NONE, 0.5, 3, 0},
		{5, "one * one", NULL, WAY_NONE, 1, 3 * 3, 0},
		{5, "one * one * one", NULL, WAY_NONE, 1.5, 3 * 3 * 3, 0},
		{5, "pow(one, 2 / 3)", NULL, WAY_NONE, 0.5, pow(3, 2.0 / 3), 0},
		{6, "real", NULL, WAY_NONE, 0.5, 2.5, 0},
		{6, "real * real", NULL, WAY_NONE, 1, 2.5 * 2.5, 0},
		{6, "real * real * real", NULL, WAY_NONE, 1.5, 2.5 * 2.5 * 2.5, 0},
		{6, "pow(real, 2 / 3)", NULL, WAY_NONE, 0.5, pow(2.5, 2.0 / 3), 0},
		{7, "x * y", NULL, WAY_NONE, 0.5, 9 * 18, 0},
		{7, "pow(x * y, 2 / 3)", NULL, WAY_NONE, 0.5, pow(9 * 18, 2.0 / 3), 0},
		{8, "w", NULL, WAY_NONE, 0.5, 3, 0},
		{9, "b", NULL, WAY_NONE, 0.5, 2, 0},
		{9, NULL, "b", WAY_NONE, 0.5, 1 / 2.0, 0},
		{10, "c", NULL, WAY_NONE, 0.5, 7, 0},
		{11, "wide", NULL, WAY_NONE, 0.5, 5, 0},
		{11, NULL, "wide", WAY_NONE, 0.5, 1 / 5.0, 0},
		{12, "p * q", NULL, WAY_NONE, 0.5, 5 * 15, 0},
		{12, NULL, "p * q", WAY_NONE, 0.5, 1 / (5.0 * 15), 0},
		{13, "even", NULL, WAY_NONE, 0.5, 7, 0},
		{13, NULL, "even", WAY_NONE, 0.5, 1 / 7.0, 0},
	};
	RELEASED(made) m = shaped(columns, rows, 3, 19);

	check_shapes(m.s, want, sizeof want / sizeof *want);
}

/* A grid of processes has its sides told: no square one is made up, and a block of a problem may be
 * a part of the side's. */
TEST(the_sides_of_a_grid_have_their_shapes)
{
	static const char columns[] =
		"problem = ( { name = \"n\"; min = 1; }, { name = \"x\"; min = 0; },"
		" { name = \"y\"; min = 1; } );"
		"resources = ( { name = \"rows\"; min = 1; candidates = \"grid\"; },"
		" { name = \"cols\"; min = 1; candidates = \"grid\"; } );"
		"tunables = ( { name = \"b\"; min = 1; candidates = \"seen\"; } );"
		"derived = ( { name = \"procs\"; expr = \"rows * cols\"; } );"
		"groups = ( { flag = \"grid\"; columns = [ \"rows\", \"cols\" ]; } );";
	static const double rows[] = {			 /* n x y rows cols b */
				      8,  2, 2, 1, 1, 1, /**/
				      9,  4, 4, 1, 2, 1, /**/
				      10, 6, 6, 3, 4, 3};
	const struct expected want[] = {
		PROCS_TERMS,
		{1, "n", NULL, WAY_NONE, 0.5, 10, 0},
		{1, "n * n", NULL, WAY_NONE, 1, 10 * 10, 0},
		{1, "n * n * n", NULL, WAY_NONE, 1.5, 10 * 10 * 10, 0},
		{1, "pow(n, 2 / 3)", NULL, WAY_NONE, 0.5, pow(10, 2.0 / 3), 0},
		{1, "n * log2(n)", NULL, WAY_NONE, 2, 10 * log2(10), 0},
		{1, "ceil(n / rows)", NULL, WAY_DIVIDED, 1, 4, 0},
		{1, "ceil(n / cols)", NULL, WAY_DIVIDED, 1, 3, 0},
		{1, "ceil(n / b)", NULL, WAY_NONE, 1.5, 4, 0},
		{1, "ceil(n / procs)", NULL, WAY_DIVIDED, 3, 1, 1},
		{2, "x", NULL, WAY_NONE, 0.5, 6, 0},
		{2, "x * x", NULL, WAY_NONE, 1, 6 * 6, 0},
		{2, "x * x * x", NULL, WAY_NONE, 1.5, 6 * 6 * 6, 0},
		{2, "pow(x, 2 / 3)", NULL, WAY_NONE, 0.5, pow(6, 2.0 / 3), 0},
		{3, "y", NULL, WAY_NONE, 0.5, 6, 0},
		{3, "y * y", NULL, WAY_NONE, 1, 6 * 6, 0},
		{3, "y * y * y", NULL, WAY_NONE, 1.5, 6 * 6 * 6, 0},
		{3, "pow(y, 2 / 3)", NULL, WAY_NONE, 0.5, pow(6, 2.0 / 3), 0},
		{3, "y * log2(y)", NULL, WAY_NONE, 2, 6 * log2(6), 0},
		{4, NULL, "rows", WAY_DIVIDED, 1, 1 / 3.0, 0},
		{4, "min(rows - 1, 1)", NULL, WAY_MESSAGES, 1.5, 1, 0},
		{4, "log2(rows)", NULL, WAY_TREE, 1, log2(3), 0},
		{4, "rows", NULL, WAY_ALL_TO_ALL, 2, 3, 0},
		{4, "(rows - 1)", NULL, WAY_FILL, 2, (3 - 1), 0},
		{5, NULL, "cols", WAY_DIVIDED, 1, 1 / 4.0, 0},
		{5, "min(cols - 1, 1)", NULL, WAY_MESSAGES, 1.5, 1, 0},
		{5, "log2(cols)", NULL, WAY_TREE, 1, log2(4), 0},
		{5, "cols", NULL, WAY_ALL_TO_ALL, 2, 4, 0},
		{5, "(cols - 1)", NULL, WAY_FILL, 2, (4 - 1), 0},
		{6, "b", NULL, WAY_NONE, 0.5, 3, 0},
		{6, NULL, "b", WAY_NONE, 0.5, 1 / 3.0, 0},
	};
	RELEASED(made) m = shaped(columns, rows, 3, 6);

	check_shapes(m.s, want, sizeof want / sizeof *want);
}

struct texts {
	const char *over, *under;
};

/* The form with the slots' shapes of these texts, each found by both. */
static struct term_form form_of(const struct term_shapes *s, const struct texts *want, size_t n)
{
	struct term_form f = {{0}};
	size_t found = 0;

	for (size_t i = 0; i < s->n_slots; i++) {
		for (size_t k = 1; k < s->slot[i].n; k++) {
			const struct term_shape *shape = &s->slot[i].shape[k];

			for (size_t j = 0; j < n; j++) {
				if (strcmp(or_none(shape->over), or_none(want[j].over)) != 0 ||
				    strcmp(or_none(shape->under), or_none(want[j].under)) != 0)
					continue;
				f.shape[i] = (unsigned char)k;
				found++;
			}
		}
	}
	assert_int_equal(found, n);
	return f;
}

static void check_form(const struct term_shapes *s, const struct texts *shape, size_t n,
		       const char *text, double price, enum term_way way, double value, bool fits)
{
	const struct term_form f = form_of(s, shape, n);
	struct strbuf said = STRBUF_INIT;
	double values[2] = {0}, first = 1;

	term_form_text(s, &f, &said);
	assert_string_equal(strbuf_text(&said), text);
	strbuf_release(&said);
	check_rel(term_form_price(s, &f), price, 1e-15);
	assert_int_equal(term_form_way(s, &f), way);
	term_form_values(s, &f, values);
	for (size_t i = 0; i < s->n_slots; i++)
		first *= f.shape[i] ? s->slot[i].shape[f.shape[i]].value[0] : 1;
	check_rel(values[0], first, 1e-14);
	check_rel(values[1], value, 1e-14);
	assert_int_equal(term_form_fits(s, &f), fits);
}

static const char forms_columns[] =
	"problem = ( { name = \"n\"; min = 1; }, { name = \"k\"; min = 1; } );"
	"resources = ( { name = \"nodes\"; min = 1; }, { name = \"ppn\"; min = 1; },"
	" { name = \"threads\"; min = 1; } );"
	"tunables = ( { name = \"b\"; min = 1; candidates = \"seen\"; } );"
	"derived = ( { name = \"procs\"; expr = \"nodes * ppn\"; } );";
static const double forms_rows[] = {
	/* n k nodes ppn threads b */
	4,  2,	1, 1, 1, 2, /**/
	13, 17, 4, 2, 5, 3};

/* The last configuration: n 13, k 17, 8 processes of 5 threads on 4 nodes, b 3. */
TEST(a_form_is_a_product_with_a_text_a_price_and_a_way)
{
	RELEASED(made) m = shaped(forms_columns, forms_rows, 2, 6);

	check_form(m.s, NULL, 0, "1", 0, WAY_NONE, 1, true);
	check_form(m.s, (const struct texts[]){{NULL, "procs"}}, 1, "1 / procs", 0.5, WAY_DIVIDED,
		   1 / 8.0, true);
	check_form(m.s, (const struct texts[]){{"n * n", NULL}, {NULL, "threads"}, {"k", NULL}}, 3,
		   "n * n * k / threads", 1 + 0.5 + 0.5, WAY_NONE, 169 * 17 / 5.0, true);
	/* the machine comes last among the factors; the way is the furthest of the shapes' */
	check_form(m.s,
		   (const struct texts[]){{"log2(procs)", "procs"},
					  {"min(nodes - 1, 1)", NULL},
					  {NULL, "threads"},
					  {"k", NULL},
					  {"b", NULL}},
		   5, "k * b * log2(procs) * min(nodes - 1, 1) / (procs * threads)",
		   2.5 + 1.5 + 0.5 + 0.5 + 0.5, WAY_TREE, 17 * 3 * 3 / 40.0, true);
	check_form(m.s, (const struct texts[]){{"fill", "procs"}, {"log2(nodes)", NULL}}, 2,
		   "fill * log2(nodes) / procs", 2 + 1.5, WAY_FILL_WORK, 4 * 2 / 8.0, true);
	check_form(m.s, (const struct texts[]){{"ceil(n / threads)", NULL}, {NULL, "b"}}, 2,
		   "ceil(n / threads) / b", 0.5 + 0.5, WAY_NONE, 3 / 3.0, true);
}

TEST(what_a_block_divides_by_is_nowhere_else_in_a_term)
{
	RELEASED(made) m = shaped(forms_columns, forms_rows, 2, 6);

	check_form(m.s, (const struct texts[]){{"ceil(n / threads)", NULL}, {NULL, "threads"}}, 2,
		   "ceil(n / threads) / threads", 1, WAY_NONE, 3 / 5.0, false);
	check_form(m.s, (const struct texts[]){{"ceil(n / procs)", NULL}, {NULL, "procs"}}, 2,
		   "ceil(n / procs) / procs", 3.5, WAY_DIVIDED, 2 / 8.0, false);
	check_form(m.s,
		   (const struct texts[]){{"ceil(n / threads)", NULL}, {"ceil(k / threads)", NULL}},
		   2, "ceil(n / threads) * ceil(k / threads)", 1, WAY_NONE, 3 * 4, false);
	check_form(m.s,
		   (const struct texts[]){{"ceil(n / threads)", NULL}, {"ceil(k / procs)", NULL}},
		   2, "ceil(n / threads) * ceil(k / procs)", 3.5, WAY_DIVIDED, 3 * 3, true);
	/* a surface of the problem needs one of the processes */
	check_form(m.s, (const struct texts[]){{"pow(n, 2 / 3)", NULL}, {NULL, "sqrt(procs)"}}, 2,
		   "pow(n, 2 / 3) / sqrt(procs)", 2, WAY_SURFACE, pow(13, 2.0 / 3) / sqrt(8),
		   false);
	check_form(m.s,
		   (const struct texts[]){{"pow(n, 2 / 3)", NULL}, {NULL, "pow(procs, 2 / 3)"}}, 2,
		   "pow(n, 2 / 3) / pow(procs, 2 / 3)", 1.5, WAY_SURFACE, pow(13 / 8.0, 2.0 / 3),
		   true);
}

/* Processes stand 2 x 4. */
TEST(an_application_is_made_of_forms)
{
	RELEASED(made) m = shaped(forms_columns, forms_rows, 2, 6);
	static const struct {
		struct texts shape[2];
		const char *text;
		bool communication;
		double value;
	} want[] = {
		{{{"n", NULL}}, "n", false, 13},
		{{{"n", NULL}, {NULL, "procs"}}, "n / procs", false, 13 / 8.0},
		{{{NULL, "sqrt(procs)"}}, "1 / sqrt(procs)", true, 0.35355339059327378},
		{{{"min(procs - 1, 1)", NULL}}, "min(procs - 1, 1)", true, 1},
		{{{"log2(procs)", NULL}}, "log2(procs)", true, 3},
		{{{"fill", NULL}}, "fill", true, 4},
		{{{"fill", "procs"}}, "fill / procs", false, 0.5},
		{{{"stages", NULL}, {"k", NULL}}, "k * stages", true, 51},
		{{{"procs", NULL}}, "procs", true, 8},
	};
	enum { N = sizeof want / sizeof *want };
	struct term_form form[N];
	struct application a;
	double phi[APPLICATION_MAX_TERMS];

	for (size_t k = 0; k < N; k++)
		form[k] = form_of(m.s, want[k].shape,
				  want[k].shape[1].over || want[k].shape[1].under ? 2 : 1);
	must(term_application_make(m.s, form, N, &a, &err));
	assert_int_equal(a.terms.n, N);
	assert_int_equal(a.terms.n_let, 3);
	assert_string_equal(a.terms.let[1].name, "fill");
	assert_string_equal(a.terms.let[1].text, "grid_rows + procs / grid_rows - 2");
	for (size_t i = 0; i < a.n_columns; i++) /* nodes and ppn by way of the processes */
		assert_int_equal(application_terms_use(&a, i),
				 strcmp(a.column[i].name, "threads") != 0 &&
					 strcmp(a.column[i].name, "b") != 0);
	assert_true(application_terms_at(&a, config_table_row(m.t, 1), phi));
	for (size_t k = 0; k < N; k++) {
		assert_string_equal(a.terms.term[k].text, want[k].text);
		assert_int_equal(a.terms.term[k].communication, want[k].communication);
		check_rel(phi[k], want[k].value, 1e-14);
	}
	term_application_release(&a);
	assert_int_equal(a.terms.n + a.terms.n_let, 0);
}

/* Nodes stand for processes that no column tells of; what is not told in a run, or never varies, is
 * in no shape; a name that a column has gets another ending. */
TEST(nodes_count_where_no_processes_are_told)
{
	static const double rows[] = {		    /* fill gap nodes threads */
				      3, 1,   2, 4, /**/
				      5, NAN, 8, 4};
	RELEASED(made) m =
		shaped("problem = ( { name = \"fill\"; min = 1; }, { name = \"gap\"; } );"
		       "resources = ( { name = \"nodes\"; min = 1; },"
		       " { name = \"threads\"; min = 1; } );",
		       rows, 2, 4);

	assert_int_equal(m.s->n_slots, 2);
	assert_int_equal(m.s->slot_procs, 0);
	assert_string_equal(m.s->slot[0].shape[1].under, "nodes");
	assert_string_equal(m.s->let[0].name, "grid_rows");
	assert_string_equal(m.s->let[1].name, "fill_");
	assert_string_equal(m.s->let[1].text, "grid_rows + nodes / grid_rows - 2");
	assert_string_equal(m.s->slot[1].shape[1].over, "fill");
	assert_int_equal(m.s->slot[1].n, 1 + 5 + 1); /* and blocks of the nodes */
}

/* n columns that vary: each is a slot. */
static struct made many(size_t n)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	double rows[2 * 64];
	struct made m;

	strbuf_puts(&text, "problem = (");
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(&text, "%s { name = \"c%zu\"; }", i > 0 ? "," : "", i);
		rows[i] = 1;
		rows[n + i] = 2 + (double)i;
	}
	strbuf_puts(&text, " );");
	m = made(strbuf_text(&text), rows, 2, n);
	return m;
}

TEST(so_many_columns_are_in_terms_and_no_more)
{
	struct made m = many(TERM_SLOTS);

	must(term_shapes_make(m.t, &m.s, &err));
	assert_int_equal(m.s->n_slots, TERM_SLOTS);
	assert_int_equal(m.s->slot_procs, SIZE_MAX);
	made_release(&m);
	m = many(TERM_SLOTS + 1);
	must_fail(term_shapes_make(m.t, &m.s, &err), ERR_NODATA, "more than 24 columns vary");
	assert_null(m.s);
	made_release(&m);
}

static enum err_code make_again(const struct config_table *t, struct err *e)
{
	FREED(term_shapes) *s = NULL;
	const struct term_form form[2] = {{{1}}, {{10, 1}}};
	struct application a;
	enum err_code rc = term_shapes_make(t, &s, e);

	if (!rc && !(rc = term_application_make(s, form, 2, &a, e)))
		term_application_release(&a);
	return rc;
}

TEST(shapes_and_applications_are_made_or_there_is_no_memory)
{
	RELEASED(made) m = made(forms_columns, forms_rows, 2, 6);

	failing_each_allocation (make_again(m.t, &err), &err)
		;
}
