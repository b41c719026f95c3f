#ifndef CLI_NEXT_TABLE_H
#define CLI_NEXT_TABLE_H
#include <stdbool.h>
#include "api/answer.h"
#include "cli/frame/output.h"

/* The runs to make of an answer (next_answer.h), one a row. For people problem and workload stand
 * in one column, the workload as far as it is not the one asked about; for machines each has its
 * own. NULL: out of memory. */
struct out_table *next_table(const struct answer *answer, bool for_people);

#endif
