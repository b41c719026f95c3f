#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "cli/frame/cmd.h"
#include "cli/frame/gnuplot.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_options.h"

/* How much a program suffers when messages take longer on their way: run times with the machine's
 * latency L times each of some factors, by simulation and by models. */

/* One number of processors with one factor. Times in seconds; NaN: not simulated. */
struct latency_point {
	int64_t procs, npe_i, npe_j;
	double factor;
	double L_s; /* factor times the machine's */
	double simulated_s, loggp_s, lopc_s, pipeline_s;
};

struct latency_study {
	const char *app, *machine;   /* borrowed */
	struct latency_point *point; /* processors ascending, within them the factors as given */
	size_t n;
	double *factor;
	size_t n_factor;
	bool simulated; /* not by models alone */
};

/* $f0, $f1, ...: processors, simulated, by LogGP, by LoPC, for each factor. */
static void put_data(const struct latency_study *s, struct strbuf *out)
{
	for (size_t f = 0; f < s->n_factor; f++) {
		strbuf_printf(out, "$f%zu << EOD\n", f);
		for (size_t i = f; i < s->n; i += s->n_factor) {
			const struct latency_point *p = &s->point[i];

			strbuf_printf(out, "%lld ", (long long)p->procs);
			if (isnan(p->simulated_s))
				strbuf_puts(out, "NaN");
			else
				strbuf_printf(out, "%.6g", p->simulated_s);
			strbuf_printf(out, " %.6g %.6g\n", p->loggp_s, p->lopc_s);
		}
		strbuf_puts(out, "EOD\n");
	}
}

static void put_script(const struct latency_study *s, struct strbuf *out)
{
	struct strbuf title = STRBUF_INIT;

	put_data(s, out);
	strbuf_printf(&title, "%s on %s: lines by LogGP, dashed by LoPC%s", s->app, s->machine,
		      s->simulated ? ", points simulated" : "");
	strbuf_puts(out, "set title ");
	gnuplot_put_text(strbuf_text(&title), out);
	strbuf_puts(out, "\nset logscale x 2\nset logscale y\nset xlabel 'processors'\n"
			 "set ylabel 'run time [s]'\nset format y '%g'\nset key outside right\n"
			 "set grid\nplot");
	for (size_t f = 0; f < s->n_factor; f++) {
		strbuf_printf(out, "%s$f%zu using 1:3 with lines lc %zu title '%g L'",
			      f ? ", \\\n " : " ", f, f + 1, s->factor[f]);
		strbuf_printf(out, ", $f%zu using 1:4 with lines dt 2 lc %zu notitle", f, f + 1);
		if (s->simulated)
			strbuf_printf(out, ", $f%zu using 1:2 with points pt 7 lc %zu notitle", f,
				      f + 1);
	}
	strbuf_putc(out, '\n');
	strbuf_release(&title);
}

/* Draw run time over processors: points as simulated, lines by LogGP, dashed by LoPC, a colour for
 * each factor.
 * Errors: those of gnuplot_draw(). */
static enum err_code latency_plot_draw(const struct latency_study *s, const char *path,
				       struct err *e)
{
	struct strbuf script = STRBUF_INIT;
	enum err_code rc;

	put_script(s, &script);
	rc = script.failed ? err_set(e, ERR_NOMEM, "a plot")
			   : gnuplot_draw(path, strbuf_text(&script), e);
	strbuf_release(&script);
	return rc;
}

OPTION(opt_latency_factors, "factors", "N,...",
       .help = "latency: by what the latency is multiplied (default\n0,1,10,50,100)");
OPTION(opt_latency_model_only, "model-only", NULL,
       .help = "latency: simulate nothing, only the models");

enum { DEFAULT_MAX_PROCS = 64, STEP = 4 };

/* ---- what is asked ---- */

static enum err_code bad_factor(const char *text, struct err *e)
{
	return err_set(e, ERR_USAGE, "--factors: '%s' is not a number from 0 to 1000000", text);
}

