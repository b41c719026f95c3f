#include "models/taskgraph/wavefront_graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "models/taskgraph/task_graph_text.h"

static const struct {
	const char *name;
	enum task_kind kind;
} task_class[WAVE_N_TASKS] = {
	[WAVE_RECEIVE_I] = {"receive-i", TASK_RECEIVE},
	[WAVE_TRANSFER_I] = {"transfer-i", TASK_RECEIVE},
	[WAVE_RECEIVE_J] = {"receive-j", TASK_RECEIVE},
	[WAVE_TRANSFER_J] = {"transfer-j", TASK_RECEIVE},
	[WAVE_COMPUTE] = {"compute", TASK_COMPUTE},
	[WAVE_SEND_I] = {"send-i", TASK_SEND},
	[WAVE_SEND_J] = {"send-j", TASK_SEND},
};

const char *wavefront_task_name(enum wavefront_task kind)
{
	return task_class[kind].name;
}

enum task_kind wavefront_task_kind(enum wavefront_task kind)
{
	return task_class[kind].kind;
}

/* ---- how many ---- */

static int64_t n_blocking(const struct message_time *t, int64_t n)
{
	int64_t count = 0;

	for (int64_t k = 0; k < n; k++)
		count += t[k].blocks;
	return count;
}

double wavefront_graph_count(const struct wavefront_graph *w, enum wavefront_task kind)
{
	const struct pipeline *p = w->p;
	double n = (double)p->npe_i, m = (double)p->npe_j;
	double blocks = w->octants * (double)p->angle_groups * (double)p->k_blocks;

	switch (kind) {
	case WAVE_COMPUTE:
		return blocks * n * m;
	case WAVE_RECEIVE_I:
	case WAVE_SEND_I:
		return blocks * (n - 1) * m;
	case WAVE_RECEIVE_J:
	case WAVE_SEND_J:
		return blocks * n * (m - 1);
	case WAVE_TRANSFER_I:
		return blocks * (n - 1) * (double)n_blocking(p->ew, p->npe_j);
	default:
		return blocks * (double)n_blocking(p->ns, p->npe_i) * (m - 1);
	}
}

/* ---- building ---- */

/* A block in hand. */
struct task_block {
	int octant; /* all from 0 */
	int64_t angle_group, k_block;
	double share; /* of a full block */
};

struct builder {
	const struct wavefront_graph *w;
	struct task_graph *g;
	struct task_block block;
	uint32_t *last; /* [npe_j * npe_i]: the last task of each processor, so far */
};

static char *put_number(char *at, int64_t value)
{
	char digit[20];
	size_t n = 0;

	do
		digit[n++] = (char)('0' + value % 10);
	while ((value /= 10) > 0);
	while (n > 0)
		*at++ = digit[--n];
	return at;
}

/* ".i12" for part = ".i" and 11. */
static char *put_part(char *at, const char *part, int64_t value)
{
	at[0] = part[0];
	at[1] = part[1];
	return put_number(at + 2, value + 1);
}

enum { NAME_SIZE = 16 + 5 * 22 };

/* Not with snprintf(), which would take longer than all the rest of a large graph. */
static void make_name(const struct builder *b, enum wavefront_task kind, int64_t proc,
		      char name[NAME_SIZE])
{
	size_t len = strlen(task_class[kind].name);
	char *at = name + len;

	memcpy(name, task_class[kind].name, len);
	at = put_part(at, ".i", proc % b->w->p->npe_i);
	at = put_part(at, ".j", proc / b->w->p->npe_i);
	at = put_part(at, ".o", b->block.octant);
	at = put_part(at, ".a", b->block.angle_group);
	at = put_part(at, ".k", b->block.k_block);
	*at = '\0';
}

static void add_edge(struct builder *b, uint32_t from, uint32_t to, double seconds, double bytes)
{
	if (from != TASK_GRAPH_NONE)
		task_graph_add_edge(b->g, &(struct task_edge){from, to, seconds, bytes});
}

/* The next thing that a processor does. */
static uint32_t add_task(struct builder *b, enum wavefront_task kind, int64_t proc,
			 const struct task *t)
{
	char name[NAME_SIZE];
	struct task task = *t;
	uint32_t id;

	task.kind = task_class[kind].kind;
	task.proc = (int32_t)proc;
	make_name(b, kind, proc, name);
	id = task_graph_add_task(b->g, name, &task);
	add_edge(b, b->last[proc], id, 0, 0);
	b->last[proc] = id;
	return id;
}

/* A message and the tasks of both ends. */
struct task_hop {
	const struct message_time *time;
	double bytes;
	enum wavefront_task receive, transfer, send;
	int64_t from, to; /* processors */
};

static void add_eager(struct builder *b, const struct task_hop *h)
{
	const struct message_time *t = h->time;
	uint32_t call = b->last[h->from]; /* a send follows its computation: there always is one */
	uint32_t receive;

	receive = add_task(b, h->receive, h->to,
			   &(struct task){.seconds = t->receive_s, .peer = TASK_ANY_PROC});
	add_edge(b, call, receive, message_lead_s(t), h->bytes);
	add_task(b, h->send, h->from, &(struct task){.seconds = t->send_s, .peer = TASK_ANY_PROC});
}

