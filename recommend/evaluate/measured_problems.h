#ifndef RECOMMEND_MEASURED_PROBLEMS_H
#define RECOMMEND_MEASURED_PROBLEMS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/training/config_table.h"

/* Runs as questions with known answers: the problems (with their workload) that were measured in
 * several configurations. Which of these is best is known, so a decision among them can be
 * judged. */
struct measured_problems {
	struct config_table *configs;
	double *nodes; /* by configuration: what is paid for. Nodes; processors of a class that
			* counts no nodes; 1 of one that counts neither */
	size_t n;
	/* The configurations of problem p are member[start[p] .. start[p + 1] - 1]. */
	uint32_t *start, *member;
};

/* Errors: NODATA (no run with a time), NOMEM. */
enum err_code measured_problems_make(const struct dataset *runs, struct measured_problems *out,
				     struct err *e);
void measured_problems_release(struct measured_problems *m);

static inline size_t measured_problems_size(const struct measured_problems *m, size_t p)
{
	return m->start[p + 1] - m->start[p];
}

/* What is seen of each problem when `share` of its configurations is drawn at random, but at least
 * `least` (or all there are): seen[i] = 1 by configuration. Errors: NOMEM. */
enum err_code measured_problems_draw(const struct measured_problems *m, double share, size_t least,
				     uint64_t seed, unsigned char *seen, struct err *e);

#endif
