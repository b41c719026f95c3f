#ifndef CLI_MEASUREMENT_PLOT_H
#define CLI_MEASUREMENT_PLOT_H
#include "api/machine_measurement.h"
#include "base/err.h"

/* Draw what messages cost over their size, measured as points and fitted as lines, inside a node
 * and between nodes; and, where it was measured, Wg of the blocks as measured over what its formula
 * says. Errors: those of gnuplot_draw(). */
enum err_code measurement_plot_draw(const struct machine_measurement *m, const char *path,
				    struct err *e);

#endif
