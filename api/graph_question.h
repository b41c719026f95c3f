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

/* What is told of a graph; what has no value is NaN. */
struct graph_answer {
	const struct graph_question *question;
	const struct task_graph *graph;
	const struct task_analysis *analysis;
	double work_s, critical_s; /* of all tasks; of the graph's critical path */
	double parallelism, speedup, efficiency;
	/* Where the time goes: on the path that explains it, and of all processors. */
	struct graph_part {
		const char *name;
		double path_s, path_share, procs_s, procs_share;
	} part[4]; /* compute, communication, contention, waiting */
};
/* *out borrows all of them. */
void graph_answer_make(const struct graph_question *q, const struct task_graph *g,
		       const struct task_analysis *a, double critical_s, struct graph_answer *out);
/* "bus=35000000" [bytes/s]; nothing where messages share no network. */
void graph_put_contention(const struct task_machine *m, struct strbuf *out);

/* {"format_version", "graph": {...}, "times": [...], "critical_path": [{"task", "kind",
 * "processor", "start_s", "end_s", "after"}]}; NULL: out of memory. */
struct json_t;
struct json_t *graph_answer_json(const struct graph_answer *x);
/* {"format_version", "loops": {...}, "classes": [...], "dependences": [...]}; likewise. */
struct json_t *wavefront_static_json(const struct wavefront_static *s);

#endif
