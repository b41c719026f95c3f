#ifndef MODELS_MODEL_LIST_H
#define MODELS_MODEL_LIST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "models/formula.h"
#include "models/message_cost.h"
#include "models/sweep.h"

/* The models by name: what `lemnos model` lists and runs. A new model is one entry of the table
 * in model_list.c. */

/* What a model is asked. Each takes what it needs. */
struct model_input {
	struct sweep sweep;		   /* the configuration */
	struct sweep_run run;		   /* iterations, groups, time steps, Wg, W before, after */
	const struct message_cost *remote; /* between nodes, and everywhere without SMP nodes */
	const struct message_cost *local;  /* inside a node; NULL: not known */
	int64_t tile_i, tile_j; /* processors of the grid that share a node; 1 x 1: none */
	double Wg_pre_s;	/* per cell and angle, before messages come: plug-lu */
	double nonwavefront_s;	/* of an iteration, outside of the sweeps: plug-* */
};

struct model {
	const char *name;
	const char *title;
	const char *source;
	const char *applies_to;
	const char *code;   /* the code whose times it gives; NULL: Sweep3D's */
	const char *caveat; /* what its answers must not be given without; NULL: nothing */
	bool more_times;    /* takes Wg_pre_s and nonwavefront_s */
	/* Takes as long for a million processors as for one, and answers every legal grid without
	 * costs inside a node. For such a model, at a fixed sub-grid it x jt (ceil(it_g / npe_i) x
	 * ceil(jt_g / npe_j)), blocking and Wg, and neighbours in the same directions (npe_i stays
	 * 1 or stays above it, npe_j too), the time is f(npe_i) + g(npe_j), f and g concave: fills
	 * and waits go with npe - 1 or npe - 2, and a global sum with the logarithm of both. */
	bool closed_form;
	/* One or the other: a wavefront of an application, or a formula of named numbers. */
	const struct formula *formula;
	/* One iteration with a given Wg. Errors: ARG, NODATA (costs that the model needs are NULL),
	 * NOMEM. */
	enum err_code (*iteration)(const struct model_input *in, double Wg_s,
				   struct sweep_time *out, struct err *e);
};

const struct model *model_list(size_t *n);
/* Errors: ARG (no such model: the message lists the names). */
enum err_code model_find(const char *name, const struct model **out, struct err *e);

/* The whole run of a wavefront (not of a formula). Errors: those of the model and of
 * sweep_run_time(). */
enum err_code model_run(const struct model *m, const struct model_input *in, struct sweep_time *out,
			struct err *e);

/* The processor grid n x m = procs that a projection to many processors takes: as square as can
 * be, and the longer side along j where it is not (n <= m). Errors: ARG (procs outside
 * 1 .. SWEEP_MAX_COUNT). */
enum err_code model_square_grid(int64_t procs, int64_t *npe_i, int64_t *npe_j, struct err *e);

#endif
