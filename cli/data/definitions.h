#ifndef CLI_DEFINITIONS_H
#define CLI_DEFINITIONS_H
#include "base/err.h"
#include "cli/frame/context.h"

/* What `apps` and `machines` share. */

/* Run f on every operand (a file); the first error ends it. */
enum err_code for_each_operand(struct context *c,
			       enum err_code (*f)(struct context *c, const char *path,
						  struct err *e),
			       struct err *e);

/* `default`: without operand print the base's default `what`, with "-" remove it, else set it to
 * `name` (checked by the caller). */
enum err_code default_print(struct context *c, const char *what, struct err *e);
enum err_code default_set(struct context *c, const char *what, const char *name, struct err *e);

#endif
