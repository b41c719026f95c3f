#ifndef DOMAIN_PROFILE_TABLE_H
#define DOMAIN_PROFILE_TABLE_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/component.h"
#include "domain/expr.h"

/* The profiles of a set of components as rows of one table, so that a selector is an ordinary
 * condition (expr.h) over them. A column for every attribute that any profile has; where a profile
 * has not that attribute, it is NULL, and what a selector says about it is not true. Every profile
 * also has `name`, `domain`, `part` (NULL outside of hardware) and `paradigm`, as texts. */
struct profile_table;

/* Is this an attribute that every profile has from the component's own keys? */
bool profile_is_reserved(const char *attribute);

/* set is borrowed for the table's life. Errors: PARSE (an attribute that is text in one profile and
 * a number in another, two components of one name, domain and part: names both places; more than
 * 1000 attributes), NOMEM. */
enum err_code profile_table_new(const struct component_set *set, struct profile_table **out,
				struct err *e);
void profile_table_free(struct profile_table *t);

/* What selectors may name. */
const struct expr_scope *profile_table_scope(const struct profile_table *t);
/* The profile of set->item[i]; valid until the next call. */
const double *profile_table_row(struct profile_table *t, size_t i);

#endif
