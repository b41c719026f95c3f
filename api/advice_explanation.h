#ifndef API_ADVICE_EXPLANATION_H
#define API_ADVICE_EXPLANATION_H
#include "api/advice_record.h"
#include "api/advice_replay.h"
#include "api/job_sync.h"
#include "api/outcome_record.h"

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

#endif
