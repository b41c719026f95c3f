#include "models/model_list.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "models/pipeline.h"
#include "models/wavefront.h"

static enum err_code need_costs(const struct message_cost *cost, const char *where, struct err *e)
{
	if (!cost)
		return err_set(e, ERR_NODATA, "this model needs the message costs %s", where);
	return ERR_OK;
}

static enum err_code need_both_costs(const struct model_input *in, struct err *e)
{
	enum err_code rc = need_costs(in->remote, "between nodes", e);

	return rc ? rc : need_costs(in->local, "inside a node", e);
}

static enum err_code run_basic(const struct model_input *in, double Wg_s, struct sweep_time *out,
			       struct err *e)
{
	struct wavefront w;
	enum err_code rc;

	if ((rc = need_costs(in->remote, "between nodes", e)) ||
	    (rc = wavefront_basic(&in->sweep, in->remote, Wg_s, &w, e)))
		return rc;
	*out = w.all;
	return ERR_OK;
}

static enum err_code run_smp_printed(const struct model_input *in, double Wg_s,
				     struct sweep_time *out, struct err *e)
{
	struct wavefront w;
	enum err_code rc;

	if ((rc = need_both_costs(in, e)))
		return rc;
	if (in->tile_i != 2 || in->tile_j != 2)
		return err_set(e, ERR_ARG,
			       "Table 3 is for 2 x 2 processors a node, not %" PRId64 " x %" PRId64
			       ": use loggp-tile",
			       in->tile_i, in->tile_j);
	if ((rc = wavefront_smp_printed(&in->sweep, in->remote, in->local, Wg_s, &w, e)))
		return rc;
	*out = w.all;
	return ERR_OK;
}

static enum err_code run_smp_tiled(const struct model_input *in, double Wg_s,
				   struct sweep_time *out, struct err *e)
{
	struct wavefront w;
	enum err_code rc;

	if ((rc = need_both_costs(in, e)) ||
	    (rc = wavefront_smp_tiled(&in->sweep, in->remote, in->local, in->tile_i, in->tile_j,
				      Wg_s, &w, e)))
		return rc;
	*out = w.all;
	return ERR_OK;
}

static enum err_code run_pipeline(const struct model_input *in, double Wg_s, struct sweep_time *out,
				  struct err *e)
{
	enum err_code rc = need_costs(in->remote, "between nodes", e);

	return rc ? rc : pipeline_iteration(&in->sweep, in->remote, Wg_s, out, e);
}

static const struct model models[] = {
	{
		.name = "loggp",
		.title = "LogGP wavefront, closed form",
		.source = "Sundaram-Stukel and Vernon, PPoPP 1999, equations 1-9",
		.applies_to = "pipelined wavefronts, one processor a node",
		.iteration = run_basic,
	},
	{
		.name = "loggp-smp",
		.title = "LogGP wavefront on nodes of 2 x 2 processors, as printed",
		.source = "Sundaram-Stukel and Vernon, PPoPP 1999, Table 3",
		.applies_to = "pipelined wavefronts, 2 x 2 processors a node, even grids",
		.iteration = run_smp_printed,
	},
	{
		.name = "loggp-tile",
		.title = "LogGP wavefront on nodes of any tile, each message with its own cost",
		.source = "ours, after Table 3 of Sundaram-Stukel and Vernon, PPoPP 1999",
		.applies_to = "pipelined wavefronts, several processors a node",
		.iteration = run_smp_tiled,
	},
	{
		.name = "pipeline",
		.title = "exact max-plus recurrence over all blocks of an iteration",
		.source = "the control flow of Sweep3D 2.2b (LANL LA-CC-97-5)",
		.applies_to = "pipelined wavefronts, one processor a node, any sub-grids",
		.iteration = run_pipeline,
	},
};
enum { N_MODELS = sizeof models / sizeof *models };

const struct model *model_list(size_t *n)
{
	*n = N_MODELS;
	return models;
}

static enum err_code fail_unknown(const char *name, struct err *e)
{
	struct strbuf names = STRBUF_INIT;
	enum err_code rc;

	for (size_t i = 0; i < N_MODELS; i++)
		strbuf_printf(&names, "%s%s", i > 0 ? ", " : "", models[i].name);
	rc = err_set(e, ERR_ARG, "no model is called %s: there are %s", name, strbuf_text(&names));
	strbuf_release(&names);
	return rc;
}

enum err_code model_find(const char *name, const struct model **out, struct err *e)
{
	for (size_t i = 0; i < N_MODELS; i++) {
		if (strcmp(models[i].name, name) == 0) {
			*out = &models[i];
			return ERR_OK;
		}
	}
	return fail_unknown(name, e);
}

enum err_code model_run(const struct model *m, const struct model_input *in, struct sweep_time *out,
			struct err *e)
{
	struct sweep_time plain, fixup;
	enum err_code rc;

	if ((rc = m->iteration(in, in->run.Wg_s, &plain, e)) ||
	    (rc = m->iteration(in, in->run.Wg_fixup_s, &fixup, e)))
		return rc;
	return sweep_run_time(&in->run, &plain, &fixup, out, e);
}

enum err_code model_square_grid(int64_t procs, int64_t *npe_i, int64_t *npe_j, struct err *e)
{
	int64_t n = 1;

	if (procs < 1 || procs > SWEEP_MAX_COUNT)
		return err_set(e, ERR_ARG, "%" PRId64 " processors: from 1 to %" PRId64, procs,
			       SWEEP_MAX_COUNT);
	for (int64_t d = 1; d <= procs / d; d++) {
		if (procs % d == 0)
			n = d;
	}
	*npe_i = n;
	*npe_j = procs / n;
	return ERR_OK;
}
