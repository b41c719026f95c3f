#include "models/model_list.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "models/formula.h"
#include "models/logp_wavefront.h"
#include "models/pipeline.h"
#include "models/plug_and_play.h"
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

/* One iteration of each wavefront model, asked in the words of model_list.h: what a model needs is
 * taken from the input, or named where it is missing. Errors: those of struct model's iteration. */
static enum err_code iteration_basic(const struct model_input *in, double Wg_s,
				     struct sweep_time *out, struct err *e)
{
	struct wavefront w;
	enum err_code rc;

	if ((rc = need_costs(in->remote, "between nodes", e)) ||
	    (rc = wavefront_basic(&in->sweep, in->remote, Wg_s, &w, e)))
		return rc;
	*out = w.all;
	return ERR_OK;
}

static enum err_code iteration_printed(const struct model_input *in, double Wg_s,
				       struct sweep_time *out, struct err *e)
{
	struct wavefront w;
	enum err_code rc;

	if ((rc = need_costs(in->remote, "between nodes", e)) ||
	    (rc = wavefront_printed(&in->sweep, in->remote, Wg_s, &w, e)))
		return rc;
	*out = w.all;
	return ERR_OK;
}

static enum err_code iteration_smp_printed(const struct model_input *in, double Wg_s,
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

static enum err_code iteration_smp_tiled(const struct model_input *in, double Wg_s,
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

static enum err_code iteration_pipeline(const struct model_input *in, double Wg_s,
					struct sweep_time *out, struct err *e)
{
	enum err_code rc = need_costs(in->remote, "between nodes", e);

	return rc ? rc : pipeline_iteration(&in->sweep, in->remote, Wg_s, out, e);
}

static enum err_code run_logp_lopc(const struct model_input *in, enum logp_contention contention,
				   double Wg_s, struct sweep_time *out, struct err *e)
{
	struct logp_wavefront w;
	struct logp cost;
	enum err_code rc;

	if ((rc = need_costs(in->remote, "between nodes", e)))
		return rc;
	cost = logp_from_message_cost(in->remote);
	if ((rc = logp_wavefront(&in->sweep, &cost, contention, Wg_s, &w, e)))
		return rc;
	*out = w.all;
	return ERR_OK;
}

static enum err_code iteration_logp(const struct model_input *in, double Wg_s,
				    struct sweep_time *out, struct err *e)
{
	return run_logp_lopc(in, LOGP_NO_CONTENTION, Wg_s, out, e);
}

static enum err_code iteration_lopc(const struct model_input *in, double Wg_s,
				    struct sweep_time *out, struct err *e)
{
	return run_logp_lopc(in, LOPC_ONE_PROCESSOR, Wg_s, out, e);
}

static enum err_code iteration_lopc_coprocessor(const struct model_input *in, double Wg_s,
						struct sweep_time *out, struct err *e)
{
	return run_logp_lopc(in, LOPC_COPROCESSOR, Wg_s, out, e);
}

static enum err_code run_plug(const struct model_input *in, enum plug_code code, double Wg_s,
			      struct sweep_time *out, struct err *e)
{
	const struct plug_input question = {
		.code = code,
		.sweep = in->sweep,
		.Wg_s = Wg_s,
		.Wg_pre_s = in->Wg_pre_s,
		.nonwavefront_s = in->nonwavefront_s,
	};
	struct plug_and_play p;
	enum err_code rc;

	if ((rc = need_costs(in->remote, "between nodes", e)) ||
	    (rc = plug_and_play(&question, in->remote, &p, e)))
		return rc;
	*out = p.all;
	return ERR_OK;
}

static enum err_code iteration_plug_lu(const struct model_input *in, double Wg_s,
				       struct sweep_time *out, struct err *e)
{
	return run_plug(in, PLUG_LU, Wg_s, out, e);
}

static enum err_code iteration_plug_sweep3d(const struct model_input *in, double Wg_s,
					    struct sweep_time *out, struct err *e)
{
	return run_plug(in, PLUG_SWEEP3D, Wg_s, out, e);
}

static enum err_code iteration_plug_chimaera(const struct model_input *in, double Wg_s,
					     struct sweep_time *out, struct err *e)
{
	return run_plug(in, PLUG_CHIMAERA, Wg_s, out, e);
}

#define POEMS "Deelman et al., POEMS, WOSP 1998, section 4.1"
#define LOPC POEMS "; contention after Frank, Agarwal and Vernon, PPoPP 1997"
#define LOGP_CAVEAT "for short messages only: the time per byte and handshakes are left out"
#define LOPC_CAVEAT LOGP_CAVEAT "; its contention is restated without the text of 1997 at hand"
#define PLUG "after Mudalige, Vernon and Jarvis, IPDPS 2008"
#define PLUG_CAVEAT "restated from memory, without the text of 2008 at hand"
#define LIU "Liu, Qiao and Liu, Computer Science 27(5), 2000"
#define KREDEL "Kredel et al., ISC 2013 (slides)"

static const struct model models[] = {
	{
		.name = "loggp",
		.title = "LogGP wavefront, closed form",
		.source = "Sundaram-Stukel and Vernon, PPoPP 1999, equations 1-9",
		.applies_to = "pipelined wavefronts, one processor a node",
		.closed_form = true,
		.iteration = iteration_basic,
	},
	{
		.name = "loggp-printed",
		.title = "LogGP wavefront as printed: waits for receives at every message size",
		.source = "Sundaram-Stukel and Vernon, PPoPP 1999, equations 1-9",
		.applies_to = "pipelined wavefronts, one processor a node",
		.closed_form = true,
		.iteration = iteration_printed,
	},
	{
		.name = "loggp-smp",
		.title = "LogGP wavefront on nodes of 2 x 2 processors, as printed",
		.source = "Sundaram-Stukel and Vernon, PPoPP 1999, Table 3",
		.applies_to = "pipelined wavefronts, 2 x 2 processors a node, even grids",
		.iteration = iteration_smp_printed,
	},
	{
		.name = "loggp-tile",
		.title = "LogGP wavefront on nodes of any tile, each message with its own cost",
		.source = "ours, after Table 3 of Sundaram-Stukel and Vernon, PPoPP 1999",
		.applies_to = "pipelined wavefronts, several processors a node",
		.iteration = iteration_smp_tiled,
	},
	{
		.name = "pipeline",
		.title = "exact max-plus recurrence over all blocks of an iteration",
		.source = "the control flow of Sweep3D 2.2b (LANL LA-CC-97-5)",
		.applies_to = "pipelined wavefronts, one processor a node, any sub-grids",
		.iteration = iteration_pipeline,
	},
	{
		.name = "logp",
		.title = "LogP wavefront: no message sizes, no handshake",
		.source = POEMS,
		.applies_to = "Sweep3D with short messages, one processor a node",
		.caveat = LOGP_CAVEAT,
		.closed_form = true,
		.iteration = iteration_logp,
	},
	{
		.name = "lopc",
		.title = "the same with contention: handling a message interrupts the computation",
		.source = LOPC,
		.applies_to = "Sweep3D with short messages, one processor a node",
		.caveat = LOPC_CAVEAT,
		.closed_form = true,
		.iteration = iteration_lopc,
	},
	{
		.name = "lopc-coprocessor",
		.title = "the same with a processor for messages beside that for computation",
		.source = LOPC,
		.applies_to = "Sweep3D with short messages, nodes with a message co-processor",
		.caveat = LOPC_CAVEAT,
		.closed_form = true,
		.iteration = iteration_lopc_coprocessor,
	},
	{
		.name = "plug-lu",
		.title = "plug-and-play wavefront: 2 sweeps, 2 full fills",
		.source = PLUG,
		.code = "LU",
		.applies_to = "LU; --angles 1 --mmi 1, mk the height of a tile, Wg per cell",
		.caveat = PLUG_CAVEAT,
		.more_times = true,
		.closed_form = true,
		.iteration = iteration_plug_lu,
	},
	{
		.name = "plug-sweep3d",
		.title = "plug-and-play wavefront: 8 sweeps, 2 full and 2 diagonal fills",
		.source = PLUG,
		.applies_to = "Sweep3D, one processor a node",
		.caveat = PLUG_CAVEAT,
		.more_times = true,
		.closed_form = true,
		.iteration = iteration_plug_sweep3d,
	},
	{
		.name = "plug-chimaera",
		.title = "plug-and-play wavefront: 8 sweeps, 4 full and 2 diagonal fills",
		.source = PLUG,
		.code = "Chimaera",
		.applies_to = "Chimaera; mk and mmi the height and the angles of a tile",
		.caveat = PLUG_CAVEAT,
		.more_times = true,
		.closed_form = true,
		.iteration = iteration_plug_chimaera,
	},
	{
		.name = "hockney",
		.title = "a message and a broadcast: t0 + m / r_inf, times log2 n",
		.source = LIU ", equation 1",
		.applies_to = "networks of which start-up and bandwidth are known",
		.formula = &formula_hockney,
	},
	{
		.name = "liu-collective",
		.title = "a collective operation: t0(n) + m / r(n)",
		.source = LIU ", section 5",
		.applies_to = "operations that were measured (`lemnos model collective` fits them)",
		.formula = &formula_collective,
	},
	{
		.name = "liu-pair",
		.title = "time that two nodes spend on each other's messages",
		.source = LIU ", equation 2",
		.applies_to = "two nodes whose messages are counted; sends that could be packed",
		.formula = &formula_interaction,
	},
	{
		.name = "liu",
		.title = "run time and speed-up from counted messages and bytes",
		.source = LIU ", equations 2' and 3",
		.applies_to = "any program whose work is even",
		.formula = &formula_application_level,
	},
	{
		.name = "kredel-scalar",
		.title = "cluster speed-up of the scalar product of two vectors",
		.source = KREDEL,
		.applies_to = "vectors of n numbers, units that are alike",
		.formula = &formula_scalar_product,
	},
	{
		.name = "kredel-matrix",
		.title = "cluster speed-up of the product of two matrices",
		.source = KREDEL,
		.applies_to = "n x n matrices on a square grid of units that are alike",
		.formula = &formula_matrix_product,
	},
	{
		.name = "kredel-linpack",
		.title = "cluster speed-up of Linpack, and the best size of the cluster",
		.source = KREDEL,
		.applies_to = "n equations, units that are alike",
		.formula = &formula_linpack,
	},
	{
		.name = "kredel-mixed",
		.title = "speed-up of a cluster with units of several kinds",
		.source = KREDEL,
		.applies_to = "any program whose operations and communicated bytes are known",
		.formula = &formula_mixed_cluster,
	},
	{
		.name = "kredel-top500",
		.title = "the bandwidth that explains a TOP500 entry",
		.source = KREDEL,
		.applies_to = "R_max and N_max of Linpack runs without accelerators",
		.formula = &formula_effective_bandwidth,
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

	if (!m->more_times && (in->Wg_pre_s != 0 || in->nonwavefront_s != 0))
		return err_set(e, ERR_ARG,
			       "model %s knows no computation before messages come and no time "
			       "outside of the sweeps; plug-lu, plug-sweep3d and plug-chimaera do",
			       m->name);
	if ((rc = m->iteration(in, in->run.Wg_s, &plain, e)) ||
	    (in->run.Wg_fixup_s != in->run.Wg_s &&
	     (rc = m->iteration(in, in->run.Wg_fixup_s, &fixup, e))))
		return rc;
	if (in->run.Wg_fixup_s == in->run.Wg_s)
		fixup = plain;
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
