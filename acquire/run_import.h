#ifndef ACQUIRE_RUN_IMPORT_H
#define ACQUIRE_RUN_IMPORT_H
#include "domain/campaign_space.h"
#include "domain/dataset.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "ingest/ingest.h"

/* A run that ended on its way into the base: a table of one line, imported as a file would be, so
 * that the checks are those of every import. Begin with {0}. */
struct run_table {
	struct strbuf header, line;
	struct word_list map; /* NAME=extra */
};
void run_table_release(struct run_table *t);

/* The configuration, NaN: not known; the time [s], NaN: none; how it ended; which repeat. */
void run_table_put_run(struct run_table *t, const struct application *a, const double *row,
		       double time_s, enum run_status status, const char *repeat);
/* Something that is kept with the run and never used to predict; prefix and name make the column's
 * name. Errors: NOMEM. */
enum err_code run_table_put_extra(struct run_table *t, const char *prefix, const char *name,
				  const char *text, struct err *e);

struct run_import {
	const struct application *app;
	const char *machine;
	const char *origin; /* names the table in messages and in the list of imports */
	enum run_source source;
	const struct progress *progress; /* may be NULL */
	/* In the import's transaction: whoever asked for the run marks it as ended. */
	enum err_code (*also)(struct kb *kb, const struct ingest_result *r, void *arg,
			      struct err *e);
	void *also_arg;
};
/* Errors: those of ingest_file(). PARSE: the run is refused. */
enum err_code run_table_import(struct kb *kb, struct run_table *t, const struct run_import *about,
			       struct err *e);

#endif
