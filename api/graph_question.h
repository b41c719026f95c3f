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

#endif
