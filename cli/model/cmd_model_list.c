#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/model_json.h"
#include "api/model_question.h"
#include "base/units.h"
#include "cli/frame/cmd.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_formula.h"

static const struct out_column list_columns[] = {
	{"model", NULL, OUT_TEXT},  {"title", NULL, OUT_TEXT},	{"applies_to", NULL, OUT_TEXT},
	{"source", NULL, OUT_TEXT}, {"caveat", NULL, OUT_TEXT}, {"takes", NULL, OUT_TEXT},
};

/* A line of what is said about a model, under its title. */
static void print_line(FILE *f, const char *before, const char *text)
{
	if (text && *text)
		fprintf(f, "%-16s  %s%s\n", "", before, text);
}

static void print_model(FILE *f, const struct model *m, const char *takes)
{
	fprintf(f, "%-16s  %s\n", m->name, m->title);
	print_line(f, "for ", m->applies_to);
	print_line(f, "", m->source);
	print_line(f, "", m->caveat);
	print_line(f, "takes ", takes);
}

static void put_model(struct out_table *t, const struct model *m, const char *takes)
{
	out_text(t, m->name);
	out_text(t, m->title);
	out_text(t, m->applies_to);
	out_text(t, m->source);
	out_text(t, m->caveat);
	out_text(t, *takes ? takes : NULL);
}

static void list_model(const struct context *c, struct out_table *t, bool is_first,
		       const struct model *m)
{
	struct strbuf takes = STRBUF_INIT;

	if (m->formula)
		model_formula_put_inputs(m->formula, &takes);
	if (c->format == FORMAT_TABLE) {
		fputs(is_first ? "" : "\n", c->out);
		print_model(c->out, m, strbuf_text(&takes));
	}
	put_model(t, m, strbuf_text(&takes));
	strbuf_release(&takes);
}

void model_list_put_help(FILE *f)
{
	size_t n = 0;
	const struct model *m = model_list(&n);

	fputs("\nmodels:\n", f);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "  %-16s  %s\n", m[i].name, m[i].title);
	fprintf(f, "  %-16s  %s\n", model_smpi.name, model_smpi.title);
}

enum err_code model_list_run(struct context *c, struct err *e)
{
	struct out_table *t =
		out_table_new(list_columns, sizeof list_columns / sizeof list_columns[0]);
	size_t n = 0;
	const struct model *m = model_list(&n);
	enum err_code rc = ERR_OK;

	if (!t)
		return err_set(e, ERR_NOMEM, "the list of models");
	for (size_t i = 0; i < n; i++)
		list_model(c, t, i == 0, &m[i]);
	list_model(c, t, n == 0, &model_smpi);
	if (c->format != FORMAT_TABLE)
		rc = out_table_print(t, c->format, "models", c->out, e);
	out_table_free(t);
	return rc;
}

/* ---- units ---- */

/* `lemnos model run kredel-mixed --units ...`: a cluster with units of any number of kinds. */

OPTION(opt_units, "units", "COUNTxFLOPS[:SHARE],...",
       .help = "kredel-mixed: units of any number of kinds, their peak a second, and\n"
	       "the kind's share of all operations (default: by peak): 100x8e9,4x1e12");

struct units {
	struct unit_kind *kind;
	size_t n;
	size_t n_shares; /* that were given */
};

/* "4x1e12:0.5", which is cut in pieces. */
static enum err_code read_kind(char *text, struct unit_kind *out, bool *has_share, struct err *e)
{
	char *share = strchr(text, ':'), *peak = strchr(text, 'x');

	*has_share = share != NULL;
	if (share)
		*share++ = '\0';
	if (peak)
		*peak++ = '\0';
	if (!peak || number_parse(text, &out->count, NULL) ||
	    number_parse(peak, &out->l_peak_flops, NULL) ||
	    (share && number_parse(share, &out->share, NULL)))
		return err_set(e, ERR_USAGE,
			       "--units: write COUNTxFLOPS or COUNTxFLOPS:SHARE, as "
			       "100x8e9:0.2");
	return ERR_OK;
}

static enum err_code read_units(const struct context *c, struct units *u, struct err *e)
{
	char **list = NULL;
	enum err_code rc = options_list(&c->opt, &opt_units, &list, &u->n, e);

