#include "tests/unit/kb/kb_mined.h"

static const struct test_run few[] = {
	{100, 2, 2, 10, 1.5, 1}, {100, 2, 2, 20, 1.6, 1}, {200, 4, 2, 10, 9.5, 1}};

/* ---- there and back ---- */

static void check_text(const char *got, const char *want)
{
	assert_true(!got == !want);
	if (want)
		assert_string_equal(got, want);
}

static void check_rule(const struct rule *got, const struct rule *want)
{
	assert_string_equal(got->id, want->id);
	assert_int_equal(got->kind, want->kind);
	check_text(got->machine, want->machine);
	check_text(got->condition, want->condition);
	check_text(got->setting, want->setting);
	check_bits(got->within, want->within);
	assert_int_equal(got->on_model, want->on_model);
	check_bits(got->coefficient, want->coefficient);
	assert_int_equal(got->n_term, want->n_term);
	for (size_t i = 0; i < want->n_term; i++) {
		assert_string_equal(got->term[i].column, want->term[i].column);
		check_bits(got->term[i].exponent, want->term[i].exponent);
	}
	check_bits(got->min, want->min);
	check_bits(got->max, want->max);
	check_bits(got->weight, want->weight);
	assert_memory_equal(&got->evidence, &want->evidence, sizeof got->evidence);
	assert_string_equal(got->overlaps, want->overlaps);
	check_bits(got->overlap, want->overlap);
	assert_string_equal(got->twin_of, want->twin_of);
	check_text(got->caveat, want->caveat);
	assert_int_equal(got->n_cost, want->n_cost);
	for (size_t i = 0; i < want->n_cost; i++) {
		check_text(got->cost[i].part, want->cost[i].part);
		check_text(got->cost[i].against, want->cost[i].against);
		check_bits(got->cost[i].ratio, want->cost[i].ratio);
		check_bits(got->cost[i].lo, want->cost[i].lo);
		check_bits(got->cost[i].hi, want->cost[i].hi);
		assert_int_equal(got->cost[i].n_sets, want->cost[i].n_sets);
		assert_int_equal(got->cost[i].n_problems, want->cost[i].n_problems);
		assert_int_equal(got->cost[i].fitted, want->cost[i].fitted);
	}
}

KB_TEST(rules_come_back_to_the_last_bit_and_in_order)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_rules) in = sample_mined();
	RELEASED(kb_rules) back;

	must(kb_put_rules(kb, 1, 1, &in, &err));
	back = get_rules(kb, 1);
	assert_string_equal(back.snapshot, in.snapshot);
	assert_int_equal(back.version, 7);
	assert_int_equal(back.rules.n, 4);
	for (size_t i = 0; i < 4; i++)
		check_rule(&back.rules.item[i], &in.rules.item[i]);
	check_sound(kb);
}

KB_TEST(what_is_not_known_and_what_is_infinite_comes_back)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_rules) in = sample_mined();
	RELEASED(kb_rules) back;
	struct rule *r = &in.rules.item[1];

	r->evidence.effect = (double)NAN;
	r->evidence.lo = -(double)INFINITY;
	r->evidence.hi = (double)INFINITY;
	r->evidence.p_value = (double)NAN;
	r->min = 0;
	r->max = (double)INFINITY;
	must(kb_put_rules(kb, 1, 1, &in, &err));
	back = get_rules(kb, 1);
	check_bits(back.rules.item[1].evidence.effect, (double)NAN);
	check_bits(back.rules.item[1].evidence.lo, -(double)INFINITY);
	check_bits(back.rules.item[1].evidence.hi, (double)INFINITY);
	check_bits(back.rules.item[1].evidence.p_value, (double)NAN);
	check_bits(back.rules.item[1].min, 0);
	check_bits(back.rules.item[1].max, (double)INFINITY);
	assert_string_equal(raw_text(path, "SELECT effect IS NULL FROM rule WHERE position = 1"),
			    "1");
}

KB_TEST(texts_that_nobody_set_come_back_empty)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_rules in = {.version = 1};
	RELEASED(kb_rules) back;

	memset(in.snapshot, 'c', 64);
	must(kb_put_rules(kb, 1, 1, &in, &err));
	must(kb_put_rules(kb, 1, 1, &in, &err));
	back = get_rules(kb, 1);
	assert_int_equal(back.rules.n, 0);
	assert_string_equal(back.findings.profile.remarks, "");
	assert_int_equal(back.findings.ranking.n_choices, 0);
	assert_null(back.findings.column);
}

/* ---- replacing ---- */

/* The file as it is after a put. */
static char *file_after_put(const struct kb_rules *r, size_t *n)
{
	struct kb *kb = open_base(KB_WRITE);

	must(kb_put_rules(kb, 1, 1, r, &err));
	kb_close(kb);
	return read_all(path, n);
}

