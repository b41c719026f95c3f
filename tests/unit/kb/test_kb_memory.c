#include "tests/support/failing_allocations.h"
#include "tests/support/failing_sqlite.h"
#include "tests/unit/kb/kb_mined.h"

#include "base/strbuf.h"
#include "kb/kb_run_index.h"

FREEABLE(machine)

/* Each call on a base without memory, ours or SQLite's: an error or the right answer, nothing left
 * behind, and a base that is sound. (test_kb_faults.c walks through all of them at random.) */

static struct kb *kb;
static struct application *app;
static int64_t app_id;

static const struct test_run some[] = {
	{100, 2, 2, 10, 20.0, 1}, {100, 2, 2, 20, 25.0, 1}, {100, 2, 2, 30, 21.0, 1},
	{100, 2, 2, 10, 22.0, 2}, {100, 2, 2, 10, 0.01, 3},
};

static const struct kb_advice advice = {.id = (char *)(uintptr_t) "0123456789abcdef",
					.given_at = (char *)(uintptr_t) "2026-03-02T10:00:00Z",
					.request = (char *)(uintptr_t) "{}",
					.answer = (char *)(uintptr_t) "{}",
					.snapshot = (char *)(uintptr_t) "s",
					.first_run_id = 1};

static int open_stencil(void **state)
{
	if (make_base_folder(state))
		return -1;
	kb = base_with_application();
	import_runs(kb, "first", 1, some, 5);
	app = get_application(kb, "stencil", &app_id);
	return 0;
}

static int close_stencil(void **state)
{
	check_sound(kb);
	application_free(app);
	kb_close(kb);
	return remove_folder(state);
}

/* Again and again; what succeeds is released. */
#define check_read(call, release)                         \
	do {                                              \
		struct err e;                             \
                                                          \
		failing_each_place_tolerated (call, &e) { \
			if (e.code == ERR_OK)             \
				release;                  \
		}                                         \
	} while (0)

/* ---- reading ---- */

#define ON_STENCIL(f) TEST_WITH(f, open_stencil, close_stencil)

ON_STENCIL(a_base_is_open_or_not)
{
	struct kb *again = NULL;

	check_read(kb_open(path, KB_READ, NULL, &again, &e), (kb_close(again), again = NULL));
	kb_close(again);
	again = NULL;
	check_read(kb_open(path, KB_WRITE, NULL, &again, &e), (kb_close(again), again = NULL));
	kb_close(again);
	again = NULL;
	check_read(kb_open(in_folder("new.kb"), KB_CREATE, NULL, &again, &e),
		   (kb_close(again), again = NULL));
	kb_close(again);
}

ON_STENCIL(definitions_are_whole_or_none)
{
	struct application *a = NULL;
	struct machine *m = NULL;
	struct kb_names names = {0};
	struct kb_imports imports = {0};
	char *value = NULL;
	int64_t id;

	check_read(kb_get_application(kb, "jacobi", &a, &id, &e), (application_free(a), a = NULL));
	assert_string_equal(a->column[COL_KIND].levels.name[0], "periodic");
	application_free(a);
	check_read(kb_get_machine(kb, "m", &m, &id, &e), (machine_free(m), m = NULL));
	machine_free(m);
	m = NULL;
	check_read(kb_get_machine_by_id(kb, 2, &m, &e), (machine_free(m), m = NULL));
	assert_string_equal(m->name, "other");
	machine_free(m);
	check_read(kb_list_applications(kb, &names, &e), kb_names_release(&names));
	assert_int_equal(names.n, 1);
	kb_names_release(&names);
	check_read(kb_list_machines(kb, app_id, &names, &e), kb_names_release(&names));
	assert_int_equal(names.n, 2);
	kb_names_release(&names);
	check_read(kb_list_imports(kb, &imports, &e), kb_imports_release(&imports));
	assert_int_equal(imports.item[0].n_taken, 5);
	kb_imports_release(&imports);
	check_read(kb_set_default(kb, "machine", "m", &e), (void)0);
	check_read(kb_get_default(kb, "machine", &value, &e), (free(value), value = NULL));
	assert_string_equal(value, "m");
	free(value);
}

ON_STENCIL(columns_beside_runs_are_all_or_none)
{
	struct kb_run_extras x = {0};
	struct dataset *d = NULL;

	raw_sql(path, "UPDATE stored_stencil SET extra = '{\"fit\":\"no\",\"steps\":40}' WHERE "
		      "run_id = 4");
	must(kb_load_runs(kb, app, NULL, NULL, &d, &err));
	check_read(kb_load_run_extras(kb, 1, d, &x, &e), kb_run_extras_release(&x));
	assert_int_equal(x.n_columns, 2);
	assert_string_equal(x.column[0].text[0], "no");
	check_abs(x.column[1].number[3], 40, 0);
	kb_run_extras_release(&x);
	dataset_free(d);
	raw_sql(path, "UPDATE stored_stencil SET extra = NULL");
}

