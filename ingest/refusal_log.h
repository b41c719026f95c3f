#ifndef INGEST_REFUSAL_LOG_H
#define INGEST_REFUSAL_LOG_H
#include "base/err.h"
#include "ingest/ingest.h"
#include "ingest/refusal.h"
#include "ingest/text_table.h"

/* The refused rows of one import: counted by reason, and written to a CSV file (line, column,
 * value, reason, record: the record as it stands in the input). */
struct refusal_log;

/* path: the file, NULL for none. Nothing is written over the input or the knowledge base. Errors:
 * ARG (that), IO, NOMEM. */
enum err_code refusal_log_open(const char *path, const char *input, const char *kb_path,
			       struct refusal_log **out, struct err *e);
enum err_code refusal_log_add(struct refusal_log *l, const struct table_record *rec,
			      const struct refusal *why, struct err *e);
/* Bring the file to the disk; until then an import must not be kept. Errors: IO. */
enum err_code refusal_log_flush(struct refusal_log *l, struct err *e);
/* "FILE:12: mk: 'ten' is not a whole number": the first one; "" if there is none. */
const char *refusal_log_first(const struct refusal_log *l);
/* Hand the counts over, most frequent first. */
void refusal_log_take_reasons(struct refusal_log *l, struct ingest_reason **reason, size_t *n);
void refusal_log_free(struct refusal_log *l);

#endif
