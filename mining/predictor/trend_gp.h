#ifndef MINING_TREND_GP_H
#define MINING_TREND_GP_H
#include <stdbool.h>
#include <stdint.h>
#include "mining/gp/gaussian_process.h"
#include "mining/predictor/log_polynomial.h"
#include "mining/predictor/trend_posterior.h"
#include "mining/training/fit_input.h"
#include "mining/training/holdout.h"
#include "mining/numerics/posynomial.h"
#include "mining/structure/terms_model.h"

/* The predictor "gaussian-process", for applications without a structural model: a sum of power
 * laws in the columns, and a Gaussian process on what that leaves of log time. This is its state,
 * for trend_gp.c (fit and use) and trend_gp_store.c. */

/* A column as an input of the process: its place on its scale, or that of a level among those
 * seen. */
struct gp_input {
	size_t column;
	double shift;
	double missing; /* what stands for a missing value: the middle of the range seen */
	enum column_scale scale;
	bool categorical;
};

/* Why terms stand in the trend's place, or do not: held-out errors, medians of
 * |predicted / measured - 1|, trend and terms, each with its process, by more processors and by
 * configurations. NaN: too little was held out. */
struct terms_choice {
	bool tried;
	double trend[2], terms[2];
};

struct trend_gp {
	struct log_polynomial *columns; /* which, with their ranges and levels; of degree 1 */
	struct posynomial trend;
	struct trend_posterior posterior; /* of the trend's exponents */
	/* What stands in the trend's place: the terms of the definition, where held-out runs prefer
	 * them. NULL: the trend does. */
	bool with_terms;
	struct terms_model *terms;
	struct terms_choice choice;
	size_t n_inputs;
	struct gp_input input[GP_MAX_INPUTS];
	/* Of input[], the one that scales the machine, nodes or processors. It enters as the log of
	 * all workers, so with the logs of what else multiplies them: processes per node, threads.
	 * Corrections may be linear in it, which carries them beyond the largest seen. n_inputs:
	 * none. */
	size_t scaling;
	uint32_t workers;	       /* bit i: input i multiplies it */
	double scaling_lo, scaling_hi; /* as seen, log scale */
	struct gaussian_process *gp;
};

void trend_gp_free(void *state);
/* A whole fit, on the terms of t's application or, whatever it has, on power laws: for who compares
 * the two. Errors: NODATA, NUMERIC, NOMEM. */
enum err_code trend_gp_fit_whole(const struct config_table *t, bool with_terms,
				 struct trend_gp **out, struct err *e);
/* The trend and the process of m, all else of it being set, from t; hyperparameters are `hyper`, or
 * chosen (NULL). like: as in struct predictor_kind. What m had of both is freed. Errors: NUMERIC,
 * NOMEM. */
enum err_code trend_gp_fit_parts(const struct config_table *t, const struct trend_gp *like,
				 const struct gp_hyper *hyper, struct trend_gp *m, struct err *e);
/* trend is a whole fit without terms to t, terms one with them. Returns whether terms are better
 * in both ways. Errors: NUMERIC, NOMEM, INTERRUPTED. */
enum err_code terms_choose(const struct config_table *t, const struct fit_input *in,
			   const struct trend_gp *trend, const struct trend_gp *terms,
			   struct terms_choice *out, bool *better, struct err *e);
/* " Terms ...": a sentence, nothing where the definition has none. */
void terms_choice_explain(const struct terms_choice *c, bool with_terms, struct strbuf *out);
/* The trend alone, on the scales that the columns have in `like`, with its posterior and without a
 * process. Errors: NODATA, NUMERIC, NOMEM. */
enum err_code trend_gp_fit_trend(const struct config_table *t, const struct log_polynomial *like,
				 struct trend_gp **out, struct err *e);
/* log time of the trend, or of the terms. */
double trend_gp_trend_log(const struct trend_gp *m, const double *row);
/* The deviation of log time that the trend or the terms leave open. */
double trend_gp_trend_sd(const struct trend_gp *m, const double *row);
/* log time at a row, and the standard deviation of all that is not known of it (NULL: not asked).
 */
double trend_gp_log_time(const struct trend_gp *m, const double *row, double *epistemic_sd);
/* The same as if none of something were the least of all amounts (trend_gp_none_apart()). */
double trend_gp_log_time_by_scale(const struct trend_gp *m, const double *row,
				  double *epistemic_sd);
/* A fit to the finished runs of t, fitted anew so that it is not below the limits of configurations
 * that never finished (trend_gp_limits.c). like: as above. */
enum err_code trend_gp_obey_limits(const struct config_table *t, const struct trend_gp *like,
				   struct trend_gp *m, struct err *e);

/* ---- trend_gp_scales.c ---- */

/* The scale of each column of the problem, and which others may hold as well. *columns, fitted to t
 * on ln x, is fitted anew where one has another scale. Errors: NUMERIC, NOMEM. */
enum err_code trend_gp_choose_scales(const struct config_table *t, struct log_polynomial **columns,
				     struct err *e);
/* Deviation of log time beyond the runs, as runs cannot tell which scale holds; 0 within them. */
double trend_gp_scale_sd(const struct trend_gp *m, const double *row);
/* What it changes that 0 of a column of the problem may be another matter than little of it: where
 * 0 was run, between it and the least that was run above it, and beyond the most; where not, at 0.
 * Without memory log_ratio is 0 and sd the most there is. */
struct none_apart {
	double log_ratio; /* of the time to that on its scale */
	double sd;	  /* of log time */
};
struct none_apart trend_gp_none_apart(const struct trend_gp *m, const double *row);
/* " Beyond the runs time goes by a factor with each step of level.": a sentence; nothing where all
 * are powers. */
void trend_gp_explain_scales(const struct log_polynomial *columns, struct strbuf *out);
/* Set workers from what else is set. */
void trend_gp_find_workers(struct trend_gp *m);

/* As in struct predictor_kind. */
enum err_code trend_gp_store(const void *state, struct kb_fit *fit, struct err *e);
enum err_code trend_gp_load(const struct kb_fit *fit, const struct application *app, void **state,
			    struct err *e);

#endif
