#include "tests/unit/kb/kb_test_applications.h"

#include "kb/kb_campaigns.h"
#include "tests/support/failing_allocations.h"

static struct kb_campaign campaign_of(const char *name, const char *uid)
{
	struct kb_campaign c = {.name = (char *)(uintptr_t)name,
				.application = (char *)(uintptr_t) "stencil",
				.machine = (char *)(uintptr_t) "m",
				.plan = (char *)(uintptr_t) "campaign = { };",
				.folder = (char *)(uintptr_t) "/a folder/of 'mine'",
				.seed = UINT64_MAX,
				.state = CAMPAIGN_STOPPED};

	snprintf(c.uid, sizeof c.uid, "%s", uid);
	memset(c.sha256, 'f', 64);
	return c;
}

static struct kb_campaign_run run_of(const char *levels, int64_t repeat)
{
	return (struct kb_campaign_run){.levels = (char *)(uintptr_t)levels,
					.configuration = (char *)(uintptr_t) "b=1",
					.repeat = repeat,
					.predicted_s = 1.5,
					.quantile_s = NAN,
					.limit_s = 60,
					.elapsed_s = NAN,
					.wall_s = NAN};
}

/* A campaign of two batches: two runs, then one. */
static int64_t add_campaign(struct kb *kb, const char *name, const char *uid)
{
	const struct kb_campaign_run first[] = {run_of("0 1", 1), run_of("0 0", 1)};
	const struct kb_campaign_run second = run_of("1 1", 1);
	struct kb_campaign c = campaign_of(name, uid);

	must(kb_add_campaign(kb, &c, &err));
	must(kb_add_campaign_batch(kb, c.id, NAN, first, 2, &err));
	must(kb_add_campaign_batch(kb, c.id, 0.25, &second, 1, &err));
	return c.id;
}

static struct kb_campaign_runs load(struct kb *kb, int64_t id)
{
	struct kb_campaign_runs runs = {0};

	must(kb_load_campaign_runs(kb, id, &runs, &err));
	return runs;
}

/* Position 1 ended well, with this import. */
static void end_first(struct kb *kb, int64_t id, int64_t import_id)
{
	RELEASED(kb_campaign_runs) runs = load(kb, id);
	struct kb_campaign_run *r = &runs.item[0];

	r->state = CAMPAIGN_RUN_DONE;
	r->attempt = 2;
	r->wall_s = 2.5;
	r->elapsed_s = 3;
	r->import_id = import_id;
	r->started_at = strdup("2026-01-02T03:04:05Z");
	r->ended_at = strdup("2026-01-02T03:04:08Z");
	must(kb_put_campaign_run(kb, id, r, &err));
}

static void expect_no_findings(struct kb *kb)
{
	RELEASED(strbuf) report = STRBUF_INIT;
	int n = 0;

	must(kb_check(kb, &report, &n, &err));
	assert_string_equal(strbuf_text(&report), "");
	assert_int_equal(n, 0);
}

KB_TEST(a_campaign_comes_back_as_it_was)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_campaign c = {0};
	struct kb_campaign_batches batches = {0};
	struct kb_campaign_runs runs;
	int64_t id = add_campaign(kb, "First", "0123456789abcdef");

	must(kb_find_campaign(kb, "first", &c, &err));
	assert_int_equal(c.id, id);
	assert_string_equal(c.name, "First");
	assert_string_equal(c.uid, "0123456789abcdef");
	assert_string_equal(c.folder, "/a folder/of 'mine'");
	assert_true(c.seed == UINT64_MAX);
	assert_int_equal(c.state, CAMPAIGN_STOPPED);
	assert_null(c.why);
	runs = load(kb, id);
	assert_int_equal(runs.n, 3);
	assert_int_equal(runs.item[2].position, 3);
	assert_int_equal(runs.item[2].batch, 1);
	assert_string_equal(runs.item[0].levels, "0 1");
	assert_int_equal(runs.item[0].state, CAMPAIGN_RUN_PLANNED);
	check_rel(runs.item[0].predicted_s, 1.5, 0.0);
	assert_true(isnan(runs.item[0].quantile_s));
	assert_int_equal(runs.item[0].import_id, 0);
	must(kb_load_campaign_batches(kb, id, &batches, &err));
	assert_int_equal(batches.n, 2);
	assert_true(isnan(batches.item[0].expected_loss));
	check_rel(batches.item[1].expected_loss, 0.25, 0.0);
	kb_campaign_batches_release(&batches);
	kb_campaign_runs_release(&runs);
	kb_campaign_release(&c);
	expect_no_findings(kb);
}

