#include "models/formulas.h"

#include <math.h>

#include "models/application_level.h"

/* Inputs in the order of in[], results in the order of out[]. */
enum { MAX_COUNT = 1000000000 };

static const struct formula_input message_inputs[] = {
	{"m_bytes", "size of the message", 0, 1e18, (double)NAN},
	{"n", "nodes of the broadcast", 1, MAX_COUNT, (double)NAN},
	{"t0_s", "start-up of a message", 0, 1e9, (double)NAN},
	{"s_per_byte", "1 / r_inf", 0, 1e9, (double)NAN},
};
static const struct formula_result message_results[] = {
	{"message_s", "t(m) = t0 + m / r_inf"},
	{"broadcast_s", "t(m) log2 n"},
	{"bytes_per_s", "m / t(m)"},
	{"n_half_bytes", "t0 r_inf: the size at which half of r_inf is reached"},
};

static enum err_code message_evaluate(const double *in, double *out, struct err *e)
{
	const struct hockney h = {in[2], in[3]};

	(void)e;
	out[0] = hockney_message_s(&h, in[0]);
	out[1] = hockney_broadcast_s(&h, in[0], in[1]);
	out[2] = out[0] > 0 ? in[0] / out[0] : NAN;
	out[3] = h.s_per_byte > 0 ? h.t0_s / h.s_per_byte : NAN;
	return ERR_OK;
}

const struct formula formula_hockney = {
	.input = message_inputs,
	.n_inputs = sizeof message_inputs / sizeof *message_inputs,
	.result = message_results,
	.n_results = sizeof message_results / sizeof *message_results,
	.procs = "n",
	.evaluate = message_evaluate,
};

static const struct formula_input level_inputs[] = {
	{"n", "nodes", 1, MAX_COUNT, (double)NAN},
	{"t1_s", "run time on one node", 1e-300, 1e300, (double)NAN},
	{"t0_s", "start-up of a message", 0, 1e9, (double)NAN},
	{"s_per_byte", "1 / r_inf", 0, 1e9, (double)NAN},
	{"messages", "point to point, of the node that has most", 0, 1e18, 0},
	{"bytes", "in these messages", 0, 1e300, 0},
	{"group_messages", "collective operations of that node", 0, 1e18, 0},
	{"group_bytes", "in these operations", 0, 1e300, 0},
};
static const struct formula_result level_results[] = {
	{"time_s", "computation and (2')"},
	{"compute_s", "t1 / n"},
	{"startup_s", "(c_p + c_b log2 n) t0"},
	{"transfer_s", "(M_p + M_b log2 n) / r_inf"},
	{"speedup", "t1 / time"},
	{"bound_s", "(3): at most t1/n + (1 + log2 n)(c t0 + M / r_inf)"},
	{"bound_speedup", "(3): at least"},
};

static enum err_code level_evaluate(const double *in, double *out, struct err *e)
{
	const struct hockney h = {in[2], in[3]};
	const struct interaction x = {in[4], in[5], in[6], in[7]};
	struct application_level a;
	enum err_code rc = application_level(&h, &x, in[0], in[1], &a, e);

	if (rc)
		return rc;
	out[0] = a.time_s;
	out[1] = a.compute_s;
	out[2] = a.startup_s;
	out[3] = a.transfer_s;
	out[4] = a.speedup;
	out[5] = a.bound_s;
	out[6] = a.bound_speedup;
	return ERR_OK;
}

const struct formula formula_application_level = {
	.input = level_inputs,
	.n_inputs = sizeof level_inputs / sizeof *level_inputs,
	.result = level_results,
	.n_results = sizeof level_results / sizeof *level_results,
	.procs = "n",
	.evaluate = level_evaluate,
};
