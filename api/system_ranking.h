#ifndef API_SYSTEM_RANKING_H
#define API_SYSTEM_RANKING_H
#include <stddef.h>
#include "base/err.h"
#include "mining/numerics/rank_tests.h"

/* Which parameter of a list of systems predicts their order best, the effective bandwidth or the
 * performance of a core: the TOP500 study of Kredel et al. 2013. */
struct ranked_system {
	double rank, rmax_flops, nmax, cores;
	double b_eff_bytes_per_s; /* the effective bandwidth */
	double core_flops;	  /* of a core */
};

struct system_ranking {
	struct ranked_system *row; /* [n], by ascending rank */
	size_t n;
	size_t n_there; /* among the first, with those that were left out: */
	size_t n_accelerated, n_incomplete;
	struct rank_correlation b_eff, core; /* of rank with the negative of each */
};

/* From a table with the columns rank, Rmax (a second), Nmax and cores, and the cores of
 * accelerators if it has them; of the systems up to rank `first`. Errors: those of
 * number_table_read(), NODATA (fewer than 3 can be ranked), NOMEM. */
enum err_code system_ranking_read(const char *path, size_t first, struct system_ranking *out,
				  struct err *e);
void system_ranking_release(struct system_ranking *r);

#endif
