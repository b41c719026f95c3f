#include "models/plug_and_play.h"

#include <inttypes.h>
#include <math.h>

#include "models/wavefront.h"

static const struct code {
	double n_sweeps, n_full, n_diag;
	double n_allreduce;
	double message_share; /* bytes on a face, in units of 8 bytes a cell and angle */
} codes[] = {
	[PLUG_LU] = {2, 2, 0, 0, 5}, /* five unknowns a cell */
	[PLUG_SWEEP3D] = {8, 2, 2, 2, 1},
	[PLUG_CHIMAERA] = {8, 4, 2, 1, 1},
};

static enum err_code check(const struct plug_input *in, struct err *e)
{
	enum err_code rc;

	if ((rc = sweep_check_Wg(in->Wg_s, e)) || (rc = sweep_check_Wg(in->Wg_pre_s, e)))
		return rc;
	if (in->code == PLUG_LU && in->sweep.mm != 1)
		return err_set(e, ERR_ARG,
			       "LU has no angles: mm = %" PRId64 " must be 1, and Wg the time per "
			       "cell",
			       in->sweep.mm);
	if (in->code != PLUG_LU && in->Wg_pre_s > 0)
		return err_set(e, ERR_ARG,
			       "only LU computes before its messages come: W_pre must "
			       "be 0");
	if (!isfinite(in->nonwavefront_s) || in->nonwavefront_s < 0)
		return err_set(e, ERR_ARG,
			       "the time outside of the sweeps = %g s must be finite and >= 0",
			       in->nonwavefront_s);
	return ERR_OK;
}

static struct wavefront_hops hops_of(const struct sweep *s, const struct sweep_block *b,
				     const struct message_cost *cost, double share, double W_s)
{
	struct wavefront_hops h = {.W_s = W_s, .tile_i = 1, .tile_j = 1};

	if (s->npe_i > 1)
		h.ew[0] = message_cost_at(cost, share * b->ew_bytes);
	if (s->npe_j > 1)
		h.ns[0] = message_cost_at(cost, share * b->ns_bytes);
	return h;
}

enum err_code plug_and_play(const struct plug_input *in, const struct message_cost *cost,
			    struct plug_and_play *out, struct err *e)
{
	const struct code *k = &codes[in->code];
	const struct sweep *s = &in->sweep;
	struct plug_and_play p = {.W_s = 0};
	struct wavefront_hops h;
	struct sweep_block b;
	double messages_s, allreduce_s;
	enum err_code rc;

	if ((rc = sweep_block_of(s, &b, e)) || (rc = check(in, e)))
		return rc;
	p.W_s = in->Wg_s * b.cell_angles;
	p.W_pre_s = in->Wg_pre_s * b.cell_angles;
	h = hops_of(s, &b, cost, k->message_share, p.W_s);
	messages_s = h.ew[0].receive_s + h.ns[0].receive_s + h.ew[0].send_s + h.ns[0].send_s;
	allreduce_s = k->n_allreduce * log2((double)s->npe_i * (double)s->npe_j) *
		      message_cost_at(cost, 8).total_s;

	p.diagfill_s = p.W_pre_s + wavefront_start_closed(&h, 1, s->npe_j);
	p.fullfill_s = p.W_pre_s + wavefront_start_closed(&h, s->npe_i, s->npe_j);
	p.stack_s = (p.W_s + p.W_pre_s + messages_s) * b.n_block - p.W_pre_s;
	p.nonwavefront_s = allreduce_s + in->nonwavefront_s;
	p.all.time_s = k->n_diag * p.diagfill_s + k->n_full * p.fullfill_s +
		       k->n_sweeps * p.stack_s + p.nonwavefront_s;
	p.all.parts = (struct breakdown){
		.compute_s = k->n_sweeps * (p.W_s + p.W_pre_s) * b.n_block,
		.comm_s = k->n_sweeps * messages_s * b.n_block,
		/* Each stack is short of the W_pre that its fill begins with. */
		.fill_s = k->n_diag * p.diagfill_s + k->n_full * p.fullfill_s -
			  k->n_sweeps * p.W_pre_s,
		.sync_s = allreduce_s,
		.other_s = in->nonwavefront_s,
	};
	if (!isfinite(p.all.time_s))
		return err_set(e, ERR_ARG, "the time of an iteration is too large for a number");
	*out = p;
	return ERR_OK;
}
