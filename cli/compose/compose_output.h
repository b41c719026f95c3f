#ifndef CLI_COMPOSE_OUTPUT_H
#define CLI_COMPOSE_OUTPUT_H
#include <stddef.h>
#include "base/err.h"
#include "cli/compose/composed_model.h"

/* What `lemnos model compose` prints: what was chosen and why, and what it computes. Of several,
 * level[0] is what the others are compared with; one that failed has no parts (parts NULL). */
enum err_code compose_print(const struct context *c, const struct composed_model *level, size_t n,
			    struct err *e);

#endif
