#include "tests/support/check.h"

#include "models/memory_hierarchy.h"

FREEABLE(memory_hierarchy)

/* 4 lines of 64 bytes, `ways` a set. */
static struct cache small_cache(uint64_t ways)
{
	const struct cache_shape shape = {256, ways, 64};
	struct cache c;

	must(cache_init(&c, &shape, "D1", &err));
	return c;
}

static bool touch(struct cache *c, uint64_t block)
{
	uint64_t evicted;

	return cache_touch(c, block, &evicted);
}

TEST(two_blocks_of_one_set_drive_each_other_out_of_a_direct_mapped_cache)
{
	RELEASED(cache) c = small_cache(1); /* 4 sets: blocks 0 and 4 share set 0 */

	assert_false(touch(&c, 0));
	assert_true(touch(&c, 0));
	assert_false(touch(&c, 4));
	assert_false(touch(&c, 0));
	assert_false(touch(&c, 5)); /* set 1 */
	assert_true(touch(&c, 0));
}

TEST(the_least_recently_used_block_leaves)
{
	RELEASED(cache) c = small_cache(4); /* one set of 4 */
	uint64_t evicted;

	for (uint64_t b = 10; b < 14; b++)
		assert_false(touch(&c, b));
	assert_true(touch(&c, 10)); /* from the last place to the first: now 10 13 12 11 */
	assert_false(cache_touch(&c, 20, &evicted));
	assert_int_equal(evicted, 11 + 1);
	assert_true(touch(&c, 10)); /* 10 20 13 12 */
	assert_false(cache_touch(&c, 21, &evicted));
	assert_int_equal(evicted, 12 + 1);
}

TEST(what_is_forgotten_leaves_a_place_free)
{
	RELEASED(cache) c = small_cache(2); /* sets of even and of odd blocks */
	uint64_t evicted;

	touch(&c, 2);
	touch(&c, 4);
	cache_invalidate(&c, 4);
	cache_invalidate(&c, 3); /* was never there */
	assert_false(cache_touch(&c, 6, &evicted));
	assert_int_equal(evicted, 0);
	assert_true(touch(&c, 2));
}

static const struct memory_shape tiny = {
	.I1 = {256, 1, 64},
	.D1 = {256, 1, 64},
	.shared = {{512, 2, 64}},
	.n_shared = 1,
};

static struct memory_hierarchy *hierarchy(const struct memory_shape *s)
{
	struct memory_hierarchy *m = NULL;

	must(memory_hierarchy_new(s, &m, &err));
	return m;
}

/* Lines 0 and 1 hold bytes 0 to 127. Eight bytes at 60 need both: one access, one miss, and one in
 * LL; at 0 and at 64 both lines are there then. With line 1 present and line 0 driven out by line 4
 * the straddling access misses again, and LL still has both. */
TEST(an_access_that_straddles_two_lines_is_one_access_and_one_miss)
{
	FREED(memory_hierarchy) *m = hierarchy(&tiny);
	const struct memory_counts *c = memory_hierarchy_counts(m);

	memory_hierarchy_access(m, ACCESS_READ, 60, 8);
	assert_int_equal(c->access[ACCESS_READ], 1);
	assert_int_equal(c->l1_miss[ACCESS_READ], 1);
	assert_int_equal(c->shared_miss[0][ACCESS_READ], 1);
	memory_hierarchy_access(m, ACCESS_WRITE, 0, 8);
	memory_hierarchy_access(m, ACCESS_WRITE, 64, 8);
	assert_int_equal(c->l1_miss[ACCESS_WRITE], 0);
	memory_hierarchy_access(m, ACCESS_WRITE, 256, 8);
	assert_int_equal(c->l1_miss[ACCESS_WRITE], 1);
	memory_hierarchy_access(m, ACCESS_READ, 60, 8);
	assert_int_equal(c->l1_miss[ACCESS_READ], 2);
	assert_int_equal(c->shared_miss[0][ACCESS_READ], 1);
}

TEST(an_access_longer_than_a_line_counts_as_one_of_a_line)
{
	FREED(memory_hierarchy) *m = hierarchy(&tiny);
	const struct memory_counts *c = memory_hierarchy_counts(m);

	memory_hierarchy_access(m, ACCESS_READ, 0, 512); /* fxsave: bytes 0 to 63 */
	memory_hierarchy_access(m, ACCESS_READ, 64, 1);
	assert_int_equal(c->l1_miss[ACCESS_READ], 2);
	memory_hierarchy_access(m, ACCESS_READ, UINT64_MAX, 0); /* the last byte there is */
	memory_hierarchy_access(m, ACCESS_READ, UINT64_MAX, 8); /* does not wrap around to 0 */
	assert_int_equal(c->l1_miss[ACCESS_READ], 3);
}

