#ifndef CLI_MODEL_DEFINITIONS_H
#define CLI_MODEL_DEFINITIONS_H
#include <stdint.h>
#include "base/err.h"
#include "cli/frame/context.h"

/* Where `lemnos model` finds applications and machines: in the knowledge base or, where there is
 * none or it does not know the name, among those that ship. *out is the caller's to free; *id is 0
 * of what is not in the base. */

/* A base is welcome, not needed: c->session.kb, or NULL where there is no such file. */
enum err_code model_definitions_open_base(struct context *c, struct err *e);
/* The one that is meant (--app, ...); opens the base. Without a base and a name: sweep3d.
 * Errors: USAGE, NOTFOUND, those of its file. */
enum err_code model_definitions_application(struct context *c, struct application **out,
					    int64_t *id, struct err *e);
/* The one of that name. Errors: NOTFOUND, those of its file. */
enum err_code model_definitions_named(struct context *c, const char *name, struct application **out,
				      int64_t *id, struct err *e);
/* The machine that is meant for the application. Errors: USAGE, NOTFOUND, those of its file. */
enum err_code model_definitions_machine(struct context *c, int64_t app_id, struct machine **out,
					int64_t *id, struct err *e);

#endif
