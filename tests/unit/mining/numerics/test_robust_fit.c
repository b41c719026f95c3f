#include "tests/support/check.h"

#include "mining/numerics/robust_fit.h"
#include "tests/support/uniform.h"

/* NIST StRD, nonlinear regression, data set Misra1a (lower difficulty): y = b1 (1 - exp(-b2 x)). */
static const double misra_x[14] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
				   378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
static const double misra_y[14] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
				   44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};

static void misra(const void *arg, const double *p, double *f, double *jac)
{
	for (int i = 0; i < 14; i++) {
		double left = exp(-p[1] * misra_x[i]);

		if (f)
			f[i] = p[0] * (1 - left);
		if (jac) {
			jac[2 * i] = 1 - left;
			jac[2 * i + 1] = p[0] * misra_x[i] * left;
		}
	}
}

/* Both certified starts; a scale far above the residuals makes it least squares. The standard
 * errors of the certificate are for the residual scale 0.10187876330, ours for the scale given. */
TEST(least_squares_agrees_with_nist)
{
	static const double start[2][2] = {{500, 0.0001}, {250, 0.0005}};
	static const double no_prior[2] = {INFINITY, INFINITY}, prior[2] = {0, 0};
	const double min_scale = 10;

	for (int k = 0; k < 2; k++) {
		struct robust_problem q = {.n = 14,
					   .n_params = 2,
					   .y = misra_y,
					   .prior = prior,
					   .prior_sd = no_prior,
					   .eval = misra,
					   .min_scale = min_scale};
		double p[2] = {start[k][0], start[k][1]}, std_error[2];
		struct robust_fit fit = {.std_error = std_error};

		must(robust_fit(&q, p, &fit, &err));
		check_rel(p[0], 2.3894212918e+02, 1e-5);
		check_rel(p[1], 5.5015643181e-04, 1e-5);
		check_abs(fit.scale, min_scale, 0);
		check_rel(std_error[0] / min_scale, 2.7070075241 / 1.0187876330e-01, 1e-4);
		check_rel(std_error[1] / min_scale, 7.2668688436e-06 / 1.0187876330e-01, 1e-4);
		/* far inside the quadratic part, rho(z) = z^2: the certified sum of squares */
		check_rel(fit.objective * min_scale * min_scale, 1.2455138894e-01, 1e-4);
	}
}

/* A line in p, at x = 0, 1, ..., n - 1; with a third parameter that nothing depends on. */
struct line {
	size_t n;
	size_t n_params;
};

static void line(const void *arg, const double *p, double *f, double *jac)
{
	const struct line *a = arg;

	for (size_t i = 0; i < a->n; i++) {
		if (f)
			f[i] = p[0] + p[1] * (double)i;
		if (jac) {
			jac[i * a->n_params] = 1;
			jac[i * a->n_params + 1] = (double)i;
			if (a->n_params > 2)
				jac[i * a->n_params + 2] = 0;
		}
	}
}

/* 60 times within 1 % of a line, every third one later by up to a factor 25 (log 3.2): in the mean
 * by half of that, of which least squares would add a third, 0.53, to the line; stopping short of
 * convergence (8 rounds) adds 0.24. */
TEST(a_third_disturbed_moves_the_fit_by_a_few_percent)
{
	static const double no_prior[2] = {INFINITY, INFINITY}, prior[2] = {0, 0};
	const struct line a = {60, 2};
	double y[60], p[2] = {0, 0};
	struct robust_problem q = {.n = 60,
				   .n_params = 2,
				   .y = y,
				   .prior = prior,
				   .prior_sd = no_prior,
				   .eval = line,
				   .arg = &a,
				   .min_scale = 0.01};
	struct robust_fit fit = {0};
	uint64_t seed = 3;

	for (int i = 0; i < 60; i++) {
		y[i] = 2 + 0.05 * i + uniform_draw(&seed, -0.01, 0.01);
		if (i % 3 == 0)
			y[i] += uniform_draw(&seed, 0, 3.2);
	}
	must(robust_fit(&q, p, &fit, &err));
	check_abs(p[0], 2, 0.08);
	check_abs(p[1], 0.05, 0.002);
	assert_true(fit.scale < 0.15);
}

