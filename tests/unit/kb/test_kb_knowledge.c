#include "tests/unit/kb/kb_test_applications.h"

static const struct test_run few[] = {
	{100, 2, 2, 10, 1.5, 1}, {100, 2, 2, 20, 1.6, 1}, {200, 4, 2, 10, 9.5, 1}};

/* ---- fits ---- */

static struct kb_fit sample_fit(void)
{
	struct kb_fit fit = {.app_id = 1, .machine_id = 1, .n_runs = 42};

	fit.predictor = strdup("wavefront");
	fit.explanation = strdup("It's \"explained\"\nin two lines.");
	memset(fit.snapshot, 'a', 64);
	for (int i = 0; i < 9; i++)
		must(kb_fit_add(&fit, i % 2 ? "odd" : "even", 1.0 / (3 + i),
				i == 4 ? (double)NAN : 1e-300 * i, "s/cell", "what it means",
				&err));
	return fit;
}

KB_TEST(a_fit_comes_back_to_the_last_bit_and_in_order)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_fit) fit = sample_fit();
	RELEASED(kb_fit) back = {0};

	must(kb_put_fit(kb, &fit, &err));
	must(kb_get_fit(kb, 1, 1, &back, &err));
	assert_string_equal(back.predictor, "wavefront");
	assert_string_equal(back.explanation, fit.explanation);
	assert_string_equal(back.snapshot, fit.snapshot);
	assert_int_equal(back.n_runs, 42);
	assert_int_equal(back.n_param, 9);
	for (size_t i = 0; i < 9; i++) {
		assert_string_equal(back.param[i].name, i % 2 ? "odd" : "even");
		assert_true(back.param[i].value == 1.0 / (3 + (double)i));
		if (i == 4)
			assert_true(isnan(back.param[i].std_error));
		else
			assert_true(back.param[i].std_error == 1e-300 * (double)i);
	}
	assert_true(kb_fit_value(&back, "odd") == 0.25); /* the first of that name */
	assert_true(isnan(kb_fit_value(&back, "nosuch")));
}

KB_TEST(the_same_fit_again_changes_no_byte)
{
	struct kb *kb = base_with_application();
	RELEASED(kb_fit) fit = sample_fit();
	size_t n_before;
	char *before;

	must(kb_put_fit(kb, &fit, &err));
	kb_close(kb);
	before = read_all(path, &n_before);
	kb = open_base(KB_WRITE);
	must(kb_put_fit(kb, &fit, &err));
	kb_close(kb);
	check_unchanged(path, before, n_before);
	free(before);

	fit.param[3].std_error *= 2;
	kb = open_base(KB_WRITE);
	must(kb_put_fit(kb, &fit, &err));
	kb_close(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM fit_parameter"), 9);
	assert_true(strtod(raw_text(path, "SELECT std_error FROM fit_parameter WHERE position = 3"),
			   NULL) > 5e-300);
}

KB_TEST(what_was_never_mined_says_so)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_fit) fit = sample_fit();
	struct kb_fit back = {0};
	struct kb_fit *all = NULL;
	size_t n = 99;

	must_fail(kb_get_fit(kb, 1, 1, &back, &err), ERR_NOTMINED, "lemnos mine");
	must(kb_list_fits(kb, &all, &n, &err));
	assert_int_equal(n, 0);
	must(kb_put_fit(kb, &fit, &err));
	must(kb_list_fits(kb, &all, &n, &err));
	assert_int_equal(n, 1);
	assert_int_equal(all[0].machine_id, 1);
	assert_int_equal(all[0].n_param, 0);
	kb_fit_release(&all[0]);
	free(all);
	must(kb_drop_fit(kb, 1, 1, &err));
	assert_int_equal(kb_get_fit(kb, 1, 1, &back, &err), ERR_NOTMINED);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM fit_parameter"), 0);
}

KB_TEST(parameters_that_are_no_numbers_are_refused)
{
	static const double bad[] = {INFINITY, NAN};
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_fit) fit = sample_fit();

	for (size_t i = 0; i < 2; i++) {
		fit.param[1].value = bad[i];
		must_fail(kb_put_fit(kb, &fit, &err), ERR_ARG, "odd");
	}
	fit.param[1].value = 1;
	fit.param[1].std_error = -1;
	assert_int_equal(kb_put_fit(kb, &fit, NULL), ERR_ARG);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM fit"), 0);
}

