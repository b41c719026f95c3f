#ifndef API_NEXT_JSON_H
#define API_NEXT_JSON_H
#include <stddef.h>
#include "api/advice_question.h"
#include "base/err.h"

/* The runs that would teach most, as part of an answer. */
struct json_t;

enum { NEXT_ANSWER_MAX = 20 }; /* runs that one answer names */

/* A question for runs is another question: "next": N in the request. Errors: NOMEM. */
enum err_code next_answer_ask(struct json_t *request, size_t n, struct err *e);
/* Add "decision" and "next" to the answer; n 0: nothing. Errors: NOMEM, INTERRUPTED, ARG. */
enum err_code next_answer_add(const struct advice_question *q, const struct advice *a, size_t n,
			      struct json_t *answer, struct err *e);

#endif
