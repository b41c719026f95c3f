#ifndef API_RULE_BOOK_H
#define API_RULE_BOOK_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/dataset.h"
#include "domain/rule.h"
#include "kb/kb.h"
#include "mining/rules/rule_residuals.h"
#include "api/session.h"

/* The rules of an application on a machine as people see them: those of the machine and those that
 * hold on all machines in one list, numbered, each with what was decided about it. Where both have
 * the same condition and setting, the machine's own stands for both, as it does in advice
 * (active_rules.h): a decision about it is then a decision about what is used. */
struct rule_view {
	const struct rule *rule;
	bool everywhere; /* is a rule on all machines, or one of them says the same */
	/* Not listed unless asked for or decided upon: a twin, for which another rule stands, or a
	 * time rule that only explains, because following it makes no held-out prediction better
	 * (weight 0). Numbered after all others. */
	bool aside;
	size_t number; /* in the list, from 1 */
	struct kb_judgement verdict;
};

struct rule_book {
	struct application *app;
	int64_t app_id;
	struct machine *machine;
	int64_t machine_id;
	struct kb_rules own;	/* mined from the machine's runs */
	struct kb_rules shared; /* mined from those of all machines; empty where there are none */
	struct kb_decisions decisions;
	struct rule_view *item; /* most useful first */
	size_t n;
	size_t n_all;	     /* before rule_book_keep() */
	size_t n_aside_time; /* time rules that it left out because they stand aside */
	bool stale;	     /* facts changed since mining */
};

/* Of the application and machine that session_application() and session_machine() choose; names may
 * be NULL. Errors: NOTMINED (says what to type), those of kb. */
enum err_code rule_book_load(struct session *session, const char *app, const char *machine,
			     struct rule_book *out, struct err *e);
void rule_book_release(struct rule_book *b);
/* Read the decisions again, after one was added. */
enum err_code rule_book_judge(struct session *session, struct rule_book *b, struct err *e);
/* The rules that are looked at. */
struct rule_filter {
	int kind;	 /* enum rule_kind; -1: any */
	int state;	 /* enum kb_rule_state; -1: any */
	size_t i_column; /* SIZE_MAX: any */
	bool all;	 /* those that stand aside, too */
};
/* Keep the rules that f takes, with their numbers. */
void rule_book_keep(struct rule_book *b, const struct rule_filter *f);

/* The twins of r, one after the other: *at begins at 0. NULL: no more. */
const struct rule *rule_book_next_twin(const struct rule_book *b, const struct rule *r, size_t *at);

/* A rule by its number in the list, its id or the first digits (4 or more) of that. Errors:
 * NOTFOUND, USAGE (the digits fit several). */
enum err_code rule_book_find(const struct rule_book *b, const char *typed,
			     const struct rule_view **out, struct err *e);

/* "machine" or "all machines": where it holds. */
const char *rule_scope_name(const struct rule *r);

/* "was refused in a slightly different form (ID, when, by whom): look again"; nothing unless
 * verdict->look_again. */
void rule_put_look_again(const struct kb_judgement *verdict, struct strbuf *out);

/* The part of `rules show` that is not stored with a rule: taken from today's runs. */
struct rule_context {
	struct dataset *runs; /* of the rule's scope */
	struct kb_names machines;
	struct rule_residuals residuals;
	int64_t n_runs;		 /* that the condition holds for */
	struct kb_filter filter; /* that selects them; borrows from where */
	struct strbuf where;
};

/* Errors: those of kb, NOMEM, INTERRUPTED. */
enum err_code rule_context_load(struct session *session, const struct rule_book *b,
				const struct rule *r, struct rule_context *out, struct err *e);
void rule_context_release(struct rule_context *g);
/* The name of the machine of run i of g->runs. */
const char *rule_context_machine(const struct rule_context *g, size_t i);
/* The quantile q in [0, 1] of one side's sorted ratios, linear between them; NaN: there are none.
 */
double rule_context_quantile(const double *sorted, size_t n, double q);

/* Review: what people decide about mined rules. */

/* A rule that is decided upon: one of the book, or (undo) one that mining lost. */
struct rule_subject {
	const struct rule_view *view; /* NULL: lost */
	const char *id;
	struct strbuf text, shape;
};

/* Errors: NOMEM. *out must be released in any case, and starts as {0}. */
enum err_code rule_subject_of(const struct rule_book *b, const struct rule_view *v,
			      struct rule_subject *out, struct err *e);
/* By number, id or its first digits, as rule_book_find(). What is undone need not be in the book
 * any more; its whole id says which it is. Errors: NOTFOUND, USAGE, NOMEM. */
enum err_code rule_subject_find(const struct rule_book *b, const char *typed,
				enum kb_decision_kind kind, struct rule_subject *out,
				struct err *e);
void rule_subject_release(struct rule_subject *s);

/* The latest decision about a rule that stands; NULL: none. */
const struct kb_decision *rule_standing_decision(const struct rule_book *b, const char *id);

/* Record a decision of `who` and judge the book anew. why NULL: no reason is given. The base is
 * open for writing, in a transaction of the caller's or none. Errors: those of kb. */
enum err_code rule_decide(struct session *session, struct rule_book *b,
			  const struct rule_subject *s, enum kb_decision_kind kind, const char *who,
			  const char *why, struct err *e);

/* A decision is about one machine's rule (or that of all). Rules of other machines that say the
 * same and are not refused, a line each: "  on sp2 it stands: lemnos rules refuse 5f1c... --machine
 * sp2". Nothing for time rules, and where there is none. Errors: NOMEM, those of kb. */
enum err_code rule_put_twins(struct session *session, const struct rule_book *b,
			     const struct rule_view *v, struct strbuf *out, struct err *e);

#endif
