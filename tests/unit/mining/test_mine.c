#include "tests/unit/mining/qr_base.h"

#include "mining/mine.h"
#include "tests/support/mining_set_up.h"

/* Those of one processor count: enough for what is asked here. */
enum { N_RUNS = 54 };

/* n sizes from 8 bytes on, twice each as large, at 10 us and 1 ns a byte one way. */
static void import_pingpong(int n)
{
	double bytes[16], roundtrip_s[16];
	struct kb_pingpong rows = {bytes, roundtrip_s, (size_t)n, false};
	struct kb_import imp = {.file_name = (char *)(uintptr_t) "pp.csv",
				.mapping = (char *)(uintptr_t) "ping-pong",
				.machine = (char *)(uintptr_t) "m",
				.n_taken = n};
	struct kb *kb = open_world();

	snprintf(imp.sha256, sizeof imp.sha256, "%064d", 1000 + n);
	for (int i = 0; i < n; i++) {
		bytes[i] = 8 << i;
		roundtrip_s[i] = 2 * (10e-6 + 1e-9 * bytes[i]);
	}
	must(kb_add_pingpong(kb, target.machine_id, &imp, &rows, &err));
	close_world(kb);
}

/* Mine, and say whether the knowledge changed. */
static bool mine_now(void)
{
	struct kb *kb = open_world();
	struct mine_outcome made = {.changed = false};
	bool changed;

	must(mine(kb, &target, NULL, &made, &err));
	assert_string_equal(made.fit.predictor, "gaussian-process");
	changed = made.changed;
	mine_outcome_release(&made);
	close_world(kb);
	return changed;
}

static enum err_code mine_code(const struct progress *progress, struct err *e)
{
	struct kb *kb = open_world();
	struct mine_outcome made = {.changed = true};
	enum err_code rc = mine(kb, &target, progress, &made, e);

	assert_true(rc != ERR_OK);
	assert_null(made.fit.param);
	close_world(kb);
	return rc;
}

static bool is_stale(void)
{
	struct kb *kb = open_world();
	struct predictor *p = NULL;
	char snapshot[65];
	bool stale = false;

	must(mine_load(kb, &target, &p, &stale, snapshot, &err));
	assert_int_equal(strlen(snapshot), 64);
	predictor_free(p);
	close_world(kb);
	return stale;
}

#define MINE_TEST(f) TEST_WITH(f, set_up, remove_folder)

MINE_TEST(the_mined_predictor_is_the_fit_to_the_runs)
{
	struct kb *kb;
	struct mine_input in = {0};
	struct predictor *fitted = NULL, *mined = NULL;
	char snapshot[65];
	bool stale = true;

	import_runs(N_RUNS);
	assert_true(mine_now());
	kb = open_world();
	must(mine_input_load(kb, &target, NULL, &in, &err));
	assert_int_equal(in.runs->n, N_RUNS);
	must(predictor_fit(NULL, &in.fit, &fitted, &err));
	must(mine_load(kb, &target, &mined, &stale, snapshot, &err));
	assert_false(stale);
	assert_string_equal(predictor_explanation(mined), predictor_explanation(fitted));
	for (size_t i = 0; i < in.runs->n; i++) {
		struct prediction a, b;

		predictor_predict(fitted, dataset_row(in.runs, i), 1, &a);
		predictor_predict(mined, dataset_row(in.runs, i), 1, &b);
		check_abs(b.time_s, a.time_s, 0);
		check_abs(prediction_quantile_s(mined, &b, 0.9),
			  prediction_quantile_s(fitted, &a, 0.9), 0);
	}
	predictor_free(fitted);
	predictor_free(mined);
	mine_input_release(&in);
	close_world(kb);
}

MINE_TEST(unchanged_facts_change_no_byte)
{
	HEAP char *before;
	size_t n_before;

	import_runs(N_RUNS);
	import_pingpong(12);
	assert_true(mine_now());
	before = read_all(path, &n_before);
	assert_false(mine_now());
	check_unchanged(path, before, n_before);
}

