#ifndef MINING_PREDICTOR_H
#define MINING_PREDICTOR_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/progress.h"
#include "domain/application.h"
#include "domain/dataset.h"
#include "domain/machine.h"
#include "domain/rule.h"
#include "kb/kb.h"
#include "mining/training/fit_input.h"
#include "domain/breakdown.h"

/* The one predictor interface: fit to runs, predict a batch, bound from below. The search,
 * `predict` and `evaluate` know nothing else, so a better predictor changes nothing but its own
 * file and the table in predictor.c. */

enum support { SUPPORT_INSIDE, SUPPORT_EDGE, SUPPORT_OUTSIDE };
const char *support_name(enum support s); /* "inside", "edge", "outside" */

/* What a prediction says. Times in seconds; the distribution of the next run is
 * time_s * exp(scale * r), r drawn from the held-out residuals log(measured / predicted) of the
 * predictor's own kind of support: see residual_table.h. Where the trend is not known, its normal
 * deviate joins: at each quantile the distances from the median add as squares, which is exact for
 * normal residuals. */
struct prediction {
	double time_s;	 /* median of the next run [s] */
	double scale;	 /* of the residuals at this point, > 0 */
	double trend_sd; /* of log time, beside the residuals: what the runs cannot tell of the
			  * trend; 0: it counts as known */
	double least_trend_sd; /* of a bound whose trend_sd is INFINITY: it is this or more */
	/* The chance that beyond the runs another law rules, which none of them met: problems that
	 * leave a cache or the memory, nodes behind another switch, a prime size of a transform.
	 * Then the run takes longer than time_s by a factor whose logarithm is exponential, of mean
	 * ln 2. */
	double regime_p;
	/* The chance that what a run like this one was slow by is true of it: then the run takes
	 * longer than time_s by a factor whose logarithm is slow_log or more. */
	double slow_p, slow_log;
	/* The chance that the run meets a circumstance that nobody asks for (circumstance.h), or a
	 * shift of which no run tells whether it holds (level_shifts.h), with which it takes
	 * exp(other_log) times as long, by the same law. */
	double other_p, other_log;
	/* The chance that the run fails: quantiles are of the runs that end, promises of all. */
	double fail_p;
	enum support support;
	/* Of a configuration whose runs were all cut: they take longer than this [s], and time_s
	 * and all quantiles are of the runs that do. 0: none was. free_s is the median without
	 * that, but no less than it: a fit that is far below is wrong. */
	double least_s, free_s;
};

struct predictor;

/* Raised whenever the same runs would give other numbers: older knowledge is mined anew. */
enum { PREDICTOR_VERSION = 36 };

/* The kinds of predictor that apply to an application, the default first. */
enum { PREDICTOR_KINDS = 5 };
size_t predictor_names(const struct application *app, const char *out[PREDICTOR_KINDS]);

/* Fit by name ("hybrid", "wavefront", "gaussian-process", "log-quadratic", "power-law"), or the
 * first that applies (name NULL): structural where the application has one. Errors: NODATA (too few
 * runs: says how many would do), NUMERIC, ARG (no such predictor, or not for this application). */
enum err_code predictor_fit(const char *name, const struct fit_input *in, struct predictor **out,
			    struct err *e);
void predictor_free(struct predictor *p);

/* As knowledge: everything predict needs, "predictor_version" among it, and back. predictor_load
 * gives predictions equal to the last bit. app is borrowed for p's life. */
enum err_code predictor_store(const struct predictor *p, struct kb_fit *fit, struct err *e);
enum err_code predictor_load(const struct kb_fit *fit, const struct application *app,
			     struct predictor **out, struct err *e);

const char *predictor_name(const struct predictor *p);
const char *predictor_explanation(const struct predictor *p);

/* How far off it was on runs held out, all of a kind of support together: where it knows much and
 * where it doubts, which the interval of each prediction tells apart. */
