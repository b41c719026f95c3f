#ifndef CHOICE_CLASS_H
#define CHOICE_CLASS_H
/* Classes made from lists of names: problem columns, tunables (those that are also categorical
 * are text), processors. */
#include "tests/support/check.h"
#include "tests/support/made_class.h"

#include "domain/application.h"
#include "domain/configuration.h"
#include "domain/dataset.h"

/* Lists end with NULL; categorical may be NULL. */
static inline struct application *
choice_class(const char *const *problem, const char *const *tunable, const char *const *categorical)
{
	struct err e = {0};
	struct application *app = made_class("choices", problem, tunable, categorical, &e);

	check_ok(e.code, &e);
	return app;
}

/* A measured run that ended well, on machine 1. */
static inline void choice_add(struct dataset *d, const double *row, double wall_s)
{
	struct err e = {0};

	check_ok(dataset_add(d, row, wall_s, (int64_t)d->n + 1, 1, SOURCE_MEASURED, RUN_OK, 1, &e),
		 &e);
}

#endif
