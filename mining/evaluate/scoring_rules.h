#ifndef MINING_SCORING_RULES_H
#define MINING_SCORING_RULES_H
#include <stddef.h>
#include "base/err.h"

/* Measures of how good, and how honest, probabilistic predictions of times were. */

/* Central intervals that are checked: 50, 80, 90 and 95 %. */
enum { INTERVAL_LEVELS = 4, LEVEL_90 = 2 };
extern const double interval_level[INTERVAL_LEVELS];
/* Bins of promised probabilities: [0, 0.1), [0.1, 0.2), ..., [0.9, 1]. */
enum { RELIABILITY_BINS = 10 };

/* What was said about the next run of one configuration; times in seconds. */
struct forecast {
	double time_s; /* the median */
	double lo_s[INTERVAL_LEVELS], hi_s[INTERVAL_LEVELS];
	/* Deadlines, and the probabilities that were promised for them. */
	double deadline_s[RELIABILITY_BINS], p_meet[RELIABILITY_BINS];
};

/* One truth: a held-out configuration by the median of its runs, or a single run. */
struct tested {
	double measured_s, predicted_s;
	double lo_s, hi_s; /* the 90 % interval */
};

struct reliability_bin {
	size_t n;	     /* promises: a run and a deadline */
	size_t n_met;	     /* of which the run met the deadline */
	double sum_promised; /* of probabilities */
};

struct scoring_rules {
	struct tested *tested;
	size_t n, cap;
	size_t n_runs;
	size_t n_covered[INTERVAL_LEVELS]; /* runs within the interval */
	double sum_score;		   /* interval_score() of runs at 90 % */
	struct reliability_bin bin[RELIABILITY_BINS];
};

/* A forecast and the runs that came: measured_s is what its median is compared with (usually
 * theirs), all > 0. Errors: NOMEM. */
enum err_code scoring_rules_add(struct scoring_rules *c, const struct forecast *f,
				double measured_s, const double *run_s, size_t n_runs,
				struct err *e);
void scoring_rules_release(struct scoring_rules *c);

struct scores {
	double median_error;			/* median of |predicted / measured - 1| */
	double p90_error;			/* its 90th percentile */
	double bias;				/* median of predicted / measured - 1 */
	double coverage[INTERVAL_LEVELS];	/* share of runs within the interval */
	double coverage_error[INTERVAL_LEVELS]; /* binomial_error() of that */
	double width;	       /* median of upper over lower end of the 90 % interval */
	double interval_score; /* mean of interval_score() at 90 % over runs */
};
/* Of a card with something on it. Errors: NOMEM. */
enum err_code scoring_rules_summarise(const struct scoring_rules *c, struct scores *out,
				      struct err *e);

/* The interval score of Gneiting and Raftery, "Strictly proper scoring rules, prediction, and
 * estimation", JASA 102(477), 2007, eq. 43, of the logarithms of times, so that a factor counts
 * alike for short and long runs:
 *	(u - l) + 2/a (l - x) [x < l] + 2/a (x - u) [x > u],  a = 1 - level.
 * Smaller is better: narrow, and punished for what falls outside. */
double interval_score(double lo_s, double hi_s, double run_s, double level);

/* The standard error of a share of n, sqrt(share (1 - share) / n), as if the n were independent. */
double binomial_error(double share, size_t n);

/* Relative errors as they come in, and what is said of them. */
struct error_list {
	double *value; /* signed */
	size_t n, cap;
};

/* Errors: NOMEM. */
enum err_code error_list_add(struct error_list *l, double value, struct err *e);
void error_list_release(struct error_list *l);
/* Median and 90th percentile of the absolute values, median of the signed ones. Reorders the list;
 * n >= 1. */
void error_list_summarise(struct error_list *l, double *median, double *p90, double *bias);

#endif