KB_TEST(the_same_rules_again_change_no_byte)
{
	RELEASED(kb_rules) in = sample_mined();
	size_t n_before;
	size_t n_after;
	HEAP char *before;
	HEAP char *after;

	in.rules.item[0].evidence.effect = (double)NAN;
	kb_close(base_with_application());
	before = file_after_put(&in, &n_before);
	after = file_after_put(&in, &n_after);
	assert_int_equal(n_before, n_after);
	assert_memory_equal(before, after, n_before);
}

/* What the file has after a put is what was put, whatever single thing changed. */
static void expect_stored(const struct kb_rules *r, const char *sql)
{
	struct kb *kb = open_base(KB_WRITE);

	must(kb_put_rules(kb, 1, 1, r, &err));
	kb_close(kb);
	if (raw_int(path, sql) != 1) {
		print_error("not so: %s\n", sql);
		fail();
	}
}

KB_TEST(any_single_change_is_noticed)
{
	RELEASED(kb_rules) in = sample_mined();
	char *old_text;

	kb_close(base_with_application());
	expect_stored(&in, "SELECT count(*) FROM rule_set");
	in.rules.item[2].evidence.n_source[SOURCE_MODELLED] = 11;
	expect_stored(&in, "SELECT n_modelled = 11 FROM rule WHERE position = 2");
	in.rules.item[1].term[1].exponent = 0.5;
	expect_stored(&in, "SELECT exponent = 0.5 FROM rule_term WHERE position = 1");
	in.rules.item[0].cost[0].n_sets = 13;
	expect_stored(&in, "SELECT n_sets = 13 AND cost_hi IS NULL FROM rule_cost");
	in.rules.item[0].evidence.n_counter = 4;
	expect_stored(&in, "SELECT n_counter = 4 FROM rule WHERE position = 0");
	in.rules.item[2].twin_of[0] = '\0';
	expect_stored(&in, "SELECT count(*) = 0 FROM rule WHERE twin_of IS NOT NULL");
	in.rules.item[0].evidence.lo = (double)NAN;
	expect_stored(&in, "SELECT effect_lo IS NULL FROM rule WHERE position = 0");
	in.rules.item[0].caveat = text_of("");
	expect_stored(&in, "SELECT caveat = '' FROM rule WHERE position = 0");
	in.findings.ranking.choice[1].ties[0] = 'z';
	expect_stored(&in, "SELECT ties = 'zb' FROM ranked_choice WHERE position = 1");
	in.findings.profile.n_regimes = 3;
	expect_stored(&in, "SELECT n_regimes = 3 FROM data_profile");
	in.findings.n_effects = 0;
	expect_stored(&in, "SELECT count(*) = 0 FROM column_effect");
	in.findings.n_effects = 1;
	in.snapshot[5] = '0';
	expect_stored(&in, "SELECT snapshot LIKE 'bbbbb0b%' FROM rule_set");
	in.version = 8;
	expect_stored(&in, "SELECT version = 8 FROM rule_set");
	old_text = in.findings.column[0].remark;
	in.findings.column[0].remark = NULL; /* as good as "" */
	expect_stored(&in, "SELECT remark = '' FROM column_profile WHERE position = 0");
	in.findings.column[0].remark = old_text;
}

/* Rows of knowledge about rules, in all tables. */
static int64_t n_rows(void)
{
	return raw_int(path,
		       "SELECT (SELECT count(*) FROM rule_set) + (SELECT count(*) FROM rule) + "
		       "(SELECT count(*) FROM rule_term) + (SELECT count(*) FROM data_profile) + "
		       "(SELECT count(*) FROM rule_cost) + "
		       "(SELECT count(*) FROM column_profile) + "
		       "(SELECT count(*) FROM column_effect) + "
		       "(SELECT count(*) FROM column_interaction) + "
		       "(SELECT count(*) FROM hypothesis) + (SELECT count(*) FROM ranking) + "
		       "(SELECT count(*) FROM ranked_choice)");
}

KB_TEST(nothing_is_left_of_what_was_replaced_or_dropped)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_rules) in = sample_mined();
	struct kb_rules none = {.version = 7};

	memset(none.snapshot, 'd', 64);
	must(kb_put_rules(kb, 1, 1, &in, &err));
	assert_int_equal(n_rows(), 1 + 4 + 4 + 1 + 1 + 2 + 1 + 1 + 1 + 1 + 2);
	must(kb_put_rules(kb, 1, 1, &none, &err));
	assert_int_equal(n_rows(), 3); /* the set, its profile and its ranking */
	must(kb_put_rules(kb, 1, 1, &in, &err));
	must(kb_drop_rules(kb, 1, 1, &err));
	assert_int_equal(n_rows(), 0);
}

