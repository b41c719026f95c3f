#ifndef CLI_MODEL_OPTIONS_H
#define CLI_MODEL_OPTIONS_H
#include "api/model_question.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* A question to a model (model_question.h) from the command line. */

extern const struct option_spec opt_wg, opt_wg_fixup, opt_wg_pre, opt_nonwavefront, opt_tile,
	opt_w_before, opt_w_after;

/* Everything but the configuration. Errors: USAGE, NOTFOUND, ARG. */
enum err_code model_question_read(struct context *c, const char *model, struct model_question *out,
				  struct err *e);
/* The same for who brings the times: no model, Wg stays 0. Errors: USAGE, NOTFOUND, ARG. */
enum err_code model_question_read_untimed(struct context *c, struct model_question *out,
					  struct err *e);
/* q->row from the command line. Errors: those of context_configuration(). */
enum err_code model_question_read_row(struct context *c, struct model_question *q, struct err *e);

/* The same but for the problem, which the caller fills in. */
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

#endif
