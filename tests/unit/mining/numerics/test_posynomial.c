#include "tests/support/check.h"
#include "tests/support/mining_set_up.h"
#include "tests/support/failing_allocations.h"

#include "mining/numerics/posynomial.h"
#include "tests/support/uniform.h"

enum { N = 300, P = 3 };

/* Two inputs of -1 to 1: log2 of 1 to 64 processors, and of a work of 1 to 4096. */
static double procs_of(const double *x)
{
	return exp2(3 * (x[1] + 1));
}

static double work_of(const double *x)
{
	return exp2(6 * (x[2] + 1));
}

/* Work is shared, messages of 0.2 are not. */
static double work_and_messages(const double *x)
{
	return work_of(x) / procs_of(x) + 0.2;
}

static void make(double (*time_s)(const double *x), double *x, double *y)
{
	uint64_t seed = 3;

	for (size_t i = 0; i < N; i++) {
		x[P * i] = 1;
		x[P * i + 1] = uniform_draw(&seed, -1, 1);
		x[P * i + 2] = uniform_draw(&seed, -1, 1);
		y[i] = log(time_s(x + P * i));
	}
}

/* Sixteen times the processors seen: what scales has gone, what does not is left. The weak prior
 * bends the exponents by less than a percent within the data, and by a few beyond. */
/* By differences. */
TEST(the_gradient_is_that_of_the_log)
{
	const struct posynomial m = {.n_terms = 2, .p = 3, .b = {0.5, 1, -1, -2, 0.3, 2}};
	const double x[] = {1, 0.7, -1.5}, h = 1e-6;
	double u[6];

	posynomial_gradient(&m, x, u);
	for (size_t j = 0; j < 6; j++) {
		struct posynomial more = m, less = m;

		more.b[j] += h;
		less.b[j] -= h;
		check_abs(u[j], (posynomial_log(&more, x) - posynomial_log(&less, x)) / (2 * h),
			  1e-9);
	}
}

TEST(where_scaling_ends_beyond_the_data_is_found)
{
	static const double beyond[P] = {1, 1 + 4.0 / 3, -0.5};
	double x[P * N], y[N];
	struct posynomial m;

	make(work_and_messages, x, y);
	must(posynomial_fit(x, y, N, P, 2, NULL, NULL, NULL, &m, &err));
	assert_int_equal(m.n_terms, 2);
	for (size_t i = 0; i < N; i++)
		check_abs(posynomial_log(&m, x + P * i), y[i], 0.02);
	check_rel(exp(posynomial_log(&m, beyond)), work_and_messages(beyond), 0.05);
	/* more terms than there are do no harm */
	must(posynomial_fit(x, y, N, P, 4, NULL, NULL, NULL, &m, &err));
	assert_int_equal(m.n_terms, 4);
	check_rel(exp(posynomial_log(&m, beyond)), work_and_messages(beyond), 0.1);
}

/* Inputs of an earlier fit may be other ones: here of twice the range, in another order. */
TEST(terms_of_an_earlier_fit_are_found_again)
{
	double x[P * N], y[N], like_x[P * N];
	struct posynomial like, m;

	make(work_and_messages, x, y);
	for (size_t i = 0; i < N; i++) {
		like_x[P * i] = 1;
		like_x[P * i + 1] = x[P * i + 2] / 2;
		like_x[P * i + 2] = x[P * i + 1] / 2;
	}
	must(posynomial_fit(like_x, y, N, P, 2, NULL, NULL, NULL, &like, &err));
	must(posynomial_fit(x, y, N, P, 2, NULL, &like, like_x, &m, &err));
	for (size_t k = 0; k < 2; k++) {
		check_abs(m.b[k * P + 1], like.b[k * P + 2] / 2, 0.2);
		check_abs(m.b[k * P + 2], like.b[k * P + 1] / 2, 0.2);
	}
}

static double power_law(const double *x)
{
	return 3 * pow(work_of(x), 1.5) / procs_of(x);
}

