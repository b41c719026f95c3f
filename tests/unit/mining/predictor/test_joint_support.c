#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include "mining/predictor/joint_support.h"

/* A grid of n1 x n2 points, each level twice the one before. */
static size_t put_grid(size_t n1, size_t n2, double (*f)[2])
{
	size_t n = 0;

	for (size_t i = 0; i < n1; i++) {
		for (size_t j = 0; j < n2; j++, n++) {
			f[n][0] = exp2((double)i);
			f[n][1] = exp2((double)j);
		}
	}
	return n;
}

static struct joint_measure measure(const struct joint_support *m, double a, double b)
{
	struct joint_measure out;

	joint_support_measure(m, (double[]){a, b}, &out);
	return out;
}

static enum support judge(const struct joint_support *m, double a, double b)
{
	const struct joint_measure at = measure(m, a, b);

	return joint_support_judge(&at, false);
}

TEST(distance_is_in_steps_between_levels)
{
	static struct joint_support m;
	double f[25][2];

	assert_int_equal(joint_support_make(f[0], put_grid(5, 5, f), 2, &m, &err), ERR_OK);
	check_abs(m.reach, 1, 1e-6);
	check_abs(measure(&m, 4, 8).distance, 0, 1e-6);
	check_abs(measure(&m, 4 * sqrt(2), 8).distance, 0.5, 1e-6);
	check_abs(measure(&m, 64, 8).distance, 2, 1e-6);
	check_abs(measure(&m, 64, 64).distance, 2 * sqrt(2), 1e-6);
	/* the corners have the most leverage of a full grid */
	check_abs(measure(&m, 1, 16).leverage, 1, 1e-9);
	assert_true(measure(&m, 4, 4).leverage < 0.5);
	assert_int_equal(judge(&m, 4 * sqrt(2), 8 * sqrt(2)), SUPPORT_INSIDE);
	assert_int_equal(judge(&m, 32, 4), SUPPORT_EDGE);
	assert_int_equal(judge(&m, 80, 4), SUPPORT_OUTSIDE);
}

/* Both grow together: a ratio of r between them is a direction in which only the prior speaks, of
 * deviation 1 per unit of ln for each: ln(r) / sqrt(2) of both. */
TEST(columns_that_grow_together_say_nothing_apart)
{
	static struct joint_support m;
	double f[9][2];
	const struct joint_measure both = {.trend_sd = 0.3};

	for (int i = 0; i < 9; i++)
		f[i][0] = f[i][1] = exp2(i);
	assert_int_equal(joint_support_make(f[0], 9, 2, &m, &err), ERR_OK);
	assert_int_equal(judge(&m, 16, 16), SUPPORT_INSIDE);
	assert_int_equal(judge(&m, 20, 20), SUPPORT_INSIDE);
	assert_int_equal(judge(&m, 16, 4), SUPPORT_OUTSIDE);
	check_abs(measure(&m, 16, 4).trend_sd, log(4) / sqrt(2), 0.02);
	assert_int_equal(joint_support_judge(&both, false), SUPPORT_OUTSIDE);
	assert_int_equal(joint_support_judge(&both, true), SUPPORT_EDGE);
}

TEST(a_constant_column_has_a_step_of_a_quarter)
{
	static struct joint_support m;
	double f[25][2];
	const size_t n = put_grid(5, 5, f);

	for (size_t i = 0; i < n; i++)
		f[i][1] = 32;
	assert_int_equal(joint_support_make(f[0], n, 2, &m, &err), ERR_OK);
	check_abs(measure(&m, 4, 40).distance, 1, 1e-6);
	assert_int_equal(judge(&m, 4, 32), SUPPORT_INSIDE);
	assert_int_equal(judge(&m, 4, 64), SUPPORT_OUTSIDE);
}