TEST(instructions_and_data_share_only_the_outer_levels)
{
	FREED(memory_hierarchy) *m = hierarchy(&tiny);
	const struct memory_counts *c = memory_hierarchy_counts(m);

	memory_hierarchy_access(m, ACCESS_INSTRUCTION, 0, 4);
	memory_hierarchy_access(m, ACCESS_READ, 0, 4);
	assert_int_equal(c->l1_miss[ACCESS_INSTRUCTION], 1);
	assert_int_equal(c->l1_miss[ACCESS_READ], 1);
	assert_int_equal(c->shared_miss[0][ACCESS_INSTRUCTION], 1);
	assert_int_equal(c->shared_miss[0][ACCESS_READ], 0);
	memory_hierarchy_clear_counts(m);
	memory_hierarchy_access(m, ACCESS_READ, 0, 4); /* caches kept what they have */
	assert_int_equal(c->l1_miss[ACCESS_READ], 0);
}

/* LL has one set of 2 lines. Block 0 stays in use by D1 (4 sets, so 0, 1 and 2 do not meet there),
 * which LL does not notice: 0 is its oldest when 2 comes. Inclusive, D1 loses 0 with it. */
TEST(an_inclusive_level_takes_back_what_it_drops)
{
	struct memory_shape s = tiny;

	s.shared[0] = (struct cache_shape){128, 2, 64};
	for (int inclusive = 0; inclusive < 2; inclusive++) {
		FREED(memory_hierarchy) *m;

		s.inclusive = inclusive;
		m = hierarchy(&s);
		memory_hierarchy_access(m, ACCESS_READ, 0, 8);
		memory_hierarchy_access(m, ACCESS_READ, 64, 8);
		memory_hierarchy_access(m, ACCESS_READ, 0, 8);
		memory_hierarchy_access(m, ACCESS_READ, 128, 8);
		memory_hierarchy_access(m, ACCESS_READ, 0, 8);
		assert_int_equal(memory_hierarchy_counts(m)->l1_miss[ACCESS_READ], 3 + inclusive);
	}
}

/* LL lines of 128 bytes: dropping one takes both lines of 64 out of D1. */
TEST(a_longer_line_that_is_dropped_takes_all_shorter_ones_with_it)
{
	struct memory_shape s = tiny;
	FREED(memory_hierarchy) *m;

	s.shared[0] = (struct cache_shape){128, 1, 128};
	s.inclusive = true;
	m = hierarchy(&s);
	memory_hierarchy_access(m, ACCESS_READ, 0, 8);	 /* D1 set 0 */
	memory_hierarchy_access(m, ACCESS_READ, 64, 8);	 /* D1 set 1, same line of LL */
	memory_hierarchy_access(m, ACCESS_READ, 128, 8); /* D1 set 2; LL drops 0 to 127 */
	memory_hierarchy_access(m, ACCESS_READ, 64, 8);	 /* gone; LL drops 128 to 255 */
	memory_hierarchy_access(m, ACCESS_READ, 0, 8);	 /* gone */
	assert_int_equal(memory_hierarchy_counts(m)->l1_miss[ACCESS_READ], 5);
	assert_int_equal(memory_hierarchy_counts(m)->shared_miss[0][ACCESS_READ], 3);
}

TEST(three_shared_levels_are_asked_in_turn)
{
	struct memory_shape s = tiny;
	FREED(memory_hierarchy) *m;
	const struct memory_counts *c;

	s.n_shared = 3;
	s.shared[1] = (struct cache_shape){1024, 2, 64};
	s.shared[2] = (struct cache_shape){2048, 2, 64};
	assert_string_equal(memory_shared_name(&s, 0), "L2");
	assert_string_equal(memory_shared_name(&s, 1), "L3");
	assert_string_equal(memory_shared_name(&s, 2), "LL");
	m = hierarchy(&s);
	c = memory_hierarchy_counts(m);
	/* 32 lines twice: exactly LL's; L2 has 8 and L3 16, and in order nothing is found again. */
	for (uint64_t i = 0; i < 64; i++)
		memory_hierarchy_access(m, ACCESS_WRITE, i % 32 * 64, 8);
	assert_int_equal(c->l1_miss[ACCESS_WRITE], 64);
	assert_int_equal(c->shared_miss[0][ACCESS_WRITE], 64);
	assert_int_equal(c->shared_miss[1][ACCESS_WRITE], 64);
	assert_int_equal(c->shared_miss[2][ACCESS_WRITE], 32);
}

/* Two entries for pages of 4 KiB, fully associative; instructions are not translated. */
TEST(a_tlb_holds_the_pages_used_last)
{
	struct memory_shape s = tiny;
	FREED(memory_hierarchy) *m;
	const struct memory_counts *c;

	s.tlb = (struct tlb_shape){2, 2, 4096};
	m = hierarchy(&s);
	c = memory_hierarchy_counts(m);
	memory_hierarchy_access(m, ACCESS_INSTRUCTION, 9 * 4096, 4);
	memory_hierarchy_access(m, ACCESS_READ, 0, 8);
	memory_hierarchy_access(m, ACCESS_READ, 4096, 8);
	memory_hierarchy_access(m, ACCESS_READ, 800, 8);
	memory_hierarchy_access(m, ACCESS_READ, 2 * 4096, 8); /* page 1 leaves */
	memory_hierarchy_access(m, ACCESS_READ, 0, 8);
	memory_hierarchy_access(m, ACCESS_READ, 4096 - 4, 8); /* straddles pages 0 and 1 */
	assert_int_equal(c->tlb_miss[ACCESS_READ], 4);
	assert_int_equal(c->tlb_miss[ACCESS_INSTRUCTION], 0);
}

