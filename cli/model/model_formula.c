#include "cli/model/model_formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/import_runs.h"
#include "api/model_json.h"
#include "api/model_question.h"
#include "base/err.h"
#include "base/units.h"
#include "cli/frame/context.h"
#include "cli/frame/gnuplot.h"
#include "cli/model/cmd_model_project.h"
#include "cli/model/model_actions.h"
#include "domain/application.h"

/* --store of a formula: its time becomes a modelled run of an application without a definition,
 * --app, on a machine, --machine. The formula's inputs are the problem, its processors the nodes.
 */

/* ---- --store ---- */

/* What a formula calls the run time. */
static const char run_time[] = "time_s";

/* n_results: it gives none. */
static size_t find_time(const struct formula *f)
{
	size_t i = 0;

	while (i < f->n_results && strcmp(f->result[i].name, run_time) != 0)
		i++;
	return i;
}

/* Before anything is asked. Errors: USAGE (the formula gives no run time, only speed-up or costs;
 * no --app or --machine). */
static enum err_code formula_store_check(const struct context *c, const struct model *m,
					 struct err *e)
{
	if (find_time(m->formula) == m->formula->n_results)
		return err_set(
			e, ERR_USAGE,
			"--store: model %s gives no time of a run (no %s among its results), "
			"so there is no run to keep",
			m->name, run_time);
	if (!options_get(&c->opt, &opt_app) || !options_get(&c->opt, &opt_machine))
		return err_set(e, ERR_USAGE,
			       "--store: which program on which machine took that long? Give --app "
			       "NAME and --machine NAME");
	return ERR_OK;
}

static double input_of(const struct formula *f, const double *in, size_t i)
{
	return isnan(in[i]) ? f->input[i].dflt : in[i];
}

static void put_table(const struct formula *f, const double *in, double time_s, const char *model,
		      struct strbuf *csv)
{
	char number[REAL_TEXT_SIZE];

	for (size_t i = 0; i < f->n_inputs; i++)
		strbuf_printf(csv, "%s,", f->input[i].name);
	strbuf_printf(csv, "%s,model\n", run_time);
	for (size_t i = 0; i < f->n_inputs; i++)
		strbuf_printf(csv, "%s,", real_text(input_of(f, in, i), number));
	strbuf_printf(csv, "%s,%s\n", real_text(time_s, number), model);
}

/* What was given, as typed: defaults say nothing. */
static void put_origin(const struct formula *f, const double *in, const char *model,
		       struct strbuf *out)
{
	char number[REAL_TEXT_SIZE];

	strbuf_printf(out, "model %s", model);
	for (size_t i = 0; i < f->n_inputs; i++) {
		if (!isnan(in[i]))
			strbuf_printf(out, " %s=%s", f->input[i].name, real_text(in[i], number));
	}
}

/* in[n_inputs], NaN for what was not given; value[n_results]. Errors: those of
 * made_table_store(). */
static enum err_code formula_store(struct context *c, const struct model *m, const double *in,
				   const double *value, struct err *e)
{
	const struct formula *f = m->formula;
	const char *problem[FORMULA_MAX_INPUTS + 1] = {NULL};
	const char *const nodes_column[] = {f->procs, NULL}, *const nodes_field[] = {"nodes", NULL};
	const struct ad_hoc app = {
		.name = options_get(&c->opt, &opt_app),
		.target = run_time,
		.problem = problem,
		.resource_column = f->procs ? nodes_column : NULL,
		.resource_field = f->procs ? nodes_field : NULL,
	};
	struct strbuf csv = STRBUF_INIT, origin = STRBUF_INIT;
	enum err_code rc;
	size_t n = 0;

	for (size_t i = 0; i < f->n_inputs; i++) {
		if (!f->procs || strcmp(f->input[i].name, f->procs) != 0)
			problem[n++] = f->input[i].name;
	}
	put_table(f, in, value[find_time(f)], m->name, &csv);
	put_origin(f, in, m->name, &origin);
	if (csv.failed || origin.failed)
		rc = err_set(e, ERR_NOMEM, "a modelled run");
	else
		rc = made_table_store(
			&c->session,
			&(struct made_table){.csv = strbuf_text(&csv),
					     .app = app.name,
					     .ad_hoc = &app,
					     .machine = options_get(&c->opt, &opt_machine),
					     .source = SOURCE_MODELLED,
					     .origin = strbuf_text(&origin)},
			e);
	strbuf_release(&csv);
	strbuf_release(&origin);
	return rc;
}

