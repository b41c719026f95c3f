#include "tests/support/made_application.h"
#include "tests/unit/kb/kb_test_applications.h"

FREEABLE(machine)

static const struct test_run one[] = {{100, 2, 2, 10, 1.5, 1}};

/* stencil_text with one piece replaced; free it. */
static char *stencil_with(const char *old, const char *new)
{
	const char *at = strstr(stencil_text, old);
	char *text = malloc(strlen(stencil_text) + strlen(new) + 1);

	assert_non_null(at);
	assert_non_null(text);
	sprintf(text, "%.*s%s%s", (int)(at - stencil_text), stencil_text, new, at + strlen(old));
	return text;
}

static enum err_code put_text(struct kb *kb, const char *text, struct err *e)
{
	FREED(application) *a = parse_application(text);

	return kb_put_application(kb, a, NULL, e);
}

KB_TEST(an_application_is_found_by_name_and_alias_in_any_case)
{
	static const char *const names[] = {"stencil", "STENCIL", "jacobi", "Jacobi"};
	CLOSED(kb) *kb = base_with_application();
	struct application *a = NULL;

	for (size_t i = 0; i < 4; i++) {
		int64_t id = 0;

		a = get_application(kb, names[i], &id);
		assert_string_equal(a->name, "stencil");
		assert_string_equal(a->definition, stencil_text);
		assert_int_equal(id, 1);
		application_free(a);
	}
	a = NULL;
	must_fail(kb_get_application(kb, "sten", &a, NULL, &err), ERR_NOTFOUND,
		  "there is: stencil");
	assert_null(a);
}

KB_TEST(what_is_missing_in_an_empty_base_says_how_to_add_it)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	struct application *a = NULL;
	struct machine *m = NULL;

	must_fail(kb_get_application(kb, "x", &a, NULL, &err), ERR_NOTFOUND, "lemnos apps add");
	must_fail(kb_get_machine(kb, "x", &m, NULL, &err), ERR_NOTFOUND, "lemnos machines add");
	assert_int_equal(kb_get_machine_by_id(kb, 7, &m, &err), ERR_NOTFOUND);
}

KB_TEST(the_shipped_application_makes_a_table)
{
	struct kb *kb = open_base(KB_CREATE);
	struct application *a = NULL;

	must(application_read("data/applications/sweep3d.conf", &a, &err));
	must(kb_put_application(kb, a, NULL, &err));
	application_free(a);
	check_sound(kb);
	kb_close(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM runs_sweep3d WHERE efficiency > 0.5"),
			 0);
	assert_non_null(strstr(
		raw_text(path, "SELECT sql FROM sqlite_schema WHERE name = 'stored_sweep3d'"),
		"-- [cells] global grid, i direction (east-west)"));
}

KB_TEST(putting_the_same_definition_again_changes_no_byte)
{
	size_t n_before;
	HEAP char *before;
	struct kb *kb = base_with_application();

	kb_close(kb);
	before = read_all(path, &n_before);
	kb = open_base(KB_WRITE);
	assert_int_equal(put_application(kb, stencil_text), 1);
	assert_int_equal(put_machine(kb, "other"), 2);
	kb_close(kb);
	check_unchanged(path, before, n_before);
}

KB_TEST(columns_are_added_and_none_is_lost)
{
	/* "steps" goes, "colour" and a derived column come, another derived one changes. */
	char *less =
		stencil_with(" workload = ( { name = \"steps\"; min = 1; default = 10; } );\n",
			     " workload = ( { name = \"colour\"; min = 1; default = 2; } );\n");
	char *at = strstr(less, "ceildiv(n, px)");
	CLOSED(kb) *kb = base_with_application();
	struct application *a;
	struct dataset *d = NULL;

	memcpy(at, "ceildiv(n, py)", strlen("ceildiv(n, py)"));
	import_runs(kb, "a", 1, (struct test_run[]){{100, 4, 2, 10, 1.5, 1}}, 1);
	must(put_text(kb, less, &err));
	free(less);
	a = get_application(kb, "stencil", NULL);
	must(kb_load_runs(kb, a, NULL, NULL, &d, &err));
	assert_int_equal(d->n, 1);
	assert_true(isnan(dataset_row(d, 0)[COL_STEPS])); /* colour stands where steps stood */
	assert_true(dataset_row(d, 0)[COL_N] == 100);
	dataset_free(d);
	application_free(a);
	check_sound(kb);
	assert_int_equal(raw_int(path, "SELECT steps FROM run_stencil"), 10);
	assert_int_equal(raw_int(path, "SELECT local FROM runs_stencil"), 50); /* was 25 */
	assert_string_equal(raw_text(path,
				     "SELECT ifnull(position, 'gone') FROM application_column "
				     "WHERE name = 'steps'"),
			    "gone");

	/* And back: what was there is there again. */
	must(put_text(kb, stencil_text, &err));
	a = get_application(kb, "stencil", NULL);
	must(kb_load_runs(kb, a, NULL, NULL, &d, &err));
	assert_true(dataset_row(d, 0)[COL_STEPS] == 10);
	dataset_free(d);
	application_free(a);
	check_sound(kb);
}

