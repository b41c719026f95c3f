#include "cli/model/model_question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/model/model_definitions.h"
#include "api/predict_row.h"
#include "cli/model/task_wg.h"
#include "domain/configuration.h"
#include "mining/mine.h"
#include "mining/wg_from_fit.h"
#include "mining/structure/wavefront_question.h"
#include "mining/structure/wavefront_time.h"

const struct option_spec opt_wg = {
	.name = "wg",
	.arg = "TIME",
	.help = "computation per cell and angle: 0.2us, 15ns, or ted:FILE, a task's\n"
		"description (default: as mined from the machine's runs)",
};
const struct option_spec opt_wg_fixup = {
	.name = "wg-fixup",
	.arg = "TIME",
	.help = "the same in the iterations with flux fix-ups, after the 7th\n"
		"(default: as --wg)",
};
const struct option_spec opt_wg_pre = {
	.name = "wg-pre",
	.arg = "TIME",
	.help = "plug-lu: computation per cell before the messages come",
};
const struct option_spec opt_w_before = {
	.name = "w-before",
	.arg = "TIME",
	.help = "time of each time step and group before its iterations (default 0)",
};
const struct option_spec opt_w_after = {
	.name = "w-after",
	.arg = "TIME",
	.help = "the same after its iterations",
};
const struct option_spec opt_nonwavefront = {
	.name = "nonwavefront",
	.arg = "TIME",
	.help = "plug-*: time of an iteration outside of its sweeps, besides\nall-reduces",
};
const struct option_spec opt_tile = {
	.name = "tile",
	.arg = "IxJ",
	.help = "processors of the grid that share a node (default 1x1)",
};

/* ---- the machine's message costs ---- */

/* Between nodes: as given, else as calibrated from a ping-pong in the base. */
enum err_code model_question_costs(struct context *c, struct model_question *q, struct err *e)
{
	struct cost_segment *segment = NULL;
	size_t n = 0;
	enum err_code rc = message_cost_from_machine(q->machine, &q->remote, NULL);