/* log t = log 3 + 1.5 * 6 log 2 (x2 + 1) - 3 log 2 (x1 + 1): by hand. */
TEST(one_term_is_the_power_law)
{
	double x[P * N], y[N];
	struct posynomial m;

	make(power_law, x, y);
	must(posynomial_fit(x, y, N, P, 1, NULL, NULL, NULL, &m, &err));
	check_rel(m.b[0], log(3) + 6 * log(2), 1e-3);
	check_rel(m.b[1], -3 * log(2), 1e-3);
	check_rel(m.b[2], 9 * log(2), 1e-3);
}

TEST(too_few_runs_get_fewer_terms)
{
	double x[P * N], y[N];
	struct posynomial m;

	make(work_and_messages, x, y);
	/* 4 runs for each of 3 coefficients of a term */
	must(posynomial_fit(x, y, 35, P, 4, NULL, NULL, NULL, &m, &err));
	assert_int_equal(m.n_terms, 2);
	must(posynomial_fit(x, y, 5, P, 4, NULL, NULL, NULL, &m, &err));
	assert_int_equal(m.n_terms, 1);
}

/* ---- few runs: a part that lacks inputs ---- */

/* Four values of each input; with noise. */
static void make_few(double (*time_s)(const double *x), double noise, double *x, double *y)
{
	uint64_t seed = 9;

	for (size_t i = 0; i < 16; i++) {
		const size_t of_procs = i % 4, of_work = i / 4;

		x[P * i] = 1;
		x[P * i + 1] = (double)of_procs * 2 / 3 - 1;
		x[P * i + 2] = (double)of_work * 2 / 3 - 1;
		y[i] = log(time_s(x + P * i)) + uniform_draw(&seed, -noise, noise);
	}
}

static double shared_work(const double *x)
{
	return work_of(x) / procs_of(x);
}

static double work_and_start_up(const double *x)
{
	return shared_work(x) + 5;
}

/* Amdahl: of 3 % nothing is shared. */
static double partly_serial(const double *x)
{
	return work_of(x) * (0.03 + 0.97 / procs_of(x));
}

static struct posynomial fit_few(double (*time_s)(const double *x))
{
	/* weak priors; parts: on nothing, and on the work only */
	const struct posynomial_prior prior = {
		.penalty = {1e-9, 1e-4, 1e-4}, .n_parts = 2, .same = {{0}, {1, 0, 1}}};
	double x[P * N], y[N];
	struct posynomial m;

	make_few(time_s, 0.02, x, y);
	must(posynomial_fit(x, y, 16, P, 4, &prior, NULL, NULL, &m, &err));
	return m;
}

TEST(few_runs_tell_a_start_up_and_serial_work)
{
	/* 64 times the work; 16 times the processors */
	static const double larger[P] = {1, 1, 2}, more[P] = {1, 1 + 4.0 / 3, 1};
	struct posynomial m = fit_few(work_and_start_up);

	assert_int_equal(m.n_terms, 2);
	check_rel(exp(posynomial_log(&m, larger)), work_and_start_up(larger), 0.15);
	m = fit_few(partly_serial);
	assert_int_equal(m.n_terms, 2);
	check_rel(exp(posynomial_log(&m, more)), partly_serial(more), 0.15);
}

TEST(a_power_law_has_no_part_beside_it)
{
	assert_int_equal(fit_few(shared_work).n_terms, 1);
}

/* The absolute deviations of a fit. */
static double off_by(const struct posynomial *m, const double *x, const double *y, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += fabs(y[i] - posynomial_log(m, x + P * i));
	return sum;
}

static double part_of_size;
static double work_and_part(const double *x)
{
	return shared_work(x) + part_of_size;
}

static double serial_part(const double *x)
{
	return work_of(x) * (part_of_size / 64 + 1 / procs_of(x));
}

/* 2 n ln(sum |r|), and ln n + 2 ln n_parts for each part. */
static double criterion(const struct posynomial *m, size_t n_parts, const double *x,
			const double *y, size_t n)
{
	return 2 * (double)n * log(off_by(m, x, y, n)) +
	       (double)(m->n_terms - 1) * (log((double)n) + 2 * log((double)n_parts));
}

