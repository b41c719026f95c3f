#include "cli/model/cmd_model_project.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/study_json.h"
#include "base/units.h"
#include "cli/frame/cmd.h"
#include "cli/frame/gnuplot.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_formula.h"
#include "cli/model/model_options.h"
#include "domain/configuration.h"

OPTION(opt_project_procs, "procs", "N|IxJ,...",
       .help = "project: on these numbers of processors, or grids, instead of\n"
	       "1, 2, 4, ...: 100,50x50");

/* ---- where to ---- */

static enum err_code read_place(const char *text, struct projection_place *out, struct err *e)
{
	const char *x = strchr(text, 'x');
	char first[32];
	size_t len = x ? (size_t)(x - text) : strlen(text);

	*out = (struct projection_place){0};
	snprintf(first, sizeof first, "%.*s", (int)len, text);
	if (len >= sizeof first || integer_parse(first, 1, SWEEP_MAX_COUNT, &out->procs, NULL) ||
	    (x && integer_parse(x + 1, 1, SWEEP_MAX_COUNT, &out->npe_j, NULL)))
		return err_set(e, ERR_USAGE,
			       "--procs %s: write numbers of processors or grids, as 100,50x50",
			       text);
	if (!x)
		return ERR_OK;
	out->npe_i = out->procs;
	if (out->npe_i > SWEEP_MAX_COUNT / out->npe_j)
		return err_set(e, ERR_USAGE, "--procs %s: more processors than the models count to",
			       text);
	out->procs *= out->npe_j;
	return ERR_OK;
}

static int by_procs(const void *a, const void *b)
{
	const struct projection_place *x = a, *y = b;

	return (x->procs > y->procs) - (x->procs < y->procs);
}

/* 1, 2, 4, ... */
static size_t put_doublings(int64_t max_procs, struct projection_place *out)
{
	size_t n = 0;

	for (int64_t procs = 1; procs <= max_procs; procs *= 2, n++) {
		if (out)
			out[n] = (struct projection_place){.procs = procs};
	}
	return n;
}

enum err_code projection_places(const struct context *c, int64_t max_procs,
				struct projection_place **out, size_t *n, struct err *e)
{
	struct projection_place *place = NULL;
	char **list = NULL;
	size_t n_list = 0, n_places;
	enum err_code rc = options_list(&c->opt, &opt_project_procs, &list, &n_list, e);

	if (rc)
		return rc;
	n_places = n_list > 0 ? n_list : put_doublings(max_procs, NULL);
	place = calloc(n_places > 0 ? n_places : 1, sizeof *place);
	if (!place)
		rc = err_set(e, ERR_NOMEM, "%zu numbers of processors", n_places);
	else if (n_list == 0)
		put_doublings(max_procs, place);
	for (size_t i = 0; i < n_list && !rc; i++)
		rc = read_place(list[i], &place[i], e);
	free(list);
	if (rc) {
		free(place);
		return rc;
	}
	qsort(place, n_places, sizeof *place, by_procs);
	*out = place;
	*n = n_places;
	return ERR_OK;
}

/* ---- the table ---- */

static const struct out_column columns[] = {
	{"procs", NULL, OUT_INT},
	{"npe_i", NULL, OUT_INT},
	{"npe_j", NULL, OUT_INT},
	{"time_s", "time", OUT_SECONDS},
	{"speedup", "speed-up", OUT_REAL},
	{"efficiency", NULL, OUT_PERCENT},
	{"compute_s", "compute", OUT_SECONDS},
	{"comm_s", "communication", OUT_SECONDS},
	{"fill_s", "fill", OUT_SECONDS},
	{"sync_s", "synchronisation", OUT_SECONDS},
	{"other_s", "other", OUT_SECONDS},
	{"Wg_s", "Wg", OUT_SECONDS},
	{"support", NULL, OUT_TEXT},
};

static struct out_table *make_table(const struct projection *p)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);

	for (size_t i = 0; t && i < p->n; i++) {
		const struct projected *r = &p->row[i];
		const struct breakdown *b = &r->time.parts;

		out_int(t, r->procs);
		out_int(t, r->npe_i);
		out_int(t, r->npe_j);
		out_real(t, r->time.time_s);
		out_real(t, projection_speedup(p, i));
		out_real(t, projection_efficiency(p, i));
		out_real(t, b->compute_s);
		out_real(t, b->comm_s);
		out_real(t, b->fill_s);
		out_real(t, b->sync_s);
		out_real(t, b->other_s);
		out_real(t, r->Wg_s);
		out_text(t, support_name(r->support));
	}
	return t;
}

/* ---- for people ---- */

/* A problem that grows with the processors takes longer with them: only how well they are used
 * tells where to stop. */
static void print_gain(const struct context *c, const struct projection *p)
{
	const struct scaling *s = &p->scaling;

	if (s->stops_at)
		fprintf(c->out,
			"scaling stops at %" PRId64
			" processors: beyond, no doubling saves %.0f %% of the time\n",
			s->stops_at, 100 * SCALING_LEAST_GAIN);
	else
		fprintf(c->out, "scaling does not stop up to %" PRId64 " processor%s\n",
			p->row[p->n - 1].procs, p->row[p->n - 1].procs == 1 ? "" : "s");
	if (s->rises_at)
		fprintf(c->out,
			"the time is least on %" PRId64 " processors, and longer on %" PRId64 "\n",
			s->fastest, s->rises_at);
}

