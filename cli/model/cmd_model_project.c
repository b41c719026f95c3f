#include <stdlib.h>

#include "cli/frame/cmd.h"
#include "cli/frame/gnuplot.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_formula.h"
#include "cli/model/model_options.h"
#include "cli/model/projection_output.h"

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

/* ---- the action ---- */

static enum err_code read_question(struct context *c, struct model_question *q,
				   struct projection_request *at, int64_t max_procs, struct err *e)
{
	enum err_code rc;

	at->listed = options_has(&c->opt, &opt_project_procs);
	if ((rc = options_number(&c->opt, &opt_project_efficiency, 0, 1, &at->least_efficiency,
				 e)) ||
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
	struct projection_request at = {.least_efficiency = SCALING_LEAST_EFFICIENCY};
	struct projection p = {0};
	enum err_code rc;

	if ((plot && (rc = gnuplot_check(plot, e))) ||
	    (rc = read_question(c, &q, &at, max_procs, e)) ||
	    (rc = projection_find(&c->session, &q, &at, &p, e)))
		goto done;
	progress_bar_clear(&c->bar);
	model_note_caveat(c, q.model);
	rc = projection_print(c, &p, e);
	if (!rc && plot)
		rc = projection_draw(plot, &p, e);
done:
	projection_release(&p);
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
