#ifndef CLI_INGEST_SUMMARY_H
#define CLI_INGEST_SUMMARY_H
#include "api/import_runs.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* What `ingest` says: for people a paragraph after each file, with --format csv or json all of it
 * at the end. */
struct ingest_summary;

enum err_code ingest_summary_new(struct ingest_summary **out, struct err *e);
void ingest_summary_free(struct ingest_summary *s);
/* One file, whether it was taken (rc = ERR_OK) or not. */
void ingest_summary_add(struct ingest_summary *s, const struct context *c,
			const struct ingest_options *o, const struct ingest_result *r,
			enum err_code rc, const struct err *why);
/* Is any of the files in the base, by this command or an earlier one? */
bool ingest_summary_any_import(const struct ingest_summary *s);
enum err_code ingest_summary_print(const struct ingest_summary *s, const struct context *c,
				   bool dry_run, struct err *e);

#endif
