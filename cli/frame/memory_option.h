#ifndef CLI_MEMORY_OPTION_H
#define CLI_MEMORY_OPTION_H
#include "cli/frame/context.h"

/* Keep the process to --max-memory, for a command that takes it: by default half of what is free.
 * Once, before any thread. Errors: USAGE, IO. */
enum err_code memory_option_keep(struct context *c, struct err *e);

/* Memory was not enough: add to the message how much there was, and what would help. */
void memory_option_explain(const struct context *c, struct err *e);

#endif