static void print_scaling(const struct context *c, const struct projection *p)
{
	fputc('\n', c->out);
	if (!p->per_proc)
		print_gain(c, p);
	if (isnan(p->one_s))
		return;
	if (p->efficient_to == p->row[p->n - 1].procs)
		fprintf(c->out, "efficiency is at least %.0f %% everywhere\n",
			100 * p->least_efficiency);
	else if (p->efficient_to)
		fprintf(c->out, "efficiency is at least %.0f %% up to %" PRId64 " processor%s\n",
			100 * p->least_efficiency, p->efficient_to,
			p->efficient_to == 1 ? "" : "s");
	else
		fprintf(c->out, "efficiency is below %.0f %% everywhere\n",
			100 * p->least_efficiency);
}

static void print_support(const struct context *c, const struct projection *p)
{
	const char *machine = p->question->machine->name;
	size_t n_outside = 0;

	for (size_t i = 0; i < p->n; i++)
		n_outside += p->row[i].support == SUPPORT_OUTSIDE;
	if (!p->question->predictor)
		context_print(c, "extrapolation: all of it; no runs on %s were mined\n", machine);
	else if (n_outside > 0)
		context_print(c,
			      "extrapolation: %zu of %zu rows are outside of the runs seen on %s\n",
			      n_outside, p->n, machine);
}

static enum err_code print_json(const struct context *c, const struct projection *p, struct err *e)
{
	struct json_t *answer = projection_json(p);

	return out_answer(!answer, answer, "a projection", c->out, e);
}

static enum err_code projection_print(const struct context *c, const struct projection *p,
				      struct err *e)
{
	struct out_table *t;
	enum err_code rc;

	if (c->format == FORMAT_JSON)
		return print_json(c, p, e);
	t = make_table(p);
	if (!t)
		return err_set(e, ERR_NOMEM, "a projection");
	rc = out_table_print(t, c->format, "projection", c->out, e);
	if (c->format == FORMAT_TABLE && !rc) {
		print_scaling(c, p);
		print_support(c, p);
	}
	out_table_free(t);
	return rc;
}

/* ---- the picture ---- */

/* procs, time, speed-up, efficiency, then the parts as shares that add up, 1 where extrapolated */
static void put_data(const struct projection *p, struct strbuf *out)
{
	strbuf_puts(out, "$p << EOD\n");
	for (size_t i = 0; i < p->n; i++) {
		const struct projected *r = &p->row[i];
		const struct breakdown *b = &r->time.parts;
		const double part[] = {b->compute_s, b->comm_s, b->fill_s, b->sync_s, b->other_s};
		double sum = 0;

		strbuf_printf(out, "%" PRId64 " %.6g %.6g %.4f", r->procs, r->time.time_s,
			      projection_speedup(p, i), 100 * projection_efficiency(p, i));
		for (size_t k = 0; k < sizeof part / sizeof part[0]; k++)
			strbuf_printf(out, " %.4f", 100 * (sum += part[k]) / breakdown_total_s(b));
		strbuf_printf(out, " %d\n", r->support == SUPPORT_OUTSIDE);
	}
	strbuf_puts(out, "EOD\n");
}

static void put_title(const struct projection *p, struct strbuf *out)
{
	const struct model_question *q = p->question;
	struct strbuf title = STRBUF_INIT;

	if (p->per_proc)
		strbuf_puts(&title, "the same cells on each processor");
	else
		configuration_put_problem(q->app, q->row, &title);
	strbuf_printf(&title, " by model %s on %s (hollow: extrapolated)", q->model->name,
		      q->machine->name);
	strbuf_puts(out, "set multiplot layout 2,2 title ");
	gnuplot_put_text(strbuf_text(&title), out);
	strbuf_puts(out, "\nset xlabel 'processors'\n");
	strbuf_release(&title);
}

/* A line with full and hollow points over column y. */
static void put_curve(int y, const char *title, const char *beside, struct strbuf *out)
{
	strbuf_printf(out,
		      "set title '%s'\n"
		      "plot %s$p using 1:%d with lines lc 1 notitle, \\\n"
		      "  $p using 1:($10 == 0 ? $%d : NaN) with points pt 7 lc 1 notitle, \\\n"
		      "  $p using 1:($10 == 1 ? $%d : NaN) with points pt 6 lc 1 notitle\n",
		      title, beside, y, y, y);
}

/* From the top of the stack down, each over the next. */
static void put_stack(struct strbuf *out)
{
	static const char *const part[] = {"compute", "communication", "fill", "synchronisation",
					   "other"};
	const int n = (int)(sizeof part / sizeof part[0]);

	strbuf_puts(out, "unset logscale y\nset yrange [0:100]\nset key inside left bottom opaque "
			 "samplen 1\n"
			 "set title 'share of the time [%]'\nplot ");
	for (int k = n - 1; k >= 0; k--)
		strbuf_printf(out, "%s$p using 1:%d with filledcurves y1=0 lc %d title '%s'",
			      k < n - 1 ? ", \\\n  " : "", 5 + k, k + 2, part[k]);
	strbuf_putc(out, '\n');
}

