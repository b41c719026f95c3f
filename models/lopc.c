#include "models/lopc.h"

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
