#ifndef MINING_SLOWDOWN_TABLE_H
#define MINING_SLOWDOWN_TABLE_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "domain/dataset.h"
#include "mining/cases/column_bins.h"

/* What rules and statistics are mined from: the configurations of a data set in columns, each with
 * its slow-down against the best known of its case. A case is one problem and workload on the same
 * nodes, processors and threads of one machine from one source; only runs that count
 * (rule_counts_run) are in. Configurations are the same when every stored column, machine and
 * source agree; their time is the median of their repeats. */

enum column_use {
	USE_NONE,    /* constant, missing everywhere, or a copy of another column */
	USE_CONTEXT, /* known before choosing: (nearly) the same within every case */
	USE_CHOICE   /* tunables, the shape of the grid, and what derives from them */
};

/* What is held out together, so that no run predicts its twin: whole problems where there are
 * enough of them, else cases, else configurations. */
enum block_kind { BLOCK_PROBLEM, BLOCK_CASE, BLOCK_CONFIGURATION };

/* A run does not count, a column has no twin, ... */
#define SLOWDOWN_NONE UINT32_MAX

struct slowdown_table {
	const struct application *app; /* borrowed */
	const struct dataset *runs;    /* borrowed */
	size_t n;		       /* configurations */
	size_t n_columns;
	struct column_bins *bins;	    /* n_columns; a subset borrows those of its whole */
	const struct slowdown_table *whole; /* of a subset; else NULL */
	unsigned char *code;  /* column by column: code[c * n + i], see slowdown_codes() */
	enum column_use *use; /* n_columns */
	size_t *copy_of;      /* n_columns; SIZE_MAX, or an earlier column in the same order */
	double *log_time;     /* log of the median of the repeats [log s] */
	double *log_slowdown; /* log(time / best of the case), >= 0; NaN: nothing to compare with */
	uint32_t *n_runs;     /* repeats */
	uint32_t *first_run;  /* a run of it: its row is that of the configuration */
	uint32_t *stratum;    /* its case, 0..n_strata-1 */
	uint32_t *block;      /* held out together, 0..n_blocks-1 */
	uint64_t *block_key;  /* n_blocks: hashes of what the blocks are, whatever their numbers */
	uint32_t *config_of_run; /* by run of the data set; SLOWDOWN_NONE: does not count */
	size_t n_strata, n_problems, n_blocks;
	enum block_kind block_kind;
	double noise; /* robust standard deviation of log time among repeats; 0: not known */
};

/* The best of a case is the mean (of logs) of the configurations that noise alone cannot tell from
 * the fastest, so that the luckiest of many repeats is not what others are measured by. A time far
 * below all others of its case (a failed run that passed for one) is not the best of anything: its
 * slow-down is NaN. Errors: NODATA (no run counts), NOMEM, INTERRUPTED. */
enum err_code slowdown_table_make(const struct dataset *runs, const struct progress *p,
				  struct slowdown_table **out, struct err *e);
void slowdown_table_free(struct slowdown_table *t);

/* codes of one column, [n] */
static inline const unsigned char *slowdown_codes(const struct slowdown_table *t, size_t column)
{
	return t->code + column * t->n;
}

static inline const double *slowdown_row(const struct slowdown_table *t, size_t i)
{
	return dataset_row(t->runs, t->first_run[i]);
}

/* Is the column free to choose, or does it derive from one that is? */
bool slowdown_depends_on_choice(const struct application *a, size_t column);

/* A table of the configurations with keep[i] != 0, whole cases only; shares bins (borrowed from t,
 * which must outlive it); strata and blocks keep their numbers. log_slowdown stays as it was. For
 * samples and folds. config_of_run is NULL in it. Errors: NOMEM. */
enum err_code slowdown_table_subset(const struct slowdown_table *t, const unsigned char *keep,
				    struct slowdown_table **out, struct err *e);

/* fold[block] in 0..n_folds-1, of about equal numbers of blocks. A block stays in its fold as runs
 * come and go, so that what is found does not turn over with every import (where blocks are few
 * they are dealt out evenly instead). */
enum err_code slowdown_folds(const struct slowdown_table *t, unsigned n_folds, unsigned char *fold,
			     struct err *e);

/* About `most` configurations of the blocks with fold[block] = which (fold NULL: of all), or all of
 * them if they are no more: whole cases, chosen by a hash of their number, and only where there
 * are too few of those parts of cases. The same table gives the same sample. Errors: NOMEM. */
enum err_code sample_fold(const struct slowdown_table *t, const unsigned char *fold, unsigned which,
			  size_t most, struct slowdown_table **out, struct err *e);

#endif
