#ifndef TESTS_FAULTS_FAULT_POINTS_H
#define TESTS_FAULTS_FAULT_POINTS_H
#include <stdint.h>

#include "tests/faults/fault_run.h"

/* Which calls of a command are to fail. */
struct fault_points {
	struct fault_point *item;
	long n;
	long n_sites; /* distinct places in the program that make such calls; 0: not asked for */
};

/* how: "every" call of n_calls; of each of the "sites" the first and the last call, and one in
 * between at random, which is tried with the program's threads; or the first call at so many of the
 * sites, a number, drawn by hash and seed. hash[0..n_calls-1]: where each call comes from. */
void fault_points_choose(const char *how, const uint64_t *hash, long n_calls, uint64_t *seed,
			 struct fault_points *out);

/* n moments from the start to the end of a command that takes so long [s], uniform. */
void fault_points_times(long n, double wall_s, uint64_t *seed, struct fault_points *out);

void fault_points_release(struct fault_points *p);

#endif
