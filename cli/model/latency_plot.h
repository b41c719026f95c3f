#ifndef CLI_LATENCY_PLOT_H
#define CLI_LATENCY_PLOT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/* How much a program suffers when messages take longer on their way: run times with the machine's
 * latency L times each of some factors, by simulation and by models. */

/* One number of processors with one factor. Times in seconds; NaN: not simulated. */
struct latency_point {
	int64_t procs, npe_i, npe_j;
	double factor;
	double L_s; /* factor times the machine's */
	double simulated_s, loggp_s, lopc_s, pipeline_s;
};

struct latency_study {
	const char *app, *machine;   /* borrowed */
	struct latency_point *point; /* processors ascending, within them the factors as given */
	size_t n;
	double *factor;
	size_t n_factor;
	bool simulated; /* not by models alone */
};

/* Draw run time over processors: points as simulated, lines by LogGP, dashed by LoPC, a colour for
 * each factor.
 * Errors: those of gnuplot_draw(). */
enum err_code latency_plot_draw(const struct latency_study *s, const char *path, struct err *e);

#endif
