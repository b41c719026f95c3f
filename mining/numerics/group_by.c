#include "mining/numerics/group_by.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EMPTY UINT32_MAX

static uint64_t mix(uint64_t h, uint64_t value)
{
	h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 32;
}

static const double *values_of(const struct row_key *key, size_t row)
{
	return key->x + (key->row_of ? key->row_of[row] : row) * key->n_columns;
}

uint64_t row_hash(const struct row_key *key, size_t row)
{
	const double *x = values_of(key, row);
	uint64_t h =
		mix(UINT64_C(0x243f6a8885a308d3), key->machine ? (uint64_t)key->machine[row] : 0);

	h = mix(h, key->source ? key->source[row] : 0u);
	for (size_t k = 0; k < key->n_key; k++) {
		double value = x[key->column[k]] + 0.0; /* -0 is 0 */
		uint64_t bits = 1;

		if (!isnan(value))
			memcpy(&bits, &value, sizeof bits);
		h = mix(h, bits);
	}
	return h ^ h >> 29;
}

static bool same(const struct row_key *key, size_t a, size_t b)
{
	const double *x = values_of(key, a), *y = values_of(key, b);

	if ((key->machine && key->machine[a] != key->machine[b]) ||
	    (key->source && key->source[a] != key->source[b]))
		return false;
	for (size_t k = 0; k < key->n_key && x != y; k++) {
		double u = x[key->column[k]], v = y[key->column[k]];

		if (u != v && !(isnan(u) && isnan(v)))
			return false;
	}
	return true;
}

/* Of a hash table with open addresses. The row is kept beside its hash, so that most probes touch
 * no row but the equal one. */
struct group_slot {
	uint32_t hash;	/* its upper half */
	uint32_t group; /* EMPTY: free */
	uint32_t row;
};

/* Rows whose slots are fetched together: the misses overlap. */
enum { BATCH = 16 };

struct grouping {
	const struct row_key *key;
	struct group_slot *slot;
	size_t mask;
	size_t n_groups; /* at most half of the slots are taken */
	uint32_t *first;
};

static bool reserve(struct grouping *g, size_t n_slots)
{
	g->slot = malloc(n_slots * sizeof *g->slot);
	if (!g->slot)
		return false;
	memset(g->slot, 0xff, n_slots * sizeof *g->slot);
	g->mask = n_slots - 1;
	return true;
}

/* Groups are mostly far fewer than rows: room is made as they come. */
static bool grow(struct grouping *g)
{
	struct grouping old = *g;

	if (!reserve(g, 2 * (old.mask + 1))) {
		*g = old;
		return false;
	}
	for (size_t k = 0; k <= old.mask; k++) {
		size_t at;

		if (old.slot[k].group == EMPTY)
			continue;
		at = row_hash(g->key, old.slot[k].row) & g->mask;
		while (g->slot[at].group != EMPTY)
			at = (at + 1) & g->mask;
		g->slot[at] = old.slot[k];
	}
	free(old.slot);
	return true;
}

/* Repeats mostly follow each other and share what they say. */
static bool repeats(const struct row_key *key, size_t a, size_t b)
{
	return key->row_of && key->row_of[a] == key->row_of[b] && same(key, a, b);
}

static uint32_t group_of(struct grouping *g, uint64_t hash, uint32_t row)
{
	uint32_t upper = (uint32_t)(hash >> 32);
	size_t at = hash & g->mask;

	for (; g->slot[at].group != EMPTY; at = (at + 1) & g->mask) {
		if (g->slot[at].hash == upper && same(g->key, g->slot[at].row, row))
			return g->slot[at].group;
	}
	g->slot[at] = (struct group_slot){upper, (uint32_t)g->n_groups++, row};
	if (g->first)
		g->first[g->slot[at].group] = row;
	return g->slot[at].group;
}

enum err_code group_by(const struct row_key *key, const uint32_t *row, size_t n, uint32_t *group,
		       uint32_t *first, size_t *n_groups, struct err *e)
{
	struct grouping g = {.key = key, .first = first};

	if (n >= EMPTY)
		return err_set(e, ERR_ARG, "%zu rows are more than can be grouped", n);
	if (!reserve(&g, 4 * BATCH))
		return err_set(e, ERR_NOMEM, "groups of %zu rows", n);
	for (size_t from = 0; from < n; from += BATCH) {
		size_t to = from + BATCH < n ? from + BATCH : n;
		uint64_t hash[BATCH];

		if (2 * (g.n_groups + BATCH) > g.mask + 1 && !grow(&g)) {
			free(g.slot);
			return err_set(e, ERR_NOMEM, "groups of %zu rows", n);
		}
		for (size_t i = from; i < to; i++) {
			const size_t k = i - from, at = row ? row[i] : i;

			hash[k] = k > 0 && repeats(key, row ? row[i - 1] : i - 1, at)
					  ? hash[k - 1]
					  : row_hash(key, at);
			__builtin_prefetch(&g.slot[hash[k] & g.mask]);
		}
		for (size_t i = from; i < to; i++)
			group[i] = group_of(&g, hash[i - from], row ? row[i] : (uint32_t)i);
	}
	free(g.slot);
	*n_groups = g.n_groups;
	return ERR_OK;
}

enum err_code group_members(const uint32_t *group, size_t n, size_t n_groups, uint32_t **start,
			    uint32_t **member, struct err *e)
{
	uint32_t *s = calloc(n_groups + 1 + n, sizeof *s);
	uint32_t *m;

	if (!s)
		return err_set(e, ERR_NOMEM, "members of %zu groups", n_groups);
	m = s + n_groups + 1;
	for (size_t i = 0; i < n; i++)
		s[group[i] + 1]++;
	for (size_t g = 0; g < n_groups; g++)
		s[g + 1] += s[g];
	/* Filling moves each start to its end, which is the start of the next. */
	for (size_t i = 0; i < n; i++)
		m[s[group[i]]++] = (uint32_t)i;
	memmove(s + 1, s, n_groups * sizeof *s);
	s[0] = 0;
	*start = s;
	*member = m;
	return ERR_OK;
}