/* A base on a network file system is kept without a write-ahead log: the knowledge is the same. */
MINE_TEST(another_journal_is_no_reason_to_mine_again)
{
	static const struct kb_options safe = {.safe_journal = true};
	struct kb *kb = NULL;
	struct mine_outcome made = {.changed = true};

	import_runs(N_RUNS);
	assert_true(mine_now());
	kb_close(open_base(KB_READ));
	must(kb_open(path, KB_WRITE, &safe, &kb, &err));
	assert_string_equal(kb_journal_mode(kb), "delete");
	must(kb_get_application(kb, "qr", &app, &target.app_id, &err));
	must(kb_get_machine(kb, "m", &machine, &target.machine_id, &err));
	target.app = app;
	target.machine = machine;
	must(mine(kb, &target, NULL, &made, &err));
	assert_false(made.changed);
	assert_int_equal(made.fit.n_runs, N_RUNS);
	mine_outcome_release(&made);
	close_world(kb);
}

MINE_TEST(an_excluded_run_makes_knowledge_stale_until_mined)
{
	struct kb *kb;

	import_runs(N_RUNS);
	assert_true(mine_now());
	assert_false(is_stale());
	kb = open_world();
	must(kb_exclude_run(kb, 5, "tester", "disturbed", &err));
	close_world(kb);
	assert_true(is_stale());
	assert_true(mine_now());
	assert_false(is_stale());
	assert_int_equal(raw_int(path, "SELECT n_runs FROM fit"), N_RUNS - 1);
	kb = open_world();
	must(kb_include_run(kb, 5, &err));
	close_world(kb);
	assert_true(is_stale());
	assert_true(mine_now());
	assert_int_equal(raw_int(path, "SELECT n_runs FROM fit"), N_RUNS);
}

MINE_TEST(too_few_runs_leave_the_old_knowledge)
{
	int64_t import = import_runs(N_RUNS), n_removed = 0;
	struct kb *kb;

	assert_true(mine_now());
	kb = open_world();
	must(kb_undo_import(kb, import, &n_removed, &err));
	close_world(kb);
	assert_int_equal(n_removed, N_RUNS);
	assert_int_equal(mine_code(NULL, &err), ERR_NODATA);
	assert_true(is_stale()); /* old, but there */
	assert_int_equal(raw_int(path, "SELECT n_runs FROM fit"), N_RUNS);
	import_runs(1); /* of one, its priors say the rest */
	assert_true(mine_now());
	assert_int_equal(raw_int(path, "SELECT n_runs FROM fit"), 1);
}

static bool stop_in_holding_out(void *arg, const char *what, uint64_t done, uint64_t total)
{
	return strcmp(what, "holding out") != 0;
}

MINE_TEST(an_interrupted_mine_leaves_the_old_knowledge)
{
	static const struct progress progress = {.step = stop_in_holding_out};
	struct kb *kb;

	import_runs(N_RUNS);
	assert_true(mine_now());
	kb = open_world();
	must(kb_exclude_run(kb, 5, "tester", "disturbed", &err));
	close_world(kb);
	assert_int_equal(mine_code(&progress, &err), ERR_INTERRUPTED);
	assert_true(is_stale());
	assert_int_equal(raw_int(path, "SELECT n_runs FROM fit"), N_RUNS);
}

/* 10 us and 1 ns a byte one way: one line, exactly. */
MINE_TEST(ping_pong_becomes_message_costs)
{
	struct kb *kb;
	struct cost_segment *segment = NULL;
	size_t n = 0;

	import_runs(N_RUNS);
	assert_true(mine_now());
	import_pingpong(12);
	assert_true(is_stale());
	assert_true(mine_now());
	kb = open_world();
	must(kb_get_message_cost(kb, target.machine_id, &segment, &n, &err));
	assert_int_equal(n, 1);
	check_rel(segment[0].intercept_s, 10e-6, 1e-6);
	check_rel(segment[0].s_per_byte, 1e-9, 1e-6);
	free(segment);
	close_world(kb);
}

MINE_TEST(a_ping_pong_of_three_sizes_does_not_stop_the_runs)
{
	struct kb *kb;
	struct cost_segment *segment = NULL;
	size_t n = 77;

	import_runs(N_RUNS);
	import_pingpong(3);
	assert_true(mine_now());
	kb = open_world();
	must(kb_get_message_cost(kb, target.machine_id, &segment, &n, &err));
	assert_int_equal(n, 0);
	free(segment);
	close_world(kb);
}

