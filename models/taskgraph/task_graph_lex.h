#ifndef MODELS_TASK_GRAPH_LEX_H
#define MODELS_TASK_GRAPH_LEX_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "models/taskgraph/task_graph_text.h"

/* Private to task_graph_read.c: lines and words of a task graph. The first error stays; after it
 * there are no more lines and words. */
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

/* "ORIGIN:LINE:COLUMN: ..." as a PARSE error, the column counted in bytes from 1. */
void task_lexer_fail(struct task_lexer *x, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Go to the next line; false: there is none, or an error. */
bool task_lexer_line(struct task_lexer *x);
void task_lexer_word(struct task_lexer *x, struct task_word *w);
bool task_word_is(const struct task_word *w, const char *text);

#endif