struct predictor_error {
	size_t n;	/* runs held out; of a few nothing can be told */
	double typical; /* median of |log(measured / predicted)| */
	double lo, hi;	/* measured over predicted, middle 90 % */
};
struct predictor_error predictor_error(const struct predictor *p, enum support s);

/* What it was fitted to, by enum run_source. */
struct predictor_source {
	size_t n_configs;
	double weight; /* of one configuration */
	double share;  /* of all weights: n_configs * weight over their sum */
};
void predictor_sources(const struct predictor *p, struct predictor_source out[SOURCE_COUNT]);

/* Changes of the system: its predictions are of runs after them. */
const struct system_changes *predictor_changes(const struct predictor *p);
/* What failed runs tell (failing_demands.h): as long as p. */
const struct failing_demands *predictor_failing_demands(const struct predictor *p);

/* The structural part that it stands on, and those that it could stand on.
 * NULL: there is nothing to choose in this kind of predictor. */
const struct structure_choice *predictor_structure(const struct predictor *p);

/* A missing value of a column that had one value in all runs, such as 16 processes a node, becomes
 * that. Derived columns are left to the caller. */
void predictor_fill_constants(const struct predictor *p, double *row);
/* Predict x[n * n_columns] (complete, derived rows). Never fails, never negative. */
void predictor_predict(const struct predictor *p, const double *x, size_t n,
		       struct prediction *out);
/* The median of one, without the doubt, in a third of the time. */
double predictor_time_s(const struct predictor *p, const double *row);
/* From now on predictions are made to choose the best of: times allow for that what looks best is
 * partly so by its error, as far as held-out choices bear that out (cv_residuals.h). Bounds stay
 * bounds.
 */
void predictor_choose_from(struct predictor *p);
/* Why a row is at the edge or outside, as words for people: "n 128 to 512; solver amg was not run".
 * Nothing where it is inside, where nothing was run here, or where no column tells by itself. */
void predictor_explain_support(const struct predictor *p, const double *row, struct strbuf *out);
/* Where the time goes; parts sum to time_s (time rules scale them all alike). *known is false for
 * predictors without structure. */
void predictor_breakdown(const struct predictor *p, const double *row, struct breakdown *out,
			 bool *known);

/* The distribution of the next run at a prediction. quantile: prob in (0, 1). */
double prediction_quantile_s(const struct predictor *p, const struct prediction *at, double prob);
double prediction_p_meet(const struct predictor *p, const struct prediction *at, double deadline_s);
/* The shortest deadline that is met with a probability of at least prob: the quantile. INFINITY:
 * too few residuals were held out to promise any deadline with prob, up to
 * prediction_max_confidence(). */
double prediction_deadline_s(const struct predictor *p, const struct prediction *at, double prob);
double prediction_max_confidence(const struct predictor *p, const struct prediction *at);
/* What that distribution is made of, as standard deviations of log time. Noise differs from repeat
 * to repeat, and no run cures it (0 where no repeats were made). Doubt is the rest, what the
 * predictor does not know: runs near here cure it. */
double prediction_noise_sd(const struct predictor *p, const struct prediction *at);
double prediction_epistemic_sd(const struct predictor *p, const struct prediction *at);

/* For pruning. predictor_bound(): no legal completion of `row` (free tunables are NaN) is faster,
 * better supported, of smaller scale or of a smaller trend_sd than least_trend_sd; trend_sd itself
 * is not said (INFINITY). */
void predictor_bound(const struct predictor *p, const double *row, struct prediction *out);
/* What corrections by runs nearby are at least, for a search that asks of many rows near each
 * other: it remembers places. The predictor is borrowed. Threads may share it. Errors: NOMEM. */
struct correction_bound;
enum err_code correction_bound_new(const struct predictor *p, struct correction_bound **out,
				   struct err *e);
void correction_bound_free(struct correction_bound *b);
/* Does it know places? Not where corrections are so few observations' that they are as soon known,
 * as is trend_sd. */
