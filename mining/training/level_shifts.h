#ifndef MINING_LEVEL_SHIFTS_H
#define MINING_LEVEL_SHIFTS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* Values of a numeric column of the problem whose times are off from a smooth law together:
 *
 *   a jump: all values above some bound take a multiple, as where the problem leaves a cache or the
 *   memory, or another algorithm begins. The bound lies between two values that were run;
 *
 *   numbers of a kind: powers of two, or multiples of 2^k, meet in the same sets of a cache, or
 *   suit lines and vectors.
 *
 * Of each column with 4 to 48 values, linear models of ln time are compared by their evidence
 * (marginal likelihood; Bishop, "Pattern Recognition and Machine Learning", 2006, 3.4):
 *
 *	ln t = polynomial of the logs of all numbers (order 3 in this column, 2 in others and in
 *	       pairs) + text levels + smooth process in this column
 *	       + deviation of each value of the column, N(0, tau^2)
 *	       + shift of a set of values + noise, N(0, sigma^2)
 *
 * with no set, the values above each bound, or those of a kind. Priors: docs/models.md. The
 * deviations are what keeps numbers that are names (of a deck, a case), each off by itself, from
 * making jumps.
 *
 * A shift is found that is likelier than not, and a factor of 1.2 or more. Fits are then to times
 * without it, and predictions are multiplied where it holds. Where no run tells whether it holds (a
 * value between both sides of the bound, a multiple of another power), a run is slow with that
 * chance. A shift with a chance of 0.2 or more is suspected: it is left in the times, and the run
 *is slow with its chance where it may hold. */
enum { LEVEL_SHIFTS = 6, LEVEL_SHIFT_VALUES = 48, LEVEL_SHIFT_CONFIGS = 2000 };
#define SHIFT_FOUND 0.5
#define SHIFT_SUSPECTED 0.2

struct level_shift {
	size_t column;
	enum level_shift_kind { SHIFT_ABOVE = 1, SHIFT_NUMBERS } kind;
	double chance;
	double log_ratio; /* of the time with it over that without */
	double sd;	  /* of that, at a value that was not run */
	/* Above: the bound is lo or more, and less than hi. Numbers: the multiples of 2^k, k one of
	 * lo to hi (none: lo > hi), or, with powers, the powers of two: which, the runs do not
	 * tell.
	 */
	double lo, hi;
	bool powers;
	double least, most; /* that were run */
	double n_with;	    /* how many values have it */
};

struct level_shifts {
	size_t n;
	struct level_shift item[LEVEL_SHIFTS];
};

/* What of it holds at a row. */
struct shift_at {
	double log_ratio;		  /* of the time over that of the fit */
	double sd;			  /* of that */
	double slow_p, slow_log;	  /* with this chance ln time is slow_log > 0 more */
	const struct level_shift *untold; /* that slow_p is of; NULL: nothing */
};

/* Of more than LEVEL_SHIFT_CONFIGS configurations evenly taken ones are looked at. Errors: NOMEM.
 */
enum err_code level_shifts_find(const struct config_table *t, struct level_shifts *out,
				struct err *e);
/* Divides t's times and limits by what was found. */
void level_shifts_take_off(const struct level_shifts *m, struct config_table *t);
/* A missing value is where the time is least. */
struct shift_at level_shifts_at(const struct level_shifts *m, const double *row);

/* Sentences with a blank before each; nothing where there is none. */
void level_shifts_explain(const struct level_shifts *m, const struct application *app,
			  struct strbuf *out);
/* "between n 4096 and 8192 time jumps by a factor of 3.1". */
void level_shift_explain(const struct level_shift *s, const struct application *app,
			 struct strbuf *out);

/* As "shift0_above" and so on. Errors: NOMEM. */
enum err_code level_shifts_store(const struct level_shifts *m, const struct application *app,
				 struct kb_fit *fit, struct err *e);
void level_shifts_load(const struct kb_fit *fit, const struct application *app,
		       struct level_shifts *out);

#endif
