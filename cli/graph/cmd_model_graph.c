#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "api/graph_question.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/model/model_actions.h"
#include "cli/graph/graph_options.h"

/* ---- the path that explains the time of a task graph ---- */

/* Tasks that follow each other on one processor: path.task[first .. end - 1]. */
struct stay {
	size_t first, end;
};

static size_t end_of_stay(const struct task_analysis *a, size_t first)
{
	int32_t proc = a->proc[a->path.task[first]];
	size_t end = first + 1;

	while (end < a->path.n && proc != TASK_ANY_PROC && a->proc[a->path.task[end]] == proc)
		end++;
	return end;
}

/* stay[] has room for path.n. */
static size_t find_stays(const struct task_analysis *a, struct stay *stay)
{
	size_t n = 0;

	for (size_t at = 0; at < a->path.n; at = stay[n++].end)
		stay[n] = (struct stay){at, end_of_stay(a, at)};
	return n;
}

static const struct out_column stay_columns[] = {
	{"processor", NULL, OUT_TEXT},
	{"tasks", NULL, OUT_INT},
	{"from", NULL, OUT_TEXT},
	{"to", NULL, OUT_TEXT},
	{"message_s", "message", OUT_SECONDS},
	{"start_s", "start", OUT_SECONDS},
	{"took_s", "took", OUT_SECONDS},
};

static void put_stay(struct out_table *t, const struct task_graph *g, const struct task_analysis *a,
		     const struct stay *s)
{
	const struct task_path *p = &a->path;
	uint32_t first = p->task[s->first], last = p->task[s->end - 1];
	char proc[16];

	snprintf(proc, sizeof proc, "%d", a->proc[first]);
	out_text(t, a->proc[first] == TASK_ANY_PROC ? NULL : proc);
	out_int(t, (int64_t)(s->end - s->first));
	out_text(t, task_graph_name(g, first));
	out_text(t, first == last ? NULL : task_graph_name(g, last));
	if (s->first > 0)
		out_real(t, a->start_s[first] - a->end_s[p->task[s->first - 1]]);
	else
		out_null(t);
	out_real(t, a->start_s[first]);
	out_real(t, a->end_s[last] - a->start_s[first]);
}

static void put_gap(struct out_table *t, const struct task_analysis *a, const struct stay *first,
		    size_t n)
{
	char text[48];

	snprintf(text, sizeof text, "(%zu more)", n);
	out_text(t, text);
	out_int(t, (int64_t)(first[n - 1].end - first[0].first));
	for (size_t k = 2; k < sizeof stay_columns / sizeof stay_columns[0] - 1; k++)
		out_null(t);
	out_real(t, a->end_s[a->path.task[first[n - 1].end - 1]] -
			    a->start_s[a->path.task[first[0].first]]);
}

static struct out_table *stay_table(const struct task_graph *g, const struct task_analysis *a,
				    const struct stay *stay, size_t n)
{
	enum { ENDS = 5 }; /* of a long path, so many lines at each end */
	struct out_table *t =
		out_table_new(stay_columns, sizeof stay_columns / sizeof stay_columns[0]);

	for (size_t k = 0; t && k < n; k++) {
		if (n <= 2 * ENDS + 1 || k < ENDS || k >= n - ENDS) {
			put_stay(t, g, a, &stay[k]);
		} else {
			put_gap(t, a, &stay[k], n - 2 * ENDS);
			k = n - ENDS - 1;
		}
	}
	return t;
}

/* For people: a line for each stay on a processor, the middle of a long path left out. Errors:
 * NOMEM. */
static enum err_code graph_path_print(const struct context *c, const struct task_graph *g,
				      const struct task_analysis *a, struct err *e)
{
	struct stay *stay = calloc(a->path.n, sizeof *stay);
	struct out_table *t = NULL;
	enum err_code rc;
	size_t n = 0;

	if (stay) {
		n = find_stays(a, stay);
		t = stay_table(g, a, stay, n);
	}
	if (t) {
		fprintf(c->out, "critical path of the schedule: %zu tasks in %zu %s\n", a->path.n,
			n, n == 1 ? "stay on a processor" : "stays on processors");
		rc = out_table_print(t, FORMAT_TABLE, "critical_path", c->out, e);
	} else {
		rc = err_set(e, ERR_NOMEM, "the critical path");
	}
	out_table_free(t);
	free(stay);
	return rc;
}

