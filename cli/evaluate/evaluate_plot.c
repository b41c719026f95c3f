#include "cli/evaluate/evaluate_plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "cli/evaluate/evaluate_output.h"
#include "cli/frame/gnuplot.h"

const struct option_spec opt_evaluate_plot = {
	.name = "plot",
	.arg = "PREFIX",
	.help = "draw predicted against measured times, and what happened\n"
		"against what was promised: PREFIX-predicted.csv, .gp, .svg and\n"
		"PREFIX-reliability.csv, .gp, .svg",
};

/* ---- while it comes in ---- */

void evaluate_plot_release(struct evaluate_plot *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->series[i].tested);
	free(p->series);
	*p = (struct evaluate_plot){0};
}

enum err_code evaluate_plot_visit(void *arg, const struct evaluation *one,
				  const struct scoring_rules *card, struct err *e)
{
	struct evaluate_plot *p = arg;
	struct plot_series s = {.result = *one, .n = card->n};

	if (p->n == p->cap) {
		size_t cap = 2 * p->cap + 16;
		struct plot_series *grown = realloc(p->series, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu series to plot", cap);
		p->series = grown;
		p->cap = cap;
	}
	s.tested = calloc(card->n, sizeof *s.tested);
	if (!s.tested)
		return err_set(e, ERR_NOMEM, "%zu points to plot", card->n);
	memcpy(s.tested, card->tested, card->n * sizeof *s.tested);
	p->series[p->n++] = s;
	return ERR_OK;
}

/* ---- the data ---- */

static const struct out_column predicted_columns[] = {
	{"app", NULL, OUT_TEXT},	{"machine", NULL, OUT_TEXT},
	{"held_out", NULL, OUT_TEXT},	{"predictor", NULL, OUT_TEXT},
	{"measured_s", NULL, OUT_REAL}, {"predicted_s", NULL, OUT_REAL},
	{"lo_s", NULL, OUT_REAL},	{"hi_s", NULL, OUT_REAL},
};

static struct out_table *predicted_table(const struct mine_target *on,
					 const struct evaluate_plot *p)
{
	struct out_table *t = out_table_new(predicted_columns,
					    sizeof predicted_columns / sizeof predicted_columns[0]);

	for (size_t i = 0; t && i < p->n; i++) {
		const struct plot_series *s = &p->series[i];

		for (size_t k = 0; k < s->n; k++) {
			out_text(t, on->app->name);
			out_text(t, on->machine->name);
			out_text(t, s->result.protocol->name);
			out_text(t, s->result.predictor);
			out_real(t, s->tested[k].measured_s);
			out_real(t, s->tested[k].predicted_s);
			out_real(t, s->tested[k].lo_s);
			out_real(t, s->tested[k].hi_s);
		}
	}
	return t;
}

static struct out_table *reliability_table(const struct mine_target *on,
					   const struct evaluate_plot *p)
{
	struct evaluation *v = calloc(p->n + 1, sizeof *v);
	struct out_table *t;

	for (size_t i = 0; v && i < p->n; i++)
		v[i] = p->series[i].result;
	t = v ? evaluate_reliability_table(FORMAT_CSV, on, v, p->n) : NULL;
	free(v);
	return t;
}

static enum err_code write_table(struct out_table *t, const char *path, struct err *e)
{
	struct whole_file *w = NULL;
	enum err_code rc = whole_file_open(path, WHOLE_FILE_REPLACES, &w, e);

	if (rc)
		return rc;
	if (!(rc = out_table_print(t, FORMAT_CSV, "evaluation", whole_file_stream(w), e)))
		return whole_file_commit(w, e);
	whole_file_abandon(w);
	return rc;
}

/* ---- the scripts ---- */

typedef void (*put_points_fn)(const struct plot_series *s, struct strbuf *out);

static void put_times(const struct plot_series *s, struct strbuf *out)
{
	for (size_t k = 0; k < s->n; k++)
		strbuf_printf(out, "%.5g %.5g\n", s->tested[k].measured_s,
			      s->tested[k].predicted_s);
}

static void put_promises(const struct plot_series *s, struct strbuf *out)
{
	for (int k = 0; k < RELIABILITY_BINS; k++) {
		const struct reliability_bin *bin = &s->result.bin[k];
		double happened = (double)bin->n_met / (double)bin->n;

		if (bin->n > 0)
			strbuf_printf(out, "%.4f %.4f %.4f\n", bin->sum_promised / (double)bin->n,
				      happened, binomial_error(happened, bin->n));
	}
}

/* $s0, $s1, ...: the series as they came. */
static void put_data(const struct evaluate_plot *p, put_points_fn put, struct strbuf *out)
{
	for (size_t i = 0; i < p->n; i++) {
		strbuf_printf(out, "$s%zu << EOD\n", i);
		put(&p->series[i], out);
		strbuf_puts(out, "EOD\n");
	}
}

static bool begins_panel(const struct evaluate_plot *p, size_t i)
{
	return i == 0 || p->series[i].result.protocol != p->series[i - 1].result.protocol;
}

enum { PANELS_A_ROW = 3 };

static void put_layout(const struct evaluate_plot *p, const struct mine_target *on,
		       struct strbuf *out)
{
	struct strbuf title = STRBUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += begins_panel(p, i);
	strbuf_printf(&title, "%s on %s", on->app->name, on->machine->name);
	strbuf_printf(out, "set multiplot layout %zu,%zu title ",
		      (n + PANELS_A_ROW - 1) / PANELS_A_ROW, n < PANELS_A_ROW ? n : PANELS_A_ROW);
	gnuplot_put_text(strbuf_text(&title), out);
	strbuf_putc(out, '\n');
	strbuf_release(&title);
}

/* One panel for each way of holding out, in it one series for each predictor. */
static void put_panels(const struct evaluate_plot *p, const char *style, struct strbuf *out)
{
	for (size_t i = 0; i < p->n; i++) {
		if (begins_panel(p, i)) {
			strbuf_puts(out, i ? "\nset title " : "set title ");
			gnuplot_put_text(p->series[i].result.protocol->name, out);
			strbuf_puts(out, "\nplot x with lines lc rgb 'grey' notitle");
		}
		strbuf_printf(out, ", \\\n  $s%zu %s title ", i, style);
		gnuplot_put_text(p->series[i].result.predictor, out);
	}
	strbuf_puts(out, "\nunset multiplot\n");
}

static void put_range(const struct evaluate_plot *p, struct strbuf *out)
{
	double lo = INFINITY, hi = 0;

	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = 0; k < p->series[i].n; k++) {
			const struct tested *t = &p->series[i].tested[k];

			lo = fmin(lo, fmin(t->measured_s, t->predicted_s));
			hi = fmax(hi, fmax(t->measured_s, t->predicted_s));
		}
	}
	strbuf_printf(out, "set xrange [%.3g:%.3g]\nset yrange [%.3g:%.3g]\n", lo / 1.2, hi * 1.2,
		      lo / 1.2, hi * 1.2);
}

