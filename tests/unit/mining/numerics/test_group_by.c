#include "tests/support/check.h"

#include "mining/numerics/group_by.h"
#include "tests/support/uniform.h"

TEST(rows_are_numbered_as_they_first_appear)
{
	/* columns: 0 counts, 1 does not, 2 counts */
	const double x[] = {5, 1, 0, 7, 2, 0, 5, 3, 0, 5, 4, 1, 7, 5, 0};
	const size_t column[] = {0, 2};
	struct row_key key = {.x = x, .n_columns = 3, .column = column, .n_key = 2};
	uint32_t group[5], first[5], want_group[] = {0, 1, 0, 2, 1}, want_first[] = {0, 1, 3};
	size_t n = 77;

	must(group_by(&key, NULL, 5, group, first, &n, &err));
	assert_int_equal(n, 3);
	assert_memory_equal(group, want_group, sizeof want_group);
	assert_memory_equal(first, want_first, sizeof want_first);
}

TEST(missing_agrees_with_missing_and_minus_zero_with_zero)
{
	const double x[] = {NAN, 0, -0.0, -NAN, 1};
	const size_t column[] = {0};
	struct row_key key = {.x = x, .n_columns = 1, .column = column, .n_key = 1};
	uint32_t group[5], want[] = {0, 1, 1, 0, 2};
	size_t n;

	must(group_by(&key, NULL, 5, group, NULL, &n, &err));
	assert_memory_equal(group, want, sizeof want);
}

TEST(machines_and_sources_keep_rows_apart)
{
	const double x[] = {1, 1, 1, 1};
	const size_t column[] = {0};
	const int64_t machine[] = {7, 7, 8, 8};
	const unsigned char source[] = {0, 1, 1, 1};
	struct row_key key = {.x = x,
			      .n_columns = 1,
			      .column = column,
			      .n_key = 1,
			      .machine = machine,
			      .source = source};
	uint32_t group[4], want[] = {0, 1, 2, 2};
	size_t n;

	must(group_by(&key, NULL, 4, group, NULL, &n, &err));
	assert_int_equal(n, 3);
	assert_memory_equal(group, want, sizeof want);
	key.machine = NULL;
	key.source = NULL;
	must(group_by(&key, NULL, 4, group, NULL, &n, &err));
	assert_int_equal(n, 1);
}

TEST(only_the_rows_asked_for_are_grouped)
{
	const double x[] = {1, 2, 3, 2, 1};
	const size_t column[] = {0};
	struct row_key key = {.x = x, .n_columns = 1, .column = column, .n_key = 1};
	const uint32_t row[] = {4, 3, 1};
	uint32_t group[3], first[3], want_group[] = {0, 1, 1}, want_first[] = {4, 3};
	size_t n;

	must(group_by(&key, row, 3, group, first, &n, &err));
	assert_int_equal(n, 2);
	assert_memory_equal(group, want_group, sizeof want_group);
	assert_memory_equal(first, want_first, sizeof want_first);
	must(group_by(&key, row, 0, group, first, &n, &err));
	assert_int_equal(n, 0);
}

static bool agree(const double *x, size_t n_columns, size_t a, size_t b)
{
	for (size_t c = 0; c < n_columns; c++) {
		double u = x[a * n_columns + c], v = x[b * n_columns + c];

		if (!(u == v || (isnan(u) && isnan(v))))
			return false;
	}
	return true;
}

/* Row by row against all before it. */
TEST(any_rows_are_grouped_as_comparing_all_pairs_does)
{
	enum { N = 400, C = 3 };
	static const double value[] = {NAN, 0, -0.0, 1, 2, -1, 0x1p-1074, 1e300};
	const size_t column[C] = {0, 1, 2};
	double x[N * C];
	struct row_key key = {.x = x, .n_columns = C, .column = column, .n_key = C};
	uint32_t group[N], first[N];
	uint64_t seed = 8;

	for (int round = 0; round < 20; round++) {
		size_t n, n_want = 0;

		for (size_t k = 0; k < (size_t)N * C; k++)
			x[k] = value[(int)uniform_draw(&seed, 0, 8)];
		must(group_by(&key, NULL, N, group, first, &n, &err));
		for (size_t i = 0; i < N; i++) {
			size_t before = 0;

			while (before < i && !agree(x, C, before, i))
				before++;
			assert_int_equal(group[i], before < i ? group[before] : n_want++);
			assert_true(agree(x, C, first[group[i]], i) && first[group[i]] <= i);
		}
		assert_int_equal(n, n_want);
	}
}

TEST(members_are_listed_by_group_in_order)
{
	const uint32_t group[] = {2, 0, 2, 3, 0}; /* 1 has none */
	const uint32_t want_start[] = {0, 2, 2, 4, 5}, want_member[] = {1, 4, 0, 2, 3};
	uint32_t *start, *member;

	must(group_members(group, 5, 4, &start, &member, &err));
	assert_memory_equal(start, want_start, sizeof want_start);
	assert_memory_equal(member, want_member, sizeof want_member);
	free(start);
	must(group_members(group, 0, 0, &start, &member, &err));
	assert_int_equal(start[0], 0);
	free(start);
}
