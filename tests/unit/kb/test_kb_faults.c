#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/failing_sqlite.h"
#include "tests/unit/kb/kb_mined.h"

FREEABLE(machine)

/* Allocations, ours and SQLite's, fail one at a time, all over a scenario that walks through the
 * whole room: each time an error or success, no crash, no leak (under the sanitizer), and a sound
 * base after.
 */

static const struct test_run some[] = {
	{100, 2, 2, 10, 20.0, 1}, {100, 2, 2, 20, 25.0, 1}, {100, 2, 2, 30, 21.0, 1},
	{100, 2, 2, 10, 22.0, 2}, {100, 2, 2, 10, 0.01, 3}, {100, 2, 2, 10, 0.01, 3},
};

static enum err_code import(struct kb *kb, struct application *a, const char *tag, size_t first,
			    size_t n, struct err *e)
{
	struct kb_import imp = import_of(tag);
	struct kb_run_writer *w = NULL;
	double row[32];
	enum err_code rc;

	/* row_of() then finds it */
	if (levels_add(&a->column[COL_KIND].levels, "periodic") == SIZE_MAX)
		return err_set(e, ERR_NOMEM, "a level");
	if ((rc = kb_begin(kb, e)) || (rc = kb_run_writer_open(kb, a, 1, &imp, &w, e)))
		goto done;
	for (size_t i = first; !rc && i < first + n; i++) {
		row_of(a, &some[i], row);
		rc = kb_run_writer_add(w,
				       &(struct kb_run){.row = row,
							.wall_s = some[i].wall_s,
							.machine_id = 1,
							.line = (int64_t)i},
				       e);
	}
	if (!rc)
		rc = kb_run_writer_finish(w, &imp, NULL, e);
done:
	kb_run_writer_free(w);
	if (!rc)
		return kb_commit(kb, e);
	kb_rollback(kb);
	return rc;
}

static bool see_row(void *arg, size_t n_columns, const char *const *value)
{
	return n_columns > 0 && value[0] != NULL;
}

static enum err_code read_everything(struct kb *kb, const struct application *a, struct err *e)
{
	RELEASED(kb_names) names = {0};
	RELEASED(kb_imports) imports = {0};
	RELEASED(strbuf) report = STRBUF_INIT;
	FREED(dataset) *d = NULL;
	FREED(machine) *m = NULL;
	char hash[65];
	int n_found;
	enum err_code rc;

	if (!(rc = kb_load_runs(kb, a, &(struct kb_filter){.where = "machine = 'm'"}, NULL, &d,
				e)) &&
	    !(rc = kb_walk_runs(kb, a, NULL, see_row, NULL, e)) &&
	    !(rc = kb_list_machines(kb, 1, &names, e)) &&
	    !(rc = kb_list_imports(kb, &imports, e)) &&
	    !(rc = kb_get_machine(kb, "m", &m, NULL, e)) && !(rc = kb_snapshot(kb, 1, 1, hash, e)))
		rc = kb_check(kb, &report, &n_found, e);
	return rc;
}

/* What mining finds here: made once, while there is memory. */
static struct kb_rules mined;

/* Mine, judge, read both back. */
static enum err_code conclude(struct kb *kb, struct err *e)
{
	struct kb_rules back = {0};
	struct kb_decisions decisions = {0};
	struct kb_decision d = {.application = (char *)(uintptr_t) "stencil",
				.rule_id = mined.rules.item[0].id,
				.rule_text = (char *)(uintptr_t) "text",
				.rule_shape = (char *)(uintptr_t) "shape",
				.why = (char *)(uintptr_t) "",
				.who = (char *)(uintptr_t) "me"};
	char hash[65];
	enum err_code rc = kb_put_rules(kb, 1, 1, &mined, e);

