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
TEST(events_come_by_time_then_kind_then_number)
{
	enum { N = 3000 };
	static struct event event[N];
	RELEASED(event_queue) q = {0};

	for (int i = 0; i < N; i++) {
		event[i] = (struct event){(double)pick(50), pick(2), pick(100)};
		must(event_queue_push(&q, event[i], &err));
	}
	qsort(event, N, sizeof event[0], compare);
	for (int i = 0; i < N; i++) {
		struct event got = event_queue_pop(&q);

		assert_int_equal(compare(&got, &event[i]), 0);
	}
	assert_int_equal(q.n, 0);
}

/* ---- queues of ready tasks ---- */

enum { N_TASKS = 500, QUEUES = 4 };

/* A second method: look at all that wait. */
static uint32_t first_of(const double *key, const int *queue_of, int queue)
{
	uint32_t best = READY_NONE;

	for (uint32_t t = 0; t < N_TASKS; t++) {
		if (queue_of[t] == queue && (best == READY_NONE || key[t] < key[best]))
			best = t;
	}
	return best;
}

TEST(the_smallest_key_then_the_lowest_number_comes_first)
{
	RELEASED(ready_queues) r;
	double key[N_TASKS];
	int queue_of[N_TASKS];

	must(ready_queues_init(&r, N_TASKS, QUEUES, &err));
	for (int t = 0; t < N_TASKS; t++)
		queue_of[t] = -1;
	for (int i = 0; i < 20000; i++) {
		uint32_t task = pick(N_TASKS - 1);
		int queue = (int)pick(QUEUES - 1);

		if (queue_of[task] < 0) {
			key[task] = pick(20); /* many are equal */
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
}

TEST(an_empty_queue_has_nobody)
{
	RELEASED(ready_queues) r;

	must(ready_queues_init(&r, 1, 1, &err));
	assert_int_equal(ready_queues_pop(&r, 0), READY_NONE);
	ready_queues_push(&r, 0, 0, 1);
	assert_int_equal(ready_queues_pop(&r, 0), 0);
	assert_int_equal(ready_queues_first(&r, 0), READY_NONE);
}
