#include "models/message_cost.h"

#include <math.h>
#include <stdint.h>

static bool is_cost(double x)
{
	return isfinite(x) && x >= 0;
}

static enum err_code check_loggp(const struct loggp *p, struct err *e)
{
	const struct {
		const char *name;
		double value;
	} field[] = {
		{"L", p->L_s},
		{"o_small", p->o_small_s},
		{"o_large", p->o_large_s},
		{"G_small", p->G_small_s_per_byte},
		{"G_large", p->G_large_s_per_byte},
		{"small_max_bytes", p->small_max_bytes},
		{"handshake_bytes", p->handshake_bytes},
	};

	for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
		if (!is_cost(field[i].value))
			return err_set(e, ERR_ARG,
				       "LogGP parameter %s = %g must be finite and >= 0",
				       field[i].name, field[i].value);
	}
	return ERR_OK;
}

/* Equations 1 and 3. */
static struct message_range eager(double from_bytes, double L_s, double o_s, double G_s_per_byte)
{
	return (struct message_range){
		.from_bytes = from_bytes,
		.send_s = o_s,
		.receive_s = o_s,
		.total_s = o_s + L_s + o_s,
		.total_s_per_byte = G_s_per_byte,
		.latency_s = L_s,
	};
}

/* Equations 2 and 4: header, acknowledgement, data; the acknowledgement's receipt is part of
 * sending the data. */
static struct message_range handshake(const struct loggp *p)
{
	double L = p->L_s, o_s = p->o_small_s, o_l = p->o_large_s;

	return (struct message_range){
		.from_bytes = p->handshake_bytes,
		.send_s = o_s + L + o_s + o_s + L + o_l,
		.receive_s = o_s + L + o_l + L + o_l,
		.receive_s_per_byte = p->G_large_s_per_byte,
		.total_s = o_s + L + o_s + o_s + L + o_l + L + o_l,
		.total_s_per_byte = p->G_large_s_per_byte,
		.sync_s = L,
		.latency_s = L,
		.blocks = true,
	};
}

enum err_code message_cost_from_loggp(const struct loggp *p, struct message_cost *out,
				      struct err *e)
{
	struct message_cost c = {.n_range = 0};
	/* "Small" includes small_max_bytes itself; ranges include their lower end. */
	double large_from = nextafter(p->small_max_bytes, INFINITY);
	bool has_handshake = p->handshake_bytes > 0;
	enum err_code rc;

	if ((rc = check_loggp(p, e)))
		return rc;

	c.range[c.n_range++] = eager(0, p->L_s, p->o_small_s, p->G_small_s_per_byte);
	if (!has_handshake || large_from < p->handshake_bytes)
		c.range[c.n_range++] =
			eager(large_from, p->L_s, p->o_large_s, p->G_large_s_per_byte);
	if (has_handshake)
		c.range[c.n_range++] = handshake(p);
	*out = c;
	return ERR_OK;
}

static enum err_code check_segments(const struct cost_segment *segment, size_t n, struct err *e)
{
	if (n == 0 || n > MESSAGE_COST_MAX_SEGMENTS)
		return err_set(e, ERR_ARG, "message costs need 1 to %d segments, not %zu",
			       MESSAGE_COST_MAX_SEGMENTS, n);
	for (size_t i = 0; i < n; i++) {
		const struct cost_segment *s = &segment[i];
		/* The first segment is used down to 0 bytes, so it must make sense there. */
		double from_bytes = i == 0 ? 0 : s->from_bytes;

		if (!is_cost(s->from_bytes) ||
		    (i > 0 && s->from_bytes <= segment[i - 1].from_bytes))
			return err_set(e, ERR_ARG,
				       "segment %zu: from_bytes = %g must be >= 0 and above the "
				       "segment before",
				       i + 1, s->from_bytes);
		if (!is_cost(s->s_per_byte))
			return err_set(e, ERR_ARG,
				       "segment %zu: %g s per byte must be finite and >= 0", i + 1,
				       s->s_per_byte);
		if (!is_cost(s->intercept_s + s->s_per_byte * from_bytes))
			return err_set(e, ERR_ARG,
				       "segment %zu: a message of %g bytes would cost %g s", i + 1,
				       from_bytes, s->intercept_s + s->s_per_byte * from_bytes);
	}
	return ERR_OK;
}