/* ---- static structure ---- */

static const struct out_column class_columns[] = {
	{"class", NULL, OUT_TEXT},    {"kind", NULL, OUT_TEXT},
	{"cost", "each", OUT_TEXT},   {"on", "on processors", OUT_TEXT},
	{"instances", NULL, OUT_INT}, {"total_s", "all of them", OUT_SECONDS},
};

static struct out_table *class_table(const struct wavefront_static *s)
{
	struct out_table *t =
		out_table_new(class_columns, sizeof class_columns / sizeof class_columns[0]);

	for (size_t k = 0; t && k < s->n_classes; k++) {
		const struct wavefront_class *c = &s->class[k];

		out_text(t, wavefront_task_name(c->kind));
		out_text(t, task_kind_name(wavefront_task_kind(c->kind)));
		out_text(t, c->cost);
		out_text(t, c->on);
		out_int(t, (int64_t)c->n_instances);
		out_real(t, c->total_s);
	}
	return t;
}

static const struct out_column dependence_columns[] = {
	{"from", NULL, OUT_TEXT},
	{"to", "lets start", OUT_TEXT},
	{"where", NULL, OUT_TEXT},
	{"message", NULL, OUT_BOOL},
};

static struct out_table *dependence_table(const struct wavefront_static *s)
{
	struct out_table *t = out_table_new(
		dependence_columns, sizeof dependence_columns / sizeof dependence_columns[0]);

	for (size_t k = 0; t && k < s->n_dependences; k++) {
		const struct wavefront_dependence *d = &s->dependence[k];

		out_text(t, wavefront_task_name(d->from));
		out_text(t, wavefront_task_name(d->to));
		out_text(t, d->where);
		out_bool(t, d->is_message);
	}
	return t;
}

static enum err_code print_static_text(const struct context *c, const struct wavefront_static *s,
				       const struct out_table *classes,
				       const struct out_table *between, struct err *e)
{
	enum err_code rc;

	fprintf(c->out,
		"on each of %" PRId64 " x %" PRId64 " processors\n"
		"  for octant = 1 .. %" PRId64 "\n"
		"    for angle group = 1 .. %" PRId64 "\n"
		"      for k block = 1 .. %" PRId64 "\n\n",
		s->npe_i, s->npe_j, s->octants, s->angle_groups, s->k_blocks);
	if ((rc = out_table_print(classes, FORMAT_TABLE, "classes", c->out, e)))
		return rc;
	fputc('\n', c->out);
	return out_table_print(between, FORMAT_TABLE, "dependences", c->out, e);
}

static enum err_code graph_static_print(const struct context *c, const struct wavefront_static *s,
					struct err *e)
{
	struct out_table *classes, *between;
	struct json_t *answer;
	enum err_code rc;

	if (c->format == FORMAT_JSON) {
		answer = wavefront_static_json(s);
		return out_answer(!answer, answer, "the answer", c->out, e);
	}
	classes = class_table(s);
	between = dependence_table(s);
	if (!classes || !between)
		rc = err_set(e, ERR_NOMEM, "a static graph");
	else if (c->format == FORMAT_CSV)
		rc = out_table_print(classes, FORMAT_CSV, "classes", c->out, e);
	else
		rc = print_static_text(c, s, classes, between, e);
	out_table_free(classes);
	out_table_free(between);
	return rc;
}

/* ---- the whole ---- */

static const struct out_column whole_columns[] = {
	{"tasks", NULL, OUT_INT},
	{"edges", NULL, OUT_INT},
	{"processors", NULL, OUT_INT},
	{"schedule", NULL, OUT_TEXT},
	{"contention", NULL, OUT_TEXT},
	{"solutions", "queueing networks solved", OUT_INT},
	{"work_s", "work of all tasks", OUT_SECONDS},
	{"critical_path_s", "critical path of the graph", OUT_SECONDS},
	{"parallelism", "parallelism (work / critical path)", OUT_REAL},
	{"time_s", "time", OUT_SECONDS},
	{"speedup", "speed-up (work / time)", OUT_REAL},
	{"efficiency", NULL, OUT_PERCENT},
};

