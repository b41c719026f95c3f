#include "models/logp_wavefront.h"

#include <math.h>

static bool is_time(double x)
{
	return isfinite(x) && x >= 0;
}

static enum err_code check(const struct lopc *p, struct err *e)
{
	if (!is_time(p->W_s))
		return err_set(e, ERR_ARG, "LoPC: W = %g s must be finite and >= 0", p->W_s);
	if (!is_time(p->L_s))
		return err_set(e, ERR_ARG, "LoPC: L = %g s must be finite and >= 0", p->L_s);
	if (!is_time(p->o_s))
		return err_set(e, ERR_ARG, "LoPC: o = %g s must be finite and >= 0", p->o_s);
	if (p->messages < 0 || p->messages > 4)
		return err_set(e, ERR_ARG,
			       "LoPC: %d messages a block; a processor of a grid has 0 to 4 "
			       "neighbours",
			       p->messages);
	return ERR_OK;
}

/* W' and R if the cycle took C > k o. */
static struct lopc_cycle cycle_of(const struct lopc *p, double C)
{
	double k = p->messages, o = p->o_s;

	return (struct lopc_cycle){
		.cycle_s = C,
		.W_s = p->coprocessor ? p->W_s : p->W_s / (1 - k * o / C),
		/* R = o (1 + (k-1) R / C), solved for R */
		.o_s = k > 0 ? o / (1 - (k - 1) * o / C) : o,
		.utilisation = k * o / C,
	};
}

enum err_code lopc_solve(const struct lopc *p, struct lopc_cycle *out, struct err *e)
{
	enum err_code rc = check(p, e);
	double lo, hi;

	if (rc)
		return rc;
	/* Below lo messages alone would take longer than the cycle. At hi, U <= 1/2, so W' <= 2W
	 * and R <= 2o: what the cycle must hold is no longer than hi. */
	lo = p->messages * p->o_s;
	hi = fmax(2 * lo, 2 * (p->W_s + p->o_s + p->L_s));
	if (!isfinite(hi))
		return err_set(e, ERR_ARG, "LoPC: the cycle is too long for a number");
	if (lo <= 0) { /* nothing to queue for: LogP */
		*out = (struct lopc_cycle){p->W_s + p->o_s + 2 * p->L_s, p->W_s, p->o_s, 0};
		return ERR_OK;
	}
	for (;;) {
		double mid = lo + (hi - lo) / 2;
		struct lopc_cycle at;

		if (mid <= lo || mid >= hi)
			break;
		at = cycle_of(p, mid);
		if (at.W_s + at.o_s + 2 * p->L_s > mid)
			lo = mid;
		else
			hi = mid;
	}
	*out = cycle_of(p, hi);
	return ERR_OK;
}

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
