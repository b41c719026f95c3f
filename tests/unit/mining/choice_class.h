#ifndef CHOICE_CLASS_H
#define CHOICE_CLASS_H
/* Classes made from lists of names: problem columns, tunables (those that are also categorical
 * are text), processors. */
#include "tests/support/check.h"

#include "domain/application.h"
#include "domain/configuration.h"
#include "domain/dataset.h"

/* Lists end with NULL; categorical may be NULL. */
static inline struct application *
choice_class(const char *const *problem, const char *const *tunable, const char *const *categorical)
{
	static const char *const procs[] = {"procs", NULL};
	struct ad_hoc spec = {.name = "choices",
			      .target = "time",
			      .target_unit_s = 1,
			      .problem = problem,
			      .tunable = tunable,
			      .categorical = categorical,
			      .resource_column = procs,
			      .resource_field = procs};
	struct strbuf text = STRBUF_INIT;
	struct application *app = NULL;
	struct err e = {0};

	check_ok(application_ad_hoc_text(&spec, &text, &e), &e);
	check_ok(application_parse(strbuf_text(&text), "test", &app, &e), &e);
	strbuf_release(&text);
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
