#include "models/taskgraph/wavefront_static.h"

#include <inttypes.h>

#include "base/units.h"
#include "models/taskgraph/task_graph_dot.h"

static const struct {
	const char *cost_eager, *cost_blocking;
	const char *on;
} text[WAVE_N_TASKS] = {
	[WAVE_RECEIVE_I] = {"Receive(8 jt mk mmi bytes)", "0: both sides meet",
			    "with an i neighbour upstream"},
	[WAVE_TRANSFER_I] = {"", "Receive(8 jt mk mmi bytes)", "with an i neighbour upstream"},
	[WAVE_RECEIVE_J] = {"Receive(8 it mk mmi bytes)", "0: both sides meet",
			    "with a j neighbour upstream"},
	[WAVE_TRANSFER_J] = {"", "Receive(8 it mk mmi bytes)", "with a j neighbour upstream"},
	[WAVE_COMPUTE] = {"Wg mk mmi it jt", "", "all"},
	[WAVE_SEND_I] = {"Send(8 jt mk mmi bytes)", "Send - (Total_Comm - Receive)",
			 "with an i neighbour downstream"},
	[WAVE_SEND_J] = {"Send(8 it mk mmi bytes)", "Send - (Total_Comm - Receive)",
			 "with a j neighbour downstream"},
};

static bool is_along_i(enum wavefront_task kind)
{
	return kind == WAVE_RECEIVE_I || kind == WAVE_TRANSFER_I || kind == WAVE_SEND_I;
}

/* What one task of a message takes. */
static double message_part_s(enum wavefront_task kind, const struct message_time *t)
{
	switch (kind) {
	case WAVE_RECEIVE_I:
	case WAVE_RECEIVE_J:
		return t->blocks ? 0 : t->receive_s;
	case WAVE_TRANSFER_I:
	case WAVE_TRANSFER_J:
		return t->blocks ? t->receive_s : 0;
	default:
		return t->blocks ? message_tail_s(t) : t->send_s;
	}
}

/* Of all processors in one block. */
static double block_s(const struct pipeline *p, enum wavefront_task kind)
{
	const struct message_time *t = is_along_i(kind) ? p->ew : p->ns;
	int64_t lines = is_along_i(kind) ? p->npe_j : p->npe_i;
	int64_t hops = (is_along_i(kind) ? p->npe_i : p->npe_j) - 1;
	double sum = 0;

	if (kind == WAVE_COMPUTE) {
		for (int64_t k = 0; k < p->npe_i * p->npe_j; k++)
			sum += p->work_s[k];
		return sum;
	}
	for (int64_t k = 0; k < lines; k++)
		sum += message_part_s(kind, &t[k]);
	return sum * (double)hops;
}

static bool has_blocking(const struct wavefront_graph *w, enum wavefront_task kind)
{
	return wavefront_graph_count(w, is_along_i(kind) ? WAVE_TRANSFER_I : WAVE_TRANSFER_J) > 0;
}

static void add_class(const struct wavefront_graph *w, enum wavefront_task kind,
		      struct wavefront_static *s)
{
	const struct pipeline *p = w->p;
	double n_instances = wavefront_graph_count(w, kind);
	double k_blocks = (double)p->k_blocks;
	bool blocks = kind != WAVE_COMPUTE && has_blocking(w, kind);

	if (n_instances <= 0)
		return;
	if (kind == WAVE_COMPUTE)
		k_blocks += p->last_share - 1;
	s->class[s->n_classes++] = (struct wavefront_class){
		.kind = kind,
		.cost = blocks ? text[kind].cost_blocking : text[kind].cost_eager,
		.on = text[kind].on,
		.n_instances = n_instances,
		.total_s = block_s(p, kind) * w->octants * (double)p->angle_groups * k_blocks,
	};
}

static void depend(struct wavefront_static *s, enum wavefront_task from, enum wavefront_task to,
		   const char *where, bool is_message)
{
	s->dependence[s->n_dependences++] =
		(struct wavefront_dependence){from, to, where, is_message};
}

