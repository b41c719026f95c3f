#include "acquire/correlated_beliefs.h"

#include "tests/support/failing_allocations.h"
#include "tests/unit/acquire/tile_application.h"

/* Points 0 and 1 are problems of 100 and 200 with tile 2, ring, one node. */
TEST(correlation_falls_with_the_distance_in_logarithms)
{
	RELEASED(correlated_beliefs) b;
	double s = sqrt(3) * log(2) / log(4); /* n is 100 to 400 */

	must(correlated_beliefs_init(&b, tiles.app, tiles.row, TILE_POINTS, &err));
	assert_int_equal(b.n_inputs, 4);
	check_rel(correlated_beliefs_covariance(&b, 0, 0), 1.0, 1e-15);
	check_rel(correlated_beliefs_covariance(&b, 0, 1), (1 + s) * exp(-s), 1e-12);
	/* another algorithm: one range */
	check_rel(correlated_beliefs_covariance(&b, 0, TILE_SIZES * TILES),
		  (1 + sqrt(3)) * exp(-sqrt(3)), 1e-12);
}

/* Of two runs: k - k' (K + noise I)^-1 k by Cramer's rule. */
static double posterior(const struct correlated_beliefs *b, size_t i, size_t j, size_t x, size_t y,
			double noise)
{
	double k = correlated_beliefs_covariance(b, x, y), d = 1 + noise, det = d * d - k * k;
	double ix = correlated_beliefs_covariance(b, i, x),
	       iy = correlated_beliefs_covariance(b, i, y);
	double jx = correlated_beliefs_covariance(b, j, x),
	       jy = correlated_beliefs_covariance(b, j, y);

	return correlated_beliefs_covariance(b, i, j) -
	       (ix * (d * jx - k * jy) + iy * (d * jy - k * jx)) / det;
}

TEST(runs_leave_the_covariance_of_a_gaussian_process)
{
	const double noise = 0.1;
	const size_t x = 3, y = 70;
	RELEASED(correlated_beliefs) before, after;
	double row[TILE_POINTS];

	must(correlated_beliefs_init(&before, tiles.app, tiles.row, TILE_POINTS, &err));
	must(correlated_beliefs_init(&after, tiles.app, tiles.row, TILE_POINTS, &err));
	must(correlated_beliefs_learn(&after, x, noise, &err));
	check_rel(correlated_beliefs_covariance(&after, x, x), noise / (1 + noise), 1e-12);
	must(correlated_beliefs_learn(&after, y, noise, &err));
	for (size_t i = 0; i < TILE_POINTS; i += 7) {
		correlated_beliefs_row(&after, i, row);
		for (size_t j = 0; j < TILE_POINTS; j += 5) {
			double want = posterior(&before, i, j, x, y, noise);

			check_abs(correlated_beliefs_covariance(&after, i, j), want, 1e-12);
			check_abs(row[j], want, 1e-12);
		}
	}
}

TEST(standard_deviations_are_those_that_are_given)
{
	RELEASED(correlated_beliefs) b;
	double sd[TILE_POINTS], correlation;

	for (size_t i = 0; i < TILE_POINTS; i++)
		sd[i] = 0.1 + 0.001 * (double)i;
	must(correlated_beliefs_init(&b, tiles.app, tiles.row, TILE_POINTS, &err));
	must(correlated_beliefs_learn(&b, 5, 0.01, &err));
	correlation = correlated_beliefs_covariance(&b, 0, 9) /
		      sqrt(correlated_beliefs_covariance(&b, 0, 0) *
			   correlated_beliefs_covariance(&b, 9, 9));
	correlated_beliefs_rescale(&b, sd);
	check_rel(correlated_beliefs_covariance(&b, 9, 9), sd[9] * sd[9], 1e-12);
	check_rel(correlated_beliefs_covariance(&b, 0, 9), correlation * sd[0] * sd[9], 1e-12);
}

static enum err_code learn_some(struct err *e)
{
	RELEASED(correlated_beliefs) b = {0};
	enum err_code rc = correlated_beliefs_init(&b, tiles.app, tiles.row, TILE_POINTS, e);

	for (size_t i = 0; i < 40 && !rc; i++) /* more than there is room for at first */
		rc = correlated_beliefs_learn(&b, i, 0.01, e);
	return rc;
}

TEST(without_memory_there_is_an_error)
{
	failing_each_allocation (learn_some(&err), &err)
		;
}

TEST_GROUP(make_tiles, free_tiles)
