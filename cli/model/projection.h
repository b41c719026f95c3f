#ifndef CLI_PROJECTION_H
#define CLI_PROJECTION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cli/frame/context.h"
#include "cli/model/model_options.h"
#include "models/scaling.h"

extern const struct option_spec opt_project_procs;

/* Where a projection goes: npe_i is 0 where the most nearly square grid is meant. */
struct projection_place {
	int64_t procs, npe_i, npe_j;
};
/* What --procs lists ("100,50x50"), by ascending processors; without it 1, 2, 4, ... up to
 * max_procs. The caller frees *out. Errors: USAGE, NOMEM. */
enum err_code projection_places(const struct context *c, int64_t max_procs,
				struct projection_place **out, size_t *n, struct err *e);

/* A wavefront model's time on several numbers of processors, and what is printed of it. */
struct projected {
	int64_t procs, npe_i, npe_j;
	double Wg_s;
	struct sweep_time time;
	enum support support; /* by the runs that were mined; outside where there are none */
};

struct projection {
	const struct model_question *question;
	struct projected *row; /* [n] */
	size_t n;
	double one_s;  /* the time on one processor, NaN: it does not fit there */
	bool per_proc; /* the problem grows with the processors */
	struct scaling scaling;
	double least_efficiency;
	int64_t efficient_to; /* scaling_efficient_to() */
};

/* The time on one processor over that on row i; where the problem grows, as many times that as
 * there are processors. And the same for each processor. */
double projection_speedup(const struct projection *p, size_t i);
double projection_efficiency(const struct projection *p, size_t i);

/* Table, CSV or JSON; for people with a word about where scaling stops and about extrapolation. */
enum err_code projection_print(const struct context *c, const struct projection *p, struct err *e);
/* Time, speed-up, efficiency and the shares of the time. Errors: those of gnuplot_draw(). */
enum err_code projection_draw(const char *path, const struct projection *p, struct err *e);

#endif
