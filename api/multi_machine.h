#ifndef API_MULTI_MACHINE_H
#define API_MULTI_MACHINE_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "api/advice_question.h"
#include "api/session.h"

/* One question put to several machines (`recommend --machine a,b` or `any`): each answers by
 * itself, the best answer is the answer, and what the others said stands beside it. */
struct json_t;

struct multi_machine {
	struct json_t *asked; /* names as they were given: ["a", "b"] or ["any"] */
	/* Best first, those that could not answer last: {"machine", "feasible" (null: it could not
	 * answer), "reason" (null: feasible), "cores_per_node", the fields of a choice,
	 * "feasible_deadline_s", and what it was answered from: "snapshot", "facts",
	 * "rules_identity"}
	 */
	struct json_t *rows;
};

/* Ask the machines of those names, NULL-terminated; "any" stands for all that have runs of the
 * application. Leaves the question bound to the best one, and all answers in q->machines. Errors:
 * NOTFOUND (a name), those of advice_question_bind_machine() and advice_find() if no machine can
 * answer, INTERRUPTED. */
enum err_code multi_machine_make(struct session *session, const char *const *asked,
				 struct advice_question *q, struct err *e);
void multi_machine_free(struct multi_machine *s);

#endif
