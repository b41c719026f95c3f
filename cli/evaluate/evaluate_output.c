#include "cli/evaluate/evaluate_output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "cli/frame/gnuplot.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Every table begins with these; for people they stand in a line above it. */
#define PAIR_COLUMNS                      \
	{"app", NULL, OUT_TEXT},          \
	{                                 \
		"machine", NULL, OUT_TEXT \
	}
enum { N_PAIR = 2 };

static struct out_table *new_table(enum out_format format, const struct out_column *column,
				   size_t n)
{
	size_t skip = format == FORMAT_TABLE ? N_PAIR : 0;

	return out_table_new(column + skip, n - skip);
}

static void put_pair(enum out_format format, struct out_table *t, const struct mine_target *on)
{
	if (format == FORMAT_TABLE)
		return;
	out_text(t, on->app->name);
	out_text(t, on->machine->name);
}

static enum err_code print_table(struct context *c, const struct mine_target *on,
				 struct out_table *t, const char *what, struct err *e)
{
	enum err_code rc;

	if (c->format == FORMAT_TABLE)
		context_print(c, "%s on %s: %s\n", on->app->name, on->machine->name, what);
	rc = out_table_print(t, c->format, "evaluation", c->out, e);
	out_table_free(t);
	return rc;
}

/* ---- predictions ---- */

static const struct out_column score_columns[] = {
	PAIR_COLUMNS,
	{"held_out", "held out", OUT_TEXT},
	{"predictor", NULL, OUT_TEXT},
	{"n_train", NULL, OUT_INT},
	{"n_test", NULL, OUT_INT},
	{"n_runs", NULL, OUT_INT},
	{"median_error", NULL, OUT_PERCENT},
	{"p90_error", NULL, OUT_PERCENT},
	{"bias", NULL, OUT_PERCENT},
	{"coverage_50", NULL, OUT_PERCENT},
	{"coverage_50_error", NULL, OUT_PERCENT},
	{"coverage_80", NULL, OUT_PERCENT},
	{"coverage_80_error", NULL, OUT_PERCENT},
	{"coverage_90", NULL, OUT_PERCENT},
	{"coverage_90_error", NULL, OUT_PERCENT},
	{"coverage_95", NULL, OUT_PERCENT},
	{"coverage_95_error", NULL, OUT_PERCENT},
	{"width", NULL, OUT_REAL},
	{"interval_score", NULL, OUT_REAL},
};

static const struct out_column score_columns_for_people[] = {
	{"held out", NULL, OUT_TEXT},
	{"predictor", NULL, OUT_TEXT},
	{"test", NULL, OUT_INT},
	{"median error", NULL, OUT_PERCENT},
	{"90th percentile", NULL, OUT_PERCENT},
	{"bias", NULL, OUT_PERCENT},
	{"in 50 %", NULL, OUT_PERCENT},
	{"in 80 %", NULL, OUT_PERCENT},
	{"in 90 %", NULL, OUT_PERCENT},
	{"+-", NULL, OUT_PERCENT},
	{"in 95 %", NULL, OUT_PERCENT},
	{"width", NULL, OUT_REAL},
	{"score", NULL, OUT_REAL},
};

static void put_scores(const struct context *c, struct out_table *t, const struct mine_target *on,
		       const struct evaluation *v)
{
	bool for_people = c->format == FORMAT_TABLE;
	const struct scores *s = &v->scores;

	put_pair(c->format, t, on);
	out_text(t, v->protocol->name);
	out_text(t, v->predictor);
	if (!for_people)
		out_int(t, (int64_t)v->n_train);
	out_int(t, (int64_t)v->n_test);
	if (!for_people)
		out_int(t, (int64_t)v->n_runs);
	out_real(t, s->median_error);
	out_real(t, s->p90_error);
	out_real(t, s->bias);
	for (int k = 0; k < INTERVAL_LEVELS; k++) {
		out_real(t, s->coverage[k]);
		if (!for_people || k == LEVEL_90)
			out_real(t, s->coverage_error[k]);
	}
	out_real(t, s->width);
	out_real(t, s->interval_score);
}

enum err_code evaluate_print_scores(struct context *c, const struct mine_target *on,
				    const struct evaluation *v, size_t n, struct err *e)
{
	struct out_table *t =
		c->format == FORMAT_TABLE
			? out_table_new(score_columns_for_people, COUNT(score_columns_for_people))
			: out_table_new(score_columns, COUNT(score_columns));

	if (!t)
		return err_set(e, ERR_NOMEM, "the evaluation");
	for (size_t i = 0; i < n; i++)
		put_scores(c, t, on, &v[i]);
	return print_table(c, on, t, "runs held out, and predicted from the rest", e);
}

/* ---- reliability ---- */

static const struct out_column reliability_columns[] = {
	PAIR_COLUMNS,
	{"held_out", "held out", OUT_TEXT},
	{"predictor", NULL, OUT_TEXT},
	{"promised", NULL, OUT_PERCENT},
	{"happened", NULL, OUT_PERCENT},
	{"happened_error", "+-", OUT_PERCENT},
	{"n", NULL, OUT_INT},
};

/* What was promised and what happened: a row for each bin that holds anything. The table alone (as
 * it is for a format) may be printed elsewhere; NULL: out of memory. */
