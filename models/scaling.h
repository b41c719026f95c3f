#ifndef MODELS_SCALING_H
#define MODELS_SCALING_H
#include <stddef.h>
#include <stdint.h>

/* Where a projection to more and more processors is no longer worth them. */
struct scaling {
	int64_t stops_at; /* beyond it no doubling saves SCALING_LEAST_GAIN of the time; 0: scaling
			   * does not stop within what was projected */
	int64_t fastest;  /* processors with the least time, the fewest of them */
	int64_t rises_at; /* processors beyond `fastest` from which the time is longer than with
			   * half of them; 0: it does not rise */
};
#define SCALING_LEAST_GAIN 0.1

/* time_s[n], > 0, on procs[n], each twice the one before; n >= 1. The last count is never where
 * scaling stops: what comes after it was not asked. */
struct scaling scaling_find(const int64_t *procs, const double *time_s, size_t n);

#endif
