#ifndef API_OUTCOME_RECORD_H
#define API_OUTCOME_RECORD_H
#include "base/err.h"
#include "api/advice_record.h"
#include "mining/evaluate/reliability.h"

/* What a remembered recommendation promised and what happened. */
struct outcome_record {
	struct reliability promise; /* all NaN where nothing was recommended */
	struct kb_outcomes runs;
	struct reliability_outcome outcome;
};

/* Errors: NOMEM, those of kb. */
enum err_code outcome_record_find(struct session *session, const struct advice_record *s,
				  struct outcome_record *out, struct err *e);
void outcome_record_release(struct outcome_record *r);

#endif
