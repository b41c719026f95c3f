#include "tests/support/check.h"
#include "tests/support/mining_set_up.h"

#include "mining/gp/gaussian_process_private.h"
#include "tests/support/uniform.h"

FREEABLE(gaussian_process)

static const struct gp_options exact = {.max_points = 1000, .max_tuning_points = 400, .seed = 1};

/* One input, one part of deviation 1. Its length makes the covariance of points one apart 1/2:
 * exp(-1 / (2 l^2)) = 1/2; two apart 1/16. */
static const struct gp_design line = {.n_inputs = 1,
				      .n_parts = 1,
				      .noise_prior = 1,
				      .part = {{GP_SQUARED_EXPONENTIAL, 1, -1, 1}}};
static struct gp_hyper line_hyper(double noise)
{
	struct gp_hyper h = {.log_sd = {0}, .log_noise = log(noise)};

	h.log_length[0][0] = 0.5 * log(0.5 / log(2));
	return h;
}

static struct gaussian_process *three_points(void)
{
	static const double z[] = {0, 1, 2}, y[] = {1, 0, -1};
	const struct gp_data data = {.n = 3, .z = z, .y = y};
	const struct gp_hyper h = line_hyper(1);
	struct gp_options o = exact;
	struct gaussian_process *gp = NULL;

	o.hyper = &h;
	must(gaussian_process_fit(&line, &data, &o, &gp, &err));
	return gp;
}

static double epistemic_sd_at(const struct gaussian_process *gp, const double *z,
			      const double *factor)
{
	double epistemic_sd;

	gaussian_process_predict(gp, z, factor, NULL, &epistemic_sd);
	return epistemic_sd;
}

/* K + noise = (2 1/2 1/16; 1/2 2 1/2; 1/16 1/2 2), y = (1, 0, -1): by symmetry alpha = (a, 0, -a),
 * (2 - 1/16) a = 1. The mean at 0 is (1 - 1/16) a = 15/31.
 * At 1, k = (1/2, 1, 1/2) and K^-1 k = (b, c, b): 33/16 b + c/2 = 1/2, b + 2 c = 1, so b = 4/29,
 * c = 25/58, and the variance is 1 - b - c = 25/58. The jitter is 1e-8. */
TEST(three_points_agree_with_a_solution_by_hand)
{
	FREED(gaussian_process) *gp = three_points();
	const double at_0 = 0, at_1 = 1, far = 100;

	check_rel(gaussian_process_mean(gp, &at_0, NULL, NULL), 15.0 / 31, 1e-7);
	check_abs(gaussian_process_mean(gp, &at_1, NULL, NULL), 0, 1e-15);
	check_rel(epistemic_sd_at(gp, &at_1, NULL), sqrt(25.0 / 58), 1e-7);
	/* far from the data nothing is known: the prior */
	check_abs(gaussian_process_mean(gp, &far, NULL, NULL), 0, 1e-15);
	check_rel(epistemic_sd_at(gp, &far, NULL), 1.0, 1e-12);
}

/* Three inputs, the last categorical, and a factor: all that a design can say. */
static const struct gp_design rich = {.n_inputs = 3,
				      .n_factors = 1,
				      .n_parts = 3,
				      .categorical = 4,
				      .noise_prior = 0.1,
				      .part = {{GP_MATERN_52, 7, -1, 0.5},
					       {GP_SQUARED_EXPONENTIAL, 2, 0, 0.3},
					       {GP_MATERN_52, 0, 0, 0.2}}};

struct sample {
	struct gp_data data;
	double z[400 * 3], factor[400], y[400], noise[400];
};

/* A smooth surface with a step between levels, and a little regular roughness instead of noise. */
static void make_sample(struct sample *s, size_t n, uint64_t seed)
{
	for (size_t i = 0; i < n; i++) {
		double a = uniform_draw(&seed, 0, 3), b = uniform_draw(&seed, -1, 1);
		double level = floor(uniform_draw(&seed, 0, 3));

		s->z[3 * i] = a;
		s->z[3 * i + 1] = b;
		s->z[3 * i + 2] = level;
		s->factor[i] = uniform_draw(&seed, 0, 1);
		s->y[i] = sin(a) + 0.3 * s->factor[i] * b * b + 0.2 * (level == 1) +
			  (i % 2 ? 0.02 : -0.02);
		s->noise[i] = i % 3 ? 1 : 0.5;
	}
	s->data = (struct gp_data){
		.n = n, .z = s->z, .factor = s->factor, .y = s->y, .noise = s->noise};
}

static struct gp_hyper rich_hyper(double noise)
{
	struct gp_hyper h = {.log_sd = {log(0.7), log(0.4), log(0.3)}, .log_noise = log(noise)};

	h.log_length[0][0] = log(1.5);
	h.log_length[0][1] = log(2.0);
	h.log_length[0][2] = log(1.3);
	h.log_length[1][1] = log(0.8);
	return h;
}

