#ifndef API_TASK_QUESTION_H
#define API_TASK_QUESTION_H
#include "base/err.h"
#include "domain/task_description.h"
#include "models/sweep.h"
#include "acquire/ted.h"
#include "api/session.h"

/* Questions to task execution descriptions. */

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

/* "ted:FILE": the time per cell and angle from a task execution description, evaluated for each
 * sub-grid and block that a model is asked about. */
struct task_wg;

/* NULL in *out: text (may be NULL) does not begin with "ted:". The session outlives *out. Errors:
 * those of task_question_open(). */
enum err_code task_wg_open(const struct session *session, const char *text, struct task_wg **out,
			   struct err *e);
/* Once for the same sub-grid and block; a note says where each number comes from. Errors: those of
 * ted_evaluate(). */
enum err_code task_wg_find(struct task_wg *w, const struct sweep *s, double *Wg_s, struct err *e);
void task_wg_free(struct task_wg *w);

#endif
