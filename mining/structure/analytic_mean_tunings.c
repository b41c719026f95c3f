#include "mining/structure/analytic_mean_tunings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/structure/sub_grid_map.h"

/* On a sub-grid it x jt the time of a blocking is f(npe_i) + g(npe_j), both concave (closed_form in
 * models/model_list.h), for npe_i from a = ceil(it_g / it), the first that makes `it`, to the last.
 * Nobody on it has another neighbourhood: npe_i = 1 makes it = it_g, which no other npe_i <= it_g
 * does. A concave function lies on or above its chord, so with chords from a to the last and from
 *b, the first npe_j, to the last,
 *
 *	T >= T(a, b) + (npe_i - a) per_i + (npe_j - b) per_j,
 *
 * and where f and g are linear (all but global sums are), that is T itself. Three evaluations of
 *the model at most, whatever the number of grids. */
enum chord { CORNER, PER_I, PER_J, N_CHORDS };

struct analytic_mean_tunings {
	const struct analytic_mean *m;
	double *row; /* n * n_columns */
	size_t n;
	size_t n_columns;
	struct sub_grid_map *chords; /* arrays of n each, so that the loop over them vectorises */
};

enum err_code analytic_mean_tunings_new(const void *model, const double *rows, size_t n,
					size_t n_columns, void **out, struct err *e)
{
	struct analytic_mean_tunings *t = calloc(1, sizeof *t);

	if (t) {
		t->m = model;
		t->n = n;
		t->n_columns = n_columns;
		t->row = calloc(n * n_columns + 1, sizeof *t->row);
		t->chords = sub_grid_map_new();
	}
	if (!t || !t->row || !t->chords) {
		analytic_mean_tunings_free(t);
		return err_set(e, ERR_NOMEM, "%zu blockings", n);
	}
	memcpy(t->row, rows, n * n_columns * sizeof *rows);
	*out = t;
	return ERR_OK;
}

void analytic_mean_tunings_free(void *tunings)
{
	struct analytic_mean_tunings *t = tunings;

	if (!t)
		return;
	sub_grid_map_free(t->chords);
	free(t->row);
	free(t);
}

/* The processors along one side that make the same sub-grid of it. */
struct side {
	double first, last;
};

static struct side side_of(double cells, double part)
{
	/* ceil(cells / n) >= part as long as n < cells / (part - 1) */
	return (struct side){ceil(cells / part), part > 1 ? ceil(cells / (part - 1)) - 1 : cells};
}

/* What blocking k takes on that many processors; false: the model refuses it. */
static bool time_on(const struct analytic_mean_tunings *t, size_t k, double npe_i, double npe_j,
		    double *time_s)
{
	const size_t *c = t->m->formula->time.column;
	double *row = t->row + k * t->n_columns;
	struct sweep_time time;

	row[c[WC_NPE_I]] = npe_i;
	row[c[WC_NPE_J]] = npe_j;
	if (!analytic_mean_ask(t->m, row, &time))
		return false;
	*time_s = time.time_s;
	return true;
}

/* What is refused is left at 0, below whatever is predicted instead. */
static void put_chords(const struct analytic_mean_tunings *t, const struct side *i,
		       const struct side *j, double *chords)
{
	const double n_i = i->last - i->first, n_j = j->last - j->first;

	for (size_t k = 0; k < t->n; k++) {
		double corner_s, along_i_s = 0, along_j_s = 0;

		if (!time_on(t, k, i->first, j->first, &corner_s) ||
		    (n_i > 0 && !time_on(t, k, i->last, j->first, &along_i_s)) ||
		    (n_j > 0 && !time_on(t, k, i->first, j->last, &along_j_s)))
			continue;
		chords[CORNER * t->n + k] = corner_s;
		if (n_i > 0)
			chords[PER_I * t->n + k] = (along_i_s - corner_s) / n_i;
		if (n_j > 0)
			chords[PER_J * t->n + k] = (along_j_s - corner_s) / n_j;
	}
}

double analytic_mean_tunings_least_s(void *tunings, const double *row)
{
	struct analytic_mean_tunings *t = tunings;
	const size_t *c = t->m->formula->time.column;
	double npe_i = row[c[WC_NPE_I]], npe_j = row[c[WC_NPE_J]];
	double it = ceil(row[c[WC_IT_G]] / npe_i), jt = ceil(row[c[WC_JT_G]] / npe_j);
	const struct side i = side_of(row[c[WC_IT_G]], it), j = side_of(row[c[WC_JT_G]], jt);
	double *s = sub_grid_map_find(t->chords, it, jt), least = INFINITY;

	if (npe_i > i.last || npe_j > j.last) /* more processors than cells: no sweep */
		return 0;
	if (!s) {
		s = sub_grid_map_add(t->chords, it, jt, N_CHORDS * t->n);
		if (!s)
			return -1;
		put_chords(t, &i, &j, s);
	}
	for (size_t k = 0; k < t->n; k++) {
		double time_s = s[CORNER * t->n + k] + (npe_i - i.first) * s[PER_I * t->n + k] +
				(npe_j - j.first) * s[PER_J * t->n + k];

		least = time_s < least ? time_s : least;
	}
	/* a relative 1e-12 for the rounding of two ways to sum */
	return least * (1 - 1e-12);
}