KB_TEST(one_machine_and_all_of_them_are_kept_apart)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_rules) in = sample_mined();
	struct kb_rules back = {0};

	must_fail(kb_get_rules(kb, 1, 0, &back, &err), ERR_NOTMINED,
		  "on all machines: run `lemnos mine`");
	for (int64_t machine = 0; machine < 3; machine++) {
		in.version = machine;
		must(kb_put_rules(kb, 1, machine, &in, &err));
	}
	assert_int_equal(raw_int(path, "SELECT count(*) FROM rule_set"), 3);
	must(kb_drop_rules(kb, 1, 2, &err));
	assert_int_equal(kb_get_rules(kb, 1, 2, &back, NULL), ERR_NOTMINED);
	for (int64_t machine = 0; machine < 2; machine++) {
		back = get_rules(kb, machine);
		assert_int_equal(back.version, machine);
		kb_rules_release(&back);
	}
}

KB_TEST(a_failed_put_leaves_what_was_known)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_rules) in = sample_mined();
	RELEASED(kb_rules) back;

	must(kb_put_rules(kb, 1, 1, &in, &err));
	strcpy(in.rules.item[3].id, in.rules.item[1].id); /* the same rule twice */
	must_fail(kb_put_rules(kb, 1, 1, &in, &err), ERR_KB, "INSERT INTO rule");
	assert_int_equal(kb_put_rules(kb, 77, 1, &in, NULL), ERR_KB); /* no such application */
	back = get_rules(kb, 1);
	assert_string_not_equal(back.rules.item[3].id, in.rules.item[3].id);
}

KB_TEST(what_is_removed_takes_its_rules_with_it)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_rules) in = sample_mined();

	for (int64_t machine = 0; machine < 3; machine++)
		must(kb_put_rules(kb, 1, machine, &in, &err));
	must(kb_remove_machine(kb, "m", &err));
	assert_string_equal(raw_text(path, "SELECT group_concat(ifnull(machine_id, 'all')) FROM "
					   "(SELECT * FROM rule_set ORDER BY machine_id)"),
			    "all,2");
	check_sound(kb);
	must(kb_remove_application(kb, "stencil", &err));
	assert_int_equal(n_rows(), 0);
	check_sound(kb);
}

/* ---- for people ---- */

KB_TEST(plain_sql_reads_the_rules_as_they_are_printed)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_rules) in = sample_mined();
	RELEASED(strbuf) text = STRBUF_INIT;

	must(kb_put_rules(kb, 1, 0, &in, &err));
	must(kb_put_rules(kb, 1, 1, &in, &err));
	rule_put_text(&in.rules.item[0], &text);
	assert_string_equal(raw_text(path, "SELECT text FROM rules WHERE machine = 'm'"),
			    strbuf_text(&text));
	assert_string_equal(raw_text(path, "SELECT text FROM rules WHERE machine IS NULL"),
			    strbuf_text(&text));
	assert_int_equal(raw_int(path, "SELECT count(*) FROM rules WHERE state = 'new' AND "
				       "application = 'stencil'"),
			 8);
}

/* kb_check() finds one thing, and says this of it. */
static void expect_finding(const char *sql, const char *want)
{
	CLOSED(kb) *kb;
	RELEASED(strbuf) report = STRBUF_INIT;
	int n_found = -1;

	raw_sql(path, sql);
	kb = open_base(KB_READ);
	must(kb_check(kb, &report, &n_found, &err));
	if (n_found != 1 || !strstr(strbuf_text(&report), want)) {
		print_error("%s\n%s\n", sql, strbuf_text(&report));
		fail();
	}
}

KB_TEST(a_rule_that_is_not_what_its_id_says_is_found)
{
	struct kb *kb = base_with_application();
	RELEASED(kb_rules) in = sample_mined();

	must(kb_put_rules(kb, 1, 1, &in, &err));
	kb_close(kb);
	expect_finding("UPDATE rule SET condition = 'procs >= 64 ' WHERE position = 0",
		       "stencil on m: a set of rules is not what was mined");
	/* one of before there were digests */
	raw_sql(path, "UPDATE rule_set SET sha256 = NULL");
	expect_finding("UPDATE rule SET condition = 'procs >= 65' WHERE position = 0",
		       "its content belongs to another id: `lemnos mine` makes it anew");
	expect_finding("UPDATE rule SET condition = 'nosuch > 1' WHERE position = 0", "nosuch");
}

/* ---- older bases ---- */

/* What an older program mined has digests that say nothing of costs and twins: it is read all the
 * same, and decisions stand. */
