#include "cli/answer/scaling_text.h"

#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "cli/answer/answer_text.h"
#include "cli/answer/config_cells.h"
#include "cli/frame/fold.h"
#include "domain/configuration.h"

/* Configurations that cannot be predicted are named up to here, then counted. */
enum { COMPLAINTS = 20 };

static const struct out_column last_columns[] = {
	{"predicted_s", "time", OUT_SECONDS},  {"lo_s", "from", OUT_SECONDS},
	{"hi_s", "to", OUT_SECONDS},	       {"speedup", "speed-up", OUT_REAL},
	{"efficiency", "effic.", OUT_PERCENT}, {"node_hours", "node-h", OUT_REAL},
	{"core_hours", "core-h", OUT_REAL},    {"support", NULL, OUT_TEXT},
	{"warning", NULL, OUT_TEXT},	       {"error", NULL, OUT_TEXT},
};
enum { N_LAST = sizeof last_columns / sizeof last_columns[0] };

static const double *row_of(const struct scaling_question *q, const struct scaling_answer *a,
			    size_t i)
{
	return a->row + i * q->app->n_columns;
}

/* Processes that follow from a grid are shown like those that are given. */
static bool shows_procs(const struct application *a)
{
	return a->i_procs != SIZE_MAX && a->column[a->i_procs].role == COL_DERIVED;
}

/* ---- the table ---- */

static struct out_table *table_new(const struct application *a)
{
	struct out_column *column = calloc(a->n_columns + 1 + N_LAST, sizeof *column);
	struct out_table *t = NULL;
	size_t n;

	if (!column)
		return NULL;
	n = config_cells_columns(a, column);
	if (shows_procs(a))
		column[n++] =
			(struct out_column){.name = a->column[a->i_procs].name, .kind = OUT_INT};
	for (size_t i = 0; i < N_LAST; i++)
		column[n++] = last_columns[i];
	t = out_table_new(column, n);
	free(column);
	return t;
}

static void add_point(struct out_table *t, const struct application *a, const double *row,
		      const struct scaling_point *p)
{
	const struct row_prediction *f = &p->forecast;

	config_cells_put(t, a, row);
	if (shows_procs(a) && isnan(row[a->i_procs]))
		out_null(t);
	else if (shows_procs(a))
		out_int(t, (int64_t)row[a->i_procs]);
	if (p->why) {
		for (size_t i = 0; i + 1 < N_LAST; i++)
			out_null(t);
		out_text(t, p->why);
		return;
	}
	out_real(t, f->prediction.time_s);
	out_real(t, f->lo_s);
	out_real(t, f->hi_s);
	out_real(t, p->speedup);
	out_real(t, p->efficiency);
	out_real(t, p->node_hours);
	out_real(t, p->core_hours);
	out_text(t, support_name(f->prediction.support));
	out_text(t, failure_kind_name[p->warning.risk]);
	out_null(t);
}

/* only_good: for people, who are told of the others below. NULL: out of memory. */
static struct out_table *make_table(const struct scaling_question *q,
				    const struct scaling_answer *a, bool only_good)
{
	struct out_table *t = table_new(q->app);

	for (size_t i = 0; t && i < a->n; i++) {
		if (!only_good || !a->point[i].why)
			add_point(t, q->app, row_of(q, a, i), &a->point[i]);
	}
	return t;
}

const char *scaling_resource_name(const struct scaling_question *q, const struct scaling_answer *a)
{
	return a->i_resource == SIZE_MAX ? "" : q->app->column[a->i_resource].name;
}

static enum err_code print_json(const struct context *c, const struct scaling_question *q,
				const struct scaling_answer *a, const struct out_table *t,
				struct err *e)
{
	const char *resource = scaling_resource_name(q, a);
	json_t *answer = out_json_answer();
	enum err_code rc;

	if (json_object_set_new(answer, "app", out_json_string(q->app->name)) |
	    json_object_set_new(answer, "machine", out_json_string(a->mined.machine->name)) |
	    json_object_set_new(answer, "confidence", out_json_real(q->confidence)) |
	    json_object_set_new(answer, "resource",
				*resource ? json_string(resource) : json_null()) |
	    json_object_set_new(answer, "cores_of_nodes", json_boolean(a->cores_of_nodes)) |
	    json_object_set_new(answer, "stale", json_boolean(a->mined.stale)) |
	    json_object_set_new(answer, "predictions", out_table_json(t)))
		rc = err_set(e, ERR_NOMEM, "the predictions");
	else
		rc = out_json(answer, c->out, e);
	json_decref(answer);
	return rc;
}

