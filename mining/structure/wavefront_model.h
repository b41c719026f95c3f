#ifndef MINING_WAVEFRONT_MODEL_H
#define MINING_WAVEFRONT_MODEL_H
#include "mining/training/predictor_kind.h"
#include "mining/structure/wavefront_time.h"

/* The structural predictor of wavefront codes: wavefront_time.h with its parameters calibrated on
 * runs. The inside, for wavefront_model.c and wavefront_calibrate.c. */

enum cost_origin { COST_ASSUMED, COST_PINGPONG, COST_MACHINE_FILE, COST_ORIGINS };

struct wavefront_model {
	struct wavefront_time time;
	double std_error[WP_COUNT];
	/* Of the parameters: linear_posterior_factor() of the formula at its fit. */
	double posterior[WP_COUNT * WP_COUNT];
	double scale; /* robust spread of the fitted residuals, log time */
	size_t n_configs;
	enum cost_origin cost_origin;
};

/* Message costs by rank: the machine's file, a fitted ping-pong, an assumption whose shares adapt.
 * Errors: ARG (costs in the file are not usable). */
enum err_code wavefront_choose_cost(const struct fit_input *in, struct wavefront_model *m,
				    struct err *e);
const char *cost_origin_name(enum cost_origin o);

/* struct predictor_kind's residual_design and residual_point: the time of a block by its shape,
 * which no formula gets right to the last per cent, and the rest by the grid and the messages. */
void wavefront_residual_design(const void *state, struct gp_design *out);
void wavefront_residual_point(const void *state, const double *row, double *z, double *factor);
/* Its z alone. Of the blocking, what has no factor knows the size of messages only. */
void wavefront_residual_inputs(const void *state, const double *row, double *z);
/* The share of a time in which a wrong Wg is felt: its factor. */
double wavefront_residual_share(const struct breakdown *parts);

/* struct predictor_kind's trend_sd, fit, store and load. */
double wavefront_trend_sd(const void *state, const double *row);
enum err_code wavefront_calibrate(const struct config_table *t, const struct fit_input *in,
				  const void *like, void **state, struct err *e);
enum err_code wavefront_store(const void *state, struct kb_fit *fit, struct err *e);
enum err_code wavefront_load(const struct kb_fit *fit, const struct application *app, void **state,
			     struct err *e);

#endif
