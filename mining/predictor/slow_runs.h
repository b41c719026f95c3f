#ifndef MINING_SLOW_RUNS_H
#define MINING_SLOW_RUNS_H
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "kb/kb.h"
#include "mining/predictor/config_kind.h"
#include "mining/training/config_table.h"

/* Runs that took longer than the fit to all of them can explain, which it therefore set aside as
 * disturbed. What nobody repeated may as well be true of the configuration (more threads than
 * cores, a page file), so it lowers what is promised: of m configurations of a kind of which k were
 * slow, the next one is slow with the chance (c + k) / (1 + m), c that of those of the wider kind
 * that are not of this one; kinds are those of config_kind.h, and all configurations. What is more
 * than the share of all is told: the share of all is in the held-out residuals already. The weight
 * of the wider kind, one configuration, is a choice: so a single slow run of its kind is true of it
 * with even chances. */
struct slow_run {
	uint64_t hash[CONFIG_KINDS];
	double chance[CONFIG_KINDS]; /* beyond that of all runs */
	double log_off;		     /* log(measured / fitted) */
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

#endif
