#ifndef INGEST_REFUSAL_H
#define INGEST_REFUSAL_H
#include <stdbool.h>
#include <stddef.h>
#include "base/strbuf.h"

/* Why a row was refused. */
struct refusal {
	const char *column;   /* header or field; "" where the whole row is meant */
	const char *value;    /* the cell; "" */
	struct strbuf kind;   /* "mk: not a whole number": without the value, to count by */
	bool ends_import;     /* other rows may have been misread as well */
	struct strbuf reason; /* "'ten' is not a whole number" */
};

/* Begin one; kind may be NULL (then put it into r->kind). The reason is put into r->reason. */
void refusal_begin(struct refusal *r, const char *column, const char *value, const char *kind);
void refusal_release(struct refusal *r);

#endif
