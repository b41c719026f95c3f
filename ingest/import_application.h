#ifndef INGEST_IMPORT_APPLICATION_H
#define INGEST_IMPORT_APPLICATION_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "ingest/ingest.h"
#include "ingest/text_table.h"

/* The application of an import: named by flag, by the app column, by the base's default, the
 * only one there is; or made from flags. */
struct import_application {
	struct application *app;
	int64_t id;   /* 0: not in the knowledge base yet */
	bool assumed; /* nobody named it: the default, or the only one */
};

/* What there is to find it from. */
struct table_at_hand {
	struct kb *kb;
	const struct ingest_options *o;
	struct text_table *table;
	const struct table_record *first; /* its first row; raw NULL: it has none */
};

/* Errors: NOTFOUND (no such application: says what to type to make one from this table; or several
 * and none chosen), ARG (flags that make an application which has a definition), KB. */
enum err_code import_application_find(const struct table_at_hand *at,
				      struct import_application *out, struct err *e);
/* The table does not fit an application that was assumed, for this reason: the error that says so
 * and what to type if it is of another application (PARSE). */
enum err_code import_application_doubt(const struct table_at_hand *at,
				       const struct import_application *app, const char *why,
				       struct err *e);
/* Bring an application made from flags into the base. Inside kb_begin(). */
enum err_code import_application_store(struct kb *kb, struct import_application *c, struct err *e);
void import_application_release(struct import_application *c);

/* An application from flags, and what the table adds to it: parts of columns of sizes, counts of
 * nodes that nobody named, columns of words, and of those the ones that tell the time. */
struct ad_hoc_application {
	struct ad_hoc spec; /* its lists are the ones below, or those of the options */
	const char **problem, **named_tunable, **grid, **tunable;
	const char **categorical, **bytes, **resource_column, **resource_field;
	struct ad_hoc_sizes *sizes;
};

/* Of o->ad_hoc; o->map has nothing that splits columns. Columns of sizes of the table are split,
 * and it is read, so that its rows at hand are gone: it was hashed. A line is added to notes for
 * each column that a flag did not name so. *out: zeros before, and to be released in any case.
 * Errors: NOMEM, those of text_table_next(). */
enum err_code ad_hoc_application_complete(struct kb *kb, struct text_table *t,
					  const struct ingest_options *o,
					  struct ad_hoc_application *out, struct strbuf *notes,
					  struct err *e);
void ad_hoc_application_release(struct ad_hoc_application *c);

#endif
