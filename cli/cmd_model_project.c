#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/model_actions.h"
#include "cli/model_formula.h"
#include "cli/model_question.h"

const struct option_spec opt_model_max_procs = {
	.name = "max-procs",
	.arg = "N",
	.help = "project: up to N processors (default 4096); latency: 64",
};

static const struct out_column project_columns[] = {
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
};

static void put_projection(struct out_table *t, const struct sweep *s,
			   const struct sweep_time *time, double one_s)
{
	double procs = (double)(s->npe_i * s->npe_j);
	const struct breakdown *b = &time->parts;

	out_int(t, s->npe_i * s->npe_j);
	out_int(t, s->npe_i);
	out_int(t, s->npe_j);
	out_real(t, time->time_s);
	out_real(t, one_s / time->time_s);
	out_real(t, one_s / time->time_s / procs);
	out_real(t, b->compute_s);
	out_real(t, b->comm_s);
	out_real(t, b->fill_s);
	out_real(t, b->sync_s);
}

static enum err_code project(struct context *c, struct model_question *q, int64_t max_procs,
			     struct out_table *t, struct err *e)
{
	double *row = calloc(q->app->n_columns, sizeof *row);
	struct sweep_time time;
	struct err why = {0};
	double one_s = 0;
	enum err_code rc = row ? ERR_OK : err_set(e, ERR_NOMEM, "a configuration");

	for (int64_t procs = 1; procs <= max_procs && !rc; procs *= 2) {
		if (!progress_step(c->progress, "processors", (uint64_t)procs,
				   (uint64_t)max_procs)) {
			rc = err_set(e, ERR_INTERRUPTED, "interrupted");
		} else if ((rc = model_question_set_procs(q, procs, row, &why)) ||
			   (rc = model_run(q->model, &q->input, &time, &why))) {
			/* A problem ends somewhere; what was found before that is an answer. */
			if (procs > 1 && rc == ERR_ARG)
				break;
			err_set(e, rc, "%s", why.msg);
		} else {
			one_s = procs == 1 ? time.time_s : one_s;
			put_projection(t, &q->input.sweep, &time, one_s);
		}
	}
	free(row);
	if (rc == ERR_ARG && out_table_rows(t) > 0) {
		context_note(c, "not further: %s", why.msg);
		rc = ERR_OK;
	}
	return rc;
}

static enum err_code project_wavefront(struct context *c, long long max_procs, struct err *e)
{
	struct out_table *t =
		out_table_new(project_columns, sizeof project_columns / sizeof project_columns[0]);
	struct model_question q = {0};
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "a projection");
	if ((rc = model_question_read(c, c->operand[0], &q, e)) ||
	    (rc = model_question_read_row(c, &q, e)) ||
	    (rc = model_question_refuse_grid(&q, "a projection", e)) ||
	    (rc = project(c, &q, max_procs, t, e)))
		goto done;
	progress_bar_clear(&c->bar);
	model_note_caveat(c, q.model);
	rc = out_table_print(t, c->format, "projection", c->out, e);
done:
	out_table_free(t);
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
