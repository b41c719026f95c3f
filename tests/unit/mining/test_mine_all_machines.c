#include "tests/unit/mining/qr_base.h"

/* Rules over all machines that have runs, beside those of each. */

static int two_machines(void **state)
{
	struct kb *kb;

	if (set_up(state))
		return -1;
	kb = open_base(KB_WRITE);
	add_machine(kb, "n");
	kb_close(kb);
	return 0;
}

static int64_t import_on(const char *name, int n)
{
	int64_t id;

	on_machine = name;
	id = import_runs(n);
	on_machine = "m";
	return id;
}

static struct mine_outcome mine_all(struct kb *kb)
{
	struct mine_outcome made = {.changed = true};

	must(mine_all_machines(kb, &target, &(struct runs_of_all){.runs = NULL}, NULL, &made,
			       &err));
	return made;
}

#define IN_FIXTURE(name) TEST_WITH(name, two_machines, remove_folder)

IN_FIXTURE(runs_of_one_machine_are_no_matter_of_all)
{
	struct kb *kb;
	struct mine_outcome made;

	import_on("m", QR_DESIGN_N);
	kb = open_world();
	made = mine_all(kb);
	assert_false(made.changed);
	assert_int_equal(made.rules.rules.n, 0);
	assert_string_equal(made.rules.snapshot, "");
	mine_outcome_release(&made);
	close_world(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM rule"), 0);
}

/* Layout "row" takes half the time of "column" on both: said once for both, and of the rules of m
 * those that say it are named. */
IN_FIXTURE(what_holds_on_both_is_said_once)
{
	struct kb *kb;
	struct mine_outcome on_m = {.changed = false}, made;
	size_t n_covering = 0;

	import_on("m", QR_DESIGN_N);
	import_on("n", QR_DESIGN_N);
	kb = open_world();
	must(mine(kb, &target, NULL, &on_m, &err));
	made = mine_all(kb);
	assert_true(made.changed);
	assert_string_equal(made.before.snapshot, "");
	assert_int_equal(strlen(made.rules.snapshot), 64);
	assert_true(made.rules.rules.n > 0);
	for (size_t i = 0; i < made.rules.rules.n; i++) {
		const struct rule *r = &made.rules.rules.item[i];

		assert_null(r->machine);
		if (!r->covers)
			continue;
		n_covering++;
		assert_true(strlen(r->covers) >= RULE_ID_SIZE - 1);
	}
	assert_true(n_covering > 0);
	mine_outcome_release(&on_m);
	mine_outcome_release(&made);
	close_world(kb);
}

IN_FIXTURE(unchanged_facts_keep_the_rules)
{
	struct kb *kb;
	struct mine_outcome first, second;

	import_on("m", QR_DESIGN_N);
	import_on("n", QR_DESIGN_N);
	kb = open_world();
	first = mine_all(kb);
	second = mine_all(kb);
	assert_false(second.changed);
	assert_string_equal(second.before.snapshot, first.rules.snapshot);
	assert_string_equal(second.rules.snapshot, first.rules.snapshot);
	assert_int_equal(second.rules.rules.n, first.rules.rules.n);
	for (size_t i = 0; i < first.rules.rules.n; i++)
		assert_string_equal(second.rules.rules.item[i].id, first.rules.rules.item[i].id);
	mine_outcome_release(&first);
	mine_outcome_release(&second);
	close_world(kb);
}

IN_FIXTURE(rules_go_when_one_machine_is_left)
{
	struct kb *kb;
	struct mine_outcome made;
	int64_t import, n_removed = 0;

	import_on("m", QR_DESIGN_N);
	import = import_on("n", QR_DESIGN_N);
	kb = open_world();
	made = mine_all(kb);
	mine_outcome_release(&made);
	assert_true(raw_int(path, "SELECT count(*) FROM rule") > 0);
	must(kb_undo_import(kb, import, &n_removed, &err));
	made = mine_all(kb);
	assert_true(made.changed);
	assert_int_equal(made.rules.rules.n, 0);
	assert_int_equal(strlen(made.before.snapshot), 64);
	mine_outcome_release(&made);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM rule"), 0);
	made = mine_all(kb);
	assert_false(made.changed); /* there is nothing left to drop */
	mine_outcome_release(&made);
	close_world(kb);
}

static struct mine_outcome mine_with(struct kb *kb, struct runs_of_all *all)
{
	struct mine_outcome made = {.changed = false};

	must(mine_among(kb, &target, all, NULL, NULL, &made, &err));
	assert_true(made.changed);
	return made;
}

IN_FIXTURE(runs_of_all_are_read_once_and_say_the_same)
{
	static const char forget[] = "PRAGMA foreign_keys = ON; DELETE FROM fit";
	struct kb *kb;
	struct mine_outcome alone, among;
	struct runs_of_all all = {.runs = NULL};
	int64_t import, n_removed;

	import_on("m", QR_DESIGN_N);
	import = import_on("n", QR_DESIGN_N);
	kb = open_world();
	alone = mine_with(kb, NULL);
	raw_sql(path, forget);
	among = mine_with(kb, &all);
	assert_int_equal(all.runs->n, 2 * QR_DESIGN_N);
	assert_int_equal(among.fit.n_param, alone.fit.n_param);
	for (size_t i = 0; i < alone.fit.n_param; i++)
		assert_memory_equal(&among.fit.param[i].value, &alone.fit.param[i].value,
				    sizeof(double));
	assert_int_equal(among.rules.rules.n, alone.rules.rules.n);
	mine_outcome_release(&alone);
	mine_outcome_release(&among);
	must(mine_all_machines(kb, &target, &all, NULL, &among, &err));
	assert_null(all.runs);
	mine_outcome_release(&among);

	/* and again where there are others by then */
	raw_sql(path, forget);
	among = mine_with(kb, &all);
	mine_outcome_release(&among);
	must(kb_undo_import(kb, import, &n_removed, &err));
	raw_sql(path, forget);
	among = mine_with(kb, &all);
	assert_int_equal(all.runs->n, QR_DESIGN_N);
	mine_outcome_release(&among);
	runs_of_all_release(&all);
	close_world(kb);
}

/* What a gate was asked, a letter each. */
struct asked {
	char letters[32];
	bool stop;
};

static void ask_leave(void *arg)
{
	strcat(((struct asked *)arg)->letters, "l");
}

static bool ask_enter(void *arg)
{
	struct asked *asked = arg;

	strcat(asked->letters, "e");
	return !asked->stop;
}

static void ask_alone(void *arg)
{
	strcat(((struct asked *)arg)->letters, "a");
}

/* The runs of all may be replaced only where nobody is at work on them. */
IN_FIXTURE(runs_of_all_are_read_anew_when_no_other_is_at_work)
{
	struct asked asked = {.letters = ""};
	const struct mine_gate gate = {ask_leave, ask_enter, ask_alone, &asked};
	struct runs_of_all all = {.runs = NULL};
	struct mine_outcome made = {.changed = false};
	int64_t import, n_removed;
	struct kb *kb;

	import_on("m", QR_DESIGN_N);
	import = import_on("n", QR_DESIGN_N);
	kb = open_world();
	for (int i = 0; i < 2; i++) { /* the second time with what the first has read */
		must(mine_among(kb, &target, &all, &gate, NULL, &made, &err));
		assert_true(made.changed);
		mine_outcome_release(&made);
		raw_sql(path, "PRAGMA foreign_keys = ON; DELETE FROM fit");
	}
	assert_string_equal(asked.letters, "alele");

	must(kb_undo_import(kb, import, &n_removed, &err));
	asked = (struct asked){.stop = true};
	assert_int_equal(mine_among(kb, &target, &all, &gate, NULL, &made, &err), ERR_INTERRUPTED);
	assert_string_equal(asked.letters, "ale");
	assert_int_equal(all.runs->n, QR_DESIGN_N);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM fit"), 0);
	mine_outcome_release(&made);
	runs_of_all_release(&all);
	close_world(kb);
}

IN_FIXTURE(interrupted_it_leaves_what_was)
{
	const struct progress progress = {.step = stop_at_once};
	struct mine_outcome made = {.changed = true};
	struct kb *kb;

	import_on("m", QR_DESIGN_N);
	import_on("n", QR_DESIGN_N);
	kb = open_world();
	assert_int_equal(mine_all_machines(kb, &target, &(struct runs_of_all){.runs = NULL},
					   &progress, &made, &err),
			 ERR_INTERRUPTED);
	close_world(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM rule"), 0);
}