static enum err_code read_factors(struct context *c, struct latency_study *s, struct err *e)
{
	static char defaults[][4] = {"0", "1", "10", "50", "100"};
	char **text = NULL, *end;
	size_t n = 0;
	enum err_code rc = options_list(&c->opt, &opt_latency_factors, &text, &n, e);

	if (rc)
		return rc;
	s->n_factor = n ? n : sizeof defaults / sizeof defaults[0];
	s->factor = calloc(s->n_factor, sizeof *s->factor);
	if (!s->factor)
		rc = err_set(e, ERR_NOMEM, "a study");
	for (size_t f = 0; f < s->n_factor && !rc; f++) {
		const char *one = n ? text[f] : defaults[f];

		s->factor[f] = strtod(one, &end);
		if (end == one || *end || !(s->factor[f] >= 0 && s->factor[f] <= 1e6))
			rc = bad_factor(one, e);
	}
	free(text);
	return rc;
}

static enum err_code check_machine(const struct machine *m, struct err *e)
{
	if (m->has_loggp)
		return ERR_OK;
	return err_set(e, ERR_NODATA,
		       "machine %s tells no latency L to be multiplied: give loggp in its file",
		       m->name);
}

/* ---- the study ---- */

/* The question's machine with another latency. */
static enum err_code set_latency(struct model_question *q, double L_s, struct err *e)
{
	struct loggp costs = q->machine->loggp;

	costs.L_s = L_s;
	return message_cost_from_loggp(&costs, &q->remote, e);
}

static enum err_code ask_model(struct model_question *q, const char *name, double *out_s,
			       struct err *e)
{
	const struct model *m;
	struct sweep_time time;
	enum err_code rc;

	if ((rc = model_find(name, &m, e)) || (rc = model_run(m, &q->input, &time, e)))
		return rc;
	*out_s = time.time_s;
	return ERR_OK;
}

/* q is configured with row. */
static enum err_code study_point(struct context *c, struct simulation *simulation,
				 struct model_question *q, const double *row, double factor,
				 struct latency_point *out, struct err *e)
{
	const struct sweep *sweep = &q->input.sweep;
	struct latency_point p = {.procs = sweep->npe_i * sweep->npe_j,
				  .npe_i = sweep->npe_i,
				  .npe_j = sweep->npe_j,
				  .factor = factor,
				  .L_s = factor * q->machine->loggp.L_s,
				  .simulated_s = NAN};
	enum err_code rc;

	if ((rc = set_latency(q, p.L_s, e)) || (rc = ask_model(q, "loggp", &p.loggp_s, e)) ||
	    (rc = ask_model(q, "lopc", &p.lopc_s, e)) ||
	    (rc = ask_model(q, "pipeline", &p.pipeline_s, e)))
		return rc;
	if (simulation && (rc = simulation_run(&c->session, simulation, q, row, &p.simulated_s, e)))
		return rc;
	*out = p;
	return ERR_OK;
}

/* 1, 4, 16, ... */
static size_t count_steps(long long max_procs)
{
	size_t n = 1;

	for (long long procs = STEP; procs <= max_procs; procs *= STEP)
		n++;
	return n;
}

/* simulation: NULL: the models alone. */
static enum err_code study(struct context *c, struct simulation *simulation,
			   struct model_question *q, long long max_procs, struct latency_study *s,
			   struct err *e)
{
	size_t total = count_steps(max_procs) * s->n_factor;
	double *row = calloc(q->app->n_columns, sizeof *row);
	enum err_code rc = ERR_OK;

	s->point = calloc(total, sizeof *s->point);
	if (!row || !s->point)
		rc = err_set(e, ERR_NOMEM, "a study");
	for (long long procs = 1; procs <= max_procs && !rc; procs *= STEP) {
		rc = model_question_set_procs(q, procs, row, e);
		for (size_t f = 0; f < s->n_factor && !rc; f++) {
			if (!progress_step(c->session.progress, "run times", s->n, total))
				rc = err_set(e, ERR_INTERRUPTED, "interrupted");
			else
				rc = study_point(c, simulation, q, row, s->factor[f],
						 &s->point[s->n], e);
			s->n += !rc;
		}
	}
	free(row);
	return rc;
}

