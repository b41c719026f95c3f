#include "cli/frame/cmd.h"
#include "cli/graph/graph_output.h"
#include "cli/graph/graph_options.h"
#include "cli/model/model_actions.h"

static enum err_code write_dot(const struct context *c, const struct task_graph *g,
			       const struct task_analysis *a, struct err *e)
{
	const char *path = options_get(&c->opt, &opt_graph_dot);
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	if (!path)
		return ERR_OK;
	if (!(rc = task_graph_dot(g, &a->path, &text, e)))
		rc = text_file_write(path, &text, e);
	strbuf_release(&text);
	return rc;
}

static enum err_code write_text(const struct context *c, const struct task_graph *g, struct err *e)
{
	const char *path = options_get(&c->opt, &opt_graph_write);
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	if (!path)
		return ERR_OK;
	task_graph_write(g, &text);
	rc = text_file_write(path, &text, e);
	strbuf_release(&text);
	return rc;
}

static void note_assumptions(const struct context *c, const struct graph_question *q,
			     const struct task_graph *g, const struct task_analysis *a)
{
	if (a->is_reassigned)
		context_note(c,
			     "the graph names %d processors: on %d, its tasks go to any that is "
			     "free",
			     g->n_procs, a->procs);
	if (a->procs == 0)
		context_note(c, "no task names a processor: each has one of its own "
				"(--processors P limits them)");
	if (q->machine.network != NETWORK_UNSHARED && a->n_solutions == 0)
		context_note(c, "no two messages ever shared the network: contention changes "
				"nothing");
}

static enum err_code analyse(struct context *c, const struct graph_question *q,
			     const struct task_graph *g, struct err *e)
{
	struct task_analysis a = {0};
	double critical_s;
	enum err_code rc;

	if ((rc = critical_path_find(g, &critical_s, NULL, e)) ||
	    (rc = task_graph_analyse(g, &q->machine, c->session.progress, &a, e)))
		return rc;
	progress_bar_clear(&c->bar);
	if (!(rc = write_text(c, g, e)) && !(rc = write_dot(c, g, &a, e))) {
		note_assumptions(c, q, g, &a);
		rc = graph_output_print(c, q, g, &a, critical_s, e);
	}
	task_analysis_release(&a);
	return rc;
}

static enum err_code run_static(const struct context *c, const struct graph_question *q,
				struct err *e)
{
	const char *path = options_get(&c->opt, &opt_graph_dot);
	struct strbuf text = STRBUF_INIT;
	struct wavefront_static s;
	enum err_code rc = wavefront_static_of(&q->wavefront, &s, e);

	if (rc)
		return rc;
	if (path) {
		wavefront_static_dot(&s, &text);
		rc = text_file_write(path, &text, e);
		strbuf_release(&text);
	}
	return rc ? rc : graph_static_print(c, &s, e);
}

static enum err_code run_dynamic(struct context *c, const struct graph_question *q, struct err *e)
{
	struct task_graph *g = NULL;
	enum err_code rc;

	if (!(rc = graph_question_graph(c, q, &g, e)))
		rc = analyse(c, q, g, e);
	task_graph_free(g);
	return rc;
}

enum err_code model_graph_run(struct context *c, struct err *e)
{
	struct graph_question q = {0};
	enum err_code rc = graph_question_read(c, &q, e);

	if (!rc)
		rc = q.is_static ? run_static(c, &q, e) : run_dynamic(c, &q, e);
	graph_question_release(&q);
	return rc;
}
