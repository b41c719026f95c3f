#include "tests/support/check.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "mining/numerics/value_of_information.h"
#include "mining/numerics/mining_init.h"

/* A thousand draws in pairs and 64 outcomes: probabilities are right within about this. */
#define DRAWN 0.015

struct pair {
	struct option option[2];
	struct choice_problem problem;
	struct posterior_samples samples;
};

/* Two options of one node, the second predicted to take longer by the factor exp(gap), times of
 * about one hour, doubts not correlated. */
static void pair_open(struct pair *p, double gap, const double *sd)
{
	static const double independent[] = {1, 0, 0, 1};

	mining_init();
	for (int i = 0; i < 2; i++)
		p->option[i] = (struct option){
			.log_time = log(3600) + i * gap, .log_limit = INFINITY, .nodes = 1};
	p->problem = (struct choice_problem){p->option, 2, 0};
	must(posterior_samples_init(&p->samples, sd, independent, 2, &err));
}

static void pair_release(struct pair *p)
{
	posterior_samples_release(&p->samples);
}

static void foresee(const struct pair *p, size_t r, double noise_sd, struct expectation *before,
		    struct expectation *after)
{
	must(voi_foresee(&p->problem, &p->samples, r, noise_sd, true, before, after, &err));
}

/* The difference of the log times is normal(gap, s^2), s^2 = 0.03^2 + 0.04^2 = 0.05^2: the first
 * is wrong with probability Phi(-gap / s) = Phi(-1) = 0.1587. */
TEST(chance_to_choose_wrong_is_that_of_a_normal_difference)
{
	RELEASED(pair) p;
	double right[3];

	pair_open(&p, 0.05, (const double[]){0.03, 0.04});
	must(choice_chances(&p.problem, &p.samples, right, &err));
	check_abs(right[0], 1 - gsl_cdf_ugaussian_P(-1), DRAWN);
	check_abs(right[1], gsl_cdf_ugaussian_P(-1), DRAWN);
	check_abs(right[2], 0, 0); /* without a limit there is nothing to decline */
}

/* Equal predictions, equal doubts: a run of the first without noise tells half of the variance of
 * the difference. The sign of what it shows differs from the sign of the truth with probability
 * arccos(r) / pi (Sheppard 1899), r = 1 / sqrt(2): 1/4. Two thirds of the variance told by the one
 * of doubt sqrt(2): r = sqrt(2/3), 0.1959. */
TEST(a_run_of_one_of_two_halves_the_chance_as_sheppard_says)
{
	struct pair p;
	struct expectation before, after;

	pair_open(&p, 0, (const double[]){0.05, 0.05});
	foresee(&p, 0, 0, &before, &after);
	check_abs(before.wrong, 0.5, DRAWN);
	check_abs(after.wrong, 0.25, DRAWN);
	pair_release(&p);

	pair_open(&p, 0, (const double[]){0.05 * sqrt(2), 0.05});
	foresee(&p, 0, 0, &before, &after);
	check_abs(after.wrong, acos(sqrt(2.0 / 3)) / acos(-1), DRAWN);
	pair_release(&p);
}

/* Unit normal linear loss integral: Raiffa and Schlaifer 1961, table II. */
static double linear_loss(double v)
{
	return gsl_ran_ugaussian_pdf(v) - v * gsl_cdf_ugaussian_Q(v);
}

/* Small doubts make the waste linear: one node-hour times the difference of the logs. Without a run
 * it is s L(gap / s); a run that tells s0 of it, known without noise, saves s0 L(gap / s0). Here
 * gap = 0.005, s = 0.01 * sqrt(2), s0 = 0.01: 0.01414 * 0.2473 = 0.003498 node-hours before, and
 * 0.003498 - 0.01 * 0.1978 = 0.001520 after. */
TEST(waste_follows_the_normal_linear_loss_integral)
{
	const double gap = 0.005, s0 = 0.01, s = 0.01 * sqrt(2);
	struct expectation before, after;
	RELEASED(pair) p;

	pair_open(&p, gap, (const double[]){s0, s0});
	foresee(&p, 0, 0, &before, &after);
	check_rel(before.wasted_node_hours, s * linear_loss(gap / s), 0.06);
	check_rel(after.wasted_node_hours, s * linear_loss(gap / s) - s0 * linear_loss(gap / s0),
		  0.06);
}