/* ---- output ---- */

static const struct out_column latency_columns[] = {
	{"procs", NULL, OUT_INT},
	{"npe_i", NULL, OUT_INT},
	{"npe_j", NULL, OUT_INT},
	{"latency_factor", "times L", OUT_REAL},
	{"L_s", "latency", OUT_SECONDS},
	{"simulated_s", "simulated", OUT_SECONDS},
	{"simulated_ratio", "against 1 L", OUT_REAL},
	{"loggp_s", "loggp", OUT_SECONDS},
	{"loggp_ratio", "against 1 L", OUT_REAL},
	{"lopc_s", "lopc", OUT_SECONDS},
	{"lopc_ratio", "against 1 L", OUT_REAL},
	{"pipeline_s", "pipeline", OUT_SECONDS},
	{"pipeline_ratio", "against 1 L", OUT_REAL},
};

/* The point of the same processors at the machine's own latency; NULL: not asked for. */
static const struct latency_point *at_own_latency(const struct latency_study *s,
						  const struct latency_point *p)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->point[i].procs == p->procs && s->point[i].factor == 1)
			return &s->point[i];
	}
	return NULL;
}

static enum err_code print_study(const struct context *c, const struct latency_study *s,
				 struct err *e)
{
	struct out_table *t =
		out_table_new(latency_columns, sizeof latency_columns / sizeof latency_columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "a study");
	for (size_t i = 0; i < s->n; i++) {
		const struct latency_point *p = &s->point[i], *one = at_own_latency(s, p);

		out_int(t, p->procs);
		out_int(t, p->npe_i);
		out_int(t, p->npe_j);
		out_real(t, p->factor);
		out_real(t, p->L_s);
		out_real(t, p->simulated_s);
		out_real(t, one ? p->simulated_s / one->simulated_s : NAN);
		out_real(t, p->loggp_s);
		out_real(t, one ? p->loggp_s / one->loggp_s : NAN);
		out_real(t, p->lopc_s);
		out_real(t, one ? p->lopc_s / one->lopc_s : NAN);
		out_real(t, p->pipeline_s);
		out_real(t, one ? p->pipeline_s / one->pipeline_s : NAN);
	}
	rc = out_table_print(t, c->format, "latency_study", c->out, e);
	out_table_free(t);
	return rc;
}

/* ---- the action ---- */

static enum err_code run_study(struct context *c, struct model_question *q,
			       struct simulation *simulation, struct latency_study *s,
			       struct err *e)
{
	bool model_only = options_has(&c->opt, &opt_latency_model_only);
	const char *plot = options_get(&c->opt, &opt_model_plot);
	long long max_procs = DEFAULT_MAX_PROCS;
	enum err_code rc;

	if ((rc = options_integer(&c->opt, &opt_model_max_procs, 1, SIMULATION_MAX_PROCS,
				  &max_procs, e)) ||
	    (rc = read_factors(c, s, e)) || (plot && (rc = gnuplot_check(plot, e))) ||
	    (!model_only && (rc = simulation_open(c, simulation, e))) ||
	    (rc = model_question_read(c, "loggp", q, e)) ||
	    (rc = model_question_read_row(c, q, e)) ||
	    (rc = model_question_refuse_grid(q, "the study", e)) ||
	    (rc = check_machine(q->machine, e)) ||
	    (rc = study(c, model_only ? NULL : simulation, q, max_procs, s, e)))
		return rc;
	progress_bar_clear(&c->bar);
	s->simulated = !model_only;
	s->app = q->app->name;
	s->machine = q->machine->name;
	rc = print_study(c, s, e);
	return !rc && plot ? latency_plot_draw(s, plot, e) : rc;
}

enum err_code model_latency_run(struct context *c, struct err *e)
{
	struct model_question q = {0};
	struct simulation simulation = {0};
	struct latency_study s = {0};
	enum err_code rc = run_study(c, &q, &simulation, &s, e);

	free(s.point);
	free(s.factor);
	simulation_release(&simulation);
	model_question_release(&q);
	return rc;
}
