#include "cli/model_formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/units.h"
#include "cli/formula_store.h"
#include "cli/model_actions.h"

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
		"model %s takes numbers by --set NAME=VALUE,..., and no --%s (`lemnos model` "
		"lists what it takes)",
		m->name, option);
}

/* What is for the wavefront models would be passed over here: say so. */
static enum err_code check_options(const struct context *c, const struct model *m, struct err *e)
{
	static const char *const wavefront_only[] = {
		"problem", "machine",	   "app",  "wg",   "wg-fixup", "wg-pre",
		"tile",	   "nonwavefront", "from", "plot", "held-out"};

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
static enum err_code read_inputs(const struct context *c, const struct model *m, double *in,
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
	const struct formula *f = m->formula;
	json_t *answer = out_json_answer(), *inputs = json_object(), *results = json_object();
	int failed = 0;
	enum err_code rc;

	for (size_t i = 0; i < f->n_inputs; i++)
		failed |=
			json_object_set_new(inputs, f->input[i].name,
					    out_json_real(isnan(in[i]) ? f->input[i].dflt : in[i]));
	for (size_t i = 0; i < f->n_results; i++)
		failed |= json_object_set_new(results, f->result[i].name, out_json_real(value[i]));
	failed |= json_object_set_new(answer, "model", json_string(m->name)) |
		  json_object_set_new(answer, "source", json_string(m->source)) |
		  json_object_set_new(answer, "inputs", inputs) |
		  json_object_set_new(answer, "results", results) |
		  json_object_set_new(answer, "caveat", out_json_string(m->caveat));
	rc = failed ? err_set(e, ERR_NOMEM, "the answer of a model") : out_json(answer, c->out, e);
	json_decref(answer);
	return rc;
}

enum err_code model_formula_run(struct context *c, const struct model *m, struct err *e)
{
	double in[FORMULA_MAX_INPUTS], value[FORMULA_MAX_RESULTS];
	bool kept = options_has(&c->opt, &opt_store);
	enum err_code rc;

	if ((kept && (rc = formula_store_check(c, m, e))) || (rc = read_inputs(c, m, in, e)) ||
	    (rc = formula_evaluate(m->formula, in, value, e)))
		return rc;
	rc = c->format == FORMAT_JSON ? print_json(c, m, in, value, e)
				      : print_results(c, m, value, e);
	return !rc && kept ? formula_store(c, m, in, value, e) : rc;
}

/* ---- project ---- */

static struct out_table *projection_table(const struct formula *f)
{
	struct out_column column[FORMULA_MAX_RESULTS + 1] = {{f->procs, NULL, OUT_INT}};

	for (size_t i = 0; i < f->n_results; i++)
		column[i + 1] = (struct out_column){f->result[i].name, NULL, OUT_REAL};
	return out_table_new(column, f->n_results + 1);
}

enum err_code model_formula_project(struct context *c, const struct model *m, int64_t max_procs,
				    struct err *e)
{
	const struct formula *f = m->formula;
	double in[FORMULA_MAX_INPUTS], value[FORMULA_MAX_RESULTS];
	struct out_table *t = NULL;
	size_t i_procs;
	enum err_code rc;

	if (!f->procs)
		return err_set(e, ERR_USAGE, "model %s has no processor count to raise: use run",
			       m->name);
	if ((rc = read_inputs(c, m, in, e)))
		return rc;
	i_procs = formula_find_input(f, f->procs);
	if (!isnan(in[i_procs]))
		return err_set(e, ERR_USAGE,
			       "a projection takes %s = 1, 2, 4, ...; leave it out of --set",
			       f->procs);
	t = projection_table(f);
	if (!t)
		return err_set(e, ERR_NOMEM, "a projection");
	for (int64_t procs = 1; procs <= max_procs && !rc; procs *= 2) {
		in[i_procs] = (double)procs;
		rc = formula_evaluate(f, in, value, e);
		out_int(t, procs);
		for (size_t i = 0; i < f->n_results && !rc; i++)
			out_real(t, value[i]);
	}
	if (!rc)
		rc = out_table_print(t, c->format, "projection", c->out, e);
	out_table_free(t);
	return rc;
}
