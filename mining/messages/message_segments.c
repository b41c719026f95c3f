#include "mining/messages/message_segments.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

/* Optimal segmentation by dynamic programming: Bai and Perron, "Computation and analysis of
 * multiple structural change models", Journal of Applied Econometrics 18(1), 2003, section 3; the
 * lines are not forced to meet. Different here: the noise is known (from the points themselves), so
 * the number of ranges minimises misfit / noise^2 + penalty * ranges.
 *
 * A range costs 3 numbers (where, intercept, slope), hence 3 ln n in the Bayesian information
 * criterion. Twice that, because the noise is itself an estimate and may be low by half; more for
 * few sizes, where it may be lower still. Of lines with 2 % noise, simulated, less than one in ten
 * then breaks at 8 sizes, one in forty at 28, one in a hundred at 60 and more. */
static double penalty(size_t n)
{
	return 6 * log((double)n) * (1 + 16 / (double)n);
}

/* Positions that fit worse than the best by less than this are as good: the 95 % point of
 * chi-square with 1 degree of freedom. */
static const double indistinct = 3.84;

/* With more sizes than this, whole blocks of sizes are cut first, so that time stays proportional
 * to the sizes. A change inside a block then costs two cuts, before and behind it: afterwards each
 * cut is moved to its best place, and those that are no longer worth their penalty go. */
enum { MAX_BLOCKS = 256 };

static double misfit(const struct message_moments *m, size_t i_first, double noise)
{
	return message_line_fit(m, i_first == 0).misfit / (noise * noise);
}

/* Best cuts of the first `end` blocks, for each number of ranges. */
struct best_cut {
	double misfit[MESSAGE_RANGES_MAX + 1];
	size_t last_start[MESSAGE_RANGES_MAX + 1]; /* first block of the last range */
};

static void extend_cuts(struct best_cut *best, const struct message_moments *block, size_t n_block,
			size_t start, double noise)
{
	struct message_moments m = {.n = 0};

	for (size_t end = start + 1; end <= n_block; end++) {
		double more;

		m = message_moments_merge(&m, &block[end - 1]);
		if (m.n < MESSAGE_RANGE_MIN_SIZES)
			continue;
		more = misfit(&m, start, noise);
		for (size_t k = 0; k < MESSAGE_RANGES_MAX; k++) {
			if (best[start].misfit[k] + more < best[end].misfit[k + 1]) {
				best[end].misfit[k + 1] = best[start].misfit[k] + more;
				best[end].last_start[k + 1] = start;
			}
		}
	}
}

static size_t block_start(size_t i, size_t n_block, size_t n)
{
	return i * n / n_block;
}

static void read_cuts(const struct best_cut *best, size_t n_block, size_t n,
		      struct message_ranges *out)
{
	size_t k = 1, end = n_block;

	for (size_t i = 2; i <= MESSAGE_RANGES_MAX; i++) {
		double gain = best[n_block].misfit[k] - best[n_block].misfit[i];

		if (gain > (double)(i - k) * penalty(n))
			k = i;
	}
	out->n = k;
	out->first[k] = n;
	for (; k > 0; k--) {
		end = best[end].last_start[k];
		out->first[k - 1] = block_start(end, n_block, n);
	}
}

static enum err_code cut_blocks(const struct message_point *p, size_t n, double noise,
				struct message_ranges *out, struct err *e)
{
	size_t n_block = n < MAX_BLOCKS ? n : MAX_BLOCKS;
	struct message_moments *block = malloc(n_block * sizeof *block);
	struct best_cut *best = malloc((n_block + 1) * sizeof *best);
	enum err_code rc = ERR_OK;

	if (!block || !best) {
		rc = err_set(e, ERR_NOMEM, "ranges of %zu message sizes", n);
		goto done;
	}
	for (size_t i = 0; i < n_block; i++) {
		size_t start = block_start(i, n_block, n);

		block[i] = message_moments_of(p + start, block_start(i + 1, n_block, n) - start);
	}
	for (size_t i = 0; i <= n_block; i++) {
		for (size_t k = 0; k <= MESSAGE_RANGES_MAX; k++)
			best[i].misfit[k] = INFINITY;
	}
	best[0].misfit[0] = 0;
	for (size_t start = 0; start < n_block; start++)
		extend_cuts(best, block, n_block, start, noise);
	read_cuts(best, n_block, n, out);
done:
	free(best);
	free(block);
	return rc;
}

static bool is_power_of_two(double x)
{
	int exponent;

	return frexp(x, &exponent) == 0.5;
}

static double power_of_two_up_to(double x)
{
	return exp2(floor(log2(x)));
}

