#include "tests/support/check.h"

#include "ingest/number_table.h"
#include "tests/support/failing_allocations.h"

#define CSV "tests/fixtures/csv/"

static const char *const rank[] = {"rank", NULL}, *const rmax[] = {"rmax", "r_max", NULL},
			 *const nmax[] = {"nmax", NULL}, *const latency[] = {"latency", NULL},
			 *const memory[] = {"memory", NULL}, *const cores[] = {"cores", NULL};

TEST(columns_are_found_by_name_and_converted_by_unit)
{
	static const struct number_column wanted[] = {
		{.names = rank, .least = 1},
		{.names = rmax, .kind = NUMBER_FLOPS},
		{.names = nmax, .may_be_empty = true},
		{.names = latency, .kind = NUMBER_SECONDS, .may_be_empty = true},
		{.names = memory, .kind = NUMBER_BYTES},
		{.names = cores, .optional = true},
	};
	enum { N = sizeof wanted / sizeof *wanted };
	RELEASED(number_table) t;

	must(number_table_read(CSV "systems.csv", wanted, N, &t, &err));
	assert_int_equal(t.n_rows, 3);
	check_abs(t.cell[0], 1, 0);
	check_abs(t.cell[1], 2.5e12, 0);
	check_abs(t.cell[2], 10000, 0);
	check_abs(t.cell[3], 1.5e-6, 0);
	check_abs(t.cell[4], 4096, 0);
	assert_true(isnan(t.cell[5]) && isnan(t.cell[N + 2]) && isnan(t.cell[2 * N + 3]));
	check_abs(t.cell[2 * N + 1], 5e11, 0);
}

TEST(a_wrong_table_is_refused_with_its_place)
{
	static const struct number_column missing = {.names = cores}, no_empty = {.names = nmax},
					  too_small = {.names = rank, .least = 2},
					  no_number = {.names = rmax, .kind = NUMBER_FLOPS},
					  other_unit = {.names = memory, .kind = NUMBER_SECONDS};
	static const struct {
		const char *file;
		const struct number_column *column;
		const char *says;
	} wrong[] = {
		{CSV "systems.csv", &missing, "systems.csv:2: no column cores"},
		{CSV "systems.csv", &no_empty, "systems.csv:4: Nmax"},
		{CSV "systems.csv", &too_small, "systems.csv:3: Rank: '1' is out of range"},
		{CSV "systems.csv", &other_unit, "no column memory"},
		{CSV "systems_bad_value.csv", &no_number, "systems_bad_value.csv:3: rmax_gflops"},
	};
	struct number_table t = {.n_rows = 77};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		must_fail(number_table_read(wrong[i].file, wrong[i].column, 1, &t, &err), ERR_PARSE,
			  wrong[i].says);
	}
	assert_int_equal(number_table_read(CSV "no_such.csv", &missing, 1, &t, NULL), ERR_PARSE);
	assert_int_equal(t.n_rows, 77);
}

TEST(without_memory_there_is_no_table)
{
	static const struct number_column wanted = {.names = rank};
	RELEASED(number_table) t = {0};

	failing_each_allocation (number_table_read(CSV "systems.csv", &wanted, 1, &t, &err), &err)
		assert_null(t.cell);
	assert_int_equal(t.n_rows, 3);
}