	q->has_remote = !rc;
	if (rc == ERR_NODATA && c->session.kb && q->machine_id) {
		if ((rc = kb_get_message_cost(c->session.kb, q->machine_id, &segment, &n, e)))
			return rc;
		if (n > 0)
			rc = message_cost_from_segments(segment, n, q->machine->blocking_bytes,
							MESSAGE_COST_OVERHEAD_SHARE, &q->remote, e);
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

static enum err_code read_definitions(struct context *c, struct model_question *q, struct err *e)
{
	enum err_code rc;

	if ((rc = model_definitions_application(c, &q->app, &q->app_id, e)) ||
	    (rc = model_definitions_machine(c, q->app_id, &q->machine, &q->machine_id, e)))
		return rc;
	return model_question_costs(c, q, e);
}

/* ---- numbers ---- */

static enum err_code read_tile(struct context *c, struct model_input *in, struct err *e)
{
	const char *text = options_get(&c->opt, &opt_tile);
	char *end = NULL;

	in->tile_i = in->tile_j = 1;
	if (!text)
		return ERR_OK;
	in->tile_i = strtol(text, &end, 10);
	if (end != text && *end == 'x')
		in->tile_j = strtol(end + 1, &end, 10);
	if (*end || in->tile_i < 1 || in->tile_j < 1 || !strchr(text, 'x'))
		return err_set(e, ERR_USAGE, "--tile %s: write it like 2x2", text);
	return ERR_OK;
}

enum err_code model_question_wg(struct context *c, struct model_question *q, struct err *e)
{
	struct sweep_run *run = &q->input.run;
	enum err_code rc;

	if (!options_has(&c->opt, &opt_wg) && options_has(&c->opt, &opt_wg_fixup))
		return err_set(e, ERR_USAGE, "--wg-fixup needs --wg beside it");
	if ((rc = task_wg_open(c, options_get(&c->opt, &opt_wg), &q->task_wg, e)) ||
	    (!q->task_wg && (rc = options_duration(&c->opt, &opt_wg, &run->Wg_s, e))))
		return rc;
	q->has_wg_fixup = options_has(&c->opt, &opt_wg_fixup);
	run->Wg_fixup_s = run->Wg_s;
	return options_duration(&c->opt, &opt_wg_fixup, &run->Wg_fixup_s, e);
}

enum err_code model_question_load_mined(struct context *c, struct model_question *q, struct err *e)
{
	const struct mine_target on = {q->app, q->app_id, q->machine, q->machine_id};
	struct err why = {0};
	char snapshot[65];
	bool stale = false;
	enum err_code rc;

	if (q->predictor || !q->app_id || !q->machine_id)
		return ERR_OK;
	rc = mine_load(c->session.kb, &on, &q->predictor, &stale, snapshot, &why);
	if (rc && rc != ERR_NOTMINED)
		return err_set(e, rc, "%s", why.msg);
	if (stale)
		context_warn(c, "facts about %s changed since this was mined; run `lemnos mine`",
			     q->machine->name);
	return ERR_OK;
}

enum err_code model_question_mined(struct context *c, struct model_question *q, struct err *e)
{
	enum err_code rc;

	if (!q->app_id || !q->machine_id)
		return err_set(e, ERR_NOTMINED, "%s on %s is not in the knowledge base %s",
			       q->app->name, q->machine->name, c->kb_path);
	if ((rc = model_question_load_mined(c, q, e)))
		return rc;
	if (!q->predictor)
		return err_set(e, ERR_NOTMINED, "nothing was mined of %s on %s", q->app->name,
			       q->machine->name);
	q->wg_is_mined = true;
	return ERR_OK;
}

/* Without --wg it is what mining made of the machine's runs. */
static enum err_code read_mined_wg(struct context *c, struct model_question *q, struct err *e)
{
	struct err why = {0};
	enum err_code rc;

	if (options_has(&c->opt, &opt_wg))
		return ERR_OK;
	if (q->model->code)
		return err_set(e, ERR_USAGE,
			       "how long does the computation of one cell take in %s? Give --wg "
			       "0.2us",
			       q->model->code);
	rc = model_question_mined(c, q, &why);
	if (rc == ERR_NOTMINED)
		return err_set(e, ERR_USAGE,
			       "how long does the computation of one cell and angle take? Give "
			       "--wg 0.2us (nothing was mined of %s on %s to take it from)",
			       q->app->name, q->machine->name);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

/* Before any row is there to ask about. */
static enum err_code check_application(const struct application *a, struct err *e)
{
	size_t column[WC_COUNT];

	return wavefront_time_bind(a, column) ? ERR_OK : wavefront_question_refuse(a, e);
}

enum err_code model_question_application(struct context *c, const char *name,
					 struct model_question *q, struct err *e)
{
	enum err_code rc = model_definitions_named(c, name, &q->app, &q->app_id, e);

	return rc ? rc : check_application(q->app, e);
}

enum err_code model_question_options(struct context *c, struct model_question *q, struct err *e)
{
	struct model_input *in = &q->input;
	enum err_code rc;

	if ((rc = options_duration(&c->opt, &opt_wg_pre, &in->Wg_pre_s, e)) ||
	    (rc = options_duration(&c->opt, &opt_nonwavefront, &in->nonwavefront_s, e)) ||
	    (rc = options_duration(&c->opt, &opt_w_before, &in->run.W_before_s, e)) ||
	    (rc = options_duration(&c->opt, &opt_w_after, &in->run.W_after_s, e)) ||
	    (rc = read_tile(c, in, e)))
		return rc;
	q->row = calloc(q->app->n_columns, sizeof *q->row);
	return q->row ? ERR_OK : err_set(e, ERR_NOMEM, "a configuration");
}

/* What is left when the times are settled. */
static enum err_code read_untimed(struct context *c, struct model_question *q, struct err *e)
{
	enum err_code rc;

	if ((rc = read_definitions(c, q, e)) || (rc = check_application(q->app, e)) ||
	    (rc = model_question_options(c, q, e)))
		return rc;
	q->input.remote = &q->remote;
	q->input.local = q->has_local ? &q->local : NULL;
	return ERR_OK;
}

enum err_code model_question_read_untimed(struct context *c, struct model_question *out,
					  struct err *e)
{
	*out = (struct model_question){0};
	return read_untimed(c, out, e);
}

enum err_code model_question_read(struct context *c, const char *model, struct model_question *out,
				  struct err *e)
{
	struct model_question *q = out;
	enum err_code rc;

	*q = (struct model_question){0};
	if ((rc = model_find(model, &q->model, e)) || (rc = model_question_wg(c, q, e)) ||
	    (rc = read_untimed(c, q, e)))
		return rc;
	return read_mined_wg(c, q, e);
}

enum err_code model_question_read_row(struct context *c, struct model_question *q, struct err *e)
{
	enum err_code rc = context_configuration(c, q->app, true, q->row, e);

	if (!rc)
		configuration_default_workload(q->app, q->row);
	return rc;
}

enum err_code model_question_read_growing(struct context *c, struct model_question *q,
					  struct err *e)
{
	enum err_code rc = context_configuration(c, q->app, false, q->row, e);

	if (!rc)
		configuration_default_workload(q->app, q->row);
	return rc;
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
