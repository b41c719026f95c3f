#ifndef RECOMMEND_DECISION_SCORES_H
#define RECOMMEND_DECISION_SCORES_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

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

#endif
