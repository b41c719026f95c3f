#ifndef MODELS_TASK_GRAPH_TEXT_H
#define MODELS_TASK_GRAPH_TEXT_H
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "models/taskgraph/critical_path.h"
#include "models/taskgraph/task_graph.h"

/* Task graphs as text that people can write, a statement a line:
 *
 *	task-graph 1                            the format, before all others
 *	task NAME [proc=P] [kind=K] [time=T] [bytes=S] [peer=P] [fires=N]
 *	task NAME ted=FILE it=N jt=N mk=N mmi=N [kt=N] [mm=N] ...
 *	edge FROM TO [time=T] [bytes=S]         between tasks that stand above
 *
 * NAME is a word without spaces, quotes, # and =, or anything printable in "double quotes", in
 * which \" and \\ stand for " and \. P counts from 0; K is compute (if it is not given), send or
 * receive; T is seconds, or with ns, us, ms, s, min, h; S is bytes, or with B, kB, MB, GB, KiB,
 * MiB, GiB; N is any (1), a number of messages, or all (if it is not given). # begins a comment;
 * blank lines are passed over. Text is UTF-8.
 *
 * A text that begins with `static-task-graph 1` has loops and conditions besides, and is unrolled:
 * task_graph_private.h. */
enum { TASK_NAME_MAX = 255, TASK_GRAPH_TEXT_VERSION = 1 };

/* Where the time of a task with ted= comes from: the task execution description of that name says
 * what a cell and angle takes (domain/task_description.h), the task computes it jt mk mmi of them.
 * asked[TASK_VARIABLES], NaN: not given. Errors: any; the place is put before it. */
struct task_time_source {
	enum err_code (*find)(void *arg, const char *ted, const double *asked, double *Wg_s,
			      struct err *e);
	void *arg;
};

/* text[0..len-1]; origin names it in messages, which begin ORIGIN:LINE:COLUMN: and say what would
 * be right. Errors: PARSE, NOMEM. */
enum err_code task_graph_read(const char *text, size_t len, const char *origin,
			      struct task_graph **out, struct err *e);

/* task_graph_read() with a source for ted=; without one a task with ted= is an error. */
enum err_code task_graph_read_from(const char *text, size_t len, const char *origin,
				   const struct task_time_source *source, struct task_graph **out,
				   struct err *e);

/* A finished graph, whose names are printable and differ: reading it gives the same graph to the
 * last bit. */
void task_graph_write(const struct task_graph *g, struct strbuf *out);

/* A finished graph in Graphviz' language: computation as boxes, sends and receives as ellipses,
 * with their times; messages with their times and bytes. The tasks and messages of the path are
 * drawn thick and red; where a task began because the one before it left the processor, a dashed
 * line says so. path may be NULL. Errors: NOMEM. */
enum err_code task_graph_dot(const struct task_graph *g, const struct task_path *path,
			     struct strbuf *out, struct err *e);

/* "text" as a DOT string, quoted; a newline in it starts a new line. */
void dot_put_text(struct strbuf *out, const char *text);

#endif
