#include "models/application_level.h"

#include <math.h>
#include <stddef.h>

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