/* What no run lacks is there: run_id, import_id, machine, source, status. */
static bool count_row(void *arg, size_t n_columns, const char *const *value)
{
	assert_in_range(n_columns, 5, 100);
	for (size_t i = 0; i < 5; i++)
		assert_non_null(value[i]);
	++*(int *)arg;
	return true;
}

ON_STENCIL(runs_are_all_or_none)
{
	const struct kb_filter f = {.where = "machine = 'm' and b > 10 and wall_s > 1"};
	struct dataset *d = NULL;
	char hash[65];
	int64_t n;
	int n_rows = 0;

	check_read(kb_load_runs(kb, app, &f, NULL, &d, &e), (dataset_free(d), d = NULL));
	assert_int_equal(d->n, 2);
	dataset_free(d);
	check_read(kb_count_runs(kb, app, &f, &n, &e), (void)0);
	assert_int_equal(n, 2);
	check_read((n_rows = 0, kb_walk_runs(kb, app, &f, count_row, &n_rows, &e)), (void)0);
	assert_int_equal(n_rows, 3); /* names first */
	check_read(kb_snapshot(kb, app_id, 1, hash, &e), (void)0);
	assert_int_equal(strlen(hash), 64);
	check_read(kb_snapshot_all(kb, app_id, hash, &e), (void)0);
	check_read(kb_runs_identity(kb, app_id, 1, hash, &e), (void)0);
	check_read(kb_next_run_id(kb, &n, &e), (void)0);
	assert_int_equal(n, 6);
}

ON_STENCIL(what_came_of_advice_is_found_or_not_asked)
{
	struct kb_advice got = {0};
	struct kb_advice_list list = {0};
	struct kb_outcomes outcomes = {0};
	struct kb_changes changes = {0};
	double row[32];

	row_of(app, &some[0], row);
	check_read(kb_put_advice(kb, &advice, &e), (void)0);
	check_read(kb_get_advice(kb, "0123", &got, &e), kb_advice_release(&got));
	assert_string_equal(got.request, "{}");
	kb_advice_release(&got);
	check_read(kb_list_advice(kb, &list, &e), kb_advice_list_release(&list));
	assert_int_equal(list.n, 1);
	kb_advice_list_release(&list);
	check_read(kb_find_outcomes(kb, app, 1, row, &advice, &outcomes, &e),
		   kb_outcomes_release(&outcomes));
	assert_int_equal(outcomes.n, 3); /* of n 100, b 10 */
	kb_outcomes_release(&outcomes);
	check_read(kb_changes_since(kb, app, 1, 0, &advice, &changes, &e),
		   kb_changes_release(&changes));
	assert_int_equal(changes.n_came, 1);
	kb_changes_release(&changes);
}

ON_STENCIL(care_of_the_file_is_complete_or_an_error)
{
	struct strbuf report = STRBUF_INIT;
	struct err why;
	int n_found;

	check_read((unlink(in_folder("copy.kb")), kb_backup(kb, in_folder("copy.kb"), &e)),
		   (void)0);
	assert_int_equal(raw_int(in_folder("copy.kb"), "SELECT count(*) FROM run_stencil"), 5);
	failing_each_place_repeated_tolerated(
		(strbuf_release(&report), kb_check(kb, &report, &n_found, &why)), &why);
	assert_int_equal(n_found, 0);
	strbuf_release(&report);
}

/* ---- writing ---- */

ON_STENCIL(definitions_are_stored_or_not)
{
	struct application *a = parse_application(stencil_text);
	FREED(machine) *m = NULL;
	struct err why = {0};
	int64_t id;

	check_read(kb_put_application(kb, a, &id, &e), (void)0);
	assert_int_equal(id, app_id);
	application_free(a);
	check_ok(machine_parse("machine = { name = \"new\"; title = \"t\"; };", "test", &m, &why),
		 &why);
	check_read(kb_put_machine(kb, m, &id, &e), (void)0);
	assert_int_equal(id, 3);
}

static enum err_code exclude_and_include(struct err *e)
{
	enum err_code rc = kb_exclude_run(kb, 2, "me", "why", e);

	return rc ? rc : kb_include_run(kb, 2, e);
}

ON_STENCIL(a_run_is_excluded_or_not)
{
	struct kb_exclusion x = {0};
	struct err why = {0};

	check_ok(kb_exclude_run(kb, 1, "me", "why", &why), &why);
	check_read(kb_get_exclusion(kb, 1, &x, &e), kb_exclusion_release(&x));
	assert_string_equal(x.why, "why");
	kb_exclusion_release(&x);
	check_ok(kb_include_run(kb, 1, &why), &why);
	check_read(exclude_and_include(&e), (void)0);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM exclusion"), 0);
}

