#ifndef MODELS_EVENT_QUEUE_H
#define MODELS_EVENT_QUEUE_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/* What will happen when: a binary heap by time, then kind, then id, so that what happens at the
 * same time happens in an order that does not depend on chance. */
struct event {
	double time_s;
	uint32_t kind, id;
};
struct event_queue {
	struct event *event;
	size_t n, cap;
};

/* Errors: NOMEM. */
enum err_code event_queue_push(struct event_queue *q, struct event event, struct err *e);
/* The queue must not be empty. */
struct event event_queue_pop(struct event_queue *q);
void event_queue_release(struct event_queue *q);

/* Many priority queues of the same tasks, each task in at most one of them: what waits for each
 * processor. The smallest key comes first, among equal ones the smallest number, so that results
 * never depend on chance. Skew heaps (Sleator and Tarjan 1986) in arrays over the tasks: no
 * allocation after the first, O(log n) amortised. */
struct ready_queues {
	double *key;		/* [n_tasks] */
	uint32_t *left, *right; /* [n_tasks] */
	uint32_t *root;		/* [n_queues]; READY_NONE: empty */
};
#define READY_NONE UINT32_MAX

/* All queues empty. Errors: NOMEM. */
enum err_code ready_queues_init(struct ready_queues *r, size_t n_tasks, size_t n_queues,
				struct err *e);
void ready_queues_release(struct ready_queues *r);

void ready_queues_push(struct ready_queues *r, size_t queue, uint32_t task, double key);
/* Take out the first; READY_NONE if there is none. */
uint32_t ready_queues_pop(struct ready_queues *r, size_t queue);
/* The first, which stays. */
static inline uint32_t ready_queues_first(const struct ready_queues *r, size_t queue)
{
	return r->root[queue];
}

#endif
