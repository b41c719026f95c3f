#ifndef CLI_CMD_MODEL_PROJECT_H
#define CLI_CMD_MODEL_PROJECT_H
#include <stddef.h>
#include <stdint.h>
#include "api/projection.h"
#include "base/err.h"
#include "cli/frame/context.h"

extern const struct option_spec opt_project_procs;

/* What --procs lists ("100,50x50"), by ascending processors; without it 1, 2, 4, ... up to
 * max_procs. The caller frees *out. Errors: USAGE, NOMEM. */
enum err_code projection_places(const struct context *c, int64_t max_procs,
				struct projection_place **out, size_t *n, struct err *e);

#endif
