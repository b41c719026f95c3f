#ifndef BASE_SPLITMIX_H
#define BASE_SPLITMIX_H
#include <stdint.h>

/* S. Vigna's SplitMix64 (public domain, prng.di.unimi.it/splitmix64.c): numbers that look random,
 * the same everywhere. Any state is a good one, so a hash may serve as the seed. */
static inline uint64_t splitmix_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* The next one in [0, 1). */
static inline double splitmix_uniform(uint64_t *state)
{
	return (double)(splitmix_next(state) >> 11) / 9007199254740992.0; /* 2^53 */
}

#endif
