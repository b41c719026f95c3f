#ifndef RECOMMEND_NEXT_REASON_H
#define RECOMMEND_NEXT_REASON_H
#include "base/strbuf.h"
#include "recommend/next/next_runs.h"
#include "recommend/space/recommend.h"

/* Why a run teaches, in sentences: what is new about it, how little is known of its time, what its
 * outcome decides, what it costs:
 *
 * "No run has tile = 24 (the nearest have 16 and 32). It is predicted to take 4m 10s, but 3m 20s to
 * 5m 30s is possible; with a chance of 23 % it would be right to submit it. It costs about 0.14
 * node-hours and takes the chance of a wrong decision from 40 % to 31 %." */
void next_run_put_reason(const struct advice_request *q, const struct next_run *r,
			 struct strbuf *out);

/* Has no run that ended well this value of a numeric column, which is to be chosen? below, above:
 * the nearest values that runs have; NaN: none. Also used for node counts. */
bool next_run_is_unseen(const struct advice_request *q, const struct next_run *r, size_t column,
			double *below, double *above);

#endif
