#include "tests/unit/acquire/campaign_base.h"

/* What became of runs, and what they used: the plan has nodes=2 in all of them. */

CAMPAIGN_TEST(what_ended_was_used_and_the_rest_is_to_come)
{
	CLOSED(kb) *kb = base();
	RELEASED(campaign_target) t = {0};
	struct kb_campaign_run item[] = {
		{.levels = (char[]){"0 0"},
		 .state = CAMPAIGN_RUN_DONE,
		 .elapsed_s = 1800,
		 .predicted_s = 7},
		{.levels = (char[]){"1 2"},
		 .state = CAMPAIGN_RUN_FAILED,
		 .elapsed_s = 900,
		 .predicted_s = 7},
		{.levels = (char[]){"1 1"}, .state = CAMPAIGN_RUN_REFUSED, .elapsed_s = NAN},
		{.levels = (char[]){"1 0"},
		 .state = CAMPAIGN_RUN_PLANNED,
		 .elapsed_s = NAN,
		 .predicted_s = 3600},
		{.levels = (char[]){"0 1"},
		 .state = CAMPAIGN_RUN_RUNNING,
		 .elapsed_s = 99,
		 .predicted_s = 360},
	};
	const struct kb_campaign_runs runs = {.item = item, .n = 5};
	struct campaign_count count;
	RELEASED(kb_campaign) record;

	must(campaign_target_open(kb, plan_of(""), &t, &err));
	record = begin(kb, &t);
	must(campaign_count(kb, &t, record.id, &runs, &count, &err));
	assert_int_equal(count.n, 5);
	assert_int_equal(count.of[CAMPAIGN_RUN_DONE], 1);
	assert_int_equal(count.of[CAMPAIGN_RUN_FAILED], 1);
	assert_int_equal(count.of[CAMPAIGN_RUN_REFUSED], 1);
	assert_int_equal(count.of[CAMPAIGN_RUN_PLANNED], 1);
	assert_int_equal(count.of[CAMPAIGN_RUN_RUNNING], 1);
	/* 1800 s + 900 s, on two nodes */
	check_rel(count.elapsed_s, 2700.0, 1e-15);
	check_rel(count.node_hours, 1.5, 1e-15);
	/* 3600 s + 360 s of predicted medians */
	check_rel(count.planned_node_hours, 2.2, 1e-15);
	assert_true(isnan(count.loss_first) && isnan(count.loss_last));
}

CAMPAIGN_TEST(a_run_of_which_nothing_is_predicted_makes_what_is_to_come_unknown)
{
	CLOSED(kb) *kb = base();
	RELEASED(campaign_target) t = {0};
	/* levels that the plan does not have count as one node */
	struct kb_campaign_run item[] = {
		{.levels = (char[]){"7 7"}, .state = CAMPAIGN_RUN_TIMED_OUT, .elapsed_s = 3600},
		{.levels = (char[]){"0 0"},
		 .state = CAMPAIGN_RUN_PLANNED,
		 .elapsed_s = NAN,
		 .predicted_s = NAN},
	};
	const struct kb_campaign_runs runs = {.item = item, .n = 2};
	struct campaign_count count;
	RELEASED(kb_campaign) record;

	must(campaign_target_open(kb, plan_of(""), &t, &err));
	record = begin(kb, &t);
	must(campaign_count(kb, &t, record.id, &runs, &count, &err));
	check_rel(count.node_hours, 1.0, 1e-15);
	assert_true(isnan(count.planned_node_hours));
}

CAMPAIGN_TEST(the_first_and_the_last_loss_that_is_known_are_told)
{
	CLOSED(kb) *kb = base();
	RELEASED(campaign_target) t = {0};
	const struct kb_campaign_runs none = {0};
	struct campaign_count count;
	RELEASED(kb_campaign) record;

	must(campaign_target_open(kb, plan_of(""), &t, &err));
	record = begin(kb, &t); /* its batch has no loss */
	must(kb_add_campaign_batch(kb, record.id, 0.4, NULL, 0, &err));
	must(kb_add_campaign_batch(kb, record.id, 0.3, NULL, 0, &err));
	must(kb_add_campaign_batch(kb, record.id, 0.1, NULL, 0, &err));
	must(kb_add_campaign_batch(kb, record.id, NAN, NULL, 0, &err));
	must(campaign_count(kb, &t, record.id, &none, &count, &err));
	check_rel(count.loss_first, 0.4, 0.0);
	check_rel(count.loss_last, 0.1, 0.0);
	check_abs(count.node_hours + count.elapsed_s + count.planned_node_hours, 0.0, 0.0);
}
