#include "models/taskgraph/ready_queue.h"

#include <stdbool.h>
#include <stdlib.h>

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

static bool comes_before(const struct ready_queues *r, uint32_t a, uint32_t b)
{
	return r->key[a] != r->key[b] ? r->key[a] < r->key[b] : a < b;
}

/* Merge two heaps along their right spines, swapping the children of each task passed. */
static uint32_t merge(struct ready_queues *r, uint32_t a, uint32_t b)
{
	uint32_t root = READY_NONE, *into = &root;

	while (a != READY_NONE && b != READY_NONE) {
		uint32_t first = comes_before(r, a, b) ? a : b;
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
