#ifndef MODELS_SCALING_H
#define MODELS_SCALING_H
#include <stddef.h>
#include <stdint.h>

/* Where a projection to more and more processors is no longer worth them. */
struct scaling {
	int64_t stops_at; /* beyond it no step saves as much as doublings that each save
			   * SCALING_LEAST_GAIN of the time would; 0: scaling does not stop within
			   * what was projected */
	int64_t fastest;  /* processors with the least time, the fewest of them */
	int64_t rises_at; /* the next count beyond `fastest`, if its time is longer; 0: it is not */
};
#define SCALING_LEAST_GAIN 0.1

/* time_s[n], > 0, on procs[n], ascending; n >= 1. A step to r times the processors must save
 * 1 - (1 - SCALING_LEAST_GAIN)^log2(r) of the time. The last count is never where scaling stops:
 * what comes after it was not asked. */
struct scaling scaling_find(const int64_t *procs, const double *time_s, size_t n);

/* The largest count up to which every efficiency[n] is at least `least`; 0: not even the first. A
 * time may go on falling by a tenth with each doubling while most of the processors wait. */
#define SCALING_LEAST_EFFICIENCY 0.5
int64_t scaling_efficient_to(const int64_t *procs, const double *efficiency, size_t n,
			     double least);

#endif
