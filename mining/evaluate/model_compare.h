#ifndef MINING_MODEL_COMPARE_H
#define MINING_MODEL_COMPARE_H
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"
#include "mining/predictor/predictor.h"
#include "mining/structure/model_times.h"
#include "mining/training/holdout.h"

/* Where predictions fail: the range of one quantity in which the errors are largest. */
struct error_region {
	const char *by;	 /* the quantity's name, of the application; NULL: too few errors to say */
	double from, to; /* of it, inclusive */
	size_t n;	 /* errors in it */
	double median_error; /* of their absolute values */
	double bias;	     /* median of the signed ones */
};

/* error[n]: relative and signed, of the configurations row[n] (complete, derived); NaN: none. The
 * quantities are the processors and every derived column that has more than one value. Each is cut
 * into at most 4 ranges of about as many errors, equal values together; a range of fewer than 8
 * says nothing. Where two are as bad, the first quantity's, from its low end. Errors: NOMEM. */
enum err_code error_region_worst(const struct application *app, const double *const *row,
				 const double *error, size_t n, struct error_region *out,
				 struct err *e);

/* Which model to trust: every wavefront model that applies, and the formula that is mined
 * (wavefront_time.h), beside the measured and simulated runs of a machine. Parts of the runs are
 * held out in turn, and errors are those of held-out configurations.
 *
 * How each is calibrated on the rest: cv_models.h. Message costs are the same for all: the
 * machine's file's, else those fitted to its ping-pong, else assumed. */

struct model_score {
	const char *model; /* "wavefront" for the formula that is mined */
	const char *title;
	size_t n;	     /* held-out configurations that it answered */
	double median_error; /* of |predicted / measured - 1| */
	double p90_error;    /* 90th percentile of that */
	double bias;	     /* median of predicted / measured - 1 */
	double Wg_s; /* median over the held-out configurations; NaN: it has none of its own */
	struct error_region worst;
};

struct model_point {
	size_t i_score;
	double measured_s, predicted_s;
};

struct model_comparison {
	const char *costs;	   /* where the message costs come from */
	size_t n_there;		   /* configurations that were measured or simulated */
	size_t n_configs, n_runs;  /* of them taken: evenly, at most 1000 */
	size_t n_of[SOURCE_COUNT]; /* configurations, by source; none is modelled */
	struct model_score *score; /* [n], the mined formula last */
	size_t n;
	struct model_point *point; /* every held-out prediction */
	size_t n_points;
	struct model_times times; /* of all configurations; `refused` says what does not apply */
};

/* in->runs may have modelled runs: they are left out. local: costs inside a node, NULL: not known.
 * Errors: NODATA (too few runs, or nothing can be held out that way: says so), ARG (no wavefront
 * application), INTERRUPTED, NOMEM. */
enum err_code model_compare(const struct fit_input *in, const struct message_cost *local,
			    enum holdout held_out, struct model_comparison *out, struct err *e);
void model_comparison_release(struct model_comparison *c);

#endif
