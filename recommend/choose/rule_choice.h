#ifndef RECOMMEND_RULE_CHOICE_H
#define RECOMMEND_RULE_CHOICE_H
#include "recommend/choose/alternatives.h"
#include "recommend/space/recommend.h"
#include "recommend/search/search.h"

/* Where predictions end and rules begin. Of the configurations that are tied with the best one that
 * a search found (alternatives.h) the one wins that most accepted rules speak for (less those
 * that speak against it), then most other rules, then the one the criterion prefers. A setting rule
 * that nobody accepted has no say if it promises less than predictions know ("within 20 % of the
 * best" among configurations within 4 %): on held-out problems such rules made choices worse. */
struct rule_vote;

/* best: a copy of the winner by criterion c with a row of its own; becomes the choice. Peers that
 * the rules like less than the choice are tied no longer. All is borrowed for the vote's life.
 * Errors: NOMEM. */
enum err_code rule_vote_hold(const struct rule_advice *rules, const struct search *s,
			     struct same_resource_set *same, enum criterion c, struct winner *best,
			     struct rule_vote **out, struct err *e);
/* What rules made of the choice, which may have moved on since among those still tied, what they
 * say about it, and which were preferred to which. Errors: NOMEM. */
enum err_code rule_vote_report(struct rule_vote *t, struct rule_choice *out,
			       struct rule_report *report, struct err *e);
void rule_vote_free(struct rule_vote *t);
void rule_choice_release(struct rule_choice *c);

#endif
