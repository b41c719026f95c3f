#ifndef TESTS_SYNTHETIC_RUNS_H
#define TESTS_SYNTHETIC_RUNS_H
#include "domain/application.h"
#include "domain/dataset.h"
#include "mining/structure/wavefront_time.h"

/* Runs of Sweep3D made from known parameters, so that tests know the truth. */

struct synthetic {
	struct application *app;
	struct wavefront_time truth;
	struct cost_segment segment[1];
	struct machine machine;
};

/* Reads data/applications/sweep3d.conf (tests run at the top of the tree); 0 on success. */
int synthetic_open(struct synthetic *s);
void synthetic_close(struct synthetic *s);

/* repeats runs of each configuration of a small factorial design (cubes of 20 to 150 cells on 1 to
 * max_procs processors), with relative noise up to +-noise; every disturb-th run (0: none) is
 * slowed by a factor up to 25. NULL: out of memory. */
struct dataset *synthetic_runs(const struct synthetic *s, int max_procs, int repeats, double noise,
			       int disturb, uint64_t seed);

/* What a model of the list says of a complete row with this Wg and the truth's message costs, one
 * processor a node [s]; NaN: it refuses. */
double synthetic_model_time(const struct synthetic *s, const char *model, const double *row,
			    double Wg_s);

/* A complete, derived row. */
void synthetic_row(const struct synthetic *s, double *row, double cube, double npe_i, double npe_j,
		   double mk, double mmi);

#endif
