#include <stdlib.h>

#include "cli/cmd.h"
#include "cli/gnuplot.h"
#include "cli/model_actions.h"
#include "cli/model_formula.h"
#include "cli/model_question.h"
#include "cli/projection.h"

const struct option_spec opt_model_max_procs = {
	.name = "max-procs",
	.arg = "N",
	.help = "project: up to N processors (default 4096); latency: 64",
};

static enum support support_of(const struct model_question *q, const double *row)
{
	struct prediction at;

	if (!q->predictor)
		return SUPPORT_OUTSIDE;
	predictor_predict(q->predictor, row, 1, &at);
	return at.support;
}

static enum err_code project_one(struct model_question *q, int64_t procs, double *row,
				 struct projected *out, struct err *e)
{
	enum err_code rc;

	if ((rc = model_question_set_procs(q, procs, row, e)) ||
	    (rc = model_run(q->model, &q->input, &out->time, e)))
		return rc;
	out->procs = procs;
	out->npe_i = q->input.sweep.npe_i;
	out->npe_j = q->input.sweep.npe_j;
	out->Wg_s = q->input.run.Wg_s;
	out->support = support_of(q, row);
	return ERR_OK;
}

static enum err_code project(struct context *c, struct model_question *q, int64_t max_procs,
			     struct projection *out, struct err *e)
{
	double *row = calloc(q->app->n_columns, sizeof *row);
	struct err why = {0};
	enum err_code rc = row ? ERR_OK : err_set(e, ERR_NOMEM, "a configuration");

	for (int64_t procs = 1; procs <= max_procs && !rc; procs *= 2) {
		if (!progress_step(c->progress, "processors", (uint64_t)procs, (uint64_t)max_procs))
			rc = err_set(&why, ERR_INTERRUPTED, "interrupted");
		else if (!(rc = project_one(q, procs, row, &out->row[out->n], &why)))
			out->n++;
	}
	free(row);
	/* A problem ends somewhere; what was found before that is an answer. */
	if (rc == ERR_ARG && out->n > 0) {
		context_note(c, "not further: %s", why.msg);
		rc = ERR_OK;
	}
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

/* What scaling_find() asks for. */
static struct scaling find_scaling(const struct projection *p)
{
	int64_t procs[PROJECTION_MAX];
	double time_s[PROJECTION_MAX];

	for (size_t i = 0; i < p->n; i++) {
		procs[i] = p->row[i].procs;
		time_s[i] = p->row[i].time.time_s;
	}
	return scaling_find(procs, time_s, p->n);
}

static enum err_code project_wavefront(struct context *c, long long max_procs, struct err *e)
{
	const char *plot = options_get(&c->opt, &opt_model_plot);
	struct model_question q = {0};
	struct projection p = {.question = &q};
	enum err_code rc;

	if ((plot && (rc = gnuplot_check(plot, e))) ||
	    (rc = model_question_read(c, c->operand[0], &q, e)) ||
	    (rc = model_question_read_row(c, &q, e)) ||
	    (rc = model_question_refuse_grid(&q, "a projection", e)) ||
	    (rc = model_question_load_mined(c, &q, e)) || (rc = project(c, &q, max_procs, &p, e)))
		goto done;
	progress_bar_clear(&c->bar);
	model_note_caveat(c, q.model);
	p.scaling = find_scaling(&p);
	rc = projection_print(c, &p, e);
	if (!rc && plot)
		rc = projection_draw(plot, &p, e);
done:
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
