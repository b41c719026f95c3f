#include "tests/support/check.h"
#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"

#include "domain/configuration.h"
#include "mining/numerics/linear_posterior.h"
#include "mining/structure/column_factors.h"

/* Factors that were planted on the two parts of a structure's time. */

enum { RUNS = 96, N_NODES = 3 };

static const char *const compiler[] = {"O0", "O2", "O3"};
/* Of computation; messages do not know the compiler. */
static const double compiler_factor[] = {3, 1, 0.8};
#define PPN_COMPUTE 0.1
#define PPN_MESSAGES -0.4

struct made {
	struct application *app;
	struct config_table *t;
	struct breakdown parts[RUNS];
	size_t pick[RUNS];
	struct column_factors f;
};

/* What a structure says that reads n and procs alone. */
static struct breakdown structure_at(double n, double procs)
{
	return (struct breakdown){.compute_s = 6 * n / procs,
				  .fill_s = n / procs,
				  .other_s = n / procs,
				  .comm_s = 2 * sqrt(n),
				  .sync_s = 0.5 * sqrt(n)};
}

static double planted_s(const struct breakdown *parts, size_t level, double ppn)
{
	const double compute = parts->compute_s + parts->fill_s + parts->other_s;

	return compute * compiler_factor[level] * pow(ppn, PPN_COMPUTE) +
	       (parts->comm_s + parts->sync_s) * pow(ppn, PPN_MESSAGES);
}

static struct application *application_of(void)
{
	struct application *a = NULL;

	must(application_parse(
		"application = { name = \"t\"; problem = ( { name = \"n\"; min = 1; } );"
		" tunables = ( { name = \"compiler\"; type = \"text\"; candidates = \"seen\"; },"
		"   { name = \"chunk\"; candidates = \"seen\"; } );"
		" resources = ( { name = \"nodes\"; min = 1; }, { name = \"procs\"; min = 1; } );"
		" target = { name = \"time\"; unit = \"s\"; }; };",
		"t.conf", &a, &err));
	for (size_t k = 0; k < 3; k++)
		levels_add(&a->column[application_column(a, "compiler")].levels, compiler[k]);
	return a;
}

static void put_row(const struct application *a, double n, double nodes, double procs, double level,
		    double *row)
{
	configuration_clear(a, row);
	row[application_column(a, "n")] = n;
	row[application_column(a, "nodes")] = nodes;
	row[application_column(a, "procs")] = procs;
	row[application_column(a, "compiler")] = level;
	row[application_column(a, "chunk")] = 16;
}

/* n_levels compilers, each on n_nodes numbers of nodes. */
static void make_table(size_t n_levels, int n_nodes, struct made *m)
{
	struct dataset *d;
	double row[16];

	*m = (struct made){.app = application_of()};
	d = dataset_new(m->app);
	assert_non_null(d);
	for (size_t i = 0; i < RUNS; i++) {
		const double n = (double)(100 << i % 4), procs = (double)(4 << i / 4 % 4);
		const double ppn = (double)(1 << i / 16 % (size_t)n_nodes);
		const size_t level = i * n_levels / RUNS;
		const struct breakdown parts = structure_at(n, procs);

		put_row(m->app, n, procs / ppn, procs, (double)level, row);
		runs_add(d, row, planted_s(&parts, level, ppn));
	}
	must(config_table_make(d, &m->t, &err));
	dataset_free(d);
	for (size_t i = 0; i < m->t->n; i++) {
		const double *x = config_table_row(m->t, i);

		m->pick[i] = i;
		m->parts[i] = structure_at(x[application_column(m->app, "n")],
					   x[application_column(m->app, "procs")]);
	}
}

/* Of a structure that reads n. */
static void find(struct made *m)
{
	const size_t reads = application_column(m->app, "n");

	column_factors_find(m->t, &reads, 1, &m->f);
}

static void make(size_t n_levels, int n_nodes, struct made *m)
{
	make_table(n_levels, n_nodes, m);
	find(m);
	must(column_factors_fit(m->t, m->pick, m->t->n, m->parts, &m->f, &err));
}

static void made_release(struct made *m)
{
	column_factors_release(&m->f);
	config_table_free(m->t);
	application_free(m->app);
}

