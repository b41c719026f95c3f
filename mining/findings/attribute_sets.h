#ifndef MINING_ATTRIBUTE_SETS_H
#define MINING_ATTRIBUTE_SETS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "mining/cases/slowdown_table.h"

/* What can be chosen, one attribute at a time: a tunable, or the columns of the processor grid
 * together, which can only move together while the processors stay. */
struct attribute {
	const char *name;
	const size_t *column;
	size_t n_columns;
};

/* The choices of the configurations that can be compared: not those without a slow-down (alone in
 * their case, or with an absurd time). More than ATTRIBUTE_MAX_CONFIGURATIONS say no more: then
 * whole cases are taken evenly, up to about that many. */
enum { ATTRIBUTE_MAX_CONFIGURATIONS = 200000 };

struct attribute_table {
	const struct slowdown_table *t; /* borrowed */
	struct attribute *attribute; /* the grid first, then tunables that vary and are no copies */
	size_t n_attributes;
	size_t n;
	uint32_t *config; /* of item i: its index in t */
	/* Item by item the number of its case, then its choices: side by side, as looking them up
	 * among all columns of a million runs takes longer than everything else. */
	double *x;	  /* n * n_columns */
	size_t *column;	  /* of x: the application's column; SIZE_MAX: the case */
	size_t n_columns; /* of x */
	size_t *own;	  /* what attribute[].column points to */
};

/* Errors: NOMEM. */
enum err_code attribute_table_make(const struct slowdown_table *t, struct attribute_table *out,
				   struct err *e);
void attribute_table_release(struct attribute_table *a);

/* Items in sets that agree in everything (case and all other choices) but one attribute. A set may
 * hold a single one. Configurations that miss the attribute are left out. */
struct attribute_sets {
	const struct slowdown_table *t;	   /* borrowed */
	const struct attribute *attribute; /* borrowed */
	size_t n;
	uint32_t *config; /* of item i: its index in t */
	uint32_t *value;  /* 0..n_values-1 */
	size_t n_values;
	uint32_t *value_config; /* a configuration that has the value */
	size_t n_sets;
	uint32_t *start; /* items of a set: member[start[s] .. start[s + 1] - 1] */
	uint32_t *member;
};

/* Errors: NOMEM. */
enum err_code attribute_sets_make(const struct attribute_table *a, size_t i_attribute,
				  struct attribute_sets *out, struct err *e);
void attribute_sets_release(struct attribute_sets *s);

/* "10"; of a grid "4x2". */
void attribute_put_value(const struct attribute_sets *s, size_t value, struct strbuf *out);

#endif