/* The convention of the header for one segment. */
static struct message_range split(const struct cost_segment *s, double from_bytes, bool blocks,
				  double a)
{
	double c = fmax(s->intercept_s, 0);
	double unit = blocks ? c / (3 - a) : c; /* 2 o + L, of either kind of message */
	double o = a * unit;
	double L = (1 - 2 * a) * unit;

	return (struct message_range){
		.from_bytes = from_bytes,
		.send_s = blocks ? 4 * o + 2 * L : o,
		.receive_s = blocks ? s->intercept_s - unit : o,
		.receive_s_per_byte = blocks ? s->s_per_byte : 0,
		.total_s = s->intercept_s,
		.total_s_per_byte = s->s_per_byte,
		.sync_s = blocks ? L : 0,
		.latency_s = L,
		.blocks = blocks,
	};
}

enum err_code message_cost_from_segments(const struct cost_segment *segment, size_t n,
					 double blocking_bytes, double overhead_share,
					 struct message_cost *out, struct err *e)
{
	struct message_cost c = {.n_range = 0};
	double blocking_from = blocking_bytes > 0 ? blocking_bytes : INFINITY;
	enum err_code rc;

	if ((rc = check_segments(segment, n, e)))
		return rc;
	if (!is_cost(blocking_bytes))
		return err_set(e, ERR_ARG, "blocking_bytes = %g must be finite and >= 0",
			       blocking_bytes);
	if (!(overhead_share >= 0 && overhead_share <= 0.5))
		return err_set(e, ERR_ARG, "overhead share %g must be from 0 to 0.5",
			       overhead_share);

	for (size_t i = 0; i < n; i++) {
		double from = i == 0 ? 0 : segment[i].from_bytes;
		double to = i + 1 < n ? segment[i + 1].from_bytes : INFINITY;

		c.range[c.n_range++] =
			split(&segment[i], from, from >= blocking_from, overhead_share);
		if (from < blocking_from && blocking_from < to)
			c.range[c.n_range++] =
				split(&segment[i], blocking_from, true, overhead_share);
	}
	*out = c;
	return ERR_OK;
}

double message_cost_overhead_share(double overhead_s, const struct cost_segment *first)
{
	if (!(overhead_s > 0 && first->intercept_s > 0))
		return MESSAGE_COST_OVERHEAD_SHARE;
	return fmin(overhead_s / first->intercept_s, 0.5);
}

enum err_code message_cost_from_machine(const struct machine *m, struct message_cost *out,
					struct err *e)
{
	if (m->has_loggp)
		return message_cost_from_loggp(&m->loggp, out, e);
	if (m->n_segment > 0)
		return message_cost_from_segments(
			m->segment, m->n_segment, m->blocking_bytes,
			message_cost_overhead_share(m->overhead_s, m->segment), out, e);
	return err_set(e, ERR_NODATA,
		       "machine %s has no message costs: give loggp or segments in its file, or "
		       "measure them (lemnos calibrate --machine %s --pingpong FILE.csv)",
		       m->name, m->name);
}

enum err_code message_cost_local_from_machine(const struct machine *m, struct message_cost *out,
					      struct err *e)
{
	if (m->has_loggp_local)
		return message_cost_from_loggp(&m->loggp_local, out, e);
	if (m->n_segment_local > 0)
		return message_cost_from_segments(
			m->segment_local, m->n_segment_local, m->blocking_local_bytes,
			message_cost_overhead_share(m->overhead_local_s, m->segment_local), out, e);
	return err_set(e, ERR_NODATA,
		       "machine %s has no message costs inside a node: give loggp_local or "
		       "segments_local in its file",
		       m->name);
}

struct message_time message_cost_at(const struct message_cost *c, double bytes)
{
	size_t i = c->n_range - 1;
	const struct message_range *r;

	while (i > 0 && c->range[i].from_bytes > bytes)
		i--;
	r = &c->range[i];
	return (struct message_time){
		.send_s = r->send_s,
		.receive_s = r->receive_s + r->receive_s_per_byte * bytes,
		.total_s = r->total_s + r->total_s_per_byte * bytes,
		.sync_s = r->sync_s,
		.latency_s = r->latency_s,
		.blocks = r->blocks,
	};
}

double message_lead_s(const struct message_time *t)
{
	double lead = t->total_s - t->receive_s;

	return lead > 0 ? lead : 0;
}

double message_tail_s(const struct message_time *t)
{
	double tail = t->send_s - message_lead_s(t);

	return tail > 0 ? tail : 0;
}

enum err_code message_cost_bandwidth(const struct message_cost *c, double *bytes_per_s,
				     struct err *e)
{
	double s_per_byte = c->range[c->n_range - 1].total_s_per_byte;

	if (!(s_per_byte > 0))
		return err_set(e, ERR_ARG,
			       "large messages take no time per byte on this machine, so there is "
			       "no bandwidth to share: model `pipeline` is without sharing");
	*bytes_per_s = 1 / s_per_byte;
	return ERR_OK;
}
