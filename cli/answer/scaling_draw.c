#include "cli/answer/scaling_draw.h"

#include <math.h>

#include "cli/answer/scaling_text.h"
#include "cli/frame/gnuplot.h"
#include "domain/configuration.h"

const struct option_spec opt_scaling_plot = {
	.name = "plot",
	.arg = "FILE",
	.values = "FILE",
	.help = "of lists: draw time and efficiency with gnuplot: FILE.svg, .png, .pdf,\n"
		"or .gp for its script",
};

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
