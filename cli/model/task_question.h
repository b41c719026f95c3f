#ifndef CLI_TASK_QUESTION_H
#define CLI_TASK_QUESTION_H
#include "acquire/ted.h"
#include "base/err.h"
#include "cli/frame/context.h"
#include "domain/task_description.h"

/* Task execution descriptions on the command line. */

/* A file; a name without '/' and '.': one that ships (DATADIR/tasks/NAME.ted). Errors: those of
 * task_description_read(), NOTFOUND (names those that ship). */
enum err_code task_question_open(const char *file_or_name, struct task_description **out,
				 struct err *e);

/* What is asked for: --it 20 --jt 20 ... (or --set it=20,jt=20), else what follows for one
 * processor from the configuration given with --problem. asked[TASK_VARIABLES], NaN: not given.
 * Errors: USAGE, ARG. */
enum err_code task_question_read(struct context *c, double *asked, struct err *e);

/* Evaluate, programs being those of `make kernels` first. *out must be released. */
enum err_code task_question_evaluate(const struct context *c, const struct task_description *t,
				     const double *asked, struct ted_result *out, struct err *e);

#endif
