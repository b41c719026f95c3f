#ifndef RECOMMEND_SEARCH_H
#define RECOMMEND_SEARCH_H
#include <stdint.h>
#include "base/err.h"
#include "recommend/space/config_space.h"
#include "recommend/search/rank.h"
#include "recommend/search/predict_batch.h"
#include "recommend/search/rate_process.h"

/* Find the best configuration by every criterion in one walk over the space. A group is skipped if,
 * by the predictor's lower bound, none of its configurations can win anything: the answer is that
 * of the exhaustive search, for a small part of its predictions. */
struct search {
	const struct advice_request *request;
	struct config_space *space;
	struct winner winner[N_CRITERIA];
	struct frontier frontier;   /* empty unless the request wants it */
	struct tuning_bound *bound; /* NULL: tunings differ from group to group */
	struct correction_bound *corrections;
	double *least_s;		/* by tuning, of the group that is looked at */
	bool *passed_over;		/* by tuning: it cannot win */
	struct measured_times measured; /* where time is the objective */
	struct rate_process *rates;	/* of these; NULL: predictions rank what was not measured */
	struct predict_batch shortlist; /* of groups that can win, to be predicted together */
	uint64_t n_legal;
	struct left_out failed, at_risk; /* for what failed runs say: see failed_runs.h */
	uint64_t n_listed; /* on the shortlist so far; of these n_predicted were predicted */
	uint64_t n_predicted;
	uint64_t n_groups;
};
/* Rows that others ask about at a time. */
enum { SEARCH_BATCH = 64 };

/* Errors: INTERRUPTED, NOMEM, ARG. An empty space is none: no winner is set. */
enum err_code search_run(struct search *s, const struct advice_request *q,
			 struct config_space *space, struct err *e);
void search_release(struct search *s);

/* What the request's objective looks for. */
enum criterion search_objective(const struct advice_request *q);

/* What is predicted for one configuration, and how it ranks: row (complete; NULL: it was not
 * measured) by its own measured time where that is known. */
struct feasibility search_feasibility(const struct search *s, double nodes, const double *row,
				      const struct prediction *at);

/* The best that could be true of any configuration of a group. */
struct feasibility search_group_feasibility(const struct search *s, const struct group *g);

#endif
