#include "tests/support/check.h"

#include <stdbool.h>

#include "models/taskgraph/event_queue.h"

enum { N = 500, QUEUES = 4 };

static uint64_t random_state = 7;

static int64_t pick(int64_t lo, int64_t hi)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return lo + (int64_t)((random_state >> 33) % (uint64_t)(hi - lo + 1));
}

/* A second method: look at all that wait. */
static uint32_t first_of(const double *key, const int *queue_of, int queue)
{
	uint32_t best = READY_NONE;

	for (uint32_t t = 0; t < N; t++) {
		if (queue_of[t] == queue && (best == READY_NONE || key[t] < key[best]))
			best = t;
	}
	return best;
}

static void the_smallest_key_then_the_lowest_number_comes_first(void **state)
{
	struct ready_queues r;
	double key[N];
	int queue_of[N];
	struct err e = {0};

	(void)state;
	check_ok(ready_queues_init(&r, N, QUEUES, &e), &e);
	for (int t = 0; t < N; t++)
		queue_of[t] = -1;
	for (int i = 0; i < 20000; i++) {
		uint32_t task = (uint32_t)pick(0, N - 1);
		int queue = (int)pick(0, QUEUES - 1);

		if (queue_of[task] < 0) {
			key[task] = (double)pick(0, 20); /* many are equal */
			queue_of[task] = queue;
			ready_queues_push(&r, (size_t)queue, task, key[task]);
		} else {
			uint32_t want = first_of(key, queue_of, queue);

			assert_int_equal(ready_queues_first(&r, (size_t)queue), want);
			assert_int_equal(ready_queues_pop(&r, (size_t)queue), want);
			if (want != READY_NONE)
				queue_of[want] = -1;
		}
	}
	ready_queues_release(&r);
}

static void an_empty_queue_has_nobody(void **state)
{
	struct ready_queues r;
	struct err e = {0};

	(void)state;
	check_ok(ready_queues_init(&r, 1, 1, &e), &e);
	assert_int_equal(ready_queues_pop(&r, 0), READY_NONE);
	ready_queues_push(&r, 0, 0, 1);
	assert_int_equal(ready_queues_pop(&r, 0), 0);
	assert_int_equal(ready_queues_first(&r, 0), READY_NONE);
	ready_queues_release(&r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_smallest_key_then_the_lowest_number_comes_first),
	cmocka_unit_test(an_empty_queue_has_nobody),
};

CHECK_MAIN(tests)
