#include "cli/graph/graph_path.h"

#include <stdio.h>
#include <stdlib.h>

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

enum err_code graph_path_print(const struct context *c, const struct task_graph *g,
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

/* ---- for programs ---- */

static const struct out_column task_columns[] = {
	{"task", NULL, OUT_TEXT},    {"kind", NULL, OUT_TEXT},	{"processor", NULL, OUT_INT},
	{"start_s", NULL, OUT_REAL}, {"end_s", NULL, OUT_REAL}, {"after", NULL, OUT_TEXT},
};

struct json_t *graph_path_json(const struct task_graph *g, const struct task_analysis *a)
{
	struct out_table *t =
		out_table_new(task_columns, sizeof task_columns / sizeof task_columns[0]);
	struct json_t *rows;

	if (!t)
		return NULL;
	for (size_t i = 0; i < a->path.n; i++) {
		uint32_t task = a->path.task[i];

		out_text(t, task_graph_name(g, task));
		out_text(t, task_kind_name(g->task[task].kind));
		if (a->proc[task] == TASK_ANY_PROC)
			out_null(t);
		else
			out_int(t, a->proc[task]);
		out_real(t, a->start_s[task]);
		out_real(t, a->end_s[task]);
		out_text(t, i == 0				 ? NULL
			    : a->path.edge[i] == TASK_GRAPH_NONE ? "processor"
								 : "message");
	}
	rows = out_table_json(t);
	out_table_free(t);
	return rows;
}
