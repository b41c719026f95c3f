#ifndef CLI_PROMISE_RECORD_H
#define CLI_PROMISE_RECORD_H
#include "base/err.h"
#include "cli/stored_advice.h"
#include "mining/promise.h"

/* What a remembered recommendation promised and what happened. */
struct promise_record {
	struct promise promise; /* all NaN where nothing was recommended */
	struct kb_outcomes runs;
	struct promise_outcome outcome;
};

/* Errors: NOMEM, those of kb. */
enum err_code promise_record_find(struct context *c, const struct stored_advice *s,
				  struct promise_record *out, struct err *e);
void promise_record_release(struct promise_record *r);

#endif
