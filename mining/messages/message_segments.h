#ifndef MINING_MESSAGE_SEGMENTS_H
#define MINING_MESSAGE_SEGMENTS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/progress.h"
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

/* Where the cost of a message changes its law: the best cut of the sizes into ranges with a line
 * each, and how many ranges the data justify. */

/* Real transports have three or four protocols; more ranges would trace noise. */
enum { MESSAGE_RANGES_MAX = 8 };

/* Range i is the points first[i] .. first[i + 1] - 1; first[n] is the number of points. */
struct message_ranges {
	size_t n;
	size_t first[MESSAGE_RANGES_MAX + 1];
};

/* Cut p[0..n-1], ascending by size, n >= MESSAGE_RANGE_MIN_SIZES, whose relative standard error is
 * `noise` > 0. progress (may be NULL) is asked whether to go on. Errors: INTERRUPTED, NOMEM. */
enum err_code message_ranges_find(const struct message_point *p, size_t n, double noise,
				  const struct progress *progress, struct message_ranges *out,
				  struct err *e);

/* The smallest size of the range that starts with p[i], i > 0, the one before ending with p[i - 1].
 * The data only say that the change lies between the two; transports change at powers of two, so
 * where these leave one choice it is taken: 1025 after a last size of 1024 (it is still of the
 * range before), 4096 before a first size of 4096 or between 3000 and 5000. Else p[i]'s size. */
double message_ranges_from_bytes(const struct message_point *p, size_t i);

#endif