/* Priors of 0.7 and 0.5 against 96 runs with 5 % noise at least pull by less than 1 %. */
TEST(factors_of_computation_and_of_messages_come_back)
{
	RELEASED(made) m;

	make(3, N_NODES, &m);
	assert_int_equal(m.f.n, 4);
	check_abs(m.f.item[0].compute - m.f.item[1].compute, log(3), 0.02);
	check_abs(m.f.item[2].compute - m.f.item[1].compute, log(0.8), 0.02);
	check_abs(m.f.item[0].messages - m.f.item[2].messages, 0, 0.02);
	assert_int_equal(m.f.item[3].kind, FACTOR_PPN);
	check_abs(m.f.item[3].compute, PPN_COMPUTE, 0.02);
	check_abs(m.f.item[3].messages, PPN_MESSAGES, 0.02);
}

TEST(applied_they_give_the_time_that_was_planted)
{
	RELEASED(made) m;
	double row[16];

	make(3, N_NODES, &m);
	for (size_t level = 0; level < 3; level++) {
		struct breakdown parts = structure_at(300, 8);
		const double want = planted_s(&parts, level, 2);

		put_row(m.app, 300, 4, 8, (double)level, row);
		column_factors_apply(&m.f, m.app, row, &parts);
		check_rel(breakdown_total_s(&parts), want, 0.02);
		check_rel(parts.fill_s / parts.compute_s, 1.0 / 6, 1e-12);
		check_rel(parts.sync_s / parts.comm_s, 0.25, 1e-12);
	}
}

TEST(a_column_that_did_not_vary_is_no_factor)
{
	struct made m;

	make_table(1, N_NODES, &m);
	find(&m);
	assert_int_equal(m.f.n, 1);
	assert_int_equal(m.f.item[0].kind, FACTOR_PPN);
	made_release(&m);
	make_table(1, 1, &m);
	find(&m);
	assert_int_equal(m.f.n, 0);
	made_release(&m);
}

/* All on one node: 4 to 32 processes on it, which the structure reads already. */
TEST(processes_on_a_node_that_go_with_all_processes_are_no_factor)
{
	RELEASED(made) m;
	const size_t procs = application_column((make_table(1, 1, &m), m.app), "procs");

	for (size_t i = 0; i < m.t->n; i++)
		m.t->x[i * m.t->n_columns + application_column(m.app, "nodes")] = 1;
	assert_true(config_table_row(m.t, 0)[procs] >= 4);
	find(&m);
	assert_int_equal(m.f.n, 0);
}

static double sd_at(const struct made *m, double nodes, double procs, double level)
{
	const struct breakdown parts = structure_at(300, procs);
	double row[16];

	put_row(m->app, 300, nodes, procs, level, row);
	return column_factors_sd(&m->f, m->app, row, &parts);
}

TEST(an_unseen_level_and_a_number_beyond_are_in_doubt_by_their_priors)
{
	RELEASED(made) m;
	const double nothing = (make(3, N_NODES, &m), sd_at(&m, 4, 8, 1));

	assert_true(nothing > 0 && nothing < 0.05);
	/* 0.7: the deviation of a level that no run has */
	check_abs(sd_at(&m, 4, 8, 3), 0.7, 0.02);
	/* 16 on a node where 4 were the most: 0.5 ln 4 */
	check_abs(sd_at(&m, 2, 32, 1), 0.5 * log(4), 0.02);
}

/* All completions of rows of which any part is open, one by one. */
TEST(no_completion_takes_less_than_the_bound)
{
	RELEASED(made) m;

	make(3, N_NODES, &m);
	for (int open = 0; open < 4; open++) {
		const struct breakdown parts = structure_at(300, 8);
		const double whole_s = breakdown_total_s(&parts);
		const double compute_s = parts.compute_s + parts.fill_s + parts.other_s;
		double row[16], whole[16], least = INFINITY, bound;

		put_row(m.app, 300, open & 1 ? NAN : 4, 8, open & 2 ? NAN : 1, row);
		for (double level = open & 2 ? 0 : 1; level <= (open & 2 ? 2 : 1); level++) {
			for (double ppn = 1; ppn <= 4; ppn *= 2) {
				struct breakdown scaled = parts;

				if (!(open & 1) && ppn != 2)
					continue;
				put_row(m.app, 300, 8 / ppn, 8, level, whole);
				column_factors_apply(&m.f, m.app, whole, &scaled);
				least = fmin(least, breakdown_total_s(&scaled));
			}
		}
		bound = column_factors_least_s(&m.f, m.app, row, whole_s, compute_s);
		assert_true(bound <= least * (1 + 1e-12) && bound > 0.7 * least);
		if (open == 0) /* nothing is open: the time itself */
			check_rel(bound, least, 1e-12);
		/* of which nothing is known to be computation: less */
		assert_true(column_factors_least_s(&m.f, m.app, row, whole_s, 0) <= bound);
	}
}

