#ifndef MINING_MESSAGE_RANGES_H
#define MINING_MESSAGE_RANGES_H
#include <stddef.h>
#include "base/err.h"
#include "mining/messages/message_points.h"

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
 * `noise` > 0. Errors: NOMEM. */
enum err_code message_ranges_find(const struct message_point *p, size_t n, double noise,
				  struct message_ranges *out, struct err *e);

/* The smallest size of the range that starts with p[i], i > 0, the one before ending with p[i - 1].
 * The data only say that the change lies between the two; transports change at powers of two, so
 * where these leave one choice it is taken: 1025 after a last size of 1024 (it is still of the
 * range before), 4096 before a first size of 4096 or between 3000 and 5000. Else p[i]'s size. */
double message_ranges_from_bytes(const struct message_point *p, size_t i);

#endif
