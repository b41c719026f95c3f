#include "models/taskgraph/task_graph_text.h"

#include <string.h>

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
