#include <math.h>

#include "acquire/address_trace.h"
#include "acquire/ted_private.h"

static enum err_code check_recorded(const struct task_description *t, const double *asked,
				    struct err *e)
{
	for (int v = 0; v < TASK_REPEATS; v++) {
		double recorded = t->trace.recorded[v];

		if (!isnan(recorded) && !isnan(asked[v]) && asked[v] != recorded)
			return err_set(e, ERR_ARG,
				       "%s: the trace was recorded with %s = %g, and says nothing "
				       "about %g",
				       t->name, task_variable_name((enum task_variable)v), recorded,
				       asked[v]);
	}
	return ERR_OK;
}

static enum err_code replay(const struct task_description *t, const char *path,
			    struct memory_hierarchy *m, const struct progress *p, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (int64_t pass = 0; pass <= t->trace.warm_passes && !rc; pass++) {
		memory_hierarchy_clear_counts(m);
		rc = address_trace_replay(path, m, p, e);
	}
	return rc;
}

enum err_code ted_trace(const struct task_description *t, const double *asked,
			const struct ted_options *o, struct ted_result *out, struct err *e)
{
	struct memory_hierarchy *m = NULL;
	struct strbuf path = STRBUF_INIT;
	enum err_code rc;

	ted_path(t, t->trace.file, &path);
	rc = path.failed ? err_set(e, ERR_NOMEM, "a path") : check_recorded(t, asked, e);
	if (!rc && !(rc = memory_hierarchy_new(&t->memory, &m, e)) &&
	    !(rc = replay(t, path.buf, m, o->progress, e))) {
		ted_take_counts(memory_hierarchy_counts(m), t, t->trace.cell_angles, out);
		strbuf_printf(&out->evidence, "the trace %s through the caches described",
			      t->trace.file);
	}
	memory_hierarchy_free(m);
	strbuf_release(&path);
	return rc;
}
