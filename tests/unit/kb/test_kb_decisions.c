#include "tests/unit/kb/kb_mined.h"

static const char rule_a[] = "aaaaaaaaaaaa";
static const char rule_b[] = "bbbbbbbbbbbb";
static char other_path[140];

static struct kb *other_base(void)
{
	struct kb *kb = NULL;

	snprintf(other_path, sizeof other_path, "%s/other.kb", folder);
	must(kb_open(other_path, KB_CREATE, NULL, &kb, &err));
	return kb;
}

/* About rule id of the shape; why is as good as a name for it. */
static struct kb_decision decision(enum kb_decision_kind kind, const char *id, const char *shape,
				   const char *why)
{
	return (struct kb_decision){.kind = kind,
				    .application = (char *)(uintptr_t) "stencil",
				    .rule_id = (char *)(uintptr_t)id,
				    .rule_text = (char *)(uintptr_t) "if n >= 1 then ...",
				    .rule_shape = (char *)(uintptr_t)shape,
				    .why = (char *)(uintptr_t)why,
				    .who = (char *)(uintptr_t) "O'Hara \"x\""};
}

static enum err_code try_decide(struct kb *kb, enum kb_decision_kind kind, const char *id,
				const char *why, struct err *e)
{
	struct kb_decision d = decision(kind, id, "n >= _", why);

	return kb_add_decision(kb, &d, e);
}

static void decide(struct kb *kb, enum kb_decision_kind kind, const char *id, const char *why)
{
	must(try_decide(kb, kind, id, why, &err));
}

static struct kb_decisions list(struct kb *kb)
{
	struct kb_decisions d = {0};

	must(kb_list_decisions(kb, "Stencil", &d, &err));
	return d;
}

/* State of a rule of shape "n >= _", and why. */
static void expect_state(struct kb *kb, const char *id, enum kb_rule_state state, const char *why)
{
	RELEASED(kb_decisions) d = list(kb);
	struct kb_judgement v;

	kb_judge_rule(&d, id, "n >= _", &v);
	assert_int_equal(v.state, state);
	assert_true(!v.decision == !why);
	if (v.decision && why)
		assert_string_equal(v.decision->why, why);
}

/* ---- one rule ---- */

KB_TEST(a_decision_comes_back_as_it_was_given)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	RELEASED(kb_decisions) d;

	decide(kb, DECISION_REFUSE, rule_a, "it's \"wrong\";\nreally");
	d = list(kb);
	assert_int_equal(d.n, 1);
	assert_int_equal(d.item[0].id, 1);
	assert_int_equal(d.item[0].kind, DECISION_REFUSE);
	assert_string_equal(d.item[0].application, "stencil");
	assert_string_equal(d.item[0].rule_id, rule_a);
	assert_string_equal(d.item[0].rule_text, "if n >= 1 then ...");
	assert_string_equal(d.item[0].rule_shape, "n >= _");
	assert_string_equal(d.item[0].why, "it's \"wrong\";\nreally");
	assert_string_equal(d.item[0].who, "O'Hara \"x\"");
	assert_int_equal(strlen(d.item[0].decided_at), strlen("2026-01-01T00:00:00Z"));
	assert_false(d.item[0].undone);
}

KB_TEST(the_latest_of_accept_and_refuse_counts_and_a_note_does_not)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);

	expect_state(kb, rule_a, RULE_STATE_NEW, NULL);
	decide(kb, DECISION_NOTE, rule_a, "hm");
	expect_state(kb, rule_a, RULE_STATE_NEW, NULL);
	decide(kb, DECISION_ACCEPT, rule_a, "good");
	decide(kb, DECISION_NOTE, rule_a, "hm");
	expect_state(kb, rule_a, RULE_STATE_ACCEPTED, "good");
	decide(kb, DECISION_REFUSE, rule_a, "bad");
	expect_state(kb, rule_a, RULE_STATE_REFUSED, "bad");
	expect_state(kb, rule_b, RULE_STATE_NEW, NULL);
}

