#include "tests/support/check.h"

#include "api/fit_description.h"
#include "mining/numerics/mining_init.h"
#include "tests/support/synthetic_runs.h"

static struct synthetic world;
static struct kb_fit fit;

static int set_up(void **state)
{
	struct fit_input in = {0};
	struct predictor *p = NULL;

	mining_init();
	if (synthetic_open(&world))
		return -1;
	in = (struct fit_input){.runs = synthetic_runs(&world, 8, 1, 0.01, 0, 3),
				.machine = &world.machine,
				.segment = world.segment,
				.n_segment = 1};
	must(predictor_fit("wavefront", &in, &p, &err));
	must(predictor_store(p, &fit, &err));
	predictor_free(p);
	dataset_free((struct dataset *)in.runs);
	return 0;
}

static int tear_down(void **state)
{
	kb_fit_release(&fit);
	synthetic_close(&world);
	return 0;
}

static const struct fit_fact *find(const struct fit_description *d, const char *meaning)
{
	for (size_t i = 0; i < d->n_facts; i++) {
		if (!strcmp(d->fact[i].meaning, meaning))
			return &d->fact[i];
	}
	return NULL;
}

static const struct kb_param *param(const char *name)
{
	for (size_t k = 0; k < fit.n_param; k++) {
		if (!strcmp(fit.param[k].name, name))
			return &fit.param[k];
	}
	return NULL;
}

/* The normal quantile of 0.95 is 1.6449; a logarithm is told as what it is of. */
TEST(logarithms_are_told_as_what_they_are_of)
{
	RELEASED(fit_description) d = {0};
	const struct kb_param *log_wg = param("log_wg");
	const struct fit_fact *wg;

	must(fit_description_make(&fit, world.app, &d, &err));
	wg = find(&d, "time to compute one cell for one angle");
	assert_non_null(log_wg);
	assert_non_null(wg);
	assert_int_equal(wg->kind, FIT_SECONDS);
	check_rel(wg->value, exp(log_wg->value), 1e-12);
	check_rel(log(wg->hi / wg->value), 1.644853627 * log_wg->std_error, 1e-6);
	check_rel(log(wg->value / wg->lo), 1.644853627 * log_wg->std_error, 1e-6);
}

TEST(every_parameter_is_told_or_counted)
{
	RELEASED(fit_description) d = {0};
	size_t n_estimated = 0, n_told = 0;

	must(fit_description_make(&fit, world.app, &d, &err));
	assert_int_equal(d.n_facts + d.n_others, fit.n_param);
	/* whatever was estimated with an error has a meaning for people */
	for (size_t k = 0; k < fit.n_param; k++)
		n_estimated += isfinite(fit.param[k].std_error) ? 1 : 0;
	for (size_t i = 0; i < d.n_facts; i++)
		n_told += isfinite(d.fact[i].lo) ? 1 : 0;
	assert_true(n_estimated > 0);
	assert_int_equal(n_told, n_estimated);
}

TEST(fit_of_another_program_is_refused)
{
	char name[] = "tarot";
	struct kb_fit other = {.predictor = name};
	struct fit_description d = {.n_others = 77};

	must_fail(fit_description_make(&other, world.app, &d, &err), ERR_NOTMINED, "tarot");
	assert_int_equal(d.n_others, 77);
}

TEST_GROUP(set_up, tear_down)
