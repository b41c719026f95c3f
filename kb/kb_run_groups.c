#include "kb/kb_run_groups.h"

#include <stdlib.h>

#include "kb/kb_run_table.h"

/* Bins of half an octave of time, from 2^-24 s (60 ns) on; the last one holds all that is longer
 * than 2^24 s (half a year). */
enum { BINS_PER_OCTAVE = 2, OCTAVES = 48, N_BINS = BINS_PER_OCTAVE * OCTAVES, FIRST_OCTAVE = -24 };

/* A key leaves its lowest bits to the bin, from 1 on, in what run_groups_pack() makes. */
enum { BIN_MASK = 127 };

enum { GROUPS_START = 64, GROUPS_MAX = 32768 };

struct run_group {
	uint64_t key;
	uint32_t n; /* 0: a free slot */
	uint32_t bin[N_BINS];
};

struct run_groups {
	const struct application *a;
	uint64_t *name;		/* hash of the name of each column */
	struct run_group *slot; /* open addressing, at most half full */
	size_t n_slots;		/* a power of two */
	size_t n;
};

struct run_groups *run_groups_new(const struct application *a)
{
	struct run_groups *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->a = a;
	g->n_slots = GROUPS_START;
	g->slot = calloc(g->n_slots, sizeof *g->slot);
	g->name = calloc(a->n_columns + 1, sizeof *g->name);
	if (!g->slot || !g->name) {
		run_groups_free(g);
		return NULL;
	}
	for (size_t i = 0; i < a->n_columns; i++)
		g->name[i] = hash_name(a->column[i].name);
	return g;
}

void run_groups_free(struct run_groups *g)
{
	if (!g)
		return;
	free(g->slot);
	free(g->name);
	free(g);
}

uint64_t run_groups_key(const struct run_groups *g, int64_t machine_id, const char *source,
			const struct run_value *value)
{
	uint64_t key = (uint64_t)machine_id * 0x9e3779b97f4a7c15ULL + hash_text(source);
	double grid_size = 1;

	for (size_t i = 0; i < g->a->n_columns; i++) {
		const struct column *c = &g->a->column[i];

		if (c->role != COL_DERIVED && c->candidates == CAND_GRID)
			grid_size *= value[i].number;
		else if (c->role == COL_PROBLEM || c->role == COL_WORKLOAD ||
			 c->role == COL_RESOURCE)
			key += hash_field(g->name[i], &value[i]);
	}
	key += hash_number_field(hash_text("grid"), grid_size);
	return key & ~(uint64_t)BIN_MASK;
}

/* The slot of key, or the free one where it belongs. */
static struct run_group *find(const struct run_groups *g, uint64_t key)
{
	size_t i = (size_t)key & (g->n_slots - 1);

	while (g->slot[i].n > 0 && g->slot[i].key != key)
		i = (i + 1) & (g->n_slots - 1);
	return &g->slot[i];
}

/* Twice the slots. Without memory for them the table stays as it is and takes no new group. */
static bool grow(struct run_groups *g)
{
	struct run_groups larger = *g;

	larger.n_slots = 2 * g->n_slots;
	larger.slot = calloc(larger.n_slots, sizeof *larger.slot);
	if (!larger.slot)
		return false;
	for (size_t i = 0; i < g->n_slots; i++) {
		if (g->slot[i].n > 0)
			*find(&larger, g->slot[i].key) = g->slot[i];
	}
	free(g->slot);
	*g = larger;
	return true;
}

static int bin_of(double wall_s)
{
	double bin = (log2(wall_s) - FIRST_OCTAVE) * BINS_PER_OCTAVE;

	return bin < 0 ? 0 : bin >= N_BINS ? N_BINS - 1 : (int)bin;
}

uint64_t run_groups_pack(uint64_t key, double wall_s)
{
	return key | (uint64_t)(bin_of(wall_s) + 1);
}

void run_groups_note_packed(struct run_groups *g, uint64_t packed)
{
	uint64_t bin = packed & BIN_MASK;
	struct run_group *group = find(g, packed & ~(uint64_t)BIN_MASK);

	if (bin == 0 || bin > N_BINS || group->n == 0)
		return;
	group->n++;
	group->bin[bin - 1]++;
}

void run_groups_note(struct run_groups *g, uint64_t key, double wall_s, bool watch)
{
	struct run_group *group = find(g, key);

	if (group->n == 0) {
		if (!watch || g->n == GROUPS_MAX)
			return;
		if (2 * (g->n + 1) > g->n_slots) {
			if (!grow(g))
				return;
			group = find(g, key);
		}
		group->key = key;
		g->n++;
	}
	group->n++;
	group->bin[bin_of(wall_s)]++;
}

/* The middle, on the log scale, of the bin that holds the middle run. */
static double median_s(const struct run_group *group)
{
	uint32_t below = 0;
	int i = 0;

	while (below + group->bin[i] <= group->n / 2)
		below += group->bin[i++];
	return exp2(FIRST_OCTAVE + (i + 0.5) / BINS_PER_OCTAVE);
}

bool run_groups_any_suspicious(const struct run_groups *g)
{
	for (size_t i = 0; i < g->n_slots; i++) {
		const struct run_group *group = &g->slot[i];
		int fastest = 0;

		if (group->n < RUN_GROUP_MIN)
			continue;
		while (group->bin[fastest] == 0)
			fastest++;
		if (fastest <= bin_of(median_s(group) / RUN_GROUP_RATIO))
			return true;
	}
	return false;
}

bool run_groups_suspicious(const struct run_groups *g, uint64_t key, double wall_s, double *median,
			   uint32_t *n)
{
	const struct run_group *group = find(g, key);

	if (group->n < RUN_GROUP_MIN || wall_s * RUN_GROUP_RATIO >= median_s(group))
		return false;
	*median = median_s(group);
	*n = group->n;
	return true;
}