/* "bus of 35 MB/s" for people, "bus=35000000" for machines. */
static void put_contention(struct out_table *t, const struct context *c,
			   const struct task_machine *m)
{
	struct strbuf text = STRBUF_INIT;

	if (c->format == FORMAT_TABLE)
		strbuf_printf(&text, "%s of %.4g MB/s", task_network_name(m->network),
			      m->bytes_per_s / 1e6);
	else
		graph_put_contention(m, &text);
	out_text(t, m->network != NETWORK_UNSHARED ? strbuf_text(&text) : NULL);
	strbuf_release(&text);
}

static struct out_table *whole_table(const struct context *c, const struct graph_answer *x)
{
	struct out_table *t =
		out_table_new(whole_columns, sizeof whole_columns / sizeof whole_columns[0]);
	const struct task_machine *m = &x->question->machine;
	const struct task_analysis *a = x->analysis;

	if (!t)
		return NULL;
	out_int(t, (int64_t)x->graph->n_tasks);
	out_int(t, (int64_t)x->graph->n_edges);
	if (a->procs > 0)
		out_int(t, a->procs);
	else
		out_null(t);
	out_text(t, a->procs > 0 ? schedule_rule_name(m->rule) : NULL);
	put_contention(t, c, m);
	if (m->network != NETWORK_UNSHARED)
		out_int(t, (int64_t)a->n_solutions);
	else
		out_null(t);
	out_real(t, x->work_s);
	out_real(t, x->critical_s);
	out_real(t, x->parallelism);
	out_real(t, a->time_s);
	out_real(t, x->speedup);
	out_real(t, x->efficiency);
	return t;
}

/* ---- where the time goes: on the path that explains it, and of all processors ---- */

static const struct out_column times_columns[] = {
	{"part", "where the time goes", OUT_TEXT},  {"path_s", "critical path", OUT_SECONDS},
	{"path_share", "share", OUT_PERCENT},	    {"processors_s", "all processors", OUT_SECONDS},
	{"processors_share", "share", OUT_PERCENT},
};

/* Without what cannot be: processors that nobody limits, contention unasked for. */
static struct out_table *times_table(const struct graph_answer *x)
{
	bool has_procs = x->analysis->procs > 0;
	bool is_shared = x->question->machine.network != NETWORK_UNSHARED;
	struct out_table *t = out_table_new(times_columns, has_procs ? 5 : 3);

	for (size_t i = 0; t && i < sizeof x->part / sizeof x->part[0]; i++) {
		const struct graph_part *p = &x->part[i];

		if ((i == 2 && !is_shared) || (i == 3 && !has_procs))
			continue;
		out_text(t, p->name);
		out_real(t, p->path_s);
		out_real(t, p->path_share);
		if (has_procs) {
			out_real(t, p->procs_s);
			out_real(t, p->procs_share);
		}
	}
	return t;
}

/* ---- for people ---- */

static void print_title(const struct context *c, const struct graph_question *q,
			const struct task_analysis *a)
{
	const struct model_question *m = &q->model;
	char time[32], wg[32];

	duration_format(a->time_s, time, sizeof time);
	if (q->file) {
		context_print(c, "%s: %s", time, strcmp(q->file, "-") != 0 ? q->file : "stdin");
	} else {
		duration_format(m->input.run.Wg_s, wg, sizeof wg);
		context_print(c, "%s: ", time);
		if (q->wavefront.octants == 1)
			context_print(c, "the first octant of ");
		else if (q->wavefront.octants < 8)
			context_print(c, "the first %d octants of ", q->wavefront.octants);
		context_print(c,
			      "one iteration on %" PRId64 " x %" PRId64 " processors of %s, Wg %s",
			      m->input.sweep.npe_i, m->input.sweep.npe_j, m->machine->name, wg);
	}
	fputs("\n\n", c->out);
}

static enum err_code print_text(const struct context *c, const struct graph_answer *x,
				const struct out_table *whole, struct err *e)
{
	struct out_table *times = times_table(x);
	enum err_code rc;

	print_title(c, x->question, x->analysis);
	if ((rc = out_record_print(whole, FORMAT_TABLE, "graph", c->out, e)))
		goto done;
	fputc('\n', c->out);
	rc = times ? out_table_print(times, FORMAT_TABLE, "times", c->out, e)
		   : err_set(e, ERR_NOMEM, "what is said about a graph");
	if (!rc) {
		fputc('\n', c->out);
		rc = graph_path_print(c, x->graph, x->analysis, e);
	}
done:
	out_table_free(times);
	return rc;
}

