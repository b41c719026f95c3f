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
	check_abs(trend_prior_shift(&columns, row, false, NULL), 0, 1e-12);
	row[SIZE] = 200;
	check_rel(trend_prior_shift(&columns, row, false, NULL), 1.5 * log(2), 1e-12);
	row[STEPS] = 5;
	check_rel(trend_prior_shift(&columns, row, false, NULL), 1.5 * log(2) - log(2), 1e-12);
	row[NODES] = 64;
	check_rel(trend_prior_shift(&columns, row, false, NULL), 0.5 * log(2), 1e-12);
	row[STEPS] = NAN;
	check_rel(trend_prior_shift(&columns, row, false, NULL), 1.5 * log(2), 1e-12);
	columns.n_inputs = 1; /* the size is an input: its exponent is fitted */
	check_abs(trend_prior_shift(&columns, row, false, NULL), 0, 1e-12);
}

/* Of processes -0.7. */
static void what_resources_shift_is_told_apart(void **state)
{
	double row[N_COLUMNS] = {200, 10, 1, 1, 16}, of_resources = NAN;

	(void)state;
	add_range(SIZE, 100, 100);
	add_range(PROCS, 4, 4);
	check_rel(trend_prior_shift(&columns, row, false, &of_resources),
		  1.5 * log(2) - 0.7 * log(4), 1e-12);
	check_rel(of_resources, -0.7 * log(4), 1e-12);
}

/* No more than a factor e^1000 of what no power law can mean. */
static void a_wild_shift_is_cut(void **state)
{
	double row[N_COLUMNS] = {1e300, 1e300};

	(void)state;
	add_range(SIZE, 1e-300, 1e-300);
	check_abs(trend_prior_shift(&columns, row, false, NULL), 1000, 0);
	row[SIZE] = 0;
	columns.range[0].lo = columns.range[0].hi = log(1e300);
	check_abs(trend_prior_shift(&columns, row, false, NULL), -1000, 0);
}

/* ---- what two runs on a line leave open ---- */

enum { N_TERMS = 6 };

/* 1, two logs, their squares' halves and their product, each times its prior deviation: an exponent
 * of the size 1, of processes 0.5. Second derivatives: of parts of exponents (a, b), (a', b') and
 * shares s, 1 - s, in the root of the mean s (1 - s) is 1 / sqrt(30), (a - a')^2 is sqrt(12) * 1^2,
 * (a - a') (b - b') is 2 * 1 * 0.5. No more than what an exponent changes from
 * part to part, sqrt(2) times its deviation, over the range. */
static void put_terms(double size, double procs, double range, double *u)
{
	const double straight = 1 / sqrt(30), all = sqrt(2) / range;

	u[0] = 5;
	u[1] = size;
	u[2] = 0.5 * procs;
	u[3] = fmin(straight * sqrt(12), all) * size * size / 2;
	u[4] = fmin(straight, 0.5 * all) * size * procs;
	u[5] = fmin(straight * sqrt(12) * 0.25, 0.5 * all) * procs * procs / 2;
}

static double covariance(const double *u, const double *v)
{
	double sum = 0;

	for (int j = 0; j < N_TERMS; j++)
		sum += u[j] * v[j];
	return sum;
}

/* The same law as covariances of functions (Rasmussen and Williams, eq. 2.12): of a question, given
 * runs at both ends of the diagonal, noise 0.5. */
static double sd_by_covariances(double h, double size, double procs)
{
	double low[N_TERMS], high[N_TERMS], at[N_TERMS];
	double aa, ab, bb, ka, kb;

	put_terms(-h, -h, 2 * h, low);
	put_terms(h, h, 2 * h, high);
	put_terms(size, procs, 2 * h, at);
	aa = covariance(low, low) + 0.25;
	bb = covariance(high, high) + 0.25;
	ab = covariance(low, high);
	ka = covariance(at, low);
	kb = covariance(at, high);
	return sqrt(covariance(at, at) -
		    (ka * ka * bb - 2 * ka * kb * ab + kb * kb * aa) / (aa * bb - ab * ab));
}

/* Runs at (e^-h, e^-h) and (e^h, e^h). */
static void check_off_the_line(double h)
{
	double row[N_COLUMNS] = {exp(h), 1, 1, 1, exp(-h), 1, 1};
	struct config_table *t = config_table_alloc(&app, 2, 2, 0);
	struct trend_posterior m;
	struct err e = {0};

	assert_non_null(t);
	add_range(SIZE, exp(-h), exp(h));
	add_range(PROCS, exp(-h), exp(h));
	columns.n_inputs = 2;
	columns.n_terms = 3;
	for (size_t i = 0; i < 2; i++) {
		for (size_t c = 0; c < N_COLUMNS; c++)
			t->x[i * t->n_columns + c] = 1;
		t->x[i * t->n_columns + SIZE] = t->x[i * t->n_columns + PROCS] =
			exp(i == 0 ? -h : h);
		t->time_s[i] = 1;
		t->n_repeats[i] = 1;
		t->first[i + 1] = i + 1;
	}
	t->n = 2;
	t->weight[t->source[0]] = 1;
	check_ok(trend_posterior_make(t, &columns, 0.5, &m, &e), &e);
	check_rel(trend_posterior_sd(&m, &columns, row), sd_by_covariances(h, h, -h), 1e-9);
	row[SIZE] = row[PROCS] = exp(h / 2);
	check_rel(trend_posterior_sd(&m, &columns, row), sd_by_covariances(h, h / 2, h / 2), 1e-9);
	trend_posterior_release(&m);
	config_table_free(t);
}

static void curvature_off_a_line_keeps_its_prior(void **state)
{
	(void)state;
	check_off_the_line(0.5);
}

static void over_a_wide_range_exponents_change_no_more_than_from_part_to_part(void **state)
{
	(void)state;
	check_off_the_line(3);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(a_prior_follows_the_role_of_a_column, set_up),
	cmocka_unit_test_setup(processes_do_not_count_twice, set_up),
	cmocka_unit_test_setup(what_never_varied_shifts_by_the_mean_of_its_prior, set_up),
	cmocka_unit_test_setup(what_resources_shift_is_told_apart, set_up),
	cmocka_unit_test_setup(a_wild_shift_is_cut, set_up),
	cmocka_unit_test_setup(curvature_off_a_line_keeps_its_prior, set_up),
	cmocka_unit_test_setup(over_a_wide_range_exponents_change_no_more_than_from_part_to_part,
			       set_up),
};

CHECK_MAIN(tests)
