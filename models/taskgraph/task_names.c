#include "models/taskgraph/task_names.h"

#include <stdlib.h>
#include <string.h>

void task_names_release(struct task_names *names)
{
	free(names->slot);
	*names = (struct task_names){0};
}

/* FNV-1a, 64 bits; the upper half mixes better than the lower one. */
static size_t hash_of(const char *name)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
	return (size_t)(h ^ h >> 32);
}

/* Where the name is, or would be. */
static size_t slot_of(const struct task_names *names, const struct task_graph *g, const char *name)
{
	size_t mask = names->n_slots - 1, at = hash_of(name) & mask;

	while (names->slot[at] != TASK_GRAPH_NONE &&
	       strcmp(task_graph_name(g, names->slot[at]), name) != 0)
		at = (at + 1) & mask;
	return at;
}

uint32_t task_names_find(const struct task_names *names, const struct task_graph *g,
			 const char *name)
{
	return names->n > 0 ? names->slot[slot_of(names, g, name)] : TASK_GRAPH_NONE;
}

/* Room for twice as many. */
static enum err_code grow(struct task_names *names, const struct task_graph *g, struct err *e)
{
	struct task_names larger = {.n_slots = names->n_slots ? 2 * names->n_slots : 256,
				    .n = names->n};

	larger.slot = malloc(larger.n_slots * sizeof *larger.slot);
	if (!larger.slot)
		return err_set(e, ERR_NOMEM, "the names of %zu tasks", names->n);
	for (size_t i = 0; i < larger.n_slots; i++)
		larger.slot[i] = TASK_GRAPH_NONE;
	for (size_t i = 0; i < names->n_slots; i++) {
		uint32_t task = names->slot[i];

		if (task != TASK_GRAPH_NONE)
			larger.slot[slot_of(&larger, g, task_graph_name(g, task))] = task;
	}
	free(names->slot);
	*names = larger;
	return ERR_OK;
}

enum err_code task_names_add(struct task_names *names, const struct task_graph *g, uint32_t task,
			     struct err *e)
{
	enum err_code rc;

	if (2 * names->n >= names->n_slots && (rc = grow(names, g, e)))
		return rc;
	names->slot[slot_of(names, g, task_graph_name(g, task))] = task;
	names->n++;
	return ERR_OK;
}
