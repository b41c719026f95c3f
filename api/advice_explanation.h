#ifndef API_ADVICE_EXPLANATION_H
#define API_ADVICE_EXPLANATION_H
#include <stdbool.h>
#include "api/advice_diff.h"
#include "api/advice_record.h"
#include "api/job_sync.h"
#include "base/err.h"

/* A remembered question, asked again of the base as it is now. */
struct advice_replay {
	/* Nothing that the answer rests on has changed, so it would be the same. */
	bool current;
	/* Changes since; not known where application or machine are gone. */
	bool since_known;
	struct advice_diff since;
	struct json_t *answer; /* NULL: current, or there is none */
	struct answer told;    /* the same as data; borrows the record's application */
	char no_answer[1024];  /* why there is none; "": there is one */
};

/* All that can be told about a remembered recommendation: the answer as it was given, what
 * happened, and how the same question would be answered today. */
struct advice_explanation {
	struct advice_record advice;
	struct outcome_record record;
	struct job_reports jobs; /* that were submitted for it */
	struct advice_replay today;
};

/* id: what advice_answer_find() made, or its first digits (4 or more);
 * NULL: the answer that was given last. Errors: NOTFOUND, USAGE
 * (fits several), INTERRUPTED, those of kb. */
enum err_code advice_explanation_find(struct session *session, const char *id,
				      struct advice_explanation *out, struct err *e);
void advice_explanation_release(struct advice_explanation *x);

/* Parts in which today's answer differs from that of then, at the precision at which people read
 * it. */
enum advice_aspect {
	ASPECT_FEASIBLE,
	ASPECT_CONFIGURATION,
	ASPECT_TIME,
	ASPECT_P_MEET,
	ASPECT_COUNT
};
/* 1 << aspect of all that differs; 0: nothing, or there is no answer today. */
unsigned advice_explanation_differences(const struct advice_explanation *x);

/* {"format_version", "id", "given_at", "snapshot", "current", "answer", "outcome", "today",
 * "jobs"}: what `explain --format json` prints; "jobs" only where there are some. Errors: NOMEM;
 * *out is NULL then. */
enum err_code advice_explanation_json(const struct advice_explanation *x, struct json_t **out,
				      struct err *e);

#endif
