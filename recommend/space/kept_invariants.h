#ifndef RECOMMEND_KEPT_INVARIANTS_H
#define RECOMMEND_KEPT_INVARIANTS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "recommend/space/rule_advice.h"

/* Relations that held in all runs (rules of kind invariant which nobody refused), and that what is
 * proposed keeps to. */
struct kept_invariant {
	const struct rule *rule; /* borrowed */
	struct rule_test *test;
	bool given_up; /* nothing could be proposed that keeps to it */
};
struct kept_invariants {
	struct kept_invariant *item;
	size_t n;
	size_t n_kept; /* not given up */
};

/* Errors: NOMEM, PARSE. */
enum err_code kept_invariants_init(struct kept_invariants *k, const struct application *app,
				   const struct rule_in_use *rules, size_t n_rules, struct err *e);
void kept_invariants_release(struct kept_invariants *k);

/* Give up those that a row, where it is set, already breaks. */
void kept_invariants_check_given(struct kept_invariants *k, const double *row);
void kept_invariants_give_up(struct kept_invariants *k, size_t i);
/* Can a row whose missing values are NaN be completed so that none is broken, as far as each can
 * tell by itself? A complete row: is none broken? */
bool kept_invariants_allow(const struct kept_invariants *k, const double *row);
/* The same of one of them, also if it was given up. */
bool kept_invariant_allows(const struct kept_invariants *k, size_t i, const double *row);

#endif
