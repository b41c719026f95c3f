#ifndef ACQUIRE_DESIGN_PRIVATE_H
#define ACQUIRE_DESIGN_PRIVATE_H
#include "acquire/design.h"

/* What the makers of designs share. */

/* Errors: ARG. */
enum err_code design_check_space(const struct design_space *s, struct err *e);

static inline bool design_is_legal(const struct design_space *s, const size_t *level)
{
	return !s->legal || s->legal(s->arg, level);
}

/* Legal combinations, each once: all where the space can be walked through and they are no more
 * than `most`, else a random choice of them. *all: there are no others. Errors: ARG (none),
 * INTERRUPTED, NOMEM. */
enum err_code design_candidates(const struct design_space *s, size_t most, uint64_t *random,
				struct design *out, bool *all, struct err *e);

/* How far two levels of a factor are apart: 1 from end to end, or between any two if nominal. */
double design_level_distance(const size_t *n_levels, const unsigned char *nominal, size_t factor,
			     size_t a, size_t b);

/* A random order of n things (Fisher and Yates): item[n] = 0 .. n-1 shuffled. */
void design_shuffle(size_t *item, size_t n, uint64_t *random);

#endif
