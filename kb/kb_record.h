#ifndef KB_KB_RECORD_H
#define KB_KB_RECORD_H
#include <stddef.h>
#include <stdint.h>
#include "base/digest.h"
#include "kb/kb_sql.h"

/* Digests of what was mined, over the values as SQLite keeps them: alike on every machine that
 * reads the file, and other after any change of it. */

void content_put_integer(struct digest *d, int64_t value);
void content_put_real(struct digest *d, double value);	   /* all NaNs are one, -0 is 0 */
void content_put_text(struct digest *d, const char *text); /* NULL is not "" */

/* Is what was read what was mined? stored NULL: from before there were digests, so nobody
 * knows. what: "the predictor", begins the message. Errors: DAMAGED. */
enum err_code content_check(struct digest *d, const char *stored, const char *what, struct err *e);

/* Plain structs as rows of a table of knowledge. Which field goes to which column is data, so that
 * writing, reading and comparing cannot disagree about it. */

enum record_type {
	RECORD_TEXT,	      /* char *, owned; NULL is stored as '' and comes back as "" */
	RECORD_OPTIONAL,      /* char *, owned; NULL stays NULL */
	RECORD_INTEGER,	      /* int64_t */
	RECORD_REAL,	      /* double; NaN is NULL */
	RECORD_FLAG,	      /* bool: 0 or 1 */
	RECORD_RULE_ID,	      /* char[RULE_ID_SIZE] */
	RECORD_RULE_ID_MAYBE, /* the same; "" is NULL */
	RECORD_RULE_KIND,     /* enum rule_kind: its name */
};

struct record_field {
	const char *column;
	enum record_type type;
	size_t offset; /* in the struct */
};

struct record_table {
	const char *name;
	bool single; /* one row for a rule set; else any number, told apart by column "position" */
	size_t size; /* of the struct */
	const struct record_field *field;
	size_t n_fields;
};
#define RECORD_FIELDS(array) .field = (array), .n_fields = sizeof(array) / sizeof((array)[0])

/* Append rows[0..n-1] of a rule set, which has none of this table yet. */
enum err_code record_put(struct kb *kb, const struct record_table *t, int64_t rule_set_id,
			 const void *rows, size_t n, struct err *e);
/* All rows of a rule set, in their order: (*rows)[*n], the caller's with their texts; fields that
 * the table does not have are zero. No rows: NULL. */
enum err_code record_get(struct kb *kb, const struct record_table *t, int64_t rule_set_id,
			 void **rows, size_t *n, struct err *e);
/* *same: is exactly rows[0..n-1] what the rule set has there? Unchanged while it is so: start with
 * true and ask for one table after the other. */
enum err_code record_compare(struct kb *kb, const struct record_table *t, int64_t rule_set_id,
			     const void *rows, size_t n, bool *same, struct err *e);
/* Add them to a digest: read back, they are the same. */
void record_digest(const struct record_table *t, const void *rows, size_t n, struct digest *d);

#endif
