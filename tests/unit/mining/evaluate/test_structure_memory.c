#include "tests/support/failing_allocations.h"
#include "tests/support/check.h"

#include "mining/evaluate/model_compare.h"
#include "mining/numerics/mining_init.h"
#include "mining/structure/analytic_mean.h"
#include "mining/structure/structure_choice.h"
#include "tests/support/synthetic_runs.h"

/* Structural parts and the choice among them on few runs: without memory there is an error and
 * nothing is handed out; whoever wants to stop is heard at each question. */

static struct synthetic world;
static struct dataset
	*runs; /* on one and two processors, few enough to be fitted hundreds of times */
static struct config_table *table;
static struct fit_input in;

static int set_up(void **state)
{
	struct dataset *all;
	unsigned char *keep;

	mining_init();
	if (synthetic_open(&world))
		return -1;
	all = synthetic_runs(&world, 2, 1, 0.02, 0, 3);
	assert_non_null(all);
	keep = zeroed(all->n, 1);
	for (size_t i = 0; i < all->n; i++) {
		all->source[i] = SOURCE_MEASURED;
		keep[i] = i % 5 == 0;
	}
	must(dataset_subset(all, keep, &runs, &err));
	must(config_table_make(runs, &table, &err));
	in = (struct fit_input){
		.runs = runs, .machine = &world.machine, .segment = world.segment, .n_segment = 1};
	free(keep);
	dataset_free(all);
	return 0;
}

static int tear_down(void **state)
{
	config_table_free(table);
	dataset_free(runs);
	synthetic_close(&world);
	return 0;
}

/* ---- without memory ---- */

static void release(const struct predictor_kind *kind, void *state)
{
	if (state)
		kind->free(state);
}

/* Fit, store, load and move to another machine. */
static enum err_code all_of_a_kind(const struct predictor_kind *kind, struct err *e)
{
	const struct machine other = {
		.name = (char *)(uintptr_t) "other", .segment = world.segment, .n_segment = 1};
	void *fitted = NULL, *loaded = NULL, *moved = NULL;
	RELEASED(kb_fit) stored = {0};
	enum err_code rc;

	if (!(rc = kind->fit(table, &in, NULL, &fitted, e)) &&
	    !(rc = kind->store(fitted, &stored, e)) &&
	    !(rc = kind->load(&stored, world.app, &loaded, e)))
		rc = kind->transfer(loaded, &other, 2, &moved, e);
	assert_true(rc || moved);
	release(kind, fitted);
	release(kind, loaded);
	release(kind, moved);
	return rc;
}

TEST(the_formula_is_fitted_or_there_is_no_memory)
{
	failing_each_place_repeated(all_of_a_kind(&predictor_kind_wavefront, &err), &err);
}

TEST(the_hybrid_is_fitted_or_there_is_no_memory)
{
	failing_each_place_repeated_tolerated(all_of_a_kind(&predictor_kind_hybrid, &err), &err);
}

static enum err_code compare(const struct fit_input *asked, struct err *e)
{
	RELEASED(model_comparison) found = {0};
	enum err_code rc = model_compare(asked, NULL, HOLDOUT_CONFIGS, &found, e);

	assert_int_equal(found.n > 0, rc == ERR_OK);
	assert_int_equal(found.score != NULL, rc == ERR_OK);
	return rc;
}

TEST(models_are_compared_or_there_is_no_memory)
{
	failing_each_place_repeated(compare(&in, &err), &err);
}

/* ---- stopping ---- */

struct patience {
	long left;
	long n_asked;
};

static bool step(void *arg, const char *what, uint64_t done, uint64_t total)
{
	struct patience *p = arg;

	p->n_asked++;
	return p->left-- > 0;
}

static enum err_code choose(const struct fit_input *asked, struct err *e)
{
	struct structure_choice found = {.n = 77};
	void *formula = NULL;
	enum err_code rc = predictor_kind_wavefront.fit(table, asked, NULL, &formula, e);

	if (!rc)
		rc = structure_choose(table, asked, formula, &found, e);
	assert_int_equal(found.n == 77, rc != ERR_OK);
	release(&predictor_kind_wavefront, formula);
	return rc;
}

static enum err_code fit_hybrid(const struct fit_input *asked, struct err *e)
{
	void *fitted = NULL;
	enum err_code rc = predictor_kind_hybrid.fit(table, asked, NULL, &fitted, e);

	assert_int_equal(fitted != NULL, rc == ERR_OK);
	release(&predictor_kind_hybrid, fitted);
	return rc;
}

/* No for an answer ends the work there and then: nobody is asked again. */
static void check_stops(enum err_code (*work)(const struct fit_input *asked, struct err *e))
{
	struct patience p = {.left = 1000000000};
	struct progress progress = {step, &p};
	struct fit_input asked = in;
	long n_all;

	asked.progress = &progress;
	must(work(&asked, &err));
	n_all = p.n_asked;
	assert_true(n_all > 0);
	for (long n = 0; n < n_all; n += 1 + n / 8) {
		p = (struct patience){.left = n};
		must_fail(work(&asked, &err), ERR_INTERRUPTED, "interrupted");
		assert_int_equal(p.n_asked, n + 1);
	}
}

TEST(a_comparison_stops_when_told)
{
	check_stops(compare);
}

TEST(a_choice_stops_when_told)
{
	check_stops(choose);
}

TEST(a_hybrid_stops_when_told)
{
	check_stops(fit_hybrid);
}

TEST_GROUP(set_up, tear_down)
