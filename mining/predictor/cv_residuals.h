#ifndef MINING_CV_RESIDUALS_H
#define MINING_CV_RESIDUALS_H
#include <stdint.h>
#include <stddef.h>

#include "mining/training/holdout.h"
#include "mining/predictor/predictor_state.h"
#include "base/err.h"
#include "domain/application.h"
#include "mining/training/config_table.h"

/* Held-out residuals: how far off fits to parts of the runs are on the rest. Told apart by the
 * support that the training runs gave each prediction: what is said of a prediction "outside" was
 * learned from predictions outside. */
struct residual {
	double off;			/* log(measured / predicted without correction) */
	double correction;		/* that was offered, so near to what was seen */
	double epistemic_sd;		/* INFINITY: too far from it to say */
	double trend_sd;		/* see struct prediction */
	double extrapolation_inflation; /* of its spread, for the distance */
	double behind;	   /* log(predicted / best of its alternatives) >= 0; NaN: not compared */
	const double *row; /* of its configuration, as long as the table that was held out of */
	enum support support;
	enum holdout way; /* in which its run was held out */
	bool is_bound;	  /* the run was cut at its limit: off is at least that */
	enum run_source source;
};

/* Many of them: the runs of one configuration in one fold differ in `off` alone, and what else is
 * said of them is kept once. */
struct residuals {
	double *off;
	uint32_t *which;       /* of said[] */
	struct residual *said; /* .off is without meaning */
	size_t n, cap, n_said, cap_said;
	/* By enum support. */
	size_t n_of[3];	    /* of runs that finished */
	size_t n_bounds[3]; /* of runs that were cut */
};

void residuals_release(struct residuals *all);
/* false: out of memory. */
bool residuals_add(struct residuals *all, const struct residual *r);

static inline struct residual residuals_at(const struct residuals *all, size_t i)
{
	struct residual r = all->said[all->which[i]];

	r.off = all->off[i];
	return r;
}

/* Of fits to parts of t like p's, grouped: whole configurations, whole problems, the most
 * processors, the largest problems; where so few runs are that no fold can be held out, of p's own
 * fit (*in_sample). Where enough of the best source are among them (source_weights.h), only those:
 * the next run is no formula's. Errors: INTERRUPTED, NOMEM. */
enum err_code held_out_residuals(const struct predictor *p, const struct config_table *t,
				 const struct fit_input *in, struct residuals *all, bool *in_sample,
				 struct err *e);

/* What of a row was new to the fit that it was held out of. */
struct new_values {
	unsigned char n;     /* how many of its values: 0, 1 or 2 */
	unsigned char group; /* rows with the same n, and the same value or values new, have one */
};
enum { NEW_VALUE_GROUPS = 2 * LEVEL_FOLDS };
/* Of fits that left out whole levels of p->levels (level_fold), those of the runs left out.
 * is_new[i]: of all->off[i]; the caller frees it. Runs that were cut do not count. Errors:
 * INTERRUPTED, NOMEM. */
enum err_code new_level_residuals(const struct predictor *p, const struct config_table *t,
				  const struct fit_input *in, struct residuals *all,
				  struct new_values **is_new, struct err *e);

/* The optimism of a choice, or winner's curse. What is predicted to be the fastest of many is
 * partly so because its prediction errs towards fast: the best of predictions that are right on
 * average is too good (Capen, Clapp, Campbell, J. Petroleum Technology 23(6), 1971; Smith, Winkler,
 * Management Science 52(3), 2006). How much depends on how many there are, how alike they are and
 * how wrong the predictions, so it is measured: a configuration that was held out is compared with
 * what its fold predicts for other tunables on the same problem and resources. How far it stands
 * behind the best of them, in units of the spread, is its gap; where the gap is 0 it would have
 * been chosen. The line
 *
 *	residual / spread = a + b exp(-gap)
 *
 * through all of them, or through an even sample of many (least squares), says what is expected of
 * a chosen one more than of all. */

enum { TUNABLE_SETTINGS = 16 };
/* Up to TUNABLE_SETTINGS settings of the tunables, as rows of t. */
struct tunable_settings {
	const struct config_table *t;
	size_t n;
	size_t config[TUNABLE_SETTINGS];
};

/* Settings that differ from each other, in the order of t. None where the application has no
 * tunables. */
void tunable_settings_find(const struct config_table *t, struct tunable_settings *out);
/* Row k of them at the problem and resources of `row`: out[n_columns], derived. false: that is not
 * legal there. */
bool tunable_settings_row(const struct tunable_settings *a, size_t k, const double *row,
			  double *out);

/* Where one configuration stood, and how far off it was, in units of the spread. */
struct optimism_point {
	double gap; /* >= 0 */
	double off; /* of its runs, the mean */
};
/* In units of the spread, 0 or more: the line's value at gap 0 less the mean over all, shrunk by
 * how well it is known (positive-part James-Stein: 1 - (se / value)^2). 0 where there are fewer
 * than OPTIMISM_LEAST points. */
enum { OPTIMISM_LEAST = 8 };
double optimism_of(const struct optimism_point *x, size_t n);

#endif
