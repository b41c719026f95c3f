#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include "mining/findings/findings_private.h"

/* Two columns of two to three bins, and log slow-downs made of effects of known size. Where every
 * case has every cell once the fit of main effects is exact, and all that follows a short sum. */

enum { A, B, N_COLUMNS, MOST = 128, LEVELS = 3 };

static struct column_bins bins[N_COLUMNS];
static unsigned char row[MOST][N_COLUMNS], code[MOST * N_COLUMNS];
static uint32_t start[MOST], config[MOST], block[MOST];
static double value[MOST], weight[MOST];
static struct slowdown_table table;
static struct rank_strata strata;

static int set_up(void **state)
{
	table = (struct slowdown_table){.n_columns = N_COLUMNS, .bins = bins, .code = code};
	strata = (struct rank_strata){.t = &table,
				      .start = start,
				      .config = config,
				      .block = block,
				      .value = value,
				      .weight = weight};
	bins[A] = bins[B] = (struct column_bins){.n = 2, .ordered = true};
	return 0;
}

static void begin_case(double its_weight)
{
	weight[strata.n_strata] = its_weight;
	start[strata.n_strata++] = (uint32_t)strata.n;
}

static void add(unsigned a, unsigned b, double y, uint32_t its_block)
{
	row[strata.n][A] = (unsigned char)a;
	row[strata.n][B] = (unsigned char)b;
	config[strata.n] = (uint32_t)strata.n;
	block[strata.n] = its_block;
	value[strata.n++] = y;
	start[strata.n_strata] = (uint32_t)strata.n;
	if (its_block >= strata.n_blocks)
		strata.n_blocks = its_block + 1;
}

static void lay_out(void)
{
	table.n = strata.n;
	for (size_t c = 0; c < N_COLUMNS; c++) {
		for (size_t i = 0; i < table.n; i++)
			code[c * table.n + i] = row[i][c];
	}
}

static struct cell_table make(void)
{
	struct cell_table out = {.share = NAN};

	lay_out();
	must(cell_table_make(&strata, A, B, &out, &err));
	return out;
}

/* A case and block with each of four cells once: +-a, +-b, and what is beyond them, +-d. */
static void add_square(double mean, double a, double b, double d)
{
	uint32_t own = (uint32_t)strata.n_blocks;

	begin_case(1);
	add(0, 0, mean - a - b + d, own);
	add(0, 1, mean - a + b - d, own);
	add(1, 0, mean + a - b - d, own);
	add(1, 1, mean + a + b + d, own);
}

#define IN_FIXTURE(name) TEST_WITH(name, set_up, NULL)

/* All signs agree, by chance one time in eight (of four blocks the first is free). */
IN_FIXTURE(what_is_beyond_main_effects_has_its_share)
{
	struct cell_table t;

	for (int i = 0; i < 4; i++)
		add_square(i, 0.3, 0.2, 0.1);
	t = make();
	check_rel(t.share, 0.01 / (0.09 + 0.04 + 0.01), 1e-9);
	check_abs(t.fitted[0 * CELL_GROUPS + 0], -0.4, 1e-12);
	check_abs(t.fitted[0 * CELL_GROUPS + 1], -0.2, 1e-12);
	check_abs(t.fitted[1 * CELL_GROUPS + 0], 0, 1e-12);
	check_abs(t.fitted[1 * CELL_GROUPS + 1], 0.6, 1e-12);
	assert_true(isnan(t.fitted[2]) && isnan(t.fitted[CELLS - 1]));
	check_abs(t.weight[1 * CELL_GROUPS + 1], 4, 0);
	check_abs(t.weight[2], 0, 0);
	check_rel(t.p, 0.125, 1e-12);
}

/* Squares of the blocks' vectors t, 1, 1, 1 with t = 3 + sqrt(12) give chi-squared two degrees of
 * freedom, where p = exp(-x / 2) = exp(-Q / mean) = exp(-(sqrt(t) + 1)^2 / (t + 3)). What blocks
 * differ by in their main effects says nothing of it. */
IN_FIXTURE(blocks_vote_on_what_is_beyond)
{
	double most = 3 + sqrt(12), unit = 0.01;

	add_square(0, 0.3, 0.2, unit * sqrt(most));
	add_square(1, -0.1, 0.5, unit);
	add_square(2, 0.2, 0, unit);
	add_square(3, 0, 0.1, -unit);
	check_rel(make().p, exp(-pow(sqrt(most) + 1, 2) / (most + 3)), 1e-9);
}

