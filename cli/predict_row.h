#ifndef CLI_PREDICT_ROW_H
#define CLI_PREDICT_ROW_H
#include <stdbool.h>
#include "base/strbuf.h"
#include "cli/mined_machine.h"

/* The time of one configuration. */
struct forecast {
	struct prediction prediction;
	double lo_s, hi_s; /* the central interval at a confidence */
};

/* Make a row of problem, resources and tunables whole: workload defaults, derived columns, and
 * nodes and processes from each other. Nodes that nobody gave are as many as the processes fill
 * (one process each, where nobody knows the machine's cores). False: *why says which column is
 * missing, or which rule of legality is broken. */
bool predict_row_complete(const struct application *a, const struct machine *m, double *row,
			  struct strbuf *why);

/* row is complete. */
struct forecast predict_row(const struct predictor *p, const double *row, double confidence);

#endif
