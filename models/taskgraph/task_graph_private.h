#ifndef MODELS_TASK_GRAPH_PRIVATE_H
#define MODELS_TASK_GRAPH_PRIVATE_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "models/taskgraph/task_graph_text.h"

/* Private to the files that read task graphs: lines and words of a task graph. The first error
 * stays; after it there are no more lines and words. */
struct task_lexer {
	const char *origin;
	const char *next, *end; /* what is left, from the next line on */
	const char *at, *line_begin, *line_end;
	size_t line; /* from 1 */
	enum err_code rc;
	struct err *e;
};

/* A word of the line in hand: a name, or KEY=VALUE. */
struct task_word {
	const char *at;
	size_t len;		      /* 0: the line is over */
	const char *equals;	      /* in a bare word; NULL: none */
	char name[TASK_NAME_MAX + 1]; /* without quotes and escapes; empty for KEY=VALUE */
};

/* Go to the next line; false: there is none, or an error. */
bool task_lexer_line(struct task_lexer *x);
void task_lexer_word(struct task_lexer *x, struct task_word *w);

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
 *	graph NAME [PARAMETER...]               outside of every block: a node with its own graph
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
