#ifndef TESTS_UNIFORM_H
#define TESTS_UNIFORM_H
#include <stdint.h>

/* A uniform number; the state is the caller's seed. */
static inline double uniform_draw(uint64_t *state, double lo, double hi)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return lo + (hi - lo) * (double)(*state >> 11) / 9007199254740992.0;
}

#endif
