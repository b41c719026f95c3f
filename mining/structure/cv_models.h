#ifndef MINING_CV_MODELS_H
#define MINING_CV_MODELS_H
#include "mining/training/fit_input.h"
#include "mining/training/holdout.h"
#include "mining/structure/model_times.h"
#include "mining/structure/wavefront_model.h"

/* The wavefront models of the list, and the formula that is mined (wavefront_time.h), each fitted
 * to parts of the configurations and asked about the rest.
 *
 * Wg is calibrated on the same part, the same fair way for each model: the shape of Wg over
 * sub-grids and blocks is that of the formula fitted to it (a model of communication says nothing
 * about it), times a factor and a power law of the model's own (wg_fit()). */
struct cv_models {
	const struct config_table *table;    /* borrowed, as the next two */
	const struct fit_input *in;	     /* its runs are not looked at */
	const struct wavefront_model *whole; /* fitted to all: parts keep its structure */
	struct model_times times;	     /* of all configurations */
	double *Wg_s;			     /* [table->n], the formula's, of the fold in hand */
	double *z;			     /* [table->n * WG_FIT_PARAMS] */
	unsigned char *test, *train;	     /* [table->n], of the fold in hand */
};

/* take: which models of the list. local: message costs inside a node, NULL: not known; the others
 * are those of `whole`. *h is released by the caller, whatever is returned. Errors: ARG (a
 * configuration that is no sweep), INTERRUPTED, NOMEM. */
enum err_code cv_models_make(const struct config_table *t, const struct fit_input *in,
			     const struct wavefront_model *whole,
			     bool (*take)(const struct model *), const struct message_cost *local,
			     struct cv_models *h, struct err *e);
void cv_models_release(struct cv_models *h);

struct cv_answer {
	size_t i_model; /* of times.model; times.n_models: the formula */
	size_t config;	/* of the table: held out */
	double predicted_s, Wg_s;
};

/* add() every answer of a fold. A fold that leaves nothing to test, or too little to fit, adds
 * nothing. Errors: NOMEM, those of add(). */
enum err_code cv_models_ask(struct cv_models *h, enum holdout way, int fold, unsigned seed,
			    enum err_code (*add)(void *arg, const struct cv_answer *a,
						 struct err *e),
			    void *arg, struct err *e);

#endif
