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

#endif
