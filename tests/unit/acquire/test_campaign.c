#include "tests/support/failing_allocations.h"
#include "tests/unit/acquire/campaign_base.h"

CAMPAIGN_TEST(all_repeats_are_in_blocks_of_the_legal_configurations)
{
	CLOSED(kb) *kb = base();
	RELEASED(campaign_target) t = {0};
	RELEASED(campaign_choice) c = {0};

	must(campaign_target_open(kb, plan_of("repeats = 3;"), &t, &err));
	must(campaign_choose(kb, &t, NULL, NULL, &c, &err));
	assert_int_equal(c.n_configurations, 5);
	assert_int_equal(c.n_legal, 5);
	assert_int_equal(c.n_combinations, 6);
	assert_int_equal(c.n, 15);
	for (size_t i = 0; i < c.n; i++) {
		size_t same = 0;

		assert_int_equal(c.run[i].repeat, i / 5 + 1);
		assert_true(isnan(c.run[i].predicted_s));
		check_rel(c.run[i].limit_s, 60.0, 0.0);
		for (size_t k = i / 5 * 5; k < i / 5 * 5 + 5; k++)
			same += strcmp(c.run[i].levels, c.run[k].levels) == 0;
		assert_int_equal(same, 1);
	}
}

CAMPAIGN_TEST(a_budget_of_runs_cuts_the_last_block)
{
	CLOSED(kb) *kb = base();
	RELEASED(campaign_target) t = {0};
	RELEASED(campaign_choice) c = {0};

	must(campaign_target_open(kb, plan_of("repeats = 3; budget = { runs = 12; };"), &t, &err));
	must(campaign_choose(kb, &t, NULL, NULL, &c, &err));
	assert_int_equal(c.n, 12);
	assert_int_equal(c.n_over_budget, 3);
}

/* ---- running ---- */

struct heard {
	size_t ended;
	bool stop_now;
};

static void on_end(void *arg, const struct campaign_count *count, const struct kb_campaign_run *run)
{
	struct heard *h = arg;

	assert_int_equal(run->state, CAMPAIGN_RUN_DONE);
	assert_int_equal(count->of[CAMPAIGN_RUN_DONE], ++h->ended);
}

static bool go_on(void *arg, const char *what, uint64_t done, uint64_t total)
{
	const struct heard *h = arg;

	return !h->stop_now || h->ended < 2;
}

CAMPAIGN_TEST(an_interrupted_campaign_goes_on_where_it_was)
{
	CLOSED(kb) *kb = base();
	struct heard heard = {.stop_now = true};
	const struct progress progress = {.step = go_on, .arg = &heard};
	RELEASED(campaign_target) t = {0};
	struct campaign_count count;
	RELEASED(kb_campaign_runs) runs = {0};
	RELEASED(kb_campaign) record;
	struct campaign_job job = {.kb = kb,
				   .target = &t,
				   .record = &record,
				   .version = "0",
				   .progress = &progress,
				   .events = {.ended = on_end, .arg = &heard}};
	int64_t pid = -1;

	must(campaign_target_open(kb, plan_of(""), &t, &err));
	record = begin(kb, &t);
	assert_int_equal(campaign_run(&job, &err), ERR_INTERRUPTED);
	assert_true(heard.ended >= 2 && heard.ended < 5);
	must(campaign_runner(path, "c", &pid, &err));
	assert_int_equal(pid, 0);
	heard.stop_now = false;
	must(campaign_run(&job, &err));
	assert_int_equal(heard.ended, 5);
	assert_int_equal(record.state, CAMPAIGN_DONE);
	must(kb_load_campaign_runs(kb, record.id, &runs, &err));
	must(campaign_count(kb, &t, record.id, &runs, &count, &err));
	assert_int_equal(count.of[CAMPAIGN_RUN_DONE], 5);
	/* what the command said: t = n.p, on two nodes */
	for (size_t i = 0; i < runs.n; i++) {
		double row[8], elapsed_s = runs.item[i].elapsed_s;

		assert_true(campaign_run_row(&t, runs.item[i].levels, row));
		check_rel(runs.item[i].wall_s, row[0] + row[application_column(t.app, "p")] / 10,
			  1e-12);
		assert_true(runs.item[i].run_id > 0);
		count.node_hours -= 2 * elapsed_s / 3600;
	}
	check_abs(count.node_hours, 0, 1e-15);
}

CAMPAIGN_TEST(levels_that_the_plan_does_not_have_are_none)
{
	CLOSED(kb) *kb = base();
	RELEASED(campaign_target) t = {0};
	double row[8];

	must(campaign_target_open(kb, plan_of(""), &t, &err));
	assert_true(campaign_run_row(&t, "1 2", row));
	assert_false(campaign_run_row(&t, "1 3", row)); /* three levels: 0, 1, 2 */
	assert_false(campaign_run_row(&t, "0 2", row)); /* not legal */
	assert_false(campaign_run_row(&t, "1", row));
	assert_false(campaign_run_row(&t, "1 2 0", row));
	assert_false(campaign_run_row(&t, "x", row));
}

/* ---- without memory ---- */

static enum err_code choose(struct kb *kb, const char *more, struct campaign_choice *c,
			    struct err *e)
{
	RELEASED(campaign_target) t = {0};
	struct campaign_plan *plan = NULL;
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	strbuf_printf(
		&text,
		"campaign = { name = \"c\"; application = \"toy\"; machine = \"m\"; factors = ( { "
		"column = \"n\"; levels = [ 2, 3 ]; } );\n constants = \"nodes=1,p=1\"; %s command = [ "
		"\"x\", \"{n}\" ]; };",
		more);
	rc = text.failed ? err_set(e, ERR_NOMEM, "a plan")
			 : campaign_plan_parse(strbuf_text(&text), "plan", &plan, e);
	strbuf_release(&text);
	if (!rc && !(rc = campaign_target_open(kb, plan, &t, e)))
		rc = campaign_choose(kb, &t, NULL, NULL, c, e);
	return rc;
}

CAMPAIGN_TEST(runs_are_chosen_all_or_none)
{
	CLOSED(kb) *kb = base();
	RELEASED(campaign_choice) c = {0};

	failing_each_place (choose(kb, "repeats = 2;", &c, &err), &err)
		assert_int_equal(c.n, 0);
	assert_int_equal(c.n, 4);
}