ON_STENCIL(pingpong_is_all_or_nothing)
{
	double bytes[] = {8, 16}, time_s[] = {1e-5, 2e-5};
	struct kb_pingpong in = {bytes, time_s, 2, false}, out = {0};
	struct cost_segment segment = {.intercept_s = 1e-5, .s_per_byte = 1e-9}, *got = NULL;
	struct kb_import imp = import_of("pp");
	size_t n;

	imp.application = NULL;
	check_read(kb_add_pingpong(kb, 1, &imp, &in, &e), (void)0);
	check_read(kb_load_pingpong(kb, 1, &out, &e), kb_pingpong_release(&out));
	assert_int_equal(out.n % 2, 0);
	kb_pingpong_release(&out);
	check_read(kb_put_message_cost(kb, 1, &segment, 1, &e), (void)0);
	check_read(kb_get_message_cost(kb, 1, &got, &n, &e), (free(got), got = NULL));
	assert_int_equal(n, 1);
	assert_true(got->intercept_s == 1e-5);
	free(got);
}

static enum err_code make_fit(struct kb_fit *fit, struct err *e)
{
	return kb_fit_add(fit, "a", 1, 0.5, "s", "what it is", e);
}

ON_STENCIL(knowledge_is_replaced_or_stays)
{
	struct kb_fit fit = {.app_id = app_id,
			     .machine_id = 1,
			     .predictor = strdup("p"),
			     .explanation = strdup("x")},
		      got = {0}, *list = NULL;
	struct kb_rules in = sample_mined(), back = {0};
	size_t n;

	memset(fit.snapshot, 'a', 64);
	check_read(make_fit(&fit, &e), (void)0);
	check_read(kb_put_fit(kb, &fit, &e), (void)0);
	check_read(kb_get_fit(kb, app_id, 1, &got, &e), kb_fit_release(&got));
	assert_true(got.n_param == 1 && got.param[0].value == 1);
	kb_fit_release(&got);
	check_read(kb_list_fits(kb, &list, &n, &e),
		   (kb_fit_release(list), free(list), list = NULL));
	assert_int_equal(n, 1);
	kb_fit_release(list);
	free(list);
	check_read(kb_put_rules(kb, app_id, 1, &in, &e), (void)0);
	check_read(kb_put_rules(kb, app_id, 1, &in, &e), (void)0); /* is known */
	check_read(kb_get_rules(kb, app_id, 1, &back, &e), kb_rules_release(&back));
	assert_int_equal(back.rules.n, in.rules.n);
	check_read(kb_drop_rules(kb, app_id, 1, &e), (void)0);
	check_read(kb_drop_fit(kb, app_id, 1, &e), (void)0);
	kb_rules_release(&in);
	kb_rules_release(&back);
	kb_fit_release(&fit);
}

ON_STENCIL(a_decision_is_kept_or_not)
{
	struct kb_decisions decisions = {0};
	const struct kb_decision d = {.application = (char *)(uintptr_t) "stencil",
				      .rule_id = (char *)(uintptr_t) "0123456789ab",
				      .rule_text = (char *)(uintptr_t) "text",
				      .rule_shape = (char *)(uintptr_t) "shape",
				      .why = (char *)(uintptr_t) "",
				      .who = (char *)(uintptr_t) "me"};

	check_read(kb_add_decision(kb, &d, &e), (void)0);
	check_read(kb_list_decisions(kb, "stencil", &decisions, &e),
		   kb_decisions_release(&decisions));
	assert_true(decisions.n > 0);
	kb_decisions_release(&decisions);
}

ON_STENCIL(a_base_is_merged_or_as_it_was)
{
	struct kb_merge_result merged;
	struct kb *other = NULL;
	struct err why = {0}, e;

	check_ok(kb_put_advice(kb, &advice, &why), &why);
	check_ok(kb_exclude_run(kb, 2, "me", "why", &why), &why);
	check_ok(kb_open(in_folder("other.kb"), KB_CREATE, NULL, &other, &why), &why);
	failing_each_place_repeated_tolerated(kb_merge(other, path, NULL, &merged, &e), &e);
	check_sound(other);
	kb_close(other);
	assert_int_equal(raw_int(in_folder("other.kb"), "SELECT count(*) FROM run_stencil"), 5);
}

ON_STENCIL(an_import_is_undone_or_not)
{
	int64_t n, id = 1;

	check_read(kb_undo_import(kb, id, &n, &e), id = import_runs(kb, "more", 1, some, 5).id);
	assert_int_equal(n, 5);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM run_stencil"), 0);
	check_read(kb_remove_machine(kb, "other", &e), put_machine(kb, "other"));
	assert_int_equal(raw_int(path, "SELECT count(*) FROM machine"), 1);
}

TEST_GROUP(failing_sqlite_set_up, NULL)
