#include "mining/structure/wavefront_tunings.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1024 };

struct sub_grid_slot {
	double it, jt; /* 0: a free slot */
	double *value;
};

struct sub_grid_map {
	struct sub_grid_slot *slot; /* open addressing, a power of two */
	size_t n_slots;
	size_t n_used;
};

struct sub_grid_map *sub_grid_map_new(void)
{
	struct sub_grid_map *m = calloc(1, sizeof *m);

	if (!m)
		return NULL;
	m->n_slots = FIRST_SLOTS;
	m->slot = calloc(m->n_slots, sizeof *m->slot);
	if (!m->slot) {
		free(m);
		return NULL;
	}
	return m;
}

void sub_grid_map_free(struct sub_grid_map *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n_slots; i++)
		free(m->slot[i].value);
	free(m->slot);
	free(m);
}

static size_t slot_of(const struct sub_grid_slot *slot, size_t n_slots, double it, double jt)
{
	size_t at = ((size_t)it * 2654435761u + (size_t)jt * 40503u) & (n_slots - 1);

	while (slot[at].it != 0 && (slot[at].it != it || slot[at].jt != jt))
		at = (at + 1) & (n_slots - 1);
	return at;
}

static bool grow(struct sub_grid_map *m)
{
	size_t n_more = 2 * m->n_slots;
	struct sub_grid_slot *more = calloc(n_more, sizeof *more);

	if (!more)
		return false;
	for (size_t i = 0; i < m->n_slots; i++) {
		if (m->slot[i].it != 0)
			more[slot_of(more, n_more, m->slot[i].it, m->slot[i].jt)] = m->slot[i];
	}
	free(m->slot);
	m->slot = more;
	m->n_slots = n_more;
	return true;
}

double *sub_grid_map_find(const struct sub_grid_map *m, double it, double jt)
{
	return m->slot[slot_of(m->slot, m->n_slots, it, jt)].value;
}

double *sub_grid_map_add(struct sub_grid_map *m, double it, double jt, size_t n)
{
	double *value;
	size_t at;

	if (2 * m->n_used >= m->n_slots && !grow(m))
		return NULL;
	value = calloc(n + 1, sizeof *value);
	if (!value)
		return NULL;
	at = slot_of(m->slot, m->n_slots, it, jt);
	m->slot[at] = (struct sub_grid_slot){it, jt, value};
	m->n_used++;
	return value;
}

/* The shares of every blocking on one sub-grid: seven arrays of n, so that the inner loop over them
 * vectorises, and behind them loop_start, which is of the sub-grid whatever the blocking. */
enum share { BASE, EW, NS, PER_I, PER_J, FILL, PER_LEVEL, N_SHARES };

struct wavefront_tunings {
	const struct wavefront_time *w;
	double *row;  /* n * n_columns */
	size_t *like; /* n */
	size_t n;
	size_t n_columns;
	struct sub_grid_map *shares;
};

/* Sizes of messages go with mk * mmi. */
static void find_like(struct wavefront_tunings *t)
{
	const size_t *c = t->w->column;

	for (size_t k = 0; k < t->n; k++) {
		const double *row = t->row + k * t->n_columns;
		size_t i = 0;

		while (t->row[i * t->n_columns + c[WC_MK]] * t->row[i * t->n_columns + c[WC_MMI]] !=
		       row[c[WC_MK]] * row[c[WC_MMI]])
			i++;
		t->like[k] = i;
	}
}

enum err_code wavefront_tunings_new(const struct wavefront_time *w, const double *rows, size_t n,
				    size_t n_columns, struct wavefront_tunings **out, struct err *e)
{
	struct wavefront_tunings *t = calloc(1, sizeof *t);

	if (t) {
		t->w = w;
		t->n = n;
		t->n_columns = n_columns;
		t->row = calloc(n * n_columns + 1, sizeof *t->row);
		t->like = calloc(n + 1, sizeof *t->like);
		t->shares = sub_grid_map_new();
	}
	if (!t || !t->row || !t->like || !t->shares) {
		wavefront_tunings_free(t);
		return err_set(e, ERR_NOMEM, "%zu blockings", n);
	}
	memcpy(t->row, rows, n * n_columns * sizeof *rows);
	find_like(t);
	*out = t;
	return ERR_OK;
}

