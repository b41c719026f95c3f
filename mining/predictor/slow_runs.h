#ifndef MINING_SLOW_RUNS_H
#define MINING_SLOW_RUNS_H
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* Runs that took longer than the fit to all of them can explain, which it therefore set aside as
 * disturbed. What nobody repeated may as well be true of the configuration (more threads than
 * cores, a page file), so it lowers what is promised: of m configurations of a kind of which k were
 * slow, the next one is slow with the chance (c + k) / (1 + m), c that of those of the wider kind
 * that are not of this one. Kinds, from wide to narrow: all configurations; the same tunables,
 * threads and processes on a node; the same nodes, too; the same problem, too. What is more than
 * the share of all is told: the share of all is in the held-out residuals already. The weight of
 * the wider kind, one configuration, is a choice: so a single slow run of its kind is true of it
 * with even chances. */
enum slow_kind { SLOW_PACKING, SLOW_CONFIGURATION, SLOW_RUN, SLOW_KINDS };

struct slow_run {
	uint64_t hash[SLOW_KINDS];
	double chance[SLOW_KINDS]; /* beyond that of all runs */
	double log_off;		   /* log(measured / fitted) */
};
struct slow_runs {
	size_t n; /* at most SLOW_RUNS_MAX: those that are off most */
	struct slow_run *item;
};
enum { SLOW_RUNS_MAX = 64 };

/* off[t->n]: log(measured / fitted) of each configuration. Errors: NOMEM. */
enum err_code slow_runs_make(const struct config_table *t, const double *off, struct slow_runs *out,
			     struct err *e);
void slow_runs_release(struct slow_runs *m);
/* The chance that a run of this configuration is slow, and log_off of the run that says so, of the
 * narrowest kind; 0: none does. */
double slow_runs_chance(const struct slow_runs *m, const struct application *app, const double *row,
			double *log_off);

/* " Set aside: 2 configurations took ...": a sentence; nothing where there are none. */
void slow_runs_explain(const struct slow_runs *m, struct strbuf *out);

/* Numbers "slow_...", and back. Errors: NOMEM. */
enum err_code slow_runs_store(const struct slow_runs *m, struct kb_fit *fit, struct err *e);
enum err_code slow_runs_load(const struct kb_fit *fit, struct slow_runs *out, struct err *e);

/* Runs that failed by chance: others of the same configuration ended. A run tells of chance,
 * whether it failed or ended, if another one of its configuration ended. The share of those that
 * failed is what the next run fails with, shrunk from all runs to the kinds of slow_kind:
 * (w c + k) / (w + m), c of the wider kind, w by how much kinds differ beyond chance
 * (beta-binomial, method of moments). The widest kind is the same nodes and processes in place of
 * the same packing, where runs differ more by that. What failed always may have a reason: see
 * recommend/space/failed_runs.h. */
struct chance_failures {
	size_t n_told, n_failed; /* runs that tell of chance */
	double all;		 /* of a kind that is not listed */
	bool by_size;		 /* the widest kind is the same nodes and processes */
	size_t n;		 /* at most CHANCE_FAILURES_MAX: those that most runs tell of */
	struct chance_failure {
		uint64_t hash;
		double chance;
	} * item;
};
enum { CHANCE_FAILURES_MAX = 256 };

/* failures: those that are not among the runs; NULL: none. Errors: NOMEM. */
enum err_code chance_failures_make(const struct dataset *runs, const struct dataset *failures,
				   struct chance_failures *out, struct err *e);
void chance_failures_release(struct chance_failures *m);
/* That the next run of this configuration fails. */
double chance_failures_at(const struct chance_failures *m, const struct application *app,
			  const double *row);
/* " Failed by chance: 12 of 70 runs ...": a sentence; nothing where there are none. */
void chance_failures_explain(const struct chance_failures *m, struct strbuf *out);
/* Numbers "fails_...", and back. Errors: NOMEM. */
enum err_code chance_failures_store(const struct chance_failures *m, struct kb_fit *fit,
				    struct err *e);
enum err_code chance_failures_load(const struct kb_fit *fit, struct chance_failures *out,
				   struct err *e);

#endif
