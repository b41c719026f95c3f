#ifndef CLI_GRAPH_QUESTION_H
#define CLI_GRAPH_QUESTION_H
#include "cli/frame/context.h"
#include "cli/model/model_options.h"
#include "models/taskgraph/task_graph_analysis.h"
#include "models/taskgraph/wavefront_graph.h"

/* What `lemnos model graph` is asked: a graph, from a file or of one iteration of a configuration,
 * and the machine that it runs on. */
struct graph_question {
	const struct context *context; /* that was asked */
	const char *file;	       /* NULL: a configuration */
	bool is_static;
	struct task_machine machine;
	struct model_question model;   /* of a configuration */
	struct pipeline_case pipeline; /* of a configuration */
	struct wavefront_graph wavefront;
};

extern const struct option_spec opt_graph_processors, opt_graph_schedule, opt_graph_contention,
	opt_graph_octants, opt_graph_static, opt_graph_write, opt_graph_dot;

/* Errors: USAGE, and those of model_question.h. */
enum err_code graph_question_read(struct context *c, struct graph_question *out, struct err *e);
void graph_question_release(struct graph_question *q);

/* The dynamic graph. Errors: PARSE, NOTFOUND, IO, ARG, NOMEM. */
enum err_code graph_question_graph(const struct graph_question *q, struct task_graph **out,
				   struct err *e);

#endif
