#ifndef CLI_QUESTION_OPTIONS_H
#define CLI_QUESTION_OPTIONS_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "api/advice_question.h"
#include "cli/frame/context.h"
#include "cli/frame/options.h"

/* The question that a command line asks. */

extern const struct option_spec opt_like, opt_wg_factor;

/* --machine, --like and --wg-factor. Errors: USAGE. */
enum err_code machine_request_read(const struct context *c, struct machine_request *out,
				   struct err *e);

/* What is asked, of whatever machine: limits, application, configuration. q is {0}. Errors: USAGE,
 * ARG, NOTFOUND. */
enum err_code advice_question_read(struct context *c, struct advice_question *q, struct err *e);

/* The names of --machine a,b or any, NULL-terminated, one block of memory that the caller frees;
 * NULL: one machine is meant. Errors: USAGE, KB, NOMEM. */
enum err_code machine_names_read(struct context *c, char ***out, struct err *e);

/* What a recommendation has to keep to: a deadline, by duration or by the clock, a budget, and how
 * sure it must be. */

extern const struct option_spec opt_by, opt_budget, opt_objective;

#endif
