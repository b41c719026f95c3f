#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/terms_application.h"

#include "mining/structure/term_search.h"
#include "tests/support/mining_set_up.h"

FREEABLE(config_table)
FREEABLE(term_shapes)

/* Shapes by the roles of columns, and terms that are found in runs made of them. */

struct found {
	struct application *app;
	struct dataset *runs;
	struct config_table *t;
	struct term_shapes *shapes;
};

static void made(struct found *f, double most_nodes, double (*time_s)(struct terms_run r),
		 double noise)
{
	/* the application's own terms are passed over */
	f->app = terms_application_true();
	f->runs = terms_runs(f->app, most_nodes, time_s, noise);
	f->t = NULL;
	f->shapes = NULL;
	must(config_table_make(f->runs, &f->t, &err));
	must(term_shapes_make(f->t, &f->shapes, &err));
}

static void found_release(struct found *f)
{
	term_shapes_free(f->shapes);
	config_table_free(f->t);
	dataset_free(f->runs);
	application_free(f->app);
}

/* From a sixteenth of all to nearly all is of each. */
static double two_terms(struct terms_run r)
{
	return 1e-6 * r.n * r.n / (r.nodes * r.ppn) + 1e-7 * r.n * r.m;
}

static void check_text(const struct found *f, const struct term_form *form, const char *want)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	term_form_text(f->shapes, form, &text);
	assert_string_equal(strbuf_text(&text), want);
}

/* Without noise: nothing but the terms, with their shares of time. What is predicted of held-out
 * configurations is off by less than the error that counts as none, 0.01, so that the loss is the
 * log of at most twice that, and 0.02 for each unit of price: 1.5 of the first term, 1 of the
 * other. */
TEST(terms_without_noise_are_found_as_they_are)
{
	RELEASED(found) f;
	struct term_set set;
	double share = 0;

	made(&f, 2, two_terms, 0);
	must(term_search(f.t, f.shapes, NULL, &set, &err));
	assert_int_equal(set.n, 2);
	check_text(&f, &set.form[0], "n * n / procs");
	check_text(&f, &set.form[1], "n * m");
	for (size_t i = 0; i < f.t->n; i++) {
		const double *row = config_table_row(f.t, i);

		share += 1e-7 * row[application_column(f.app, "n")] *
			 row[application_column(f.app, "m")] / f.t->time_s[i] / (double)f.t->n;
	}
	check_abs(set.share[1], share, 0.01);
	check_rel(set.share[0] + set.share[1], 1.0, 1e-12);
	assert_true(set.loss > log(0.01) + 0.02 * 2.5);
	assert_true(set.loss < log(0.02) + 0.02 * 2.5);
}

/* The slot and shape with these texts. */
static void put_shape(const struct term_shapes *s, const char *over, const char *under,
		      struct term_form *f)
{
	for (size_t i = 0; i < s->n_slots; i++) {
		for (size_t k = 1; k < s->slot[i].n; k++) {
			const struct term_shape *shape = &s->slot[i].shape[k];

			if (!strcmp(shape->over ? shape->over : "", over) &&
			    !strcmp(shape->under ? shape->under : "", under)) {
				f->shape[i] = (unsigned char)k;
				return;
			}
		}
	}
	fail_msg("there is no shape %s / %s", over, under);
}

TEST(a_term_is_the_product_of_its_shapes)
{
	RELEASED(found) f;
	struct term_form form = {{0}};
	RELEASED(strbuf) text = STRBUF_INIT;
	double *value;

	made(&f, 2, terms_time, 0.02);
	value = zeroed(f.t->n, sizeof *value);
	put_shape(f.shapes, "n * n", "", &form);
	put_shape(f.shapes, "m", "", &form);
	put_shape(f.shapes, "", "procs", &form);
	term_form_text(f.shapes, &form, &text);
	assert_string_equal(strbuf_text(&text), "n * n * m / procs");
	assert_int_equal(term_form_way(f.shapes, &form), WAY_DIVIDED);
	assert_true(term_form_fits(f.shapes, &form));
	term_form_values(f.shapes, &form, value);
	for (size_t i = 0; i < f.t->n; i++) {
		const double *row = config_table_row(f.t, i);

		check_rel(value[i],
			  row[application_column(f.app, "n")] *
				  row[application_column(f.app, "n")] *
				  row[application_column(f.app, "m")] /
				  row[application_column(f.app, "procs")],
			  1e-15);
	}
	/* the power of a surface goes with that of the processes, or not at all */
	put_shape(f.shapes, "pow(n, 2 / 3)", "", &form);
	assert_false(term_form_fits(f.shapes, &form));
	put_shape(f.shapes, "", "pow(procs, 2 / 3)", &form);
	assert_true(term_form_fits(f.shapes, &form));
	free(value);
}

static struct config_table *table_of(const struct application *a, const double *rows, size_t n,
				     struct dataset **runs)
{
	struct config_table *t = NULL;

