#include "models/taskgraph/event_queue.h"

#include <stdbool.h>
#include <stdlib.h>

void event_queue_release(struct event_queue *q)
{
	free(q->event);
	*q = (struct event_queue){0};
}

static bool comes_before(const struct event *a, const struct event *b)
{
	if (a->time_s != b->time_s)
		return a->time_s < b->time_s;
	return a->kind != b->kind ? a->kind < b->kind : a->id < b->id;
}

static enum err_code make_room(struct event_queue *q, struct err *e)
{
	size_t cap = q->cap ? 2 * q->cap : 64;
	struct event *larger;

	if (q->n < q->cap)
		return ERR_OK;
	larger = realloc(q->event, cap * sizeof *larger);
	if (!larger)
		return err_set(e, ERR_NOMEM, "%zu events", q->n + 1);
	q->event = larger;
	q->cap = cap;
	return ERR_OK;
}

enum err_code event_queue_push(struct event_queue *q, struct event event, struct err *e)
{
	size_t at = q->n;
	enum err_code rc = make_room(q, e);

	if (rc)
		return rc;
	q->n++;
	while (at > 0 && comes_before(&event, &q->event[(at - 1) / 2])) {
		q->event[at] = q->event[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	q->event[at] = event;
	return ERR_OK;
}

struct event event_queue_pop(struct event_queue *q)
{
	struct event first = q->event[0], last = q->event[--q->n];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < q->n) {
		if (child + 1 < q->n && comes_before(&q->event[child + 1], &q->event[child]))
			child++;
		if (!comes_before(&q->event[child], &last))
			break;
		q->event[at] = q->event[child];
		at = child;
	}
	q->event[at] = last;
	return first;
}
