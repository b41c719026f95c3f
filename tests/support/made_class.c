#include "tests/support/made_class.h"

struct application *made_class(const char *name, const char *const *problem,
			       const char *const *tunable, const char *const *categorical,
			       struct err *e)
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
	struct application *app = NULL;

	if (!application_ad_hoc_text(&spec, &text, e))
		application_parse(strbuf_text(&text), name, &app, e);
	strbuf_release(&text);
	return app;
}
