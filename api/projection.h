#ifndef API_PROJECTION_H
#define API_PROJECTION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "api/model_question.h"
#include "api/session.h"
#include "base/err.h"
#include "models/scaling.h"

/* Where a projection goes: npe_i is 0 where the most nearly square grid is meant. */
struct projection_place {
	int64_t procs, npe_i, npe_j;
};
struct projection_request {
	struct projection_place *place; /* [n], by ascending processors */
	size_t n;
	bool listed;	/* each of them is asked for: where one cannot be, the others can */
	bool per_proc;	/* the problem grows with the processors */
	double size[3]; /* cells of a processor, of per_proc */
	double least_efficiency; /* SCALING_LEAST_EFFICIENCY, or what is asked for */
};

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

/* q: with its row, but for the grid; what was mined is in it, where there is something. A note says
 * where it cannot be projected to. Errors: ARG (to nowhere: says why), INTERRUPTED, NOMEM. */
enum err_code projection_find(struct session *session, struct model_question *q,
			      const struct projection_request *at, struct projection *out,
			      struct err *e);
void projection_release(struct projection *p);

#endif
