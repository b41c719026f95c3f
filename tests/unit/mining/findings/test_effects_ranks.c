#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include "mining/cases/case_contrast.h"
#include "mining/findings/findings_private.h"

/* Tables of one column made by hand, so that every number can be worked out on paper: ranks of so
 * few configurations are small fractions. Quantiles of Student's t: NIST/SEMATECH e-Handbook of
 * Statistical Methods, 1.3.6.7.2, with more digits from tan() (1 degree of freedom) and from the
 * roots of the closed forms (2 and 3). */
#define T1 12.706204736174698
#define T2 4.302652729749464
#define T3 3.182446305284263

enum { MOST = 80 };

static struct slowdown_table table;
static unsigned char code[MOST];
static double log_time[MOST], log_slowdown[MOST];
static uint32_t stratum[MOST], block[MOST];

static int set_up(void **state)
{
	table = (struct slowdown_table){.n_columns = 1,
					.code = code,
					.log_time = log_time,
					.log_slowdown = log_slowdown,
					.stratum = stratum,
					.block = block};
	return 0;
}

/* A configuration: the code of its column, its value (log time and log slow-down), case, block. */
static void add(unsigned its_code, double value, uint32_t its_case, uint32_t its_block)
{
	code[table.n] = (unsigned char)its_code;
	log_time[table.n] = log_slowdown[table.n] = value;
	stratum[table.n] = its_case;
	block[table.n++] = its_block;
	if (its_case >= table.n_strata)
		table.n_strata = its_case + 1;
	if (its_block >= table.n_blocks)
		table.n_blocks = its_block + 1;
}

/* One case: configuration i has bin i and the value[i]. */
static void add_case(const double *value, const uint32_t *its_block, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add((unsigned)i, value[i], 0, its_block[i]);
}

typedef enum err_code make_ranks(const struct slowdown_table *, struct rank_strata *, struct err *);

static struct rank_correlation correlate(make_ranks *make)
{
	struct rank_correlation r;
	RELEASED(rank_strata) s;

	must(make(&table, &s, &err));
	must(rank_strata_correlate(&s, 0, &r, &err));
	return r;
}

/* Of t with 1, 2 and 3 degrees of freedom the two-sided p is elementary. */
static double p1(double t)
{
	return 1 - 2 / M_PI * atan(t);
}

static double p2(double t)
{
	return 1 - t / sqrt(2 + t * t);
}

static double p3(double t)
{
	double x = t / sqrt(3);

	return 1 - 2 / M_PI * (x / (1 + x * x) + atan(x));
}

/* Ranks 1 2 3 4 and 1 3 2 4, centred -3 -1 1 3 and -3 1 -1 3: rho = (9 - 1 - 1 + 9) / 20. */
static const double four[] = {0.1, 0.3, 0.2, 0.4};

#define IN_FIXTURE(name) TEST_WITH(name, set_up, NULL)

/* A block each: they add 0.09, -0.09, -0.09, 0.09 to rho, a variance of 0.0324 4 / 3; chance is
 * 1 / (n - 1), the larger also of Fisher's z. */
IN_FIXTURE(independent_configurations_have_the_variance_of_chance)
{
	static const uint32_t own[] = {0, 1, 2, 3};
	struct rank_correlation r;

	add_case(four, own, 4);
	r = correlate(rank_strata_of_time);
	check_rel(r.rho, 0.8, 1e-14);
	check_rel(r.p, p3(0.8 * sqrt(3)), 1e-9);
	check_rel(r.lo, tanh(log(3) - T3 * sqrt(1.32 / 3)), 1e-9);
	check_rel(r.hi, tanh(log(3) + T3 * sqrt(1.32 / 3)), 1e-9);
}

/* The first and the last in one block: influences 0.18, -0.09, -0.09, a variance of 0.0486 3 / 2,
 * over (1 - rho^2)^2 = 0.1296 more than that of chance for z; not for rho itself. */
IN_FIXTURE(blocks_that_differ_widen_the_interval)
{
	static const uint32_t together[] = {0, 1, 2, 0};
	struct rank_correlation r;

	add_case(four, together, 4);
	r = correlate(rank_strata_of_time);
	check_rel(r.rho, 0.8, 1e-14);
	check_rel(r.p, p2(0.8 * sqrt(3)), 1e-9);
	check_rel(r.lo, tanh(log(3) - T2 * 0.75), 1e-9);
	check_rel(r.hi, tanh(log(3) + T2 * 0.75), 1e-9);
}

/* Ranks 1 4 2 3: rho = (9 - 3 - 1 + 3) / 20 = 0.4; of two blocks the influences are 0.32 and -0.32:
 * a variance of 0.2048 2, more than 1 / 3. */
