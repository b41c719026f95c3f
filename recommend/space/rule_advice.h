#ifndef RECOMMEND_RULE_ADVICE_H
#define RECOMMEND_RULE_ADVICE_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"
#include "domain/dataset.h"
#include "domain/rule.h"
#include "kb/kb.h"
#include "mining/predictor/predictor.h"

/* What mined rules have to say about one configuration. Time rules speak through the predictor,
 * which follows them; setting rules speak for what sets as they say and against what does not,
 * choice rules against what they describe. */

/* A rule that answers heed, and what people made of it. */
struct active_rule {
	const struct rule *rule;
	enum kb_rule_state state; /* a refused one has no influence */
};

/* Let p follow the time rules from now on (predictor_use_rules). Where an accepted one holds the
 * others give way to it. Errors: NOMEM, PARSE. */
enum err_code rule_advice_lead(struct predictor *p, const struct active_rule *rules, size_t n,
			       struct err *e);

/* Rules ready to be asked, accepted ones first, refused ones left out. Borrows the rules and the
 * application. Errors: NOMEM, PARSE. */
struct rule_advice;
enum err_code rule_advice_new(const struct application *app, const struct active_rule *rules,
			      size_t n, struct rule_advice **out, struct err *e);
void rule_advice_free(struct rule_advice *a);
size_t rule_advice_count(const struct rule_advice *a);
const struct active_rule *rule_advice_get(const struct rule_advice *a, size_t i);

enum rule_says { RULE_AGAINST = -1, RULE_SILENT = 0, RULE_FOR = 1, RULE_USED = 2 };
const char *rule_says_name(enum rule_says s); /* "against", "silent", "for", "used" */
/* side[count]: what setting and choice rules say about a complete row; time rules are silent. */
void rule_advice_ask(const struct rule_advice *a, const double *row, enum rule_says *says);

/* Setting and choice rules that say something about a row, and the time rules its prediction
 * follows, accepted ones first. */
struct rule_verdict {
	const struct active_rule *of;
	enum rule_says says;
};
/* Two that cannot both be heeded: what was done. */
struct rule_preference {
	const struct rule *accepted, *to;
};
struct rule_report {
	struct rule_verdict *verdict;
	size_t n;
	struct rule_preference *preference;
	size_t n_preferences;
};
/* at: what is predicted for the row. Of preferences those among time rules are found here. Errors:
 * NOMEM. */
enum err_code rule_advice_report(const struct rule_advice *a, const double *row,
				 const struct prediction *at, struct rule_report *out,
				 struct err *e);
/* Errors: NOMEM. */
enum err_code rule_report_add_preference(struct rule_report *r, const struct rule *accepted,
					 const struct rule *to, struct err *e);
void rule_report_release(struct rule_report *r);

/* Relations that held in all runs (rules of kind invariant which nobody refused), and that what is
 * proposed keeps to. */
struct kept_invariant {
	const struct rule *rule; /* borrowed */
	struct rule_test *test;
	bool given_up; /* nothing could be proposed that keeps to it */
	double fail_p; /* that a run which breaks it fails; 0: none did that is known */
};
struct kept_invariants {
	struct kept_invariant *item;
	size_t n;
	size_t n_kept; /* not given up */
};

/* Errors: NOMEM, PARSE. */
enum err_code kept_invariants_init(struct kept_invariants *k, const struct application *app,
				   const struct active_rule *rules, size_t n_rules, struct err *e);
void kept_invariants_release(struct kept_invariants *k);

/* Sets fail_p: (failed + 1) / (n + 2) of the n runs that broke it, Laplace's rule of succession, if
 * any of these failed. */
void kept_invariants_count_failures(struct kept_invariants *k, const struct dataset *runs);
/* The largest of those that a complete row breaks. */
double kept_invariants_fail_p(const struct kept_invariants *k, const double *row);

/* Give up those that a row, where it is set, already breaks. */
void kept_invariants_check_given(struct kept_invariants *k, const double *row);
void kept_invariants_give_up(struct kept_invariants *k, size_t i);
/* Can a row whose missing values are NaN be completed so that none is broken, as far as each can
 * tell by itself? A complete row: is none broken? */
bool kept_invariants_allow(const struct kept_invariants *k, const double *row);
/* Does a row allow this one of them, also if it was given up? */
bool kept_invariant_allows(const struct kept_invariants *k, size_t i, const double *row);

#endif