static void add_dependences(const struct wavefront_graph *w, struct wavefront_static *s)
{
	const bool along_i = w->p->npe_i > 1, along_j = w->p->npe_j > 1;

	for (size_t k = 1; k < s->n_classes; k++)
		depend(s, s->class[k - 1].kind, s->class[k].kind, "next on the processor", false);
	depend(s, s->class[s->n_classes - 1].kind, s->class[0].kind,
	       "the next block of the processor", false);
	if (along_i)
		depend(s, WAVE_COMPUTE, WAVE_RECEIVE_I, "to the i neighbour downstream, same block",
		       true);
	if (along_j)
		depend(s, along_i ? WAVE_SEND_I : WAVE_COMPUTE, WAVE_RECEIVE_J,
		       "to the j neighbour downstream, same block", true);
	if (along_i && has_blocking(w, WAVE_RECEIVE_I))
		depend(s, WAVE_RECEIVE_I, WAVE_SEND_I, "back to the sender: it may go on", true);
	if (along_j && has_blocking(w, WAVE_RECEIVE_J))
		depend(s, WAVE_RECEIVE_J, WAVE_SEND_J, "back to the sender: it may go on", true);
}

enum err_code wavefront_static_of(const struct wavefront_graph *w, struct wavefront_static *out,
				  struct err *e)
{
	struct wavefront_static s = {.npe_i = w->p->npe_i,
				     .npe_j = w->p->npe_j,
				     .octants = w->octants,
				     .angle_groups = w->p->angle_groups,
				     .k_blocks = w->p->k_blocks};
	enum err_code rc = wavefront_graph_check(w, e);

	if (rc)
		return rc;
	for (int kind = 0; kind < WAVE_N_TASKS; kind++)
		add_class(w, (enum wavefront_task)kind, &s);
	add_dependences(w, &s);
	*out = s;
	return ERR_OK;
}

/* ---- drawing ---- */

static void open_loop(struct strbuf *out, const char *name, const char *what, int64_t n)
{
	strbuf_printf(
		out, "\tsubgraph cluster_%s {\n\tlabel=\"%s = 1 .. %" PRId64 "\"; style=rounded;\n",
		name, what, n);
}

static void put_class(const struct wavefront_class *c, struct strbuf *out)
{
	struct strbuf label = STRBUF_INIT;
	char time[32];

	strbuf_printf(&label, "%s\n%s\n%.0f x, %s in all", wavefront_task_name(c->kind), c->cost,
		      c->n_instances, duration_format(c->total_s, time, sizeof time));
	strbuf_printf(out, "\tc%d [label=", c->kind);
	dot_put_text(out, strbuf_text(&label));
	strbuf_printf(out, "%s];\n", c->kind == WAVE_COMPUTE ? "" : ", shape=ellipse");
	out->failed |= label.failed;
	strbuf_release(&label);
}

void wavefront_static_dot(const struct wavefront_static *s, struct strbuf *out)
{
	strbuf_puts(out, "digraph sweep {\n\tnode [shape=box, fontname=\"Helvetica\"];\n"
			 "\tedge [fontname=\"Helvetica\", fontsize=10];\n");
	strbuf_printf(out,
		      "\tlabel=\"on each processor (i, j), i = 1 .. %" PRId64 ", j = 1 .. %" PRId64
		      "\";\n",
		      s->npe_i, s->npe_j);
	open_loop(out, "o", "octant", s->octants);
	open_loop(out, "a", "angle group", s->angle_groups);
	open_loop(out, "k", "k block", s->k_blocks);
	for (size_t k = 0; k < s->n_classes; k++)
		put_class(&s->class[k], out);
	strbuf_puts(out, "\t}\n\t}\n\t}\n");
	for (size_t k = 0; k < s->n_dependences; k++) {
		const struct wavefront_dependence *d = &s->dependence[k];

		strbuf_printf(out, "\tc%d -> c%d [label=\"%s\"%s];\n", d->from, d->to, d->where,
			      d->is_message ? ", style=dashed" : "");
	}
	strbuf_puts(out, "}\n");
}
