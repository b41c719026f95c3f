#include "models/application_level.h"

#include <math.h>
#include <stddef.h>

#include "models/collective_cost.h"
#include "models/formula.h"

double hockney_message_s(const struct hockney *h, double bytes)
{
	return h->t0_s + bytes * h->s_per_byte;
}

double hockney_broadcast_s(const struct hockney *h, double bytes, double nodes)
{
	return hockney_message_s(h, bytes) * log2(nodes);
}

static enum err_code check(const struct hockney *h, const struct interaction *x, double nodes,
			   struct err *e)
{
	const struct {
		const char *name;
		double value;
	} field[] = {
		{"t0", h->t0_s},
		{"the time per byte", h->s_per_byte},
		{"messages", x->messages},
		{"bytes", x->bytes},
		{"messages of groups", x->group_messages},
		{"bytes of groups", x->group_bytes},
	};

	for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
		if (!isfinite(field[i].value) || field[i].value < 0)
			return err_set(e, ERR_ARG, "%s = %g must be finite and >= 0", field[i].name,
				       field[i].value);
	}
	if (!isfinite(nodes) || nodes < 1)
		return err_set(e, ERR_ARG, "%g nodes: at least 1", nodes);
	return ERR_OK;
}

enum err_code interaction_time(const struct hockney *h, const struct interaction *x, double nodes,
			       struct interaction_time *out, struct err *e)
{
	enum err_code rc = check(h, x, nodes, e);
	struct interaction_time t;
	double stages;

	if (rc)
		return rc;
	stages = log2(nodes);
	t.startup_s = (x->messages + x->group_messages * stages) * h->t0_s;
	t.transfer_s = (x->bytes + x->group_bytes * stages) * h->s_per_byte;
	t.time_s = t.startup_s + t.transfer_s;
	if (!isfinite(t.time_s))
		return err_set(e, ERR_ARG, "the time of the messages is too large for a number");
	*out = t;
	return ERR_OK;
}

enum err_code application_level(const struct hockney *h, const struct interaction *x, double nodes,
				double t1_s, struct application_level *out, struct err *e)
{
	struct interaction_time messages;
	enum err_code rc = interaction_time(h, x, nodes, &messages, e);
	struct application_level a;
	double plain_s;

	if (rc)
		return rc;
	if (!isfinite(t1_s) || t1_s <= 0)
		return err_set(e, ERR_ARG, "t1 = %g s on one node must be finite and > 0", t1_s);
	plain_s = (x->messages + x->group_messages) * h->t0_s +
		  (x->bytes + x->group_bytes) * h->s_per_byte;
	a.compute_s = t1_s / nodes;
	a.startup_s = messages.startup_s;
	a.transfer_s = messages.transfer_s;
	a.time_s = a.compute_s + a.startup_s + a.transfer_s;
	a.speedup = t1_s / a.time_s;
	a.bound_s = a.compute_s + (1 + log2(nodes)) * plain_s;
	a.bound_speedup = t1_s / a.bound_s;
	if (!isfinite(a.bound_s))
		return err_set(e, ERR_ARG, "the run time is too large for a number");
	*out = a;
	return ERR_OK;
}

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
	FORMULA_TABLES(message_inputs, message_results),
	.procs = "n",
	.evaluate = message_evaluate,
};

/* ---- a collective operation ---- */

static const struct formula_input collective_inputs[] = {
	{"m_bytes", "size of the message", 0, 1e18, (double)NAN},
	{"n", "nodes that take part", 1, MAX_COUNT, (double)NAN},
	{"t0_s", "start-up, whatever n", -1e9, 1e9, 0},
	{"t0_stage_s", "start-up for each of log2 n stages", -1e9, 1e9, 0},
	{"s_per_byte", "time per byte, whatever n", -1e9, 1e9, 0},
	{"stage_s_per_byte", "time per byte for each stage", -1e9, 1e9, 0},
};
static const struct formula_result collective_results[] = {
	{"collective_s", "t(m, n) = t0(n) + m / r(n)"},
	{"startup_s", "t0(n) = t0 + t0_stage log2 n"},
	{"bytes_per_s", "r(n), 1 / (s_per_byte + stage_s_per_byte log2 n)"},
	{"n_half_bytes", "t0(n) r(n): the size at which half of r(n) is reached"},
};

static enum err_code collective_evaluate(const double *in, double *out, struct err *e)
{
	const struct collective_cost c = {in[2], in[3], in[4], in[5]};
	double byte_s = collective_s_per_byte(&c, in[1]);

	(void)e;
	out[0] = collective_time_s(&c, in[0], in[1]);
	out[1] = collective_start_s(&c, in[1]);
	out[2] = byte_s > 0 ? 1 / byte_s : NAN;
	out[3] = byte_s > 0 ? out[1] / byte_s : NAN;
	return ERR_OK;
}

const struct formula formula_collective = {
	FORMULA_TABLES(collective_inputs, collective_results),
	.procs = "n",
	.evaluate = collective_evaluate,
};

/* ---- what two nodes exchange ---- */

static const struct formula_input pair_inputs[] = {
	{"n", "nodes of the collective operations", 1, MAX_COUNT, 1},
	{"t0_s", "start-up of a message", 0, 1e9, (double)NAN},
	{"s_per_byte", "1 / r_inf", 0, 1e9, (double)NAN},
	{"messages", "point to point, between the two", 0, 1e18, 0},
	{"bytes", "in these messages", 0, 1e300, 0},
	{"group_messages", "collective operations of both", 0, 1e18, 0},
	{"group_bytes", "in these operations", 0, 1e300, 0},
};
static const struct formula_result pair_results[] = {
	{"pair_s", "(2): from the one node to the other, in all"},
	{"startup_s", "(c_p + c_b log2 n) t0"},
	{"transfer_s", "(M_p + M_b log2 n) / r_inf"},
};

static enum err_code pair_evaluate(const double *in, double *out, struct err *e)
{
	const struct hockney h = {in[1], in[2]};
	const struct interaction x = {in[3], in[4], in[5], in[6]};
	struct interaction_time t;
	enum err_code rc = interaction_time(&h, &x, in[0], &t, e);

	if (rc)
		return rc;
	out[0] = t.time_s;
	out[1] = t.startup_s;
	out[2] = t.transfer_s;
	return ERR_OK;
}

const struct formula formula_interaction = {
	FORMULA_TABLES(pair_inputs, pair_results),
	.procs = "n",
	.evaluate = pair_evaluate,
};

/* ---- a whole run ---- */

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
	FORMULA_TABLES(level_inputs, level_results),
	.procs = "n",
	.evaluate = level_evaluate,
};
