#ifndef MINING_EARLY_ENDS_H
#define MINING_EARLY_ENDS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/dataset.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* Runs that were set aside as too fast beside the others (mining/training/run_screen.h) and may
 * have failed, though nobody wrote that down: what was asked of them is not known to run. So
 *   - their configuration on their problem,
 *   - and, with the same tunables and processes on a node, a problem no smaller in any column on as
 *     many nodes or fewer, as more memory is needed on a node,
 * fail with a chance of a half, if no run as demanding ended. What is smaller than that and larger
 * than the largest that ended on as few nodes has a share of it: the limit lies anywhere between,
 * in the logarithm of the product of the sizes. Times that follow the work in proportion are in
 * another unit and no failures. */
enum { EARLY_ENDS_MAX = 64, EARLY_ENDS_SIZES = 8 };
#define EARLY_ENDS_CHANCE 0.5

struct early_end {
	uint64_t packing; /* of config_kind.h */
	double nodes;	  /* or processes in a class that has none; NaN: neither */
	double size[EARLY_ENDS_SIZES];
	double room; /* ln of the product of the sizes over the most that ended */
};

struct early_ends {
	size_t n, n_sizes;
	size_t column[EARLY_ENDS_SIZES]; /* of the problem and the workload, words among them */
	struct early_end *item;
};

/* t: of the runs; expected_s[runs->n]: what the others let each run take. Errors: NOMEM. */
enum err_code early_ends_make(const struct dataset *runs, const struct config_table *t,
			      const double *expected_s, struct early_ends *out, struct err *e);
void early_ends_release(struct early_ends *m);
/* That a run of this row fails: 0 to EARLY_ENDS_CHANCE. */
double early_ends_chance(const struct early_ends *m, const struct application *app,
			 const double *row);
/* " What 3 of them tried ...": a sentence after that of run_screen.h; nothing where there are none.
 */
void early_ends_explain(const struct early_ends *m, struct strbuf *out);
/* Numbers "early_...", and back: what a column of today does not know is left out. Errors: NOMEM.
 */
enum err_code early_ends_store(const struct early_ends *m, const struct application *app,
			       struct kb_fit *fit, struct err *e);
enum err_code early_ends_load(const struct kb_fit *fit, const struct application *app,
			      struct early_ends *out, struct err *e);

#endif
