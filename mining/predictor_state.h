#ifndef MINING_PREDICTOR_STATE_H
#define MINING_PREDICTOR_STATE_H
#include "mining/point_model.h"
#include "mining/predictor.h"
#include "mining/predictor_rules.h"
#include "mining/residual_table.h"
#include "mining/support_map.h"

/* The inside of struct predictor, for predictor.c and predictor_store.c. */
struct predictor {
	const struct application *app; /* borrowed */
	const struct point_model *kind;
	void *state;
	struct support_map map;
	struct residual_table table[3]; /* by enum support */
	size_t n_runs;
	bool transferred; /* to a machine without runs */
	char *explanation;
	struct predictor_rules *rules; /* NULL: none */
	char *rules_explanation;       /* explanation with the rules; NULL: none */
};

/* The kind called name, or for NULL the first that applies. Errors: ARG (lists those there are). */
enum err_code point_model_choose(const char *name, const struct application *app,
				 const struct point_model **out, struct err *e);
/* NULL: there is none of that name. */
const struct point_model *point_model_find(const char *name);

#endif
