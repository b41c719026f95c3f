#ifndef CLI_NEXT_ANSWER_H
#define CLI_NEXT_ANSWER_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "api/answer.h"
#include "cli/frame/context.h"
#include "cli/frame/output.h"

/* The runs to make of an answer (next_answer.h), one a row. For people problem and workload stand
 * in one column, the workload as far as it is not the one asked about; for machines each has its
 * own. NULL: out of memory. */
struct out_table *next_table(const struct answer *answer, bool for_people);

/* recommend --next N: the runs that would teach most, as part of an answer. */
extern const struct option_spec opt_next;

/* N; 0: not asked for. Errors: USAGE. */
enum err_code next_answer_option(const struct options *o, size_t *n, struct err *e);
/* For people, from the answer alone, if it has them. Errors: NOMEM. */
enum err_code next_answer_print(const struct context *c, const struct answer *answer,
				struct err *e);

#endif
