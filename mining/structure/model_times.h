#ifndef MINING_MODEL_TIMES_H
#define MINING_MODEL_TIMES_H
#include "base/progress.h"
#include "mining/training/config_table.h"
#include "models/model_list.h"

/* What the wavefront models say of configurations, as functions of Wg: evaluated at a few Wg each
 * and linear between them. That is exact where a model computes the same on every processor
 * (loggp, logp, plug-*: a time is A + B Wg), and as good as that for the others, whose critical
 * path changes little between two Wg so near. */

enum { MODEL_TIMES_NODES = 5 };

struct model_times {
	size_t n; /* configurations */
	size_t n_models;
	const struct model **model; /* [n_models], those that answer at least one configuration */
	double *Wg_s;		    /* [n * MODEL_TIMES_NODES], ascending in each */
	double *time_s;		    /* [n_models * n * MODEL_TIMES_NODES]; NaN: no answer */
	/* Those that answer none, and why. */
	size_t n_refused;
	struct refused_model {
		const struct model *model;
		struct err why;
	} * refused;
};

/* The models that might: of wavefronts, and of this code (struct model's `code` NULL). */
bool model_times_wants(const struct model *m);

/* The models that are asked: those of model[n] that take() wants. Between nodes a message costs
 * *remote; inside a node, where a row has several processes on one, *local (NULL: not known), and
 * those of a node are taken for the most nearly square tile of the grid. */
struct models_asked {
	const struct model *model;
	size_t n;
	bool (*take)(const struct model *m);
	const struct message_cost *remote, *local;
	const struct progress *progress;
};

/* Wg_s[t->n] about where each configuration's Wg lies. Errors: INTERRUPTED, NOMEM. */
enum err_code model_times_make(const struct config_table *t, const double *Wg_s,
			       const struct models_asked *asked, struct model_times *out,
			       struct err *e);
void model_times_release(struct model_times *m);

/* Model k's time of configuration i with this Wg, > 0, and its slope over Wg (may be NULL); NaN: it
 * has no answer. */
double model_times_at(const struct model_times *m, size_t k, size_t i, double Wg_s,
		      double *s_per_Wg);

/* The Wg with which a wavefront model is nearest to runs: a shape that is given, times a factor and
 * a power law of the model's own,
 *
 *	Wg = shape exp(p_0) it^p_1 jt^p_2 mk^p_3 mmi^p_4,
 *
 * by robust least squares on log time (robust_fit.h). The exponents are expected at 0 with a
 * standard deviation of 0.1: the shape is that of another model of messages, which it may have
 * taken on a little of. */
enum { WG_FIT_PARAMS = 5 };

/* Those powers of a configuration, in logarithms: z[WG_FIT_PARAMS]. Errors: ARG (no sweep). */
enum err_code wg_fit_inputs(const struct application *app, const double *row, double *z,
			    struct err *e);
/* shape_s[t->n], z[t->n * WG_FIT_PARAMS]; of model k and the configurations with train[i] != 0 that
 * it answers. Where there are none, or nothing is nearer than the shape itself, p is 0. Errors:
 * NOMEM. */
enum err_code wg_fit(const struct model_times *times, size_t k, const struct config_table *t,
		     const unsigned char *train, const double *shape_s, const double *z,
		     double p[WG_FIT_PARAMS], struct err *e);
double wg_fit_at(const double p[WG_FIT_PARAMS], double shape_s, const double *z);

#endif
