#include <math.h>

#include "base/units.h"
#include "api/back_test.h"
#include "api/study_json.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/frame/gnuplot.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_options.h"

/* ---- the table ---- */

static const struct out_column columns[] = {
	{"model", NULL, OUT_TEXT},
	{"configs", NULL, OUT_INT},
	{"median_error", "median error", OUT_PERCENT},
	{"p90_error", "90th percentile", OUT_PERCENT},
	{"bias", NULL, OUT_PERCENT},
	{"Wg_s", "Wg", OUT_SECONDS},
	{"worst_by", NULL, OUT_TEXT},
	{"worst_from", NULL, OUT_REAL},
	{"worst_to", NULL, OUT_REAL},
	{"worst_configs", NULL, OUT_INT},
	{"worst_median_error", NULL, OUT_PERCENT},
	{"worst_bias", NULL, OUT_PERCENT},
};
static const struct out_column columns_for_people[] = {
	{"model", NULL, OUT_TEXT},
	{"configs", NULL, OUT_INT},
	{"median_error", "median error", OUT_PERCENT},
	{"p90_error", "90th percentile", OUT_PERCENT},
	{"bias", NULL, OUT_PERCENT},
	{"Wg_s", "Wg", OUT_SECONDS},
	{"worst", "worst where", OUT_TEXT},
};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void put_score(struct out_table *t, const struct model_score *s)
{
	out_text(t, s->model);
	out_int(t, (int64_t)s->n);
	out_real(t, s->median_error);
	out_real(t, s->p90_error);
	out_real(t, s->bias);
	out_real(t, s->Wg_s);
}

static void put_bound(double value, char buf[32])
{
	snprintf(buf, 32, fabs(value) >= 1000 ? "%.0f" : "%.3g", value);
}

static void put_worst_for_people(struct out_table *t, const struct error_region *w)
{
	char from[32], to[32];
	struct strbuf text = STRBUF_INIT;

	put_bound(w->from, from);
	put_bound(w->to, to);
	if (w->by && w->from == w->to)
		strbuf_printf(&text, "%s %s: %.1f %%", w->by, from, 100 * w->median_error);
	else if (w->by)
		strbuf_printf(&text, "%s %s to %s: %.1f %%", w->by, from, to,
			      100 * w->median_error);
	if (w->by)
		strbuf_printf(&text, " (bias %+.1f %%)", 100 * w->bias);
	out_text(t, w->by ? strbuf_text(&text) : NULL);
	strbuf_release(&text);
}

static void put_worst(struct out_table *t, const struct error_region *w)
{
	out_text(t, w->by);
	out_real(t, w->by ? w->from : (double)NAN);
	out_real(t, w->by ? w->to : (double)NAN);
	if (w->by)
		out_int(t, (int64_t)w->n);
	else
		out_null(t);
	out_real(t, w->by ? w->median_error : (double)NAN);
	out_real(t, w->by ? w->bias : (double)NAN);
}

static struct out_table *make_table(const struct model_comparison *v, bool for_people)
{
	struct out_table *t = for_people
				      ? out_table_new(columns_for_people, COUNT(columns_for_people))
				      : out_table_new(columns, COUNT(columns));

	for (size_t i = 0; t && i < v->n; i++) {
		put_score(t, &v->score[i]);
		if (for_people)
			put_worst_for_people(t, &v->score[i].worst);
		else
			put_worst(t, &v->score[i].worst);
	}
	return t;
}

/* ---- for people ---- */

static void print_title(const struct context *c, const struct mine_target *on,
			enum holdout held_out, const struct model_comparison *v)
{
	const char *between = "";

	context_print(c, "%s on %s: errors of %s that were held out; message costs: %s\n",
		      on->app->name, on->machine->name, holdout_info[held_out].title, v->costs);
	if (v->n_there > v->n_configs)
		fprintf(c->out, "%zu of ", v->n_configs);
	fprintf(c->out, "%zu configurations (", v->n_there);
	for (int s = 0; s < SOURCE_COUNT; s++) {
		if (v->n_of[s] == 0)
			continue;
		fprintf(c->out, "%s%zu %s", between, v->n_of[s],
			run_source_name((enum run_source)s));
		between = ", ";
	}
	fprintf(c->out, "), %zu runs\n\n", v->n_runs);
}