/* Of many runs few are kept; none of them is called far from the runs for that. */
TEST(runs_that_are_not_kept_are_near_those_that_are)
{
	static struct joint_support m;
	static double f[900][2];

	for (int i = 0; i < 900; i++) {
		const int column = i % 30, row = i / 30;

		f[i][0] = 1 + column;
		f[i][1] = 1 + row;
	}
	assert_int_equal(joint_support_make(f[0], 900, 2, &m, &err), ERR_OK);
	assert_int_equal(m.n_centres, JOINT_SUPPORT_CENTRES);
	for (int i = 0; i < 900; i++)
		assert_true(measure(&m, f[i][0], f[i][1]).distance <= 1.25);
}

TEST(what_is_missing_is_not_judged)
{
	static struct joint_support m;
	double f[25][2];

	put_grid(5, 5, f);
	f[3][1] = NAN;
	assert_int_equal(joint_support_make(f[0], 25, 2, &m, &err), ERR_OK);
	assert_int_equal(judge(&m, NAN, 1e6), SUPPORT_INSIDE);
	assert_int_equal(judge(&m, 1e6, 1e6), SUPPORT_OUTSIDE);
	f[0][0] = NAN;
	assert_int_equal(joint_support_make(f[0], 1, 2, &m, &err), ERR_OK);
	assert_int_equal(judge(&m, 1e6, 1e6), SUPPORT_INSIDE); /* no run is complete */
}

TEST(stored_and_loaded_it_is_the_same)
{
	static struct joint_support m, back;
	double f[25][2];
	RELEASED(kb_fit) fit = {0};

	assert_int_equal(joint_support_make(f[0], put_grid(5, 5, f), 2, &m, &err), ERR_OK);
	assert_int_equal(joint_support_store(&m, &fit, &err), ERR_OK);
	assert_int_equal(joint_support_load(&fit, &back, &err), ERR_OK);
	for (double a = 0.1; a < 100; a *= 1.7) {
		const struct joint_measure x = measure(&m, a, 3), y = measure(&back, a, 3);

		check_abs(x.distance, y.distance, 0);
		check_abs(x.leverage, y.leverage, 0);
		check_abs(x.trend_sd, y.trend_sd, 0);
	}
	fit.n_param--; /* what lacks a number is not used */
	assert_int_equal(joint_support_load(&fit, &back, &err), ERR_NOTMINED);
	fit.n_param++;
}

TEST(without_features_there_is_no_factor)
{
	const struct joint_support m = {.n_features = 0};
	RELEASED(kb_fit) fit = {0};

	must(joint_support_store(&m, &fit, &err));
	assert_int_equal(fit.n_param, 4); /* how many features and runs, leverage and reach */
}

/* 1, 2, 4, ..., 128, one of them twice: from the first on the farthest from all before, of two as
 * far the first. */
TEST(centres_are_the_farthest_from_those_before)
{
	static const float want[] = {0, 7, 3, 5, 1, 2, 4, 6};
	static struct joint_support m;
	double f[9];

	for (int i = 0; i < 8; i++)
		f[i] = exp2(i);
	f[8] = 4;
	assert_int_equal(joint_support_make(f, 9, 1, &m, &err), ERR_OK);
	assert_int_equal(m.n_centres, 8);
	for (int i = 0; i < 8; i++)
		check_abs((double)m.centre[i][0], (double)want[i], 1e-5);
}

/* Three runs, ln f of -1, 0 and 1: A is diagonal, 3 + 0.0025 / 25 and 2 + 0.0025 / 1. */
TEST(leverage_is_that_of_a_line)
{
	static struct joint_support m;
	const double f[] = {exp(-1), 1, exp(1)}, at[] = {exp(2)};
	const double h = 1 / 3.0001 + 4 / 2.0025, most = 1 / 3.0001 + 1 / 2.0025;
	struct joint_measure out;

	assert_int_equal(joint_support_make(f, 3, 1, &m, &err), ERR_OK);
	check_abs(m.mean[0], 0, 1e-12);
	check_abs(m.step[0], 1, 1e-12);
	check_rel(m.most_leverage, most, 1e-9);
	joint_support_measure(&m, at, &out);
	check_rel(out.trend_sd, 0.05 * sqrt(h), 1e-9);
	check_rel(out.leverage, h / most, 1e-9);
	check_abs(out.distance, 1, 1e-6);
}