TEST(what_is_stored_comes_back_by_names)
{
	RELEASED(made) m;
	RELEASED(kb_fit) stored = {0};
	struct column_factors again = {0};
	RELEASED(strbuf) said = STRBUF_INIT, same = STRBUF_INIT;

	make(3, N_NODES, &m);
	column_factors_explain(&m.f, m.app, &said);
	assert_non_null(strstr(strbuf_text(&said), "compiler O0 takes 3.7"));
	must(column_factors_store(&m.f, m.app, &stored, &err));
	must(column_factors_load(&stored, m.app, &again, &err));
	column_factors_explain(&again, m.app, &same);
	assert_string_equal(strbuf_text(&said), strbuf_text(&same));
	assert_int_equal(again.n, m.f.n);
	assert_memory_equal(again.posterior, m.f.posterior,
			    4 * m.f.n * m.f.n * sizeof *m.f.posterior);
	for (size_t i = 0; i < stored.n_param; i++) {
		if (!strcmp(stored.param[i].name, "factor_messages_1"))
			stored.param[i].value = NAN;
	}
	column_factors_release(&again);
	must_fail(column_factors_load(&stored, m.app, &again, &err), ERR_NOTMINED,
		  "run `lemnos mine`");
}

/* ---- which columns ---- */

/* Configurations of one compiler and one process a node, with chunk(i). */
static void find_with_chunks(double (*chunk)(size_t i), struct made *m)
{
	make_table(1, 1, m);
	for (size_t i = 0; i < m->t->n; i++)
		m->t->x[i * m->t->n_columns + application_column(m->app, "chunk")] = chunk(i);
	find(m);
}

static double one_to_eight(size_t i)
{
	return (double)(1 << i % 4);
}

static double none_once(size_t i)
{
	return i == 7 ? 0 : one_to_eight(i);
}

static double not_known_once(size_t i)
{
	return i == 7 ? NAN : one_to_eight(i);
}

static double endless_once(size_t i)
{
	return i == 7 ? INFINITY : one_to_eight(i);
}

TEST(a_number_is_a_factor_where_all_are_positive)
{
	struct made m;

	find_with_chunks(one_to_eight, &m);
	assert_int_equal(m.f.n, 1);
	assert_int_equal(m.f.item[0].kind, FACTOR_POWER);
	assert_int_equal(m.f.item[0].column, application_column(m.app, "chunk"));
	check_abs(m.f.item[0].lo, 0, 0);
	check_abs(m.f.item[0].hi, log(8), 0);
	assert_false(column_factors_of_levels(&m.f));
	made_release(&m);
	find_with_chunks(none_once, &m);
	assert_int_equal(m.f.n, 0);
	made_release(&m);
	find_with_chunks(not_known_once, &m);
	assert_int_equal(m.f.n, 0);
	made_release(&m);
	find_with_chunks(endless_once, &m);
	assert_int_equal(m.f.n, 0);
	made_release(&m);
	make_table(3, 1, &m);
	find(&m);
	assert_true(column_factors_of_levels(&m.f));
	made_release(&m);
}

/* 5 processes on 2 nodes or on 5, all others on a node for each process: 8 configurations with 5
 * tell, 7 do not. There are three compilers beside. */
TEST(eight_placements_tell_the_processes_on_a_node)
{
	for (size_t most = 7; most <= 8; most++) {
		RELEASED(made) m;
		size_t n_told = 0, n_twice = 0;

		make_table(3, 1, &m);
		for (size_t i = 0; i < m.t->n; i++) {
			double *row = m.t->x + i * m.t->n_columns;
			double *procs = &row[application_column(m.app, "procs")],
			       *nodes = &row[application_column(m.app, "nodes")];

			if (*procs == 4 && n_told < most) {
				n_told++;
				*procs = 5;
				*nodes = n_twice++ < 3 ? 2 : 5;
			} else {
				*nodes = *procs;
			}
		}
		assert_int_equal(n_told, most);
		find(&m);
		assert_int_equal(m.f.n, most == 8 ? 4 : 3);
		if (most == 8)
			check_abs(m.f.item[3].hi, log(2.5), 1e-15);
	}
}

