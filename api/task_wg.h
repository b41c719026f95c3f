#ifndef API_TASK_WG_H
#define API_TASK_WG_H
#include "api/session.h"
#include "base/err.h"
#include "models/sweep.h"

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