/* Noise as large as the doubt: the run tells half of s0^2, so r = sqrt(1/4), arccos(1/2)/pi = 1/3.
 */
TEST(noise_of_repeats_makes_a_run_tell_less)
{
	struct expectation before, after;
	RELEASED(pair) p;

	pair_open(&p, 0, (const double[]){0.05, 0.05});
	foresee(&p, 0, 0.05, &before, &after);
	check_abs(after.wrong, 1.0 / 3, DRAWN);
}

TEST(a_run_of_what_is_known_changes_nothing_at_all)
{
	struct expectation before, after;
	RELEASED(pair) p;

	pair_open(&p, 0.02, (const double[]){0.05, 0});
	foresee(&p, 1, 0.03, &before, &after);
	check_abs(after.wrong, before.wrong, 0);
	check_abs(after.wasted_node_hours, before.wasted_node_hours, 1e-12);
	foresee(&p, 1, 0, &before, &after); /* neither doubt nor noise */
	check_abs(after.wrong, before.wrong, 0);
}

/* Options that a tenth tells apart, and nobody minds a tenth. */
TEST(what_costs_little_more_is_right_as_well)
{
	struct expectation before, after;
	RELEASED(pair) p;

	pair_open(&p, 0.05, (const double[]){0.001, 0.001});
	p.problem.tolerance = 0.1;
	foresee(&p, 0, 0, &before, &after);
	check_abs(before.wrong, 0, 0);
}

/* The only option is predicted at 0.05 below its limit with a doubt of 0.05: too late with
 * probability Phi(-1). The first two nodes of the other are dearer, but never late. */
TEST(an_option_that_may_be_late_is_wrong_as_often)
{
	struct expectation before, after;
	RELEASED(pair) p;

	pair_open(&p, 0, (const double[]){0.05, 0});
	p.option[0].stop_s = 3600 * exp(0.05);
	p.option[0].log_limit = log(3600) + 0.05;
	p.option[1].level = 1;
	foresee(&p, 0, 0, &before, &after);
	check_abs(before.wrong, gsl_cdf_ugaussian_P(-1), DRAWN);
	check_abs(after.wrong, 0, DRAWN);
}

TEST(where_nothing_is_good_enough_declining_is_right)
{
	RELEASED(pair) p;
	double right[3];

	pair_open(&p, 0, (const double[]){0.05, 0.05});
	p.option[0].log_limit = p.option[1].log_limit = log(3600) - 0.05;
	must(choice_chances(&p.problem, &p.samples, right, &err));
	check_abs(right[2], pow(gsl_cdf_ugaussian_P(1), 2), DRAWN); /* both late */
}