bool correction_bound_knows(const struct correction_bound *b);
/* predictor_bound() for rows[n * n_columns] that are complete: nearly what is predicted, in far
 * less time where predictions are corrected by what runs nearby say. b may be NULL: less near.
 * sharp: nearer, by what is remembered of parts of corrections that many rows have in common. */
void predictor_bound_complete(const struct predictor *p, struct correction_bound *b, bool sharp,
			      const double *rows, size_t n, struct prediction *out);
/* Its trend_sd, which costs as much again; INFINITY where it depends on the time. */
void predictor_bound_trend(const struct predictor *p, const double *rows, size_t n,
			   struct prediction *bound);
/* Sharper, and half as dear as a prediction: what is predicted, but for doubt, of which there is as
 * little as there could be. trend_sd stays as it was. */
void predictor_bound_epistemic(const struct predictor *p, const double *rows, size_t n,
			       struct prediction *bound);
/* Are predictions corrected by what runs nearby say? Otherwise predictor_bound_epistemic() says no
 * more than predictor_bound_complete(). */
bool predictor_is_corrected(const struct predictor *p);
/* No prediction like `bound` or worse has a higher p_meet, or a deadline that is promised sooner. A
 * p_meet below PREDICTOR_NO_CHANCE may be. */
#define PREDICTOR_NO_CHANCE 0.005
double predictor_best_p_meet(const struct predictor *p, const struct prediction *bound,
			     double deadline_s);
double predictor_min_deadline_s(const struct predictor *p, const struct prediction *bound,
				double prob);

/* A sharper predictor_bound() for a search that knows its candidates: rows[n * n_columns] are the
 * tunings of one problem and workload (tunables set). tuning_bound_at() bounds what any of them
 * gives with the resources of `row`, by the least time itself where the predictor can tell it
 * quickly. What it computes on the way is kept, so one must not be shared by threads. Errors:
 * NOMEM. */
struct tuning_bound;
enum err_code tuning_bound_new(const struct predictor *p, const double *rows, size_t n,
			       struct tuning_bound **out, struct err *e);
void tuning_bound_at(struct tuning_bound *b, const double *row, struct prediction *out);
/* Of each of the tunings by itself, time_s[n]: none of its predictions there is shorter before time
 * rules. *out is as above, of the least of them; tuning_bound_put_time() makes it that of a tuning
 * with such a time. corrections may be NULL. false: that is not known. */
bool tuning_bound_each(struct tuning_bound *b, struct correction_bound *corrections,
		       const double *row, double *time_s, struct prediction *out);
void tuning_bound_put_time(const struct tuning_bound *b, const double *row, double time_s,
			   struct prediction *out);
/* After it, of the same row and corrections: longer times of those that are below below_s, by what
 * costs more to know. */
void tuning_bound_sharpen(struct tuning_bound *b, struct correction_bound *corrections,
			  const double *row, double below_s, double *time_s);
/* Can it? Then predictor_bound_complete() says hardly more of a tuning. */
bool tuning_bound_sharpens(const struct tuning_bound *b,
			   const struct correction_bound *corrections);
void tuning_bound_free(struct tuning_bound *b);

/* Time rules that predictions follow from now on, each as far as its weight says, where the support
 * is not `outside`; where several hold, their mean in the logarithm. Rules of other kinds and of
 * weight 0 are passed over. Bounds stay bounds. Errors: NOMEM, PARSE. */
enum err_code predictor_use_rules(struct predictor *p, const struct rule *const *rule, size_t n,
				  struct err *e);
/* Is there a structural part, which time rules correct? Otherwise they stand for time itself. */
bool predictor_is_structural(const struct predictor *p);

/* What if: the predictor of a machine without runs, from one with: its message costs replaced by
 * `machine`'s given ones, its computation times wg_factor. Explained and never `inside`. Time
 * rules stay behind: they were seen on `from`'s machine. Errors: ARG (no structural part, or the
 * machine has no message costs). */
enum err_code predictor_transfer(const struct predictor *from, const struct machine *machine,
				 double wg_factor, struct predictor **out, struct err *e);

#endif