/* The third parameter does nothing: its prior and the prior's width come out. So do those of a
 * parameter with neither effect nor prior, as "not known". */
TEST(what_only_the_prior_knows_stays_there)
{
	static const double prior[3] = {0, 0, -1.5};
	const struct line a = {20, 3};
	double prior_sd[3] = {INFINITY, INFINITY, 0.7}, y[20], p[3] = {0, 0, 4}, std_error[3];
	struct robust_problem q = {.n = 20,
				   .n_params = 3,
				   .y = y,
				   .prior = prior,
				   .prior_sd = prior_sd,
				   .eval = line,
				   .arg = &a,
				   .min_scale = 0.01};
	struct robust_fit fit = {.std_error = std_error};

	for (int i = 0; i < 20; i++)
		y[i] = 1 + 0.1 * i;
	must(robust_fit(&q, p, &fit, &err));
	check_rel(p[0], 1.0, 1e-6);
	check_rel(p[1], 0.1, 1e-6);
	check_rel(p[2], -1.5, 1e-6);
	check_rel(std_error[2], 0.7, 1e-6);
	prior_sd[2] = INFINITY;
	must(robust_fit(&q, p, &fit, &err));
	check_rel(p[1], 0.1, 1e-6);
	assert_true(isnan(std_error[2]));
}

/* Sixty times on a line count a tenth each, and one counts in full that is fifty times too long. */
TEST(one_that_counts_more_does_not_spoil_the_scale)
{
	static const double prior[2] = {0, 0}, prior_sd[2] = {INFINITY, INFINITY};
	const struct line a = {61, 2};
	double y[61], weight[61], p[2] = {0, 0};
	struct robust_problem q = {.n = 61,
				   .n_params = 2,
				   .y = y,
				   .weight = weight,
				   .prior = prior,
				   .prior_sd = prior_sd,
				   .eval = line,
				   .arg = &a,
				   .min_scale = 1e-6};
	struct robust_fit fit = {0};
	uint64_t seed = 4;

	for (int i = 0; i < 61; i++) {
		y[i] = 2 + 0.05 * i + uniform_draw(&seed, -0.01, 0.01);
		weight[i] = 0.1;
	}
	y[60] += 4;
	weight[60] = 1;
	must(robust_fit(&q, p, &fit, &err));
	check_abs(p[0], 2, 0.01);
	check_abs(p[1], 0.05, 0.001);
	assert_true(fit.scale < 0.01);
}

/* One time of scale s and one prior of width sd for a level: the weighted mean, by hand
 * (y / s^2 + prior / sd^2) / (1 / s^2 + 1 / sd^2), up to the loss's bend z^2 / 4 of 6e-5. */
TEST(prior_and_times_are_weighed_by_their_widths)
{
	static const double prior[2] = {1, 0}, prior_sd[2] = {0.5, 1e-9}, y[1] = {3};
	const struct line a = {1, 2};
	double p[2] = {0, 0};
	struct robust_problem q = {.n = 1,
				   .n_params = 2,
				   .y = y,
				   .prior = prior,
				   .prior_sd = prior_sd,
				   .eval = line,
				   .arg = &a,
				   .min_scale = 100};
	struct robust_fit fit = {0};

	must(robust_fit(&q, p, &fit, &err));
	check_rel(p[0], (3 / 1e4 + 1 / 0.25) / (1 / 1e4 + 1 / 0.25), 1e-6);
}

/* f = log p, which a Newton step from far above leaves to the negative side. */
static void log_of(const void *arg, const double *p, double *f, double *jac)
{
	for (int i = 0; i < 3; i++) {
		if (f)
			f[i] = log(p[0]);
		if (jac)
			jac[i] = 1 / p[0];
	}
}

static struct robust_problem log_problem(const double *y)
{
	static const double prior[1] = {0}, no_prior[1] = {INFINITY};

