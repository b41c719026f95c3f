#include "tests/support/check.h"

#include "models/task_time.h"

/* 1000 instructions at 2 a cycle: 500 cycles. 3 misses of I1 at 10 and 30 of D1 at 8: 270. 6 misses
 * of L2 at 20 and 4 of LL at 100: 520. 5 of the TLB at 30: 150. Together 1440 cycles, at 2 GHz
 * 0.72 us; 200 accesses to data. */
static void misses_become_time_through_issue_rate_and_penalties(void **state)
{
	const struct memory_counts counts = {
		.access = {1000, 150, 50},
		.l1_miss = {3, 20, 10},
		.shared_miss = {{1, 3, 2}, {1, 2, 1}},
		.tlb_miss = {0, 4, 1},
	};
	const struct memory_shape shape = {.n_shared = 2, .tlb = {64, 4, 4096}};
	const struct task_processor processor = {2e9, 2, 10, 8, {20, 100}, 30};
	struct task_time t = task_time_of(&counts, &shape, &processor);

	(void)state;
	check_rel(t.time_s, 0.72e-6, 1e-14);
	check_rel(t.issue_s, 0.25e-6, 1e-14);
	check_rel(t.miss_s, 0.395e-6, 1e-14);
	check_rel(t.tlb_s, 0.075e-6, 1e-14);
	check_rel(t.D1_miss_rate, 30.0 / 200, 1e-15);
	check_rel(t.LL_miss_rate, 3.0 / 200, 1e-15);
	check_rel(t.tlb_miss_rate, 5.0 / 200, 1e-15);
}

static void without_data_or_tlb_there_are_no_rates(void **state)
{
	const struct memory_counts counts = {.access = {10, 0, 0}};
	const struct memory_shape shape = {.n_shared = 1};
	const struct task_processor processor = {1e9, 1, 1, 1, {1}, 0};
	struct task_time t = task_time_of(&counts, &shape, &processor);

	(void)state;
	check_rel(t.time_s, 10e-9, 1e-14);
	assert_true(isnan(t.D1_miss_rate));
	assert_true(isnan(t.tlb_miss_rate));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(misses_become_time_through_issue_rate_and_penalties),
	cmocka_unit_test(without_data_or_tlb_there_are_no_rates),
};

CHECK_MAIN(tests)