static enum err_code projection_draw(const char *path, const struct projection *p, struct err *e)
{
	struct strbuf script = STRBUF_INIT;
	enum err_code rc;

	put_data(p, &script);
	put_title(p, &script);
	strbuf_printf(&script,
		      "set logscale x 2\nset logscale y\nset format x '%%g'\nset format y '%%g'\n"
		      "set xrange [1:%" PRId64 "]\nset xtics 8\n",
		      p->row[p->n - 1].procs > 1 ? p->row[p->n - 1].procs : 2);
	put_curve(2, "time [s]", "", &script);
	put_curve(3, "speed-up (grey: ideal)", "x with lines lc rgb 'grey' notitle, ", &script);
	strbuf_puts(&script, "unset logscale y\nset yrange [0:*]\n");
	put_curve(4, "efficiency [%]", "", &script);
	put_stack(&script);
	strbuf_puts(&script, "unset multiplot\n");
	rc = script.failed ? err_set(e, ERR_NOMEM, "the picture of a projection")
			   : gnuplot_draw(path, strbuf_text(&script), e);
	strbuf_release(&script);
	return rc;
}

OPTION(opt_model_max_procs, "max-procs", "N",
       .help = "project: up to N processors (default 4096); latency: 64");

OPTION(opt_project_per_proc, "per-proc", "IxJxK",
       .help = "project: cells of each processor; the problem grows with the\n"
	       "processors, and speed-up is by as much more work");
OPTION(opt_project_efficiency, "least-efficiency", "F",
       .help = "project: up to which processors it is at least this (default 0.5)");

/* ---- a problem that grows with the processors ---- */

/* --per-proc 20x20x1000 */
static enum err_code read_per_proc(const struct context *c, double size[3], bool *given,
				   struct err *e)
{
	const char *text = options_get(&c->opt, &opt_project_per_proc), *p = text;
	char *end = NULL;

	*given = text != NULL;
	for (int i = 0; i < 3 && text; i++) {
		size[i] = (double)strtoll(p, &end, 10);
		if (end == p || *end != (i < 2 ? 'x' : '\0') || !(size[i] >= 1) ||
		    !(size[i] <= (double)SWEEP_MAX_COUNT))
			return err_set(e, ERR_USAGE,
				       "--per-proc %s: write the cells of each processor like "
				       "20x20x1000",
				       text);
		p = end + 1;
	}
	if (text && options_has(&c->opt, &opt_problem))
		return err_set(e, ERR_USAGE,
			       "--per-proc says how large the problem is on each processor: leave "
			       "out --problem");
	return ERR_OK;
}

/* ---- the action ---- */

static enum err_code read_question(struct context *c, struct model_question *q,
				   struct projection_request *at, int64_t max_procs, struct err *e)
{
	enum err_code rc;

	at->listed = options_has(&c->opt, &opt_project_procs);
	if ((rc = options_number(&c->opt, &opt_project_efficiency, 0, 1, &at->least_efficiency,
				 e)) ||
	    (rc = read_per_proc(c, at->size, &at->per_proc, e)) ||
	    (rc = projection_places(c, max_procs, &at->place, &at->n, e)) ||
	    (rc = model_question_read(c, c->operand[0], q, e)) ||
	    (rc = at->per_proc ? model_question_read_growing(c, q, e)
			       : model_question_read_row(c, q, e)) ||
	    (rc = model_question_refuse_grid(q, "a projection", e)))
		return rc;
	return model_question_load_mined(&c->session, q, e);
}

static enum err_code project_wavefront(struct context *c, long long max_procs, struct err *e)
{
	const char *plot = options_get(&c->opt, &opt_model_plot);
	struct model_question q = {0};
	struct projection_request at = {.least_efficiency = SCALING_LEAST_EFFICIENCY};
	struct projection p = {0};
	enum err_code rc;

	if ((plot && (rc = gnuplot_check(plot, e))) ||
	    (rc = read_question(c, &q, &at, max_procs, e)) ||
	    (rc = projection_find(&c->session, &q, &at, &p, e)))
		goto done;
	progress_bar_clear(&c->bar);
	model_note_caveat(c, q.model);
	rc = projection_print(c, &p, e);
	if (!rc && plot)
		rc = projection_draw(plot, &p, e);
done:
	projection_release(&p);
	free(at.place);
	model_question_release(&q);
	return rc;
}

enum err_code model_project_run(struct context *c, struct err *e)
{
	const struct model *m;
	long long max_procs = 4096;
	enum err_code rc;

	if ((rc = options_integer(&c->opt, &opt_model_max_procs, 1, SWEEP_MAX_COUNT, &max_procs,
				  e)) ||
	    (rc = model_find(c->operand[0], &m, e)))
		return rc;
	return m->formula ? model_formula_project(c, m, max_procs, e)
			  : project_wavefront(c, max_procs, e);
}