	return (struct robust_problem){.n = 3,
				       .n_params = 1,
				       .y = y,
				       .prior = prior,
				       .prior_sd = no_prior,
				       .eval = log_of,
				       .min_scale = 0.01};
}

TEST(a_step_out_of_the_models_domain_is_taken_back)
{
	static const double y[3] = {0.5, 0.5, 0.5};
	struct robust_problem q = log_problem(y);
	struct robust_fit fit = {0};
	double p[1] = {50};

	must(robust_fit(&q, p, &fit, &err));
	check_rel(p[0], exp(0.5), 1e-6);
}

TEST(a_start_out_of_the_models_domain_is_an_error)
{
	static const double y[3] = {0.5, 0.5, 0.5};
	struct robust_problem q = log_problem(y);
	struct robust_fit fit = {0};
	double p[1] = {-1};

	must_fail(robust_fit(&q, p, &fit, &err), ERR_NUMERIC, "start");
	check_abs(p[0], -1, 0);
	q.n = 0;
	assert_int_equal(robust_fit(&q, p, &fit, NULL), ERR_NODATA);
}

/* log(exp(p0) + exp(p1) x) at x = 0 .. 39, and how often it was asked. */
struct two_amounts {
	int n_asked;
};

static void two_amounts(const void *arg, const double *p, double *f, double *jac)
{
	struct two_amounts *a = *(struct two_amounts *const *)arg;

	a->n_asked++;
	for (int i = 0; i < 40; i++) {
		double first = exp(p[0]), second = exp(p[1]) * i;

		if (f)
			f[i] = log(first + second);
		if (jac) {
			jac[2 * i] = first / (first + second);
			jac[2 * i + 1] = second / (first + second);
		}
	}
}

/* Times that do not grow with x at all, by noise of 1 % with a slight slope downwards: the second
 * amount is to be nothing, of which the log is far away; only the prior holds it, and the sum is
 * flat. Knowing that it is an amount, as many steps do as for the first. */
TEST(an_amount_of_next_to_nothing_takes_few_steps)
{
	static const double prior[2] = {0, 0}, prior_sd[2] = {INFINITY, 3};
	static const bool is_log_amount[2] = {true, true};
	struct two_amounts asked = {0}, *arg = &asked;
	double y[40], p[2] = {0, 0};
	struct robust_problem q = {.n = 40,
				   .n_params = 2,
				   .y = y,
				   .prior = prior,
				   .prior_sd = prior_sd,
				   .eval = two_amounts,
				   .arg = &arg,
				   .is_log_amount = is_log_amount,
				   .min_scale = 0.01};
	struct robust_fit fit = {0};
	uint64_t seed = 5;

	for (int i = 0; i < 40; i++)
		y[i] = 1 - 0.0005 * i + uniform_draw(&seed, -0.01, 0.01);
	must(robust_fit(&q, p, &fit, &err));
	assert_true(p[1] < -8);
	check_abs(p[0], 0.99, 0.01);
	assert_in_range(asked.n_asked, 1, 80);
}

/* Rows (1 0), (1 1), (1 2) of a line through y = 1, 3, 5, from 0: slopes are -y. */
static const double line_x[6] = {1, 0, 1, 1, 1, 2};
static const double ones[3] = {1, 1, 1}, minus_y[3] = {-1, -3, -5};

static struct normal_equations line_equations(void)
{
	struct normal_equations q;

	must(normal_equations_init(&q, 2, &err));
	normal_equations_clear(&q);
	normal_equations_add(&q, line_x, 3, ones, minus_y);
	return q;
}

/* y = 1 + 2 x: H = {3 3; 3 5}, g = -(9, 13); the sum of squares was 1 + 9 + 25 and is 0. */
TEST(an_undamped_step_solves_a_linear_problem)
{
	RELEASED(normal_equations) q = line_equations();
	double step[2], gain;

	assert_true(normal_equations_step(&q, 0, step, &gain));
	check_rel(step[0], 1.0, 1e-14);
	check_rel(step[1], 2.0, 1e-14);
	check_rel(gain, 35.0, 1e-14);
}

