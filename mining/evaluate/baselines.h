#ifndef MINING_BASELINES_H
#define MINING_BASELINES_H
#include <stddef.h>
#include "base/err.h"
#include "mining/predictor/predictor.h"
#include "mining/evaluate/scoring_rules.h"

/* What a back-test compares: the predictors that apply to a class, and a baseline that nobody
 * would be given advice by, "nearest-neighbours" (nearest_neighbours.h). */
struct baseline;

enum { FORECASTER_KINDS = PREDICTOR_KINDS + 1 };
size_t baseline_names(const struct application *app, const char *out[FORECASTER_KINDS]);
/* Errors: ARG (none of this name; the message lists those that there are). */
enum err_code baseline_check(const char *name, const struct application *app, struct err *e);

/* Errors: as predictor_fit(). */
enum err_code baseline_fit(const char *name, const struct fit_input *in, struct baseline **out,
			   struct err *e);
void baseline_free(struct baseline *f);

/* As the functions of predictor.h. */
void baseline_predict(const struct baseline *f, const double *row, struct prediction *out);
double baseline_quantile_s(const struct baseline *f, const struct prediction *at, double prob);
double baseline_p_meet(const struct baseline *f, const struct prediction *at, double deadline_s);

/* Everything that is scored about one configuration. The deadlines are those that the forecaster
 * itself calls 5, 15, ..., 95 % likely to be met: they know nothing of the truth. */
void baseline_forecast(const struct baseline *f, const double *row, struct forecast *out);

#endif
