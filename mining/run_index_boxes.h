#ifndef MINING_RUN_INDEX_BOXES_H
#define MINING_RUN_INDEX_BOXES_H
#include "kb/kb_run_index.h"

/* Put the configurations of x, of which there are some, into boxes: fills in the nodes and puts run
 * and n_runs into their order. Errors: NOMEM. */
enum err_code run_index_make_boxes(struct kb_run_index *x, struct err *e);

#endif
