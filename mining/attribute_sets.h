#ifndef MINING_ATTRIBUTE_SETS_H
#define MINING_ATTRIBUTE_SETS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "mining/slowdown_table.h"

/* What can be chosen, one attribute at a time: a tunable, or the columns of the processor grid
 * together, which can only move together while the processors stay. */
struct attribute {
	const char *name;
	const size_t *column;
	size_t n_columns;
};

/* The attributes that vary and are not copies of others: the grid first, then tunables in their
 * order. Room for t->n_columns in both; own holds the columns that out points to. */
size_t attribute_list(const struct slowdown_table *t, struct attribute *out, size_t *own);

/* Configurations in sets that agree in everything (case, machine, source, all other choices) but
 * one attribute. A set may hold a single one. Those without a slow-down (nothing to compare with,
 * or an absurd time) and those that miss the attribute are left out. */
struct attribute_sets {
	const struct slowdown_table *t;	   /* borrowed */
	const struct attribute *attribute; /* borrowed */
	size_t n;
	uint32_t *config; /* of item i: its index in t */
	uint32_t *value;  /* 0..n_values-1 */
	size_t n_values;
	uint32_t *value_run; /* a run that has the value */
	size_t n_sets;
	uint32_t *start; /* items of a set: member[start[s] .. start[s + 1] - 1] */
	uint32_t *member;
};

/* More configurations than ATTRIBUTE_MAX_CONFIGURATIONS say no more: then whole cases are taken
 * evenly, up to about that many. Errors: NOMEM. */
enum { ATTRIBUTE_MAX_CONFIGURATIONS = 200000 };
enum err_code attribute_sets_make(const struct slowdown_table *t, const struct attribute *a,
				  struct attribute_sets *out, struct err *e);
void attribute_sets_release(struct attribute_sets *s);

/* "10"; of a grid "4x2". */
void attribute_put_value(const struct attribute_sets *s, size_t value, struct strbuf *out);

#endif