	if (rc)
		return rc;
	u->kind = calloc(u->n, sizeof *u->kind);
	if (!u->kind)
		rc = err_set(e, ERR_NOMEM, "%zu kinds of units", u->n);
	for (size_t k = 0; k < u->n && !rc; k++) {
		bool has_share;

		rc = read_kind(list[k], &u->kind[k], &has_share, e);
		u->n_shares += has_share;
	}
	free(list);
	if (!rc && u->n_shares > 0 && u->n_shares < u->n)
		rc = err_set(e, ERR_USAGE, "--units: give the share of every kind, or of none");
	if (!rc && u->n_shares == 0)
		cluster_share_by_peak(u->kind, u->n);
	return rc;
}

/* What --set has to give beside the kinds. */
static enum err_code read_program(const struct context *c, const struct model *m,
				  struct unit_program *out, struct err *e)
{
	static const char *const wanted[] = {"ops", "x_bytes", "bc_bytes_per_s"};
	double in[FORMULA_MAX_INPUTS], *const value[] = {&out->ops, &out->x_bytes,
							 &out->bc_bytes_per_s};
	enum err_code rc = model_formula_read_inputs(c, m, in, e);

	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && !rc; i++) {
		size_t at = formula_find_input(m->formula, wanted[i]);

		*value[i] = in[at];
		in[at] = NAN;
		if (isnan(*value[i]))
			rc = err_set(e, ERR_USAGE, "%s is not given (%s)", wanted[i],
				     m->formula->input[at].meaning);
	}
	for (size_t i = 0; i < m->formula->n_inputs && !rc; i++) {
		if (!isnan(in[i]))
			rc = err_set(e, ERR_USAGE, "--units gives the units; leave %s out of --set",
				     m->formula->input[i].name);
	}
	return rc;
}

/* ---- output ---- */

static const struct out_column columns[] = {
	{"kind", NULL, OUT_INT},
	{"units", NULL, OUT_REAL},
	{"l_peak_flops", "peak", OUT_REAL},
	{"share", NULL, OUT_PERCENT},
	{"omega", "omega_k", OUT_REAL},
	{"x", "x_k", OUT_REAL},
	{"compute_s", "compute", OUT_SECONDS},
};

static struct out_table *make_table(const struct units *u, const struct unit_study *study)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);

	for (size_t k = 0; t && k < u->n; k++) {
		const struct unit_kind *kind = &u->kind[k];
		const struct unit_of_study *one = &study->kind[k];

		out_int(t, (int64_t)k + 1);
		out_real(t, kind->count);
		out_real(t, kind->l_peak_flops);
		out_real(t, kind->share);
		out_real(t, one->omega);
		out_real(t, one->x);
		out_real(t, one->compute_s);
	}
	return t;
}

static enum err_code print_json(const struct context *c, const struct model *m,
				const struct units *u, const struct unit_study *study,
				struct err *e)
{
	struct json_t *answer = unit_study_json(m, u->kind, u->n, study);

	return out_answer(!answer, answer, "the answer of a model", c->out, e);
}

static enum err_code print_units(const struct context *c, const struct model *m,
				 const struct units *u, const struct unit_study *study,
				 struct err *e)
{
	const struct mixed_speedup *s = &study->all;
	struct out_table *t;
	char text[32];
	enum err_code rc;

	if (c->format == FORMAT_JSON)
		return print_json(c, m, u, study, e);
	t = make_table(u, study);
	if (!t)
		return err_set(e, ERR_NOMEM, "the answer of a model");
	if (!(rc = out_table_print(t, c->format, "kinds", c->out, e)) &&
	    c->format == FORMAT_TABLE) {
		fprintf(c->out,
			"\n%s, %.4g operations a second, %.4g times as fast as one unit of kind "
			"%zu, which computes longest\n",
			duration_format(s->time_s, text, sizeof text), s->l_flops, s->speedup,
			s->slowest + 1);
	}
	out_table_free(t);
	return rc;
}

enum err_code model_units_run(struct context *c, const struct model *m, struct err *e)
{
	struct units u = {0};
	struct unit_program p;
	struct unit_study s = {0};
	enum err_code rc;

	if (strcmp(m->name, "kredel-mixed") != 0)
		return err_set(e, ERR_USAGE, "--units is for kredel-mixed, not for %s", m->name);
	if (!(rc = read_program(c, m, &p, e)) && !(rc = read_units(c, &u, e)) &&
	    !(rc = unit_study_make(u.kind, u.n, &p, &s, e)))
		rc = print_units(c, m, &u, &s, e);
	unit_study_release(&s);
	free(u.kind);
	return rc;
}