IN_FIXTURE(blocks_that_differ_make_the_test_doubt)
{
	static const double value[] = {1, 4, 2, 3};
	static const uint32_t pairs[] = {0, 1, 1, 0};
	struct rank_correlation r;

	add_case(value, pairs, 4);
	r = correlate(rank_strata_of_time);
	check_rel(r.rho, 0.4, 1e-14);
	check_rel(r.p, p1(0.4 / 0.64), 1e-9);
	check_rel(atanh(r.lo), atanh(0.4) - T1 * 0.64 / 0.84, 1e-6);
	check_rel(atanh(r.hi), atanh(0.4) + T1 * 0.64 / 0.84, 1e-6);
}

/* Nothing is known of how blocks differ; a degree of freedom is left all the same. */
IN_FIXTURE(one_block_has_the_variance_of_chance)
{
	static const uint32_t one[] = {0, 0, 0, 0};
	struct rank_correlation r;

	add_case(four, one, 4);
	r = correlate(rank_strata_of_time);
	check_rel(r.p, p1(0.8 * sqrt(3)), 1e-9);
	check_rel(atanh(r.hi), log(3) + T1 * sqrt(1.32 / 3), 1e-6);
}

/* Ranks 1 2 3 and 1 3 2, centred -1 0 1 and -1 1 0: the second and third blocks vary on one side
 * only, and count. Influences 0.25, -0.125, -0.125. */
IN_FIXTURE(a_block_counts_if_either_side_varies)
{
	static const double value[] = {1, 3, 2};
	static const uint32_t own[] = {0, 1, 2};
	struct rank_correlation r;

	add_case(value, own, 3);
	r = correlate(rank_strata_of_time);
	check_rel(r.rho, 0.5, 1e-14);
	check_rel(r.p, p2(0.5 / sqrt(0.5)), 1e-9);
	check_rel(r.lo, tanh(atanh(0.5) - T2 * 0.75), 1e-9);
	check_rel(r.hi, tanh(atanh(0.5) + T2 * 0.75), 1e-9);
}

/* Its value has a rank, but neither it nor its block says anything of the column. */
IN_FIXTURE(a_missing_value_is_left_out_with_its_block)
{
	static const uint32_t own[] = {0, 1, 2, 3};
	struct rank_correlation r;

	add_case(four, own, 4);
	add(BIN_MISSING, 0.9, 0, 4);
	r = correlate(rank_strata_of_time);
	check_rel(r.rho, 0.8, 1e-14);
	check_rel(r.p, p3(0.8 * sqrt(3)), 1e-9);
	check_rel(r.hi, tanh(log(3) + T3 * sqrt(1.32 / 3)), 1e-9);
}

/* rho = 1 has no finite z; it is taken for 1 - 1e-9, whose z is log(2 1e9 - 1) / 2. Blocks do not
 * differ, chance remains: 1.5 / 3. */
IN_FIXTURE(perfect_order_has_a_finite_interval)
{
	static const double up[] = {1, 2, 3, 4}, down[] = {4, 3, 2, 1};
	static const uint32_t own[] = {0, 1, 2, 3};
	double z = log(2e9 - 1) / 2, half = T3 * sqrt(0.5);
	struct rank_correlation r;

	add_case(up, own, 4);
	r = correlate(rank_strata_of_time);
	check_abs(r.rho, 1, 1e-15);
	check_rel(1 - r.lo, 2 / (1 + exp(2 * (z - half))), 1e-6);
	assert_true(r.hi > r.lo && r.hi <= 1);
	check_rel(1 - r.hi, 2 / (1 + exp(2 * (z + half))), 1e-4);
	check_rel(r.p, p3(sqrt(3)), 1e-9);

	table.n = 0;
	add_case(down, own, 4);
	r = correlate(rank_strata_of_time);
	check_abs(r.rho, -1, 1e-15);
	check_rel(1 + r.hi, 2 / (1 + exp(2 * (z - half))), 1e-6);
	check_rel(1 + r.lo, 2 / (1 + exp(2 * (z + half))), 1e-4);
	check_rel(r.p, p3(sqrt(3)), 1e-9);
}

/* Two cases: that of four has sums of products 4, of squares 5 and 5 (over 16), as above; one of
 * 64 with two values on either side, all ranks -1/4 or 1/4, has 4, 4 and 4, at half the weight
 * (CASE_CAP of 64). rho is (1/4 + 2) / (5/16 + 2). */
IN_FIXTURE(cases_add_up_but_large_ones_are_capped)
{
	double rho = 36.0 / 37, total = 2.3125, d = (2 - 2 * rho) / total, over = 4 * d * d;
	double chance = (25.0 / 256 / 3 + 16.0 / 4 / 63) / (total * total);
	struct rank_correlation r;
	struct rank_strata s;

	for (unsigned i = 0; i < 4; i++)
		add(i, four[i], 0, 0);
	for (unsigned i = 0; i < 2 * CASE_CAP; i++)
		add(i % 2, 5 + i % 2, 1, 1);
	must(rank_strata_of_slowdown(&table, &s, &err));
	assert_int_equal(s.n_strata, 2);
	check_abs(s.weight[0], 1, 0);
	check_abs(s.weight[1], 0.5, 0);
	rank_strata_release(&s);
	r = correlate(rank_strata_of_slowdown);
	check_rel(r.rho, rho, 1e-14);
	assert_true(chance > over);
	check_rel(r.p, p1(rho / sqrt(chance)), 1e-9);
	check_rel(atanh(r.lo), log(73) / 2 - T1 * sqrt(over) / (1 - rho * rho), 1e-6);
}