double message_ranges_from_bytes(const struct message_point *p, size_t i)
{
	double last = p[i - 1].bytes, first = p[i].bytes;
	double power = power_of_two_up_to(first);

	if (is_power_of_two(first))
		return first;
	if (is_power_of_two(last))
		return fmin(last + 1, first);
	return power > last && power / 2 <= last ? power : first;
}

static bool is_at_power_of_two(const struct message_point *p, size_t i)
{
	return is_power_of_two(p[i - 1].bytes) || is_power_of_two(message_ranges_from_bytes(p, i));
}

/* misfit_at[i] for the two ranges first..i-1 and i..end-1; INFINITY where one is too short. */
static void profile(const struct message_point *p, size_t first, size_t end, double noise,
		    double *misfit_at)
{
	struct message_moments m = {.n = 0};

	for (size_t i = first; i < end; i++) {
		struct message_moments one;

		misfit_at[i] = m.n < MESSAGE_RANGE_MIN_SIZES ? INFINITY : misfit(&m, first, noise);
		one = message_moments_of(&p[i], 1);
		m = message_moments_merge(&m, &one);
	}
	m.n = 0;
	for (size_t i = end; i-- > first;) {
		struct message_moments one = message_moments_of(&p[i], 1);

		m = message_moments_merge(&one, &m);
		misfit_at[i] += m.n < MESSAGE_RANGE_MIN_SIZES ? INFINITY : misfit(&m, i, noise);
	}
}

/* The best place for the cut between two neighbouring ranges, a power of two if one is as good. */
static size_t best_cut_between(const struct message_point *p, size_t first, size_t end,
			       const double *misfit_at)
{
	size_t best = first, best_power = first;

	for (size_t i = first + 1; i < end; i++) {
		if (misfit_at[i] < misfit_at[best])
			best = i;
		if (misfit_at[i] < misfit_at[best_power] && is_at_power_of_two(p, i))
			best_power = i;
	}
	return misfit_at[best_power] <= misfit_at[best] + indistinct ? best_power : best;
}

static enum err_code move_cuts(const struct message_point *p, double noise,
			       const struct progress *progress, double *misfit_at,
			       struct message_ranges *r, struct err *e)
{
	for (size_t i = 1; i < r->n; i++) {
		if (!progress_step(progress, NULL, 0, 0))
			return err_set(e, ERR_INTERRUPTED,
				       "interrupted while fitting the costs of messages");
		profile(p, r->first[i - 1], r->first[i + 1], noise, misfit_at);
		r->first[i] = best_cut_between(p, r->first[i - 1], r->first[i + 1], misfit_at);
	}
	return ERR_OK;
}

/* What the cut at the start of range i > 0 saves. */
static double saving(const struct message_point *p, double noise, const struct message_ranges *r,
		     size_t i)
{
	size_t first = r->first[i - 1], cut = r->first[i], end = r->first[i + 1];
	struct message_moments below = message_moments_of(p + first, cut - first);
	struct message_moments above = message_moments_of(p + cut, end - cut);
	struct message_moments both = message_moments_merge(&below, &above);

	return misfit(&both, first, noise) - misfit(&below, first, noise) -
	       misfit(&above, cut, noise);
}

/* Remove the cut that saves least, if that is less than its penalty. */
static bool drop_a_cut(const struct message_point *p, double noise, struct message_ranges *r)
{
	double least = penalty(r->first[r->n]);
	size_t i_least = 0;

	for (size_t i = 1; i < r->n; i++) {
		double s = saving(p, noise, r, i);

		if (s < least) {
			least = s;
			i_least = i;
		}
	}
	if (i_least == 0)
		return false;
	memmove(&r->first[i_least], &r->first[i_least + 1], (r->n - i_least) * sizeof *r->first);
	r->n--;
	return true;
}

enum err_code message_ranges_find(const struct message_point *p, size_t n, double noise,
				  const struct progress *progress, struct message_ranges *out,
				  struct err *e)
{
	double *misfit_at = malloc(n * sizeof *misfit_at);
	struct message_ranges r = {.n = 0};
	enum err_code rc = ERR_OK;

	if (!misfit_at) {
		rc = err_set(e, ERR_NOMEM, "ranges of %zu message sizes", n);
		goto done;
	}
	if ((rc = cut_blocks(p, n, noise, &r, e)))
		goto done;
	do
		rc = move_cuts(p, noise, progress, misfit_at, &r, e);
	while (!rc && drop_a_cut(p, noise, &r));
	if (!rc)
		*out = r;
done:
	free(misfit_at);
	return rc;
}