/* ---- remarks for people ---- */

static void put_configuration(const struct application *a, const struct configuration_axes *axes,
			      const double *row, bool only_lists, const char *but, struct strbuf *s)
{
	size_t n = 0;

	for (size_t k = 0; k < axes->n; k++) {
		const struct configuration_axis *axis = &axes->axis[k];

		if (only_lists && axis->n == 1)
			continue;
		for (size_t i = 0; i < axis->n_columns; i++) {
			const struct column *column = &a->column[axis->column[i]];

			if (but && column->name == but)
				continue;
			strbuf_printf(s, "%s%s ", n++ ? ", " : "", column->name);
			configuration_put_value(a, axis->column[i], row[axis->column[i]], s);
		}
	}
}

/* Columns that differ in some series belong to the resources. */
static bool runs_within_series(const struct scaling_question *q, const struct scaling_answer *a,
			       const struct configuration_axis *axis)
{
	const struct scaling_series *s = &a->series[0];

	for (size_t k = 0; k < axis->n_columns; k++) {
		const size_t c = axis->column[k];

		for (size_t i = 1; i < s->n; i++) {
			if (row_of(q, a, s->first + i)[c] != row_of(q, a, s->first)[c])
				return true;
		}
	}
	return false;
}

void scaling_put_series(const struct scaling_question *q, const struct scaling_answer *a,
			size_t i_series, struct strbuf *out)
{
	const double *row = row_of(q, a, a->series[i_series].first);
	size_t n = 0;

	for (size_t k = 0; k < q->axes->n && a->n_series > 1; k++) {
		const struct configuration_axis *axis = &q->axes->axis[k];
		const struct configuration_axes one = {(struct configuration_axis *)axis, 1};

		if (axis->n == 1 || runs_within_series(q, a, axis))
			continue;
		strbuf_puts(out, n++ ? ", " : "");
		put_configuration(q->app, &one, row, true, NULL, out);
	}
}

static void put_bad(const struct scaling_question *q, const struct scaling_answer *a,
		    struct strbuf *s)
{
	size_t n = 0;

	if (a->n_bad == 0)
		return;
	strbuf_printf(s, "\n%zu of %zu combinations cannot be predicted:\n", a->n_bad, a->n);
	for (size_t i = 0; i < a->n && n < COMPLAINTS; i++) {
		if (!a->point[i].why)
			continue;
		strbuf_puts(s, "  ");
		put_configuration(q->app, q->axes, row_of(q, a, i), true, NULL, s);
		strbuf_puts(s, ": ");
		text_put_safe(s, a->point[i].why, false);
		strbuf_putc(s, '\n');
		n++;
	}
	if (n < a->n_bad)
		strbuf_printf(s, "  and %zu more; --format json or csv gives the reason of each\n",
			      a->n_bad - n);
}

/* Against what speed-ups are told, if that is not what was asked for first. */
static void put_baselines(const struct scaling_question *q, const struct scaling_answer *a,
			  struct strbuf *s)
{
	const char *resource = scaling_resource_name(q, a);
	struct strbuf name = STRBUF_INIT;

	if (a->i_resource == SIZE_MAX)
		return;
	strbuf_printf(s, "speed-up and efficiency: against the fewest %s%s", resource,
		      a->n_series > 1 ? " with the same other values" : "");
	strbuf_puts(s, " that can be predicted\n");
	for (size_t k = 0, n = 0; k < a->n_series; k++) {
		const struct scaling_series *one = &a->series[k];

		bool extrapolated;

		if (one->baseline == SIZE_MAX)
			continue;
		extrapolated =
			a->point[one->baseline].forecast.prediction.support == SUPPORT_OUTSIDE;
		if (!one->is_not_least && !extrapolated)
			continue;
		if (++n > COMPLAINTS) {
			strbuf_puts(s, "  ...\n");
			break;
		}
		strbuf_clear(&name);
		scaling_put_series(q, a, k, &name);
		strbuf_printf(s, "  %s%s%s %.10g%s%s\n", strbuf_text(&name), name.len ? ": " : "",
			      resource, a->point[one->baseline].resource,
			      one->is_not_least ? ", as fewer cannot be" : "",
			      extrapolated ? "; that is extrapolated, and with it all of these"
					   : "");
	}
	s->failed |= name.failed;
	strbuf_release(&name);
}

static void put_cores(const struct scaling_question *q, const struct scaling_answer *a,
		      struct strbuf *s)
{
	const bool known = q->app->i_procs != SIZE_MAX || a->cores_of_nodes;

