#include <math.h>

#include <jansson.h>

#include "api/message_studies.h"
#include "cli/frame/cmd.h"
#include "cli/model/model_actions.h"

/* `lemnos model collective FILE`: t0(n) and r(n) of a collective operation from its times. */

static const struct out_column line_columns[] = {
	{"nodes", NULL, OUT_INT},
	{"measurements", NULL, OUT_INT},
	{"t0_s", "t0(n)", OUT_SECONDS},
	{"s_per_byte", "1 / r(n)", OUT_SECONDS},
	{"bytes_per_s", "r(n) [bytes/s]", OUT_REAL},
	{"misfit", "largest misfit", OUT_PERCENT},
};

static struct out_table *make_table(const struct collective_fit *f)
{
	struct out_table *t =
		out_table_new(line_columns, sizeof line_columns / sizeof line_columns[0]);

	for (size_t i = 0; t && i < f->n_lines; i++) {
		const struct collective_line *line = &f->line[i];

		out_int(t, (int64_t)line->nodes);
		out_int(t, (int64_t)line->n);
		out_real(t, line->t0_s);
		out_real(t, line->s_per_byte);
		out_real(t, line->s_per_byte > 0 ? 1 / line->s_per_byte : NAN);
		out_real(t, line->misfit);
	}
	return t;
}

/* Ready for `run liu-collective --set`. */
static void print_law(const struct context *c, const struct collective_fit *f)
{
	const struct collective_cost *law = &f->law;

	if (isnan(law->t0_s)) {
		fputs("\nno law over the nodes: it takes two sizes on two numbers of nodes\n",
		      c->out);
		return;
	}
	fprintf(c->out,
		"\nt0(n) = t0_s + t0_stage_s log2 n, 1 / r(n) = s_per_byte + stage_s_per_byte log2 "
		"n:\n"
		"--set t0_s=%.4g,t0_stage_s=%.4g,s_per_byte=%.4g,stage_s_per_byte=%.4g\n"
		"largest misfit %.1f %%\n",
		law->t0_s, law->t0_stage_s, law->s_per_byte, law->stage_s_per_byte,
		100 * f->law_misfit);
}

static enum err_code print_json(const struct context *c, const struct collective_fit *f,
				const struct out_table *t, struct err *e)
{
	const struct collective_cost *l = &f->law;
	json_t *answer = out_json_answer(), *law = json_object();
	enum err_code rc;

	if (json_object_set_new(answer, "nodes", out_table_json(t)) |
	    json_object_set_new(law, "t0_s", out_json_real(l->t0_s)) |
	    json_object_set_new(law, "t0_stage_s", out_json_real(l->t0_stage_s)) |
	    json_object_set_new(law, "s_per_byte", out_json_real(l->s_per_byte)) |
	    json_object_set_new(law, "stage_s_per_byte", out_json_real(l->stage_s_per_byte)) |
	    json_object_set_new(law, "misfit", out_json_real(f->law_misfit)) |
	    json_object_set_new(answer, "law", law))
		rc = err_set(e, ERR_NOMEM, "the fit of a collective operation");
	else
		rc = out_json(answer, c->out, e);
	json_decref(answer);
	return rc;
}

static enum err_code print_fit(const struct context *c, const struct collective_fit *f,
			       struct err *e)
{
	struct out_table *t = make_table(f);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the fit of a collective operation");
	rc = c->format == FORMAT_JSON ? print_json(c, f, t, e)
				      : out_table_print(t, c->format, "collective", c->out, e);
	if (c->format == FORMAT_TABLE && !rc)
		print_law(c, f);
	out_table_free(t);
	return rc;
}

enum err_code model_collective_run(struct context *c, struct err *e)
{
	struct collective_fit fit = {0};
	enum err_code rc = collective_fit_read(c->operand[0], &fit, e);

	if (!rc)
		rc = print_fit(c, &fit, e);
	collective_fit_release(&fit);
	return rc;
}
