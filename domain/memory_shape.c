#include "domain/memory_shape.h"

#include <inttypes.h>

const char *memory_shared_name(const struct memory_shape *s, size_t i)
{
	static const char *const name[] = {"L2", "L3"};

	return i + 1 < s->n_shared ? name[i] : "LL";
}

enum {
	LINE_MIN = 16,	     /* the smallest that any access of a processor stays within two of */
	LINES_MAX = 1 << 24, /* 1 GiB in lines of 64 bytes; 128 MiB of tags */
};

static bool is_power_of_two(uint64_t x)
{
	return x != 0 && (x & (x - 1)) == 0;
}

enum err_code cache_shape_check(const struct cache_shape *s, const char *name, struct err *e)
{
	uint64_t lines;

	if (!is_power_of_two(s->line_bytes) || s->line_bytes < LINE_MIN)
		return err_set(e, ERR_ARG,
			       "%s: a line of %" PRIu64 " bytes; it must be a power of two, at "
			       "least %d",
			       name, s->line_bytes, LINE_MIN);
	if (s->size_bytes == 0 || s->size_bytes % s->line_bytes != 0)
		return err_set(e, ERR_ARG,
			       "%s: %" PRIu64 " bytes are no whole number of lines of %" PRIu64,
			       name, s->size_bytes, s->line_bytes);
	lines = s->size_bytes / s->line_bytes;
	if (lines > LINES_MAX)
		return err_set(e, ERR_ARG, "%s: %" PRIu64 " lines; at most %d are simulated", name,
			       lines, LINES_MAX);
	if (s->associativity == 0 || lines % s->associativity != 0)
		return err_set(e, ERR_ARG,
			       "%s: %" PRIu64 " lines cannot be divided into sets of %" PRIu64,
			       name, lines, s->associativity);
	if (!is_power_of_two(lines / s->associativity))
		return err_set(e, ERR_ARG,
			       "%s: %" PRIu64 " bytes in lines of %" PRIu64 ", %" PRIu64
			       "-way, make %" PRIu64 " sets; their number must be a power of two",
			       name, s->size_bytes, s->line_bytes, s->associativity,
			       lines / s->associativity);
	return ERR_OK;
}

struct cache_shape tlb_shape_as_cache(const struct tlb_shape *t)
{
	return (struct cache_shape){t->entries * t->page_bytes, t->associativity, t->page_bytes};
}

static enum err_code check_tlb(const struct tlb_shape *t, struct err *e)
{
	enum { ENTRIES_MAX = 1 << 20 };
	struct cache_shape as_cache;

	if (t->entries == 0)
		return ERR_OK;
	/* first, so that the product below cannot overflow */
	if (t->entries > ENTRIES_MAX || t->page_bytes > UINT64_C(1) << 40)
		return err_set(e, ERR_ARG,
			       "TLB: %" PRIu64 " entries for pages of %" PRIu64
			       " bytes; at most %d entries and 2^40 bytes are simulated",
			       t->entries, t->page_bytes, ENTRIES_MAX);
	as_cache = tlb_shape_as_cache(t);
	return cache_shape_check(&as_cache, "TLB", e);
}

/* A level drops whole lines, and inner levels must be able to drop the same bytes. */
static enum err_code check_inclusive(const struct memory_shape *s, struct err *e)
{
	uint64_t inner = s->I1.line_bytes > s->D1.line_bytes ? s->I1.line_bytes : s->D1.line_bytes;

	for (size_t i = 0; i < s->n_shared; i++) {
		if (s->shared[i].line_bytes < inner)
			return err_set(e, ERR_ARG,
				       "%s: lines of %" PRIu64 " bytes cannot include lines of "
				       "%" PRIu64 " bytes of the level before it",
				       memory_shared_name(s, i), s->shared[i].line_bytes, inner);
		inner = s->shared[i].line_bytes;
	}
	return ERR_OK;
}

enum err_code memory_shape_check(const struct memory_shape *s, struct err *e)
{
	enum err_code rc;

	if (s->n_shared < 1 || s->n_shared > MEMORY_MAX_SHARED)
		return err_set(e, ERR_ARG, "%zu shared levels of cache; 1 to %d are simulated",
			       s->n_shared, MEMORY_MAX_SHARED);
	if ((rc = cache_shape_check(&s->I1, "I1", e)) || (rc = cache_shape_check(&s->D1, "D1", e)))
		return rc;
	for (size_t i = 0; i < s->n_shared; i++) {
		if ((rc = cache_shape_check(&s->shared[i], memory_shared_name(s, i), e)))
			return rc;
	}
	if ((rc = check_tlb(&s->tlb, e)))
		return rc;
	return s->inclusive ? check_inclusive(s, e) : ERR_OK;
}
