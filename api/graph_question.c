#include "api/graph_question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/json_text.h"
#include "api/task_question.h"
#include "models/taskgraph/task_graph_analysis.h"

enum err_code graph_question_set_octants(struct graph_question *q, int octants, struct err *e)
{
	const struct model_input *in = &q->model.input;
	enum err_code rc =
		pipeline_case_init(&q->pipeline, &in->sweep, &q->model.remote, in->run.Wg_s, e);

	if (!rc)
		q->wavefront = (struct wavefront_graph){&q->pipeline.p, q->pipeline.ew_bytes,
							q->pipeline.ns_bytes, octants};
	return rc;
}

enum err_code graph_run_time(const struct model_input *in, enum task_network network,
			     struct sweep_time *out, struct err *e)
{
	struct sweep_time plain, fixup;
	enum err_code rc =
		task_graph_iteration(&in->sweep, in->remote, network, in->run.Wg_s, &plain, e);

	if (rc)
		return rc;
	fixup = plain;
	if (in->run.Wg_fixup_s != in->run.Wg_s &&
	    (rc = task_graph_iteration(&in->sweep, in->remote, network, in->run.Wg_fixup_s, &fixup,
				       e)))
		return rc;
	return sweep_run_time(&in->run, &plain, &fixup, out, e);
}

void graph_question_release(struct graph_question *q)
{
	model_question_release(&q->model);
	pipeline_case_release(&q->pipeline);
}

/* ---- ted= of a file's tasks ---- */

/* Times already computed: many tasks of a graph are alike. */
struct evaluated {
	char *ted;
	double asked[TASK_VARIABLES], Wg_s;
};
struct evaluations {
	const struct session *session;
	struct evaluated *done;
	size_t n;
};

static bool is_same(const struct evaluated *x, const char *ted, const double *asked)
{
	for (int v = 0; v < TASK_VARIABLES; v++) {
		if (x->asked[v] != asked[v] && !(isnan(x->asked[v]) && isnan(asked[v])))
			return false;
	}
	return !strcmp(x->ted, ted);
}

static enum err_code evaluate(const struct session *session, const char *ted, const double *asked,
			      double *Wg_s, struct err *e)
{
	struct task_description *t = NULL;
	struct ted_result result = {0};
	enum err_code rc = task_question_open(ted, &t, e);

	if (!rc && !(rc = task_question_evaluate(session, t, asked, &result, e)))
		*Wg_s = result.Wg_s;
	ted_result_release(&result);
	task_description_free(t);
	return rc;
}

static enum err_code find_time(void *arg, const char *ted, const double *asked, double *Wg_s,
			       struct err *e)
{
	struct evaluations *all = arg;
	struct evaluated *larger, *x;
	enum err_code rc;

	for (size_t i = 0; i < all->n; i++) {
		if (is_same(&all->done[i], ted, asked)) {
			*Wg_s = all->done[i].Wg_s;
			return ERR_OK;
		}
	}
	if ((rc = evaluate(all->session, ted, asked, Wg_s, e)))
		return rc;
	larger = realloc(all->done, (all->n + 1) * sizeof *larger);
	if (!larger)
		return err_set(e, ERR_NOMEM, "%zu task times", all->n + 1);
	all->done = larger;
	x = &larger[all->n];
	memcpy(x->asked, asked, sizeof x->asked);
	x->Wg_s = *Wg_s;
	x->ted = strdup(ted);
	if (!x->ted)
		return err_set(e, ERR_NOMEM, "%zu task times", all->n + 1);
	all->n++;
	return ERR_OK;
}

enum err_code graph_read_text(const struct session *session, const struct strbuf *text,
			      const char *name, struct task_graph **out, struct err *e)
{
	struct evaluations all = {.session = session};
	const struct task_time_source source = {find_time, &all};
	enum err_code rc =
		task_graph_read_from(strbuf_text(text), text->len, name, &source, out, e);

	for (size_t i = 0; i < all.n; i++)
		free(all.done[i].ted);
	free(all.done);
	return rc;
}

/* ---- the answer ---- */

static double ratio(double a, double b)
{
	return b > 0 ? a / b : (double)NAN;
}

void graph_answer_make(const struct graph_question *q, const struct task_graph *g,
		       const struct task_analysis *a, double critical_s, struct graph_answer *out)
{
	const struct task_times *path = &a->on_path, *procs = &a->on_procs;
	const double procs_s = a->procs * a->time_s, work_s = task_graph_work_s(g);

	*out = (struct graph_answer){
		.question = q,
		.graph = g,
		.analysis = a,
		.work_s = work_s,
		.critical_s = critical_s,
		.parallelism = ratio(work_s, critical_s),
		.speedup = ratio(work_s, a->time_s),
		.efficiency = ratio(work_s, procs_s),
		.part = {{"compute", path->compute_s, 0, procs->compute_s, 0},
			 {"communication", path->comm_s, 0, procs->comm_s, 0},
			 {"contention", path->contention_s, 0, procs->contention_s, 0},
			 {"waiting", path->waiting_s, 0, procs->waiting_s, 0}},
	};
	for (size_t i = 0; i < sizeof out->part / sizeof out->part[0]; i++) {
		struct graph_part *p = &out->part[i];

		p->path_share = ratio(p->path_s, a->time_s);
		p->procs_share = ratio(p->procs_s, procs_s);
		if (a->procs == 0)
			p->procs_s = NAN;
	}
}

