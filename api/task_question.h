#ifndef API_TASK_QUESTION_H
#define API_TASK_QUESTION_H
#include "acquire/ted.h"
#include "api/session.h"
#include "base/err.h"
#include "domain/task_description.h"

/* What is asked of task execution descriptions. */

enum { TASK_MAX_COUNT = 1000000000 }; /* of what a variable counts */

/* A file; a name without '/' and '.': one that ships (DATADIR/tasks/NAME.ted). Errors: those of
 * task_description_read(), NOTFOUND (names those that ship). */
enum err_code task_question_open(const char *file_or_name, struct task_description **out,
				 struct err *e);

/* asked[TASK_VARIABLES], NaN: not given. Programs are those of `make kernels`, and others if
 * session->allow_run. *out must be released. */
enum err_code task_question_evaluate(const struct session *session,
				     const struct task_description *t, const double *asked,
				     struct ted_result *out, struct err *e);

#endif
