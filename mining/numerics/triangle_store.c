#include "mining/numerics/triangle_store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum err_code triangle_store(const char *prefix, const double *a, size_t p, struct kb_fit *fit,
			     struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0, k = 0; i < p && !rc; i++) {
		for (size_t j = 0; j <= i && !rc; j++) {
			char name[64];

			snprintf(name, sizeof name, "%s%zu", prefix, k++);
			rc = kb_fit_add(fit, name, a[i * p + j], NAN, "", "factor, row by row", e);
		}
	}
	return rc;
}

/* The place of number k of the triangle. */
static size_t place(size_t k, size_t p)
{
	size_t i = 0;

	while ((i + 1) * (i + 2) / 2 <= k)
		i++;
	return i * p + k - i * (i + 1) / 2;
}

bool triangle_load(const struct kb_fit *fit, const char *prefix, double *a, size_t p)
{
	const size_t length = strlen(prefix), n = p * (p + 1) / 2;
	size_t n_found = 0;

	for (size_t i = 0; i < fit->n_param; i++) {
		const struct kb_param *q = &fit->param[i];
		char *end;
		unsigned long k;

		if (strncmp(q->name, prefix, length) || q->name[length] < '0' ||
		    q->name[length] > '9')
			continue;
		k = strtoul(q->name + length, &end, 10);
		if (*end || k >= n || !isfinite(q->value))
			return false;
		a[place(k, p)] = q->value;
		n_found++;
	}
	for (size_t i = 0; i < p; i++) {
		if (!(a[i * p + i] > 0))
			return false;
	}
	return n_found == n;
}
