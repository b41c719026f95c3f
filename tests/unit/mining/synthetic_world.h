#ifndef TESTS_MINING_SYNTHETIC_WORLD_H
#define TESTS_MINING_SYNTHETIC_WORLD_H
#include "tests/support/check.h"
#include "tests/support/synthetic_runs.h"

#include "domain/configuration.h"
#include "mining/numerics/mining_init.h"
#include "mining/predictor/predictor.h"

FREEABLE(predictor)

/* One synthetic Sweep3D for all tests of a file, with TEST_GROUP(open_synthetic, close_synthetic)
 * or a set-up of the file's own. */
static struct synthetic world;

static inline int open_synthetic(void **state)
{
	mining_init();
	return synthetic_open(&world);
}

static inline int close_synthetic(void **state)
{
	synthetic_close(&world);
	return 0;
}

static inline struct fit_input input_of(const struct dataset *runs)
{
	return (struct fit_input){
		.runs = runs, .machine = &world.machine, .segment = world.segment, .n_segment = 1};
}

static inline struct predictor *fit(const char *name, const struct dataset *runs)
{
	const struct fit_input in = input_of(runs);
	struct predictor *p = NULL;

	must(predictor_fit(name, &in, &p, &err));
	return p;
}

static inline double predicted_s(const struct predictor *p, const double *row)
{
	struct prediction at;

	predictor_predict(p, row, 1, &at);
	return at.time_s;
}

#endif