KB_TEST(names_are_unique_and_unknown_ones_are_told)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_campaign again = campaign_of("FIRST", "ffffffffffffffff"), none = {0};

	must_fail(kb_find_campaign(kb, "x", &none, &err), ERR_NOTFOUND, "no other one");
	add_campaign(kb, "first", "0123456789abcdef");
	assert_int_equal(kb_add_campaign(kb, &again, &err), ERR_ARG);
	must_fail(kb_find_campaign(kb, "x", &none, &err), ERR_NOTFOUND, "first");
}

KB_TEST(states_change_and_a_batch_is_all_or_nothing)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_campaign_run bad[] = {run_of("1 0", 1),
					run_of("1 1", 0)}; /* repeats count from 1 */
	RELEASED(kb_campaign_runs) runs;
	enum campaign_state now = CAMPAIGN_DONE;
	int64_t id = add_campaign(kb, "first", "0123456789abcdef");

	must(kb_set_campaign_state(kb, id, CAMPAIGN_STOPPING, "because", &err));
	must(kb_get_campaign_state(kb, id, &now, &err));
	assert_int_equal(now, CAMPAIGN_STOPPING);
	assert_int_equal(kb_add_campaign_batch(kb, id, NAN, bad, 2, &err), ERR_KB);
	runs = load(kb, id);
	assert_int_equal(runs.n, 3);
}

KB_TEST(a_run_leads_to_what_is_stored_until_its_import_is_undone)
{
	const struct test_run measured = {8, 1, 1, 1, 2.5, 1};
	CLOSED(kb) *kb = base_with_application();
	struct kb_import imp = import_runs(kb, "abc", 1, &measured, 1);
	struct kb_campaign_runs runs;
	int64_t id = add_campaign(kb, "first", "0123456789abcdef");

	end_first(kb, id, imp.id);
	runs = load(kb, id);
	assert_int_equal(runs.item[0].run_id, raw_int(path, "SELECT run_id FROM run"));
	assert_int_equal(runs.item[0].attempt, 2);
	assert_string_equal(runs.item[0].ended_at, "2026-01-02T03:04:08Z");
	assert_false(runs.item[0].undone);
	kb_campaign_runs_release(&runs);
	must(kb_undo_import(kb, imp.id, NULL, &err));
	runs = load(kb, id);
	assert_int_equal(runs.item[0].state, CAMPAIGN_RUN_DONE);
	assert_int_equal(runs.item[0].run_id, 0);
	assert_true(runs.item[0].undone);
	kb_campaign_runs_release(&runs);
	expect_no_findings(kb);
}

KB_TEST(a_check_finds_runs_that_cannot_be)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(strbuf) report = STRBUF_INIT;
	int n = 0;

	add_campaign(kb, "first", "0123456789abcdef");
	raw_sql(path, "UPDATE campaign_run SET state = 'done' WHERE position = 2;"
		      "DELETE FROM campaign_run WHERE position = 1");
	must(kb_check(kb, &report, &n, &err));
	assert_int_equal(n, 2);
	assert_non_null(strstr(strbuf_text(&report), "run 2 is done without an import"));
	assert_non_null(strstr(strbuf_text(&report), "campaign first"));
}

/* ---- two bases ---- */

static char other[160];

static struct kb *other_base(void)
{
	struct kb *kb = NULL;

	snprintf(other, sizeof other, "%s/other.kb", folder);
	must(kb_open(other, KB_CREATE, NULL, &kb, &err));
	return kb;
}

static struct kb_merge_result merge(struct kb *kb)
{
	struct kb_merge_result r = {0};

	must(kb_merge(kb, other, NULL, &r, &err));
	return r;
}

