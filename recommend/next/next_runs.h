#ifndef RECOMMEND_NEXT_RUNS_H
#define RECOMMEND_NEXT_RUNS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "mining/numerics/value_of_information.h"
#include "recommend/space/recommend.h"

/* The runs that would teach most: whose outcome would most reduce the chance of a wrong decision.
 *
 * To be decided is which candidate (candidate_points.h) to submit, or that none will do. Right is
 * what would be chosen if the typical times of all were known: what meets the deadline with the
 * confidence then and is best by the objective, or costs at most 5 % more. The chance of a wrong
 * decision is that of whoever decides for what is most probably right.
 *
 * Runs are chosen one after another, each in view of those before, whose outcomes are not known
 * yet: of those that gain at least a quarter as much as the best one, the run that gains most per
 * node-hour. A gain is what the chance of a wrong decision falls by, and its Brier score, without
 * which a pair of runs that help only together would never be begun. (Knowledge gradient, see
 * mining/numerics/value_of_information.h, by cost as in Snoek, Larochelle and Adams, "Practical
 * Bayesian optimization of machine learning algorithms", NIPS 2012, 3.2; the quarter keeps runs
 * that cost and teach next to nothing from filling the list: a choice of ours.) So whoever makes
 * only the first few has made the best use of them. A run may be named again where its noise makes
 * a repeat worth it. */

struct next_run {
	double *row; /* n_columns */
	struct prediction at;
	double lo_s, hi_s;	  /* central interval at the request's confidence */
	double nodes, node_hours; /* no_nodes: see configuration_hours_name() */
	bool no_nodes;
	/* "recommended", "contender", ..., see struct choice and candidate_points.h */
	const char *kind;
	double right; /* the probability that it is what to submit, as is known now; NaN: it is no
		       * candidate */
	struct expectation before, after; /* given those listed above it */
};

struct next_runs {
	struct next_run *run; /* in this order; may be fewer than asked for */
	size_t n;
	size_t n_candidate_set; /* the recommendation among them; 0: nothing to decide */
	double wrong;		/* now */
	/* Probability that what was answered is right: 1 - wrong, unless something else is more
	 * probably right, but does not meet the deadline with the confidence as far as is known. */
	double answer_right;
	bool safe; /* wrong is below SAFE_CHANCE: no run would change the answer */
};

/* A decision that is wrong less often needs no test run. */
#define SAFE_CHANCE 0.01

enum { MAX_NEXT_RUNS = 20 };

/* a: the answer to q. n: 1 to MAX_NEXT_RUNS. Errors: NOMEM, INTERRUPTED, ARG. */
enum err_code next_runs_find(const struct advice_request *q, const struct advice *a, size_t n,
			     struct next_runs *out, struct err *e);
void next_runs_release(struct next_runs *r);

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