/* What `lemnos model graph` found, in the format that was asked for: the time and what it is made
 * of, where it goes, and the path that explains it. Errors: NOMEM. */
static enum err_code graph_output_print(const struct context *c, const struct graph_answer *x,
					struct err *e)
{
	struct out_table *whole;
	struct json_t *answer;
	enum err_code rc;

	if (c->format == FORMAT_JSON) {
		answer = graph_answer_json(x);
		return out_answer(!answer, answer, "the answer", c->out, e);
	}
	whole = whole_table(c, x);
	if (!whole)
		rc = err_set(e, ERR_NOMEM, "what is said about a graph");
	else if (c->format == FORMAT_CSV)
		rc = out_record_print(whole, FORMAT_CSV, "graph", c->out, e);
	else
		rc = print_text(c, x, whole, e);
	out_table_free(whole);
	return rc;
}

static enum err_code write_dot(const struct context *c, const struct task_graph *g,
			       const struct task_analysis *a, struct err *e)
{
	const char *path = options_get(&c->opt, &opt_graph_dot);
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	if (!path)
		return ERR_OK;
	if (!(rc = task_graph_dot(g, &a->path, &text, e)))
		rc = text_file_write(path, &text, e);
	strbuf_release(&text);
	return rc;
}

static enum err_code write_text(const struct context *c, const struct task_graph *g, struct err *e)
{
	const char *path = options_get(&c->opt, &opt_graph_write);
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	if (!path)
		return ERR_OK;
	task_graph_write(g, &text);
	rc = text_file_write(path, &text, e);
	strbuf_release(&text);
	return rc;
}

static void note_assumptions(const struct context *c, const struct graph_question *q,
			     const struct task_graph *g, const struct task_analysis *a)
{
	if (a->is_reassigned)
		context_note(c,
			     "the graph names %d processors: on %d, its tasks go to any that is "
			     "free",
			     g->n_procs, a->procs);
	if (a->procs == 0)
		context_note(c, "no task names a processor: each has one of its own "
				"(--processors P limits them)");
	if (q->machine.network != NETWORK_UNSHARED && a->n_solutions == 0)
		context_note(c, "no two messages ever shared the network: contention changes "
				"nothing");
}

static enum err_code analyse(struct context *c, const struct graph_question *q,
			     const struct task_graph *g, struct err *e)
{
	struct task_analysis a = {0};
	struct graph_answer x;
	double critical_s;
	enum err_code rc;

	if ((rc = critical_path_find(g, &critical_s, NULL, e)) ||
	    (rc = task_graph_analyse(g, &q->machine, c->session.progress, &a, e)))
		return rc;
	progress_bar_clear(&c->bar);
	if (!(rc = write_text(c, g, e)) && !(rc = write_dot(c, g, &a, e))) {
		note_assumptions(c, q, g, &a);
		graph_answer_make(q, g, &a, critical_s, &x);
		rc = graph_output_print(c, &x, e);
	}
	task_analysis_release(&a);
	return rc;
}

static enum err_code run_static(const struct context *c, const struct graph_question *q,
				struct err *e)
{
	const char *path = options_get(&c->opt, &opt_graph_dot);
	struct strbuf text = STRBUF_INIT;
	struct wavefront_static s;
	enum err_code rc = wavefront_static_of(&q->wavefront, &s, e);

	if (rc)
		return rc;
	if (path) {
		wavefront_static_dot(&s, &text);
		rc = text_file_write(path, &text, e);
		strbuf_release(&text);
	}
	return rc ? rc : graph_static_print(c, &s, e);
}

static enum err_code run_dynamic(struct context *c, const struct graph_question *q, struct err *e)
{
	struct task_graph *g = NULL;
	enum err_code rc;

	if (!(rc = graph_question_graph(c, q, &g, e)))
		rc = analyse(c, q, g, e);
	task_graph_free(g);
	return rc;
}

enum err_code model_graph_run(struct context *c, struct err *e)
{
	struct graph_question q = {0};
	enum err_code rc = graph_question_read(c, &q, e);

	if (!rc)
		rc = q.is_static ? run_static(c, &q, e) : run_dynamic(c, &q, e);
	graph_question_release(&q);
	return rc;
}
