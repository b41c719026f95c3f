#ifndef MINING_RELIABILITY_H
#define MINING_RELIABILITY_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"

/* A recommendation is a promise about the next run of one configuration: that it ends by the
 * deadline with probability p_meet, and within lo_s..hi_s with probability confidence. What became
 * of one, and whether many of them together are kept as often as they say. */

struct reliability {
	double predicted_s, lo_s, hi_s; /* [s] */
	double confidence;		/* of lo_s..hi_s */
	double deadline_s;		/* [s]; NaN: none */
	double p_meet;			/* NaN: no deadline */
};

enum kept { KEPT_UNKNOWN, KEPT_YES, KEPT_NO };

struct reliability_outcome {
	size_t n_runs;
	double median_s;	   /* [s]; NaN: no runs. A timeout counts with its lower bound */
	size_t n_in_time, n_late;  /* runs; a timeout before the deadline is neither */
	int64_t next_run_id;	   /* the first run after it: the one that was promised about */
	double next_ratio;	   /* its time over predicted_s; NaN: none, or it timed out */
	enum kept in_time, inside; /* of the next run */
};
/* run[n]: in the order they were loaded. Errors: NOMEM. */
enum err_code reliability_judge(const struct reliability *p, const struct kb_outcome *run, size_t n,
				struct reliability_outcome *out, struct err *e);

/* How often promises of one kind were kept. */
enum calibration_verdict {
	CALIBRATION_TOO_FEW, /* fewer than CALIBRATION_MIN runs say nothing */
	CALIBRATION_AS_PROMISED,
	CALIBRATION_LESS, /* kept less often than promised, by more than two errors */
	CALIBRATION_MORE
};
enum { CALIBRATION_MIN = 10 };
const char *calibration_verdict_name(enum calibration_verdict v);

struct calibration {
	size_t n;	 /* promises that were put to the test */
	size_t n_runs;	 /* different runs behind them: one may answer several questions */
	size_t n_kept;	 /* of n */
	double promised; /* mean probability; NaN: n is 0 */
	double kept;	 /* share */
	double error;	 /* of kept if promises are true: sqrt(mean p (1 - p) / n_runs) */
	enum calibration_verdict verdict;
};
/* One promise: its probability, whether it was kept by which run. */
struct kept_promise {
	double probability;
	enum kept kept;
	int64_t run_id;
};
/* KEPT_UNKNOWN are passed over. The order of item changes. */
void calibration_of(struct kept_promise *item, size_t n, struct calibration *out);

/* Median of x[0..n-1], whose order changes; NaN when n is 0. */
double promise_median(double *x, size_t n);

#endif
