#ifndef TESTS_PLANTED_H
#define TESTS_PLANTED_H
#include <stdbool.h>
#include <stdint.h>
#include "domain/application.h"
#include "domain/dataset.h"

/* Runs with planted truth: time is that of the problem on its processors, times the effects of
 * rules that are known, times noise. What a miner finds in them can be held against the truth. */

enum { PLANTED_MAX_RULES = 3 };

/* The columns of the application, in the order of a row: sizes m and n, processors, tunables a
 * (powers of two), b (1..5), c (noise: a real number without effect) and layout (four levels). */
enum planted_column { PLANT_M, PLANT_N, PLANT_PROCS, PLANT_A, PLANT_B, PLANT_C, PLANT_LAYOUT };

struct planted_rule {
	double a_min, a_max; /* on a; -INFINITY..INFINITY: no condition */
	double b_min, b_max;
	unsigned layouts; /* bit per level; 15: any */
	double procs_min, procs_max;
	double factor; /* on time */
};

struct planted {
	struct application *app;
	size_t column[PLANT_LAYOUT + 1]; /* of the application */
	struct planted_rule rule[PLANTED_MAX_RULES];
	size_t n_rules;
	struct dataset *runs;
};

struct planted_design {
	uint64_t seed;
	size_t n_rules;		       /* planted; 0: a flat landscape */
	size_t n_problems;	       /* each on 4 processor counts: as many cases */
	size_t n_per_case;	       /* random configurations of each case */
	double min_factor, max_factor; /* of the planted rules, log-uniform */
	double noise;		       /* standard deviation of log time */
	double disturbed;	       /* share of runs that are slowed by up to 3 */
	bool biased; /* as an auto-tuner's log: later runs of a case keep to its good ones */
};

/* 0 on success. */
int planted_make(const struct planted_design *d, struct planted *out);
void planted_release(struct planted *p);
/* The product of the planted factors that a row meets. */
double planted_factor(const struct planted *p, const double *row);
bool planted_holds(const struct planted *p, size_t rule, const double *row);

#endif
