#ifndef MINING_HYBRID_H
#define MINING_HYBRID_H
#include "mining/point_model.h"

/* The hybrid predictor: a structural model, and a Gaussian process over what it leaves of log time.
 * predict() is the structural model alone; what runs nearby say beyond it is the correction, which
 * vanishes far from them. */
struct hybrid {
	const struct point_model *base;
	void *base_state;
	struct gaussian_process *process; /* NULL: none, on a machine without runs */
};

#endif