void graph_put_contention(const struct task_machine *m, struct strbuf *out)
{
	if (m->network == NETWORK_UNSHARED)
		return;
	strbuf_printf(out, "%s=", task_network_name(m->network));
	strbuf_put_number(out, m->bytes_per_s);
}

/* ---- JSON ---- */

static int set_whole(json_t *o, const void *arg, size_t i)
{
	const struct graph_answer *x = (const struct graph_answer *)arg + i;
	const struct task_machine *m = &x->question->machine;
	const struct task_analysis *a = x->analysis;
	const bool is_shared = m->network != NETWORK_UNSHARED;
	struct strbuf contention = STRBUF_INIT;
	int failed;

	graph_put_contention(m, &contention);
	failed = contention.failed | member_int(o, "tasks", (json_int_t)x->graph->n_tasks) |
		 member_int(o, "edges", (json_int_t)x->graph->n_edges) |
		 member_count(o, "processors", a->procs) |
		 member_text(o, "schedule", a->procs > 0 ? schedule_rule_name(m->rule) : NULL) |
		 member_text(o, "contention", is_shared ? strbuf_text(&contention) : NULL) |
		 member_value(o, "solutions",
			      is_shared ? json_integer((json_int_t)a->n_solutions) : json_null()) |
		 member_real(o, "work_s", x->work_s) |
		 member_real(o, "critical_path_s", x->critical_s) |
		 member_real(o, "parallelism", x->parallelism) |
		 member_real(o, "time_s", a->time_s) | member_real(o, "speedup", x->speedup) |
		 member_real(o, "efficiency", x->efficiency);
	strbuf_release(&contention);
	return failed;
}

static int set_part(json_t *o, const void *arg, size_t i)
{
	const struct graph_part *p = (const struct graph_part *)arg + i;

	return member_text(o, "part", p->name) | member_real(o, "path_s", p->path_s) |
	       member_real(o, "path_share", p->path_share) |
	       member_real(o, "processors_s", p->procs_s) |
	       member_real(o, "processors_share", p->procs_share);
}

static int set_task(json_t *o, const void *arg, size_t i)
{
	const struct graph_answer *x = arg;
	const struct task_analysis *a = x->analysis;
	const uint32_t task = a->path.task[i];
	const int32_t proc = a->proc[task];
	const char *after = a->path.edge[i] == TASK_GRAPH_NONE ? "processor" : "message";

	return member_text(o, "task", task_graph_name(x->graph, task)) |
	       member_text(o, "kind", task_kind_name(x->graph->task[task].kind)) |
	       member_value(o, "processor",
			    proc == TASK_ANY_PROC ? json_null() : json_integer(proc)) |
	       member_real(o, "start_s", a->start_s[task]) |
	       member_real(o, "end_s", a->end_s[task]) |
	       member_text(o, "after", i > 0 ? after : NULL);
}

struct json_t *graph_answer_json(const struct graph_answer *x)
{
	json_t *answer = out_json_answer();

	return out_json_unless(
		member_value(answer, "graph", out_json_object(set_whole, x)) |
			member_value(answer, "times",
				     out_json_list(set_part, x->part,
						   sizeof x->part / sizeof x->part[0])) |
			member_value(answer, "critical_path",
				     out_json_list(set_task, x, x->analysis->path.n)),
		answer);
}

static int set_loops(json_t *o, const void *arg, size_t i)
{
	const struct wavefront_static *s = (const struct wavefront_static *)arg + i;

	return member_int(o, "npe_i", s->npe_i) | member_int(o, "npe_j", s->npe_j) |
	       member_int(o, "octants", s->octants) |
	       member_int(o, "angle_groups", s->angle_groups) |
	       member_int(o, "k_blocks", s->k_blocks);
}

static int set_class(json_t *o, const void *arg, size_t i)
{
	const struct wavefront_class *c = (const struct wavefront_class *)arg + i;

	return member_text(o, "class", wavefront_task_name(c->kind)) |
	       member_text(o, "kind", task_kind_name(wavefront_task_kind(c->kind))) |
	       member_text(o, "cost", c->cost) | member_text(o, "on", c->on) |
	       member_int(o, "instances", (json_int_t)c->n_instances) |
	       member_real(o, "total_s", c->total_s);
}

static int set_dependence(json_t *o, const void *arg, size_t i)
{
	const struct wavefront_dependence *d = (const struct wavefront_dependence *)arg + i;

	return member_text(o, "from", wavefront_task_name(d->from)) |
	       member_text(o, "to", wavefront_task_name(d->to)) |
	       member_text(o, "where", d->where) | member_bool(o, "message", d->is_message);
}

struct json_t *wavefront_static_json(const struct wavefront_static *s)
{
	json_t *answer = out_json_answer();

	return out_json_unless(
		member_value(answer, "loops", out_json_object(set_loops, s)) |
			member_value(answer, "classes",
				     out_json_list(set_class, s->class, s->n_classes)) |
			member_value(
				answer, "dependences",
				out_json_list(set_dependence, s->dependence, s->n_dependences)),
		answer);
}