static const struct model_score *best_model(const struct model_comparison *v)
{
	const struct model_score *best = NULL;

	for (size_t i = 0; i + 1 < v->n; i++) {
		if (!best || v->score[i].median_error < best->median_error)
			best = &v->score[i];
	}
	return best;
}

static void print_remarks(const struct context *c, const struct model_comparison *v)
{
	const struct model_score *best = best_model(v);

	if (best)
		context_print(
			c,
			"\nleast error of the models: %s; wavefront is the formula that mining fits\n",
			best->model);
	for (size_t i = 0; i < v->times.n_refused; i++)
		context_print(c, "not compared: %s: %s\n", v->times.refused[i].model->name,
			      v->times.refused[i].why.msg);
}

static enum err_code print_json(const struct context *c, const struct mine_target *on,
				enum holdout held_out, const struct model_comparison *v,
				struct err *e)
{
	struct json_t *answer = model_comparison_json(on, held_out, v);

	return out_answer(!answer, answer, "the comparison of models", c->out, e);
}

/* What `lemnos model compare` prints: the table of errors, and for people what it was made from
 * and what does not apply. */
static enum err_code compare_print(const struct context *c, const struct mine_target *on,
				   enum holdout held_out, const struct model_comparison *v,
				   struct err *e)
{
	struct out_table *t;
	enum err_code rc;

	if (c->format == FORMAT_JSON)
		return print_json(c, on, held_out, v, e);
	t = make_table(v, c->format == FORMAT_TABLE);
	if (!t)
		return err_set(e, ERR_NOMEM, "the comparison of models");
	if (c->format == FORMAT_TABLE)
		print_title(c, on, held_out, v);
	rc = out_table_print(t, c->format, "models", c->out, e);
	if (c->format == FORMAT_TABLE)
		print_remarks(c, v);
	out_table_free(t);
	return rc;
}

/* ---- the picture ---- */

enum { PANELS_A_ROW = 3 };

static void put_point(const struct model_point *p, struct strbuf *out)
{
	double ratio = p->predicted_s / p->measured_s;

	strbuf_printf(out, "%.5g %.5g\n", p->measured_s, fmin(2, fmax(0.5, ratio)));
}

static void put_points(const struct model_comparison *v, size_t i_score, struct strbuf *out)
{
	strbuf_printf(out, "$m%zu << EOD\n", i_score);
	for (size_t i = 0; i < v->n_points; i++) {
		if (v->point[i].i_score == i_score)
			put_point(&v->point[i], out);
	}
	strbuf_puts(out, "EOD\n");
}

/* One range for all panels. Ratios beyond a factor 2 are drawn at the rim. */
static void put_range(const struct model_comparison *v, struct strbuf *out)
{
	double lo = INFINITY, hi = 0, off = 1.2;

	for (size_t i = 0; i < v->n_points; i++) {
		double ratio = v->point[i].predicted_s / v->point[i].measured_s;

		lo = fmin(lo, v->point[i].measured_s);
		hi = fmax(hi, v->point[i].measured_s);
		off = fmax(off, fmin(2, fmax(ratio, 1 / ratio)));
	}
	strbuf_printf(out, "set xrange [%.3g:%.3g]\nset yrange [%.3g:%.3g]\n", lo / 1.2, hi * 1.2,
		      1 / off, off);
}

static void put_panel(const struct model_comparison *v, size_t i, struct strbuf *out)
{
	struct strbuf title = STRBUF_INIT;

	strbuf_printf(&title, "%s: %.1f %%", v->score[i].model, 100 * v->score[i].median_error);
	strbuf_puts(out, "set title ");
	gnuplot_put_text(strbuf_text(&title), out);
	strbuf_printf(out,
		      "\nplot 1 with lines lc rgb 'grey' notitle, "
		      "$m%zu using 1:2 with points pt 7 ps 0.2 notitle\n",
		      i);
	strbuf_release(&title);
}

/* Predicted over measured times, by measured ones: a panel for each model. Errors: those of
 * gnuplot_draw(). */
