#ifndef MINING_PREDICTOR_KIND_H
#define MINING_PREDICTOR_KIND_H
#include <stdbool.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "mining/training/config_table.h"
#include "mining/training/fit_input.h"
#include "mining/gp/gaussian_process.h"
#include "domain/breakdown.h"

/* What one kind of predictor supplies: the median time of a configuration. predictor.c adds
 * support, residuals and storage around it. A new kind is one file with one of these, and one
 * entry in the table of predictor.c. */

enum { PREDICTOR_KIND_MAX_FEATURES = 11 };

/* A deviation of ln time by unit of ln beyond the range seen: what a structure may be off there; a
 * trend without structure twice that. */
#define STRUCTURE_DRIFT 0.05

struct predictor_kind {
	const char *name;
	const char *title; /* for people */
	bool structural;   /* always has a breakdown, can be transferred to another machine */

	bool (*applies)(const struct application *app);
	/* in->runs is not looked at: t is what to fit. like (may be NULL) is the state of a fit to
	 * more runs, whose structure (which terms, which step) is kept: for held-out fits. */
	enum err_code (*fit)(const struct config_table *t, const struct fit_input *in,
			     const void *like, void **state, struct err *e);
	/* time_s[0..n-1], each finite and > 0. */
	void (*predict)(const void *state, const double *x, size_t n, size_t n_columns,
			double *time_s);
	/* predict() of one row, and in little more time *epistemic_sd: the posterior standard
	 * deviation of log time, of what the model does not know, without the noise of repeats.
	 * NULL: that is not known. */
	double (*predict_with_sd)(const void *state, const double *row, double *epistemic_sd);
	/* The standard deviation of log time that the coefficients of the trend leave open: what
	 * the runs cannot tell. NULL: the trend counts as known. */
	double (*trend_sd)(const void *state, const double *row);
	/* The part of it that runs all around a row would leave open, too: columns and pairs of
	 * levels that did not vary, drift beyond the range. NULL: all of it. */
	double (*untried_sd)(const void *state, const double *row);
	/* Of a fit: the noise of log time that is likely where runs are too few to tell it, and
	 * that residuals count at least; 0: they tell it. NULL: always 0. */
	double (*few_runs_noise)(const void *state);
	/* A missing value of a column that had one value in all runs becomes that. NULL: none does.
	 */
	void (*fill_constants)(const void *state, double *row);
	/* What runs nearby say beyond predict(), in log time, at most max_correction in size.
	 * predictor.c believes it as far as held-out runs bear it out. *epistemic_sd as above; a
	 * NULL saves half of the time. NULL: predict() says all. */
	double (*correction)(const void *state, const double *row, double *epistemic_sd);
	double (*max_correction)(const void *state);
	/* See correction_bound in predictor.h. least: no correction of a complete row is lower.
	 * NULL, or *out NULL: -max_correction is. Sharp costs more where little was asked. Threads
	 * may share it. */
	enum err_code (*corrections_new)(const void *state, void **out, struct err *e);
	double (*corrections_least)(void *corrections, const double *row, bool sharp);
	void (*corrections_free)(void *corrections);
	double (*lower_bound)(const void *state, const double *row); /* NULL: 0 */
	/* See tuning_bound in predictor.h; NULL: lower_bound() serves. least_s: -1 out of memory.
	 */
	enum err_code (*tunings_new)(const void *state, const double *rows, size_t n,
				     size_t n_columns, void **tunings, struct err *e);
	double (*tunings_least_s)(void *tunings, const double *row);
	/* Of each tuning: no row of it takes less, or has a lower correction, than this.
	 * corrections may be NULL. NULL, or false: that is not known. */
	bool (*tunings_each)(void *tunings, void *corrections, const double *row, double *least_s,
			     double *least_correction);
	/* A sharper least correction of tuning k on the row that tunings_each() was last asked
	 * about, with the same corrections, which are not NULL. It costs more. NULL: none is known.
	 */
	double (*tunings_correction)(void *tunings, void *corrections, const double *row, size_t k);
	void (*tunings_free)(void *tunings);
	/* All 0: not known here. NULL: never. */
	void (*breakdown)(const void *state, const double *row, struct breakdown *out);
	/* What support is judged by: at most PREDICTOR_KIND_MAX_FEATURES positive numbers, and
	 * their count. The first n are compared in pairs (see applicability_domain.h). */
	size_t (*features)(const void *state, const double *row, double *out);
	const char *(*feature_name)(const void *state, size_t i);
	/* Was this level of a text column run? true also where there are more than are known. NULL:
	 * that is not known. */
	bool (*level_was_run)(const void *state, size_t column, double code);
	/* What a Gaussian process over this model's residuals varies with, see hybrid.c; NULL: none
	 * is made. z[n_inputs] and factor[n_factors] of the design. */
	void (*residual_design)(const void *state, struct gp_design *out);
	void (*residual_point)(const void *state, const double *row, double *z, double *factor);
	/* What its structural part was chosen from; NULL: nothing was to choose. */
	const struct structure_choice *(*structure)(const void *state);
	void (*explain)(const void *state, struct strbuf *out);
	enum err_code (*store)(const void *state, struct kb_fit *fit, struct err *e);
	enum err_code (*load)(const struct kb_fit *fit, const struct application *app, void **state,
			      struct err *e);
	enum err_code (*transfer)(const void *state, const struct machine *machine,
				  double wg_factor, void **out,
				  struct err *e); /* NULL: not possible */
	void (*free)(void *state);
};

extern const struct predictor_kind predictor_kind_hybrid;
extern const struct predictor_kind predictor_kind_wavefront;
extern const struct predictor_kind predictor_kind_gaussian_process;
extern const struct predictor_kind predictor_kind_log_quadratic;
extern const struct predictor_kind predictor_kind_power_law;

#endif
