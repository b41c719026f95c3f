#include "cli/answer/scaling_text.h"

#include <math.h>
#include <stdlib.h>

#include "domain/configuration.h"
#include "cli/frame/fold.h"
#include "cli/frame/gnuplot.h"
#include "cli/answer/answer_text.h"

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

/* ---- the table ---- */

static struct out_table *table_new(const struct application *a)
{
	struct out_column *column = calloc(a->n_columns + 1 + N_LAST, sizeof *column);
	struct out_table *t = NULL;
	size_t n;

	if (!column)
		return NULL;
	n = config_cells_columns(a, column);
	if (scaling_tells_procs(a))
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
	if (scaling_tells_procs(a) && isnan(row[a->i_procs]))
		out_null(t);
	else if (scaling_tells_procs(a))
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

static enum err_code print_json(const struct context *c, const struct scaling_question *q,
				const struct scaling_answer *a, struct err *e)
{
	struct json_t *answer = scaling_answer_json(q, a);

	return out_answer(!answer, answer, "the predictions", c->out, e);
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

/* "n 2000, tile 16": what tells a series from the others; nothing of the only one. */
static void scaling_put_series(const struct scaling_question *q, const struct scaling_answer *a,
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
	if (c->format == FORMAT_JSON)
		return print_json(c, q, a, e);
	t = make_table(q, a, false);
	rc = t ? out_table_print(t, FORMAT_CSV, "predictions", c->out, e)
	       : err_set(e, ERR_NOMEM, "the predictions");
	out_table_free(t);
	return rc;
}

/* ---- by gnuplot ---- */

OPTION(opt_scaling_plot, "plot", "FILE", .values = "FILE",
       .help = "of lists: draw time and efficiency with gnuplot: FILE.svg, .png, .pdf,\n"
	       "or .gp for its script");

/* Curves that can be told apart. */
static const char *const colour[] = {"#2166ac", "#b2182b", "#1b7837", "#762a83",
				     "#e08214", "#35978f", "#8c510a", "#404040"};
enum { MAX_CURVES = sizeof colour / sizeof colour[0] };

/* What the axes have to show. */
struct extent {
	double least_x, most_x, least_s, most_s, least_e, most_e;
};

static void widen(double *least, double *most, double value)
{
	*least = fmin(*least, value);
	*most = fmax(*most, value);
}

/* The efficiency that a time at a resource amounts to, against the baseline of a series. */
static double efficiency_of(const struct scaling_answer *a, size_t i_series, double resource,
			    double time_s)
{
	const struct scaling_series *s = &a->series[i_series];
	const struct scaling_point *base;

	if (s->baseline == SIZE_MAX)
		return (double)NAN;
	base = &a->point[s->baseline];
	return base->forecast.prediction.time_s * base->resource / (time_s * resource);
}

static struct extent extent_of(const struct scaling_answer *a)
{
	struct extent x = {INFINITY, 0, INFINITY, 0, 0, 1};

	for (size_t i = 0; i < a->n; i++) {
		const struct scaling_point *p = &a->point[i];

		if (p->why)
			continue;
		widen(&x.least_x, &x.most_x, p->resource);
		widen(&x.least_s, &x.most_s, p->forecast.lo_s);
		widen(&x.least_s, &x.most_s, p->forecast.hi_s);
		widen(&x.least_e, &x.most_e, p->efficiency);
	}
	for (size_t i = 0; i < a->n_runs; i++) {
		const struct scaling_run *r = &a->run[i];

		widen(&x.least_x, &x.most_x, r->resource);
		widen(&x.least_s, &x.most_s, r->wall_s);
		widen(&x.least_e, &x.most_e, efficiency_of(a, r->series, r->resource, r->wall_s));
	}
	return x;
}

/* ---- data ---- */

static void put_point(struct strbuf *s, const struct scaling_answer *a, size_t i)
{
	const struct scaling_point *p = &a->point[i];
	const struct row_prediction *f = &p->forecast;

	if (p->why)
		return;
	strbuf_printf(s, "%.10g %.6g %.6g %.6g %.6g %.6g %.6g %d\n", p->resource,
		      f->prediction.time_s, f->lo_s, f->hi_s, p->efficiency,
		      efficiency_of(a, p->series, p->resource, f->hi_s),
		      efficiency_of(a, p->series, p->resource, f->lo_s),
		      f->prediction.support == SUPPORT_OUTSIDE);
}

/* Curves go from the least to the most, whatever order was asked for. */
static void put_curve(struct strbuf *s, const struct scaling_answer *a, size_t i_series)
{
	const struct scaling_series *one = &a->series[i_series];
	double last = -INFINITY;

	strbuf_printf(s, "$s%zu << EOD\n", i_series);
	for (;;) {
		double next = INFINITY;

		for (size_t i = one->first; i < one->first + one->n; i++) {
			if (!a->point[i].why && a->point[i].resource > last)
				next = fmin(next, a->point[i].resource);
		}
		if (isinf(next))
			break;
		for (size_t i = one->first; i < one->first + one->n; i++) {
			if (a->point[i].resource == next)
				put_point(s, a, i);
		}
		last = next;
	}
	strbuf_puts(s, "EOD\n");
	strbuf_printf(s, "$r%zu << EOD\n", i_series);
	for (size_t i = 0; i < a->n_runs; i++) {
		const struct scaling_run *r = &a->run[i];

		if (r->series == i_series)
			strbuf_printf(s, "%.10g %.6g %.6g\n", r->resource, r->wall_s,
				      efficiency_of(a, i_series, r->resource, r->wall_s));
	}
	strbuf_puts(s, "EOD\n");
}

static bool has_runs(const struct scaling_answer *a, size_t i_series)
{
	for (size_t i = 0; i < a->n_runs; i++) {
		if (a->run[i].series == i_series)
			return true;
	}
	return false;
}

/* ---- script ---- */

static void put_title(struct strbuf *s, const struct scaling_question *q,
		      const struct scaling_answer *a)
{
	struct strbuf title = STRBUF_INIT;
	size_t n = 0;

	strbuf_printf(&title, "%s on %s: ", q->app->name, a->mined.machine->name);
	for (size_t k = 0; k < q->axes->n; k++) {
		const struct configuration_axis *axis = &q->axes->axis[k];

		for (size_t i = 0; i < axis->n_columns && axis->n == 1; i++) {
			strbuf_printf(&title, "%s%s ", n++ ? ", " : "",
				      q->app->column[axis->column[i]].name);
			configuration_put_value(q->app, axis->column[i], axis->value[i], &title);
		}
	}
	strbuf_puts(s, "set multiplot layout 2,1 title ");
	gnuplot_put_text(strbuf_text(&title), s);
	strbuf_putc(s, '\n');
	s->failed |= title.failed;
	strbuf_release(&title);
}

/* A logarithmic axis with a number at 1, 2 and 5 of each decade, or at powers of two. */
static void put_log_axis(struct strbuf *s, char axis, double least, double most, bool by_two)
{
	static const double step[] = {1, 2, 5};
	const double margin = most / least > 3 ? pow(most / least, 0.05) : 1.1;
	const char *separator = "";

	strbuf_printf(s, "set logscale %c\nset %crange [%.6g:%.6g]\nset %ctics (", axis, axis,
		      least / margin, most * margin, axis);
	for (double x = pow(2, floor(log2(least))); by_two && x <= most * margin; x *= 2) {
		strbuf_printf(s, "%s%g", separator, x);
		separator = ", ";
	}
	for (double decade = pow(10, floor(log10(least))); !by_two && decade <= most * margin;
	     decade *= 10) {
		for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
			strbuf_printf(s, "%s%g", separator, step[i] * decade);
			separator = ", ";
		}
	}
	strbuf_puts(s, ")\n");
}

/* column: of the middle, from and to; run_column: of the runs. Points that are extrapolated are
 * empty. */
static void put_curves(struct strbuf *s, const struct scaling_question *q,
		       const struct scaling_answer *a, const int column[3], int run_column)
{
	struct strbuf name = STRBUF_INIT;
	const char *separator = "plot ";

	for (size_t k = 0; k < a->n_series; k++) {
		const char *c = colour[k % MAX_CURVES];

		strbuf_clear(&name);
		scaling_put_series(q, a, k, &name);
		if (!name.len)
			strbuf_puts(&name, "predicted");
		strbuf_printf(s,
			      "%s$s%zu using 1:%d:%d with filledcurves fs transparent solid 0.15 "
			      "noborder lc rgb '%s' notitle, \\\n",
			      separator, k, column[1], column[2], c);
		strbuf_printf(s, "  $s%zu using 1:%d with lines lw 2 lc rgb '%s' title ", k,
			      column[0], c);
		gnuplot_put_text(strbuf_text(&name), s);
		strbuf_printf(
			s,
			", \\\n  $s%zu using 1:($8 > 0 ? $%d : NaN) with points pt 6 lc rgb '%s' "
			"notitle",
			k, column[0], c);
		if (has_runs(a, k))
			strbuf_printf(s,
				      ", \\\n  $r%zu using 1:%d with points pt 7 ps 0.5 lc rgb "
				      "'%s' notitle",
				      k, run_column, c);
		separator = ", \\\n  ";
	}
	s->failed |= name.failed;
	strbuf_release(&name);
}

static void put_script(struct strbuf *s, const struct scaling_question *q,
		       const struct scaling_answer *a)
{
	static const int time_columns[] = {2, 3, 4}, efficiency_columns[] = {5, 6, 7};
	const struct extent x = extent_of(a);
	const char *resource = scaling_resource_name(q, a);

	strbuf_puts(s, "# resource, time [s], from, to, efficiency, from, to, extrapolated?; runs: "
		       "resource, time [s], efficiency\n");
	for (size_t k = 0; k < a->n_series; k++)
		put_curve(s, a, k);
	put_title(s, q, a);
	put_log_axis(s, 'x', x.least_x, x.most_x, x.most_x / x.least_x < 1e6);
	put_log_axis(s, 'y', x.least_s, x.most_s, false);
	strbuf_printf(
		s,
		"set grid\nset ylabel 'time [s]'\nset key top right title '%g %% interval%s%s'"
		"\n",
		100 * q->confidence, a->n_runs > 0 ? ", points: runs" : "",
		a->n_runs > 0 ? "; rings: extrapolated" : ", rings: extrapolated");
	put_curves(s, q, a, time_columns, 2);
	strbuf_puts(s, "\nunset logscale y\nset ytics autofreq\nset key off\nset xlabel ");
	gnuplot_put_text(resource, s);
	strbuf_printf(s, "\nset yrange [0:%.6g]\nset ylabel 'efficiency'\n", 1.1 * x.most_e);
	put_curves(s, q, a, efficiency_columns, 3);
	strbuf_puts(s, "\nunset multiplot\n");
}

enum err_code scaling_draw_check(const struct scaling_answer *a, struct err *e)
{
	if (a->i_resource == SIZE_MAX)
		return err_set(e, ERR_USAGE,
			       "--plot draws time over nodes or processes: give a list of them, "
			       "such as --nodes 1,2,4..64");
	if (a->n_series > MAX_CURVES)
		return err_set(e, ERR_USAGE,
			       "--plot tells %d curves apart, and these lists make %zu: give fewer "
			       "values of what is no resource",
			       MAX_CURVES, a->n_series);
	return ERR_OK;
}

enum err_code scaling_draw(const struct scaling_question *q, const struct scaling_answer *a,
			   const char *path, struct err *e)
{
	struct strbuf script = STRBUF_INIT;
	enum err_code rc;

	put_script(&script, q, a);
	rc = script.failed ? err_set(e, ERR_NOMEM, "the script of a plot")
			   : gnuplot_draw(path, strbuf_text(&script), e);
	strbuf_release(&script);
	return rc;
}