IN_FIXTURE(opposite_blocks_say_nothing)
{
	struct cell_table t;

	add_square(0, 0.3, 0.2, 0.1);
	add_square(0, 0.3, 0.2, -0.1);
	t = make();
	check_rel(t.p, 1.0, 1e-9);
	check_abs(t.share, 0, 1e-12);
}

/* Two blocks alone agree half of the time; a third without any of it has no vote. One has none. */
IN_FIXTURE(a_block_without_any_of_it_has_no_vote)
{
	add_square(0, 0, 0, 0.125);
	check_rel(make().p, 1.0, 1e-12);
	add_square(0, 0, 0, 0.125);
	check_rel(make().p, 0.5, 1e-12);
	add_square(0, 0, 0, 0);
	check_rel(make().p, 0.5, 1e-12);
}

/* A case of weight 1 has 0.3 in each cell once, one of weight 1 / 2 has 0.1 in each cell 16 times:
 * delta (0.3 + 8 0.1) / 9; of squares 4 0.09 + 32 0.01 it explains 36 delta^2. */
IN_FIXTURE(cases_count_by_their_weight)
{
	struct cell_table t;

	add_square(5, 0, 0, 0.3);
	begin_case(0.5);
	for (unsigned i = 0; i < 64; i++) {
		unsigned a = i / 2 % 2, b = i % 2;

		add(a, b, a == b ? 0.1 : -0.1, 1);
	}
	t = make();
	check_abs(t.weight[CELL_GROUPS], 9, 1e-12);
	check_abs(t.fitted[CELL_GROUPS], -1.1 / 9, 1e-12);
	check_rel(t.share, 36 * pow(1.1 / 9, 2) / (0.36 + 0.32), 1e-12);
}

/* What has no group, in either column, is as if it had not been run. */
IN_FIXTURE(missing_values_are_left_out)
{
	struct cell_table t;

	for (int i = 0; i < 4; i++) {
		add_square(i, 0.3, 0.2, 0.1);
		add(BIN_MISSING, 1, 100, (uint32_t)i);
		add(1, BIN_MISSING, -50, (uint32_t)i);
	}
	t = make();
	check_rel(t.share, 0.01 / 0.14, 1e-9);
	check_rel(t.p, 0.125, 1e-9);
	begin_case(1); /* nor is a case of nothing else */
	add(BIN_MISSING, 0, 7, 4);
	check_rel(make().share, 0.01 / 0.14, 1e-9);
}

/* Three by three, from each case some of the cells, more from a few: what is a sum of main effects
 * is found to be one, up to the tolerance of the fit. */
IN_FIXTURE(lopsided_designs_are_fitted_too)
{
	static const double a[LEVELS] = {0, 0.2, 0.5}, b[LEVELS] = {0, -0.1, 0.3};
	struct cell_table t;

	bins[A].n = bins[B].n = LEVELS;
	for (unsigned i = 0; i < 12; i++) {
		begin_case(i % 3 ? 1 : 0.5);
		for (unsigned k = 0; k < LEVELS * LEVELS; k++) {
			if ((i + k) % 4 != 0)
				add(k / LEVELS, k % LEVELS, i + a[k / LEVELS] + b[k % LEVELS], i);
		}
	}
	t = make();
	for (size_t k = 0; k < (size_t)LEVELS * LEVELS; k++) {
		size_t cell = k / LEVELS * CELL_GROUPS + k % LEVELS;

		check_abs(t.fitted[cell] - t.fitted[0], a[k / LEVELS] + b[k % LEVELS], 1e-5);
	}
	check_abs(t.share, 0, 1e-9);
}

IN_FIXTURE(constant_values_have_no_share)
{
	struct cell_table t;

	for (int i = 0; i < 3; i++)
		add_square(i, 0, 0, 0);
	t = make();
	check_abs(t.share, 0, 0);
	check_abs(t.p, 1, 0);
}

IN_FIXTURE(without_memory_there_are_no_cells)
{
	struct cell_table t;

	for (int i = 0; i < 4; i++)
		add_square(i, 0.3, 0.2, 0.1);
	lay_out();
	failing_each_allocation (cell_table_make(&strata, A, B, &t, &err), &err)
		;
	check_rel(t.p, 0.125, 1e-12);
}
