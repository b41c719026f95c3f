#include "mining/structure/sub_grid_map.h"

#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 1024 };

struct slot {
	double it, jt; /* 0: a free slot */
	double *value;
};

struct sub_grid_map {
	struct slot *slot; /* open addressing, a power of two */
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

static size_t slot_of(const struct slot *slot, size_t n_slots, double it, double jt)
{
	size_t at = ((size_t)it * 2654435761u + (size_t)jt * 40503u) & (n_slots - 1);

	while (slot[at].it != 0 && (slot[at].it != it || slot[at].jt != jt))
		at = (at + 1) & (n_slots - 1);
	return at;
}

static bool grow(struct sub_grid_map *m)
{
	size_t n_more = 2 * m->n_slots;
	struct slot *more = calloc(n_more, sizeof *more);

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
	m->slot[at] = (struct slot){it, jt, value};
	m->n_used++;
	return value;
}
