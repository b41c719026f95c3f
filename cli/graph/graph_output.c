#include "cli/graph/graph_output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <jansson.h>

#include "base/units.h"
#include "cli/graph/graph_path.h"

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

static double ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* "bus of 35 MB/s" for people, "bus=35000000" for machines. */
static void put_contention(struct out_table *t, const struct context *c,
			   const struct task_machine *m)
{
	const char *name = task_network_name(m->network);
	struct strbuf text = STRBUF_INIT;

	if (c->format == FORMAT_TABLE) {
		strbuf_printf(&text, "%s of %.4g MB/s", name, m->bytes_per_s / 1e6);
	} else {
		strbuf_printf(&text, "%s=", name);
		strbuf_put_number(&text, m->bytes_per_s);
	}
	out_text(t, m->network != NETWORK_UNSHARED ? strbuf_text(&text) : NULL);
	strbuf_release(&text);
}

static struct out_table *whole_table(const struct context *c, const struct graph_question *q,
				     const struct task_graph *g, const struct task_analysis *a,
				     double critical_s)
{
	struct out_table *t =
		out_table_new(whole_columns, sizeof whole_columns / sizeof whole_columns[0]);
	bool is_shared = q->machine.network != NETWORK_UNSHARED;
	double work_s = task_graph_work_s(g);

	if (!t)
		return NULL;
	out_int(t, (int64_t)g->n_tasks);
	out_int(t, (int64_t)g->n_edges);
	if (a->procs > 0)
		out_int(t, a->procs);
	else
		out_null(t);
	out_text(t, a->procs > 0 ? schedule_rule_name(q->machine.rule) : NULL);
	put_contention(t, c, &q->machine);
	if (is_shared)
		out_int(t, (int64_t)a->n_solutions);
	else
		out_null(t);
	out_real(t, work_s);
	out_real(t, critical_s);
	out_real(t, ratio(work_s, critical_s));
	out_real(t, a->time_s);
	out_real(t, ratio(work_s, a->time_s));
	out_real(t, a->procs > 0 ? ratio(work_s, a->procs * a->time_s) : NAN);
	return t;
}

/* ---- where the time goes: on the path that explains it, and of all processors ---- */

static const struct out_column times_columns[] = {
	{"part", "where the time goes", OUT_TEXT},  {"path_s", "critical path", OUT_SECONDS},
	{"path_share", "share", OUT_PERCENT},	    {"processors_s", "all processors", OUT_SECONDS},
	{"processors_share", "share", OUT_PERCENT},
};

/* People are not shown what cannot be: processors that nobody limits, contention unasked for. */
static struct out_table *times_table(const struct task_analysis *a, bool for_people, bool is_shared)
{
	const struct task_times *path = &a->on_path, *procs = &a->on_procs;
	const struct {
		const char *name;
		double path_s, procs_s;
	} part[] = {
		{"compute", path->compute_s, procs->compute_s},
		{"communication", path->comm_s, procs->comm_s},
		{"contention", path->contention_s, procs->contention_s},
		{"waiting", path->waiting_s, procs->waiting_s},
	};
	bool has_procs = a->procs > 0;
	size_t n_columns = for_people && !has_procs ? 3 : 5;
	struct out_table *t = out_table_new(times_columns, n_columns);

	if (!t)
		return NULL;
	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
		if (for_people && ((i == 2 && !is_shared) || (i == 3 && !has_procs)))
			continue;
		out_text(t, part[i].name);
		out_real(t, part[i].path_s);
		out_real(t, ratio(part[i].path_s, a->time_s));
		if (n_columns == 3)
			continue;
		out_real(t, has_procs ? part[i].procs_s : NAN);
		out_real(t, has_procs ? ratio(part[i].procs_s, a->procs * a->time_s) : NAN);
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

static enum err_code print_text(const struct context *c, const struct graph_question *q,
				const struct task_graph *g, const struct task_analysis *a,
				const struct out_table *whole, const struct out_table *times,
				struct err *e)
{
	enum err_code rc;

	print_title(c, q, a);
	if ((rc = out_record_print(whole, FORMAT_TABLE, "graph", c->out, e)))
		return rc;
	fputc('\n', c->out);
	if ((rc = out_table_print(times, FORMAT_TABLE, "times", c->out, e)))
		return rc;
	fputc('\n', c->out);
	return graph_path_print(c, g, a, e);
}

/* ---- for programs ---- */

static enum err_code print_json(const struct context *c, const struct task_graph *g,
				const struct task_analysis *a, const struct out_table *whole,
				const struct out_table *times, struct err *e)
{
	json_t *answer = out_json_answer(), *rows = out_table_json(whole);
	enum err_code rc;
	int failed;

	failed = json_object_set(answer, "graph", json_array_get(rows, 0)) |
		 json_object_set_new(answer, "times", out_table_json(times)) |
		 json_object_set_new(answer, "critical_path", graph_path_json(g, a));
	rc = failed ? err_set(e, ERR_NOMEM, "the answer") : out_json(answer, c->out, e);
	json_decref(rows);
	json_decref(answer);
	return rc;
}

enum err_code graph_output_print(const struct context *c, const struct graph_question *q,
				 const struct task_graph *g, const struct task_analysis *a,
				 double critical_s, struct err *e)
{
	struct out_table *whole = whole_table(c, q, g, a, critical_s), *times;
	enum err_code rc;

	times = times_table(a, c->format == FORMAT_TABLE, q->machine.network != NETWORK_UNSHARED);
	if (!whole || !times)
		rc = err_set(e, ERR_NOMEM, "what is said about a graph");
	else if (c->format == FORMAT_CSV)
		rc = out_record_print(whole, FORMAT_CSV, "graph", c->out, e);
	else if (c->format == FORMAT_JSON)
		rc = print_json(c, g, a, whole, times, e);
	else
		rc = print_text(c, q, g, a, whole, times, e);
	out_table_free(whole);
	out_table_free(times);
	return rc;
}
