#ifndef MINING_SETTING_CASES_H
#define MINING_SETTING_CASES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/cases/conjunction.h"
#include "mining/cases/slowdown_table.h"

/* The cases of a slow-down table in which there is something to choose, each with its
 * configurations side by side: what settings are tried on. */

/* A case with fewer configurations says nothing about what to choose. */
enum { SETTING_MIN_MEMBERS = 3 };

struct setting_cases {
	const struct slowdown_table *t; /* borrowed */
	size_t n_cases;
	size_t n;	  /* configurations, of all cases */
	size_t *first;	  /* n_cases + 1: those of case c are first[c] .. first[c + 1] - 1 */
	uint32_t *config; /* n: which in t */
	double *slowdown; /* n: its log slow-down */
	double *mean;	  /* n_cases: of slowdown */
	uint32_t *block;  /* n_cases */
	size_t n_choices;
	size_t *choice; /* columns that people can set, and what derives from them */
	/* [k * n_columns + c]: choice k is column c, or derives from it; c is one that people set
	 * themselves */
	unsigned char *rests_on;
	unsigned char *choice_code; /* of configuration i: choice_code[k * n + i] */
	size_t n_contexts;
	size_t *context;	     /* columns that are known before choosing */
	unsigned char *context_code; /* of case c: context_code[k * n_cases + c] */
};

/* At most max_cases cases (> 0), evenly taken, and about max_configs configurations.
 * Deterministic. Errors: NOMEM. */
enum err_code setting_cases_make(const struct slowdown_table *t, size_t max_cases,
				 size_t max_configs, struct setting_cases *out, struct err *e);
void setting_cases_release(struct setting_cases *s);
/* Does some column that people set stand behind both choices? */
bool setting_cases_related(const struct setting_cases *s, size_t k, size_t l);

/* Case c seen by a setting: its configurations that have it, and the others. */
struct setting_contrast {
	size_t n_in, n_out;
	double in, out; /* mean log slow-down; NaN: there are none */
};
struct setting_contrast setting_cases_contrast(const struct setting_cases *s, size_t c,
					       const struct conjunction *setting);

enum { SETTING_GROUPS = 12 };

/* The bins of a choice, gathered into few groups for the search: of about equal weight where there
 * are more bins than groups. Levels of a text column come in the order of what they save, so that
 * groups from 0 on are the best ones. */
struct choice_groups {
	size_t n;
	bool ordered;
	unsigned char of[256];		    /* code -> group; SETTING_GROUPS: never seen, missing */
	unsigned char low[SETTING_GROUPS];  /* lowest code seen in it */
	unsigned char high[SETTING_GROUPS]; /* highest */
};

/* As seen in the cases which[0..n-1], of the given weights. choice: index into s->choice. */
void choice_groups_make(const struct setting_cases *s, size_t choice, const uint32_t *which,
			const double *weight, size_t n, struct choice_groups *out);

/* Groups lo..hi as a condition on the column; one that reaches to the last group seen is open
 * there. */
struct bin_condition choice_groups_condition(const struct setting_cases *s, size_t choice,
					     const struct choice_groups *g, size_t lo, size_t hi);

#endif