static void put_predicted_script(const struct evaluate_plot *p, const struct mine_target *on,
				 struct strbuf *out)
{
	put_data(p, put_times, out);
	strbuf_puts(out, "set logscale xy\nset key left top\nset xlabel 'measured [s]'\n"
			 "set ylabel 'predicted [s]'\nset format xy '%g'\n");
	put_range(p, out);
	put_layout(p, on, out);
	put_panels(p, "using 1:2 with points pt 7 ps 0.3", out);
}

static void put_reliability_script(const struct evaluate_plot *p, const struct mine_target *on,
				   struct strbuf *out)
{
	put_data(p, put_promises, out);
	strbuf_puts(out, "set key left top\nset xlabel 'promised'\nset ylabel 'happened'\n"
			 "set xrange [0:1]\nset yrange [0:1]\n");
	put_layout(p, on, out);
	put_panels(p, "using 1:2:3 with yerrorlines pt 7 ps 0.5", out);
}

/* ---- the files ---- */

/* The script is written in any case; the picture where that can be done. */
static enum err_code draw(const struct context *c, const char *prefix, const char *name,
			  const struct strbuf *script, struct err *e)
{
	struct strbuf path = STRBUF_INIT;
	struct err why = {0};
	enum err_code rc;

	if (script->failed)
		return err_set(e, ERR_NOMEM, "the script of %s-%s", prefix, name);
	strbuf_printf(&path, "%s-%s.gp", prefix, name);
	rc = gnuplot_draw(strbuf_text(&path), strbuf_text(script), e);
	strbuf_release(&path);
	strbuf_printf(&path, "%s-%s.svg", prefix, name);
	if (!rc && gnuplot_draw(strbuf_text(&path), strbuf_text(script), &why))
		context_warn(c, "%s", why.msg);
	strbuf_release(&path);
	return rc;
}

static enum err_code write_data(struct out_table *t, const char *prefix, const char *name,
				struct err *e)
{
	struct strbuf path = STRBUF_INIT;
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the data of %s-%s", prefix, name);
	strbuf_printf(&path, "%s-%s.csv", prefix, name);
	rc = write_table(t, strbuf_text(&path), e);
	strbuf_release(&path);
	out_table_free(t);
	return rc;
}

enum err_code evaluate_plot_check(const struct context *c, struct err *e)
{
	const char *prefix = options_get(&c->opt, &opt_evaluate_plot);

	if (prefix && !*prefix)
		return err_set(e, ERR_USAGE, "--plot: the first part of file names is wanted");
	return ERR_OK;
}

enum err_code evaluate_plot_write(struct context *c, const struct mine_target *on,
				  const struct evaluate_plot *p, struct err *e)
{
	const char *prefix = options_get(&c->opt, &opt_evaluate_plot);
	struct strbuf predicted = STRBUF_INIT, reliability = STRBUF_INIT;
	enum err_code rc;

	put_predicted_script(p, on, &predicted);
	put_reliability_script(p, on, &reliability);
	if ((rc = write_data(predicted_table(on, p), prefix, "predicted", e)) ||
	    (rc = write_data(reliability_table(on, p), prefix, "reliability", e)) ||
	    (rc = draw(c, prefix, "predicted", &predicted, e)))
		goto done;
	rc = draw(c, prefix, "reliability", &reliability, e);
done:
	strbuf_release(&predicted);
	strbuf_release(&reliability);
	return rc;
}
