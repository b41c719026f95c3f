#ifndef RECOMMEND_RULE_CHOICE_H
#define RECOMMEND_RULE_CHOICE_H
#include "recommend/recommend.h"
#include "recommend/search.h"

/* Where predictions end and rules begin: the best configuration that a search found, and all others
 * on the same nodes and processors that predictions cannot tell from it. One takes part if it is
 * predicted to take no longer than half the central 50 % interval of the best allows (the doubt
 * that held-out residuals leave; at least 1 %, at most 10 %), is as feasible, and is no worse
 * supported. Of these the one wins that most accepted rules speak for (less those that speak
 * against it), then most other rules, then the one the criterion prefers. A setting rule that
 * nobody accepted has no say if it promises less than predictions know ("within 20 % of the best"
 * among configurations within 4 %): on held-out problems such rules made choices worse. */

/* best: a copy of the winner by criterion c with a row of its own; becomes the choice. report: what
 * the rules say about it, and which were preferred to which. Errors: NOMEM, INTERRUPTED, ARG. */
enum err_code rule_choice_make(const struct rule_advice *rules, const struct search *s,
			       enum criterion c, struct winner *best, struct rule_choice *out,
			       struct rule_report *report, struct err *e);
void rule_choice_release(struct rule_choice *c);

#endif
