#ifndef MINING_FORECASTER_H
#define MINING_FORECASTER_H
#include <stddef.h>
#include "base/err.h"
#include "mining/predictor.h"
#include "mining/scorecard.h"

/* What a back-test compares: the predictors that apply to a class, and a baseline that nobody
 * would be given advice by, "nearest-neighbours" (nearest_neighbours.h). */
struct forecaster;

enum { FORECASTER_KINDS = PREDICTOR_KINDS + 1 };
size_t forecaster_names(const struct application *app, const char *out[FORECASTER_KINDS]);
/* Errors: ARG (none of this name; the message lists those that there are). */
enum err_code forecaster_check(const char *name, const struct application *app, struct err *e);

/* Errors: as predictor_fit(). */
enum err_code forecaster_fit(const char *name, const struct fit_input *in, struct forecaster **out,
			     struct err *e);
void forecaster_free(struct forecaster *f);

/* As the functions of predictor.h. */
void forecaster_predict(const struct forecaster *f, const double *row, struct prediction *out);
double forecaster_quantile_s(const struct forecaster *f, const struct prediction *at, double prob);
double forecaster_p_meet(const struct forecaster *f, const struct prediction *at,
			 double deadline_s);

/* Everything that is scored about one configuration. The deadlines are those that the forecaster
 * itself calls 5, 15, ..., 95 % likely to be met: they know nothing of the truth. */
void forecaster_forecast(const struct forecaster *f, const double *row, struct forecast *out);

#endif
