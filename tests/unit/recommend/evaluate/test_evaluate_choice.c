#include "tests/unit/mining/shared_qr.h"

#include "recommend/evaluate/decide.h"
#include "tests/support/evaluate_choice.h"

static const struct machine machine = {.name = (char *)(uintptr_t) "m"};

/* Twenty configurations of a problem on 1, 2, 4, 8 and 16 processors, blocks of 16 to 128: half of
 * the work on twice the processors, the block of 32 best, one in a hundred from repeat to repeat.
 */
static struct dataset *grid(void)
{
	struct dataset *d = dataset_new(app);

	for (double procs = 1; procs <= 16; procs *= 2) {
		for (double block = 16; block <= 128; block *= 2) {
			double time_s = 64 / procs * (block > 32 ? block / 32 : 32 / block);

			qr_add(d, (struct qr){1000, 500, block, 0, procs}, time_s);
			qr_add(d, (struct qr){1000, 500, block, 0, procs}, 1.01 * time_s);
		}
	}
	return d;
}

TEST(regret_is_that_of_the_choice_and_of_look_up)
{
	FREED(dataset) *d = grid();
	const struct fit_input in = {.runs = d, .machine = &machine};
	struct regret_request q = {.in = &in,
				   .predictor = "nearest-neighbours",
				   .share = 0.999,
				   .n_draws = 3,
				   .seed = 1,
				   .problem = SIZE_MAX};
	struct regret r;

	/* all are seen: the best is looked up, and nothing is promised without runs */
	must(evaluate_regret(&q, &r, &err));
	assert_int_equal(r.n_draws, 3);
	check_abs(r.mean, 1, 1e-12);
	check_abs(r.lookup, 1, 1e-12);
	assert_int_equal(r.n_worse, 0);
	assert_int_equal(r.n_unseen, 0);
	/* five of twenty: neither can be better than the best, and in most draws that is not seen
	 */
	q.share = 0.25;
	q.n_draws = 20;
	must(evaluate_regret(&q, &r, &err));
	assert_int_equal(r.n_draws, 20);
	assert_true(r.mean >= 1 && r.lookup > 1);
	assert_in_range(r.n_worse, 0, 20);
	for (int k = 1; k < 4; k++)
		assert_true(r.n_kept[k] >= r.n_kept[k - 1] && r.n_kept[k] <= r.n_unseen);
	/* the one problem by its number is the same question */
	q.problem = 0;
	{
		struct regret alone;

		must(evaluate_regret(&q, &alone, &err));
		check_abs(alone.mean, r.mean, 0);
		check_abs(alone.lookup, r.lookup, 0);
	}
}

TEST(promises_are_counted_over_choices_without_runs)
{
	FREED(dataset) *d = grid();
	const struct fit_input in = {.runs = d, .machine = &machine};
	const struct promise_request q = {
		.in = &in, .predictor = "power-law", .n_draws = 4, .seed = 1};
	struct promise_scores p[PROMISE_LEVELS];

	must(evaluate_promises(&q, p, &err));
	for (int k = 0; k < PROMISE_LEVELS; k++) {
		assert_int_equal(p[k].n_promised, 4);
		assert_true(p[k].kept >= 0 && p[k].kept <= 1);
		for (int which = 0; which < 2; which++) {
			assert_in_range(p[k].n_answered[which], 1, 12);
			/* what is answered was said to be in time with the confidence */
			assert_true(p[k].said[which] >= promise_level[k]);
			assert_true(p[k].hit[which] >= 0 && p[k].hit[which] <= 1);
		}
	}
}

TEST(too_few_configurations_are_no_question)
{
	FREED(dataset) *d = dataset_new(app);
	const struct fit_input in = {.runs = d, .machine = &machine};
	struct regret r;
	struct promise_scores p[PROMISE_LEVELS];

	qr_add(d, (struct qr){1000, 500, 16, 0, 1}, 1);
	assert_int_equal(evaluate_regret(&(struct regret_request){.in = &in,
								  .share = 0.5,
								  .n_draws = 1,
								  .problem = SIZE_MAX},
					 &r, &err),
			 ERR_NODATA);
	assert_int_equal(
		evaluate_promises(&(struct promise_request){.in = &in, .n_draws = 1}, p, &err),
		ERR_NODATA);
}

TEST_GROUP(qr_set_up, qr_tear_down)
