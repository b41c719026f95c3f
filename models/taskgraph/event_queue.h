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

#endif
