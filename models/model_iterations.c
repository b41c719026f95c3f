#include "models/model_iterations.h"

#include <inttypes.h>

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

enum err_code iteration_basic(const struct model_input *in, double Wg_s, struct sweep_time *out,
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

enum err_code iteration_printed(const struct model_input *in, double Wg_s, struct sweep_time *out,
				struct err *e)
{
	struct wavefront w;
	enum err_code rc;

	if ((rc = need_costs(in->remote, "between nodes", e)) ||
	    (rc = wavefront_printed(&in->sweep, in->remote, Wg_s, &w, e)))
		return rc;
	*out = w.all;
	return ERR_OK;
}

enum err_code iteration_smp_printed(const struct model_input *in, double Wg_s,
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

enum err_code iteration_smp_tiled(const struct model_input *in, double Wg_s, struct sweep_time *out,
				  struct err *e)
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

enum err_code iteration_pipeline(const struct model_input *in, double Wg_s, struct sweep_time *out,
				 struct err *e)
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

enum err_code iteration_logp(const struct model_input *in, double Wg_s, struct sweep_time *out,
			     struct err *e)
{
	return run_logp_lopc(in, LOGP_NO_CONTENTION, Wg_s, out, e);
}

enum err_code iteration_lopc(const struct model_input *in, double Wg_s, struct sweep_time *out,
			     struct err *e)
{
	return run_logp_lopc(in, LOPC_ONE_PROCESSOR, Wg_s, out, e);
}

enum err_code iteration_lopc_coprocessor(const struct model_input *in, double Wg_s,
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

enum err_code iteration_plug_lu(const struct model_input *in, double Wg_s, struct sweep_time *out,
				struct err *e)
{
	return run_plug(in, PLUG_LU, Wg_s, out, e);
}

enum err_code iteration_plug_sweep3d(const struct model_input *in, double Wg_s,
				     struct sweep_time *out, struct err *e)
{
	return run_plug(in, PLUG_SWEEP3D, Wg_s, out, e);
}

enum err_code iteration_plug_chimaera(const struct model_input *in, double Wg_s,
				      struct sweep_time *out, struct err *e)
{
	return run_plug(in, PLUG_CHIMAERA, Wg_s, out, e);
}
