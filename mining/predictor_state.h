#ifndef MINING_PREDICTOR_STATE_H
#define MINING_PREDICTOR_STATE_H
#include "mining/point_model.h"
#include "mining/predictor.h"
#include "mining/predictor_rules.h"
#include "mining/residual_table.h"
#include "mining/source_weights.h"
#include "mining/support_map.h"

/* The inside of struct predictor, for predictor.c and the files predictor_*.c beside it. */
struct predictor {
	const struct application *app; /* borrowed */
	const struct point_model *kind;
	void *state;
	struct support_map map;
	/* By enum support: how far the kind's corrections are believed, 0 to 1, and how far
	 * held-out runs were off, in units of the spread where it was predicted. */
	double trust[3];
	struct residual_table table[3];
	double sure;	  /* spread where the kind has no doubt; 1 for kinds that tell none */
	double max_doubt; /* more than was seen on held-out runs counts as that */
	double noise;	  /* from repeat to repeat, log time; NaN: no repeats */
	size_t n_runs;
	struct source_share source[SOURCE_COUNT];
	bool transferred; /* to a machine without runs */
	char *explanation;
	struct predictor_rules *rules; /* NULL: none */
	char *rules_explanation;       /* explanation with the rules; NULL: none */
};

/* sqrt(sure^2 + doubt^2): what residuals at a row are in units of. */
double predictor_spread(const struct predictor *p, double doubt);

/* Where a row lies among those that were seen. */
struct predictor_place {
	enum support support;
	double widening; /* of residuals */
	double nearness; /* 0: runs nearby say nothing */
	double trust;	 /* in corrections */
	size_t n_missing;
};
/* Of a NaN feature the best is assumed: no completion of the row has better support, less widening
 * or more trust. */
struct predictor_place predictor_place(const struct predictor *p, const double *row);

/* At the distance beyond of support_map_judge(): what the spread is multiplied by, at most
 * PREDICTOR_MAX_WIDENING. */
#define PREDICTOR_MAX_WIDENING 10.0
double point_model_widening(const struct point_model *kind, double beyond);
/* The share of a correction, and of what runs nearby say of its doubt, that is left: 1 down to 0.
 */
double point_model_nearness(double beyond);

/* The kind called name, or for NULL the first that applies. Errors: ARG (lists those there are). */
enum err_code point_model_choose(const char *name, const struct application *app,
				 const struct point_model **out, struct err *e);
/* NULL: there is none of that name. */
const struct point_model *point_model_find(const char *name);

#endif
