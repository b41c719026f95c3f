#include "mining/messages/message_fit.h"

#include <math.h>
#include <stdlib.h>

#include "mining/messages/message_line.h"
#include "mining/messages/message_points.h"

/* Structure below a tenth of a per cent is real in simulated data (packet sizes) and never in
 * measured ones, and no advice depends on it: it earns no range of its own. */
static const double resolution = 1e-3;

/* The ranges with what they are fitted from. */
struct fitted {
	struct message_ranges ranges;
	struct message_moments moments[MESSAGE_RANGES_MAX];
	double noise; /* relative standard error of a point, from the residuals */
};

/* One error for all ranges: a range of three sizes has but one degree of freedom of its own. */
static double residual_scale(const struct fitted *f)
{
	double misfit = 0;
	size_t n_point = f->ranges.first[f->ranges.n];

	for (size_t i = 0; i < f->ranges.n; i++)
		misfit += message_line_fit(&f->moments[i], i == 0).misfit;
	return sqrt(misfit / (double)(n_point - 2 * f->ranges.n));
}

static enum err_code fit_ranges(const struct message_point *p, size_t n, double noise,
				struct fitted *f, struct err *e)
{
	enum err_code rc;

	if ((rc = message_ranges_find(p, n, fmax(noise, resolution), &f->ranges, e)))
		return rc;
	for (size_t i = 0; i < f->ranges.n; i++) {
		size_t first = f->ranges.first[i];

		f->moments[i] = message_moments_of(p + first, f->ranges.first[i + 1] - first);
	}
	f->noise = residual_scale(f);
	return ERR_OK;
}

static struct cost_segment segment_of(const struct fitted *f, const struct message_point *p,
				      size_t i)
{
	const struct message_moments *m = &f->moments[i];
	struct message_line line = message_line_fit(m, i == 0);
	double from_bytes =
		i == 0 ? m->first_bytes : message_ranges_from_bytes(p, f->ranges.first[i]);

	/* A line that starts steeply may be below zero already a little before its first size. */
	if (line.intercept_s + line.s_per_byte * from_bytes <= 0)
		from_bytes = m->first_bytes;
	return (struct cost_segment){
		.from_bytes = from_bytes,
		.intercept_s = line.intercept_s,
		.s_per_byte = line.s_per_byte,
		.se_intercept_s = f->noise * sqrt(message_line_variance_at(m, 0)),
		.se_s_per_byte = f->noise * sqrt(message_line_slope_variance(m)),
	};
}

static double cost_s(const struct cost_segment *s, double bytes)
{
	return s->intercept_s + s->s_per_byte * bytes;
}

/* The jump at the start of segment i > 0, as |ln ratio|; 0 where it may be an accident. */
static double jump(const struct fitted *f, const struct cost_segment *segment, size_t i)
{
	double bytes = segment[i].from_bytes;
	double before_s = cost_s(&segment[i - 1], bytes), after_s = cost_s(&segment[i], bytes);
	double std_error_s = f->noise * sqrt(message_line_variance_at(&f->moments[i - 1], bytes) +
					     message_line_variance_at(&f->moments[i], bytes));

	if (fabs(after_s - before_s) <= 3 * std_error_s + resolution * before_s)
		return 0;
	return fabs(log(after_s / before_s));
}

static double threshold_bytes(const struct fitted *f, const struct cost_segment *segment)
{
	double largest = 0, bytes = 0;

	for (size_t i = 1; i < f->ranges.n; i++) {
		double size = jump(f, segment, i);

		if (size > largest) {
			largest = size;
			bytes = segment[i].from_bytes;
		}
	}
	return bytes;
}

static enum err_code fit_points(struct message_point *p, size_t n_all, struct message_fit *out,
				struct err *e)
{
	struct message_fit fit = {.n_segment = 0};
	struct fitted f;
	double noise;
	size_t n;
	enum err_code rc;

	if ((rc = message_points_noise(p, n_all, &noise, e)))
		return rc;
	n = message_points_drop_disturbed(p, n_all, noise);
	if (n <= MESSAGE_RANGE_MIN_SIZES)
		return err_set(e, ERR_NODATA,
			       "ping-pong data: only %zu of %zu message sizes have a cost that "
			       "agrees with their neighbours'; more repeats would help",
			       n, n_all);
	if ((rc = message_points_noise(p, n, &noise, e)) || (rc = fit_ranges(p, n, noise, &f, e)))
		return rc;

	fit.n_size = n;
	fit.n_disturbed = n_all - n;
	fit.relative_error = f.noise;
	fit.n_segment = f.ranges.n;
	for (size_t i = 0; i < fit.n_segment; i++)
		fit.segment[i] = segment_of(&f, p, i);
	fit.threshold_bytes = threshold_bytes(&f, fit.segment);
	fit.loggp = message_loggp_solve(f.moments, fit.segment, fit.n_segment,
					fmax(f.noise, resolution));
	*out = fit;
	return ERR_OK;
}

enum err_code message_fit(const double *bytes, const double *roundtrip_s, size_t n,
			  struct message_fit *out, struct err *e)
{
	struct message_point *p = NULL;
	size_t n_size;
	enum err_code rc;

	if ((rc = message_points_collect(bytes, roundtrip_s, n, &p, &n_size, e)))
		return rc;
	rc = fit_points(p, n_size, out, e);
	free(p);
	return rc;
}