KB_TEST(undo_takes_back_one_after_the_other_until_nothing_is_left)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);

	decide(kb, DECISION_ACCEPT, rule_b, "another rule's");
	decide(kb, DECISION_ACCEPT, rule_a, "first");
	decide(kb, DECISION_REFUSE, rule_a, "second");
	decide(kb, DECISION_NOTE, rule_a, "third");
	decide(kb, DECISION_UNDO, rule_a, "not so noteworthy");
	expect_state(kb, rule_a, RULE_STATE_REFUSED, "second");
	decide(kb, DECISION_UNDO, rule_a, "");
	expect_state(kb, rule_a, RULE_STATE_ACCEPTED, "first");
	decide(kb, DECISION_NOTE, rule_a, "fourth");
	decide(kb, DECISION_UNDO, rule_a, ""); /* the fourth, not the first */
	expect_state(kb, rule_a, RULE_STATE_ACCEPTED, "first");
	decide(kb, DECISION_UNDO, rule_a, "");
	expect_state(kb, rule_a, RULE_STATE_NEW, NULL);
	must_fail(try_decide(kb, DECISION_UNDO, rule_a, "", &err), ERR_NOTFOUND, rule_a);
	expect_state(kb, rule_b, RULE_STATE_ACCEPTED, "another rule's");
	/* Nothing was deleted. */
	assert_int_equal(raw_int(path, "SELECT count(*) FROM rule_decision"), 9);
	assert_string_equal(raw_text(path, "SELECT group_concat(undone, '') FROM rule_decisions"),
			    "011100100");
	check_sound(kb);
}

KB_TEST(decisions_of_another_application_are_not_seen)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	struct kb_decision d = decision(DECISION_REFUSE, rule_a, "n >= _", "theirs");

	d.application = (char *)(uintptr_t) "another";
	must(kb_add_decision(kb, &d, &err));
	expect_state(kb, rule_a, RULE_STATE_NEW, NULL);
	assert_int_equal(try_decide(kb, DECISION_UNDO, rule_a, "", &err), ERR_NOTFOUND);
}

KB_TEST(a_decision_without_a_rule_or_an_application_is_refused)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	struct kb_decision d = decision(DECISION_ACCEPT, rule_a, "", "");

	assert_int_equal(try_decide(kb, DECISION_ACCEPT, "short", "", NULL), ERR_KB);
	d.application = (char *)(uintptr_t) "";
	assert_int_equal(kb_add_decision(kb, &d, NULL), ERR_KB);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM rule_decision"), 0);
}

/* ---- forms of one rule ---- */

KB_TEST(a_rule_of_the_same_shape_asks_to_look_again)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	struct kb_decisions d;
	struct kb_judgement v;

	decide(kb, DECISION_ACCEPT, rule_b, "older");
	decide(kb, DECISION_REFUSE, rule_a, "newer");
	decide(kb, DECISION_NOTE, rule_a, "no decision");
	d = list(kb);
	kb_judge_rule(&d, "cccccccccccc", "n >= _", &v);
	assert_int_equal(v.state, RULE_STATE_NEW);
	assert_null(v.decision);
	assert_string_equal(v.look_again->why, "newer");
	kb_judge_rule(&d, "cccccccccccc", "n <= _", &v);
	assert_null(v.look_again);
	kb_judge_rule(&d, rule_b, "n >= _", &v); /* its own decision is enough */
	assert_int_equal(v.state, RULE_STATE_ACCEPTED);
	assert_null(v.look_again);
	kb_decisions_release(&d);

	decide(kb, DECISION_UNDO, rule_a, ""); /* the note */
	decide(kb, DECISION_UNDO, rule_a, ""); /* the refusal */
	d = list(kb);
	kb_judge_rule(&d, rule_a, "n >= _", &v);
	assert_int_equal(v.state, RULE_STATE_NEW);
	assert_string_equal(v.look_again->why, "older");
	kb_decisions_release(&d);
}

KB_TEST(names_of_kinds_and_states_are_those_of_the_contract)
{
	assert_string_equal(kb_decision_name(DECISION_ACCEPT), "accept");
	assert_string_equal(kb_decision_name(DECISION_REFUSE), "refuse");
	assert_string_equal(kb_decision_name(DECISION_NOTE), "note");
	assert_string_equal(kb_decision_name(DECISION_UNDO), "undo");
	assert_string_equal(kb_rule_state_name(RULE_STATE_NEW), "new");
	assert_string_equal(kb_rule_state_name(RULE_STATE_ACCEPTED), "accepted");
	assert_string_equal(kb_rule_state_name(RULE_STATE_REFUSED), "refused");
}

/* ---- what decisions outlive ---- */

