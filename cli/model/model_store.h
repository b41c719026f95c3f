#ifndef CLI_MODEL_STORE_H
#define CLI_MODEL_STORE_H
#include "api/import_runs.h"
#include "cli/model/model_options.h"

/* Modelled runs of a question to a wavefront model (--store): with each run the model and the times
 * per cell and angle that it was given are kept. */
struct model_store {
	const struct model_question *question;
	struct generated_runs runs;
	struct strbuf origin;
};

/* Errors: ARG (the times of this model are another code's than the application's), NOMEM. */
enum err_code model_store_begin(struct context *c, const struct model_question *q,
				struct model_store *out, struct err *e);
/* The answer of q->model to what q was last configured with, by this row. */
void model_store_add(struct model_store *s, const double *row, const struct sweep_time *time);
/* Errors: those of generated_runs_store(). */
enum err_code model_store_finish(struct context *c, struct model_store *s, struct err *e);
void model_store_release(struct model_store *s);

#endif