/* The process that gp_log_evidence() works on. */
static struct gaussian_process *bare(const struct sample *s, const struct gp_hyper *h)
{
	struct gp_options o = exact;
	struct gaussian_process *gp = NULL;

	o.hyper = h;
	must(gaussian_process_fit(&rich, &s->data, &o, &gp, &err));
	return gp;
}

static void check_slope(struct gaussian_process *gp, double *hyper, double slope)
{
	const double step = 1e-4, at = *hyper;
	double up, down;

	*hyper = at + step;
	must(gp_log_evidence(gp, &up, &err));
	*hyper = at - step;
	must(gp_log_evidence(gp, &down, &err));
	*hyper = at;
	/* central differences: an error of step^2 times the third derivative */
	check_abs((up - down) / (2 * step), slope, 1e-5 * (1 + fabs(slope)));
}

TEST(gradient_agrees_with_differences)
{
	const struct gp_hyper h = rich_hyper(0.1);
	HEAP struct sample *s = zeroed(1, sizeof *s);
	FREED(gaussian_process) *gp;
	struct gp_hyper grad;
	double at;

	make_sample(s, 50, 3);
	gp = bare(s, &h);
	gp->weight[5] = 0.2;
	must(gp_log_evidence(gp, &at, &err));
	must(gp_evidence_slopes(gp, &grad, &err));
	check_slope(gp, &gp->hyper.log_noise, grad.log_noise);
	for (size_t k = 0; k < rich.n_parts; k++) {
		check_slope(gp, &gp->hyper.log_sd[k], grad.log_sd[k]);
		for (size_t i = 0; i < rich.n_inputs; i++) {
			if (rich.part[k].inputs >> i & 1)
				check_slope(gp, &gp->hyper.log_length[k][i], grad.log_length[k][i]);
		}
	}
}

/* A sum of many waves of random frequency and phase has the squared exponential covariance
 * (Rahimi and Recht, "Random Features for Large-Scale Kernel Machines", NIPS'07): along a input of
 * length l, frequencies are normal with deviation 1 / l. */
