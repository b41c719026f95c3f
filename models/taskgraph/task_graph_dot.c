#include "models/taskgraph/task_graph_dot.h"

#include <stdlib.h>

#include "base/units.h"

static const char on_path[] = ", color=red, penwidth=2.5";

/* Which tasks and edges the path has: bits of both. */
struct marks {
	const struct task_graph *g;
	bool *is_marked; /* [n_tasks + n_edges]: tasks, then edges */
};

static enum err_code mark(struct marks *m, const struct task_path *path, struct err *e)
{
	m->is_marked = calloc(m->g->n_tasks + m->g->n_edges, sizeof *m->is_marked);
	if (!m->is_marked)
		return err_set(e, ERR_NOMEM, "a drawing of %zu tasks", m->g->n_tasks);
	for (size_t i = 0; path && i < path->n; i++) {
		m->is_marked[path->task[i]] = true;
		if (path->edge[i] != TASK_GRAPH_NONE)
			m->is_marked[m->g->n_tasks + path->edge[i]] = true;
	}
	return ERR_OK;
}

void dot_put_text(struct strbuf *out, const char *text)
{
	strbuf_putc(out, '"');
	for (; *text; text++) {
		if (*text == '\n') {
			strbuf_puts(out, "\\n");
			continue;
		}
		if (*text == '"' || *text == '\\')
			strbuf_putc(out, '\\');
		strbuf_putc(out, *text);
	}
	strbuf_putc(out, '"');
}

static void put_task(const struct marks *m, uint32_t t, struct strbuf *label, struct strbuf *out)
{
	const struct task *task = &m->g->task[t];
	char time[32];

	strbuf_clear(label);
	strbuf_puts(label, task_graph_name(m->g, t));
	if (task->seconds > 0)
		strbuf_printf(label, "\n%s", duration_format(task->seconds, time, sizeof time));
	strbuf_printf(out, "\tt%u [label=", t);
	dot_put_text(out, strbuf_text(label));
	if (task->kind != TASK_COMPUTE)
		strbuf_puts(out, ", shape=ellipse");
	if (task->proc != TASK_ANY_PROC)
		strbuf_printf(out, ", group=p%d", task->proc);
	strbuf_printf(out, "%s];\n", m->is_marked[t] ? on_path : "");
}

static void put_edge(const struct marks *m, uint32_t k, struct strbuf *label, struct strbuf *out)
{
	const struct task_edge *edge = &m->g->edge[k];
	char time[32];

	strbuf_clear(label);
	if (edge->seconds > 0)
		strbuf_puts(label, duration_format(edge->seconds, time, sizeof time));
	if (edge->bytes > 0) {
		strbuf_puts(label, edge->seconds > 0 ? "\n" : "");
		strbuf_put_number(label, edge->bytes);
		strbuf_puts(label, " B");
	}
	strbuf_printf(out, "\tt%u -> t%u [label=", edge->from, edge->to);
	dot_put_text(out, strbuf_text(label));
	strbuf_printf(out, "%s];\n", m->is_marked[m->g->n_tasks + k] ? on_path : "");
}

/* The steps of the path that no edge stands for. */
static void put_handovers(const struct task_path *path, struct strbuf *out)
{
	for (size_t i = 1; path && i < path->n; i++) {
		if (path->edge[i] == TASK_GRAPH_NONE)
			strbuf_printf(out,
				      "\tt%u -> t%u [style=dashed, constraint=false%s, "
				      "label=\"processor\"];\n",
				      path->task[i - 1], path->task[i], on_path);
	}
}

enum err_code task_graph_dot(const struct task_graph *g, const struct task_path *path,
			     struct strbuf *out, struct err *e)
{
	struct marks m = {.g = g};
	struct strbuf label = STRBUF_INIT;
	enum err_code rc = mark(&m, path, e);

	if (rc)
		return rc;
	strbuf_puts(out, "digraph tasks {\n\tnode [shape=box, fontname=\"Helvetica\"];\n"
			 "\tedge [fontname=\"Helvetica\", fontsize=10];\n");
	for (uint32_t t = 0; t < g->n_tasks; t++)
		put_task(&m, t, &label, out);
	for (uint32_t k = 0; k < g->n_edges; k++)
		put_edge(&m, k, &label, out);
	put_handovers(path, out);
	strbuf_puts(out, "}\n");
	if (out->failed || label.failed)
		rc = err_set(e, ERR_NOMEM, "a drawing of %zu tasks", g->n_tasks);
	free(m.is_marked);
	strbuf_release(&label);
	return rc;
}
