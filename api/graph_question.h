#ifndef API_GRAPH_QUESTION_H
#define API_GRAPH_QUESTION_H
#include <stdbool.h>
#include "api/model_question.h"
#include "api/session.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "models/taskgraph/task_graph_analysis.h"
#include "models/taskgraph/task_graph_text.h"
#include "models/taskgraph/wavefront_graph.h"
#include "domain/task_description.h"
#include "models/sweep.h"
#include "acquire/ted.h"

/* A question about a task graph: one, from a file or of one iteration of a configuration,
 * and the machine that it runs on. */
struct graph_question {
	const char *file; /* NULL: a configuration */
	bool is_static;
	struct task_machine machine;
	struct model_question model;   /* of a configuration */
	struct pipeline_case pipeline; /* of a configuration */
	struct wavefront_graph wavefront;
};

/* The graph of the first octants (1 to 8) of what q->model is configured with. Errors: those of
 * pipeline_case_init(). */
enum err_code graph_question_set_octants(struct graph_question *q, int octants, struct err *e);
void graph_question_release(struct graph_question *q);

/* The time of a whole run whose iterations are task graphs on a network: with the Wg of the
 * iterations before the flux fix-ups, and with that of those that have them. Errors: those of
 * task_graph_iteration() and sweep_run_time(). */
enum err_code graph_run_time(const struct model_input *in, enum task_network network,
			     struct sweep_time *out, struct err *e);

/* A graph from its text, the tasks that have a description (ted=) evaluated. name: of the text, in
 * messages. Errors: PARSE, those of task_question_evaluate(), NOMEM. */
enum err_code graph_read_text(const struct session *session, const struct strbuf *text,
			      const char *name, struct task_graph **out, struct err *e);

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