	if (a->cores_of_nodes)
		strbuf_printf(s, "core-hours: of whole nodes; a node has %lld core%s\n",
			      (long long)a->mined.machine->cores_per_node,
			      a->mined.machine->cores_per_node == 1 ? "" : "s");
	else if (known)
		strbuf_puts(s, "core-hours: of the processes; how many cores a node has is not "
			       "known\n");
}

static void put_support(const struct scaling_answer *a, struct strbuf *s)
{
	size_t n_outside = 0, n_failed = 0, n_at_risk = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct scaling_point *p = &a->point[i];

		n_outside += !p->why && p->forecast.prediction.support == SUPPORT_OUTSIDE;
		n_failed += p->warning.risk == RISK_FAILED;
		n_at_risk += p->warning.risk == RISK_AT_RISK;
	}
	if (n_outside > 0)
		strbuf_printf(s,
			      "support: %zu of %zu are extrapolated beyond the runs seen "
			      "(outside)\n",
			      n_outside, a->n - a->n_bad);
	if (n_failed > 0)
		strbuf_printf(s, "warning: all runs of %zu of these failed\n", n_failed);
	if (n_at_risk > 0)
		strbuf_printf(s, "warning: runs like %zu of these failed for want of something\n",
			      n_at_risk);
}

/* More than the machine has. */
static void put_overuse(const struct scaling_question *q, const struct scaling_answer *a,
			struct strbuf *s)
{
	const struct application *app = q->app;
	const struct machine *m = a->mined.machine;
	bool nodes = false, cores = false;

	for (size_t i = 0; i < a->n && app->i_nodes != SIZE_MAX; i++) {
		const double *row = row_of(q, a, i);

		if (a->point[i].why)
			continue;
		nodes |= m->nodes > 0 && row[app->i_nodes] > (double)m->nodes;
		cores |= m->cores_per_node > 0 && app->i_procs != SIZE_MAX &&
			 row[app->i_procs] > row[app->i_nodes] * (double)m->cores_per_node;
	}
	if (nodes || cores) {
		strbuf_puts(s, "note: ");
		text_put_safe(s, m->name, false);
		strbuf_puts(s, " has only ");
	}
	if (nodes)
		answer_put_count(s, (double)m->nodes, "node");
	if (cores) {
		strbuf_puts(s, nodes ? ", and " : "");
		answer_put_count(s, (double)m->cores_per_node, "core");
		strbuf_puts(s, " a node: several processes would share one");
	}
	if (nodes || cores)
		strbuf_putc(s, '\n');
}

static enum err_code print_text(const struct context *c, const struct scaling_question *q,
				const struct scaling_answer *a, struct err *e)
{
	const struct answer_evidence evidence = {
		.model = predictor_name(a->mined.predictor),
		.explanation = predictor_explanation(a->mined.predictor),
		.stale = a->mined.stale,
	};
	struct out_table *t = make_table(q, a, true);
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = t ? ERR_OK : err_set(e, ERR_NOMEM, "the predictions");

	if (!rc)
		rc = out_table_print_folded(t, FORMAT_TABLE, "predictions", c->out, e);
	put_bad(q, a, &text);
	strbuf_putc(&text, '\n');
	strbuf_printf(&text, "from, to: the next run, with a probability of %g %%\n",
		      100 * q->confidence);
	put_baselines(q, a, &text);
	put_cores(q, a, &text);
	put_support(a, &text);
	put_overuse(q, a, &text);
	answer_put_stale(&text, &evidence, c->color);
	answer_put_model(&text, &evidence, true);
	if (!rc && text.failed)
		rc = err_set(e, ERR_NOMEM, "the predictions");
	if (!rc)
		fold_print(strbuf_text(&text), c->out);
	strbuf_release(&text);
	out_table_free(t);
	return rc;
}

enum err_code scaling_print(const struct context *c, const struct scaling_question *q,
			    const struct scaling_answer *a, struct err *e)
{
	struct out_table *t;
	enum err_code rc;

	if (c->format == FORMAT_TABLE)
		return print_text(c, q, a, e);
	t = make_table(q, a, false);
	if (!t)
		rc = err_set(e, ERR_NOMEM, "the predictions");
	else if ((rc = out_table_check(t, e)))
		;
	else
		rc = c->format == FORMAT_JSON
			     ? print_json(c, q, a, t, e)
			     : out_table_print(t, FORMAT_CSV, "predictions", c->out, e);
	out_table_free(t);
	return rc;
}
