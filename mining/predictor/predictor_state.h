#ifndef MINING_PREDICTOR_STATE_H
#define MINING_PREDICTOR_STATE_H
#include "mining/training/batch_effect.h"
#include "mining/training/holdout.h"
#include "mining/training/level_shifts.h"
#include "mining/training/number_kinds.h"
#include "mining/training/predictor_kind.h"
#include "mining/predictor/chance_failures.h"
#include "mining/predictor/failing_demands.h"
#include "mining/predictor/noise_group.h"
#include "mining/predictor/predictor.h"
#include "mining/predictor/predictor_rules.h"
#include "mining/predictor/residual_table.h"
#include "mining/predictor/slow_runs.h"
#include "mining/predictor/source_weights.h"
#include "mining/predictor/applicability_domain.h"
#include "mining/predictor/time_limits.h"

/* The inside of struct predictor, for predictor.c and the files predictor_*.c beside it. */
struct predictor {
	const struct application *app; /* borrowed */
	const struct predictor_kind *kind;
	void *state;
	struct applicability_domain map;
	/* By enum support: how far the kind's corrections are believed, 0 to 1, and how far
	 * held-out runs were off, in units of the spread where it was predicted. */
	double shrinkage[3];
	struct residual_table table[3];
	struct predictor_error error[3]; /* of the same runs, in log time; n = 0: none */
	double residual_sd; /* where the kind has no epistemic_sd; 1 for kinds that tell none */
	double max_epistemic_sd;   /* more than was seen on held-out runs counts as that */
	struct time_limits limits; /* of configurations that never finished */
	struct slow_runs slow;	   /* that the fit does not explain; none of a structure */
	struct chance_failures failures;
	struct failing_demands demands;
	/* How many of a question's values are new among the levels of the runs, and what that adds
	 * to trend_sd: one, two or more. */
	struct level_columns levels;
	double newness_sd[2];
	struct number_kinds numbers;   /* none where a structure tells what lies between */
	struct level_shifts shifts;    /* that were taken off the times; none of a structure */
	struct batch_effect batches;   /* from import to import, beside the noise */
	struct system_changes changes; /* that the times it was fitted to allow for */
	struct circumstance beside;    /* that nobody asks about */
	/* What is expected of a prediction that was chosen more than of others, in units of the
	 * spread (cv_residuals.h), and whether predictions are made to be chosen from. */
	double optimism;
	bool for_choice;
	struct noise_group noisy; /* whose runs scatter more */
	double noise;		  /* from repeat to repeat, log time; NaN: no repeats */
	double tick_s;		  /* of a clock too coarse for the shortest runs; 0: none */
	size_t n_runs;
	struct source_share source[SOURCE_COUNT];
	bool transferred; /* to a machine without runs */
	char *explanation;
	struct predictor_rules *rules; /* NULL: none */
	char *rules_explanation;       /* explanation with the rules; NULL: none */
};

/* sqrt((factor residual_sd)^2 + epistemic_sd^2): what residuals at a row are in units of, factor
 * that of its noise group. */
double predictor_spread(const struct predictor *p, double noise_factor, double epistemic_sd);

/* log(time / time_s) at prob, by the table of at's support. */
double predictor_log_quantile(const struct residual_table *t, const struct prediction *at,
			      double prob);

/* Where a row lies among those that were seen. */
struct predictor_place {
	enum support support;
	double extrapolation_inflation; /* of residuals */
	double locality_weight;		/* 0: runs nearby say nothing */
	double beyond;			/* of applicability_domain_judge() */
	double shrinkage;		/* in corrections */
	size_t n_missing;
};
/* Of a NaN feature the best is assumed: no completion of the row has better support, less widening
 * or more shrinkage. */
struct predictor_place predictor_place(const struct predictor *p, const double *row);
/* In less time, where support may be better than it is, and shrinkage is the most that support as
 * good or worse has: for bounds. */
struct predictor_place predictor_best_place(const struct predictor *p, const double *row);

/* Support is joint: a point within each range, and near runs pair by pair, is still outside where
 * the trend is not known to a factor of 1.28, as along columns that always moved together. Among
 * runs, where all features together are as near to one as runs are to each other, held-out runs say
 * what coefficients are worth that cannot all be told; there only what no run tried counts.
 * s: of applicability_domain_judge(); trend_sd: of predictor_kind_trend_sd(). */
#define PREDICTOR_OUTSIDE_TREND_SD 0.25
enum support predictor_kind_support(const struct predictor_kind *kind, const void *state,
				    const double *row, enum support s, double trend_sd);

/* At the distance beyond of applicability_domain_judge(): what the spread is multiplied by, at most
 * PREDICTOR_MAX_INFLATION. */
#define PREDICTOR_MAX_INFLATION 10.0
double predictor_kind_extrapolation_inflation(const struct predictor_kind *kind, double beyond);
/* Of a structure, whose formula is a factor off elsewhere, log time drifts with the distance
 * beyond: its standard deviation. */
double predictor_kind_drift_sd(const struct predictor_kind *kind, double beyond);
/* The standard deviation of log time that the trend leaves open at a row: its coefficients, and
 * drift. */
double predictor_kind_trend_sd(const struct predictor_kind *kind, const void *state,
			       const double *row, double beyond);
/* What the kind predicts, with the shifts of levels. */
double predictor_kind_time_s(const struct predictor *p, const double *row);
/* The trend_sd of a prediction, kind_sd being that of predictor_kind_trend_sd(). */
double predictor_trend_sd(const struct predictor *p, const double *row, double kind_sd);
/* The share of a correction, and of what runs nearby say of its doubt, that is left: 1 down to 0.
 */
double predictor_kind_locality_weight(double beyond);

/* The kind called name, or for NULL the first that applies. Errors: ARG (lists those there are). */
enum err_code predictor_kind_choose(const char *name, const struct application *app,
				    const struct predictor_kind **out, struct err *e);
/* NULL: there is none of that name. */
const struct predictor_kind *predictor_kind_find(const char *name);

/* shrinkage, table, residual_sd and max_epistemic_sd of a predictor whose kind and state were
 * fitted to t, by fits to parts of it (grouped: whole configurations, whole problems, the most
 * processors, the largest problems). Errors: INTERRUPTED, NOMEM. */
enum err_code predictor_learn_residuals(struct predictor *p, const struct config_table *t,
					const struct fit_input *in, struct err *e);

#endif