KB_TEST(decisions_outlive_rules_and_their_application)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_rules) in = sample_mined();
	char sql[100];

	must(kb_put_rules(kb, 1, 1, &in, &err));
	decide(kb, DECISION_REFUSE, in.rules.item[1].id, "no");
	decide(kb, DECISION_ACCEPT, in.rules.item[2].id, "yes");
	decide(kb, DECISION_NOTE, in.rules.item[3].id, "well");
	snprintf(sql, sizeof sql, "SELECT group_concat(state) FROM rules");
	assert_string_equal(raw_text(path, sql), "new,refused,accepted,new");
	must(kb_drop_rules(kb, 1, 1, &err));
	must(kb_remove_application(kb, "stencil", &err));
	assert_int_equal(put_application(kb, stencil_text), 1);
	must(kb_put_rules(kb, 1, 1, &in, &err));
	assert_string_equal(raw_text(path, sql), "new,refused,accepted,new");
	decide(kb, DECISION_UNDO, in.rules.item[1].id, "");
	assert_string_equal(raw_text(path, sql), "new,new,accepted,new");
}

/* ---- merging ---- */

static int64_t merge_other(struct kb *kb)
{
	struct kb_merge_result r = {0};

	must(kb_merge(kb, other_path, NULL, &r, &err));
	check_sound(kb);
	return r.n_decisions;
}

KB_TEST(a_merge_brings_decisions_once_and_no_rules)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	CLOSED(kb) *other = other_base();
	RELEASED(kb_rules) in = sample_mined();

	put_application(other, stencil_text);
	must(kb_put_rules(other, 1, 0, &in, &err));
	decide(other, DECISION_ACCEPT, rule_a, "same words");
	decide(other, DECISION_UNDO, rule_a, "");
	decide(other, DECISION_ACCEPT, rule_a, "same words"); /* most likely in the same second */
	decide(kb, DECISION_REFUSE, rule_b, "ours");
	assert_int_equal(merge_other(kb), 3);
	expect_state(kb, rule_a, RULE_STATE_ACCEPTED, "same words");
	expect_state(kb, rule_b, RULE_STATE_REFUSED, "ours");
	assert_int_equal(raw_int(path, "SELECT sum(undone) FROM rule_decisions"), 1);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM rules"), 0);
	assert_int_equal(merge_other(kb), 0);
	decide(other, DECISION_NOTE, rule_a, "later");
	assert_int_equal(merge_other(kb), 1);
}

KB_TEST(a_merged_undo_takes_back_what_it_took_back_there)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	CLOSED(kb) *other = other_base();

	decide(kb, DECISION_REFUSE, rule_a, "shared");
	assert_int_equal(kb_merge(other, path, NULL, &(struct kb_merge_result){0}, NULL), ERR_OK);
	decide(kb, DECISION_ACCEPT, rule_a, "ours, since");
	decide(other, DECISION_UNDO, rule_a, "they changed their mind");
	assert_int_equal(merge_other(kb), 1);
	expect_state(kb, rule_a, RULE_STATE_ACCEPTED, "ours, since");
	decide(kb, DECISION_UNDO, rule_a, "");
	expect_state(kb, rule_a, RULE_STATE_NEW, NULL); /* the shared one is taken back already */
}

KB_TEST(an_older_decision_that_is_merged_does_not_override_a_newer_one)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	CLOSED(kb) *other = other_base();

	decide(kb, DECISION_ACCEPT, rule_a, "today");
	decide(other, DECISION_REFUSE, rule_a, "long ago");
	raw_sql(other_path, "UPDATE rule_decision SET decided_at = '2020-01-01T00:00:00Z'");
	assert_int_equal(merge_other(kb), 1);
	expect_state(kb, rule_a, RULE_STATE_ACCEPTED, "today");
	decide(kb, DECISION_UNDO, rule_a, "");
	expect_state(kb, rule_a, RULE_STATE_REFUSED, "long ago");
}

/* ---- care ---- */

KB_TEST(an_undo_of_another_rules_decision_is_found)
{
	struct kb *kb = open_base(KB_CREATE);
	RELEASED(strbuf) report = STRBUF_INIT;
	int n_found = 0;

	decide(kb, DECISION_ACCEPT, rule_a, "");
	decide(kb, DECISION_ACCEPT, rule_b, "");
	decide(kb, DECISION_UNDO, rule_b, "");
	check_sound(kb);
	kb_close(kb);
	raw_sql(path, "UPDATE rule_decision SET undoes = 1 WHERE kind = 'undo'");
	kb = open_base(KB_READ);
	must(kb_check(kb, &report, &n_found, &err));
	assert_int_equal(n_found, 1);
	assert_string_equal(strbuf_text(&report),
			    "decision 3 takes back decision 1, which is about another rule\n");
	kb_close(kb);
}
