#ifndef SUPPORT_SHARED_RUNS_H
#define SUPPORT_SHARED_RUNS_H
#include "tests/support/shared_app.h"

#include "domain/dataset.h"

/* The runs of all tests of a file, of `app`: TEST_GROUP(set_up, free_runs). */
static struct dataset *runs;

static inline int free_runs(void **state)
{
	dataset_free(runs);
	return free_app(state);
}

#endif
