#ifndef MINING_CONJUNCTION_H
#define MINING_CONJUNCTION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/strbuf.h"
#include "mining/cases/slowdown_table.h"

/* Conditions on bins, all of which must hold: what the searches for rules put together, and what
 * becomes the text of a rule. A missing value never fulfils one, as NULL in SQL. */

enum { CONJUNCTION_MAX = 6 };

struct bin_condition {
	size_t column;
	bool is_set; /* text columns: codes with their bit in set[]; else lo <= code <= hi */
	unsigned char lo, hi;
	uint64_t set[4];
};

struct conjunction {
	struct bin_condition of[CONJUNCTION_MAX];
	size_t n;
};

static inline bool bin_condition_holds(const struct bin_condition *q, unsigned char code)
{
	return q->is_set ? code < MAX_BINS && (q->set[code / 64] >> (code % 64) & 1) != 0
			 : code >= q->lo && code <= q->hi && code != BIN_MISSING;
}

bool conjunction_holds(const struct conjunction *q, const struct slowdown_table *t, size_t i);

/* *out = *q with one more condition; two on the same column become their intersection. false: there
 * is no room, the intersection is empty, or nothing changes. */
bool conjunction_and(const struct conjunction *q, const struct bin_condition *more,
		     struct conjunction *out);

/* "procs >= 64 and k_blocks between 2 and 10 and layout in ('DGZ', 'ZGD')", "" for none: in the
 * language of domain/expr.h. It holds for exactly the configurations of the table that
 * conjunction_holds() names; a condition that reaches to the end of what was seen is left open
 * there, unless it is one value of a choice: that is named. */
void conjunction_put_text(const struct conjunction *q, const struct slowdown_table *t,
			  struct strbuf *out);

#endif