/* Start-ups and serial parts of all sizes, with noise of 0.1 or 2 %: a part is taken where it makes
 * deviations less by what it costs, and of two the better one, or both. With noise of 0.1 % serial
 * work of 2 % of what 64 processors take is told. */
TEST(of_two_parts_the_better_one_is_taken_if_it_is_worth_it)
{
	static const struct posynomial_prior
		none = {.penalty = {1e-9, 1e-4, 1e-4}},
		nothing = {.penalty = {1e-9, 1e-4, 1e-4}, .n_parts = 1, .same = {{0}}},
		work = {.penalty = {1e-9, 1e-4, 1e-4}, .n_parts = 1, .same = {{1, 0, 1}}},
		both = {.penalty = {1e-9, 1e-4, 1e-4}, .n_parts = 2, .same = {{0}, {1, 0, 1}}};
	size_t n_taken[3] = {0};

	for (int k = 0; k < 40; k++) {
		const double noise = k % 2 ? 0.001 : 0.02;
		const int growth = k / 4;
		struct posynomial alone, of_nothing, of_work, m;
		double x[P * N], y[N], least;

		part_of_size = 0.02 * pow(1.4, growth);
		make_few(k / 2 % 2 ? serial_part : work_and_part, noise, x, y);
		must(posynomial_fit(x, y, 16, P, 1, &none, NULL, NULL, &alone, &err));
		assert_int_equal(alone.n_terms, 1);
		must(posynomial_fit(x, y, 16, P, 1, &nothing, NULL, NULL, &of_nothing, &err));
		must(posynomial_fit(x, y, 16, P, 1, &work, NULL, NULL, &of_work, &err));
		must(posynomial_fit(x, y, 16, P, 1, &both, NULL, NULL, &m, &err));
		least = criterion(&alone, 2, x, y, 16);
		assert_true(criterion(&of_nothing, 1, x, y, 16) <= least);
		assert_true(criterion(&of_work, 1, x, y, 16) <= least);
		least = fmin(least, fmin(criterion(&of_nothing, 2, x, y, 16),
					 criterion(&of_work, 2, x, y, 16)));
		if (m.n_terms == 3)
			assert_true(criterion(&m, 2, x, y, 16) < least);
		else
			check_abs(criterion(&m, 2, x, y, 16), least, 1e-9);
		if (m.n_terms < 3)
			n_taken[m.n_terms == 1 ? 0 : m.b[P + 2] == 0 ? 1 : 2]++;
		if (noise < 0.01)
			assert_true(m.n_terms >= 2);
	}
	assert_true(n_taken[0] >= 3 && n_taken[1] >= 3 && n_taken[2] >= 3);
}

/* Work, a start-up and messages in proportion to the processors: with either part alone the other
 * bends the law. Four times the processors and 64 times the work. */
static double work_start_messages(const double *x)
{
	return shared_work(x) + 4 + 0.2 * procs_of(x);
}

TEST(two_parts_are_taken_together)
{
	struct posynomial_prior prior = {.penalty = {1e-9, 1e-4, 1e-4}, .n_parts = 2};
	static const double larger[P] = {1, 1 + 2.0 / 3, 2};
	double x[P * N], y[N];
	struct posynomial m;

	make_few(work_start_messages, 0.001, x, y);
	prior.plus[1][1] = 3 * M_LN2; /* of log2 procs = 3 (x + 1) */
	must(posynomial_fit(x, y, 16, P, 1, &prior, NULL, NULL, &m, &err));
	assert_int_equal(m.n_terms, 3);
	for (size_t i = 0; i < 16; i++)
		check_abs(posynomial_log(&m, x + P * i), y[i], 0.01);
	check_rel(exp(posynomial_log(&m, larger)), work_start_messages(larger), 0.05);
}

/* The second input never changes: its exponent is what was expected, in the power law and in a
 * part of the same; what holds coefficients fast leaves nothing to the runs. */
