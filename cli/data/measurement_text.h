#ifndef CLI_MEASUREMENT_TEXT_H
#define CLI_MEASUREMENT_TEXT_H
#include "api/machine_measurement.h"
#include "cli/frame/context.h"

/* `lemnos calibrate --run`: what was measured, for people, as CSV (the costs of messages) or as
 * JSON. Errors: NOMEM. */
enum err_code measurement_print(const struct context *c, const struct machine_measurement *m,
				struct err *e);

#endif
