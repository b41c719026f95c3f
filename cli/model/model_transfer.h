#ifndef CLI_MODEL_TRANSFER_H
#define CLI_MODEL_TRANSFER_H
#include "base/err.h"
#include "cli/frame/context.h"

extern const struct option_spec opt_ideal_share;

/* `lemnos model transfer FILE`: the states of a network, from the bandwidth curve of a ping-pong.
 * Errors: USAGE, PARSE, NODATA. */
enum err_code model_transfer_run(struct context *c, struct err *e);

#endif