OPTION(opt_formula_sizes, "sizes", "N,...",
       .help = "project, of a kredel model: these sizes of the problem, a row (and a\n"
	       "curve) for each");

void model_note_caveat(const struct context *c, const struct model *m)
{
	if (m->caveat)
		context_note(c, "model %s: %s", m->name, m->caveat);
}

/* ---- what is asked ---- */

void model_formula_put_inputs(const struct formula *f, struct strbuf *out)
{
	char number[REAL_TEXT_SIZE];

	for (size_t i = 0; i < f->n_inputs; i++) {
		strbuf_printf(out, "%s%s", i > 0 ? ", " : "", f->input[i].name);
		if (!isnan(f->input[i].dflt))
			strbuf_printf(out, " [%s]", real_text(f->input[i].dflt, number));
	}
}

/* --store asks whose time it is. */
static bool is_for_store(const struct context *c, const char *name)
{
	return options_has(&c->opt, &opt_store) &&
	       (!strcmp(name, "app") || !strcmp(name, "machine"));
}

static enum err_code refuse(const struct model *m, const char *option, struct err *e)
{
	return err_set(
		e, ERR_USAGE,
		"model %s takes numbers by --set NAME=VALUE,..., and no --%s (`lemnos model` lists what it takes)",
		m->name, option);
}

/* What is for the wavefront models would be passed over here: say so. */
static enum err_code check_options(const struct context *c, const struct model *m, struct err *e)
{
	static const char *const wavefront_only[] = {
		"problem",	"machine", "app",      "wg",	   "wg-fixup", "wg-pre",  "tile",
		"nonwavefront", "from",	   "held-out", "w-before", "w-after",  "per-proc"};

	for (size_t i = 0; i < c->opt.n_given; i++) {
		const char *name = c->opt.given[i].spec->name;

		for (size_t k = 0; k < sizeof wavefront_only / sizeof *wavefront_only; k++) {
			if (!strcmp(name, wavefront_only[k]) && !is_for_store(c, name))
				return refuse(m, name, e);
		}
	}
	return c->opt.n_flags > 0 ? refuse(m, c->opt.flag[0].name, e) : ERR_OK;
}

static enum err_code unknown_input(const struct formula *f, const char *name, struct err *e)
{
	struct strbuf names = STRBUF_INIT;
	enum err_code rc;

	for (size_t i = 0; i < f->n_inputs; i++)
		strbuf_printf(&names, "%s%s", i > 0 ? ", " : "", f->input[i].name);
	rc = err_set(e, ERR_USAGE, "--set: the model takes no %s; it takes %s", name,
		     strbuf_text(&names));
	strbuf_release(&names);
	return rc;
}

/* "name=value", which is cut in two. */
static enum err_code set_input(const struct formula *f, char *item, double *in, struct err *e)
{
	char *equals = strchr(item, '=');
	struct err why = {0};
	double value;
	size_t i;

	if (!equals)
		return err_set(e, ERR_USAGE, "--set %s: write NAME=VALUE", item);
	*equals = '\0';
	i = formula_find_input(f, item);
	if (i == f->n_inputs)
		return unknown_input(f, item, e);
	if (number_parse(equals + 1, &value, &why))
		return err_set(e, ERR_USAGE, "--set %s: %s", item, why.msg);
	if (!isnan(in[i]) && in[i] != value)
		return err_set(e, ERR_USAGE, "--set: %s is given twice with different values",
			       item);
	in[i] = value;
	return ERR_OK;
}

/* in[FORMULA_MAX_INPUTS], NaN where nothing was given. */
enum err_code model_formula_read_inputs(const struct context *c, const struct model *m, double *in,
					struct err *e)
{
	char **list = NULL;
	enum err_code rc = check_options(c, m, e);

	if (rc || (rc = options_list(&c->opt, &opt_set, &list, NULL, e)))
		return rc;
	for (size_t i = 0; i < FORMULA_MAX_INPUTS; i++)
		in[i] = NAN;
	for (char **item = list; *item && !rc; item++)
		rc = set_input(m->formula, *item, in, e);
	free(list);
	return rc;
}

/* ---- run ---- */

static const struct out_column result_columns[] = {
	{"quantity", NULL, OUT_TEXT},
	{"value", NULL, OUT_REAL},
	{"meaning", NULL, OUT_TEXT},
};

