#ifndef API_CAMPAIGN_TOTAL_H
#define API_CAMPAIGN_TOTAL_H
#include <stddef.h>
#include <stdint.h>
#include "api/fitted_machine.h"
#include "api/predict_answer.h"

/* Cost of many runs together. The times of a campaign err together: a predictor that is too low
 * for one configuration is, as a rule, too low for its neighbours. So what the predictor does not
 * know (prediction_epistemic_sd()) is taken to be off the same way in all rows: with fully
 * dependent (comonotonic) errors the quantile of a sum is the sum of the quantiles (Dhaene, Denuit,
 * Goovaerts, Kaas, Vyncke, "The concept of comonotonicity in actuarial science and finance:
 * theory", Insurance: Mathematics and Economics 31, 2002, theorem 5). Noise from repeat to repeat
 * (prediction_noise_sd()) is independent from run to run: of it the distances from the median add
 * as squares, and its skew does not cancel out: a log-normal time is exp(sd^2 / 2) of its median
 * on average. Where rows err less alike than that, the interval is too wide, never too narrow. */

struct campaign_sum {
	double middle;	       /* median of the sum */
	double shared[3];      /* distances of the quantiles from the medians, added up */
	double independent[3]; /* likewise, of noise: squares */
	double sign[3];	       /* on which side of the median they are */
};

struct campaign_total {
	const struct application *app; /* borrowed */
	double confidence;	       /* of the interval, and of what is enough */
	size_t n, n_bad;	       /* rows that are in the sums; that could not be predicted */
	size_t n_of[3];		       /* by enum support */
	size_t n_no_nodes, n_no_cores; /* in no sum, as they have no such column */
	struct campaign_sum node_hours, core_hours;
	double outside_node_hours, outside_core_hours; /* medians, of rows outside */
	double max_confidence; /* that any row can be promised with, the least */
	uint64_t longest_line; /* the row of the longest predicted time; 0: none */
	struct row_prediction longest;
	double longest_enough_s;	     /* its quantile at the confidence */
	bool cores_of_nodes, cores_of_procs; /* what core-hours are of (core_hours_of()) */
};

void campaign_total_init(struct campaign_total *t, const struct application *app,
			 double confidence);
/* row is complete, f what is predicted for it by the machine's predictor; line says where it
 * stands. */
void campaign_total_add(struct campaign_total *t, const struct fitted_machine *m, const double *row,
			const struct row_prediction *f, uint64_t line);
void campaign_total_add_bad(struct campaign_total *t);

/* The median of a sum, its central interval at the confidence, and what is enough with that
 * probability; NaN where no row has part in it. enough is NaN, too, where too few residuals were
 * held out to promise anything with it. */
struct campaign_cost {
	double middle, lo, hi, enough;
};
struct campaign_cost campaign_node_hours(const struct campaign_total *t);
struct campaign_cost campaign_core_hours(const struct campaign_total *t);

#endif