void wavefront_tunings_free(struct wavefront_tunings *t)
{
	if (!t)
		return;
	sub_grid_map_free(t->shares);
	free(t->row);
	free(t->like);
	free(t);
}

const double *wavefront_tunings_row(struct wavefront_tunings *t, const double *row, size_t k)
{
	const size_t *c = t->w->column;
	double *tuning = t->row + k * t->n_columns;

	tuning[c[WC_NPE_I]] = row[c[WC_NPE_I]];
	tuning[c[WC_NPE_J]] = row[c[WC_NPE_J]];
	return tuning;
}

/* The shares on the sub-grid that `row`'s processor grid makes. */
static void put_shares(struct wavefront_tunings *t, const double *row, double *shares)
{
	for (size_t k = 0; k < t->n; k++) {
		struct wavefront_shares one;

		wavefront_time_shares(t->w, wavefront_tunings_row(t, row, k), &one);
		shares[BASE * t->n + k] = one.base;
		shares[EW * t->n + k] = one.ew;
		shares[NS * t->n + k] = one.ns;
		shares[PER_I * t->n + k] = one.per_i;
		shares[PER_J * t->n + k] = one.per_j;
		shares[FILL * t->n + k] = one.fill;
		shares[PER_LEVEL * t->n + k] = one.per_level;
		shares[N_SHARES * t->n] = one.loop_start;
	}
}

/* A processor grid, and the shares on its sub-grid; NULL: out of memory. */
struct on_grid {
	const double *shares;
	double npe_i, npe_j, ew, ns, levels, fill;
};

static struct on_grid find_grid(struct wavefront_tunings *t, const double *row)
{
	const size_t *c = t->w->column;
	const double npe_i = row[c[WC_NPE_I]], npe_j = row[c[WC_NPE_J]];
	const double it = ceil(row[c[WC_IT_G]] / npe_i), jt = ceil(row[c[WC_JT_G]] / npe_j);
	double *s = sub_grid_map_find(t->shares, it, jt);

	if (!s && (s = sub_grid_map_add(t->shares, it, jt, N_SHARES * t->n + 1)))
		put_shares(t, row, s);
	return (struct on_grid){
		.shares = s,
		.npe_i = npe_i,
		.npe_j = npe_j,
		.ew = npe_i > 1,
		.ns = npe_j > 1,
		.levels = log2(npe_i * npe_j),
		.fill = s ? (2 * (npe_i - 1) + 4 * (npe_j - 1)) *
					(row[c[WC_IT_G]] / npe_i + s[N_SHARES * t->n]) *
					(row[c[WC_JT_G]] / npe_j)
			  : 0,
	};
}

double wavefront_tunings_least_s(struct wavefront_tunings *t, const double *row)
{
	const struct on_grid g = find_grid(t, row);
	const double *s = g.shares;
	double least = INFINITY;

	if (!s)
		return -1;
	for (size_t k = 0; k < t->n; k++) {
		double time_s = s[BASE * t->n + k] + g.ew * s[EW * t->n + k] +
				g.ns * s[NS * t->n + k] + (g.npe_i - 1) * s[PER_I * t->n + k] +
				(g.npe_j - 1) * s[PER_J * t->n + k] + g.fill * s[FILL * t->n + k] +
				g.levels * s[PER_LEVEL * t->n + k];

		least = time_s < least ? time_s : least;
	}
	/* a relative 1e-12 for the rounding of two ways to sum */
	return least * (1 - 1e-12);
}

bool wavefront_tunings_parts(struct wavefront_tunings *t, const double *row, double *compute_s,
			     double *messages_s)
{
	const struct on_grid g = find_grid(t, row);
	const double *s = g.shares;

	for (size_t k = 0; k < t->n && s; k++) {
		compute_s[k] = s[BASE * t->n + k] + (g.npe_i - 1) * s[PER_I * t->n + k] +
			       (g.npe_j - 1) * s[PER_J * t->n + k] + g.fill * s[FILL * t->n + k];
		messages_s[k] = g.ew * s[EW * t->n + k] + g.ns * s[NS * t->n + k] +
				g.levels * s[PER_LEVEL * t->n + k];
	}
	return s;
}

size_t wavefront_tunings_like(const struct wavefront_tunings *t, size_t k)
{
	return t->like[k];
}

size_t wavefront_tunings_count(const struct wavefront_tunings *t)
{
	return t->n;
}
