#include "mining/messages/message_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mining/messages/message_points.h"
#include "mining/messages/message_segments.h"

/* How many standard errors count as a contradiction. */
static const double significant = 3;

/* The ranges after the first share one G, so their intercepts are estimated together. */
struct intercepts {
	double c[3];	    /* small, large, handshake [s] */
	double variance[3]; /* all for a relative error of 1 */
	double covariance_1_2;
	double G_s_per_byte; /* common slope of large and handshake */
	double G_variance;
	double slope_conflict; /* their difference in standard errors */
};

static struct intercepts intercepts_of(const struct message_moments *m, double noise)
{
	double slope_1 = m[1].bytes_s / m[1].bytes_bytes;
	double slope_2 = m[2].bytes_s / m[2].bytes_bytes;
	double both = m[1].bytes_bytes + m[2].bytes_bytes;
	double difference_variance =
		message_line_slope_variance(&m[1]) + message_line_slope_variance(&m[2]);
	struct intercepts x = {
		.G_s_per_byte = (m[1].bytes_s + m[2].bytes_s) / both,
		.G_variance = 1 / both,
		.slope_conflict = fabs(slope_1 - slope_2) / (noise * sqrt(difference_variance)),
	};

	x.c[0] = m[0].mean_s - m[0].bytes_s / m[0].bytes_bytes * m[0].mean_bytes;
	x.variance[0] = message_line_variance_at(&m[0], 0);
	for (size_t i = 1; i < 3; i++) {
		x.c[i] = m[i].mean_s - x.G_s_per_byte * m[i].mean_bytes;
		x.variance[i] = 1 / m[i].weight + m[i].mean_bytes * m[i].mean_bytes / both;
	}
	x.covariance_1_2 = m[1].mean_bytes * m[2].mean_bytes / both;
	return x;
}

/* A parameter is a weighted sum of the intercepts. */
static double combine(const struct intercepts *x, const double weight[3])
{
	return weight[0] * x->c[0] + weight[1] * x->c[1] + weight[2] * x->c[2];
}

static double combined_error(const struct intercepts *x, const double weight[3], double noise)
{
	double variance = 2 * weight[1] * weight[2] * x->covariance_1_2;

	for (size_t i = 0; i < 3; i++)
		variance += weight[i] * weight[i] * x->variance[i];
	return noise * sqrt(fmax(variance, 0));
}

/* The three equations of the header, solved: c = {2, 0, 1; 0, 2, 1; 3, 2, 3} (o_small o_large L).
 */
static const double L_of[3] = {-3, -2, 2};
static const double o_small_of[3] = {2, 1, -1};
static const double o_large_of[3] = {1.5, 1.5, -1};

static void add_name(struct message_loggp *out, const char *name)
{
	out->identifiable[out->n_identifiable++] = name;
}

/* One of L, o_small, o_large; false (and why) if it came out negative or drowns in its error. */
static bool is_meaningful(struct message_loggp *out, const char *name, double value_s,
			  double std_error_s)
{
	if (value_s >= std_error_s)
		return true;
	snprintf(out->why_not, sizeof out->why_not,
		 value_s < 0 ? "The three equations would make %s negative (%.3g +- %.2g us)."
			     : "The three equations leave %s unknown (%.3g +- %.2g us).",
		 name, value_s * 1e6, std_error_s * 1e6);
	return false;
}

static void solve_three_ranges(const struct message_moments *m, double noise,
			       struct message_loggp *out)
{
	struct intercepts x = intercepts_of(m, noise);
	struct loggp value = out->value, std_error = out->std_error;

	if (x.slope_conflict > significant) {
		snprintf(out->why_not, sizeof out->why_not,
			 "The second and third range differ in time per byte by %.2g standard "
			 "errors; the equations give both the same.",
			 x.slope_conflict);
		return;
	}
	value.L_s = combine(&x, L_of);
	value.o_small_s = combine(&x, o_small_of);
	value.o_large_s = combine(&x, o_large_of);
	value.G_large_s_per_byte = x.G_s_per_byte;
	std_error.L_s = combined_error(&x, L_of, noise);
	std_error.o_small_s = combined_error(&x, o_small_of, noise);
	std_error.o_large_s = combined_error(&x, o_large_of, noise);
	std_error.G_large_s_per_byte = noise * sqrt(x.G_variance);
	if (!is_meaningful(out, "L", value.L_s, std_error.L_s) ||
	    !is_meaningful(out, "o_small", value.o_small_s, std_error.o_small_s) ||
	    !is_meaningful(out, "o_large", value.o_large_s, std_error.o_large_s))
		return;

	out->has_overheads = true;
	out->value = value;
	out->std_error = std_error;
	add_name(out, "L");
	add_name(out, "o_small");
	add_name(out, "o_large");
}

/* From the n > 0 ranges with moments m[], their fitted segments, and the relative standard error of
 * a point. */
static struct message_loggp message_loggp_solve(const struct message_moments *m,
						const struct cost_segment *segment, size_t n,
						double noise)
{
	const struct cost_segment *last = &segment[n - 1];
	struct message_loggp out = {
		.value = {.G_small_s_per_byte = segment->s_per_byte,
			  .G_large_s_per_byte = last->s_per_byte},
		.std_error = {.G_small_s_per_byte = segment->se_s_per_byte,
			      .G_large_s_per_byte = last->se_s_per_byte},
	};

	if (n == 3) {
		/* Sizes are whole bytes; "small" includes its largest. */
		out.value.small_max_bytes = segment[1].from_bytes - 1;
		out.value.handshake_bytes = segment[2].from_bytes;
		solve_three_ranges(m, noise, &out);
	} else {
		snprintf(out.why_not, sizeof out.why_not,
			 "The cost has %zu range%s of message sizes; telling L and o apart takes "
			 "three (small, large, handshake).",
			 n, n == 1 ? "" : "s");
	}
	add_name(&out, "G_small");
	add_name(&out, "G_large");
	return out;
}

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
				const struct progress *progress, struct fitted *f, struct err *e)
{
	enum err_code rc;

	if ((rc = message_ranges_find(p, n, fmax(noise, resolution), progress, &f->ranges, e)))
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

static enum err_code fit_points(struct message_point *p, size_t n_all,
				const struct progress *progress, struct message_fit *out,
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
	if ((rc = message_points_noise(p, n, &noise, e)) ||
	    (rc = fit_ranges(p, n, noise, progress, &f, e)))
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
			  const struct progress *progress, struct message_fit *out, struct err *e)
{
	struct message_point *p = NULL;
	size_t n_size;
	enum err_code rc;

	if ((rc = message_points_collect(bytes, roundtrip_s, n, &p, &n_size, e)))
		return rc;
	rc = fit_points(p, n_size, progress, out, e);
	free(p);
	return rc;
}
