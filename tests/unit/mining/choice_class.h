#ifndef CHOICE_CLASS_H
#define CHOICE_CLASS_H
/* Classes made from lists of names: problem columns, tunables (those that are also categorical
 * are text), processors. */
#include "tests/support/check.h"
#include "tests/support/made_class.h"

#include "domain/application.h"
#include "domain/configuration.h"
#include "domain/dataset.h"

/* A measured run that ended well, on machine 1. */
static inline void choice_add(struct dataset *d, const double *row, double wall_s)
{
	must(dataset_add(d, row, wall_s, (int64_t)d->n + 1, 1, SOURCE_MEASURED, RUN_OK, 1, &err));
}

#endif
