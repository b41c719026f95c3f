#ifndef SUPPORT_MADE_CLASS_H
#define SUPPORT_MADE_CLASS_H
#include "tests/support/check.h"

#include "domain/application.h"

/* A class as flags at import make it: the problem columns, the tunables (those that are categorical
 * as well hold text), the resource procs and the target time [s]. Lists end with NULL, categorical
 * may be NULL. */
static inline struct application *made_class(const char *name, const char *const *problem,
					     const char *const *tunable,
					     const char *const *categorical)
{
	static const char *const procs[] = {"procs", NULL};
	const struct ad_hoc spec = {.name = name,
				    .target = "time",
				    .target_unit_s = 1,
				    .problem = problem,
				    .tunable = tunable,
				    .categorical = categorical,
				    .resource_column = procs,
				    .resource_field = procs};
	struct strbuf text = STRBUF_INIT;
	struct application *a = NULL;

	must(application_ad_hoc_text(&spec, &text, &err));
	must(application_parse(strbuf_text(&text), name, &a, &err));
	strbuf_release(&text);
	return a;
}

#endif
