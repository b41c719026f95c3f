#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/frame/cmd.h"
#include "cli/frame/gnuplot.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_formula.h"
#include "cli/model/model_options.h"
#include "cli/model/projection.h"

const struct option_spec opt_model_max_procs = {
	.name = "max-procs",
	.arg = "N",
	.help = "project: up to N processors (default 4096); latency: 64",
};

const struct option_spec opt_project_per_proc = {
	.name = "per-proc",
	.arg = "IxJxK",
	.help = "project: cells of each processor; the problem grows with the\n"
		"processors, and speed-up is by as much more work",
};
const struct option_spec opt_project_efficiency = {
	.name = "least-efficiency",
	.arg = "F",
	.help = "project: up to which processors it is at least this (default 0.5)",
};

static enum support support_of(const struct model_question *q, const double *row)
{
	struct prediction at;

	if (!q->predictor)
		return SUPPORT_OUTSIDE;
	predictor_predict(q->predictor, row, 1, &at);
	return at.support;
}

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

/* ---- the points ---- */

struct places {
	struct projection_place *place;
	size_t n;
	bool listed; /* by --procs, each of which is asked for */
	bool per_proc;
	double size[3]; /* cells of a processor, of --per-proc */
};

/* row: the question's, on that many processors. */
static enum err_code configure(struct model_question *q, const struct places *at,
			       const struct projection_place *place, double *row, struct err *e)
{
	struct model_columns c = model_question_columns(q);
	int64_t npe_i = place->npe_i, npe_j = place->npe_j;
	enum err_code rc = ERR_OK;

	if (!npe_i && (rc = model_square_grid(place->procs, &npe_i, &npe_j, e)))
		return rc;
	if (at->per_proc) {
		q->row[c.it_g] = at->size[0] * (double)npe_i;
		q->row[c.jt_g] = at->size[1] * (double)npe_j;
		q->row[c.kt] = at->size[2];
	}
	return model_question_set_grid(q, npe_i, npe_j, row, e);
}

static enum err_code project_one(struct model_question *q, const struct places *at, size_t i,
				 double *row, struct projected *out, struct err *e)
{
	enum err_code rc;

	if ((rc = configure(q, at, &at->place[i], row, e)) ||
	    (rc = model_run(q->model, &q->input, &out->time, e)))
		return rc;
	out->procs = at->place[i].procs;
	out->npe_i = q->input.sweep.npe_i;
	out->npe_j = q->input.sweep.npe_j;
	out->Wg_s = q->input.run.Wg_s;
	out->support = support_of(q, row);
	return ERR_OK;
}

/* What speed-up is measured by. A model of nodes with several processors may refuse one; there is
 * no message then, and every model has the same time. */
static enum err_code time_alone(struct model_question *q, const struct places *at, double *row,
				const struct projection *p, double *out_s, struct err *e)
{
	static const struct projection_place one = {1, 1, 1};
	const struct model *loggp = NULL;
	struct sweep_time time;
	struct err why = {0};
	enum err_code rc;

	*out_s = p->row[0].procs == 1 ? p->row[0].time.time_s : NAN;
	if (!isnan(*out_s))
		return ERR_OK;
	if (!(rc = configure(q, at, &one, row, &why)) &&
	    (rc = model_run(q->model, &q->input, &time, &why)) == ERR_ARG &&
	    !(rc = model_find("loggp", &loggp, &why)))
		rc = model_run(loggp, &q->input, &time, &why);
	if (!rc)
		*out_s = time.time_s;
	return rc && rc != ERR_ARG ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static enum err_code project(struct context *c, struct model_question *q, const struct places *at,
			     double *row, struct projection *out, struct err *e)
{
	struct err first = {0};
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < at->n; i++) {
		struct err why = {0};

		if (!progress_step(c->session.progress, "processors", i, at->n))
			return err_set(e, ERR_INTERRUPTED, "interrupted");
		rc = project_one(q, at, i, row, &out->row[out->n], &why);
		out->n += !rc;
		if (rc && rc != ERR_ARG)
			return err_set(e, rc, "%s", why.msg);
		/* A problem ends somewhere; what was found before that is an answer. */
		if (rc && out->n > 0 && !at->listed) {
			context_note(c, "not further: %s", why.msg);
			break;
		}
		if (rc && at->listed)
			context_note(c, "not on %" PRId64 " processors: %s", at->place[i].procs,
				     why.msg);
		if (rc && !first.code)
			first = why;
	}
	return out->n > 0 ? ERR_OK : err_set(e, ERR_ARG, "%s", first.msg);
}

/* What scaling_find() asks for. */
static enum err_code find_scaling(struct projection *p, struct err *e)
{
	int64_t *procs = calloc(p->n, sizeof *procs);
	double *time_s = calloc(p->n, sizeof *time_s),
	       *efficiency = calloc(p->n, sizeof *efficiency);
	enum err_code rc = ERR_OK;

	if (!procs || !time_s || !efficiency) {
		rc = err_set(e, ERR_NOMEM, "a projection");
		goto done;
	}
	for (size_t i = 0; i < p->n; i++) {
		procs[i] = p->row[i].procs;
		time_s[i] = p->row[i].time.time_s;
		efficiency[i] = projection_efficiency(p, i);
	}
	if (!p->per_proc)
		p->scaling = scaling_find(procs, time_s, p->n);
	p->efficient_to = scaling_efficient_to(procs, efficiency, p->n, p->least_efficiency);
done:
	free(procs);
	free(time_s);
	free(efficiency);
	return rc;
}

/* ---- the action ---- */

static enum err_code read_question(struct context *c, struct model_question *q, struct places *at,
				   int64_t max_procs, double *least_efficiency, struct err *e)
{
	enum err_code rc;

	at->listed = options_has(&c->opt, &opt_project_procs);
	if ((rc = options_number(&c->opt, &opt_project_efficiency, 0, 1, least_efficiency, e)) ||
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
	struct places at = {0};
	struct projection p = {.question = &q, .least_efficiency = SCALING_LEAST_EFFICIENCY};
	double *row = NULL;
	enum err_code rc;

	if ((plot && (rc = gnuplot_check(plot, e))) ||
	    (rc = read_question(c, &q, &at, max_procs, &p.least_efficiency, e)))
		goto done;
	p.per_proc = at.per_proc;
	p.row = calloc(at.n, sizeof *p.row);
	row = calloc(q.app->n_columns, sizeof *row);
	if (!p.row || !row) {
		rc = err_set(e, ERR_NOMEM, "a projection");
		goto done;
	}
	if ((rc = project(c, &q, &at, row, &p, e)) ||
	    (rc = time_alone(&q, &at, row, &p, &p.one_s, e)) || (rc = find_scaling(&p, e)))
		goto done;
	progress_bar_clear(&c->bar);
	model_note_caveat(c, q.model);
	rc = projection_print(c, &p, e);
	if (!rc && plot)
		rc = projection_draw(plot, &p, e);
done:
	free(row);
	free(p.row);
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
