#include "mining/messages/message_line.h"

#include <math.h>

static struct message_moments moments_of_one(const struct message_point *p)
{
	return (struct message_moments){
		.n = 1,
		.first_bytes = p->bytes,
		.weight = 1 / (p->cost_s * p->cost_s),
		.mean_bytes = p->bytes,
		.mean_s = p->cost_s,
	};
}

/* Source: Chan, Golub and LeVeque, "Algorithms for Computing the Sample Variance", The American
 * Statistician 37(3), 1983, eq. 2.1, with weights and for products. */
struct message_moments message_moments_merge(const struct message_moments *below,
					     const struct message_moments *above)
{
	struct message_moments m = *below;
	double share, d_bytes, d_s, between;

	if (below->n == 0)
		return *above;
	if (above->n == 0)
		return *below;

	m.n += above->n;
	m.weight += above->weight;
	share = above->weight / m.weight;
	between = below->weight * share;
	d_bytes = above->mean_bytes - below->mean_bytes;
	d_s = above->mean_s - below->mean_s;
	m.mean_bytes += share * d_bytes;
	m.mean_s += share * d_s;
	m.bytes_bytes += above->bytes_bytes + between * d_bytes * d_bytes;
	m.bytes_s += above->bytes_s + between * d_bytes * d_s;
	m.s_s += above->s_s + between * d_s * d_s;
	return m;
}

struct message_moments message_moments_of(const struct message_point *p, size_t n)
{
	struct message_moments m = {.n = 0};

	for (size_t i = 0; i < n; i++) {
		struct message_moments one = moments_of_one(&p[i]);

		m = message_moments_merge(&m, &one);
	}
	return m;
}

static struct message_line constant(const struct message_moments *m)
{
	return (struct message_line){.intercept_s = m->mean_s, .misfit = m->s_s};
}

static struct message_line through_origin(const struct message_moments *m)
{
	double bytes_bytes = m->bytes_bytes + m->weight * m->mean_bytes * m->mean_bytes;
	double bytes_s = m->bytes_s + m->weight * m->mean_bytes * m->mean_s;
	double s_s = m->s_s + m->weight * m->mean_s * m->mean_s;
	double slope = bytes_s / bytes_bytes;

	return (struct message_line){.s_per_byte = slope, .misfit = fmax(s_s - slope * bytes_s, 0)};
}

struct message_line message_line_fit(const struct message_moments *m, bool from_zero)
{
	double slope, intercept;

	if (m->n < 2 || m->bytes_s <= 0)
		return constant(m);
	slope = m->bytes_s / m->bytes_bytes;
	intercept = m->mean_s - slope * m->mean_bytes;
	if (from_zero && intercept < 0)
		return through_origin(m);
	/* A curve that bends up so hard that its line starts below zero has no line. */
	if (intercept + slope * m->first_bytes <= 0)
		return constant(m);
	return (struct message_line){intercept, slope, fmax(m->s_s - slope * m->bytes_s, 0)};
}

double message_line_slope_variance(const struct message_moments *m)
{
	return 1 / m->bytes_bytes;
}

double message_line_variance_at(const struct message_moments *m, double bytes)
{
	double d = bytes - m->mean_bytes;

	return 1 / m->weight + d * d / m->bytes_bytes;
}
