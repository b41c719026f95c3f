#ifndef INGEST_REJECT_LOG_H
#define INGEST_REJECT_LOG_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "ingest/ingest.h"
#include "ingest/text_table.h"

/* Why a row was refused. */
struct reject {
	const char *column;   /* header or field; "" where the whole row is meant */
	const char *value;    /* the cell; "" */
	struct strbuf kind;   /* "mk: not a whole number": without the value, to count by */
	bool ends_import;     /* other rows may have been misread as well */
	struct strbuf reason; /* "'ten' is not a whole number" */
};

/* Begin one; kind may be NULL (then put it into r->kind). The reason is put into r->reason. */
void reject_begin(struct reject *r, const char *column, const char *value, const char *kind);
void reject_release(struct reject *r);

/* The refused rows of one import: counted by reason, and written to a CSV file (line, column,
 * value, reason, record: the record as it stands in the input). */
struct reject_log;

/* path: the file, NULL for none. Nothing is written over the input or the knowledge base. Errors:
 * ARG (that), IO, NOMEM. */
enum err_code reject_log_open(const char *path, const char *input, const char *kb_path,
			      struct reject_log **out, struct err *e);
enum err_code reject_log_add(struct reject_log *l, const struct table_record *rec,
			     const struct reject *why, struct err *e);
/* All rows were read: the file is on disk and has its name; until then an import must not be kept.
 * Without this nothing has changed under the name. Errors: IO. */
enum err_code reject_log_commit(struct reject_log *l, struct err *e);
/* "FILE:12: mk: 'ten' is not a whole number": the first one; "" if there is none. */
const char *reject_log_first(const struct reject_log *l);
/* Hand the counts over, most frequent first. */
void reject_log_take_reasons(struct reject_log *l, struct ingest_reason **reason, size_t *n);
void reject_log_free(struct reject_log *l);

#endif