	*runs = dataset_new(a);
	assert_non_null(*runs);
	for (size_t i = 0; i < n; i++)
		runs_add(*runs, rows + i * a->n_columns, 1 + (double)i);
	must(config_table_make(*runs, &t, &err));
	return t;
}

/* x, y and z are always alike; ng has a rest over threads, but none over b, which it is never
 * below. */
TEST(columns_that_move_together_are_one_and_only_a_rest_makes_blocks)
{
	static const double rows[] = {/* x y z ng nodes threads b */
				      8,  8,  8,  8,  1, 2, 2, 8,  8,  8,  12, 2, 5, 4,
				      16, 16, 16, 16, 4, 2, 4, 16, 16, 16, 20, 1, 3, 2};
	FREED(application) *a = NULL;
	FREED(dataset) *runs = NULL;
	FREED(config_table) *t;
	FREED(term_shapes) *s = NULL;
	struct term_form form = {{0}};

	must(application_parse("application = { name = \"t\";"
			       "problem = ( { name = \"x\"; min = 1; }, { name = \"y\"; min = 1; },"
			       " { name = \"z\"; min = 1; }, { name = \"ng\"; min = 1; } );"
			       "tunables = ( { name = \"b\"; min = 1; candidates = \"seen\"; } );"
			       "resources = ( { name = \"nodes\"; min = 1; },"
			       " { name = \"threads\"; min = 1; } );"
			       "target = { name = \"time\"; unit = \"s\"; }; };",
			       "t.conf", &a, &err));
	assert_int_equal(a->n_columns, 7);
	assert_int_equal(a->column[6].role, COL_TUNABLE);
	t = table_of(a, rows, 4, &runs);
	must(term_shapes_make(t, &s, &err));
	put_shape(s, "x * y * z", "", &form);
	put_shape(s, "ceil(ng / threads)", "", &form);
	assert_true(term_form_fits(s, &form));
	put_shape(s, "", "threads", &form); /* they are in the blocks already */
	assert_false(term_form_fits(s, &form));
	for (size_t i = 0; i < s->n_slots; i++) {
		for (size_t k = 1; k < s->slot[i].n; k++) {
			const char *over = s->slot[i].shape[k].over;

			assert_true(!over || strcmp(over, "ceil(ng / b)") != 0);
			assert_true(!over || strcmp(over, "y") != 0);
		}
	}
}

static bool stop(void *arg, const char *what, uint64_t done, uint64_t total)
{
	size_t *n_left = arg;

	return (*n_left)-- > 0;
}

TEST(it_can_be_stopped)
{
	size_t n_left = 20;
	const struct progress progress = {stop, &n_left};
	RELEASED(found) f;
	struct term_set set = {.n = 77};

	made(&f, 2, terms_time, 0.02);
	assert_int_equal(term_search(f.t, f.shapes, &progress, &set, &err), ERR_INTERRUPTED);
	assert_int_equal(set.n, 77);
}

TEST(where_nothing_varies_or_too_little_there_are_no_terms)
{
	FREED(application) *a = terms_application_true();
	struct dataset *runs = NULL;
	struct config_table *t;
	FREED(term_shapes) *s = NULL;
	struct term_set set;
	double rows[32];

	for (size_t i = 0; i < 4; i++)
		terms_row(a, (struct terms_run){100, 10, 1, 1}, rows + i * a->n_columns);
	t = table_of(a, rows, 4, &runs);
	must_fail(term_shapes_make(t, &s, &err), ERR_NODATA, "nothing to make terms of");
	config_table_free(t);
	dataset_free(runs);
	for (size_t i = 0; i < 4; i++)
		terms_row(a, (struct terms_run){100 + (double)i, 10, 1, 1},
			  rows + i * a->n_columns);
	t = table_of(a, rows, 4, &runs);
	must(term_shapes_make(t, &s, &err));
	assert_int_equal(term_search(t, s, NULL, &set, &err), ERR_NODATA);
	config_table_free(t);
	dataset_free(runs);
}

static enum err_code all(const struct config_table *t, struct err *e)
{
	FREED(term_shapes) *s = NULL;
	struct term_set set;
	enum err_code rc = term_shapes_make(t, &s, e);

	if (!rc)
		rc = term_search(t, s, NULL, &set, e);
	return rc;
}

TEST(terms_are_found_or_there_is_no_memory)
{
	FREED(application) *a = terms_application_true();
	FREED(dataset) *d = dataset_new(a);
	FREED(config_table) *t = NULL;

	assert_non_null(d);
	for (int i = 0; i < 12; i++) {
		const struct terms_run r = {100 << i % 4, 10, 1 << i / 4, 1};
		double row[16];

		terms_row(a, r, row);
		runs_add(d, row, terms_time(r));
	}
	must(config_table_make(d, &t, &err));
	failing_each_place_repeated(all(t, &err), &err);
}

TEST_GROUP(mining_set_up, NULL)