/* LRU keeps inclusion by size: what hits in a cache hits in a fully associative one of twice the
 * size (Mattson et al., IBM Systems Journal 1970), for any addresses. */
TEST(a_larger_fully_associative_cache_never_misses_more)
{
	uint64_t last = UINT64_MAX, x = 1;

	for (uint64_t lines = 1; lines <= 64; lines *= 2) {
		const struct cache_shape shape = {lines * 64, lines, 64};
		uint64_t misses = 0;
		RELEASED(cache) c;

		must(cache_init(&c, &shape, "D1", &err));
		x = 1;
		for (int i = 0; i < 20000; i++) {
			x = x * UINT64_C(6364136223846793005) + 1442695040888963407; /* Knuth's */
			misses += !touch(&c, (x >> 40) % 100);
		}
		assert_true(misses < last);
		last = misses;
	}
}

static void refused(const struct memory_shape *s, const char *text)
{
	struct memory_hierarchy *m = NULL;

	must_fail(memory_hierarchy_new(s, &m, &err), ERR_ARG, text);
	assert_null(m);
}

TEST(shapes_that_cannot_be_are_refused_by_name)
{
	struct memory_shape s = tiny;

	s.D1.line_bytes = 48;
	refused(&s, "D1: a line of 48 bytes; it must be a power of two");
	s.D1.line_bytes = 8;
	refused(&s, "at least 16");
	s.D1 = (struct cache_shape){0, 1, 64};
	refused(&s, "D1: 0 bytes are no whole number of lines");
	s.D1 = (struct cache_shape){256, 0, 64};
	refused(&s, "sets of 0");
	s.D1 = (struct cache_shape){192, 1, 64};
	refused(&s, "make 3 sets; their number must be a power of two");
	s.D1 = (struct cache_shape){UINT64_C(1) << 50, 8, 64};
	refused(&s, "are simulated");
	s = tiny;
	s.n_shared = 0;
	refused(&s, "0 shared levels");
	s = tiny;
	s.tlb = (struct tlb_shape){64, 5, 4096};
	refused(&s, "TLB: 64 lines cannot be divided into sets of 5");
	s.tlb = (struct tlb_shape){UINT64_MAX, 4, UINT64_MAX};
	refused(&s, "TLB");
	s = tiny;
	s.shared[0].line_bytes = 32;
	s.inclusive = true;
	refused(&s, "LL: lines of 32 bytes cannot include lines of 64 bytes");
}

/* 1000 instructions at 2 a cycle: 500 cycles. 3 misses of I1 at 10 and 30 of D1 at 8: 270. 6 misses
 * of L2 at 20 and 4 of LL at 100: 520. 5 of the TLB at 30: 150. Together 1440 cycles, at 2 GHz
 * 0.72 us; 200 accesses to data. */
TEST(misses_become_time_through_issue_rate_and_penalties)
{
	const struct memory_counts counts = {
		.access = {1000, 150, 50},
		.l1_miss = {3, 20, 10},
		.shared_miss = {{1, 3, 2}, {1, 2, 1}},
		.tlb_miss = {0, 4, 1},
	};
	const struct memory_shape shape = {.n_shared = 2, .tlb = {64, 4, 4096}};
	const struct task_processor processor = {2e9, 2, NULL, 10, 8, {20, 100}, 30};
	struct task_time t = task_time_of(&counts, &shape, &processor);

	check_rel(t.time_s, 0.72e-6, 1e-14);
	check_rel(t.issue_s, 0.25e-6, 1e-14);
	check_rel(t.miss_s, 0.395e-6, 1e-14);
	check_rel(t.tlb_s, 0.075e-6, 1e-14);
	check_rel(t.D1_miss_rate, 30.0 / 200, 1e-15);
	check_rel(t.LL_miss_rate, 3.0 / 200, 1e-15);
	check_rel(t.tlb_miss_rate, 5.0 / 200, 1e-15);
}

TEST(without_data_or_tlb_there_are_no_rates)
{
	const struct memory_counts counts = {.access = {10, 0, 0}};
	const struct memory_shape shape = {.n_shared = 1};
	const struct task_processor processor = {1e9, 1, NULL, 1, 1, {1}, 0};
	struct task_time t = task_time_of(&counts, &shape, &processor);

	check_rel(t.time_s, 10e-9, 1e-14);
	assert_true(isnan(t.D1_miss_rate));
	assert_true(isnan(t.tlb_miss_rate));
}