static double next_uniform(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Five options and three other places, anywhere, with correlations of an exponential of distance on
 * a line; four runs one after another. */
TEST(the_chance_to_choose_wrong_never_rises)
{
	enum { N = 8, OPTIONS = 5, RUNS = 4 };
	uint64_t seed = 7;

	mining_init();
	for (int world = 0; world < 10; world++) {
		double sd[N], at[N], correlation[N * N];
		struct option option[OPTIONS];
		struct choice_problem c = {option, OPTIONS, 0.02};
		RELEASED(posterior_samples) d;

		for (int i = 0; i < N; i++) {
			sd[i] = 0.1 * next_uniform(&seed);
			at[i] = next_uniform(&seed);
		}
		for (int k = 0; k < N * N; k++)
			correlation[k] = exp(-fabs(at[k / N] - at[k % N]));
		for (int i = 0; i < OPTIONS; i++)
			option[i] =
				(struct option){.log_time = log(3000) + 0.3 * next_uniform(&seed),
						.log_limit = log(3500),
						.stop_s = 3600,
						.level = floor(2 * next_uniform(&seed)),
						.nodes = 4};
		must(posterior_samples_init(&d, sd, correlation, N, &err));
		for (int run = 0; run < RUNS; run++) {
			struct expectation before, after;

			for (size_t r = 0; r < N; r++) {
				must(voi_foresee(&c, &d, r, 0.02, true, &before, &after, &err));
				assert_true(after.wrong <= before.wrong);
				assert_true(after.brier <= before.brier + 1e-12);
				assert_true(after.wasted_node_hours <=
					    before.wasted_node_hours + 1e-12);
				assert_true(after.wrong >= 0);
			}
			must(posterior_samples_condition_on(&d, (size_t)run, 0.02, &err));
		}
	}
}

/* Known after a run without noise; after a noisy one, variance v leaves v s^2 / (v + s^2). */
TEST(a_run_that_was_learnt_leaves_what_gaussian_conditioning_leaves)
{
	static const double sd[] = {0.1, 0.2}, correlation[] = {1, 0.5, 0.5, 1};
	RELEASED(posterior_samples) d;
	double sum = 0;

	mining_init();
	must(posterior_samples_init(&d, sd, correlation, 2, &err));
	must(posterior_samples_condition_on(&d, 1, 0.1, &err));
	check_rel(d.covariance[3], 0.04 * 0.01 / 0.05, 1e-12);
	check_rel(d.covariance[0], 0.01 - 0.01 * 0.01 / 0.05, 1e-12);
	check_rel(d.covariance[1], 0.01 - 0.01 * 0.04 / 0.05, 1e-12);
	for (size_t m = 0; m < POSTERIOR_DRAWS; m++)
		sum += d.left[2 * m] * d.left[2 * m];
	check_rel(sum / POSTERIOR_DRAWS, 0.008, 0.1);
}

/* A second, noisy run of the same place is worth making; after one without noise it is not. */
TEST(a_repeat_is_worth_what_noise_left)
{
	struct expectation before, after;
	struct pair p;

	pair_open(&p, 0, (const double[]){0.05, 0});
	must(posterior_samples_condition_on(&p.samples, 0, 0, &err));
	foresee(&p, 0, 0, &before, &after);
	check_abs(before.wrong - after.wrong, 0, 1e-9);
	pair_release(&p);

	pair_open(&p, 0, (const double[]){0.05, 0});
	must(posterior_samples_condition_on(&p.samples, 0, 0.05, &err));
	foresee(&p, 0, 0.05, &before, &after);
	assert_true(after.wrong < before.wrong - 0.02);
	pair_release(&p);
}

/* Doubts that are known draw by draw: of two options, the first takes twice as long in each fourth
 * draw; nothing more is to be learnt. Times of one and of one and a half hours. */
struct known {
	double covariance[4], left[2 * POSTERIOR_DRAWS], noise[POSTERIOR_DRAWS],
		shown[2 * POSTERIOR_PATHS];
	struct option option[2];
	struct choice_problem problem;
	struct posterior_samples samples;
};

static void known_open(struct known *k, double nodes_0, double nodes_1)
{
	*k = (struct known){.option = {{.log_time = log(3600),
					.log_limit = INFINITY,
					.stop_s = 7200,
					.log_price = log(nodes_0),
					.nodes = nodes_0},
				       {.log_time = log(5400),
					.log_limit = INFINITY,
					.stop_s = 7200,
					.log_price = log(nodes_1),
					.nodes = nodes_1}}};
	for (size_t m = 0; m < POSTERIOR_DRAWS; m += 4)
		k->left[2 * m] = log(2);
	k->problem = (struct choice_problem){k->option, 2, 0};
	k->samples = (struct posterior_samples){.n = 2,
						.covariance = k->covariance,
						.left = k->left,
						.noise = k->noise,
						.shown = k->shown,
						.n_paths = 1};
}

static void known_foresee(const struct known *k, size_t r, struct expectation *before,
			  struct expectation *after)
{
	must(voi_foresee(&k->problem, &k->samples, r, 0, true, before, after, &err));
}

static void check_expects(const struct expectation *x, double wrong, double brier, double waste)
{
	check_abs(x->wrong, wrong, 1e-12);
	check_abs(x->brier, brier, 1e-12);
	check_abs(x->wasted_node_hours, waste, 1e-12);
}

/* The first is wrong in a quarter of the draws; 2 * (1/4 * 3/4) / 2; and by it a quarter of 2 h
 * less 1.5 h is wasted, by the other three quarters of 1.5 h less 1 h. */
TEST(of_draws_that_are_known_the_expectation_is_a_count)
{
	struct expectation before, after;
	struct known k;
	double right[3];

	known_open(&k, 1, 1);
	must(choice_chances(&k.problem, &k.samples, right, &err));
	check_abs(right[0], 0.75, 0);
	check_abs(right[1], 0.25, 0);
	check_abs(right[2], 0, 0);
	known_foresee(&k, 0, &before, &after);
	check_expects(&before, 0.25, 3.0 / 16, 0.125);
	check_expects(&after, 0.25, 3.0 / 16, 0.125);
}

/* On 3 and 4 nodes. Beyond 1.6 h the first is stopped, at 2 h: 6 node-hours in a quarter of the
 * draws, 1.5. By the second 4 * 1.5 - 3 * 1 are wasted in three quarters, 2.25. */
TEST(all_of_a_run_that_is_stopped_is_wasted)
{
	struct expectation before, after;
	struct known k;

	known_open(&k, 3, 4);
	k.option[0].log_limit = log(1.6 * 3600);
	known_foresee(&k, 0, &before, &after);
	check_expects(&before, 0.25, 3.0 / 16, 1.5);
	k.option[0].nodes = 30; /* then the second is cheaper at any time */
	k.option[0].log_price = log(30);
	known_foresee(&k, 0, &before, &after);
	check_expects(&before, 0, 0, 0);
}

/* On a second path runs have shown that the first takes twice as long: there it is never right, and
 * the second always is. What is not known is half of that on one path. */
TEST(paths_are_as_likely_as_each_other)
{
	struct expectation before, after;
	struct known k;

	known_open(&k, 1, 1);
	k.samples.n_paths = 2;
	k.shown[2] = log(2);
	known_foresee(&k, 0, &before, &after);
	check_expects(&before, 0.25 / 2, 3.0 / 32, 0.125 / 2);
	check_expects(&after, 0.25 / 2, 3.0 / 32, 0.125 / 2);
}

/* The second is on the lower level, so it is right at any price, and alone. */
TEST(a_lower_level_counts_before_the_price)
{
	struct known k;
	double right[3];

	known_open(&k, 1, 1);
	k.option[0].level = 1;
	must(choice_chances(&k.problem, &k.samples, right, &err));
	check_abs(right[0], 0, 0);
	check_abs(right[1], 1, 0);
	k.option[1].log_limit = 0; /* unless it is not good enough */
	must(choice_chances(&k.problem, &k.samples, right, &err));
	check_abs(right[0], 1, 0);
	check_abs(right[1], 0, 0);
	k.option[0].log_limit = log(3600); /* just good enough, but in a quarter */
	must(choice_chances(&k.problem, &k.samples, right, &err));
	check_abs(right[0], 0.75, 0);
	check_abs(right[2], 0.25, 0);
}

/* All that is not known of the first, 0.1, a run of it without noise tells: at z the first takes
 * exp(0.1 z), whichever draw is true. The second is half a standard deviation behind. So before,
 * the first is wrong as often as an outcome is above one half, and never after. */
TEST(a_run_without_noise_tells_which_is_right)
{
	struct expectation before, after;
	double z[64], above = 0;
	struct known k;

	known_open(&k, 1, 1);
	for (size_t m = 0; m < POSTERIOR_DRAWS; m++)
		k.left[2 * m] = m % 2 ? 0.1 : -0.1;
	k.covariance[0] = 0.01;
	k.option[1].log_time = log(3600) + 0.05;
	posterior_samples_outcomes(z, 64);
	for (int q = 0; q < 64; q++)
		above += z[q] > 0.5;
	known_foresee(&k, 0, &before, &after);
	check_abs(before.wrong, above / 64, 1e-12);
	check_abs(before.brier, above / 64 * (1 - above / 64), 1e-12);
	check_expects(&after, 0, 0, 0);
	assert_true(before.wasted_node_hours > 0.001);
}

/* Nothing is left to be known of three, of which each in turn takes least. */
TEST(the_right_one_is_found_wherever_it_stands)
{
	double zero[9 + 3 * POSTERIOR_PATHS] = {0};
	HEAP double *left = zeroed((size_t)3 * POSTERIOR_DRAWS, sizeof *left);
	struct posterior_samples d = {3, zero, left, left, zero, 1, NULL};

	for (size_t best = 0; best < 3; best++) {
		struct expectation before, after;
		struct option option[3];
		struct choice_problem c = {option, 3, 0};
		double right[4];

		for (size_t i = 0; i < 3; i++)
			option[i] = (struct option){.log_time = i == best ? 1 : 2 + (double)i,
						    .log_limit = INFINITY,
						    .nodes = 1};
		must(choice_chances(&c, &d, right, &err));
		for (size_t i = 0; i <= 3; i++)
			check_abs(right[i], i == best, 0);
		must(voi_foresee(&c, &d, 0, 0, true, &before, &after, &err));
		check_expects(&before, 0, 0, 0);
		check_expects(&after, 0, 0, 0);
	}
}
