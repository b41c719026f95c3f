#include "models/cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum err_code cache_init(struct cache *c, const struct cache_shape *s, const char *name,
			 struct err *e)
{
	enum err_code rc = cache_shape_check(s, name, e);
	uint64_t lines;

	*c = (struct cache){0};
	if (rc)
		return rc;
	lines = s->size_bytes / s->line_bytes;
	c->tag = calloc(lines, sizeof *c->tag);
	if (!c->tag)
		return err_set(e, ERR_NOMEM, "%s: a cache of %" PRIu64 " lines", name, lines);
	c->associativity = s->associativity;
	c->set_mask = lines / s->associativity - 1;
	while (s->line_bytes >> c->line_bits > 1)
		c->line_bits++;
	return ERR_OK;
}

void cache_release(struct cache *c)
{
	free(c->tag);
	*c = (struct cache){0};
}

static uint64_t *set_of(const struct cache *c, uint64_t block)
{
	return c->tag + (block & c->set_mask) * c->associativity;
}

/* Where tag stands in the set; the last place when it does not. */
static size_t place_of(const uint64_t *set, size_t n, uint64_t tag)
{
	size_t i = 0;

	while (i < n - 1 && set[i] != tag)
		i++;
	return i;
}

bool cache_search(struct cache *c, uint64_t block, uint64_t *evicted)
{
	uint64_t *set = set_of(c, block);
	size_t i = place_of(set, c->associativity, block + 1);
	bool hit = set[i] == block + 1;

	*evicted = hit ? 0 : set[i];
	memmove(set + 1, set, i * sizeof *set);
	set[0] = block + 1;
	return hit;
}

void cache_invalidate(struct cache *c, uint64_t block)
{
	uint64_t *set = set_of(c, block);
	size_t i = place_of(set, c->associativity, block + 1);

	if (set[i] != block + 1)
		return;
	/* What is empty stands last: the next block to come takes its place, and nobody leaves. */
	memmove(set + i, set + i + 1, (c->associativity - 1 - i) * sizeof *set);
	set[c->associativity - 1] = 0;
}
