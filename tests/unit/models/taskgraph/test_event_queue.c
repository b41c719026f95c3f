#include "tests/support/check.h"

#include "models/taskgraph/event_queue.h"

static uint64_t random_state = 11;

static uint32_t pick(uint32_t most)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((random_state >> 33) % (most + 1));
}

static int compare(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->time_s != y->time_s)
		return x->time_s < y->time_s ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* qsort() is the second method. */
static void events_come_by_time_then_kind_then_number(void **state)
{
	enum { N = 3000 };
	static struct event event[N];
	struct event_queue q = {0};
	struct err e = {0};

	(void)state;
	for (int i = 0; i < N; i++) {
		event[i] = (struct event){(double)pick(50), pick(2), pick(100)};
		check_ok(event_queue_push(&q, event[i], &e), &e);
	}
	qsort(event, N, sizeof event[0], compare);
	for (int i = 0; i < N; i++) {
		struct event got = event_queue_pop(&q);

		assert_int_equal(compare(&got, &event[i]), 0);
	}
	assert_int_equal(q.n, 0);
	event_queue_release(&q);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(events_come_by_time_then_kind_then_number),
};

CHECK_MAIN(tests)
