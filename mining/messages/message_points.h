#ifndef MINING_MESSAGE_POINTS_H
#define MINING_MESSAGE_POINTS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* Ping-pong data made ready for fitting: one robust one-way cost per message size. */

/* No range of message sizes is told from fewer distinct sizes than this: two fix its line, the
 * third can contradict it. */
enum { MESSAGE_RANGE_MIN_SIZES = 3 };

struct message_point {
	double bytes;
	double cost_s;	/* half the round trip [s], median of the repeats */
	bool disturbed; /* every repeat of it was, by the look of its neighbours */
};

/* The points of bytes[0..n-1], roundtrip_s[0..n-1] [s], in any order, by ascending size. *out has
 * *n_out elements; free() it.
 * Errors: NODATA (fewer than 4 sizes), ARG (a size or time that cannot be one is named by its
 * index), NOMEM. */
enum err_code message_points_collect(const double *bytes, const double *roundtrip_s, size_t n,
				     struct message_point **out, size_t *n_out, struct err *e);

/* The relative standard error of one point (0.01: 1 %), whatever the shape of the curve: from how
 * far points lie off the chord between their neighbours. n >= 3. Errors: NOMEM. */
enum err_code message_points_noise(const struct message_point *p, size_t n, double *out,
				   struct err *e);

/* Drop, in place, sizes whose cost is so high that they share a range with no neighbours: all
 * their repeats were disturbed. `noise` as above. Returns how many sizes are left. */
size_t message_points_drop_disturbed(struct message_point *p, size_t n, double noise);

#endif