KB_TEST(rules_of_schema_9_are_read_after_the_upgrade)
{
	RELEASED(kb_rules) in = sample_mined();
	struct kb *kb = base_with_application();
	struct kb_decisions decisions = {0};
	RELEASED(kb_rules) back;
	struct kb_decision d = {.kind = DECISION_REFUSE,
				.application = (char *)"stencil",
				.rule_id = in.rules.item[0].id,
				.rule_text = (char *)"as it read then",
				.rule_shape = (char *)"shape",
				.why = (char *)"",
				.who = (char *)"tester"};

	must(kb_put_rules(kb, 1, 1, &in, &err));
	must(kb_add_decision(kb, &d, &err));
	kb_close(kb);
	raw_sql(path,
		"DROP TABLE campaign_run; DROP TABLE campaign_batch; DROP TABLE campaign; DROP TABLE "
		"advice_job; DROP TABLE rule_cost; ALTER TABLE rule DROP COLUMN twin_of;"
		"ALTER TABLE rule DROP COLUMN n_counter;"
		"ALTER TABLE rule DROP COLUMN n_checked; PRAGMA user_version = 9");
	kb = open_base(KB_WRITE);
	back = get_rules(kb, 1);
	assert_int_equal(raw_int(path, "PRAGMA user_version"), kb_schema_version());
	assert_int_equal(back.rules.n, in.rules.n);
	for (size_t i = 0; i < in.rules.n; i++) {
		struct rule *want = &in.rules.item[i];

		while (want->n_cost > 0)
			rule_cost_release(&want->cost[--want->n_cost]);
		want->twin_of[0] = '\0';
		want->evidence.n_checked = want->evidence.n_counter = 0;
		check_rule(&back.rules.item[i], want);
	}
	must(kb_list_decisions(kb, "stencil", &decisions, &err));
	assert_int_equal(decisions.n, 1);
	assert_string_equal(decisions.item[0].rule_id, in.rules.item[0].id);
	kb_decisions_release(&decisions);
	check_sound(kb);
	kb_close(kb);
}

KB_TEST(a_base_of_schema_3_keeps_what_it_has_and_takes_rules)
{
	static const char *const step[] = {"kb/schema/0001_facts.sql",
					   "kb/schema/0002_knowledge.sql",
					   "kb/schema/0003_judgement.sql"};
	RELEASED(kb_rules) in = sample_mined();
	char mark[100];
	struct kb *kb;

	for (int i = 0; i < 3; i++) {
		HEAP char *sql = read_text(step[i]);

		raw_sql(path, sql);
	}
	raw_sql(path, "INSERT INTO advice VALUES ('abcd', 'then', '{}', '{}', 's')");
	snprintf(mark, sizeof mark, "PRAGMA user_version = 3; PRAGMA application_id = %d",
		 (int)KB_APPLICATION_ID);
	raw_sql(path, mark);
	kb = open_base(KB_WRITE);
	assert_int_equal(put_application(kb, stencil_text), 1);
	must(kb_put_rules(kb, 1, 0, &in, &err));
	check_sound(kb);
	kb_close(kb);
	assert_string_equal(raw_text(path, "SELECT given_at FROM advice"), "then");
	assert_int_equal(raw_int(path, "SELECT count(*) FROM rules"), 4);
}

/* ---- snapshots ---- */

static void expect_all(struct kb *kb, const char *want, bool same)
{
	char now[65];

	must(kb_snapshot_all(kb, 1, now, &err));
	assert_int_equal(strlen(now), 64);
	assert_true((strcmp(now, want) == 0) == same);
}

KB_TEST(the_snapshot_of_all_machines_changes_with_the_facts_of_any)
{
	CLOSED(kb) *kb = base_with_application();
	char first[65];
	char of_one[65];

	import_runs(kb, "a", 1, few, 2);
	must(kb_snapshot_all(kb, 1, first, &err));
	must(kb_snapshot(kb, 1, 1, of_one, &err));
	assert_string_not_equal(first, of_one);
	put_machine(kb, "idle"); /* has no runs */
	expect_all(kb, first, true);
	import_runs(kb, "b", 2, few, 3);
	expect_all(kb, first, false);
	must(kb_undo_import(kb, 2, NULL, &err));
	expect_all(kb, first, true);
	must(kb_exclude_run(kb, 1, "me", "", &err));
	expect_all(kb, first, false);
}

KB_TEST(the_order_of_machines_does_not_change_the_snapshot_of_all)
{
	struct kb *kb = base_with_application();
	char forward[65];

	import_runs(kb, "a", 1, few, 2);
	import_runs(kb, "b", 2, few, 3);
	must(kb_snapshot_all(kb, 1, forward, &err));
	kb_close(kb);
	unlink(path);

	kb = open_base(KB_CREATE);
	put_application(kb, stencil_text);
	assert_int_equal(put_machine(kb, "other"), 1);
	assert_int_equal(put_machine(kb, "m"), 2);
	import_runs(kb, "b", 1, few, 3);
	import_runs(kb, "a", 2, few, 2);
	expect_all(kb, forward, true);
	kb_close(kb);
}
