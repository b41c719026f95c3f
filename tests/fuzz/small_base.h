#ifndef TESTS_SMALL_BASE_H
#define TESTS_SMALL_BASE_H

/* Make a knowledge base in which every kind of table has rows, the same bytes of facts each time:
 * application sweep3d, machine box with runs and ping-pong, a fit and findings, an exclusion, a
 * decision, an answer. Fuzzers run at the top of the tree. */
void small_base_make(const char *path);

/* The id of the answer. */
extern const char small_base_advice[9];

#endif
