#ifndef MINING_SETTING_GROUPS_H
#define MINING_SETTING_GROUPS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "mining/cases/conjunction.h"
#include "mining/rules/setting_cases.h"

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
