#ifndef MINING_RUN_INDEX_H
#define MINING_RUN_INDEX_H
#include "kb/kb_run_index.h"

/* Arrange runs so that those near a configuration are found without looking at all: the distinct
 * configurations that ended, in boxes that are halved along their longest side (a k-d tree:
 * Friedman, Bentley, Finkel, "An algorithm for finding best matches in logarithmic expected time",
 * ACM TOMS 1977) with tight bounds, in logs as recommend/choose/evidence.h measures. And a sample,
 * so that nobody who asks which values occur must look at all runs either: the first run of each
 * combination of status, resources and columns whose candidates come from runs; of applications
 * without a definition that of each problem, too. */

/* *out stays empty (n_configurations = 0) if no run ended. It borrows runs. Errors: NOMEM. */
enum err_code run_index_make(const struct dataset *runs, struct kb_run_index *out, struct err *e);
void run_index_release(struct kb_run_index *x);

/* Put the configurations of x, of which there are some, into boxes: fills in the nodes and puts run
 * and n_runs into their order. Errors: NOMEM. */
enum err_code run_index_make_boxes(struct kb_run_index *x, struct err *e);

#endif
