#ifndef SUPPORT_MADE_RUNS_H
#define SUPPORT_MADE_RUNS_H
/* Runs of a made application, on machine 1; their ids are their numbers, from 1. */
#include "tests/support/check.h"
#include "tests/support/made_application.h"

#include "domain/application.h"
#include "domain/configuration.h"
#include "domain/dataset.h"

FREEABLE(dataset)

static inline void runs_add_as(struct dataset *d, const double *row, double wall_s,
			       enum run_source source, enum run_status status)
{
	must(dataset_add(d, row, wall_s, (int64_t)d->n + 1, 1, source, status, 1, &err));
}

/* Measured, and ended well. */
static inline void runs_add(struct dataset *d, const double *row, double wall_s)
{
	runs_add_as(d, row, wall_s, SOURCE_MEASURED, RUN_OK);
}

#endif
