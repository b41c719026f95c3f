#ifndef RECOMMEND_DECIDE_H
#define RECOMMEND_DECIDE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/evaluate/baselines.h"
#include "recommend/search/rank.h"
#include "recommend/search/rate_process.h"
#include "mining/training/config_table.h"

/* The decision of recommend among configurations that were measured, and what came of it. */
struct decision_case {
	const struct measured_problems *problems;
	size_t problem;
	const unsigned char *barred;	  /* by configuration: 1 may not be chosen; NULL: all may */
	const unsigned char *seen;	  /* by configuration: 1 was measured; NULL: none was */
	const struct rate_process *rates; /* decision_rates(); NULL: predictions alone decide */
	double deadline_s;		  /* NaN: none */
	double confidence;		  /* feasible means p_meet >= confidence */
};

/* What FASTEST ranks the unseen ones by, where the predictor of f knows no more. Errors: NUMERIC,
 * NOMEM. */
enum err_code decision_rates(const struct decision_case *q, const struct baseline *f,
			     struct rate_process **out, struct err *e);

/* The configuration that ranks first by the criterion (rank.h); SIZE_MAX when the criterion wants a
 * feasible one and there is none. */
size_t decide(const struct decision_case *q, const struct baseline *f, enum criterion c);

/* The best by the truth, the median of the repeats: the cheapest in time, or the fastest where
 * there is no deadline. SIZE_MAX: none is in time. */
size_t decide_in_hindsight(const struct decision_case *q);

/* Median time of a configuration [s], and the node-hours of that. */
double decision_time_s(const struct decision_case *q, size_t config);
double decision_node_hours(const struct decision_case *q, size_t config);
/* The share of its runs that were in time. */
double decision_hit(const struct decision_case *q, size_t config);

/* What came of decisions whose best answer is known. */
struct decision {
	bool possible; /* there was an answer */
	bool answered; /* something was chosen */
	double hit;    /* share of the runs of what was chosen that met the deadline; NaN: nothing
			* was chosen, or there was no deadline */
	double over;   /* cost of what was chosen over that of the best choice; NaN: not compared */
};

struct decision_list {
	struct decision *item;
	size_t n, cap;
};

/* Errors: NOMEM. */
enum err_code decision_list_add(struct decision_list *l, struct decision d, struct err *e);
void decision_list_release(struct decision_list *l);

struct decision_scores {
	size_t n_cases, n_possible, n_answered;
	double hit, hit_error; /* mean over what was answered, its binomial error; NaN: none */
	double over_mean, over_median, over_p90; /* of those compared; NaN: none */
};
/* Errors: NOMEM. */
enum err_code decision_list_summarise(const struct decision_list *l, struct decision_scores *out,
				      struct err *e);

/* Runs as questions with known answers: the problems (with their workload) that were measured in
 * several configurations. Which of these is best is known, so a decision among them can be
 * judged. */
struct measured_problems {
	struct config_table *configs;
	double *nodes; /* by configuration: what is paid for. Nodes; processors of an application
			* that counts no nodes; 1 of one that counts neither */
	size_t n;
	/* The configurations of problem p are member[start[p] .. start[p + 1] - 1]. */
	uint32_t *start, *member;
};

/* Errors: NODATA (no run with a time), NOMEM. */
enum err_code measured_problems_make(const struct dataset *runs, struct measured_problems *out,
				     struct err *e);
void measured_problems_release(struct measured_problems *m);

static inline size_t measured_problems_size(const struct measured_problems *m, size_t p)
{
	return m->start[p + 1] - m->start[p];
}

/* What is seen of each problem when `share` of its configurations is drawn at random, but at least
 * `least` (or all there are): seen[i] = 1 by configuration. Errors: NOMEM. */
enum err_code measured_problems_draw(const struct measured_problems *m, double share, size_t least,
				     uint64_t seed, unsigned char *seen, struct err *e);

#endif
