#ifndef API_RULE_DECISION_H
#define API_RULE_DECISION_H
#include "api/rule_book.h"
#include "api/session.h"
#include "base/strbuf.h"

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
