#include "mining/evaluate/error_list.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

enum err_code error_list_add(struct error_list *l, double value, struct err *e)
{
	if (l->n == l->cap) {
		size_t cap = 2 * l->cap + 64;
		double *grown = realloc(l->value, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu errors", cap);
		l->value = grown;
		l->cap = cap;
	}
	l->value[l->n++] = value;
	return ERR_OK;
}

void error_list_release(struct error_list *l)
{
	free(l->value);
	*l = (struct error_list){0};
}

void error_list_summarise(struct error_list *l, double *median, double *p90, double *bias)
{
	gsl_sort(l->value, 1, l->n);
	*bias = gsl_stats_median_from_sorted_data(l->value, 1, l->n);
	for (size_t i = 0; i < l->n; i++)
		l->value[i] = fabs(l->value[i]);
	gsl_sort(l->value, 1, l->n);
	*median = gsl_stats_median_from_sorted_data(l->value, 1, l->n);
	*p90 = gsl_stats_quantile_from_sorted_data(l->value, 1, l->n, 0.9);
}
