#ifndef API_PREDICT_ROW_H
#define API_PREDICT_ROW_H
#include <stdbool.h>
#include "base/strbuf.h"
#include "domain/application.h"
#include "domain/machine.h"
#include "mining/predictor/predictor.h"

/* The time of one configuration. */
struct row_prediction {
	struct prediction prediction;
	double lo_s, hi_s; /* the central interval at a confidence */
};

/* Make a row of problem, resources and tunables whole: workload defaults, derived columns, and
 * nodes and processes from each other. Nodes that nobody gave are as many as the processes fill
 * (one process each with cores_per_node 0: not known). False: *why says which column is
 * missing, or which rule of legality is broken. */
bool predict_row_complete(const struct application *a, double cores_per_node, double *row,
			  struct strbuf *why);

/* row is complete. */
struct row_prediction predict_row(const struct predictor *p, const double *row, double confidence);

#endif
