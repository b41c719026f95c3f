#include "api/model_question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/predict_answer.h"
#include "api/task_question.h"
#include "domain/configuration.h"
#include "mining/block_fit.h"
#include "mining/mine.h"
#include "mining/structure/wavefront_time.h"

/* ---- the machine's message costs ---- */

/* Between nodes: as given, else as calibrated from a ping-pong in the base. */
enum err_code model_question_costs(struct session *session, struct model_question *q, struct err *e)
{
	struct cost_segment *segment = NULL;
	size_t n = 0;
	enum err_code rc = message_cost_from_machine(q->machine, &q->remote, NULL);

	q->has_remote = !rc;
	if (rc == ERR_NODATA && session->kb && q->machine_id) {
		if ((rc = kb_get_message_cost(session->kb, q->machine_id, &segment, &n, e)))
			return rc;
		if (n > 0)
			rc = message_cost_from_segments(
				segment, n, q->machine->blocking_bytes,
				message_cost_overhead_share(q->machine->overhead_s, segment),
				&q->remote, e);
		q->has_remote = n > 0 && !rc;
		free(segment);
		if (rc)
			return rc;
	}
	if (!q->has_remote)
		return message_cost_from_machine(q->machine, &q->remote, e);
	q->has_local = !message_cost_local_from_machine(q->machine, &q->local, NULL);
	return ERR_OK;
}

enum err_code model_question_load_mined(struct session *session, struct model_question *q,
					struct err *e)
{
	const struct mine_target on = {q->app, q->app_id, q->machine, q->machine_id};
	struct err why = {0};
	char snapshot[65];
	bool stale = false;
	enum err_code rc;

	if (q->predictor || !q->app_id || !q->machine_id)
		return ERR_OK;
	rc = mine_load(session->kb, &on, &q->predictor, &stale, snapshot, &why);
	if (rc && rc != ERR_NOTMINED)
		return err_set(e, rc, "%s", why.msg);
	if (stale)
		session_warn(session,
			     "facts about %s changed since this was mined; run `lemnos mine`",
			     q->machine->name);
	return ERR_OK;
}

enum err_code model_question_mined(struct session *session, struct model_question *q, struct err *e)
{
	enum err_code rc;

	if (!q->app_id || !q->machine_id)
		return err_set(e, ERR_NOTMINED, "%s on %s is not in the knowledge base %s",
			       q->app->name, q->machine->name, session->kb_path);
	if ((rc = model_question_load_mined(session, q, e)))
		return rc;
	if (!q->predictor)
		return err_set(e, ERR_NOTMINED, "nothing was mined of %s on %s", q->app->name,
			       q->machine->name);
	q->wg_is_mined = true;
	return ERR_OK;
}

enum err_code model_question_check(const struct application *a, struct err *e)
{
	size_t column[WC_COUNT];

	return wavefront_time_bind(a, column) ? ERR_OK : wavefront_question_refuse(a, e);
}

void model_question_release(struct model_question *q)
{
	predictor_free(q->predictor);
	task_wg_free(q->task_wg);
	application_free(q->app);
	machine_free(q->machine);
	free(q->row);
	*q = (struct model_question){0};
}

struct model_columns model_question_columns(const struct model_question *q)
{
	size_t c[WC_COUNT] = {0};

	wavefront_time_bind(q->app, c);
	return (struct model_columns){c[WC_NPE_I], c[WC_NPE_J], c[WC_MK],   c[WC_KT],
				      c[WC_MMI],   c[WC_MM],	c[WC_IT_G], c[WC_JT_G]};
}

static enum err_code take_task_time(struct model_question *q, struct err *e)
{
	struct sweep_run *run = &q->input.run;
	enum err_code rc = task_wg_find(q->task_wg, &q->input.sweep, &run->Wg_s, e);

	if (!rc && !q->has_wg_fixup)
		run->Wg_fixup_s = run->Wg_s;
	return rc;
}

enum err_code model_question_configure(struct model_question *q, double *row, struct err *e)
{
	struct strbuf why = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	if (!predict_row_complete(q->app, (double)q->machine->cores_per_node, row, &why))
		rc = err_set(e, ERR_ARG, "%s", strbuf_text(&why));
	strbuf_release(&why);
	if (rc || (rc = wavefront_question(q->app, row, &q->input.sweep, &q->input.run, e)))
		return rc;
	if (q->task_wg)
		return take_task_time(q, e);
	if (!q->wg_is_mined)
		return ERR_OK;
	rc = wg_from_fit(q->predictor, q->app, row, &q->input.run.Wg_s, e);
	q->input.run.Wg_fixup_s = q->input.run.Wg_s;
	return rc;
}

enum err_code model_question_set_procs(struct model_question *q, int64_t procs, double *row,
				       struct err *e)
{
	int64_t npe_i, npe_j;
	enum err_code rc = model_square_grid(procs, &npe_i, &npe_j, e);

	return rc ? rc : model_question_set_grid(q, npe_i, npe_j, row, e);
}

enum err_code model_question_set_grid(struct model_question *q, int64_t npe_i, int64_t npe_j,
				      double *row, struct err *e)
{
	struct model_columns c = model_question_columns(q);

	memcpy(row, q->row, q->app->n_columns * sizeof *row);
	row[c.npe_i] = (double)npe_i;
	row[c.npe_j] = (double)npe_j;
	if (npe_i == 1 && npe_j == 1) {
		row[c.mk] = row[c.kt];
		row[c.mmi] = row[c.mm];
	}
	return model_question_configure(q, row, e);
}

enum err_code model_question_refuse_grid(const struct model_question *q, const char *what,
					 struct err *e)
{
	struct model_columns c = model_question_columns(q);

	if (!isnan(q->row[c.npe_i]) || !isnan(q->row[c.npe_j]))
		return err_set(e, ERR_USAGE,
			       "%s takes the most nearly square grid of each processor count; "
			       "leave the grid out",
			       what);
	return ERR_OK;
}

/* ---- units of several kinds ---- */

enum err_code unit_study_make(const struct unit_kind *kind, size_t n_kinds,
			      const struct unit_program *p, struct unit_study *out, struct err *e)
{
	struct unit_study s = {.kind = calloc(n_kinds + 1, sizeof *s.kind)};
	enum err_code rc;

	if (!s.kind)
		return err_set(e, ERR_NOMEM, "%zu kinds of units", n_kinds);
	rc = cluster_speedup_mixed(kind, n_kinds, p->bc_bytes_per_s, p->ops, p->x_bytes, &s.all, e);
	if (rc) {
		free(s.kind);
		return rc;
	}
	for (size_t k = 0; k < n_kinds; k++) {
		double alone_s = p->ops / kind[k].l_peak_flops;
		double omega = kind[k].share / kind[k].count;
		double data_s = p->x_bytes / p->bc_bytes_per_s;

		s.kind[k] = (struct unit_of_study){
			omega, p->x_bytes > 0 ? alone_s / data_s : (double)NAN, omega * alone_s};
	}
	*out = s;
	return ERR_OK;
}

void unit_study_release(struct unit_study *s)
{
	free(s->kind);
	*s = (struct unit_study){0};
}
