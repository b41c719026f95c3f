#include "api/graph_question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/task_question.h"
#include "models/taskgraph/task_graph_analysis.h"

enum err_code graph_question_set_octants(struct graph_question *q, int octants, struct err *e)
{
	const struct model_input *in = &q->model.input;
	enum err_code rc =
		pipeline_case_init(&q->pipeline, &in->sweep, &q->model.remote, in->run.Wg_s, e);

	if (!rc)
		q->wavefront = (struct wavefront_graph){&q->pipeline.p, q->pipeline.ew_bytes,
							q->pipeline.ns_bytes, octants};
	return rc;
}

enum err_code graph_run_time(const struct model_input *in, enum task_network network,
			     struct sweep_time *out, struct err *e)
{
	struct sweep_time plain, fixup;
	enum err_code rc =
		task_graph_iteration(&in->sweep, in->remote, network, in->run.Wg_s, &plain, e);

	if (rc)
		return rc;
	fixup = plain;
	if (in->run.Wg_fixup_s != in->run.Wg_s &&
	    (rc = task_graph_iteration(&in->sweep, in->remote, network, in->run.Wg_fixup_s, &fixup,
				       e)))
		return rc;
	return sweep_run_time(&in->run, &plain, &fixup, out, e);
}

void graph_question_release(struct graph_question *q)
{
	model_question_release(&q->model);
	pipeline_case_release(&q->pipeline);
}

/* ---- ted= of a file's tasks ---- */

/* Times already computed: many tasks of a graph are alike. */
struct evaluated {
	char *ted;
	double asked[TASK_VARIABLES], Wg_s;
};
struct evaluations {
	const struct session *session;
	struct evaluated *done;
	size_t n;
};

static bool is_same(const struct evaluated *x, const char *ted, const double *asked)
{
	for (int v = 0; v < TASK_VARIABLES; v++) {
		if (x->asked[v] != asked[v] && !(isnan(x->asked[v]) && isnan(asked[v])))
			return false;
	}
	return !strcmp(x->ted, ted);
}

static enum err_code evaluate(const struct session *session, const char *ted, const double *asked,
			      double *Wg_s, struct err *e)
{
	struct task_description *t = NULL;
	struct ted_result result = {0};
	enum err_code rc = task_question_open(ted, &t, e);

	if (!rc && !(rc = task_question_evaluate(session, t, asked, &result, e)))
		*Wg_s = result.Wg_s;
	ted_result_release(&result);
	task_description_free(t);
	return rc;
}

static enum err_code find_time(void *arg, const char *ted, const double *asked, double *Wg_s,
			       struct err *e)
{
	struct evaluations *all = arg;
	struct evaluated *larger, *x;
	enum err_code rc;

	for (size_t i = 0; i < all->n; i++) {
		if (is_same(&all->done[i], ted, asked)) {
			*Wg_s = all->done[i].Wg_s;
			return ERR_OK;
		}
	}
	if ((rc = evaluate(all->session, ted, asked, Wg_s, e)))
		return rc;
	larger = realloc(all->done, (all->n + 1) * sizeof *larger);
	if (!larger)
		return err_set(e, ERR_NOMEM, "%zu task times", all->n + 1);
	all->done = larger;
	x = &larger[all->n];
	memcpy(x->asked, asked, sizeof x->asked);
	x->Wg_s = *Wg_s;
	x->ted = strdup(ted);
	if (!x->ted)
		return err_set(e, ERR_NOMEM, "%zu task times", all->n + 1);
	all->n++;
	return ERR_OK;
}

enum err_code graph_read_text(const struct session *session, const struct strbuf *text,
			      const char *name, struct task_graph **out, struct err *e)
{
	struct evaluations all = {.session = session};
	const struct task_time_source source = {find_time, &all};
	enum err_code rc =
		task_graph_read_from(strbuf_text(text), text->len, name, &source, out, e);

	for (size_t i = 0; i < all.n; i++)
		free(all.done[i].ted);
	free(all.done);
	return rc;
}