MINE_TEST(what_was_never_mined_cannot_be_loaded)
{
	struct kb *kb;
	struct predictor *p = NULL;
	char snapshot[65];
	bool stale = false;

	import_runs(N_RUNS);
	kb = open_world();
	must_fail(mine_load(kb, &target, &p, &stale, snapshot, &err), ERR_NOTMINED, "lemnos mine");
	assert_null(p);
	close_world(kb);
}

/* Does `status check` find fault with the base? */
static bool has_findings(void)
{
	struct kb *kb = open_world();
	struct strbuf report = STRBUF_INIT;
	int n_found = 0;

	must(kb_check(kb, &report, &n_found, &err));
	strbuf_release(&report);
	close_world(kb);
	return n_found > 0;
}

/* "run `lemnos mine`" must be advice that helps, although no fact changed. */
MINE_TEST(a_fit_that_cannot_be_used_is_mined_again)
{
	static const char *const damage[] = {
		"DELETE FROM fit_parameter WHERE name = 'term_3'",
		"DELETE FROM fit_parameter WHERE name LIKE 'residual_edge%'",
		"UPDATE fit SET predictor = 'of-another-version'",
	};

	import_runs(N_RUNS);
	assert_true(mine_now());
	for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
		struct kb *kb;
		struct predictor *p = NULL;
		char snapshot[65];
		bool stale;

		raw_sql(path, damage[i]);
		raw_sql(path, "UPDATE fit SET sha256 = NULL"); /* of before there were digests */
		kb = open_world();
		must_fail(mine_load(kb, &target, &p, &stale, snapshot, &err), ERR_NOTMINED,
			  "lemnos mine");
		close_world(kb);
		assert_true(mine_now());
		assert_false(is_stale());
	}
}

/* A digest tells that something is other than it was mined; the index, that something is not there.
 */
MINE_TEST(damaged_knowledge_is_refused_until_mined)
{
	static const char *const damage[] = {
		"UPDATE fit_parameter SET value = value + 1e-9 WHERE name = 'sure'",
		"UPDATE fit SET n_runs = n_runs + 1",
		"UPDATE message_cost SET s_per_byte = 1.5 * s_per_byte WHERE position = 0",
		"UPDATE rule_set SET version = version + 256",
		"UPDATE data_profile SET n_runs = n_runs - 1",
		"UPDATE index_node SET box = ''",
	};

	import_runs(N_RUNS);
	import_pingpong(12);
	assert_true(mine_now());
	for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
		raw_sql(path, damage[i]);
		if (!has_findings())
			fail_msg("not found: %s", damage[i]);
		mine_now();
		assert_false(has_findings());
		assert_false(mine_now());
	}
}

/* Digests come to what an older program mined, and nothing else changes. */
MINE_TEST(knowledge_without_digests_gets_them)
{
	static const char without[] =
		"SELECT (SELECT count(*) FROM fit WHERE sha256 IS NULL) + (SELECT count(*) FROM "
		"rule_set WHERE sha256 IS NULL) + (SELECT count(*) FROM message_cost WHERE sha256 "
		"IS NULL) + (SELECT count(*) = 0 FROM index_of_runs)";

	import_runs(N_RUNS);
	import_pingpong(12);
	assert_true(mine_now());
	assert_int_equal(raw_int(path, without), 0);
	raw_sql(path, "UPDATE fit SET sha256 = NULL; UPDATE rule_set SET sha256 = NULL; UPDATE "
		      "message_cost SET sha256 = NULL; PRAGMA foreign_keys = ON; DELETE FROM "
		      "index_of_runs");
	assert_false(is_stale());
	assert_false(mine_now());
	assert_int_equal(raw_int(path, without), 0);
	assert_false(has_findings());
}

/* What an older program made of the same facts still serves, but is mined anew. */
MINE_TEST(a_fit_of_an_older_program_is_stale)
{
	import_runs(N_RUNS);
	assert_true(mine_now());
	raw_sql(path,
		"UPDATE fit SET sha256 = NULL; UPDATE fit_parameter SET value = value - 1 WHERE "
		"name = 'predictor_version'");
	assert_true(is_stale());
	assert_true(mine_now());
	assert_false(is_stale());
}

TEST_GROUP(mining_set_up, NULL)
