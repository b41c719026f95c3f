#include "mining/messages/message_loggp.h"

#include <math.h>
#include <stdio.h>

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

struct message_loggp message_loggp_solve(const struct message_moments *m,
					 const struct cost_segment *segment, size_t n, double noise)
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