static double normal(uint64_t *seed)
{
	double u = uniform_draw(seed, 1e-12, 1), v = uniform_draw(seed, 0, 1);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

TEST(lengths_of_a_random_surface_are_recovered)
{
	enum { N = 300, WAVES = 400 };
	static const double length[2] = {0.25, 1.5};
	static const struct gp_design plane = {.n_inputs = 2,
					       .n_parts = 1,
					       .noise_prior = 0.03,
					       .part = {{GP_SQUARED_EXPONENTIAL, 3, -1, 0.5}}};
	double z[2 * N], y[N] = {0};
	uint64_t seed = 11;
	const struct gp_data data = {.n = N, .z = z, .y = y};
	FREED(gaussian_process) *gp = NULL;
	const struct gp_hyper *h;

	for (size_t i = 0; i < 2 * N; i++)
		z[i] = uniform_draw(&seed, 0, 1);
	for (size_t w = 0; w < WAVES; w++) {
		double f0 = normal(&seed) / length[0], f1 = normal(&seed) / length[1];
		double phase = uniform_draw(&seed, 0, 2 * M_PI);

		for (size_t i = 0; i < N; i++)
			y[i] += sqrt(2.0 / WAVES) * cos(f0 * z[2 * i] + f1 * z[2 * i + 1] + phase);
	}
	for (size_t i = 0; i < N; i++)
		y[i] += 0.05 * normal(&seed);
	must(gaussian_process_fit(&plane, &data, &exact, &gp, &err));
	h = gaussian_process_hyper(gp);
	check_rel(exp(h->log_length[0][0]), length[0], 0.2);
	check_rel(exp(h->log_length[0][1]), length[1], 0.4); /* longer than the square */
	check_rel(exp(h->log_noise), 0.05, 0.2);
}

static double wave(double x)
{
	return 0.3 * sin(2 * x);
}

/* A sixth of the observations are slowed by up to 25. */
TEST(disturbed_runs_do_not_bend_the_surface)
{
	enum { N = 120 };
	struct gp_design d = line;
	double z[N], y[N], worst = 0;
	uint64_t seed = 5;
	const struct gp_data data = {.n = N, .z = z, .y = y};
	FREED(gaussian_process) *gp = NULL;

	d.noise_prior = 0.03;
	for (size_t i = 0; i < N; i++) {
		z[i] = uniform_draw(&seed, 0, 5);
		y[i] = wave(z[i]) + uniform_draw(&seed, -0.02, 0.02);
		if (i % 6 == 0)
			y[i] += log(uniform_draw(&seed, 1.5, 25));
	}
	must(gaussian_process_fit(&d, &data, &exact, &gp, &err));
	for (double x = 0.1; x < 4.9; x += 0.1)
		worst = fmax(worst, fabs(gaussian_process_mean(gp, &x, NULL, NULL) - wave(x)));
	assert_true(worst < 0.03);
	/* and the noise is that of the calm runs: uniform of half width 0.02 has deviation 0.0115
	 */
	check_rel(exp(gaussian_process_hyper(gp)->log_noise), 0.0115, 0.35);
}

TEST(more_data_than_wanted_give_a_subset_that_the_seed_decides)
{
	HEAP struct sample *s = zeroed(1, sizeof *s);
	struct gp_options o = {.max_points = 50, .max_tuning_points = 30, .seed = 9};
	const double z[3] = {1, 0, 1}, factor = 0.5;
	FREED(gaussian_process) *a = NULL, *b = NULL;
	const size_t *kept;

	make_sample(s, 400, 2);
	must(gaussian_process_fit(&rich, &s->data, &o, &a, &err));
	must(gaussian_process_fit(&rich, &s->data, &o, &b, &err));
	assert_int_equal(gaussian_process_n_kept(a), 50);
	kept = a->kept;
	for (size_t i = 1; i < 50; i++)
		assert_true(kept[i - 1] < kept[i] && kept[i] < 400);
	check_abs(gaussian_process_mean(a, z, &factor, NULL),
		  gaussian_process_mean(b, z, &factor, NULL), 0);
}

TEST(a_stored_process_predicts_the_same_bits)
{
	HEAP struct sample *s = zeroed(1, sizeof *s);
	RELEASED(kb_fit) fit = {.n_param = 0};
	struct gaussian_process *gp = NULL, *back = NULL;

	make_sample(s, 100, 4);
	must(gaussian_process_fit(&rich, &s->data, &exact, &gp, &err));
	must(kb_fit_add(&fit, "other", 1, NAN, "", "of somebody else", &err));
	must(gaussian_process_store(gp, "gp", &fit, &err));
	must(gaussian_process_load(&fit, "gp", &back, &err));
	for (size_t i = 0; i < 100; i++) {
		const double *z = s->z + 3 * i, *f = s->factor + i;

		assert_true(gaussian_process_mean(gp, z, f, NULL) ==
			    gaussian_process_mean(back, z, f, NULL));
		assert_true(epistemic_sd_at(gp, z, f) == epistemic_sd_at(back, z, f));
	}
	gaussian_process_free(back);
	/* one number short */
	fit.n_param--;
	must_fail(gaussian_process_load(&fit, "gp", &back, &err), ERR_NOTMINED, "gp_factor_594");
	fit.n_param++;
	gaussian_process_free(gp);
}

/* What is a count, an index or a set of inputs, stored with its largest value and one more. */
TEST(numbers_that_no_process_has_are_refused)
{
	static const struct {
		const char *name;
		double most; /* NaN: another number then lacks */
	} row[] = {
		{"gp_n_0", 100000},
		{"gp_inputs_0", GP_MAX_INPUTS},
		{"gp_factors_0", GP_MAX_FACTORS},
		{"gp_parts_0", GP_MAX_PARTS},
		{"gp_categorical_0", (1 << GP_MAX_INPUTS) - 1},
		{"gp_shape_0", 1},
		{"gp_part_inputs_0", (1 << GP_MAX_INPUTS) - 1},
		{"gp_part_factor_0", -1},
	};
	struct gaussian_process *gp = three_points(), *back = NULL;
	RELEASED(kb_fit) fit = {.n_param = 0};
	struct err e = {0};

	check_ok(gaussian_process_store(gp, "gp", &fit, &e), &e);
	for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
		const double wrong[] = {row[k].most + 1, -2, 0.5, (double)NAN};
		struct kb_param *p = fit.param;
		double was;

		while (p < fit.param + fit.n_param && strcmp(p->name, row[k].name) != 0)
			p++;
		assert_true(p < fit.param + fit.n_param);
		was = p->value;
		for (size_t i = 0; i < 4; i++) {
			p->value = wrong[i];
			check_error(gaussian_process_load(&fit, "gp", &back, &e), &e, ERR_NOTMINED,
				    "the fit has ");
			assert_non_null(strstr(e.msg, row[k].name));
			assert_null(back);
		}
		/* the largest is one, although this process has not all that goes with it */
		p->value = row[k].most;
		e = (struct err){0};
		if (gaussian_process_load(&fit, "gp", &back, &e))
			assert_non_null(strstr(e.msg, "the fit lacks "));
		gaussian_process_free(back);
		back = NULL;
		p->value = was;
	}
	check_ok(gaussian_process_load(&fit, "gp", &back, &e), &e);
	gaussian_process_free(back);
	gaussian_process_free(gp);
}

TEST(no_data_and_one_observation_are_no_trouble)
{
	const double z = 2, y = 0.5;
	struct gp_data data = {.n = 0, .z = &z, .y = &y};
	FREED(gaussian_process) *gp = NULL;
	double at;

	assert_int_equal(gaussian_process_fit(&line, &data, &exact, &gp, &err), ERR_NODATA);
	data.n = 1;
	must(gaussian_process_fit(&line, &data, &exact, &gp, &err));
	at = gaussian_process_mean(gp, &z, NULL, NULL);
	assert_true(at > 0 && at < y);
}

TEST_GROUP(mining_set_up, NULL)