/* A hundred values over a factor e: a step is a twentieth of that, not a hundredth. */
TEST(steps_of_many_values_have_a_least_size)
{
	static struct joint_support m;
	double f[101];

	for (int i = 0; i <= 100; i++)
		f[i] = exp(i / 100.0);
	assert_int_equal(joint_support_make(f, 101, 1, &m, &err), ERR_OK);
	check_rel(m.step[0], 0.05, 1e-9);
	check_rel(m.mean[0], 0.5, 1e-9);
}

/* Of 1500 rows 1000 are looked at: not every third. */
TEST(of_very_many_rows_evenly_taken_ones_count)
{
	static struct joint_support m;
	static double f[1500];

	for (int i = 0; i < 1500; i++)
		f[i] = i % 3 == 2 ? 1e9 : i % 3 + 1;
	assert_int_equal(joint_support_make(f, 1500, 1, &m, &err), ERR_OK);
	check_rel(m.mean[0], log(2) / 2, 1e-9);
	assert_int_equal(m.n_centres, 2);
}

/* Zero and infinity have logarithms here, of 1e-300 and 1e300. */
TEST(extremes_are_far_but_finite)
{
	static struct joint_support m;
	double f[25][2];

	assert_int_equal(joint_support_make(f[0], put_grid(5, 5, f), 2, &m, &err), ERR_OK);
	check_rel(measure(&m, 0, 1).distance, 300 * log(10) / log(2), 1e-4);
	check_rel(measure(&m, INFINITY, 1).distance, 300 * log(10) / log(2) - 4, 1e-4);
}

TEST(a_threshold_itself_is_not_beyond_it)
{
	static const struct {
		struct joint_measure at;
		enum support trends, structural;
	} want[] = {
		{{.trend_sd = 0.25}, SUPPORT_INSIDE, SUPPORT_INSIDE},
		{{.trend_sd = 0.26}, SUPPORT_OUTSIDE, SUPPORT_EDGE},
		{{.distance = 1.25}, SUPPORT_INSIDE, SUPPORT_INSIDE},
		{{.distance = 1.26}, SUPPORT_EDGE, SUPPORT_INSIDE},
		{{.distance = 2}, SUPPORT_EDGE, SUPPORT_INSIDE},
		{{.distance = 2.01}, SUPPORT_OUTSIDE, SUPPORT_EDGE},
		{{.leverage = 1.05}, SUPPORT_INSIDE, SUPPORT_INSIDE},
		{{.leverage = 1.06}, SUPPORT_EDGE, SUPPORT_INSIDE},
	};

	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		assert_int_equal(joint_support_judge(&want[i].at, false), want[i].trends);
		assert_int_equal(joint_support_judge(&want[i].at, true), want[i].structural);
	}
}

/* Make, store and load. */
static enum err_code there_and_back(const double *f, size_t n, struct joint_support *out,
				    struct err *e)
{
	static struct joint_support m;
	RELEASED(kb_fit) fit = {0};
	enum err_code rc;

	if (!(rc = joint_support_make(f, n, 2, &m, e)) && !(rc = joint_support_store(&m, &fit, e)))
		rc = joint_support_load(&fit, out, e);
	return rc;
}

TEST(without_memory_nothing_is_known)
{
	static struct joint_support m;
	double f[6][2];
	const size_t n = put_grid(2, 3, f);

	failing_each_allocation (there_and_back(f[0], n, &m, &err), &err)
		;
	assert_int_equal(m.n_centres, 6);
}
