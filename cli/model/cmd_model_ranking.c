#include <inttypes.h>
#include <math.h>

#include "api/study_json.h"
#include "api/system_ranking.h"
#include "cli/frame/cmd.h"
#include "cli/frame/gnuplot.h"
#include "cli/model/model_actions.h"

/* `lemnos model ranking FILE`: which parameter of a list of systems predicts their order best, the
 * effective bandwidth or the performance of a core. The TOP500 study of Kredel et al. 2013. */

OPTION(opt_ranking_first, "first", "N", .help = "ranking: of the first N systems (default 100)");

/* ---- output ---- */

static const struct out_column columns[] = {
	{"rank", NULL, OUT_INT},
	{"rmax_flops", "R_max", OUT_REAL},
	{"nmax", "N_max", OUT_REAL},
	{"cores", NULL, OUT_REAL},
	{"b_eff_bytes_per_s", "b_eff", OUT_REAL},
	{"core_flops", "R_max / core", OUT_REAL},
};

static struct out_table *make_table(const struct system_ranking *r)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);

	for (size_t i = 0; t && i < r->n; i++) {
		const struct ranked_system *at = &r->row[i];

		out_int(t, (int64_t)at->rank);
		out_real(t, at->rmax_flops);
		out_real(t, at->nmax);
		out_real(t, at->cores);
		out_real(t, at->b_eff_bytes_per_s);
		out_real(t, at->core_flops);
	}
	return t;
}

static enum err_code print_json(const struct context *c, const struct system_ranking *r,
				struct err *e)
{
	struct json_t *answer = system_ranking_json(r);

	return out_answer(!answer, answer, "a ranking", c->out, e);
}

static void print_verdict(const struct context *c, const struct system_ranking *r)
{
	const struct rank_correlation *b = &r->b_eff, *p = &r->core;

	fprintf(c->out,
		"\n%zu of the first %zu systems; left out: %zu with accelerators, %zu without N_max or cores\n"
		"rank correlation (Spearman, 95 %%) with the rank:\n"
		"  effective bandwidth     %5.2f (%.2f to %.2f)\n"
		"  performance of a core   %5.2f (%.2f to %.2f)\n",
		r->n, r->n_there, r->n_accelerated, r->n_incomplete, b->rho, b->lo, b->hi, p->rho,
		p->lo, p->hi);
	if (b->lo > p->hi)
		fputs("the effective bandwidth predicts the ranking better\n", c->out);
	else if (p->lo > b->hi)
		fputs("the performance of a core predicts the ranking better\n", c->out);
	else
		fputs("the intervals overlap: these systems do not tell which predicts better\n",
		      c->out);
}

static enum err_code print_ranking(const struct context *c, const struct system_ranking *r,
				   struct err *e)
{
	struct out_table *t;
	enum err_code rc;

	if (c->format == FORMAT_JSON)
		return print_json(c, r, e);
	t = make_table(r);
	if (!t)
		return err_set(e, ERR_NOMEM, "a ranking");
	rc = out_table_print(t, c->format, "systems", c->out, e);
	if (c->format == FORMAT_TABLE && !rc)
		print_verdict(c, r);
	out_table_free(t);
	return rc;
}

/* Slides 23 and 24: bars over the rank. */
static enum err_code draw(const char *path, const struct system_ranking *r, struct err *e)
{
	struct strbuf script = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&script, "$r << EOD\n");
	for (size_t i = 0; i < r->n; i++)
		strbuf_printf(&script, "%" PRId64 " %.6g %.6g\n", (int64_t)r->row[i].rank,
			      r->row[i].b_eff_bytes_per_s / 1e9, r->row[i].core_flops / 1e9);
	strbuf_puts(
		&script,
		"EOD\nset style data histograms\nset style fill solid\nset xlabel 'rank'\n"
		"set yrange [0:*]\nset xtics rotate\n"
		"plot $r using 2:xtic(1) lc rgb 'red' title 'effective bandwidth [GByte/s]', \\\n"
		"  $r using 3 lc rgb 'blue' title 'Linpack by core [GFlop/s]'\n");
	rc = script.failed ? err_set(e, ERR_NOMEM, "the picture of a ranking")
			   : gnuplot_draw(path, strbuf_text(&script), e);
	strbuf_release(&script);
	return rc;
}

enum err_code model_ranking_run(struct context *c, struct err *e)
{
	const char *plot = options_get(&c->opt, &opt_model_plot);
	struct system_ranking r = {0};
	long long first = 100;
	enum err_code rc;

	if (!(rc = options_integer(&c->opt, &opt_ranking_first, 3, 1000000, &first, e)) &&
	    !(plot && (rc = gnuplot_check(plot, e))) &&
	    !(rc = system_ranking_read(c->operand[0], (size_t)first, &r, e)) &&
	    !(rc = print_ranking(c, &r, e)) && plot)
		rc = draw(plot, &r, e);
	system_ranking_release(&r);
	return rc;
}
