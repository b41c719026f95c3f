#ifndef MINING_PERMUTATION_TEST_H
#define MINING_PERMUTATION_TEST_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/rules/setting_cases.h"

/* How likely some setting seems as good as the best one does in the cases which[0..n-1] of s, if
 * none has any effect: a permutation test, as held-out trees cannot tell. Those are much alike, and
 * a setting that is good by luck in some blocks vouches for itself, each of them being tested by a
 * tree that has seen the others. Here slow-downs are dealt out anew within every case, and the
 * search (of one condition) is repeated. Deterministic; at least 1 / 100. Errors: NOMEM. */
enum err_code permutation_test(const struct setting_cases *s, const uint32_t *which, size_t n,
			       double *p, struct err *e);

#endif
