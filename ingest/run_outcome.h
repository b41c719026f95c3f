#ifndef INGEST_RUN_OUTCOME_H
#define INGEST_RUN_OUTCOME_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "ingest/column_mapping.h"
#include "ingest/text_table.h"

/* How runs ended, where no column is called status: `result` with OK and SEGFAULT, `converged`,
 * `exit`, a note "killed by OOM". A run that crashed after a second is fast, and must not count as
 * one. */

/* Sets .outcome of such columns among those of *m that fill no field; all rows are read only if a
 * column may be one, and t is rewound then: it was hashed. A line is added to notes for each.
 * Errors: NOMEM, those of text_table_next(). */
enum err_code run_outcome_find(struct text_table *t, struct column_mapping *m, struct strbuf *notes,
			       struct err *e);

/* Rows whose time is 0, NA or empty in a table without a status. Scripts write so of a run that
 * failed, and people of one that they lost. Failures have a cause: what ran out of memory is unlike
 * the rest. So the means of the configurations of rows without a time are compared with those of
 * all rows; where they are unlike, the rows are failed runs, else they are refused. But of
 * times in whole seconds a 0 is a run that was over within half of one: where the least of the
 * others is at most three units of the last decimal, zeros are none that failed. */

enum missing_verdict {
	MISSING_OPEN,	   /* not all rows have been seen */
	MISSING_FAILED,	   /* failed runs */
	MISSING_AT_RANDOM, /* nothing is known of them */
	MISSING_TOO_SHORT, /* 0, where others take a few ticks of the clock: refused, too */
};

struct missing_times {
	enum missing_verdict verdict;
	uint64_t n_timed, n_missing;
	uint64_t line; /* of the first row without a time */
	char text[16]; /* its cell */
	bool only_zeros;
	double least;	    /* of the times, in the unit of their cells */
	int n_decimals_max; /* that any of them has */
	/* the test that decided */
	double chi2, p;
	size_t df;     /* columns and levels that vary, beyond what others imply */
	size_t i_most; /* the column that differs most; SIZE_MAX: none varies */
	struct missing_moments *moments;
};

/* "", "NA", "NaN", "null": no mark of an outcome and no word, but not "-" and the like, which say
 * that no run was made. */
bool missing_time_is_unmarked(const char *text);

/* Errors: NOMEM. */
enum err_code missing_times_init(struct missing_times *m, const struct application *a,
				 struct err *e);
void missing_times_release(struct missing_times *m);
/* A row that can be a run; row[a->n_columns], line and text are those of its time. */
void missing_times_add(struct missing_times *m, const double *row, bool timed, uint64_t line,
		       const char *text);
/* All rows were added. Errors: PARSE (most rows have no time: people are asked). file and header
 * are for the message. */
enum err_code missing_times_decide(struct missing_times *m, const char *file, const char *header,
				   struct err *e);
/* What was decided, and why; nothing if no row was without a time. */
void missing_times_put_note(const struct missing_times *m, const char *header,
			    struct strbuf *notes);

/* Probability that a chi-squared variable with df degrees of freedom exceeds chi2; 1 if df is 0. */
double chi_squared_upper_tail(double chi2, size_t df);

#endif