static enum err_code compare_draw(const char *path, const struct mine_target *on,
				  const struct model_comparison *v, struct err *e)
{
	struct strbuf script = STRBUF_INIT, title = STRBUF_INIT;
	enum err_code rc;

	for (size_t i = 0; i < v->n; i++)
		put_points(v, i, &script);
	strbuf_puts(&script,
		    "set logscale xy\nset format xy '%g'\nset ytics (0.5, 0.7, 1, 1.4, 2)\n"
		    "set xtics rotate by -45\n");
	put_range(v, &script);
	strbuf_printf(&title,
		      "%s on %s: held-out predicted / measured over measured [s], median error",
		      on->app->name, on->machine->name);
	strbuf_printf(&script, "set multiplot layout %zu,%d title ",
		      (v->n + PANELS_A_ROW - 1) / PANELS_A_ROW, PANELS_A_ROW);
	gnuplot_put_text(strbuf_text(&title), &script);
	strbuf_putc(&script, '\n');
	for (size_t i = 0; i < v->n; i++)
		put_panel(v, i, &script);
	strbuf_puts(&script, "unset multiplot\n");
	rc = script.failed || title.failed ? err_set(e, ERR_NOMEM, "the picture of a comparison")
					   : gnuplot_draw(path, strbuf_text(&script), e);
	strbuf_release(&script);
	strbuf_release(&title);
	return rc;
}

/* ---- the action ---- */

OPTION(opt_held_out, "held-out", "WHICH", .values = "configurations problems processors sizes",
       .help = "compare: what is held out in turn (default problems)");
OPTION(opt_model_plot, "plot", "FILE", .values = "FILE",
       .help = "compare: draw predicted over measured times of each model;\n"
	       "project: time, speed-up and where the time goes, of a formula its\n"
	       "speed-up; latency: times over processors; message, ranking: what is\n"
	       "printed (.svg, .png, .pdf by gnuplot; .gp is the script)");

static enum err_code compare_and_print(struct context *c, const struct mine_target *on,
				       struct err *e)
{
	const char *plot = options_get(&c->opt, &opt_model_plot);
	struct model_comparison found = {0};
	int held_out = HOLDOUT_PROBLEMS;
	enum err_code rc;

	if ((rc = options_choice(&c->opt, &opt_held_out, &held_out, e)) ||
	    (plot && (rc = gnuplot_check(plot, e))) ||
	    (rc = model_comparison_make(&c->session, on, (enum holdout)held_out, &found, e)))
		return rc;
	progress_bar_clear(&c->bar);
	rc = compare_print(c, on, (enum holdout)held_out, &found, e);
	if (!rc && plot)
		rc = compare_draw(plot, on, &found, e);
	model_comparison_release(&found);
	return rc;
}

/* What is for one configuration would be passed over here: say so. */
static enum err_code refuse_options(const struct context *c, struct err *e)
{
	static const struct option_spec *const other[] = {&opt_wg,    &opt_wg_fixup,   &opt_tile,
							  &opt_store, &opt_model_from, &opt_problem,
							  &opt_set};
	const char *name = c->opt.n_flags > 0 ? c->opt.flag[0].name : NULL;

	for (size_t i = 0; i < sizeof other / sizeof *other && !name; i++)
		name = options_has(&c->opt, other[i]) ? other[i]->name : NULL;
	if (name)
		return err_set(e, ERR_USAGE,
			       "compare asks about all runs of a machine, and calibrates Wg by "
			       "them: leave out --%s",
			       name);
	return ERR_OK;
}

enum err_code model_compare_run(struct context *c, struct err *e)
{
	struct application *app = NULL;
	struct machine *machine = NULL;
	struct mine_target on = {0};
	enum err_code rc;

	if (!(rc = refuse_options(c, e)) && !(rc = context_application(c, &app, &on.app_id, e)) &&
	    !(rc = context_machine(c, on.app_id, &machine, &on.machine_id, e))) {
		on.app = app;
		on.machine = machine;
		rc = compare_and_print(c, &on, e);
	}
	machine_free(machine);
	application_free(app);
	return rc;
}