KB_TEST(a_merge_brings_campaigns_with_their_imports_once)
{
	const struct test_run measured = {8, 1, 1, 1, 2.5, 1};
	struct kb *into = other_base(), *kb;
	RELEASED(kb_campaign) c = {0};
	RELEASED(kb_campaign_runs) runs;
	int64_t id;

	kb_close(into);
	kb = base_with_application();
	/* an import before, so that numbers differ */
	id = add_campaign(kb, "first", "0123456789abcdef");
	end_first(kb, id, import_runs(kb, "abc", 1, &measured, 1).id);
	kb_close(kb);
	/* from path into other */
	must(kb_open(other, KB_WRITE, NULL, &into, &err));
	raw_sql(other, "INSERT INTO import (file_name, sha256, mapping, imported_at) VALUES ('x', "
		       "printf('%064d', 1), '', '2026-01-01')");
	for (int i = 0; i < 2; i++) {
		struct kb_merge_result r = {0};

		must(kb_merge(into, path, NULL, &r, &err));
		assert_int_equal(r.n_campaigns, i == 0);
	}
	must(kb_find_campaign(into, "first", &c, &err));
	runs = load(into, c.id);
	assert_int_equal(runs.n, 3);
	assert_int_equal(runs.item[2].batch, 1);
	assert_int_equal(runs.item[0].import_id, 2);
	assert_true(runs.item[0].run_id > 0);
	expect_no_findings(into);
	kb_close(into);
}

KB_TEST(a_merge_takes_outcomes_of_what_is_planned_here)
{
	const struct test_run measured = {8, 1, 1, 1, 2.5, 1};
	struct kb *kb = base_with_application(), *theirs = NULL;
	RELEASED(kb_campaign_runs) runs;
	int64_t id = add_campaign(kb, "first", "0123456789abcdef");

	snprintf(other, sizeof other, "%s/other.kb", folder);
	must(kb_backup(kb, other, &err));
	must(kb_open(other, KB_WRITE, NULL, &theirs, &err));
	end_first(theirs, id, import_runs(theirs, "abc", 1, &measured, 1).id);
	raw_sql(other, "UPDATE campaign_run SET state = 'running', attempt = 1 WHERE position = 2");
	kb_close(theirs);
	assert_int_equal(merge(kb).n_campaigns, 0);
	runs = load(kb, id);
	assert_int_equal(runs.item[0].state, CAMPAIGN_RUN_DONE);
	assert_true(runs.item[0].run_id > 0);
	assert_int_equal(runs.item[1].state, CAMPAIGN_RUN_PLANNED);
	kb_close(kb);
}

KB_TEST(another_campaign_of_that_name_gets_a_number)
{
	struct kb *kb = base_with_application(), *theirs = other_base();
	RELEASED(kb_campaign) c = {0};
	RELEASED(kb_campaign_runs) runs;

	put_application(theirs, stencil_text);
	raw_sql(other, "UPDATE counter SET next = 5");
	add_campaign(theirs, "First", "ffffffffffffffff");
	raw_sql(other, "UPDATE campaign SET state = 'running'; UPDATE campaign_run SET state = "
		       "'running', attempt = 4, started_at = 'x' WHERE position = 1");
	kb_close(theirs);
	add_campaign(kb, "first", "0123456789abcdef");
	assert_int_equal(merge(kb).n_campaigns, 1);
	must(kb_find_campaign(kb, "first-2", &c, &err));
	assert_string_equal(c.uid, "ffffffffffffffff");
	/* nothing of it runs here */
	assert_int_equal(c.state, CAMPAIGN_STOPPED);
	runs = load(kb, c.id);
	assert_int_equal(runs.item[0].state, CAMPAIGN_RUN_PLANNED);
	assert_int_equal(runs.item[0].attempt, 0);
	assert_null(runs.item[0].started_at);
	expect_no_findings(kb);
	kb_close(kb);
}

/* ---- without memory ---- */

static enum err_code read_all_of_it(struct kb *kb, int64_t id, struct err *e)
{
	RELEASED(kb_campaign_list) list = {0};
	RELEASED(kb_campaign_runs) runs = {0};
	RELEASED(kb_campaign_batches) batches = {0};
	enum err_code rc;

	if (!(rc = kb_list_campaigns(kb, &list, e)) &&
	    !(rc = kb_load_campaign_runs(kb, id, &runs, e)))
		rc = kb_load_campaign_batches(kb, id, &batches, e);
	return rc;
}

KB_TEST(campaigns_are_read_whole_or_not)
{
	CLOSED(kb) *kb = base_with_application();
	int64_t id = add_campaign(kb, "first", "0123456789abcdef");

	failing_each_place (read_all_of_it(kb, id, &err), &err)
		;
}