static enum err_code print_results(const struct context *c, const struct model *m,
				   const double *value, struct err *e)
{
	const struct formula *f = m->formula;
	struct out_table *t =
		out_table_new(result_columns, sizeof result_columns / sizeof result_columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the answer of a model");
	for (size_t i = 0; i < f->n_results; i++) {
		out_text(t, f->result[i].name);
		out_real(t, value[i]);
		out_text(t, f->result[i].meaning);
	}
	if (c->format == FORMAT_TABLE)
		fprintf(c->out, "model %s (%s)\n\n", m->name, m->source);
	rc = out_table_print(t, c->format, "results", c->out, e);
	out_table_free(t);
	return rc;
}

static enum err_code print_json(const struct context *c, const struct model *m, const double *in,
				const double *value, struct err *e)
{
	struct json_t *answer = formula_json(m, in, value);

	return out_answer(!answer, answer, "the answer of a model", c->out, e);
}

enum err_code model_formula_run(struct context *c, const struct model *m, struct err *e)
{
	double in[FORMULA_MAX_INPUTS], value[FORMULA_MAX_RESULTS];
	bool kept = options_has(&c->opt, &opt_store);
	enum err_code rc;

	if (options_has(&c->opt, &opt_model_plot))
		return refuse(m, opt_model_plot.name, e);
	if ((kept && (rc = formula_store_check(c, m, e))) ||
	    (rc = model_formula_read_inputs(c, m, in, e)) ||
	    (rc = formula_evaluate(m->formula, in, value, e)))
		return rc;
	rc = c->format == FORMAT_JSON ? print_json(c, m, in, value, e)
				      : print_results(c, m, value, e);
	return !rc && kept ? formula_store(c, m, in, value, e) : rc;
}

/* ---- project ---- */

/* What is projected: the formula on 1, 2, 4, ... processors or those given, for each size. */
struct curves {
	const struct formula *f;
	double in[FORMULA_MAX_INPUTS];
	size_t i_procs, i_size; /* n_inputs: no sizes were given */
	double *size;		/* [n_sizes]; one that is not used without --sizes */
	size_t n_sizes;
	struct projection_place *place; /* [n_places], ascending */
	size_t n_places;
};

static void curves_release(struct curves *k)
{
	free(k->size);
	free(k->place);
}

static enum err_code read_sizes(const struct context *c, const struct model *m, struct curves *k,
				struct err *e)
{
	const struct formula *f = m->formula;
	char **list = NULL;
	size_t n = 0;
	enum err_code rc = options_list(&c->opt, &opt_formula_sizes, &list, &n, e);

	if (rc)
		return rc;
	k->i_size = n > 0 && f->size ? formula_find_input(f, f->size) : f->n_inputs;
	if (n > 0 && !f->size)
		rc = err_set(e, ERR_USAGE, "--sizes: model %s has no size of a problem", m->name);
	else if (n > 0 && !isnan(k->in[k->i_size]))
		rc = err_set(e, ERR_USAGE, "--sizes gives %s; leave it out of --set", f->size);
	k->n_sizes = n > 0 ? n : 1;
	k->size = calloc(k->n_sizes, sizeof *k->size);
	if (!rc && !k->size)
		rc = err_set(e, ERR_NOMEM, "%zu sizes", k->n_sizes);
	for (size_t i = 0; i < n && !rc; i++) {
		struct err why = {0};

		if (number_parse(list[i], &k->size[i], &why))
			rc = err_set(e, ERR_USAGE, "--sizes %s: %s", list[i], why.msg);
	}
	free(list);
	return rc;
}

static enum err_code read_curves(const struct context *c, const struct model *m, int64_t max_procs,
				 struct curves *k, struct err *e)
{
	const struct formula *f = m->formula;
	enum err_code rc;

	k->f = f;
	if (!f->procs)
		return err_set(e, ERR_USAGE, "model %s has no processor count to raise: use run",
			       m->name);
	if ((rc = model_formula_read_inputs(c, m, k->in, e)))
		return rc;
	k->i_procs = formula_find_input(f, f->procs);
	if (!isnan(k->in[k->i_procs]))
		return err_set(e, ERR_USAGE,
			       "a projection takes %s = 1, 2, 4, ... or --procs; leave it out of "
			       "--set",
			       f->procs);
	if ((rc = read_sizes(c, m, k, e)))
		return rc;
	return projection_places(c, max_procs, &k->place, &k->n_places, e);
}

static enum err_code evaluate_at(const struct curves *k, size_t i_size, double procs, double *value,
				 struct err *e)
{
	double in[FORMULA_MAX_INPUTS];

	memcpy(in, k->in, sizeof in);
	in[k->i_procs] = procs;
	if (k->i_size < k->f->n_inputs)
		in[k->i_size] = k->size[i_size];
	return formula_evaluate(k->f, in, value, e);
}

static struct out_table *projection_table(const struct curves *k)
{
	const struct formula *f = k->f;
	struct out_column column[FORMULA_MAX_RESULTS + 2];
	size_t n = 0;

	if (k->i_size < f->n_inputs)
		column[n++] = (struct out_column){f->size, NULL, OUT_REAL};
	column[n++] = (struct out_column){f->procs, NULL, OUT_INT};
	for (size_t i = 0; i < f->n_results; i++)
		column[n++] = (struct out_column){f->result[i].name, NULL, OUT_REAL};
	return out_table_new(column, n);
}

static enum err_code print_curves(const struct context *c, const struct curves *k, struct err *e)
{
	struct out_table *t = projection_table(k);
	double value[FORMULA_MAX_RESULTS];
	enum err_code rc = t ? ERR_OK : err_set(e, ERR_NOMEM, "a projection");

	for (size_t s = 0; s < k->n_sizes && !rc; s++) {
		for (size_t p = 0; p < k->n_places && !rc; p++) {
			rc = evaluate_at(k, s, (double)k->place[p].procs, value, e);
			if (k->i_size < k->f->n_inputs)
				out_real(t, k->size[s]);
			out_int(t, k->place[p].procs);
			for (size_t i = 0; i < k->f->n_results && !rc; i++)
				out_real(t, value[i]);
		}
	}
	if (!rc)
		rc = out_table_print(t, c->format, "projection", c->out, e);
	out_table_free(t);
	return rc;
}

/* Speed-up over processors, a curve for each size, as the papers draw it: both axes linear. */
static enum err_code draw_curves(const char *path, const struct model *m, const struct curves *k,
				 struct err *e)
{
	enum { POINTS = 400 };
	struct strbuf script = STRBUF_INIT;
	double last = (double)k->place[k->n_places - 1].procs, value[FORMULA_MAX_RESULTS];
	size_t i_speedup = formula_find_result(k->f, "speedup");
	enum err_code rc = ERR_OK;

	if (i_speedup == k->f->n_results)
		return err_set(e, ERR_USAGE, "--plot: model %s gives no speed-up to draw", m->name);
	for (size_t s = 0; s < k->n_sizes && !rc; s++) {
		strbuf_printf(&script, "$s%zu << EOD\n", s);
		for (int i = 0; i <= POINTS && !rc; i++) {
			double procs = 1 + (last - 1) * i / POINTS;

			if (!(rc = evaluate_at(k, s, procs, value, e)))
				strbuf_printf(&script, "%.6g %.6g\n", procs, value[i_speedup]);
		}
		strbuf_puts(&script, "EOD\n");
	}
	strbuf_printf(&script, "set title 'speed-up by model %s'\nset xlabel '%s'\n", m->name,
		      k->f->procs);
	strbuf_puts(&script, "set ylabel 'S'\nset key left top\nset yrange [0:*]\nplot ");
	for (size_t s = 0; s < k->n_sizes; s++) {
		strbuf_printf(&script, "%s$s%zu with lines lc %zu ", s > 0 ? ", \\\n  " : "", s,
			      s + 1);
		if (k->i_size < k->f->n_inputs)
			strbuf_printf(&script, "title '%s = %g'", k->f->size, k->size[s]);
		else
			strbuf_puts(&script, "notitle");
	}
	strbuf_putc(&script, '\n');
	if (!rc)
		rc = script.failed ? err_set(e, ERR_NOMEM, "the picture of a projection")
				   : gnuplot_draw(path, strbuf_text(&script), e);
	strbuf_release(&script);
	return rc;
}

enum err_code model_formula_project(struct context *c, const struct model *m, int64_t max_procs,
				    struct err *e)
{
	const char *plot = options_get(&c->opt, &opt_model_plot);
	struct curves k = {0};
	enum err_code rc;

	if (!(plot && (rc = gnuplot_check(plot, e))) &&
	    !(rc = read_curves(c, m, max_procs, &k, e)) && !(rc = print_curves(c, &k, e)) && plot)
		rc = draw_curves(plot, m, &k, e);
	curves_release(&k);
	return rc;
}
