#include "models/memory_hierarchy.h"

#include <inttypes.h>
#include <math.h>
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

struct memory_hierarchy {
	struct cache I1, D1;
	struct cache shared[MEMORY_MAX_SHARED];
	size_t n_shared;
	struct cache tlb;
	bool has_tlb;
	bool inclusive;
	uint64_t longest; /* of an access: the shortest line */
	struct memory_counts counts;
};

static uint64_t shortest_line(const struct memory_shape *s)
{
	uint64_t line = s->I1.line_bytes < s->D1.line_bytes ? s->I1.line_bytes : s->D1.line_bytes;

	for (size_t i = 0; i < s->n_shared; i++) {
		if (s->shared[i].line_bytes < line)
			line = s->shared[i].line_bytes;
	}
	return line;
}

static enum err_code init_caches(struct memory_hierarchy *m, const struct memory_shape *s,
				 struct err *e)
{
	struct cache_shape tlb = tlb_shape_as_cache(&s->tlb);
	enum err_code rc;

	if ((rc = cache_init(&m->I1, &s->I1, "I1", e)) ||
	    (rc = cache_init(&m->D1, &s->D1, "D1", e)))
		return rc;
	for (size_t i = 0; i < s->n_shared; i++) {
		if ((rc = cache_init(&m->shared[i], &s->shared[i], memory_shared_name(s, i), e)))
			return rc;
	}
	return s->tlb.entries ? cache_init(&m->tlb, &tlb, "TLB", e) : ERR_OK;
}

enum err_code memory_hierarchy_new(const struct memory_shape *s, struct memory_hierarchy **out,
				   struct err *e)
{
	enum err_code rc = memory_shape_check(s, e);
	struct memory_hierarchy *m;

	if (rc)
		return rc;
	m = calloc(1, sizeof *m);
	if (!m)
		return err_set(e, ERR_NOMEM, "a memory hierarchy");
	m->n_shared = s->n_shared;
	m->has_tlb = s->tlb.entries > 0;
	m->inclusive = s->inclusive;
	m->longest = shortest_line(s);
	rc = init_caches(m, s, e);
	if (rc)
		memory_hierarchy_free(m);
	else
		*out = m;
	return rc;
}

void memory_hierarchy_free(struct memory_hierarchy *m)
{
	if (!m)
		return;
	cache_release(&m->I1);
	cache_release(&m->D1);
	for (size_t i = 0; i < m->n_shared; i++)
		cache_release(&m->shared[i]);
	cache_release(&m->tlb);
	free(m);
}

/* ---- accesses ---- */

static void invalidate_bytes(struct cache *inner, uint64_t address, unsigned line_bits)
{
	uint64_t first = address >> inner->line_bits;
	uint64_t n = UINT64_C(1) << (line_bits - inner->line_bits);

	for (uint64_t i = 0; i < n; i++)
		cache_invalidate(inner, first + i);
}

/* Shared level i has dropped a line: so do the levels before it. */
static void drop_inside(struct memory_hierarchy *m, size_t i, uint64_t block)
{
	unsigned bits = m->shared[i].line_bits;

	invalidate_bytes(&m->I1, block << bits, bits);
	invalidate_bytes(&m->D1, block << bits, bits);
	for (size_t k = 0; k < i; k++)
		invalidate_bytes(&m->shared[k], block << bits, bits);
}

/* Does the cache hold all of first..last? Now it does. */
static inline bool touch(struct cache *c, uint64_t first, uint64_t last, uint64_t evicted[2])
{
	uint64_t block = first >> c->line_bits;
	bool hit = cache_touch(c, block, &evicted[0]);

	evicted[1] = 0;
	if (last >> c->line_bits != block)
		hit &= cache_touch(c, last >> c->line_bits, &evicted[1]);
	return hit;
}

static void ask_shared(struct memory_hierarchy *m, enum access_kind kind, uint64_t first,
		       uint64_t last)
{
	uint64_t evicted[2];
	bool hit = false;

	for (size_t i = 0; i < m->n_shared && !hit; i++) {
		hit = touch(&m->shared[i], first, last, evicted);
		m->counts.shared_miss[i][kind] += !hit;
		for (int k = 0; k < 2 && m->inclusive; k++) {
			if (evicted[k])
				drop_inside(m, i, evicted[k] - 1);
		}
	}
}

void memory_hierarchy_access(struct memory_hierarchy *m, enum access_kind kind, uint64_t address,
			     uint64_t size)
{
	struct cache *l1 = kind == ACCESS_INSTRUCTION ? &m->I1 : &m->D1;
	uint64_t length = size > m->longest ? m->longest : size > 0 ? size : 1;
	uint64_t last = address > UINT64_MAX - length ? UINT64_MAX : address + length - 1;
	uint64_t evicted[2];

	m->counts.access[kind]++;
	if (m->has_tlb && kind != ACCESS_INSTRUCTION)
		m->counts.tlb_miss[kind] += !touch(&m->tlb, address, last, evicted);
	if (touch(l1, address, last, evicted))
		return;
	m->counts.l1_miss[kind]++;
	ask_shared(m, kind, address, last);
}

const struct memory_counts *memory_hierarchy_counts(const struct memory_hierarchy *m)
{
	return &m->counts;
}

void memory_hierarchy_clear_counts(struct memory_hierarchy *m)
{
	m->counts = (struct memory_counts){0};
}

static double data(const uint64_t by_kind[ACCESS_KINDS])
{
	return (double)by_kind[ACCESS_READ] + (double)by_kind[ACCESS_WRITE];
}

struct task_time task_time_of(const struct memory_counts *counts, const struct memory_shape *shape,
			      const struct task_processor *processor)
{
	const struct task_processor *p = processor;
	double instructions = (double)counts->access[ACCESS_INSTRUCTION];
	double accesses = data(counts->access);
	double miss_cycles = (double)counts->l1_miss[ACCESS_INSTRUCTION] * p->I1_miss_cycles +
			     data(counts->l1_miss) * p->D1_miss_cycles;
	struct task_time t = {0};

	for (size_t i = 0; i < shape->n_shared; i++) {
		const uint64_t *miss = counts->shared_miss[i];

		miss_cycles +=
			((double)miss[ACCESS_INSTRUCTION] + data(miss)) * p->shared_miss_cycles[i];
	}
	t.issue_s = instructions / p->instructions_per_cycle / p->clock_hz;
	t.miss_s = miss_cycles / p->clock_hz;
	t.tlb_s = data(counts->tlb_miss) * p->tlb_miss_cycles / p->clock_hz;
	t.time_s = t.issue_s + t.miss_s + t.tlb_s;
	t.D1_miss_rate = data(counts->l1_miss) / accesses;
	t.LL_miss_rate = data(counts->shared_miss[shape->n_shared - 1]) / accesses;
	t.tlb_miss_rate = shape->tlb.entries > 0 ? data(counts->tlb_miss) / accesses : (double)NAN;
	return t;
}
