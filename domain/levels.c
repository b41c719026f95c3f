#include "domain/expr.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Linear search: a categorical column has a handful of levels, and rows hold codes, so names are
 * looked up only while reading text. */

size_t levels_find(const struct levels *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++) {
		if (strcmp(l->name[i], name) == 0)
			return i;
	}
	return SIZE_MAX;
}

size_t levels_add(struct levels *l, const char *name)
{
	size_t code = levels_find(l, name);
	char *copy;

	if (code != SIZE_MAX)
		return code;
	if (l->n == l->cap) {
		size_t cap = l->cap ? 2 * l->cap : 8;
		char **grown = realloc(l->name, cap * sizeof *grown);

		if (!grown)
			return SIZE_MAX;
		l->name = grown;
		l->cap = cap;
	}
	copy = strdup(name);
	if (!copy)
		return SIZE_MAX;
	l->name[l->n] = copy;
	return l->n++;
}

void levels_release(struct levels *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
	*l = (struct levels){0};
}
