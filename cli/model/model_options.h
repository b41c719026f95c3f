#ifndef CLI_MODEL_OPTIONS_H
#define CLI_MODEL_OPTIONS_H
#include <stdbool.h>
#include <stdint.h>
#include "api/model_question.h"
#include "api/simulation.h"
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

/* A question to a model (model_question.h) from the command line. */

extern const struct option_spec opt_wg, opt_wg_fixup, opt_wg_pre, opt_nonwavefront, opt_tile,
	opt_w_before, opt_w_after;

/* Everything but the configuration. Errors: USAGE, NOTFOUND, ARG. */
enum err_code model_question_read(struct context *c, const char *model, struct model_question *out,
				  struct err *e);
/* A question whose times are given: no model, Wg stays 0. Errors: USAGE, NOTFOUND, ARG. */
enum err_code model_question_read_untimed(struct context *c, struct model_question *out,
					  struct err *e);
/* q->row from the command line. Errors: those of context_configuration(). */
enum err_code model_question_read_row(struct context *c, struct model_question *q, struct err *e);

/* q->row without the problem, which the caller fills in. */
enum err_code model_question_read_growing(struct context *c, struct model_question *q,
					  struct err *e);

/* The pieces of model_question_read(), for who finds application, machine and Wg in another way. */

/* q->app by its name: the base's, else the one that ships. Errors: NOTFOUND, ARG (no wavefront). */
enum err_code model_question_application(struct context *c, const char *name,
					 struct model_question *q, struct err *e);
/* --wg and --wg-fixup. Errors: USAGE. */
enum err_code model_question_wg(struct context *c, struct model_question *q, struct err *e);
/* All other options, and room for the row. Errors: USAGE. */
enum err_code model_question_options(struct context *c, struct model_question *q, struct err *e);

/* `lemnos model smpi`: which program is simulated, and how. */
extern const struct option_spec opt_smpi_program, opt_smpi_args, opt_smpi_cpu_scale, opt_smpi_keep;

/* From the options. Errors: IO (SimGrid is not here, or our program was built without it: says what
 * to install), USAGE (options that do not go together). */
enum err_code simulation_open(struct context *c, struct simulation *out, struct err *e);

/* Does the computation take Wg, which the question must then have? */
bool simulation_takes_wg(const struct context *c);

#endif
