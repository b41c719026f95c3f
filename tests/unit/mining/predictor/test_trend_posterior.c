#include "tests/support/check.h"

#include "mining/predictor/trend_posterior.h"

/* Priors of exponents by the role of a column (docs/models.md lists them), and what they make of
 * columns that never varied. */

enum { SIZE, STEPS, NODES, PPN, PROCS, BLOCK, EFFICIENCY, N_COLUMNS };

static struct column column[N_COLUMNS];
static struct application app;
static struct log_polynomial columns;

static int set_up(void **state)
{
	static const enum column_role role[N_COLUMNS] = {COL_PROBLEM,  COL_WORKLOAD, COL_RESOURCE,
							 COL_RESOURCE, COL_RESOURCE, COL_TUNABLE,
							 COL_DERIVED};

	(void)state;
	app = (struct application){.column = column,
				   .n_columns = N_COLUMNS,
				   .i_nodes = NODES,
				   .i_ppn = PPN,
				   .i_procs = PROCS};
	for (size_t c = 0; c < N_COLUMNS; c++)
		column[c] = (struct column){.role = role[c], .type = COL_REAL};
	columns = (struct log_polynomial){.app = &app};
	return 0;
}

static void check_prior(size_t c, bool shifted, double mean, double sd)
{
	struct exponent_prior p = exponent_prior_of(&app, c, shifted);

	check_abs(p.mean, mean, 0);
	check_abs(p.sd, sd, 0);
}

static void a_prior_follows_the_role_of_a_column(void **state)
{
	(void)state;
	check_prior(SIZE, false, 1.5, 1);
	check_prior(STEPS, false, 1, 0.5);
	check_prior(PROCS, false, -0.7, 0.5);
	check_prior(BLOCK, false, 0, 0.5);
	check_prior(EFFICIENCY, false, 0, 1);
	for (size_t c = 0; c < N_COLUMNS; c++)
		check_prior(c, true, 0, 1);
}

static void processes_do_not_count_twice(void **state)
{
	(void)state;
	check_prior(NODES, false, 0, 0.15);
	check_prior(PPN, false, 0, 0.15);
	/* where processes follow from others, nodes are what is paid for */
	column[PROCS].role = COL_DERIVED;
	check_prior(NODES, false, -0.7, 0.5);
	check_prior(PPN, false, -0.7, 0.5);
	column[PROCS].role = COL_RESOURCE;
	app.i_procs = SIZE_MAX;
	check_prior(NODES, false, -0.7, 0.5);
}

static void add_range(size_t c, double lo, double hi)
{
	columns.range[columns.n_ranges++] =
		(struct log_range){.column = c, .lo = log(lo), .hi = log(hi)};
}

/* The size was 100, steps 10, nodes 4 to 8; nodes vary, but are no input. */
static void what_never_varied_shifts_by_the_mean_of_its_prior(void **state)
{
	double row[N_COLUMNS] = {100, 10, 4, 1, 4, 2, 0.5};

	(void)state;
	add_range(SIZE, 100, 100);
	add_range(STEPS, 10, 10);
	add_range(NODES, 4, 8);
	check_abs(trend_prior_shift(&columns, row, false), 0, 1e-12);
	row[SIZE] = 200;
	check_rel(trend_prior_shift(&columns, row, false), 1.5 * log(2), 1e-12);
	row[STEPS] = 5;
	check_rel(trend_prior_shift(&columns, row, false), 1.5 * log(2) - log(2), 1e-12);
	row[NODES] = 64;
	check_rel(trend_prior_shift(&columns, row, false), 0.5 * log(2), 1e-12);
	row[STEPS] = NAN;
	check_rel(trend_prior_shift(&columns, row, false), 1.5 * log(2), 1e-12);
	columns.n_inputs = 1; /* the size is an input: its exponent is fitted */
	check_abs(trend_prior_shift(&columns, row, false), 0, 1e-12);
}

/* No more than a factor e^1000 of what no power law can mean. */
static void a_wild_shift_is_cut(void **state)
{
	double row[N_COLUMNS] = {1e300, 1e300};

	(void)state;
	add_range(SIZE, 1e-300, 1e-300);
	check_abs(trend_prior_shift(&columns, row, false), 1000, 0);
	row[SIZE] = 0;
	columns.range[0].lo = columns.range[0].hi = log(1e300);
	check_abs(trend_prior_shift(&columns, row, false), -1000, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(a_prior_follows_the_role_of_a_column, set_up),
	cmocka_unit_test_setup(processes_do_not_count_twice, set_up),
	cmocka_unit_test_setup(what_never_varied_shifts_by_the_mean_of_its_prior, set_up),
	cmocka_unit_test_setup(a_wild_shift_is_cut, set_up),
};

CHECK_MAIN(tests)
