#include "models/logp_wavefront.h"

#include <math.h>

struct logp logp_from_message_cost(const struct message_cost *c)
{
	struct message_time t = message_cost_at(c, 0);

	return (struct logp){.L_s = fmax(t.total_s - 2 * t.send_s, 0), .o_s = t.send_s};
}

/* Messages of a block and what handling them costs: LogP's own figures or LoPC's. */
static enum err_code solve_cycle(const struct sweep *s, const struct logp *p,
				 enum logp_contention contention, double W_s,
				 struct lopc_cycle *out, struct err *e)
{
	const struct lopc question = {
		.W_s = W_s,
		.L_s = p->L_s,
		.o_s = p->o_s,
		.messages = (s->npe_i > 1) + (s->npe_j > 1),
		.coprocessor = contention == LOPC_COPROCESSOR,
	};
	enum err_code rc = lopc_solve(&question, out, e); /* checks L and o in any case */

	if (!rc && contention == LOGP_NO_CONTENTION)
		*out = (struct lopc_cycle){W_s + p->o_s + 2 * p->L_s, W_s, p->o_s, 0};
	return rc;
}

enum err_code logp_wavefront(const struct sweep *s, const struct logp *p,
			     enum logp_contention contention, double Wg_s,
			     struct logp_wavefront *out, struct err *e)
{
	const bool alone = s->npe_i == 1 && s->npe_j == 1;
	const struct logp no_messages = {0, 0};
	const struct logp *cost = alone ? &no_messages : p;
	struct logp_wavefront w = {.start_m1_s = 0};
	struct sweep_block b;
	double W, blocks, step, tail;
	enum err_code rc;

	if ((rc = sweep_block_of(s, &b, e)) || (rc = sweep_check_Wg(Wg_s, e)))
		return rc;
	W = Wg_s * b.cell_angles;
	if ((rc = solve_cycle(s, cost, contention, W, &w.cycle, e)))
		return rc;

	const double Wc = w.cycle.W_s, o = w.cycle.o_s, L = cost->L_s;

	blocks = 2 * b.n_block; /* of an octant pair */
	step = Wc + o + 2 * L;
	/* Sweeps 1 and 2 come down the first column. Sweeps 3 and 4 begin where those end, at (m,
	 * 1), so the wave climbs all rows again before it has passed along the first. */
	w.start_m1_s = (double)(s->npe_j - 1) * (Wc + o + L);
	w.start_1n1_s = w.start_m1_s;
	if (s->npe_i > 1)
		w.start_1n1_s += (double)(s->npe_i - 2) * (Wc + 2 * o + 3 * L);
	tail = s->npe_i > 1 ? Wc : 0;
	w.time12_s = w.start_m1_s + step * blocks;
	w.time34_s = w.start_1n1_s + step * blocks + tail;
	w.all.time_s = 2 * (w.time12_s + w.time34_s);
	w.all.parts = (struct breakdown){
		.compute_s = 4 * W * blocks,
		.comm_s = 4 * (cost->o_s + 2 * L) * blocks,
		.fill_s = 2 * (w.start_m1_s + w.start_1n1_s + tail),
		.sync_s = 4 * ((Wc - W) + (o - cost->o_s)) * blocks,
	};
	if (!isfinite(w.all.time_s))
		return err_set(e, ERR_ARG, "the time of an iteration is too large for a number");
	*out = w;
	return ERR_OK;
}
