#ifndef API_MODEL_QUESTION_H
#define API_MODEL_QUESTION_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"
#include "domain/machine.h"
#include "ingest/config_reader.h" /* tables of configurations are asked about row by row */
#include "models/cluster_speedup.h"
#include "models/model_list.h"
#include "mining/predictor/predictor.h"
#include "api/session.h"

struct task_wg;

/* A question to a model: a configuration, times per cell and angle, a machine's message
 * costs. */
struct model_question {
	const struct model *model;
	struct application *app;
	struct machine *machine;
	int64_t app_id, machine_id; /* 0: not in a base */
	/* Mined from the machine's runs; NULL: nothing was, or it was not asked for. */
	struct predictor *predictor;
	bool wg_is_mined; /* Wg is the predictor's, else what was given */
	double *row;	  /* n_columns, as asked; complete after configure */
	struct message_cost remote, local;
	bool has_remote, has_local;
	struct model_input input; /* but for the sweep */
	struct task_wg *task_wg;  /* where Wg comes from for each sweep; NULL: it was given */
	bool has_wg_fixup;
};

void model_question_release(struct model_question *q);

/* Take a configuration (a row like q->row) into q->input.sweep and q->input.run; Wg too, where it
 * is mined. Errors: ARG (incomplete or illegal: says why). */
enum err_code model_question_configure(struct model_question *q, double *row, struct err *e);

/* Can a wavefront model be asked about the application? Errors: ARG (says why not). */
enum err_code model_question_check(const struct application *a, struct err *e);
/* Message costs of q->machine: as given, else as calibrated in the base. Errors: NODATA (it has
 * none). */
enum err_code model_question_costs(struct session *session, struct model_question *q,
				   struct err *e);
/* What was mined, into q->predictor, where there is something: what support is judged by. A warning
 * says that it is old. */
enum err_code model_question_load_mined(struct session *session, struct model_question *q,
					struct err *e);
/* As model_question_load_mined(), and Wg is its from now on. Errors: NOTMINED. */
enum err_code model_question_mined(struct session *session, struct model_question *q,
				   struct err *e);

/* Column indexes of the processor grid and of what one processor forces. */
struct model_columns {
	size_t npe_i, npe_j, mk, kt, mmi, mm, it_g, jt_g;
};
struct model_columns model_question_columns(const struct model_question *q);

/* row[n_columns]: q->row on a grid of npe_i x npe_j processors, configured. On one the program
 * itself makes a single block of everything. Errors: ARG. */
enum err_code model_question_set_grid(struct model_question *q, int64_t npe_i, int64_t npe_j,
				      double *row, struct err *e);
/* The question on so many processors, in the most nearly square grid. Errors: ARG. */
enum err_code model_question_set_procs(struct model_question *q, int64_t procs, double *row,
				       struct err *e);
/* For those who choose the grid themselves. Errors: USAGE (the question has one). what: "a
 * projection". */
enum err_code model_question_refuse_grid(const struct model_question *q, const char *what,
					 struct err *e);

/* A program on a cluster with units of several kinds (Kredel et al. 2013, see cluster_speedup.h).
 */
struct unit_program {
	double ops, x_bytes, bc_bytes_per_s;
};

struct unit_study {
	struct unit_of_study {
		double omega;	  /* the share of all operations that one unit of the kind does */
		double x;	  /* its time alone over that of the data; NaN: there are none */
		double compute_s; /* what it computes for */
	} * kind;		  /* as many as were asked about */
	struct mixed_speedup all;
};

/* Errors: those of cluster_speedup_mixed(), NOMEM. */
enum err_code unit_study_make(const struct unit_kind *kind, size_t n_kinds,
			      const struct unit_program *p, struct unit_study *out, struct err *e);
void unit_study_release(struct unit_study *s);

#endif