/* 40 levels, of which there is room for 32. */
TEST(there_are_as_many_factors_as_there_is_room_for)
{
	RELEASED(made) m;

	make_table(1, N_NODES, &m);
	for (size_t i = 0; i < m.t->n; i++)
		m.t->x[i * m.t->n_columns + application_column(m.app, "compiler")] =
			(double)(i % 40);
	find(&m);
	assert_int_equal(m.f.n, COLUMN_FACTORS_MAX);
	for (size_t k = 0; k < m.f.n; k++) {
		assert_int_equal(m.f.item[k].kind, FACTOR_LEVEL);
		for (size_t j = 0; j < k; j++)
			assert_true(m.f.item[k].code != m.f.item[j].code);
	}
}

/* ---- doubt ---- */

/* A factor of e^0.3 of 8 s of computation and e^-0.2 of 2.5 s of messages, of which no run told
 * anything: deviations of 0.7, each by its share of the time. A copy says the same. */
TEST(doubt_of_each_factor_counts_by_its_share)
{
	const double prior_sd[] = {0.7, 0.7}, none = 0;
	const double compute = 8 * exp(0.3), messages = 2.5 * exp(-0.2), whole = compute + messages;
	const struct breakdown parts = {
		.compute_s = 5, .fill_s = 2, .other_s = 1, .comm_s = 2, .sync_s = 0.5};
	double posterior[4] = {0}, row[16];
	FREED(application) *app = application_of();
	struct column_factors f = {.n = 1, .posterior = posterior}, copy;

	f.item[0] = (struct column_factor){.kind = FACTOR_LEVEL,
					   .column = application_column(app, "compiler"),
					   .code = 1,
					   .compute = 0.3,
					   .messages = -0.2};
	must(linear_posterior_factor(&none, &none, 0, 2, prior_sd, 0.05, posterior, &err));
	put_row(app, 100, 1, 4, 1, row);
	check_rel(column_factors_sd(&f, app, row, &parts),
		  0.7 * hypot(compute / whole, messages / whole), 1e-12);
	/* of a level that was never seen the prior only */
	put_row(app, 100, 1, 4, 2, row);
	check_rel(column_factors_sd(&f, app, row, &parts), 0.7, 1e-12);
	put_row(app, 100, 1, 4, 1, row);
	must(column_factors_copy(&f, &copy, &err));
	check_rel(column_factors_sd(&copy, app, row, &parts),
		  column_factors_sd(&f, app, row, &parts), 1e-15);
	column_factors_release(&copy);
	f.n = 0;
	must(column_factors_copy(&f, &copy, &err));
	assert_int_equal(copy.n, 0);
	check_abs(column_factors_sd(&f, app, row, &parts), 0, 0);
}

/* ---- what is stored ---- */

static struct kb_param *stored_as(struct kb_fit *fit, const char *name)
{
	for (size_t i = 0; i < fit->n_param; i++) {
		if (!strcmp(fit->param[i].name, name))
			return &fit->param[i];
	}
	fail_msg("nothing is stored as %s", name);
	return NULL;
}

/* Item 0 is a level, item 3 the processes on a node. */
TEST(a_wrong_number_is_refused)
{
	static const struct {
		const char *name;
		double value;
	} wrong[] = {{"factor_kind_0", 3},
		     {"factor_kind_0", -1},
		     {"factor_kind_0", NAN},
		     {"factor_kind_0", FACTOR_POWER}, /* which has a range */
		     {"factor_compute_2", INFINITY},
		     {"factor_messages_0", NAN},
		     {"factor_kind_3", FACTOR_LEVEL}, /* of no column */
		     {"factor_lo_3", NAN},
		     {"factor_hi_3", INFINITY},
		     {"factor_hi_3", -1},
		     {"factor_posterior_0", NAN}};
	RELEASED(made) m;
	RELEASED(kb_fit) stored = {0};
	RELEASED(column_factors) again = {0};

	make(3, N_NODES, &m);
	must(column_factors_store(&m.f, m.app, &stored, &err));
	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
		struct kb_param *p = stored_as(&stored, wrong[k].name);
		const double right = p->value;

		p->value = wrong[k].value;
		must_fail(column_factors_load(&stored, m.app, &again, &err), ERR_NOTMINED,
			  "the fit is not of the columns that application t has");
		assert_int_equal(again.n, 0);
		p->value = right;
	}
	must(column_factors_load(&stored, m.app, &again, &err));
}

