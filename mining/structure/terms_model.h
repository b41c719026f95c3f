#ifndef MINING_TERMS_MODEL_H
#define MINING_TERMS_MODEL_H
#include "base/strbuf.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* The structure that the terms of a definition give (domain/application.h):
 *
 *	log t = log sum_k theta_k phi_k + use + effects of texts + smooth corrections
 *
 * theta_k >= 0 is the cost of term k; `use` is one number for each kind of node use that was seen
 * (processes a node with threads: what shares memory and network is no sum of terms), smooth
 * corrections are quadratics in the logs of the columns that are no resources, constant beyond the
 * range seen. Fitted robustly (soft L1 on log time), all but theta under a small ridge, so that
 * terms explain what they can. A term that the runs have no use for ends at a cost of
 * next to nothing. */

enum {
	TERMS_MAX_USES = 64,
	TERMS_MAX_LEVELS = 64,
	TERMS_MAX_SMOOTH = 16,
	TERMS_MAX_PARAMS =
		APPLICATION_MAX_TERMS + TERMS_MAX_USES + TERMS_MAX_LEVELS + 2 * TERMS_MAX_SMOOTH
};

/* Prior deviations, ln time: of a kind of node use, of a level of a text, of a smooth correction at
 * either end of a column's range. Of a cost 1, in units of that which explains all of the typical
 * run. */
#define TERMS_USE_SD 0.3
#define TERMS_LEVEL_SD 0.7
#define TERMS_SMOOTH_SD 0.01

struct terms_model {
	const struct application *app; /* borrowed */
	size_t n_terms;
	double unit[APPLICATION_MAX_TERMS];  /* phi of the typical run over its time: theta unit = 1
						there */
	double theta[APPLICATION_MAX_TERMS]; /* >= 0, of phi / unit */
	size_t n_uses;
	struct node_use {
		double ppn, threads, shift; /* NaN: no such column, or none that varied */
	} use[TERMS_MAX_USES];
	size_t n_levels;
	struct term_level {
		size_t column;
		double code, effect;
	} level[TERMS_MAX_LEVELS];
	size_t n_smooth;
	struct smooth_correction {
		size_t column;
		double lo, hi;	       /* ln of the range seen */
		double linear, square; /* of -1 to 1 over it */
	} smooth[TERMS_MAX_SMOOTH];
	size_t n_params; /* terms, uses, levels, two of each smooth correction */
	double *factor;	 /* of the posterior (Laplace), see linear_posterior.h */
	double scale;	 /* robust spread of the residuals, log time */
};

/* Errors: NODATA (a term is no cost on a run, or too few runs), NUMERIC, NOMEM. */
enum err_code terms_model_fit(const struct config_table *t, struct terms_model **out,
			      struct err *e);
void terms_model_free(struct terms_model *m);

/* Log time at a row; NaN: the row is not complete, or a term is no cost there. */
double terms_model_log(const struct terms_model *m, const double *row);
/* The shares of time that terms of computation and of communication have at a row; false: as NaN
 * above. */
bool terms_model_shares(const struct terms_model *m, const double *row, double *compute,
			double *communication);
/* The deviation of log time that costs and shifts leave open; NaN as above. */
double terms_model_sd(const struct terms_model *m, const double *row);

/* A sentence on what was fitted. */
void terms_model_explain(const struct terms_model *m, struct strbuf *out);

/* Numbers "terms_...", and back. Errors: NOMEM; of load also NOTMINED (incomplete, or of other
 * terms than the definition now has). */
enum err_code terms_model_store(const struct terms_model *m, struct kb_fit *fit, struct err *e);
enum err_code terms_model_load(const struct kb_fit *fit, const struct application *app,
			       struct terms_model **out, struct err *e);

#endif
