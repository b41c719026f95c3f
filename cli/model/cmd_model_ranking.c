#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "cli/frame/cmd.h"
#include "cli/frame/gnuplot.h"
#include "cli/model/model_actions.h"
#include "ingest/number_table.h"
#include "mining/numerics/rank_tests.h"
#include "models/cluster_speedup.h"

/* `lemnos model ranking FILE`: which parameter of a list of systems predicts their order best, the
 * effective bandwidth or the performance of a core. The TOP500 study of Kredel et al. 2013. */

const struct option_spec opt_ranking_first = {
	.name = "first",
	.arg = "N",
	.help = "ranking: of the first N systems (default 100)",
};

enum { RANK, RMAX, NMAX, CORES, ACCELERATOR, N_COLUMNS };

struct ranked {
	double rank, rmax_flops, nmax, cores;
	double b_eff_bytes_per_s, core_flops;
};

struct system_ranking {
	struct ranked *row; /* [n], by ascending rank */
	size_t n;
	size_t n_there; /* among the first, with those that were left out: */
	size_t n_accelerated, n_incomplete;
	struct rank_correlation b_eff, core; /* of rank with the negative of each */
};

/* ---- the table ---- */

static enum err_code read_table(const char *path, struct number_table *out, struct err *e)
{
	static const char *const rank[] = {"rank", NULL};
	static const char *const rmax[] = {"rmax", "r_max", NULL};
	static const char *const nmax[] = {"nmax", "n_max", NULL};
	static const char *const cores[] = {"cores", "total cores", "processors", "total_cores",
					    NULL};
	static const char *const accelerator[] = {"accelerator_cores",
						  "accelerator/co-processor cores",
						  "accelerator cores", "accelerators", NULL};
	static const struct number_column column[N_COLUMNS] = {
		[RANK] = {.names = rank, .least = 1},
		[RMAX] = {.names = rmax, .kind = NUMBER_FLOPS, .least = 1},
		[NMAX] = {.names = nmax, .may_be_empty = true},
		[CORES] = {.names = cores, .may_be_empty = true},
		[ACCELERATOR] = {.names = accelerator, .optional = true, .may_be_empty = true},
	};

	return number_table_read(path, column, N_COLUMNS, out, e);
}

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The slides leave out systems with accelerators and those that tell no N_max. */
static enum err_code take(const double *cell, double w_bytes, struct system_ranking *r,
			  struct err *e)
{
	struct ranked *at = &r->row[r->n];
	enum err_code rc;

	r->n_there++;
	if (cell[ACCELERATOR] > 0) {
		r->n_accelerated++;
		return ERR_OK;
	}
	if (!(cell[NMAX] > 0) || !(cell[CORES] > 0)) {
		r->n_incomplete++;
		return ERR_OK;
	}
	*at = (struct ranked){.rank = cell[RANK],
			      .rmax_flops = cell[RMAX],
			      .nmax = cell[NMAX],
			      .cores = cell[CORES],
			      .core_flops = cell[RMAX] / cell[CORES]};
	rc = cluster_effective_bandwidth(at->rmax_flops, at->nmax, w_bytes, &at->b_eff_bytes_per_s,
					 e);
	r->n += !rc;
	return rc;
}

/* A good parameter is large where the rank is small. */
static enum err_code correlate(struct system_ranking *r, struct err *e)
{
	double *x = calloc(r->n, 3 * sizeof *x), *b_eff, *core;
	enum err_code rc;

	if (!x)
		return err_set(e, ERR_NOMEM, "%zu systems", r->n);
	b_eff = x + r->n;
	core = b_eff + r->n;
	for (size_t i = 0; i < r->n; i++) {
		x[i] = r->row[i].rank;
		b_eff[i] = -r->row[i].b_eff_bytes_per_s;
		core[i] = -r->row[i].core_flops;
	}
	if (!(rc = spearman(x, b_eff, r->n, &r->b_eff, e)))
		rc = spearman(x, core, r->n, &r->core, e);
	free(x);
	return rc;
}

static enum err_code rank_systems(const struct number_table *t, double first,
				  struct system_ranking *r, struct err *e)
{
	enum err_code rc = ERR_OK;

	r->row = calloc(t->n_rows, sizeof *r->row);
	if (!r->row)
		return err_set(e, ERR_NOMEM, "%zu systems", t->n_rows);
	for (size_t i = 0; i < t->n_rows && !rc; i++) {
		const double *cell = t->cell + i * N_COLUMNS;

		if (cell[RANK] <= first)
			rc = take(cell, 8, r, e);
	}
	if (rc)
		return rc;
	if (r->n < 3)
		return err_set(e, ERR_NODATA,
			       "%zu of %zu systems tell R_max, N_max and cores and have no "
			       "accelerators: a ranking takes 3",
			       r->n, r->n_there);
	qsort(r->row, r->n, sizeof *r->row, by_rank);
	return correlate(r, e);
}

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
		const struct ranked *at = &r->row[i];

		out_int(t, (int64_t)at->rank);
		out_real(t, at->rmax_flops);
		out_real(t, at->nmax);
		out_real(t, at->cores);
		out_real(t, at->b_eff_bytes_per_s);
		out_real(t, at->core_flops);
	}
	return t;
}

static json_t *correlation_json(const struct rank_correlation *c)
{
	json_t *o = json_object();

	if (json_object_set_new(o, "rho", out_json_real(c->rho)) |
	    json_object_set_new(o, "lo", out_json_real(c->lo)) |
	    json_object_set_new(o, "hi", out_json_real(c->hi)) |
	    json_object_set_new(o, "p", out_json_real(c->p))) {
		json_decref(o);
		return NULL;
	}
	return o;
}

static enum err_code print_json(const struct context *c, const struct system_ranking *r,
				const struct out_table *t, struct err *e)
{
	json_t *answer = out_json_answer();
	enum err_code rc;

	if (json_object_set_new(answer, "systems", out_table_json(t)) |
	    json_object_set_new(answer, "accelerated", json_integer((json_int_t)r->n_accelerated)) |
	    json_object_set_new(answer, "incomplete", json_integer((json_int_t)r->n_incomplete)) |
	    json_object_set_new(answer, "b_eff", correlation_json(&r->b_eff)) |
	    json_object_set_new(answer, "core", correlation_json(&r->core)))
		rc = err_set(e, ERR_NOMEM, "a ranking");
	else
		rc = out_json(answer, c->out, e);
	json_decref(answer);
	return rc;
}

static void print_verdict(const struct context *c, const struct system_ranking *r)
{
	const struct rank_correlation *b = &r->b_eff, *p = &r->core;

	fprintf(c->out,
		"\n%zu of the first %zu systems; left out: %zu with accelerators, %zu without "
		"N_max "
		"or cores\n"
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
	struct out_table *t = make_table(r);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "a ranking");
	rc = c->format == FORMAT_JSON ? print_json(c, r, t, e)
				      : out_table_print(t, c->format, "systems", c->out, e);
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
	struct number_table table = {0};
	struct system_ranking r = {0};
	long long first = 100;
	enum err_code rc;

	if (!(rc = options_integer(&c->opt, &opt_ranking_first, 3, 1000000, &first, e)) &&
	    !(plot && (rc = gnuplot_check(plot, e))) &&
	    !(rc = read_table(c->operand[0], &table, e)) &&
	    !(rc = rank_systems(&table, (double)first, &r, e)) && !(rc = print_ranking(c, &r, e)) &&
	    plot)
		rc = draw(plot, &r, e);
	free(r.row);
	number_table_release(&table);
	return rc;
}