KB_TEST(the_meaning_of_stored_values_cannot_change)
{
	HEAP char *real =
		stencil_with("{ name = \"b\"; min = 0;", "{ name = \"b\"; type = \"real\";");
	HEAP char *moved =
		stencil_with("workload = ( { name = \"steps\"; min = 1; default = 10; } )",
			     "workload = ( { name = \"kind2\"; default = 1; } )");
	HEAP char *role = stencil_with("tunables = ( {", "tunables = ( { name = \"steps\"; }, {");
	CLOSED(kb) *kb = base_with_application();

	memcpy(strstr(role, "workload = ( { name = \"steps\""), "workload = ( { name = \"stepz\"",
	       strlen("workload = ( { name = \"stepz\""));
	import_runs(kb, "a", 1, one, 1);
	must_fail(put_text(kb, real, &err), ERR_ARG, "column b holds values of type INTEGER");
	must_fail(put_text(kb, role, &err), ERR_ARG, "column steps was of role workload");
	must(put_text(kb, moved, &err));
	check_sound(kb);
}

KB_TEST(without_runs_any_definition_may_take_its_place)
{
	HEAP char *real =
		stencil_with("{ name = \"b\"; min = 0;", "{ name = \"b\"; type = \"real\";");
	CLOSED(kb) *kb = base_with_application();

	must(put_text(kb, real, &err));
	import_runs(kb, "a", 1, one, 1);
	assert_string_equal(raw_text(path, "SELECT typeof(b) FROM run_stencil"), "real");
	check_sound(kb);
}

KB_TEST(names_of_two_applications_must_differ)
{
	HEAP char *alias = stencil_with("name = \"stencil\"", "name = \"jacobi\"");
	HEAP char *same_alias = stencil_with("name = \"stencil\"", "name = \"heat\"");
	HEAP char *same_table = stencil_with("name = \"stencil\"", "name = \"a-b\"");
	HEAP char *own_table = stencil_with("name = \"stencil\"", "name = \"a_b\"");
	CLOSED(kb) *kb = base_with_application();

	memcpy(strstr(alias, "[ \"jacobi\" ]"), "[ \"jacob2\" ]", 12);
	memcpy(strstr(same_table, "[ \"jacobi\" ]"), "[ \"jacob3\" ]", 12);
	memcpy(strstr(own_table, "[ \"jacobi\" ]"), "[ \"jacob4\" ]", 12);
	must_fail(put_text(kb, alias, &err), ERR_ARG, "'jacobi' belongs to another application");
	assert_int_equal(put_text(kb, same_alias, &err), ERR_ARG);
	must(put_text(kb, same_table, &err));
	must_fail(put_text(kb, own_table, &err), ERR_ARG, "stored_a_b");
	assert_int_equal(raw_int(path, "SELECT count(*) FROM application"), 2);
}

/* The parsers let few characters pass; the base must not rely on that. */
static void rename_text(char **text, const char *to)
{
	free(*text);
	*text = strdup(to);
	assert_non_null(*text);
}

/* They are those of no definition; else the base finds nothing wrong with itself. */
static void check_other_names(struct kb *kb)
{
	struct strbuf report = STRBUF_INIT;
	int n_found = 0;

	must(kb_check(kb, &report, &n_found, &err));
	assert_string_equal(
		strbuf_text(&report),
		"application x'; DROP TABLE machine; --\": its definition is that of stencil\n"
		"application x'; DROP TABLE machine; --\": the table of its runs has no column steps\n");
	assert_int_equal(n_found, 2);
	strbuf_release(&report);
}

