#include "acquire/campaign_private.h"

#include <signal.h>

#include "tests/unit/acquire/campaign_base.h"

/* An end and what was printed become the run's state, its message and the row that is stored. */

struct told {
	enum campaign_run_state state;
	double wall_s;
	int64_t imported; /* 0: refused */
	char message[1200];
};

static void print_to(const char *name, const char *text)
{
	char path_of[192];
	FILE *f;

	snprintf(path_of, sizeof path_of, "%s/%s", folder, name);
	f = fopen(path_of, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* Of the first run of a plan, in a base of its own. */
static struct told outcome(const char *more, const struct supervised_end *end, const char *out,
			   const char *complaints)
{
	CLOSED(kb) *kb = base();
	RELEASED(campaign_target) t = {0};
	RELEASED(kb_campaign) record;
	RELEASED(kb_campaign_runs) runs = {0}, after = {0};
	struct campaign_origin origin = {.target = &t, .record = &record, .lemnos = "0"};
	struct told told = {0};
	double row[8];

	print_to("stdout", out);
	print_to("stderr", complaints);
	must(campaign_target_open(kb, plan_of(more), &t, &err));
	record = begin(kb, &t);
	must(kb_load_campaign_runs(kb, record.id, &runs, &err));
	runs.item[0].attempt = 1;
	runs.item[0].wall_s = 77; /* of an attempt before */
	assert_true(campaign_run_row(&t, runs.item[0].levels, row));
	{
		const struct campaign_launch l = {.target = &t,
						  .record = &record,
						  .run = &runs.item[0],
						  .row = row,
						  .folder = folder,
						  .kb = kb};

		must(campaign_outcome_store(kb, &origin, &l, end, &err));
	}
	must(kb_load_campaign_runs(kb, record.id, &after, &err));
	told.state = after.item[0].state;
	told.wall_s = after.item[0].wall_s;
	told.imported = after.item[0].import_id;
	snprintf(told.message, sizeof told.message, "%s",
		 after.item[0].message ? after.item[0].message : "");
	assert_string_equal(after.item[0].started_at, "2026-01-01T00:00:00Z");
	assert_string_equal(after.item[0].ended_at, "2026-01-01T00:00:10Z");
	return told;
}

/* 2026-01-01, 10 s long */
#define ENDED(...)                 \
	(&(struct supervised_end){ \
		.elapsed_s = 10, .started_s = 1767225600, .ended_s = 1767225610, __VA_ARGS__})

CAMPAIGN_TEST(a_run_that_ended_well_has_the_time_that_it_told)
{
	struct told told = outcome("", ENDED(.exit_status = 0), "noise\nt=4.25\n", "a warning\n");

	assert_int_equal(told.state, CAMPAIGN_RUN_DONE);
	check_rel(told.wall_s, 4.25, 0);
	assert_true(told.imported > 0);
	assert_string_equal(told.message, "");
}

CAMPAIGN_TEST(a_result_that_is_not_there_refuses_the_run)
{
	struct told told = outcome("", ENDED(.exit_status = 0), "", "");

	assert_int_equal(told.state, CAMPAIGN_RUN_REFUSED);
	assert_int_equal(told.imported, 0);
	assert_true(isnan(told.wall_s));
	assert_non_null(strstr(told.message, "(its stdout is empty)"));
}

CAMPAIGN_TEST(an_exit_status_is_a_failed_run_with_its_last_lines)
{
	struct told told = outcome("", ENDED(.exit_status = 3), "t=4.25\n",
				   "one\ntwo\nthree\nfour\nfive\nsix\n\n");

	assert_int_equal(told.state, CAMPAIGN_RUN_FAILED);
	assert_true(told.imported > 0);
	assert_true(isnan(told.wall_s)); /* what it printed is no result */
	assert_string_equal(told.message,
			    "exit status 3\nstdout: t=4.25\nstderr: two\nthree\nfour\nfive\nsix");
}

CAMPAIGN_TEST(a_signal_is_a_failed_run)
{
	struct told told = outcome("", ENDED(.exit_status = -1, .signal = SIGSEGV), "t=4.25\n", "");

	assert_int_equal(told.state, CAMPAIGN_RUN_FAILED);
	assert_true(told.imported > 0);
	assert_non_null(strstr(told.message, "ended by signal 11 ("));
}

/* A shell's 126 and 127 tell nothing about the configuration. */
CAMPAIGN_TEST(a_command_that_is_not_there_is_no_failed_run)
{
	for (int status = 125; status <= 128; status++) {
		bool refused = status == 126 || status == 127;
		RELEASED(strbuf) at = STRBUF_INIT;
		struct told told = outcome("", ENDED(.exit_status = status), "", "");

		assert_int_equal(told.state, refused ? CAMPAIGN_RUN_REFUSED : CAMPAIGN_RUN_FAILED);
		assert_int_equal(told.imported > 0, !refused);
		strbuf_printf(&at, "%s/test.kb", folder);
		assert_int_equal(remove(strbuf_text(&at)), 0);
	}
}

/* The limit of the plan is a minute; a job may be ended before. */
CAMPAIGN_TEST(a_run_that_was_cut_says_after_what_time)
{
	struct told told = outcome("", ENDED(.timed_out = true, .signal = SIGKILL), "", "");

	assert_int_equal(told.state, CAMPAIGN_RUN_TIMED_OUT);
	assert_true(told.imported > 0);
	assert_string_equal(told.message, "stopped after 10 s");
}

CAMPAIGN_TEST(a_cut_after_the_limit_counts_as_one_at_the_limit)
{
	struct supervised_end end = *ENDED(.timed_out = true);
	struct told told;

	end.elapsed_s = 61.5;
	told = outcome("", &end, "", "");
	assert_string_equal(told.message, "stopped after 60 s");
}

CAMPAIGN_TEST(what_others_say_of_an_end_is_kept_and_what_is_not_told_is_refused)
{
	struct told told =
		outcome("", ENDED(.untold = true, .why = "Slurm: COMPLETED"), "t=1\n", "");

	assert_int_equal(told.state, CAMPAIGN_RUN_REFUSED);
	assert_int_equal(told.imported, 0);
	assert_string_equal(told.message, "Slurm: COMPLETED\nstdout: t=1");
}

/* A zero byte would end the text, and no text has what is no UTF-8. */
CAMPAIGN_TEST(what_is_no_text_is_shown_as_question_marks)
{
	struct told told = outcome("", ENDED(.exit_status = 1), "",
				   "a\xff\xfe"
				   "b \xc3\xa9\n");

	assert_string_equal(told.message, "exit status 1\nstderr: a??b \xc3\xa9");
}

/* ---- all of them: the plan has nodes=2 in all ---- */

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
