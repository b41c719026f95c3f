#ifndef CLI_FRONTIER_PLOT_H
#define CLI_FRONTIER_PLOT_H
#include <stdbool.h>
#include <stddef.h>
#include "base/strbuf.h"

/* Time against node-hours, both on logarithmic scales, drawn in plain text.
 */

struct plot_point {
	double node_hours, time_s; /* > 0 */
	char symbol;		   /* of those in one place the last one is seen */
};

/* At most `columns` wide, and 80 (0: 80), but never less than 40. deadline_s: drawn as a line of
 * dots if it lies between the points (returns whether); NaN: none. n must be above 0. */
bool frontier_plot_put(const struct plot_point *point, size_t n, double deadline_s, size_t columns,
		       struct strbuf *out);

#endif
