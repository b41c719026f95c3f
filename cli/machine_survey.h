#ifndef CLI_MACHINE_SURVEY_H
#define CLI_MACHINE_SURVEY_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "cli/advice_question.h"
#include "cli/context.h"

/* One question put to several machines (`recommend --machine a,b` or `any`): each answers by
 * itself, the best answer is the answer, and what the others said stands beside it. */
struct json_t;

struct machine_survey {
	struct json_t *asked; /* names as they were given: ["a", "b"] or ["any"] */
	/* Best first, those that could not answer last: {"machine", "feasible" (null: it could not
	 * answer), "reason" (null: feasible), "cores_per_node", the fields of a choice,
	 * "feasible_deadline_s", and what it was answered from: "snapshot", "facts",
	 * "rules_identity"}
	 */
	struct json_t *rows;
};

/* The names of --machine a,b or any, for "asked"; NULL: one machine is meant. Errors: USAGE, KB,
 * NOMEM. */
enum err_code machine_survey_read(struct context *c, struct json_t **asked, struct err *e);
/* Ask the machines of those names; "any" stands for all that have runs of the application. Leaves
 * the question put to the best one, and the survey in q->survey. Errors: NOTFOUND (a name), those
 * of advice_question_put_to() and advice_find() if no machine can answer, INTERRUPTED. */
enum err_code machine_survey_make(struct context *c, struct json_t *asked,
				  struct advice_question *q, struct err *e);
void machine_survey_free(struct machine_survey *s);

#endif
