#include "models/taskgraph/critical_path.h"

#include <math.h>
#include <stdlib.h>

void task_path_release(struct task_path *p)
{
	free(p->task);
	free(p->edge);
	*p = (struct task_path){0};
}

enum err_code task_path_walk(task_path_before *before, const void *context, uint32_t last,
			     struct task_path *out, struct err *e)
{
	struct task_path p = {0};
	uint32_t edge;
	size_t at;

	for (uint32_t t = last; t != TASK_GRAPH_NONE; t = before(context, t, &edge))
		p.n++;
	p.task = calloc(p.n, sizeof *p.task);
	p.edge = calloc(p.n, sizeof *p.edge);
	if (!p.task || !p.edge) {
		task_path_release(&p);
		return err_set(e, ERR_NOMEM, "a path of tasks");
	}
	at = p.n;
	for (uint32_t t = last, from; t != TASK_GRAPH_NONE; t = from) {
		at--;
		from = before(context, t, &p.edge[at]);
		p.task[at] = t;
	}
	*out = p;
	return ERR_OK;
}

/* The longest chains, task by task. */
struct chains {
	const struct task_graph *g;
	double *end_s;	/* [n_tasks] */
	uint32_t *edge; /* [n_tasks]: the message that comes last of those that it waits for */
	struct chain_message *in; /* room for those to a task that does not wait for all */
};

struct chain_message {
	double there_s;
	uint32_t edge;
};

static int compare_messages(const void *a, const void *b)
{
	const struct chain_message *x = a, *y = b;

	return (x->there_s > y->there_s) - (x->there_s < y->there_s);
}

/* Of a task that fires at fewer messages than come: the last one that it waits for. */
static double fire(const struct chains *c, uint32_t t)
{
	const struct task_graph *g = c->g;
	size_t n = 0;
	const struct chain_message *last;

	for (uint32_t k = g->in_first[t]; k < g->in_first[t + 1]; k++) {
		const uint32_t edge = g->in_edge[k];

		c->in[n++] = (struct chain_message){
			c->end_s[g->edge[edge].from] + task_graph_message_s(g, edge), edge};
	}
	qsort(c->in, n, sizeof *c->in, compare_messages);
	last = &c->in[task_graph_awaited(g, t) - 1];
	c->edge[t] = last->edge;
	return last->there_s;
}

static bool fires_early(const struct task_graph *g, uint32_t t)
{
	return task_graph_awaited(g, t) < g->in_first[t + 1] - g->in_first[t];
}

/* The most messages to a task that fires at fewer. */
static size_t most_messages(const struct task_graph *g)
{
	size_t most = 0;

	for (uint32_t t = 0; t < g->n_tasks; t++) {
		const size_t n = g->in_first[t + 1] - g->in_first[t];

		if (n > most && fires_early(g, t))
			most = n;
	}
	return most;
}

static uint32_t chain_before(const void *context, uint32_t task, uint32_t *edge)
{
	const struct chains *c = context;

	*edge = c->edge[task];
	return *edge == TASK_GRAPH_NONE ? TASK_GRAPH_NONE : c->g->edge[*edge].from;
}

/* Returns the task that ends last. */
static uint32_t follow_chains(const struct chains *c)
{
	const struct task_graph *g = c->g;
	uint32_t last = 0;

	for (size_t i = 0; i < g->n_tasks; i++) {
		uint32_t t = g->order[i];
		double start = 0;

		c->edge[t] = TASK_GRAPH_NONE;
		if (fires_early(g, t)) {
			c->end_s[t] = fire(c, t) + g->task[t].seconds;
			continue;
		}
		for (uint32_t k = g->in_first[t]; k < g->in_first[t + 1]; k++) {
			uint32_t edge = g->in_edge[k];
			double there = c->end_s[g->edge[edge].from] + task_graph_message_s(g, edge);

			if (there > start || c->edge[t] == TASK_GRAPH_NONE) {
				start = there;
				c->edge[t] = edge;
			}
		}
		c->end_s[t] = start + g->task[t].seconds;
	}
	for (uint32_t t = 1; t < g->n_tasks; t++) {
		if (c->end_s[t] > c->end_s[last])
			last = t;
	}
	return last;
}

enum err_code critical_path_find(const struct task_graph *g, double *length_s,
				 struct task_path *path, struct err *e)
{
	struct chains c = {.g = g};
	const size_t most = most_messages(g);
	enum err_code rc = ERR_OK;
	uint32_t last;

	c.end_s = calloc(g->n_tasks, sizeof *c.end_s);
	c.edge = calloc(g->n_tasks, sizeof *c.edge);
	c.in = calloc(most + 1, sizeof *c.in);
	if (!c.end_s || !c.edge || !c.in) {
		rc = err_set(e, ERR_NOMEM, "the critical path of %zu tasks", g->n_tasks);
		goto done;
	}
	last = follow_chains(&c);
	if (!isfinite(c.end_s[last]))
		rc = err_set(e, ERR_ARG, "the critical path is too long for a number");
	else if (path)
		rc = task_path_walk(chain_before, &c, last, path, e);
	if (!rc)
		*length_s = c.end_s[last];
done:
	free(c.end_s);
	free(c.edge);
	free(c.in);
	return rc;
}

void critical_path_remaining(const struct task_graph *g, double *remaining_s)
{
	for (size_t i = g->n_tasks; i-- > 0;) {
		uint32_t t = g->order[i];
		double after = 0;

		for (uint32_t k = g->out_first[t]; k < g->out_first[t + 1]; k++) {
			double chain = task_graph_message_s(g, k) + remaining_s[g->edge[k].to];

			after = chain > after ? chain : after;
		}
		remaining_s[t] = g->task[t].seconds + after;
	}
}
