#ifndef API_ADVICE_PARTS_JSON_H
#define API_ADVICE_PARTS_JSON_H
#include <stddef.h>
#include "base/err.h"
#include "recommend/space/recommend.h"
#include "api/advice_question.h"

struct json_t;

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
