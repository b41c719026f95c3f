#ifndef API_ADVICE_REPLAY_H
#define API_ADVICE_REPLAY_H
#include <stdbool.h>
#include "base/err.h"
#include "api/advice_diff.h"
#include "api/advice_record.h"

/* A remembered question, asked again of the base as it is now. */
struct advice_replay {
	/* Nothing that the answer rests on has changed, so it would be the same. */
	bool current;
	/* What has changed since; not known where class or machine are gone. */
	bool since_known;
	struct advice_diff since;
	struct json_t *answer; /* NULL: current, or there is none */
	struct answer told;    /* the same as data; borrows the record's application */
	char no_answer[1024];  /* why there is none; "": there is one */
};

/* Errors: those of the base and the system. That the question has no answer any more is none. */
enum err_code advice_replay_find(struct session *session, const struct advice_record *s,
				 struct advice_replay *out, struct err *e);
void advice_replay_release(struct advice_replay *t);

#endif
