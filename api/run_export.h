#ifndef API_RUN_EXPORT_H
#define API_RUN_EXPORT_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"
#include "kb/kb.h"

/* Runs in the forms that other programs read. What they have no word for (derived columns, import,
 * flag) is left out; `lemnos ingest` reads both forms back as the same runs. Excluded runs are left
 * out whatever the filter says: neither form can say that they are. */
enum run_export_form {
	/* JSON Lines of Extra-P: a run a line, its columns that vary and are numbers as params.
	 * Runs that failed or met a limit have no time to model: they are left out and counted. */
	RUN_EXPORT_EXTRAP,
	/* T4 (Open Autotuning Results Schema 1.0.0): repeats that follow each other as one result.
	 */
	RUN_EXPORT_T4
};

struct run_export_sink {
	bool (*put)(void *arg, const char *text); /* false: stop, quietly */
	void *arg;
};

struct run_export_count {
	size_t n_runs;	  /* exported */
	size_t n_no_time; /* left out: failed or met a limit */
};

/* f may be NULL. Errors: those of kb_walk_runs(), NOMEM. */
enum err_code run_export(struct kb *kb, const struct application *a, const struct kb_filter *f,
			 enum run_export_form form, const struct run_export_sink *sink,
			 struct run_export_count *out, struct err *e);

#endif
