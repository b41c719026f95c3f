#include "mining/predictor/applicability_domain.h"

#include <math.h>
#include <string.h>

#define ALL_BUCKETS (((uint64_t)1 << SUPPORT_BUCKETS) - 1)
#define EDGE_LOG2 0.32192809488736235 /* log2(1.25) */

/* Buckets are a factor 2 wide, or as wide as 62 of them need to be to cover the range; the outer
 * ones are for what lies beyond. */
static size_t bucket(const struct applicability_domain *m, size_t i, double log2_f)
{
	double width = fmax(1, (m->hi[i] - m->lo[i]) / (SUPPORT_BUCKETS - 2));
	double at = 1 + floor((log2_f - m->lo[i]) / width);

	return (size_t)fmin(fmax(at, 0), SUPPORT_BUCKETS - 1);
}

static double feature_log2(double f)
{
	return isnan(f) ? f : log2(fmax(f, 1e-300));
}

void applicability_domain_make(const double *f, size_t n, size_t n_features,
			       struct applicability_domain *out)
{
	memset(out, 0, sizeof *out);
	out->n_features = n_features;
	for (size_t j = 0; j < n_features; j++) {
		out->lo[j] = INFINITY;
		out->hi[j] = -INFINITY;
		for (size_t i = 0; i < n; i++) {
			double v = feature_log2(f[i * n_features + j]);

			/* fmin and fmax pass over a NaN */
			out->lo[j] = fmin(out->lo[j], v);
			out->hi[j] = fmax(out->hi[j], v);
		}
	}
	for (size_t i = 0; i < n; i++) {
		size_t b[PREDICTOR_KIND_MAX_FEATURES];
		size_t pair = 0;

		for (size_t j = 0; j < n_features; j++) {
			double v = feature_log2(f[i * n_features + j]);

			b[j] = isnan(v) ? SUPPORT_BUCKETS : bucket(out, j, v);
		}
		for (size_t j = 0; j < n_features; j++) {
			for (size_t k = 0; k < j; k++, pair++) {
				uint64_t near;

				if (b[j] == SUPPORT_BUCKETS || b[k] == SUPPORT_BUCKETS)
					continue;
				near = (uint64_t)1 << b[k];

				near |= near << 1 | near >> 1;
				near &= ALL_BUCKETS;
				out->seen[pair][b[j]] |= near;
				if (b[j] > 0)
					out->seen[pair][b[j] - 1] |= near;
				if (b[j] + 1 < SUPPORT_BUCKETS)
					out->seen[pair][b[j] + 1] |= near;
			}
		}
	}
}

enum support applicability_domain_judge(const struct applicability_domain *m, const double *f,
					double *beyond)
{
	size_t b[PREDICTOR_KIND_MAX_FEATURES];
	bool known[PREDICTOR_KIND_MAX_FEATURES];
	double worst = 0;
	size_t pair = 0;
	bool pairs_seen = true;

	for (size_t j = 0; j < m->n_features; j++) {
		double v = feature_log2(f[j]);

		known[j] = !isnan(v);
		b[j] = known[j] ? bucket(m, j, v) : 0;
		if (known[j] && m->lo[j] - v > worst)
			worst = m->lo[j] - v;
		if (known[j] && v - m->hi[j] > worst)
			worst = v - m->hi[j];
	}
	if (beyond)
		*beyond = worst;
	/* A relative 1e-9 for values that went through a logarithm. */
	if (worst > EDGE_LOG2 + 1e-9)
		return SUPPORT_OUTSIDE;
	for (size_t j = 0; j < m->n_features && pairs_seen; j++) {
		for (size_t k = 0; k < j; k++, pair++) {
			if (known[j] && known[k] && !(m->seen[pair][b[j]] >> b[k] & 1))
				pairs_seen = false;
		}
	}
	return worst > 1e-9 || !pairs_seen ? SUPPORT_EDGE : SUPPORT_INSIDE;
}
