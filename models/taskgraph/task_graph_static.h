#ifndef MODELS_TASK_GRAPH_STATIC_H
#define MODELS_TASK_GRAPH_STATIC_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* Static task graphs as text: the loops and conditions of a program, its tasks and edges once, as
 * small as the program whatever its problem. Unrolled, they are a dynamic graph (POEMS, WOSP 1998,
 * sections 2.1 and 2.2: "alternative sets of tasks, along with the governing condition"; nodes that
 * stand for a graph of their own). Behind the line `static-task-graph 1`:
 *
 *	let NAME = EXPR                         until the end of the block it stands in
 *	for NAME = EXPR .. EXPR                 both bounds included; whole numbers
 *	    ...
 *	end
 *	if EXPR / else / end
 *	graph NAME [PARAMETER...]               outside of every block: a node with a graph of its
 *own
 *	    ...
 *	end
 *	use GRAPH NODE PARAMETER=VALUE...       its tasks are called NODE/TASK outside of it
 *	task ..., edge ...                      as in a dynamic graph (task_graph_text.h)
 *
 * EXPR is an expression (domain/expr.h) over the names in sight; within task, edge and use {EXPR}
 * stands for its value. An edge may stand above the tasks that it joins. # begins a comment. */
struct static_program;

enum { STATIC_MAX_NAMES = 64, STATIC_MAX_STEPS = 100000000 };

/* The text behind the first line, which is line `line` of origin. Errors: PARSE (ORIGIN:LINE:),
 * NOMEM. */
enum err_code static_program_parse(const char *text, size_t len, const char *origin, size_t line,
				   struct static_program **out, struct err *e);
void static_program_free(struct static_program *p);

/* Every task statement, or every edge statement, as it comes, values filled in; prefix is "NODE/"
 * of the nodes around it, or "". */
typedef enum err_code static_visit(void *arg, const char *statement, size_t len, const char *prefix,
				   size_t line, struct err *e);
/* Errors: PARSE (a bound that is no whole number, a value that does not exist, more than
 * STATIC_MAX_STEPS), those of visit, NOMEM. */
enum err_code static_program_run(const struct static_program *p, bool edges, static_visit *visit,
				 void *arg, struct err *e);

#endif
