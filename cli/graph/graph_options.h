#ifndef CLI_GRAPH_OPTIONS_H
#define CLI_GRAPH_OPTIONS_H
#include "base/err.h"
#include "base/strbuf.h"
#include "api/graph_question.h"
#include "cli/frame/context.h"
#include "cli/model/model_options.h"

/* A whole file of text. Errors: NOMEM (the text could not be made), IO. */
enum err_code text_file_write(const char *path, const struct strbuf *text, struct err *e);

extern const struct option_spec opt_graph_processors, opt_graph_schedule, opt_graph_contention,
	opt_graph_octants, opt_graph_static, opt_graph_write, opt_graph_dot;

/* What `lemnos model graph` is asked. Errors: USAGE, and those of model_question.h. */
enum err_code graph_question_read(struct context *c, struct graph_question *out, struct err *e);

/* The dynamic graph. Errors: PARSE, NOTFOUND, IO, ARG, NOMEM. */
enum err_code graph_question_graph(const struct context *c, const struct graph_question *q,
				   struct task_graph **out, struct err *e);

#endif
