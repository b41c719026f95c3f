#ifndef INGEST_IMPORT_CLASS_H
#define INGEST_IMPORT_CLASS_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/application.h"
#include "ingest/ingest.h"
#include "ingest/text_table.h"

/* The application class of an import: named by flag, by the app column, by the base's default, the
 * only one there is; or made from flags. */
struct import_class {
	struct application *app;
	int64_t id; /* 0: not in the knowledge base yet */
};

/* app_cell: what the app column of the first row says; NULL: nothing. Errors: NOTFOUND (no such
 * class: says what to type to make one from this table; or several and none chosen), ARG (flags
 * that make a class which has a definition), KB. */
enum err_code import_class_find(struct kb *kb, const struct ingest_options *o,
				const struct text_table *t, const char *app_cell,
				struct import_class *out, struct err *e);
/* Bring a class made from flags into the base. Inside kb_begin(). */
enum err_code import_class_store(struct kb *kb, struct import_class *c, struct err *e);
void import_class_release(struct import_class *c);

#endif
