#ifndef MINING_MESSAGE_LINE_H
#define MINING_MESSAGE_LINE_H
#include <stdbool.h>
#include <stddef.h>
#include "mining/messages/message_points.h"

/* The line of one range of message sizes: weighted least squares with weights 1 / cost^2, so that
 * the errors made small are relative ones. Sizes span bytes to megabytes; absolute errors would
 * leave the small messages to chance. */

/* What a line is fitted from: weighted sums about the means, which merge without cancellation. */
struct message_moments {
	size_t n;
	double first_bytes; /* the smallest size */
	double weight;	    /* sum of weights [1/s^2] */
	double mean_bytes, mean_s;
	double bytes_bytes, bytes_s, s_s; /* weighted sums of products of deviations */
};

struct message_moments message_moments_of(const struct message_point *p, size_t n);
/* Of two sets of points, the sizes of `below` being the smaller ones; either may be empty. */
struct message_moments message_moments_merge(const struct message_moments *below,
					     const struct message_moments *above);

/* intercept_s + s_per_byte * bytes: never falls, and is never negative in its range. */
struct message_line {
	double intercept_s;
	double s_per_byte;
	double misfit; /* sum of squared relative errors */
};

/* from_zero: the range reaches down to 0 bytes, where too the cost must not be negative. m->n > 0.
 */
struct message_line message_line_fit(const struct message_moments *m, bool from_zero);

/* Variances, for points with a relative error of 1 and two sizes or more: of the slope, and of the
 * line's value at `bytes` (the intercept's: at 0). */
double message_line_slope_variance(const struct message_moments *m);
double message_line_variance_at(const struct message_moments *m, double bytes);

#endif
