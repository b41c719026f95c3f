#ifndef MINING_LISTED_MODEL_H
#define MINING_LISTED_MODEL_H
#include "mining/point_model.h"
#include "mining/wavefront_model.h"
#include "mining/wg_fit.h"
#include "models/model_list.h"

/* A model of the list (models/model_list.h) as the structural part of a predictor:
 *
 *	T = the model's run time with  Wg = Wg_formula exp(p_0) it^p_1 jt^p_2 mk^p_3 mmi^p_4
 *
 * where Wg_formula is that of the wavefront formula calibrated on the same runs (wavefront_time.h):
 * a model of communication says nothing about the time of a cell. Message costs are the machine's
 * file's or those fitted to its ping-pong, taken as they are; so there is none of an assumption.
 *
 * What the model refuses is no sweep, nor legal; of that the formula tells the time.
 *
 * Only models in closed form: a search asks for a million processors as quickly as for one. */
struct listed_model {
	const struct application *app; /* borrowed */
	const struct model *model;
	struct wavefront_model *formula;
	double p[WG_FIT_PARAMS];
};

/* Can it be a structural part at all? */
bool listed_model_wants(const struct model *m);

/* t is what to fit, and formula what was fitted to it: *out's on success. Errors: ARG
 * (the model refuses all of t), INTERRUPTED, NOMEM. */
enum err_code listed_model_fit(const struct model *model, const struct config_table *t,
			       const struct progress *progress, struct wavefront_model *formula,
			       struct listed_model **out, struct err *e);

/* Of a complete row. false: the model refuses it, as it does what is no sweep (sweep_block_of()).
 */
bool listed_model_ask(const struct listed_model *m, const double *row, struct sweep_time *out);

/* The fit needs `like`, a fit to more runs: it tells which model. */
extern const struct point_model point_model_listed;

#endif
