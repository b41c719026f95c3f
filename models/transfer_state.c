#include "models/transfer_state.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

const char *transfer_state_name(enum transfer_state s)
{
	static const char *const name[] = {
		[TRANSFER_SPARE] = "spare",
		[TRANSFER_IDEAL] = "ideal",
		[TRANSFER_CONGESTED] = "congested",
	};

	return name[s];
}

static enum err_code check(const double *bytes, const double *time_s, size_t n, double ideal_share,
			   struct err *e)
{
	if (!(ideal_share > 0 && ideal_share < 1))
		return err_set(e, ERR_ARG, "the ideal share %g must be between 0 and 1",
			       ideal_share);
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(bytes[i]) || bytes[i] < 0)
			return err_set(e, ERR_ARG,
				       "message size %zu = %g bytes must be finite and >= 0", i + 1,
				       bytes[i]);
		if (!isfinite(time_s[i]) || time_s[i] <= 0)
			return err_set(e, ERR_ARG,
				       "time %zu = %g s of %g bytes must be finite and > 0", i + 1,
				       time_s[i], bytes[i]);
	}
	return ERR_OK;
}

/* Sort by size and put the bandwidth of each size's median time into time_s; returns the number of
 * sizes. */
static size_t to_curve(double *bytes, double *time_s, size_t n)
{
	size_t n_size = 0;

	gsl_sort2(bytes, 1, time_s, 1, n);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !(bytes[end] > bytes[i]);)
			end++;
		gsl_sort(&time_s[i], 1, end - i);
		bytes[n_size] = bytes[i];
		time_s[n_size] =
			bytes[i] / gsl_stats_median_from_sorted_data(&time_s[i], 1, end - i);
		n_size++;
	}
	return n_size;
}

/* range[] has room for n. Returns how many there are. */
static size_t find_ranges(const double *bytes, const double *bytes_per_s, size_t n,
			  double ideal_share, struct transfer_range *range)
{
	size_t best = gsl_stats_max_index(bytes_per_s, 1, n), n_range = 0;

	for (size_t i = 0; i < n; i++) {
		enum transfer_state state = i < best ? TRANSFER_SPARE : TRANSFER_CONGESTED;
		struct transfer_range *last = n_range > 0 ? &range[n_range - 1] : NULL;

		if (bytes_per_s[i] >= ideal_share * bytes_per_s[best])
			state = TRANSFER_IDEAL;
		if (!last || last->state != state) {
			range[n_range++] = (struct transfer_range){state, bytes[i], bytes[i],
								   bytes[i], bytes_per_s[i]};
			continue;
		}
		last->to_bytes = bytes[i];
		if (bytes_per_s[i] > last->best_bytes_per_s) {
			last->best_bytes = bytes[i];
			last->best_bytes_per_s = bytes_per_s[i];
		}
	}
	return n_range;
}

enum err_code transfer_states_find(const double *bytes, const double *time_s, size_t n,
				   double ideal_share, struct transfer_states *out, struct err *e)
{
	struct transfer_states s = {0};
	double *x = NULL, *y = NULL;
	size_t n_size;
	enum err_code rc = check(bytes, time_s, n, ideal_share, e);

	if (rc)
		return rc;
	x = calloc(n + 1, sizeof *x);
	y = calloc(n + 1, sizeof *y);
	s.range = calloc(n + 1, sizeof *s.range);
	if (!x || !y || !s.range) {
		rc = err_set(e, ERR_NOMEM, "a bandwidth curve of %zu times", n);
		goto done;
	}
	for (size_t i = 0; i < n; i++) {
		x[i] = bytes[i];
		y[i] = time_s[i];
	}
	n_size = to_curve(x, y, n);
	if (n_size < 3) {
		rc = err_set(e, ERR_NODATA,
			     "a bandwidth curve needs at least 3 message sizes, not %zu", n_size);
		goto done;
	}
	s.n = find_ranges(x, y, n_size, ideal_share, s.range);
	*out = s;
	s.range = NULL;
done:
	free(x);
	free(y);
	free(s.range);
	return rc;
}

void transfer_states_release(struct transfer_states *s)
{
	free(s->range);
	*s = (struct transfer_states){0};
}
