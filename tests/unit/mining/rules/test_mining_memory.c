#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/terms_application.h"

#include "mining/rules/mine_rules.h"
#include "mining/predictor/predictor.h"
#include "mining/training/predictor_kind.h"
#include "tests/support/planted.h"
#include "tests/support/mining_set_up.h"

FREEABLE(config_table)
FREEABLE(predictor)

/* Rules and predictors without memory, in whole: an error that says so, nothing half made, no leak.
 */

/* Whoever goes on without memory must have found the same. */
static enum err_code mine_again(const struct dataset *runs, struct err *e)
{
	static size_t n_rules;
	RELEASED(mined) m = {.rules = {.n = 0}};
	const enum err_code rc = mine_rules(runs, NULL, "m", NULL, NULL, &m, e);

	if (rc) {
		assert_int_equal(m.rules.n, 0);
	} else {
		assert_true(n_rules == 0 || m.rules.n == n_rules);
		n_rules = m.rules.n;
	}
	return rc;
}

TEST(no_rules_are_mined_without_memory)
{
	static const struct planted_design small = {.seed = 4,
						    .n_rules = 1,
						    .n_problems = 3,
						    .n_per_case = 5,
						    .min_factor = 2,
						    .max_factor = 2,
						    .noise = 0.02};
	RELEASED(planted) p = {0};

	assert_int_equal(planted_make(&small, &p), 0);
	failing_each_place_repeated(mine_again(p.runs, &err), &err);
}

/* Fit, keep as numbers, and take from them again. */
static enum err_code through_the_base(const char *name, const struct fit_input *in, struct err *e)
{
	FREED(predictor) *fitted = NULL, *loaded = NULL;
	RELEASED(kb_fit) stored = {0};
	enum err_code rc;

	if (!(rc = predictor_fit(name, in, &fitted, e)) &&
	    !(rc = predictor_store(fitted, &stored, e)))
		rc = predictor_load(&stored, in->runs->app, &loaded, e);
	assert_true(rc || loaded);
	return rc;
}

/* Those without a structural model: that of a sweep takes too long to be fitted so often, and `make
 * fault-sweep` does it. */
TEST(no_predictor_is_fitted_without_memory)
{
	FREED(application) *app = qr_application();
	FREED(dataset) *all = qr_runs(app, qr_power_law, 0.02), *some = NULL;
	unsigned char keep[QR_DESIGN_N];
	struct machine m = {.name = (char *)(uintptr_t) "m"};
	const char *name[PREDICTOR_KINDS];
	struct fit_input in = {.machine = &m};
	size_t n_kinds = predictor_names(app, name);

	for (int i = 0; i < QR_DESIGN_N; i++)
		keep[i] = i % 12 == 0;
	must(dataset_subset(all, keep, &some, &err));
	in.runs = some;
	for (size_t k = 0; k < n_kinds; k++)
		failing_each_place_repeated(through_the_base(name[k], &in, &err), &err);
}

/* Both fits of 36 runs, and the choice. */
static enum err_code choose(const struct config_table *t, const struct fit_input *in, struct err *e)
{
	void *fitted = NULL;
	enum err_code rc = predictor_kind_gaussian_process.fit(t, in, NULL, &fitted, e);

	assert_true(rc || fitted);
	if (!rc)
		predictor_kind_gaussian_process.free(fitted);
	return rc;
}

TEST(terms_are_chosen_or_there_is_no_memory)
{
	FREED(application) *a = terms_application_true();
	FREED(dataset) *d = terms_runs(a, 1, terms_time, 0.02);
	struct machine m = {.name = (char *)(uintptr_t) "m"};
	struct fit_input in = {.runs = d, .machine = &m};
	FREED(config_table) *t = NULL;

	must(config_table_make(d, &t, &err));
	failing_each_place_repeated(choose(t, &in, &err), &err);
}

TEST_GROUP(mining_set_up, NULL)
