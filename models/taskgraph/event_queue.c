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

enum err_code ready_queues_init(struct ready_queues *r, size_t n_tasks, size_t n_queues,
				struct err *e)
{
	*r = (struct ready_queues){0};
	r->key = calloc(n_tasks + 1, sizeof *r->key);
	r->left = calloc(n_tasks + 1, sizeof *r->left);
	r->right = calloc(n_tasks + 1, sizeof *r->right);
	r->root = calloc(n_queues + 1, sizeof *r->root);
	if (!r->key || !r->left || !r->right || !r->root) {
		ready_queues_release(r);
		return err_set(e, ERR_NOMEM, "queues of %zu tasks", n_tasks);
	}
	for (size_t q = 0; q < n_queues; q++)
		r->root[q] = READY_NONE;
	return ERR_OK;
}

void ready_queues_release(struct ready_queues *r)
{
	free(r->key);
	free(r->left);
	free(r->right);
	free(r->root);
	*r = (struct ready_queues){0};
}

static bool is_ready_before(const struct ready_queues *r, uint32_t a, uint32_t b)
{
	return r->key[a] != r->key[b] ? r->key[a] < r->key[b] : a < b;
}

/* Merge two heaps along their right spines, swapping the children of each task passed. */
static uint32_t merge(struct ready_queues *r, uint32_t a, uint32_t b)
{
	uint32_t root = READY_NONE, *into = &root;

	while (a != READY_NONE && b != READY_NONE) {
		uint32_t first = is_ready_before(r, a, b) ? a : b;
		uint32_t second = first == a ? b : a;

		*into = first;
		a = r->right[first];
		b = second;
		r->right[first] = r->left[first];
		into = &r->left[first];
	}
	*into = a != READY_NONE ? a : b;
	return root;
}

void ready_queues_push(struct ready_queues *r, size_t queue, uint32_t task, double key)
{
	r->key[task] = key;
	r->left[task] = r->right[task] = READY_NONE;
	r->root[queue] = merge(r, r->root[queue], task);
}

uint32_t ready_queues_pop(struct ready_queues *r, size_t queue)
{
	uint32_t first = r->root[queue];

	if (first != READY_NONE)
		r->root[queue] = merge(r, r->left[first], r->right[first]);
	return first;
}
