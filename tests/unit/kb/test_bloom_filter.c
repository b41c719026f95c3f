#include "tests/support/check.h"

#include "kb/bloom_filter.h"

FREEABLE(bloom_filter)

/* Hashes, as far apart as those of runs are: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t next(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

TEST(what_was_added_is_there)
{
	static const size_t size[] = {0, 1, 5, 1000, 100000};

	for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
		FREED(bloom_filter) *f = bloom_filter_new(size[i]);
		size_t n = size[i] + 3; /* and more than it was made for */
		uint64_t seed = 1;

		assert_non_null(f);
		for (size_t k = 0; k < n; k++)
			bloom_filter_add(f, next(&seed));
		bloom_filter_add(f, 0);
		bloom_filter_add(f, UINT64_MAX);
		seed = 1;
		for (size_t k = 0; k < n; k++)
			assert_true(bloom_filter_may_have(f, next(&seed)));
		assert_true(bloom_filter_may_have(f, 0));
		assert_true(bloom_filter_may_have(f, UINT64_MAX));
	}
}

/* Bloom: (1 - exp(-4 / 16))^4 = 0.239 % of others pass. */
TEST(one_in_400_others_passes)
{
	enum { N = 100000 };
	FREED(bloom_filter) *f = bloom_filter_new(N);
	uint64_t seed = 1;
	int n_passed = 0;

	assert_non_null(f);
	assert_false(bloom_filter_may_have(f, 1));
	for (int k = 0; k < N; k++)
		bloom_filter_add(f, next(&seed));
	for (int k = 0; k < N; k++) /* the generator repeats nothing */
		n_passed += bloom_filter_may_have(f, next(&seed));
	assert_in_range(n_passed, N / 600, N / 300);
}
