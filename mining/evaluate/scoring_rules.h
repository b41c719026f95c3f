#ifndef MINING_SCORING_RULES_H
#define MINING_SCORING_RULES_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"

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

/* ---- verification of recommendations ---- */

/* A recommendation is a forecast of the next run of one configuration: that it ends by the deadline
 * with probability p_meet, and within lo_s..hi_s with probability confidence. Many together are
 * reliable if they come true as often as they say. */
struct reliability {
	double predicted_s, lo_s, hi_s; /* [s] */
	double confidence;		/* of lo_s..hi_s */
	double deadline_s;		/* [s]; NaN: none */
	double p_meet;			/* NaN: no deadline */
};

enum hit { HIT_UNKNOWN, HIT_YES, HIT_NO };

struct reliability_outcome {
	size_t n_runs;
	double median_s;	  /* [s]; NaN: no runs. A timeout counts with its lower bound */
	size_t n_in_time, n_late; /* runs; a timeout before the deadline is neither */
	int64_t next_run_id;	  /* the first run after it: the one that was forecast */
	double next_ratio;	  /* its time over predicted_s; NaN: none, or it timed out */
	enum hit in_time, inside; /* of the next run */
};
/* run[n]: in the order they were loaded. Errors: NOMEM. */
enum err_code reliability_judge(const struct reliability *p, const struct kb_outcome *run, size_t n,
				struct reliability_outcome *out, struct err *e);

/* How often forecasts of one kind came true. */
enum reliability_verdict {
	RELIABILITY_TOO_FEW, /* fewer than RELIABILITY_MIN runs say nothing */
	RELIABILITY_AS_PROMISED,
	RELIABILITY_LESS, /* true less often than promised, by more than two errors */
	RELIABILITY_MORE
};
enum { RELIABILITY_MIN = 10 };
const char *reliability_verdict_name(enum reliability_verdict v);

struct reliability_summary {
	size_t n;	 /* forecasts that were put to the test */
	size_t n_runs;	 /* different runs behind them: one may answer several questions */
	size_t n_hits;	 /* of n */
	double promised; /* mean probability; NaN: n is 0 */
	double hit_rate; /* n_hits / n */
	double error;	 /* of hit_rate if forecasts are reliable: sqrt(mean p (1 - p) / n_runs) */
	enum reliability_verdict verdict;
};
/* One forecast: its probability, whether it came true, by which run. */
struct judged_forecast {
	double probability;
	enum hit hit;
	int64_t run_id;
};
/* HIT_UNKNOWN are passed over. The order of item changes. */
void reliability_summarise(struct judged_forecast *item, size_t n, struct reliability_summary *out);

/* Median of x[0..n-1], whose order changes; NaN when n is 0. */
double reliability_median(double *x, size_t n);

#endif