	if (rc || (rc = kb_put_rules(kb, 1, 1, &mined, e)) || /* is known */
	    (rc = kb_get_rules(kb, 1, 1, &back, e)) || (rc = kb_add_decision(kb, &d, e)))
		goto done;
	d.kind = DECISION_UNDO;
	if (!(rc = kb_add_decision(kb, &d, e)) &&
	    !(rc = kb_list_decisions(kb, "stencil", &decisions, e)))
		rc = kb_snapshot_all(kb, 1, hash, e);
done:
	kb_rules_release(&back);
	kb_decisions_release(&decisions);
	return rc;
}

static enum err_code write_everything(struct kb *kb, struct application *a, struct err *e)
{
	struct kb_fit fit = {.app_id = 1,
			     .machine_id = 1,
			     .predictor = (char *)(uintptr_t) "p",
			     .explanation = (char *)(uintptr_t) "x"};
	struct kb_fit back = {0};
	enum err_code rc;

	memset(fit.snapshot, 'a', 64);
	if ((rc = import(kb, a, "a", 0, 5, e)) || (rc = import(kb, a, "b", 3, 3, e)) ||
	    (rc = kb_exclude_run(kb, 2, "me", "why", e)) || (rc = kb_put_fit(kb, &fit, e)) ||
	    (rc = kb_get_fit(kb, 1, 1, &back, e)))
		return rc;
	kb_fit_release(&back);
	if ((rc = conclude(kb, e)))
		return rc;
	return kb_undo_import(kb, 1, NULL, e);
}

/* From nothing to a base with everything in it, and back again. */
static enum err_code scenario(const struct application *parsed, const struct machine *m,
			      struct err *e)
{
	FREED(application) *a = NULL;
	CLOSED(kb) *kb = NULL;
	CLOSED(kb) *other = NULL;
	struct kb_merge_result merged;
	enum err_code rc;

	if (!(rc = kb_open(path, KB_CREATE, NULL, &kb, e)) &&
	    !(rc = kb_put_application(kb, parsed, NULL, e)) &&
	    !(rc = kb_put_machine(kb, m, NULL, e)) &&
	    !(rc = kb_get_application(kb, "jacobi", &a, NULL, e)) &&
	    !(rc = write_everything(kb, a, e)) && !(rc = read_everything(kb, a, e)) &&
	    !(rc = kb_open(in_folder("other.kb"), KB_CREATE, NULL, &other, e)))
		rc = kb_merge(other, path, NULL, &merged, e);
	return rc;
}

static void check_base_if_any(const char *file)
{
	struct kb *kb = NULL;

	if (access(file, F_OK) != 0)
		return;
	must(kb_open(file, KB_CREATE, NULL, &kb, &err));
	check_sound(kb);
	kb_close(kb);
	unlink(file);
}

enum { NEVER = 1000000000 };

KB_TEST(any_allocation_may_fail)
{
	const int n_points = every_fault() ? 100 : 30, shift = (int)(fault_seed() % 100);
	FREED(application) *parsed = parse_application(stencil_text);
	FREED(machine) *m = NULL;
	struct err e = {0};
	long n;

	check_ok(machine_parse("machine = { name = \"m\"; };", "test", &m, &e), &e);
	mined = sample_mined();
	failing_allocation_start(NEVER);
	check_ok(scenario(parsed, m, &e), &e);
	assert_false(failing_allocation_stop());
	n = failing_allocation_count();
	assert_true(n > 1000);
	for (int i = 0; i < n_points; i++) {
		enum err_code rc;

		unlink(path);
		unlink(in_folder("other.kb"));
		e = (struct err){0};
		/* all over, in no step with anything */
		failing_allocation_start(1 + (100 * i + shift) * n / (100 * n_points) + i % 7);
		rc = scenario(parsed, m, &e);
		failing_allocation_stop();
		if (rc != ERR_OK) {
			assert_int_equal(rc, e.code);
			if (rc != ERR_NOMEM)
				print_error("point %d: %s\n", i, e.msg);
			assert_int_equal(rc, ERR_NOMEM);
		}
		check_base_if_any(path);
		check_base_if_any(in_folder("other.kb"));
	}
	kb_rules_release(&mined);
}

TEST_GROUP(failing_sqlite_set_up, NULL)
