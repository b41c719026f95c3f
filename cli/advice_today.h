#ifndef CLI_ADVICE_TODAY_H
#define CLI_ADVICE_TODAY_H
#include <stdbool.h>
#include "base/err.h"
#include "cli/stored_advice.h"

/* A remembered question, asked again of the base as it is now. */
struct advice_today {
	/* Nothing that the answer rests on has changed, so it would be the same. */
	bool current;
	/* What has changed since (json of advice_changes.h); NULL while nothing is known of it,
	 * because class or machine are gone. */
	struct json_t *since;
	struct json_t *answer; /* NULL: current, or there is none */
	char no_answer[1024];  /* why there is none; "": there is one */
};

/* Errors: those of the base and the system. That the question has no answer any more is none. */
enum err_code advice_today_find(struct context *c, const struct stored_advice *s,
				struct advice_today *out, struct err *e);
void advice_today_release(struct advice_today *t);

#endif
