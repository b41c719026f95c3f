#ifndef CLI_SIMULATION_OPTIONS_H
#define CLI_SIMULATION_OPTIONS_H
#include <stdbool.h>
#include "api/simulation.h"
#include "base/err.h"
#include "cli/frame/context.h"

extern const struct option_spec opt_smpi_program, opt_smpi_args, opt_smpi_cpu_scale, opt_smpi_keep;

/* From the options. Errors: IO (SimGrid is not here, or our program was built without it: says what
 * to install), USAGE (options that do not go together). */
enum err_code simulation_open(struct context *c, struct simulation *out, struct err *e);

/* Does the computation take Wg, which the question must then have? */
bool simulation_takes_wg(const struct context *c);

#endif
