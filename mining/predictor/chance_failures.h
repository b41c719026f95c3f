#ifndef MINING_CHANCE_FAILURES_H
#define MINING_CHANCE_FAILURES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/dataset.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* Runs that failed by chance: others of the same configuration ended. A run tells of chance,
 * whether it failed or ended, if another one of its configuration ended. The share of those that
 * failed is what the next run fails with, shrunk from all runs to the kinds of config_kind.h:
 * (w c + k) / (w + m), c of the wider kind, w by how much kinds differ beyond chance
 * (beta-binomial, method of moments). The widest kind is the same nodes and processes in place of
 * the same packing, where runs differ more by that. What failed always may have a reason: see
 * recommend/space/failed_runs.h.
 *
 * Or a run fails as one of its nodes does: with the chance 1 - exp(-rate nodes time), times between
 * failures of a node being exponential. Either law has the probability that Bayes' rule gives it,
 * from even odds. */
struct chance_failures {
	size_t n_told, n_failed; /* runs that tell of chance */
	double all;		 /* of a kind that is not listed */
	double rate;		 /* failures of a node, 1/s */
	double rate_p;		 /* that runs fail by the rate */
	bool by_size;		 /* the widest kind is the same nodes and processes */
	size_t n;		 /* at most CHANCE_FAILURES_MAX: those that most runs tell of */
	struct chance_failure {
		uint64_t hash;
		double chance;
	} * item;
};
enum { CHANCE_FAILURES_MAX = 256 };

/* failures: those that are not among the runs; falling: of which less is more work; NULL: none.
 * kind and its state tell how long runs take; NULL: nothing does, and rate_p is 0. Errors: NOMEM.
 */
enum err_code chance_failures_make(const struct dataset *runs, const struct dataset *failures,
				   const struct falling_columns *falling,
				   double (*time_s)(const void *fit, const double *row),
				   const void *fit, struct chance_failures *out, struct err *e);
void chance_failures_release(struct chance_failures *m);
/* That the next run of this configuration, which takes time_s if it ends, fails. */
double chance_failures_at(const struct chance_failures *m, const struct application *app,
			  const double *row, double time_s);
/* " Failed by chance: 12 of 70 runs ...": a sentence; nothing where there are none. */
void chance_failures_explain(const struct chance_failures *m, struct strbuf *out);
/* Numbers "fails_...", and back. Errors: NOMEM. */
enum err_code chance_failures_store(const struct chance_failures *m, struct kb_fit *fit,
				    struct err *e);
enum err_code chance_failures_load(const struct kb_fit *fit, struct chance_failures *out,
				   struct err *e);

#endif