/* Diagonal doubled: {6 3; 3 10} step = (9, 13) has the solution (17/17, 51/51) = (1, 1), and
 * 2 * 22 - (1 1) H (1 1)' = 44 - 14. */
TEST(damping_adds_a_share_of_the_diagonal)
{
	RELEASED(normal_equations) q = line_equations();
	double step[2], gain;

	assert_true(normal_equations_step(&q, 1, step, &gain));
	check_rel(step[0], 1.0, 1e-14);
	check_rel(step[1], 1.0, 1e-14);
	check_rel(gain, 30.0, 1e-14);
}

/* The inverse of {3 3; 3 5} is {5 -3; -3 3} / 6. */
TEST(errors_are_those_of_the_inverse)
{
	RELEASED(normal_equations) q = line_equations();
	double sd[2];

	normal_equations_errors(&q, sd);
	check_rel(sd[0], sqrt(5.0 / 6), 1e-14);
	check_rel(sd[1], sqrt(0.5), 1e-14);
}

/* A prior is a row of its own: {4 3; 3 5} step = (9 + 3, 13) has the solution (21/11, 16/11). */
TEST(a_prior_pulls_as_a_row_does)
{
	static const double row[2] = {1, 0}, curvature[1] = {1}, slope[1] = {-3};
	struct normal_equations q[2] = {line_equations(), line_equations()};
	double step[2], gain;

	normal_equations_add(&q[0], row, 1, curvature, slope);
	normal_equations_add_prior(&q[1], 0, 1, -3);
	for (int k = 0; k < 2; k++) {
		assert_true(normal_equations_step(&q[k], 0, step, &gain));
		check_rel(step[0], 21.0 / 11, 1e-14);
		check_rel(step[1], 16.0 / 11, 1e-14);
		normal_equations_release(&q[k]);
	}
}

/* More parameters than a tile has columns, each with five rows of its own that ask for 1; but for
 * one that has none. */
TEST(what_nothing_depends_on_stays_and_is_not_known)
{
	enum { N = 40, IDLE = 17, ROWS = 5 * N };
	RELEASED(normal_equations) q;
	double x[N] = {0}, step[N], sd[N], gain;
	const double curvature[1] = {2}, slope[1] = {-2};

	must(normal_equations_init(&q, N, &err));
	normal_equations_clear(&q);
	for (int i = 0; i < ROWS; i++) {
		if (i % N == IDLE)
			continue;
		x[i % N] = 1;
		normal_equations_add(&q, x, 1, curvature, slope);
		x[i % N] = 0;
	}
	assert_true(normal_equations_step(&q, 0, step, &gain));
	normal_equations_errors(&q, sd);
	for (int j = 0; j < N; j++) {
		if (j == IDLE) {
			check_abs(step[j], 0.0, 0);
			assert_true(isnan(sd[j]));
		} else {
			check_rel(step[j], 1.0, 1e-14);
			check_rel(sd[j], 1 / sqrt(10.0), 1e-14); /* 5 rows of curvature 2 */
		}
	}
}

/* Two columns that are equal tell only their sum. */
TEST(what_cannot_be_told_apart_takes_no_undamped_step)
{
	static const double x[6] = {1, 1, 1, 1, 1, 1};
	RELEASED(normal_equations) q;
	double step[2] = {7, 7}, gain = 7, sd[2];

	must(normal_equations_init(&q, 2, &err));
	normal_equations_clear(&q);
	normal_equations_add(&q, x, 3, ones, minus_y);
	assert_false(normal_equations_step(&q, 0, step, &gain));
	check_abs(step[0], 7.0, 0);
	check_abs(gain, 7.0, 0);
	normal_equations_errors(&q, sd);
	assert_true(isnan(sd[0]) && isnan(sd[1]));
	/* H = {3 3; 3 3}, damped {6 3; 3 6}, g = -(9, 9): a third of the way each */
	assert_true(normal_equations_step(&q, 1, step, &gain));
	check_rel(step[0], 1.0, 1e-14);
	check_rel(step[1], 1.0, 1e-14);
}