/* Bins from each of the four words of bits: the order of codes is that of their numbers. */
IN_FIXTURE(any_code_has_its_place)
{
	static const unsigned bin[] = {3, 64, 191, 254};

	for (size_t i = 0; i < 4; i++)
		add(bin[i], four[i], 0, (uint32_t)i);
	check_rel(correlate(rank_strata_of_time).rho, 0.8, 1e-14);
}

/* Codes 0 0 1 1 have ranks 1.5 1.5 3.5 3.5, values 1 1 2 3 ranks 1.5 1.5 3 4: sums of products
 * 1 + 1 + 0.5 + 1.5, of squares 4 and 1 + 1 + 0.25 + 2.25. */
IN_FIXTURE(ties_have_their_mean_rank)
{
	static const double value[] = {1, 1, 2, 3};

	for (unsigned i = 0; i < 4; i++)
		add(i / 2, value[i], 0, i);
	check_rel(correlate(rank_strata_of_time).rho, 4 / sqrt(4 * 4.5), 1e-14);
}

static void assert_nothing(struct rank_correlation r)
{
	assert_true(isnan(r.rho) && isnan(r.lo) && isnan(r.hi) && isnan(r.p));
}

IN_FIXTURE(a_side_that_does_not_vary_has_no_correlation)
{
	for (unsigned i = 0; i < 7; i++)
		add(5, i, 0, i);
	assert_nothing(correlate(rank_strata_of_time));
	table.n = 0;
	for (unsigned i = 0; i < 7; i++)
		add(i, 0.3, 0, i);
	assert_nothing(correlate(rank_strata_of_time));
	/* of three, two have the column */
	table.n = 0;
	for (unsigned i = 0; i < 3; i++)
		add(i < 2 ? i : BIN_MISSING, i, 0, i);
	assert_nothing(correlate(rank_strata_of_time));
}

/* Case 0 has two configurations that can be compared, case 1 none, case 2 three of four. */
IN_FIXTURE(cases_of_less_than_three_are_left_out)
{
	static const double want_rank[] = {-1.0 / 3, 1.0 / 3, 0};
	struct rank_strata s;

	add(0, 0.2, 0, 7);
	add(1, 0, 0, 7);
	add(2, NAN, 0, 7);
	add(0, 0, 2, 5);
	add(1, NAN, 2, 6);
	add(2, 0.5, 2, 3);
	add(3, 0.1, 2, 5);
	must(rank_strata_of_slowdown(&table, &s, &err));
	assert_int_equal(s.n_strata, 1);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.start[0], 0);
	assert_int_equal(s.start[1], 3);
	assert_int_equal(s.config[0], 3);
	assert_int_equal(s.config[1], 5);
	assert_int_equal(s.config[2], 6);
	/* blocks 5 and 3 are counted anew */
	assert_int_equal(s.n_blocks, 2);
	assert_int_equal(s.block[0], 0);
	assert_int_equal(s.block[1], 1);
	assert_int_equal(s.block[2], 0);
	for (size_t k = 0; k < 3; k++)
		check_abs(s.rank[k], want_rank[k], 1e-15);
	rank_strata_release(&s);
	check_rel(correlate(rank_strata_of_slowdown).rho, 0.5, 1e-14);
}

IN_FIXTURE(nothing_to_compare_has_no_correlation)
{
	table.n_strata = 1;
	assert_nothing(correlate(rank_strata_of_time));
	assert_nothing(correlate(rank_strata_of_slowdown));
}

static enum err_code rank_both_ways(struct rank_correlation *r, struct err *e)
{
	struct rank_strata s = {.t = NULL};
	enum err_code rc = rank_strata_of_time(&table, &s, e);

	if (!rc)
		rc = rank_strata_correlate(&s, 0, r, e);
	rank_strata_release(&s);
	if (rc || (rc = rank_strata_of_slowdown(&table, &s, e)))
		return rc;
	rank_strata_release(&s);
	return ERR_OK;
}

IN_FIXTURE(without_memory_there_are_no_ranks)
{
	static const uint32_t own[] = {0, 1, 2, 3};
	struct rank_correlation r;

	add_case(four, own, 4);
	failing_each_allocation (rank_both_ways(&r, &err), &err)
		;
	check_rel(r.rho, 0.8, 1e-14);
}
