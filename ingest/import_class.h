#ifndef INGEST_IMPORT_CLASS_H
#define INGEST_IMPORT_CLASS_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "ingest/ingest.h"
#include "ingest/text_table.h"

/* The application class of an import: named by flag, by the app column, by the base's default, the
 * only one there is; or made from flags. */
struct import_class {
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

/* Errors: NOTFOUND (no such class: says what to type to make one from this table; or several and
 * none chosen), ARG (flags that make a class which has a definition), KB. */
enum err_code import_class_find(const struct table_at_hand *at, struct import_class *out,
				struct err *e);
/* The table does not fit a class that was assumed, for this reason: the error that says so and what
 * to type if it is of another class (PARSE). */
enum err_code import_class_doubt(const struct table_at_hand *at, const struct import_class *class,
				 const char *why, struct err *e);
/* Bring a class made from flags into the base. Inside kb_begin(). */
enum err_code import_class_store(struct kb *kb, struct import_class *c, struct err *e);
void import_class_release(struct import_class *c);

#endif
