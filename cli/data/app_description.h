#ifndef CLI_APP_DESCRIPTION_H
#define CLI_APP_DESCRIPTION_H
#include <stdio.h>
#include "base/err.h"
#include "cli/frame/output.h"
#include "domain/application.h"

/* `apps show`: columns with role, flag and range, group flags, what is legal. CSV has the columns
 * only. */
enum err_code app_description_print(const struct application *a, enum out_format format, FILE *f,
				    struct err *e);

#endif
