#include "mining/structure/model_times.h"

#include <math.h>
#include <stdlib.h>

#include "mining/structure/wavefront_question.h"

/* Of the Wg that is expected. */
static const double node_at[MODEL_TIMES_NODES] = {0.5, 0.75, 1, 1.35, 2};

/* ---- one configuration ---- */

/* Processes that share a node. */
static enum err_code set_tile(const struct application *a, const double *row,
			      struct model_input *in, struct err *e)
{
	double procs = (double)(in->sweep.npe_i * in->sweep.npe_j);
	double nodes = a->i_nodes == SIZE_MAX ? procs : row[a->i_nodes];

	return model_square_grid((int64_t)fmax(1, ceil(procs / nodes)), &in->tile_i, &in->tile_j,
				 e);
}

static enum err_code ask(const struct model *m, struct model_input *in, const double *Wg_s,
			 double *time_s, struct err *e)
{
	struct sweep_time time;
	enum err_code rc;

	for (int j = 0; j < MODEL_TIMES_NODES; j++) {
		in->run.Wg_s = in->run.Wg_fixup_s = Wg_s[j];
		if ((rc = model_run(m, in, &time, e)))
			return rc;
		time_s[j] = time.time_s;
	}
	return ERR_OK;
}

/* *n_answers counts. What a model refuses is no error here; the first reason is kept. */
static enum err_code ask_all(const struct model *m, const struct config_table *t,
			     const struct model_input *costs, const double *Wg_s, double *time_s,
			     size_t *n_answers, struct err *why, struct err *e)
{
	*n_answers = 0;
	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i), *at = Wg_s + i * MODEL_TIMES_NODES;
		double *out = time_s + i * MODEL_TIMES_NODES;
		struct model_input in = *costs;
		enum err_code rc = wavefront_question(t->app, row, &in.sweep, &in.run, why);

		if (!rc && !(rc = set_tile(t->app, row, &in, why)))
			rc = ask(m, &in, at, out, why);
		if (rc == ERR_NOMEM)
			return err_set(e, rc, "%s", why->msg);
		for (int j = 0; rc && j < MODEL_TIMES_NODES; j++)
			out[j] = NAN;
		*n_answers += !rc;
	}
	return ERR_OK;
}

/* ---- all of them ---- */

static enum err_code allocate(struct model_times *m, size_t n_listed, struct err *e)
{
	m->model = calloc(n_listed, sizeof *m->model);
	m->refused = calloc(n_listed, sizeof *m->refused);
	m->Wg_s = calloc(m->n * MODEL_TIMES_NODES, sizeof *m->Wg_s);
	m->time_s = calloc(n_listed * m->n * MODEL_TIMES_NODES, sizeof *m->time_s);
	if (!m->model || !m->refused || !m->Wg_s || !m->time_s)
		return err_set(e, ERR_NOMEM, "times of %zu configurations by %zu models", m->n,
			       n_listed);
	return ERR_OK;
}

bool model_times_wants(const struct model *m)
{
	return !m->formula && !m->code;
}

enum err_code model_times_make(const struct config_table *t, const double *Wg_s,
			       const struct models_asked *asked, struct model_times *out,
			       struct err *e)
{
	const struct model_input costs = {.remote = asked->remote, .local = asked->local};
	struct model_times m = {.n = t->n};
	size_t n_answers;
	enum err_code rc = allocate(&m, asked->n, e);

	for (size_t i = 0; !rc && i < m.n * MODEL_TIMES_NODES; i++)
		m.Wg_s[i] = Wg_s[i / MODEL_TIMES_NODES] * node_at[i % MODEL_TIMES_NODES];
	for (size_t k = 0; !rc && k < asked->n; k++) {
		struct refused_model *refused = &m.refused[m.n_refused];
		double *time_s = m.time_s + m.n_models * m.n * MODEL_TIMES_NODES;

		if (!asked->take(&asked->model[k]))
			continue;
		if (!progress_step(asked->progress, "models", k, asked->n)) {
			rc = err_set(e, ERR_INTERRUPTED, "interrupted");
			break;
		}
		rc = ask_all(&asked->model[k], t, &costs, m.Wg_s, time_s, &n_answers, &refused->why,
			     e);
		if (n_answers > 0) {
			refused->why = (struct err){0};
			m.model[m.n_models++] = &asked->model[k];
		} else {
			refused->model = &asked->model[k];
			m.n_refused++;
		}
	}
	if (rc)
		model_times_release(&m);
	else
		*out = m;
	return rc;
}

void model_times_release(struct model_times *m)
{
	free(m->model);
	free(m->refused);
	free(m->Wg_s);
	free(m->time_s);
	*m = (struct model_times){0};
}

double model_times_at(const struct model_times *m, size_t k, size_t i, double Wg_s,
		      double *s_per_Wg)
{
	const double *x = m->Wg_s + i * MODEL_TIMES_NODES;
	const double *y = m->time_s + (k * m->n + i) * MODEL_TIMES_NODES;
	int j = 0;
	double slope;

	while (j < MODEL_TIMES_NODES - 2 && Wg_s > x[j + 1])
		j++;
	slope = (y[j + 1] - y[j]) / (x[j + 1] - x[j]);
	if (s_per_Wg)
		*s_per_Wg = slope;
	/* Towards Wg = 0 times end at what messages take, which is more than nothing. */
	return fmax(y[j] + slope * (Wg_s - x[j]), 0.01 * y[0]);
}
