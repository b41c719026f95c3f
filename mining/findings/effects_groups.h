#ifndef MINING_EFFECTS_GROUPS_H
#define MINING_EFFECTS_GROUPS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/strbuf.h"
#include "mining/cases/slowdown_table.h"

/* The values of a column merged to a few groups with many configurations each, as people compare
 * them: "mk 1..2", "mk 5", "mk 10..20". */
enum { GROUPS_MAX = 6, GROUP_NONE = 255 };

struct column_groups {
	size_t n;
	bool ordered;
	bool has_rest; /* text: the last group is of all levels too rare for one of their own */
	unsigned char of_code[256];		      /* GROUP_NONE: missing, or not seen */
	unsigned char lo[GROUPS_MAX], hi[GROUPS_MAX]; /* codes of a group; of the rest: one */
};

/* At most `most` groups (<= GROUPS_MAX), by the configurations of the table. Adjacent values of an
 * ordered column go together; of a text column the frequent levels are groups of their own. */
void column_groups_make(const struct slowdown_table *t, size_t column, size_t most,
			struct column_groups *out);

/* "mk 5..10", "layout DGZ", "layout other". */
void column_groups_put(const struct slowdown_table *t, size_t column, const struct column_groups *g,
		       size_t group, struct strbuf *out);
/* The groups from..to: "procs <= 4", "procs >= 64", "procs 8..32", "procs 16". from < to only if
 * ordered. */
void column_groups_put_where(const struct slowdown_table *t, size_t column,
			     const struct column_groups *g, size_t from, size_t to,
			     struct strbuf *out);
/* The values alone: "5..10". */
void column_groups_put_values(const struct slowdown_table *t, size_t column,
			      const struct column_groups *g, size_t group, struct strbuf *out);

#endif
