#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include <math.h>
#include <string.h>

#include "domain/configuration.h"
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

static struct application *class_of(void)
{
	struct application *a = NULL;
	struct err e = {0};

	check_ok(
		application_parse(
			"application = { name = \"t\"; problem = ( { name = \"n\"; min = 1; } );"
			" tunables = ( { name = \"compiler\"; type = \"text\"; candidates = \"seen\"; } );"
			" resources = ( { name = \"nodes\"; min = 1; }, { name = \"procs\"; min = 1; } );"
			" target = { name = \"time\"; unit = \"s\"; }; };",
			"t.conf", &a, &e),
		&e);
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
}

/* n_levels compilers, each on n_nodes numbers of nodes. */
static void make_table(size_t n_levels, int n_nodes, struct made *m)
{
	struct dataset *d;
	double row[16];
	struct err e = {0};

	*m = (struct made){.app = class_of()};
	d = dataset_new(m->app);
	assert_non_null(d);
	for (size_t i = 0; i < RUNS; i++) {
		const double n = (double)(100 << i % 4), procs = (double)(4 << i / 4 % 4);
		const double ppn = (double)(1 << i / 16 % (size_t)n_nodes);
		const size_t level = i * n_levels / RUNS;
		const struct breakdown parts = structure_at(n, procs);

		put_row(m->app, n, procs / ppn, procs, (double)level, row);
		check_ok(dataset_add(d, row, planted_s(&parts, level, ppn), (int64_t)i + 1, 1,
				     SOURCE_MEASURED, RUN_OK, 1, &e),
			 &e);
	}
	check_ok(config_table_make(d, &m->t, &e), &e);
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
	struct err e = {0};

	make_table(n_levels, n_nodes, m);
	find(m);
	check_ok(column_factors_fit(m->t, m->pick, m->t->n, m->parts, &m->f, &e), &e);
}

static void release(struct made *m)
{
	column_factors_release(&m->f);
	config_table_free(m->t);
	application_free(m->app);
}

/* Priors of 0.7 and 0.5 against 96 runs with 5 % noise at least pull by less than 1 %. */
static void factors_of_computation_and_of_messages_come_back(void **state)
{
	struct made m;

	make(3, N_NODES, &m);
	assert_int_equal(m.f.n, 4);
	check_abs(m.f.item[0].compute - m.f.item[1].compute, log(3), 0.02);
	check_abs(m.f.item[2].compute - m.f.item[1].compute, log(0.8), 0.02);
	check_abs(m.f.item[0].messages - m.f.item[2].messages, 0, 0.02);
	assert_int_equal(m.f.item[3].kind, FACTOR_PPN);
	check_abs(m.f.item[3].compute, PPN_COMPUTE, 0.02);
	check_abs(m.f.item[3].messages, PPN_MESSAGES, 0.02);
	release(&m);
}

static void applied_they_give_the_time_that_was_planted(void **state)
{
	struct made m;
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
	release(&m);
}

static void a_column_that_did_not_vary_is_no_factor(void **state)
{
	struct made m;

	make_table(1, N_NODES, &m);
	find(&m);
	assert_int_equal(m.f.n, 1);
	assert_int_equal(m.f.item[0].kind, FACTOR_PPN);
	release(&m);
	make_table(1, 1, &m);
	find(&m);
	assert_int_equal(m.f.n, 0);
	release(&m);
}

/* All on one node: 4 to 32 processes on it, which the structure reads already. */
static void processes_on_a_node_that_go_with_all_processes_are_no_factor(void **state)
{
	struct made m;
	const size_t procs = application_column((make_table(1, 1, &m), m.app), "procs");

	for (size_t i = 0; i < m.t->n; i++)
		m.t->x[i * m.t->n_columns + application_column(m.app, "nodes")] = 1;
	assert_true(config_table_row(m.t, 0)[procs] >= 4);
	find(&m);
	assert_int_equal(m.f.n, 0);
	release(&m);
}

static double sd_at(const struct made *m, double nodes, double procs, double level)
{
	const struct breakdown parts = structure_at(300, procs);
	double row[16];

	put_row(m->app, 300, nodes, procs, level, row);
	return column_factors_sd(&m->f, m->app, row, &parts);
}

static void an_unseen_level_and_a_number_beyond_are_in_doubt_by_their_priors(void **state)
{
	struct made m;
	const double nothing = (make(3, N_NODES, &m), sd_at(&m, 4, 8, 1));

	assert_true(nothing > 0 && nothing < 0.05);
	/* 0.7: the deviation of a level that no run has */
	check_abs(sd_at(&m, 4, 8, 3), 0.7, 0.02);
	/* 16 on a node where 4 were the most: 0.5 ln 4 */
	check_abs(sd_at(&m, 2, 32, 1), 0.5 * log(4), 0.02);
	release(&m);
}

/* All completions of rows of which any part is open, one by one. */
static void no_completion_takes_less_than_the_bound(void **state)
{
	struct made m;

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
	release(&m);
}

static void what_is_stored_comes_back_by_names(void **state)
{
	struct made m;
	struct kb_fit stored = {0};
	struct column_factors again = {0};
	struct strbuf said = STRBUF_INIT, same = STRBUF_INIT;
	struct err e = {0};

	make(3, N_NODES, &m);
	column_factors_explain(&m.f, m.app, &said);
	assert_non_null(strstr(strbuf_text(&said), "compiler O0 takes 3.7"));
	check_ok(column_factors_store(&m.f, m.app, &stored, &e), &e);
	check_ok(column_factors_load(&stored, m.app, &again, &e), &e);
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
	check_error(column_factors_load(&stored, m.app, &again, &e), &e, ERR_NOTMINED,
		    "run `lemnos mine`");
	strbuf_release(&said);
	strbuf_release(&same);
	kb_fit_release(&stored);
	release(&m);
}

/* A fit, a store and a load; *again is empty unless all is well. */
static enum err_code round_trip(struct made *m, struct column_factors *again, struct err *e)
{
	struct kb_fit stored = {0};
	enum err_code rc = column_factors_fit(m->t, m->pick, m->t->n, m->parts, &m->f, e);

	if (!rc && !(rc = column_factors_store(&m->f, m->app, &stored, e)))
		rc = column_factors_load(&stored, m->app, again, e);
	kb_fit_release(&stored);
	return rc;
}

static void without_memory_nothing_is_left_behind(void **state)
{
	struct made m;
	struct column_factors again = {0}, copy = {0};
	struct err e = {0};

	make(3, N_NODES, &m);
	failing_each_place (round_trip(&m, &again, &e), &e)
		assert_null(again.posterior);
	assert_int_equal(again.n, m.f.n);
	failing_each_allocation (column_factors_copy(&again, &copy, &e), &e)
		assert_int_equal(copy.n, 0);
	check_abs(copy.item[0].compute, m.f.item[0].compute, 0);
	column_factors_release(&copy);
	column_factors_release(&again);
	release(&m);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(factors_of_computation_and_of_messages_come_back),
	cmocka_unit_test(applied_they_give_the_time_that_was_planted),
	cmocka_unit_test(a_column_that_did_not_vary_is_no_factor),
	cmocka_unit_test(processes_on_a_node_that_go_with_all_processes_are_no_factor),
	cmocka_unit_test(an_unseen_level_and_a_number_beyond_are_in_doubt_by_their_priors),
	cmocka_unit_test(no_completion_takes_less_than_the_bound),
	cmocka_unit_test(what_is_stored_comes_back_by_names),
	cmocka_unit_test(without_memory_nothing_is_left_behind),
};

CHECK_MAIN(tests)