TEST(what_runs_do_not_tell_is_as_expected)
{
	struct posynomial_prior prior = {.mean = {0.5, -0.7, 1.5},
					 .penalty = {1e-9, 1e-4, 1e-4},
					 .n_parts = 1,
					 .same = {{1, 0, 1}}};
	double x[P * N], y[N];
	struct posynomial m;

	make_few(partly_serial, 0.02, x, y);
	for (size_t i = 0; i < 16; i++) {
		x[P * i + 2] = 0;
		y[i] = log(partly_serial(x + P * i)) + 0.02 * sin((double)i);
	}
	must(posynomial_fit(x, y, 16, P, 1, &prior, NULL, NULL, &m, &err));
	assert_int_equal(m.n_terms, 2);
	check_abs(m.b[2], 1.5, 1e-9);
	check_abs(m.b[P + 1], 0, 0);
	check_abs(m.b[P + 2], 1.5, 1e-9);
	prior.n_parts = 0;
	must(posynomial_fit(x, y, 16, P, 1, &prior, NULL, NULL, &m, &err));
	assert_int_equal(m.n_terms, 1);
	check_abs(m.b[2], 1.5, 1e-9);
	for (size_t j = 0; j < P; j++)
		prior.penalty[j] = 1e12;
	must(posynomial_fit(x, y, 16, P, 1, &prior, NULL, NULL, &m, &err));
	for (size_t j = 0; j < P; j++)
		check_abs(m.b[j], prior.mean[j], 1e-9);
}

/* The terms of a fit stand in the order of those that it starts from. */
TEST(terms_keep_the_order_of_an_earlier_fit)
{
	double x[P * N], y[N];
	struct posynomial first, turned, m;

	make(work_and_messages, x, y);
	must(posynomial_fit(x, y, N, P, 2, NULL, NULL, NULL, &first, &err));
	turned = first;
	memcpy(turned.b, first.b + P, P * sizeof *turned.b);
	memcpy(turned.b + P, first.b, P * sizeof *turned.b);
	must(posynomial_fit(x, y, N, P, 2, NULL, &turned, x, &m, &err));
	for (size_t j = 0; j < 2 * P; j++)
		check_abs(m.b[j], turned.b[j], 0.02);
}

TEST(a_sum_needs_memory)
{
	const struct posynomial_prior prior = {
		.penalty = {1e-9, 1e-4, 1e-4}, .n_parts = 2, .same = {{0}, {1, 0, 1}}};
	double x[P * N], y[N];
	struct posynomial m, like;

	make_few(work_and_start_up, 0.02, x, y);
	failing_each_place_repeated(posynomial_fit(x, y, 16, P, 1, &prior, NULL, NULL, &m, &err),
				    &err);
	assert_int_equal(m.n_terms, 2);
	make(work_and_messages, x, y);
	failing_each_place_repeated(posynomial_fit(x, y, 60, P, 2, NULL, NULL, NULL, &like, &err),
				    &err);
	failing_each_place_repeated(posynomial_fit(x, y, 60, P, 2, NULL, &like, x, &m, &err), &err);
	assert_int_equal(m.n_terms, 2);
}

TEST(disturbed_runs_do_not_bend_the_sum)
{
	double x[P * N], y[N];
	uint64_t seed = 8;
	struct posynomial m;

	make(work_and_messages, x, y);
	for (size_t i = 0; i < N; i += 5)
		y[i] += log(uniform_draw(&seed, 2, 25));
	must(posynomial_fit(x, y, N, P, 2, NULL, NULL, NULL, &m, &err));
	for (size_t i = 0; i < N; i++)
		check_abs(posynomial_log(&m, x + P * i), log(work_and_messages(x + P * i)), 0.1);
}

TEST(nothing_to_fit_is_told)
{
	const double x[P] = {1, 0, 0}, y = 0;
	struct posynomial m;

	assert_int_equal(posynomial_fit(x, &y, 0, P, 2, NULL, NULL, NULL, &m, &err), ERR_NODATA);
	must_fail(posynomial_fit(x, &y, 1, 121, 2, NULL, NULL, NULL, &m, &err), ERR_ARG, "121");
}

TEST_GROUP(mining_set_up, NULL)