static struct out_table *evaluate_reliability_table(enum out_format format,
						    const struct mine_target *on,
						    const struct evaluation *v, size_t n)
{
	struct out_table *t = new_table(format, reliability_columns, COUNT(reliability_columns));

	for (size_t i = 0; t && i < n * RELIABILITY_BINS; i++) {
		const struct evaluation *one = &v[i / RELIABILITY_BINS];
		const struct reliability_bin *bin = &one->bin[i % RELIABILITY_BINS];
		double happened = (double)bin->n_met / (double)bin->n;

		if (bin->n == 0)
			continue;
		put_pair(format, t, on);
		out_text(t, one->protocol->name);
		out_text(t, one->predictor);
		out_real(t, bin->sum_promised / (double)bin->n);
		out_real(t, happened);
		out_real(t, binomial_error(happened, bin->n));
		out_int(t, (int64_t)bin->n);
	}
	return t;
}

enum err_code evaluate_print_reliability(struct context *c, const struct mine_target *on,
					 const struct evaluation *v, size_t n, struct err *e)
{
	struct out_table *t = evaluate_reliability_table(c->format, on, v, n);

	if (!t)
		return err_set(e, ERR_NOMEM, "the evaluation");
	return print_table(c, on, t, "deadlines promised to be met, and met", e);
}

/* ---- decisions ---- */

static const struct out_column decision_columns[] = {
	PAIR_COLUMNS,
	{"question", NULL, OUT_TEXT},
	{"seen", "seen of problem", OUT_TEXT},
	{"method", NULL, OUT_TEXT},
	{"n_cases", "asked", OUT_INT},
	{"n_possible", "possible", OUT_INT},
	{"n_answered", "answered", OUT_INT},
	{"hit_rate", "hit", OUT_PERCENT},
	{"hit_rate_error", "+-", OUT_PERCENT},
	{"over_mean", "cost over best: mean", OUT_REAL},
	{"over_median", "median", OUT_REAL},
	{"over_p90", "90th percentile", OUT_REAL},
};

static void put_decision(struct out_table *t, const struct decision_evaluation *v)
{
	const struct decision_scores *s = &v->scores;

	out_text(t, decision_question_name[v->question]);
	out_text(t, v->seen);
	out_text(t, v->method);
	out_int(t, (int64_t)s->n_cases);
	out_int(t, (int64_t)s->n_possible);
	out_int(t, (int64_t)s->n_answered);
	out_real(t, s->hit);
	out_real(t, s->hit_error);
	out_real(t, s->over_mean);
	out_real(t, s->over_median);
	out_real(t, s->over_p90);
}

/* People see the three deadlines together. */
static bool is_one_deadline(enum decision_question q)
{
	return q >= ASK_DEADLINE_25 && q <= ASK_DEADLINE_75;
}

enum err_code evaluate_print_decisions(struct context *c, const struct mine_target *on,
				       const struct decision_evaluation *v, size_t n, struct err *e)
{
	struct out_table *t = new_table(c->format, decision_columns, COUNT(decision_columns));
	bool for_people = c->format == FORMAT_TABLE;

	if (!t)
		return err_set(e, ERR_NOMEM, "the evaluation");
	for (size_t i = 0; i < n; i++) {
		if (for_people && is_one_deadline(v[i].question))
			continue;
		put_pair(c->format, t, on);
		put_decision(t, &v[i]);
	}
	return print_table(c, on, t, "decisions among measured configurations", e);
}

/* ---- rules ---- */

static const struct out_column rule_columns[] = {
	PAIR_COLUMNS,
	{"held_out", "held out", OUT_TEXT},
	{"measure", NULL, OUT_TEXT},
	{"method", NULL, OUT_TEXT},
	{"n_train", "train", OUT_INT},
	{"n_test", "test", OUT_INT},
	{"size", NULL, OUT_REAL},
	{"covered", NULL, OUT_PERCENT},
	{"median", NULL, OUT_PERCENT},
	{"p90", "90th percentile", OUT_PERCENT},
	{"bias", NULL, OUT_PERCENT},
	{"share_true", "true", OUT_PERCENT},
};

static void put_rule_evaluation(struct out_table *t, const struct rule_evaluation *v)
{
	out_text(t, holdout_info[v->protocol].name);
	out_text(t, rule_measure_name[v->measure]);
	out_text(t, v->method);
	out_int(t, (int64_t)v->n_train);
	out_int(t, (int64_t)v->n_test);
	out_real(t, v->size);
	out_real(t, v->covered);
	out_real(t, v->median);
	out_real(t, v->p90);
	out_real(t, v->bias);
	out_real(t, v->share_true);
}

enum err_code evaluate_print_rules(struct context *c, const struct mine_target *on,
				   const struct rule_evaluation *v, size_t n, struct err *e)
{
	struct out_table *t = new_table(c->format, rule_columns, COUNT(rule_columns));

	if (!t)
		return err_set(e, ERR_NOMEM, "the evaluation");
	for (size_t i = 0; i < n; i++) {
		put_pair(c->format, t, on);
		put_rule_evaluation(t, &v[i]);
	}
	return print_table(c, on, t, "rules mined from the rest, and followed", e);
}

/* ---- plots ---- */

OPTION(opt_evaluate_plot, "plot", "PREFIX",
       .help = "draw predicted against measured times, and what happened\n"
	       "against what was promised: PREFIX-predicted.csv, .gp, .svg and\n"
	       "PREFIX-reliability.csv, .gp, .svg");

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