/* Each number that is not there, and each name that is none: of a column, or of a column of
 * numbers. */
TEST(what_is_missing_is_refused)
{
	static const char *const missing[] = {"factor_kind_0", "factor_kind_3",
					      "factor_code_1", "factor_compute_1",
					      "factor_lo_3",   "factor_posterior_1"};
	RELEASED(made) m;
	RELEASED(kb_fit) stored = {0};
	struct column_factors again = {0};

	make(3, N_NODES, &m);
	must(column_factors_store(&m.f, m.app, &stored, &err));
	for (size_t k = 0; k < sizeof missing / sizeof *missing; k++) {
		struct kb_param *p = stored_as(&stored, missing[k]);

		p->name[0] = 'F';
		must_fail(column_factors_load(&stored, m.app, &again, &err), ERR_NOTMINED,
			  "run `lemnos mine`");
		p->name[0] = 'f';
	}
	for (size_t k = 0; k < 2; k++) {
		struct kb_param *p = stored_as(&stored, "factor_kind_1");
		char *const right = p->meaning;

		p->meaning = k ? (char *)(uintptr_t) "chunk" : (char *)(uintptr_t) "gone";
		must_fail(column_factors_load(&stored, m.app, &again, &err), ERR_NOTMINED,
			  "run `lemnos mine`");
		p->meaning = right;
	}
}

/* The same application whose levels came in another order, without O2. */
TEST(levels_are_known_by_their_names)
{
	RELEASED(made) m;
	FREED(application) *now = application_of();
	const size_t c = application_column(now, "compiler");
	RELEASED(kb_fit) stored = {0};
	RELEASED(column_factors) again = {0};
	RELEASED(strbuf) said = STRBUF_INIT;
	double row[16], row_now[16];

	make(3, N_NODES, &m);
	must(column_factors_store(&m.f, m.app, &stored, &err));
	levels_release(&now->column[c].levels);
	now->column[c].levels = (struct levels){0};
	assert_int_equal(levels_add(&now->column[c].levels, "O3"), 0);
	assert_int_equal(levels_add(&now->column[c].levels, "O0"), 1);
	must(column_factors_load(&stored, now, &again, &err));
	assert_int_equal(again.n, 4);
	for (size_t level = 0; level <= 2; level += 2) {
		struct breakdown a = structure_at(300, 8), b = a;

		put_row(m.app, 300, 4, 8, (double)level, row);
		column_factors_apply(&m.f, m.app, row, &a);
		put_row(now, 300, 4, 8, level == 2 ? 0 : 1, row_now);
		column_factors_apply(&again, now, row_now, &b);
		check_rel(breakdown_total_s(&b), breakdown_total_s(&a), 1e-15);
	}
	assert_true(again.item[1].code == -1);
	column_factors_explain(&again, now, &said);
	assert_non_null(strstr(strbuf_text(&said), "compiler O0 takes 3.7"));
	/* nor is anything said where the slowest or the fastest is gone */
	for (size_t k = 0; k <= 2; k += 2) {
		const double code = again.item[k].code;

		again.item[k].code = -1;
		strbuf_clear(&said);
		column_factors_explain(&again, now, &said);
		assert_null(strstr(strbuf_text(&said), "takes"));
		assert_non_null(strstr(strbuf_text(&said), "Computation goes with the power"));
		again.item[k].code = code;
	}
}

/* A fit, a store and a load; *again is empty unless all is well. */
static enum err_code round_trip(struct made *m, struct column_factors *again, struct err *e)
{
	RELEASED(kb_fit) stored = {0};
	enum err_code rc = column_factors_fit(m->t, m->pick, m->t->n, m->parts, &m->f, e);

	if (!rc && !(rc = column_factors_store(&m->f, m->app, &stored, e)))
		rc = column_factors_load(&stored, m->app, again, e);
	return rc;
}

TEST(without_memory_nothing_is_left_behind)
{
	RELEASED(made) m;
	RELEASED(column_factors) again = {0}, copy = {0};

	make(3, N_NODES, &m);
	failing_each_place (round_trip(&m, &again, &err), &err)
		assert_null(again.posterior);
	assert_int_equal(again.n, m.f.n);
	failing_each_allocation (column_factors_copy(&again, &copy, &err), &err)
		assert_int_equal(copy.n, 0);
	check_abs(copy.item[0].compute, m.f.item[0].compute, 0);
}
