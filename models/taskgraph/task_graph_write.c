#include "models/taskgraph/task_graph_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"

static bool is_plain(const char *name)
{
	for (const char *p = name; *p; p++) {
		if ((unsigned char)*p <= ' ' || *p == 0x7f || strchr("\"\\#=", *p))
			return false;
	}
	return *name != '\0';
}

static void put_name(struct strbuf *out, const char *name)
{
	if (is_plain(name)) {
		strbuf_puts(out, name);
		return;
	}
	strbuf_putc(out, '"');
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			strbuf_putc(out, '\\');
		strbuf_putc(out, *name);
	}
	strbuf_putc(out, '"');
}

static void put_amount(struct strbuf *out, const char *key, double x)
{
	if (x > 0) {
		strbuf_puts(out, key);
		strbuf_put_number(out, x);
	}
}

static void put_proc(struct strbuf *out, const char *key, int32_t proc)
{
	if (proc != TASK_ANY_PROC)
		strbuf_printf(out, "%s%d", key, proc);
}

static void put_task(struct strbuf *out, const struct task_graph *g, uint32_t id)
{
	const struct task *t = &g->task[id];

	strbuf_puts(out, "task ");
	put_name(out, task_graph_name(g, id));
	put_proc(out, " proc=", t->proc);
	if (t->kind != TASK_COMPUTE)
		strbuf_printf(out, " kind=%s", task_kind_name(t->kind));
	put_amount(out, " time=", t->seconds);
	put_amount(out, " bytes=", t->bytes);
	put_proc(out, " peer=", t->peer);
	if (t->fires_at > 0)
		strbuf_printf(out, " fires=%u", t->fires_at);
	strbuf_putc(out, '\n');
}

static void put_edge(struct strbuf *out, const struct task_graph *g, const struct task_edge *k)
{
	strbuf_puts(out, "edge ");
	put_name(out, task_graph_name(g, k->from));
	strbuf_putc(out, ' ');
	put_name(out, task_graph_name(g, k->to));
	put_amount(out, " time=", k->seconds);
	put_amount(out, " bytes=", k->bytes);
	strbuf_putc(out, '\n');
}

void task_graph_write(const struct task_graph *g, struct strbuf *out)
{
	strbuf_printf(out, "task-graph %d\n", TASK_GRAPH_TEXT_VERSION);
	for (uint32_t t = 0; t < g->n_tasks; t++)
		put_task(out, g, t);
	for (size_t k = 0; k < g->n_edges; k++)
		put_edge(out, g, &g->edge[k]);
}

static const char on_path[] = ", color=red, penwidth=2.5";

/* The tasks and edges of the path: bits of both. */
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

static void draw_task(const struct marks *m, uint32_t t, struct strbuf *label, struct strbuf *out)
{
	const struct task *task = &m->g->task[t];
	char time[32];

	strbuf_clear(label);
	strbuf_puts(label, task_graph_name(m->g, t));
	if (task->seconds > 0)
		strbuf_printf(label, "\n%s", duration_format(task->seconds, time, sizeof time));
	if (task->fires_at > 0)
		strbuf_printf(label, "\nfires at %u", task->fires_at);
	strbuf_printf(out, "\tt%u [label=", t);
	dot_put_text(out, strbuf_text(label));
	if (task->kind != TASK_COMPUTE)
		strbuf_puts(out, ", shape=ellipse");
	if (task->proc != TASK_ANY_PROC)
		strbuf_printf(out, ", group=p%d", task->proc);
	strbuf_printf(out, "%s];\n", m->is_marked[t] ? on_path : "");
}

static void draw_edge(const struct marks *m, uint32_t k, struct strbuf *label, struct strbuf *out)
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
		draw_task(&m, t, &label, out);
	for (uint32_t k = 0; k < g->n_edges; k++)
		draw_edge(&m, k, &label, out);
	put_handovers(path, out);
	strbuf_puts(out, "}\n");
	if (out->failed || label.failed)
		rc = err_set(e, ERR_NOMEM, "a drawing of %zu tasks", g->n_tasks);
	free(m.is_marked);
	strbuf_release(&label);
	return rc;
}