KB_TEST(names_are_never_read_as_sql)
{
	static const char app_name[] = "x'; DROP TABLE machine; --\"";
	static const char machine_name[] = "m'\"; DROP TABLE import; --";
	CLOSED(kb) *kb = base_with_application();
	FREED(application) *a = parse_application(stencil_text);
	FREED(machine) *m = NULL;
	struct kb_names names = {0};

	rename_text(&a->name, app_name);
	rename_text(&a->alias[0], "';--\"");
	rename_text(&a->column[COL_STEPS].name, "b\" INTEGER); DROP TABLE machine; --%s %T");
	rename_text(&a->column[COL_STEPS].doc, "two\nlines INTEGER, ); DROP TABLE machine");
	rename_text(&a->column[COL_STEPS].unit, "]\n);");
	must(kb_put_application(kb, a, NULL, &err));
	must(kb_get_machine(kb, "m", &m, NULL, &err));
	rename_text(&m->name, machine_name);
	must(kb_put_machine(kb, m, NULL, &err));
	must(kb_list_machines(kb, 0, &names, &err));
	assert_int_equal(names.n, 3);
	assert_string_equal(names.item[1].name, machine_name);
	kb_names_release(&names);
	must(kb_list_applications(kb, &names, &err));
	assert_int_equal(names.n, 2);
	assert_string_equal(names.item[1].name, app_name);
	kb_names_release(&names);
	must(kb_remove_machine(kb, machine_name, &err));
	must(kb_set_default(kb, "machine", "'; DROP TABLE setting; --", &err));
	import_runs(kb, "a", 1, one, 1);
	check_other_names(kb);
}

KB_TEST(sql_words_can_be_names_of_columns)
{
	HEAP char *text = stencil_with("{ name = \"b\"; min = 0;",
				       "{ name = \"order\"; },\n { name = \"b\";");
	CLOSED(kb) *kb = open_base(KB_CREATE);
	struct application *a;
	int64_t n;

	must(put_text(kb, text, &err));
	a = get_application(kb, "stencil", NULL);
	must(kb_count_runs(kb, a, &(struct kb_filter){.where = "order > 1"}, &n, &err));
	application_free(a);
	check_sound(kb);
}

KB_TEST(a_name_too_long_for_a_table_is_refused)
{
	char name[400];
	HEAP char *text;
	CLOSED(kb) *kb = open_base(KB_CREATE);

	memset(name, 'n', sizeof name);
	memcpy(name, "name = \"", 8);
	strcpy(name + 300, "\"");
	text = stencil_with("name = \"stencil\"", name);
	must_fail(put_text(kb, text, &err), ERR_ARG, "longer than");
}

KB_TEST(lists_count_runs_and_show_the_default)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_names names = {0};
	char *value = NULL;

	import_runs(kb, "a", 2, one, 1);
	must(kb_set_default(kb, "machine", "OTHER", &err));
	must(kb_list_machines(kb, 1, &names, &err));
	assert_int_equal(names.n, 2);
	assert_string_equal(names.item[0].name, "m");
	assert_int_equal(names.item[0].n_runs, 0);
	assert_false(names.item[0].is_default);
	assert_int_equal(names.item[1].n_runs, 1);
	assert_true(names.item[1].is_default);
	kb_names_release(&names);
	must(kb_list_machines(kb, 77, &names, &err));
	assert_int_equal(names.item[1].n_runs, 0);
	kb_names_release(&names);
	must(kb_list_applications(kb, &names, &err));
	assert_string_equal(names.item[0].title, "a stencil");
	assert_int_equal(names.item[0].n_runs, 1);
	assert_false(names.item[0].is_default);
	kb_names_release(&names);
	must(kb_set_default(kb, "machine", NULL, &err));
	must(kb_get_default(kb, "machine", &value, &err));
	assert_null(value);
}

KB_TEST(what_has_runs_cannot_be_removed_until_they_are_undone)
{
	struct kb *kb = base_with_application();
	struct kb_import imp = import_runs(kb, "a", 2, one, 1);

	must_fail(kb_remove_application(kb, "stencil", &err), ERR_ARG, "1 runs");
	assert_int_equal(kb_remove_machine(kb, "other", &err), ERR_ARG);
	must(kb_remove_machine(kb, "m", &err));
	must(kb_undo_import(kb, imp.id, NULL, &err));
	must(kb_set_default(kb, "application", "stencil", &err));
	must(kb_remove_machine(kb, "other", &err));
	must(kb_remove_application(kb, "jacobi", &err));
	assert_int_equal(kb_remove_application(kb, "stencil", &err), ERR_NOTFOUND);
	assert_int_equal(kb_remove_machine(kb, "m", &err), ERR_NOTFOUND);
	check_sound(kb);
	kb_close(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM setting"), 0);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM run"), 0);
	assert_int_equal(
		raw_int(path, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'run%stencil'"),
		0);
}