KB_TEST(message_costs_are_replaced_as_a_whole)
{
	static const struct cost_segment two[] = {{0, 1e-6, 1e-9, 1e-8, 0},
						  {4096, 5e-6, 0.5e-9, 0, 1e-12}};
	CLOSED(kb) *kb = base_with_application();
	struct cost_segment *back = NULL;
	size_t n = 0;

	must(kb_put_message_cost(kb, 2, two, 2, &err));
	must(kb_put_message_cost(kb, 2, two, 2, &err));
	must(kb_get_message_cost(kb, 2, &back, &n, &err));
	assert_int_equal(n, 2);
	assert_memory_equal(back, two, sizeof two);
	free(back);
	must(kb_put_message_cost(kb, 2, &two[1], 1, &err));
	must(kb_get_message_cost(kb, 2, &back, &n, &err));
	assert_int_equal(n, 1);
	assert_true(back[0].from_bytes == 4096);
	free(back);
	must(kb_get_message_cost(kb, 1, &back, &n, &err));
	assert_int_equal(n, 0);
	free(back);
}

/* ---- snapshot ---- */

static char *snapshot(struct kb *kb)
{
	char *text = malloc(65);

	assert_non_null(text);
	must(kb_snapshot(kb, 1, 1, text, &err));
	assert_int_equal(strlen(text), 64);
	return text;
}

static void expect_snapshot(struct kb *kb, const char *want, bool same)
{
	HEAP char *now = snapshot(kb);

	assert_true((strcmp(now, want) == 0) == same);
}

KB_TEST(a_snapshot_changes_with_the_facts_and_only_with_them)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_import costs = import_of("pp");
	RELEASED(kb_fit) fit = sample_fit();
	HEAP char *empty = snapshot(kb);
	HEAP char *first;

	import_runs(kb, "elsewhere", 2, few, 3); /* another machine */
	expect_snapshot(kb, empty, true);
	import_runs(kb, "a", 1, few, 2);
	expect_snapshot(kb, empty, false);
	first = snapshot(kb);
	must(kb_put_fit(kb, &fit, &err));
	must(kb_set_default(kb, "machine", "m", &err));
	expect_snapshot(kb, first, true);
	must(kb_exclude_run(kb, 4, "me", "why", &err));
	expect_snapshot(kb, first, false);
	must(kb_include_run(kb, 4, &err));
	expect_snapshot(kb, first, true);
	costs.application = NULL;
	must(kb_add_pingpong(kb, 1, &costs,
			     &(struct kb_pingpong){(double[]){8}, (double[]){1e-6}, 1, false},
			     &err));
	expect_snapshot(kb, first, false);
	must(kb_undo_import(kb, costs.id, NULL, &err));
	expect_snapshot(kb, first, true);
	must(kb_undo_import(kb, 2, NULL, &err));
	expect_snapshot(kb, empty, true);
}

KB_TEST(the_order_of_imports_does_not_change_the_snapshot)
{
	struct kb *kb = base_with_application();
	HEAP char *forward;
	HEAP char *backward;

	import_runs(kb, "a", 1, few, 2);
	import_runs(kb, "b", 1, &few[1], 2); /* one row in common */
	must(kb_exclude_run(kb, 2, "me", "", &err));
	forward = snapshot(kb);
	kb_close(kb);
	unlink(path);

	kb = base_with_application();
	import_runs(kb, "b", 1, &few[1], 2);
	import_runs(kb, "a", 1, few, 2);
	must(kb_exclude_run(kb, 1, "you", "", &err));
	backward = snapshot(kb);
	assert_string_equal(forward, backward);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM run"), 3);
	kb_close(kb);
}

/* ---- advice ---- */

static struct kb_advice advice(const char *id, const char *answer)
{
	return (struct kb_advice){.id = (char *)(uintptr_t)id,
				  .request = (char *)(uintptr_t) "{\"q\": \"it's\"}",
				  .answer = (char *)(uintptr_t)answer,
				  .snapshot = (char *)(uintptr_t) "s"};
}

KB_TEST(advice_is_remembered_once_and_found_by_its_first_digits)
{
	const struct kb_advice given[] = {advice("5f1c0a", "{}"), advice("5f1c0b", "{}"),
					  advice("5f1c0abb", "{}"),
					  advice("5f1c0a", "[\"later\"]")};
	CLOSED(kb) *kb = open_base(KB_CREATE);
	struct kb_advice back = {0};

	for (size_t i = 0; i < 4; i++)
		must(kb_put_advice(kb, &given[i], &err));
	must(kb_get_advice(kb, "5f1c0a", &back, &err)); /* exact, though it begins another */
	assert_string_equal(back.answer, "{}");
	assert_string_equal(back.request, given[0].request);
	assert_int_equal(strlen(back.given_at), strlen("2026-01-01T00:00:00Z"));
	kb_advice_release(&back);
	must(kb_get_advice(kb, "5f1c0ab", &back, &err));
	assert_string_equal(back.id, "5f1c0abb");
	kb_advice_release(&back);
	must_fail(kb_get_advice(kb, "5f1c", &back, &err), ERR_NOTFOUND, "5f1c0a, 5f1c0abb");
	must_fail(kb_get_advice(kb, "5f1", &back, &err), ERR_NOTFOUND, "4 digits");
	assert_int_equal(kb_get_advice(kb, "%%%%", &back, &err), ERR_NOTFOUND);
}
