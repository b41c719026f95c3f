#ifndef API_RULE_JSON_H
#define API_RULE_JSON_H
#include "api/rule_book.h"
#include "base/err.h"
#include "domain/findings.h"

/* The JSON form of rules and of what else mining found: the contract of `lemnos rules --format
 * json`, of `rules show` and of `rules profile`, `effects`, `hypotheses` and `rankings`. */
struct json_t;

/* {"format_version", "stale", "rules": [...]}: the first n of the book, each with its SQL, formula,
 * evidence and what was decided. Errors: NOMEM, those of rule_put_sql(); *out is NULL then. */
enum err_code rule_book_json(const struct rule_book *b, size_t n, struct json_t **out,
			     struct err *e);
/* {"format_version", "stale", "rule": {...}, "decisions", "with_rule", "without_rule",
 * "n_counter_examples", "counter_examples"}: one rule and what today's runs say of it. Errors as
 * above. */
enum err_code rule_context_json(const struct rule_book *b, const struct rule_view *v,
				const struct rule_context *g, struct json_t **out, struct err *e);

/* What mining found out about the runs besides rules, under the names of domain/findings.h; a text
 * that says nothing is null. NULL: out of memory. */

/* {"format_version", "profile": {...}, "columns": [...]} */
struct json_t *findings_profile_json(const struct findings *f);
/* {"format_version", "effects": [...], "interactions": [...]} */
struct json_t *findings_effects_json(const struct findings *f);
/* {"format_version", "hypotheses": [...]} */
struct json_t *findings_hypotheses_json(const struct findings *f);
/* {"format_version", "n_cases", "chi2", "p", "alpha", "ranking": [...]} */
struct json_t *findings_ranking_json(const struct findings *f);

#endif
