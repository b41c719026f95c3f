#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/evaluate/evaluate.h"

enum { N_RUNS = 1000 };

/* Runs of 2 s each. */
static struct dataset *alike(void)
{
	struct dataset *d = dataset_new(app);

	for (int i = 0; i < N_RUNS; i++)
		qr_add(d, (struct qr){1000, 500, 16, 0, 1}, 2);
	return d;
}

/* Binomial: 333 of 1000, standard deviation 14.9; four of them. The mean of a uniform factor from 1
 * to 25 is 13, its standard deviation 24 / sqrt(12) = 6.93, of the mean of 333 0.38; four of them.
 */
TEST(a_share_of_runs_is_slowed_by_one_to_twenty_five)
{
	FREED(dataset) *d = alike();
	double sum = 0;
	int n = 0;

	disturb_runs(d, 1.0 / 3, 1);
	for (int i = 0; i < N_RUNS; i++) {
		double factor = d->wall_s[i] / 2;

		assert_true(factor >= 1 && factor <= 25);
		if (factor > 1) {
			sum += factor;
			n++;
		}
	}
	check_abs(n, 333.3, 4 * 14.9);
	check_abs(sum / n, 13, 4 * 0.38);
}

TEST(none_and_all_are_shares_too)
{
	FREED(dataset) *d = alike();

	disturb_runs(d, 0, 1);
	for (int i = 0; i < N_RUNS; i++)
		check_abs(d->wall_s[i], 2, 0);
	disturb_runs(d, 1, 1);
	for (int i = 0; i < N_RUNS; i++)
		assert_true(d->wall_s[i] > 2);
}

TEST(a_seed_disturbs_the_same_runs_again_and_another_others)
{
	FREED(dataset) *a = alike(), *b = alike(), *c = alike();

	disturb_runs(a, 0.5, 7);
	disturb_runs(b, 0.5, 7);
	disturb_runs(c, 0.5, 8);
	assert_memory_equal(a->wall_s, b->wall_s, N_RUNS * sizeof *a->wall_s);
	assert_memory_not_equal(a->wall_s, c->wall_s, N_RUNS * sizeof *a->wall_s);
}

TEST_GROUP(qr_set_up, qr_tear_down)
