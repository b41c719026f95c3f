#include "api/projection.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

double projection_speedup(const struct projection *p, size_t i)
{
	double scale = p->per_proc ? (double)p->row[i].procs : 1;

	return scale * p->one_s / p->row[i].time.time_s;
}

double projection_efficiency(const struct projection *p, size_t i)
{
	return projection_speedup(p, i) / (double)p->row[i].procs;
}

static enum support support_of(const struct model_question *q, const double *row)
{
	struct prediction at;

	if (!q->predictor)
		return SUPPORT_OUTSIDE;
	predictor_predict(q->predictor, row, 1, &at);
	return at.support;
}

/* row: the question's, on that many processors. */
static enum err_code configure(struct model_question *q, const struct projection_request *at,
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

static enum err_code project_one(struct model_question *q, const struct projection_request *at,
				 size_t i, double *row, struct projected *out, struct err *e)
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

/* The time that speed-up is measured by. A model of nodes with several processors may refuse one;
 * there is no message then, and every model has the same time. */
static enum err_code time_alone(struct model_question *q, const struct projection_request *at,
				double *row, const struct projection *p, double *out_s,
				struct err *e)
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

static enum err_code project(struct session *session, struct model_question *q,
			     const struct projection_request *at, double *row,
			     struct projection *out, struct err *e)
{
	struct err first = {0};
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < at->n; i++) {
		struct err why = {0};

		if (!progress_step(session->progress, "processors", i, at->n))
			return err_set(e, ERR_INTERRUPTED, "interrupted");
		rc = project_one(q, at, i, row, &out->row[out->n], &why);
		out->n += !rc;
		if (rc && rc != ERR_ARG)
			return err_set(e, rc, "%s", why.msg);
		/* A problem ends somewhere; what was found before that is an answer. */
		if (rc && out->n > 0 && !at->listed) {
			session_note(session, "not further: %s", why.msg);
			break;
		}
		if (rc && at->listed)
			session_note(session, "not on %" PRId64 " processors: %s",
				     at->place[i].procs, why.msg);
		if (rc && !first.code)
			first = why;
	}
	return out->n > 0 ? ERR_OK : err_set(e, ERR_ARG, "%s", first.msg);
}

/* scaling_find() with the times as arrays. */
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

enum err_code projection_find(struct session *session, struct model_question *q,
			      const struct projection_request *at, struct projection *out,
			      struct err *e)
{
	struct projection p = {.question = q,
			       .per_proc = at->per_proc,
			       .least_efficiency = at->least_efficiency,
			       .row = calloc(at->n + 1, sizeof *p.row)};
	double *row = calloc(q->app->n_columns, sizeof *row);
	enum err_code rc = ERR_OK;

	if (!p.row || !row)
		rc = err_set(e, ERR_NOMEM, "a projection");
	else if (!(rc = project(session, q, at, row, &p, e)) &&
		 !(rc = time_alone(q, at, row, &p, &p.one_s, e)))
		rc = find_scaling(&p, e);
	free(row);
	if (rc)
		projection_release(&p);
	else
		*out = p;
	return rc;
}

void projection_release(struct projection *p)
{
	free(p->row);
	*p = (struct projection){0};
}
