#ifndef API_ADVICE_JSON_H
#define API_ADVICE_JSON_H
#include "base/err.h"
#include "api/advice_question.h"

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

#endif
