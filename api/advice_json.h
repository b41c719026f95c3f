#ifndef API_ADVICE_JSON_H
#define API_ADVICE_JSON_H
#include <stddef.h>
#include "base/err.h"
#include "api/advice_question.h"
#include "recommend/space/recommend.h"

/* The answer of `recommend` as JSON, in the form that scripts rely on. It is what is remembered;
 * answer.h reads it back, and what people read is made from that alone, so that `explain` can show
 * an answer again as it was given. A member that is added here is read there. */
struct json_t;

enum { ADVICE_ID_SIZE = 17 }; /* 16 hex digits and the NUL */

/* The question, complete enough to ask it again. "deadline_s" is what counts; a deadline by the
 * clock adds "by" and "asked_at", of which it is the difference, a budget "budget_node_hours", and
 * several machines "machines" as they were given, of which "machine" is the chosen one.
 * Errors: NOMEM. */
enum err_code advice_request_json(const struct advice_question *q, struct json_t **out,
				  struct err *e);

/* The identity of an answer: a hash over the request and the facts and rules it was answered from,
 * those of all machines that were asked. Errors: NOMEM. */
enum err_code advice_id(const struct json_t *request, const struct advice_question *q,
			char id[ADVICE_ID_SIZE], struct err *e);

/* One choice: its configuration by the names of the definition, "predicted_s", "lo_s", "hi_s",
 * "p_meet", "node_hours", "support", where a budget was given "p_budget", and "why" if it has one.
 * NULL: out of memory. */
struct json_t *advice_choice_json(const struct application *app, const struct choice *c);

/* The whole answer. Errors: NOMEM. */
enum err_code advice_answer_json(const char *id, const struct json_t *request,
				 const struct advice_question *q, const struct advice *a,
				 struct json_t **out, struct err *e);

/* How firm an answer is, as JSON. Each returns NULL when out of memory. */

/* [{"parameter", "ratio", ... a choice ...}, ...] */
struct json_t *sensitivity_json(const struct application *app, const struct sensitivity *s);
/* {"deadline_from_s", "deadline_to_s", "confidence_from", "confidence_to"}; null: not known */
struct json_t *node_limits_json(const struct node_limits *l);
/* {"configurations", "within", "neighbours", "loss", "instead_of", "instead_of_loss"}; null: there
 * was nothing to choose from */
struct json_t *tie_break_json(const struct application *app, const struct tie_break *c);

/* The frontier of an answer: [{... a choice ..., "feasible", "knee", "recommended"}, ...] from the
 * fewest nodes on. NULL: out of memory. */
struct json_t *frontier_json(const struct advice_request *q, const struct advice *a);

/* The runs that would teach most, as part of an answer. */
enum { NEXT_ANSWER_MAX = 20 }; /* runs that one answer names */

/* A question for runs is another question: "next": N in the request. Errors: NOMEM. */
enum err_code next_answer_ask(struct json_t *request, size_t n, struct err *e);
/* Add "decision" and "next" to the answer; n 0: nothing. Errors: NOMEM, INTERRUPTED, ARG. */
enum err_code next_answer_add(const struct advice_question *q, const struct advice *a, size_t n,
			      struct json_t *answer, struct err *e);

#endif
