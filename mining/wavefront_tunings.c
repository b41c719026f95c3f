#include "mining/wavefront_tunings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The shares of every blocking on one sub-grid: seven arrays of n, so that the inner loop over them
 * vectorises. */
struct sub_grid {
	double it, jt; /* 0: a free slot */
	double loop_start;
	double *shares;
};

enum share { BASE, EW, NS, PER_I, PER_J, FILL, PER_LEVEL, N_SHARES };

struct wavefront_tunings {
	const struct wavefront_time *w;
	double *row; /* n * n_columns */
	size_t n;
	size_t n_columns;
	struct sub_grid *slot; /* open addressing, a power of two */
	size_t n_slots;
	size_t n_used;
};

enum err_code wavefront_tunings_new(const struct wavefront_time *w, const double *rows, size_t n,
				    size_t n_columns, struct wavefront_tunings **out, struct err *e)
{
	struct wavefront_tunings *t = calloc(1, sizeof *t);

	if (t) {
		t->w = w;
		t->n = n;
		t->n_columns = n_columns;
		t->n_slots = 1024;
		t->row = calloc(n * n_columns + 1, sizeof *t->row);
		t->slot = calloc(t->n_slots, sizeof *t->slot);
	}
	if (!t || !t->row || !t->slot) {
		wavefront_tunings_free(t);
		return err_set(e, ERR_NOMEM, "%zu blockings", n);
	}
	memcpy(t->row, rows, n * n_columns * sizeof *rows);
	*out = t;
	return ERR_OK;
}

void wavefront_tunings_free(struct wavefront_tunings *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->slot && i < t->n_slots; i++)
		free(t->slot[i].shares);
	free(t->slot);
	free(t->row);
	free(t);
}

static size_t slot_of(const struct sub_grid *slot, size_t n_slots, double it, double jt)
{
	size_t at = ((size_t)it * 2654435761u + (size_t)jt * 40503u) & (n_slots - 1);

	while (slot[at].it != 0 && (slot[at].it != it || slot[at].jt != jt))
		at = (at + 1) & (n_slots - 1);
	return at;
}

static bool grow(struct wavefront_tunings *t)
{
	size_t n_more = 2 * t->n_slots;
	struct sub_grid *more = calloc(n_more, sizeof *more);

	if (!more)
		return false;
	for (size_t i = 0; i < t->n_slots; i++) {
		if (t->slot[i].it != 0)
			more[slot_of(more, n_more, t->slot[i].it, t->slot[i].jt)] = t->slot[i];
	}
	free(t->slot);
	t->slot = more;
	t->n_slots = n_more;
	return true;
}

/* The shares on the sub-grid that `row`'s processor grid makes. */
static double *make_shares(const struct wavefront_tunings *t, const double *row, double *loop_start)
{
	const size_t *c = t->w->column;
	double *shares = calloc(N_SHARES * t->n + 1, sizeof *shares);

	for (size_t k = 0; shares && k < t->n; k++) {
		double *tuning = t->row + k * t->n_columns;
		struct wavefront_shares one;

		tuning[c[WC_NPE_I]] = row[c[WC_NPE_I]];
		tuning[c[WC_NPE_J]] = row[c[WC_NPE_J]];
		wavefront_time_shares(t->w, tuning, &one);
		shares[BASE * t->n + k] = one.base;
		shares[EW * t->n + k] = one.ew;
		shares[NS * t->n + k] = one.ns;
		shares[PER_I * t->n + k] = one.per_i;
		shares[PER_J * t->n + k] = one.per_j;
		shares[FILL * t->n + k] = one.fill;
		shares[PER_LEVEL * t->n + k] = one.per_level;
		*loop_start = one.loop_start; /* of the sub-grid, whatever the blocking */
	}
	return shares;
}

double wavefront_tunings_least_s(struct wavefront_tunings *t, const double *row)
{
	const size_t *c = t->w->column;
	double npe_i = row[c[WC_NPE_I]], npe_j = row[c[WC_NPE_J]];
	double it = ceil(row[c[WC_IT_G]] / npe_i), jt = ceil(row[c[WC_JT_G]] / npe_j);
	double ew = npe_i > 1, ns = npe_j > 1, levels = log2(npe_i * npe_j), least = INFINITY;
	struct sub_grid *g = &t->slot[slot_of(t->slot, t->n_slots, it, jt)];
	double fill;
	const double *s;

	if (g->it == 0) {
		if (2 * t->n_used >= t->n_slots) {
			if (!grow(t))
				return -1;
			g = &t->slot[slot_of(t->slot, t->n_slots, it, jt)];
		}
		g->shares = make_shares(t, row, &g->loop_start);
		if (!g->shares)
			return -1;
		g->it = it;
		g->jt = jt;
		t->n_used++;
	}
	s = g->shares;
	fill = (2 * (npe_i - 1) + 4 * (npe_j - 1)) * (row[c[WC_IT_G]] / npe_i + g->loop_start) *
	       (row[c[WC_JT_G]] / npe_j);
	for (size_t k = 0; k < t->n; k++) {
		double time_s = s[BASE * t->n + k] + ew * s[EW * t->n + k] + ns * s[NS * t->n + k] +
				(npe_i - 1) * s[PER_I * t->n + k] +
				(npe_j - 1) * s[PER_J * t->n + k] + fill * s[FILL * t->n + k] +
				levels * s[PER_LEVEL * t->n + k];

		least = time_s < least ? time_s : least;
	}
	/* a relative 1e-12 for the rounding of two ways to sum */
	return least * (1 - 1e-12);
}
