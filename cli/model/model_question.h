#ifndef CLI_MODEL_QUESTION_H
#define CLI_MODEL_QUESTION_H
#include <stdbool.h>
#include "base/err.h"
#include "cli/frame/context.h"
#include "mining/predictor/predictor.h"
#include "models/model_list.h"

struct task_wg;

/* What `lemnos model` asks a model: a configuration, times per cell and angle, a machine's message
 * costs. */
struct model_question {
	const struct model *model;
	struct application *app;
	struct machine *machine;
	int64_t app_id, machine_id; /* 0: not in a base */
	/* Mined from the machine's runs; NULL: nothing was, or it was not asked for. */
	struct predictor *predictor;
	bool wg_is_mined; /* Wg is the predictor's, else what --wg says */
	double *row;	  /* n_columns, of model_question_read_row(); complete after configure */
	struct message_cost remote, local;
	bool has_remote, has_local;
	struct model_input input; /* but for the sweep */
	struct task_wg *task_wg;  /* where Wg comes from for each sweep; NULL: it was given */
	bool has_wg_fixup;
};

extern const struct option_spec opt_wg, opt_wg_fixup, opt_wg_pre, opt_nonwavefront, opt_tile,
	opt_w_before, opt_w_after;

/* Everything but the configuration. Errors: USAGE, NOTFOUND, ARG. */
enum err_code model_question_read(struct context *c, const char *model, struct model_question *out,
				  struct err *e);
/* The same for who brings the times: no model, Wg stays 0. Errors: USAGE, NOTFOUND, ARG. */
enum err_code model_question_read_untimed(struct context *c, struct model_question *out,
					  struct err *e);
void model_question_release(struct model_question *q);

/* q->row from the command line. Errors: those of context_configuration(). */
enum err_code model_question_read_row(struct context *c, struct model_question *q, struct err *e);

/* The same but for the problem, which the caller fills in. */
enum err_code model_question_read_growing(struct context *c, struct model_question *q,
					  struct err *e);

/* Take a configuration (a row like q->row) into q->input.sweep and q->input.run; Wg too, where it
 * is mined. Errors: ARG
 * (incomplete or illegal: says why). */
enum err_code model_question_configure(struct model_question *q, double *row, struct err *e);

/* The pieces of model_question_read(), for who finds application, machine and Wg in another way. */

/* q->app by its name: the base's, else the one that ships. Errors: NOTFOUND, ARG (no wavefront). */
enum err_code model_question_application(struct context *c, const char *name,
					 struct model_question *q, struct err *e);
/* Message costs of q->machine: as given, else as calibrated in the base. Errors: NODATA (it has
 * none). */
enum err_code model_question_costs(struct context *c, struct model_question *q, struct err *e);
/* --wg and --wg-fixup. Errors: USAGE. */
enum err_code model_question_wg(struct context *c, struct model_question *q, struct err *e);
/* What was mined, into q->predictor, where there is something: what support is judged by. A warning
 * says that it is old. */
enum err_code model_question_load_mined(struct context *c, struct model_question *q, struct err *e);
/* The same, and Wg is its from now on. Errors: NOTMINED. */
enum err_code model_question_mined(struct context *c, struct model_question *q, struct err *e);
/* All other options, and room for the row. Errors: USAGE. */
enum err_code model_question_options(struct context *c, struct model_question *q, struct err *e);

/* Column indexes of the processor grid and of what one processor forces. */
struct model_columns {
	size_t npe_i, npe_j, mk, kt, mmi, mm, it_g, jt_g;
};
struct model_columns model_question_columns(const struct model_question *q);

/* row[n_columns]: q->row on a grid of npe_i x npe_j processors, configured. On one the program
 * itself makes a single block of everything. Errors: ARG. */
enum err_code model_question_set_grid(struct model_question *q, int64_t npe_i, int64_t npe_j,
				      double *row, struct err *e);
/* The same on so many processors, in the most nearly square grid. Errors: ARG. */
enum err_code model_question_set_procs(struct model_question *q, int64_t procs, double *row,
				       struct err *e);
/* For those who choose the grid themselves. Errors: USAGE (the question has one). what: "a
 * projection". */
enum err_code model_question_refuse_grid(const struct model_question *q, const char *what,
					 struct err *e);

#endif
