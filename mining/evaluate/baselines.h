#ifndef MINING_BASELINES_H
#define MINING_BASELINES_H
#include <stddef.h>
#include "base/err.h"
#include "base/progress.h"
#include "mining/evaluate/scoring_rules.h"
#include "mining/predictor/predictor.h"
#include "mining/training/config_table.h"

/* A baseline for back-tests: the geometric mean of the times of the three nearest configurations,
 * nearer ones counting more (weight 1 / distance). Distances are Euclidean over the columns that
 * are not derived, as logarithms where all values are positive, each divided by its standard
 * deviation; another level of a text column, or a value missing on one side only, is as far as two
 * standard deviations. It knows no trend, so it cannot extrapolate. One must not be shared by
 * threads. */
struct nearest_neighbours;

/* t may be freed afterwards. Errors: NODATA (fewer than NEIGHBOURS_MIN configurations),
 * INTERRUPTED (progress, which may be NULL, said so), NOMEM. */
enum { NEIGHBOURS_MIN = 5 };
enum err_code nearest_neighbours_fit(const struct config_table *t, const struct progress *progress,
				     struct nearest_neighbours **out, struct err *e);
void nearest_neighbours_free(struct nearest_neighbours *m);

double nearest_neighbours_time_s(const struct nearest_neighbours *m, const double *row);

/* The next run at a predicted time, from the errors with which each configuration is told by the
 * others; prob in (0, 1). */
double nearest_neighbours_quantile_s(const struct nearest_neighbours *m, double time_s,
				     double prob);
double nearest_neighbours_p_meet(const struct nearest_neighbours *m, double time_s,
				 double deadline_s);

/* What a back-test compares: the predictors that apply to an application, and a baseline that
 * nobody would be given advice by, "nearest-neighbours" (below). */
struct baseline;

enum { FORECASTER_KINDS = PREDICTOR_KINDS + 1 };
size_t baseline_names(const struct application *app, const char *out[FORECASTER_KINDS]);
/* Errors: ARG (none of this name; the message lists those that there are). */
enum err_code baseline_check(const char *name, const struct application *app, struct err *e);

/* Errors: as predictor_fit(). */
enum err_code baseline_fit(const char *name, const struct fit_input *in, struct baseline **out,
			   struct err *e);
void baseline_free(struct baseline *f);
const struct predictor *baseline_predictor(const struct baseline *f); /* NULL: it is a look-up */
/* predictor_choose_from(); look-ups have no predictions to choose from. */
void baseline_choose_from(struct baseline *f);

/* As the functions of predictor.h. */
void baseline_predict(const struct baseline *f, const double *row, struct prediction *out);
double baseline_quantile_s(const struct baseline *f, const struct prediction *at, double prob);
double baseline_p_meet(const struct baseline *f, const struct prediction *at, double deadline_s);

/* Everything that is scored about one configuration. The deadlines are those that the forecaster
 * itself calls 5, 15, ..., 95 % likely to be met: they know nothing of the truth. */
void baseline_forecast(const struct baseline *f, const double *row, struct forecast *out);

#endif
