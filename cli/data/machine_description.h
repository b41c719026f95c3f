#ifndef CLI_MACHINE_DESCRIPTION_H
#define CLI_MACHINE_DESCRIPTION_H
#include <stdint.h>
#include "base/err.h"
#include "cli/frame/context.h"
#include "domain/machine.h"

/* `machines show`: what is known about a machine, and its message costs, given or fitted. CSV has
 * no message costs. */
enum err_code machine_description_print(struct context *c, const struct machine *m, int64_t id,
					struct err *e);

#endif
