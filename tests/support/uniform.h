#ifndef TESTS_UNIFORM_H
#define TESTS_UNIFORM_H
#include <stdint.h>

/* A uniform number; the state is the caller's seed. */
double uniform_draw(uint64_t *state, double lo, double hi);

#endif
