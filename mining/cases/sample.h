#ifndef MINING_SAMPLE_H
#define MINING_SAMPLE_H
#include "base/err.h"
#include "mining/cases/slowdown_table.h"

/* About `most` configurations of the blocks with fold[block] = which (fold NULL: of all), or all of
 * them if they are no more: whole cases, chosen by a hash of their number, and only where there
 * are too few of those parts of cases. The same table gives the same sample. Errors: NOMEM. */
enum err_code sample_fold(const struct slowdown_table *t, const unsigned char *fold, unsigned which,
			  size_t most, struct slowdown_table **out, struct err *e);

#endif
