#ifndef CLI_PROJECTION_H
#define CLI_PROJECTION_H
#include "cli/context.h"
#include "cli/model_question.h"
#include "models/scaling.h"

/* A wavefront model's time on 1, 2, 4, ... processors, and what is printed of it. */
struct projected {
	int64_t procs, npe_i, npe_j;
	double Wg_s;
	struct sweep_time time;
	enum support support; /* by the runs that were mined; outside where there are none */
};
enum { PROJECTION_MAX = 40 }; /* doublings: more than SWEEP_MAX_COUNT has */

struct projection {
	const struct model_question *question;
	struct projected row[PROJECTION_MAX];
	size_t n;
	struct scaling scaling;
};

/* Table, CSV or JSON; for people with a word about where scaling stops and about extrapolation. */
enum err_code projection_print(const struct context *c, const struct projection *p, struct err *e);
/* Time, speed-up, efficiency and the shares of the time. Errors: those of gnuplot_draw(). */
enum err_code projection_draw(const char *path, const struct projection *p, struct err *e);

#endif