static void add_blocking(struct builder *b, const struct task_hop *h)
{
	const struct message_time *t = h->time;
	uint32_t call = b->last[h->from];
	uint32_t meeting, send;

	meeting = add_task(b, h->receive, h->to, &(struct task){.peer = TASK_ANY_PROC});
	add_edge(b, call, meeting, message_lead_s(t), 0);
	add_task(b, h->transfer, h->to,
		 &(struct task){
			 .seconds = t->receive_s, .bytes = h->bytes, .peer = (int32_t)h->from});
	send = add_task(b, h->send, h->from,
			&(struct task){.seconds = message_tail_s(t), .peer = TASK_ANY_PROC});
	add_edge(b, meeting, send, 0, 0);
}

static void add_message(struct builder *b, const struct task_hop *h)
{
	if (h->time->blocks)
		add_blocking(b, h);
	else
		add_eager(b, h);
}

/* One block on all processors in the order of the sweep, as in pipeline.c: the sends of a processor
 * are added in the turn of their receivers, so that last[] is what each did before. */
static void add_block(struct builder *b, int i_step, int j_step)
{
	const struct pipeline *p = b->w->p;
	const int64_t n = p->npe_i, m = p->npe_j;
	const int64_t i_first = i_step > 0 ? 0 : n - 1;
	int64_t j = j_step > 0 ? 0 : m - 1;

	for (int64_t row = 0; row < m; row++, j += j_step) {
		int64_t i = i_first;

		for (int64_t column = 0; column < n; column++, i += i_step) {
			const int64_t here = j * n + i;

			if (column > 0)
				add_message(b,
					    &(struct task_hop){&p->ew[j], b->w->ew_bytes[j],
							       WAVE_RECEIVE_I, WAVE_TRANSFER_I,
							       WAVE_SEND_I, here - i_step, here});
			if (row > 0)
				add_message(b, &(struct task_hop){&p->ns[i], b->w->ns_bytes[i],
								  WAVE_RECEIVE_J, WAVE_TRANSFER_J,
								  WAVE_SEND_J, here - j_step * n,
								  here});
			add_task(b, WAVE_COMPUTE, here,
				 &(struct task){.seconds = p->work_s[here] * b->block.share,
						.peer = TASK_ANY_PROC});
		}
	}
}

static void add_octant(struct builder *b, int octant)
{
	const struct pipeline *p = b->w->p;
	int i_step = octant & 4 ? 1 : -1, j_step = octant & 2 ? 1 : -1;

	b->block.octant = octant;
	for (int64_t a = 0; a < p->angle_groups; a++) {
		for (int64_t k = 0; k < p->k_blocks; k++) {
			b->block.angle_group = a;
			b->block.k_block = k;
			b->block.share = k + 1 == p->k_blocks ? p->last_share : 1;
			add_block(b, i_step, j_step);
		}
	}
}

enum err_code wavefront_graph_check(const struct wavefront_graph *w, struct err *e)
{
	enum err_code rc = pipeline_check(w->p, e);

	if (!rc && (w->octants < 1 || w->octants > 8))
		rc = err_set(e, ERR_ARG, "%d octants: an iteration has 1 to 8", w->octants);
	return rc;
}

static enum err_code check_size(const struct wavefront_graph *w, struct err *e)
{
	double n_tasks = 0;

	for (int kind = 0; kind < WAVE_N_TASKS; kind++)
		n_tasks += wavefront_graph_count(w, (enum wavefront_task)kind);
	if (n_tasks > TASK_GRAPH_MAX_TASKS)
		return err_set(e, ERR_ARG,
			       "%.0f tasks: a task graph takes up to %u (larger blocks, fewer "
			       "processors or octants; the model `pipeline` takes 1000 times as "
			       "many)",
			       n_tasks, TASK_GRAPH_MAX_TASKS);
	return ERR_OK;
}

enum err_code wavefront_graph_build(const struct wavefront_graph *w, struct task_graph **out,
				    struct err *e)
{
	struct builder b = {.w = w};
	size_t procs;
	enum err_code rc;

	if ((rc = wavefront_graph_check(w, e)) || (rc = check_size(w, e)))
		return rc;
	procs = (size_t)(w->p->npe_i * w->p->npe_j);
	b.g = task_graph_new();
	b.last = calloc(procs, sizeof *b.last);
	if (!b.g || !b.last) {
		rc = err_set(e, ERR_NOMEM, "the task graph of %zu processors", procs);
		goto done;
	}
	for (size_t k = 0; k < procs; k++)
		b.last[k] = TASK_GRAPH_NONE;
	for (int octant = 0; octant < w->octants; octant++)
		add_octant(&b, octant);
	rc = task_graph_finish(b.g, NULL, e);
	if (!rc) {
		*out = b.g;
		b.g = NULL;
	}
done:
	task_graph_free(b.g);
	free(b.last);
	return rc;
}

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
