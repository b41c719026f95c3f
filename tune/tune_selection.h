#ifndef TUNE_SELECTION_H
#define TUNE_SELECTION_H

/* The selection logics, apart from MPI and clocks: times in, plans of tests out. One process (rank
 * 0) decides and tells the others, so that they agree whatever their clocks and processors say.
 *
 *	selection_init(&s, &set, &options, prior_log_s, prior_sd);
 *	for (selection_plan_next(&s, uses, &plan); plan.chosen < 0; ...) {
 *		each entry: run its function `tests` times on all processes
 *		selection_record(&s, &plan, results);
 *	}
 */

#include "tune/tune_filter.h"

enum {
	SELECTION_MAX_FUNCTIONS = 64,
	SELECTION_MAX_ATTRIBUTES = 8,
	SELECTION_MAX_TESTS = 64,
	SELECTION_BELIEFS = 15 /* that elimination weighs against each other */
};

enum selection_logic {
	SELECTION_FIXED,
	SELECTION_BRUTE,
	SELECTION_HYPOTHESIS,
	SELECTION_ELIMINATION,
	SELECTION_LOGICS
};

/* The logic of this name, or -1. */
int selection_logic_by_name(const char *name);

/* The functions, by their attributes. */
struct selection_set {
	int n, n_attributes;
	int derived[SELECTION_MAX_ATTRIBUTES];
	int values[SELECTION_MAX_FUNCTIONS][SELECTION_MAX_ATTRIBUTES];
};

struct selection_options {
	enum selection_logic logic;
	enum tune_filter filter;
	int fixed;	/* the function of SELECTION_FIXED */
	int tests;	/* per function; elimination: at most */
	int threshold;	/* hypothesis */
	int iterations; /* elimination: uses expected altogether */
	double noise;	/* elimination: standard deviation of log time of a test, at first */
};

/* The time [s] of a function that cannot be used here: it is dropped. */
#define SELECTION_UNUSABLE_S 1e9

struct selection_plan {
	int chosen; /* a function, or -1 and entries to test */
	int n;
	struct {
		int function, tests;
	} entry[SELECTION_MAX_FUNCTIONS];
};

/* Elimination: mean and covariance of log time [log s], if implementations differ so much. */
struct selection_belief {
	double mean[SELECTION_MAX_FUNCTIONS];
	double cov[SELECTION_MAX_FUNCTIONS][SELECTION_MAX_FUNCTIONS];
	double log_weight, weight; /* of the belief; all weights are 1 together */
};

struct selection {
	struct selection_set set;
	struct selection_options options;
	double prior_log_s[SELECTION_MAX_FUNCTIONS]; /* NaN: unknown */
	double prior_sd[SELECTION_MAX_FUNCTIONS];
	/* Standard deviation of the log of a factor that all of them may be wrong by. */
	double level_sd;
	/* What was measured. mean_s: the largest over the processes of the filtered mean of a
	 * process's last batch of tests; test_s: the largest over the processes of each test. */
	int n_tests[SELECTION_MAX_FUNCTIONS];
	double mean_s[SELECTION_MAX_FUNCTIONS];
	double test_s[SELECTION_MAX_FUNCTIONS][SELECTION_MAX_TESTS];
	/* hypothesis */
	int attribute;			      /* that is looked at */
	int judged[SELECTION_MAX_FUNCTIONS];  /* comparisons, by their first functions */
	int dropped[SELECTION_MAX_FUNCTIONS]; /* or unusable, whatever the logic */
	int value, confidence;		      /* of the hypothesis on that attribute; -1, 0: none */
	/* elimination */
	int surprised[SELECTION_MAX_FUNCTIONS]; /* tested again, as it may have been disturbed */
	/* What was seen here so far [s]: one decision of all processes, 0 before the first, and
	 * preparing each function, NaN where it was not prepared yet. */
	double agreeing_s, prepare_s[SELECTION_MAX_FUNCTIONS];
	/* How many decisions preparing is expected to take as long as; 0: unknown. */
	int agreements[SELECTION_MAX_FUNCTIONS];
	int n_beliefs;
	struct selection_belief belief[SELECTION_BELIEFS];
};

/* prior_log_s and prior_sd: [set->n], or NULL for none. */
void selection_init(struct selection *s, const struct selection_set *set,
		    const struct selection_options *options, const double *prior_log_s,
		    const double *prior_sd);

/* Forget the times, and what was handed in. */
void selection_begin_again(struct selection *s);

/* What to test next, or the choice. uses: of the request so far. */
void selection_plan_next(struct selection *s, long uses, struct selection_plan *out);

/* results: for each entry of the plan the maxima over the processes of the filtered mean and of its
 * tests, entry after entry: sum(1 + tests) numbers [s]. */
void selection_record(struct selection *s, const struct selection_plan *plan,
		      const double *results);

/* The estimated time [s] of a function, NaN where it was not tested. */
double selection_estimate_s(const struct selection *s, int function);

/* Elimination; see tune_elimination.c. */
void selection_eliminate(struct selection *s, long uses, struct selection_plan *out);

#endif
