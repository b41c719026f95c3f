#ifndef RECOMMEND_SHORTLIST_H
#define RECOMMEND_SHORTLIST_H
#include <stdbool.h>
#include <stddef.h>
#include "base/crew.h"
#include "base/err.h"
#include "mining/predictor.h"
#include "recommend/config_space.h"

/* Configurations that may win something, gathered until there are enough of them to ask a predictor
 * side by side, by several threads. What it says does not depend on how many those are. */
enum { SHORTLIST_MAX = 256 };

struct shortlist {
	size_t n;
	size_t room; /* of all, what is used: grows, as the first ones are only to find good winners
		      * against which others need not be asked about */
	size_t n_columns;
	double *rows;	       /* SHORTLIST_MAX * n_columns */
	double *nodes, *procs; /* SHORTLIST_MAX each, of the rows */
	struct prediction *at; /* SHORTLIST_MAX, what was said of them */
	struct crew *crew;
};

/* For rows of n_columns. Errors: NOMEM. */
enum err_code shortlist_init(struct shortlist *l, size_t n_columns, struct err *e);
void shortlist_release(struct shortlist *l);

const double *shortlist_row(const struct shortlist *l, size_t i);
/* Adds configurations of a group from the *next on, as many as there is room for. */
void shortlist_add(struct shortlist *l, const struct group *g, size_t *next);
bool shortlist_is_full(const struct shortlist *l);
/* Away with all; there is room for more of them from now on. */
void shortlist_clear(struct shortlist *l);

/* at[] = what is said of each row. ask: predictor_predict(), or one of the bounds. */
typedef void shortlist_question(const struct predictor *p, const double *rows, size_t n,
				struct prediction *out);
void shortlist_ask(struct shortlist *l, const struct predictor *p, shortlist_question *ask);
/* Keeps those of which `keep` holds, in their order. */
void shortlist_filter(struct shortlist *l,
		      bool (*keep)(const void *arg, double nodes, const struct prediction *at),
		      const void *arg);

#endif
