#ifndef MINING_ANALYTIC_MEAN_H
#define MINING_ANALYTIC_MEAN_H
#include "mining/structure/wavefront_model.h"
#include "mining/structure/model_times.h"
#include "mining/training/predictor_kind.h"
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
struct analytic_mean {
	const struct application *app; /* borrowed */
	const struct model *model;
	struct wavefront_model *formula;
	double p[WG_FIT_PARAMS];
};

/* Can it be a structural part at all? */
bool analytic_mean_wants(const struct model *m);

/* t is what to fit, and formula what was fitted to it: *out's on success. Errors: ARG
 * (the model refuses all of t), INTERRUPTED, NOMEM. */
enum err_code analytic_mean_fit(const struct model *model, const struct config_table *t,
				const struct progress *progress, struct wavefront_model *formula,
				struct analytic_mean **out, struct err *e);

/* Of a complete row. false: the model refuses it, as it does what is no sweep (sweep_block_of()).
 */
bool analytic_mean_ask(const struct analytic_mean *m, const double *row, struct sweep_time *out);

/* The fit needs `like`, a fit to more runs: it tells which model. */
extern const struct predictor_kind predictor_kind_analytic_mean;

/* struct predictor_kind's tunings_*: the least time that any of a fixed list of blockings gives on
 * a processor grid, as wavefront_tunings.h, for a search over a million grids. */
enum err_code analytic_mean_tunings_new(const void *model, const double *rows, size_t n,
					size_t n_columns, void **out, struct err *e);
double analytic_mean_tunings_least_s(void *tunings, const double *row);
void analytic_mean_tunings_free(void *tunings);

#endif
