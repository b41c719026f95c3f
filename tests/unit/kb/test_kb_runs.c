#include "tests/support/made_runs.h"
#include "tests/unit/kb/kb_test_applications.h"

static const struct test_run three[] = {
	{.n = 100, .px = 2, .py = 2, .b = 10, .wall_s = 1.5, .repeat = 1},
	{.n = 101, .px = 3, .py = 2, .b = 0, .wall_s = 0.1, .repeat = 2},
	{.n = 64, .px = 1, .py = 4, .b = 7, .wall_s = 1.0 / 3.0, .repeat = 0},
};

KB_TEST(runs_come_back_as_they_were_written)
{
	CLOSED(kb) *kb = base_with_application();
	FREED(application) *a;
	FREED(dataset) *d = NULL;
	struct kb_import imp = import_runs(kb, "a", 2, three, 3);

	assert_int_equal(imp.n_taken, 3);
	assert_int_equal(imp.n_known, 0);
	assert_int_equal(imp.n_flagged, 0);
	a = get_application(kb, "jacobi", NULL);
	must(kb_load_runs(kb, a, NULL, NULL, &d, &err));
	assert_int_equal(d->n, 3);
	for (size_t i = 0; i < 3; i++) {
		double row[32];

		row_of(a, &three[i], row);
		configuration_derive(a, row);
		assert_memory_equal(&d->wall_s[i], &three[i].wall_s, sizeof(double));
		assert_int_equal(d->run_id[i], (int)i + 1);
		assert_int_equal(d->machine_id[i], 2);
		assert_int_equal(d->source[i], SOURCE_MEASURED);
		assert_int_equal(d->status[i], RUN_OK);
		for (size_t k = 0; k < a->n_columns; k++)
			assert_true(dataset_row(d, i)[k] == row[k] ||
				    (isnan(dataset_row(d, i)[k]) && isnan(row[k])));
	}
	check_sound(kb);
}

KB_TEST(sqlite_computes_derived_columns_as_we_do)
{
	struct kb *kb = base_with_application();
	FREED(application) *a;
	struct test_run t[60];
	char sql[200];

	for (int i = 0; i < 60; i++)
		t[i] = (struct test_run){i + 1, i % 7 + 1, i % 3 + 1, i % 5, 1.0 + i, i + 1};
	import_runs(kb, "a", 1, t, 60);
	a = get_application(kb, "stencil", NULL);
	kb_close(kb);
	for (int i = 0; i < 60; i++) {
		double row[32];

		row_of(a, &t[i], row);
		configuration_derive(a, row);
		for (size_t k = N_GIVEN; k < a->n_columns; k++) {
			const char *got;

			snprintf(sql, sizeof sql, "SELECT %s FROM run_stencil WHERE run_id = %d",
				 a->column[k].name, i + 1);
			got = raw_text(path, sql);
			if (isnan(row[k]))
				assert_string_equal(got, "");
			else
				check_abs(strtod(got, NULL), row[k], 1e-12); /* 15 digits printed */
		}
	}
}

KB_TEST(integers_print_as_integers_in_the_views)
{
	struct kb *kb = base_with_application();

	import_runs(kb, "a", 1, three, 3);
	kb_close(kb);
	assert_string_equal(raw_text(path,
				     "SELECT machine || ' ' || n || ' ' || kind || ' ' || procs "
				     "|| ' ' || local || ' ' || fill || ' ' || wall_s || ' ' || "
				     "excluded FROM runs_stencil"),
			    "m 100 periodic 4 50 5.0 1.5 0");
	assert_string_equal(
		raw_text(path,
			 "SELECT application || ' ' || machine || ' ' || status || ' ' || wall_s "
			 "FROM run WHERE run_id = 2"),
		"stencil m ok 0.1");
}

/* ---- what is refused ---- */

static enum err_code add_one(struct kb *kb, const struct application *a, const struct kb_run *run,
			     struct err *e)
{
	struct kb_import imp = import_of("refused");
	struct kb_run_writer *w = NULL;
	enum err_code rc;

	check_ok(kb_begin(kb, e), e);
	check_ok(kb_run_writer_open(kb, a, 1, &imp, &w, e), e);
	rc = kb_run_writer_add(w, run, e);
	kb_run_writer_free(w);
	kb_rollback(kb);
	return rc;
}

KB_TEST(bad_numbers_are_refused_with_line_and_column)
{
	static const double bad_time[] = {4.9e-324, 9e-10,     9e99, 0,	   -1,
					  INFINITY, -INFINITY, NAN,  1e100};
	static const struct {
		int column;
		double value;
	} bad[] = {{COL_OMEGA, INFINITY},
		   {COL_OMEGA, -INFINITY},
		   {COL_N, 1.5},
		   {COL_N, 1e17},
		   {COL_N, INFINITY}};
	CLOSED(kb) *kb = base_with_application();
	FREED(application) *a = get_application(kb, "stencil", NULL);
	double row[32];
	struct kb_run run = {.row = row, .machine_id = 1, .n_repeats = 1, .line = 17};

	row_of(a, &three[0], row);
	for (size_t i = 0; i < sizeof bad_time / sizeof bad_time[0]; i++) {
		run.wall_s = bad_time[i];
		must_fail(add_one(kb, a, &run, &err), ERR_ARG, "refused:17: ");
	}
	run.wall_s = 1;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		row_of(a, &three[0], row);
		row[bad[i].column] = bad[i].value;
		must_fail(add_one(kb, a, &run, &err), ERR_ARG, a->column[bad[i].column].name);
	}
	assert_int_equal(raw_int(path, "SELECT count(*) FROM run"), 0);
}

KB_TEST(the_schema_itself_refuses_what_the_writer_would)
{
	static const char *const bad[] = {
		"UPDATE stored_stencil SET wall_s = 0",
		"UPDATE stored_stencil SET wall_s = 9e999",
		"UPDATE stored_stencil SET wall_s = NULL",
		"UPDATE stored_stencil SET omega = 9e999",
		"UPDATE stored_stencil SET n = 1.5",
		"UPDATE stored_stencil SET source = 'guessed'",
		"UPDATE stored_stencil SET status = 'maybe'",
		"UPDATE stored_stencil SET n_repeats = 0",
	};
	struct kb *kb = base_with_application();
	sqlite3 *db = NULL;

	import_runs(kb, "a", 1, three, 3);
	kb_close(kb);
	skip_under_valgrind("SQLite reads 9e999 as a long double, and those have 64 bits there");
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(sqlite3_exec(db, bad[i], NULL, NULL, NULL), SQLITE_CONSTRAINT);
	sqlite3_close(db);
}

KB_TEST(a_failed_run_needs_no_time_and_is_loaded_only_on_request)
{
	CLOSED(kb) *kb = base_with_application();
	FREED(application) *a = get_application(kb, "stencil", NULL);
	struct kb_import imp = import_of("a");
	struct kb_run_writer *w = NULL;
	struct dataset *d = NULL;
	double row[32];
	struct kb_run run = {.row = row, .machine_id = 1, .line = 2};

	row_of(a, &three[0], row);
	must(kb_begin(kb, &err));
	must(kb_run_writer_open(kb, a, 1, &imp, &w, &err));
	run.status = RUN_FAILED;
	run.wall_s = NAN;
	must(kb_run_writer_add(w, &run, &err));
	run.status = RUN_TIMEOUT;
	run.source = SOURCE_SIMULATED;
	run.wall_s = 3600;
	run.n_repeats = 7;
	must(kb_run_writer_add(w, &run, &err));
	must(kb_run_writer_finish(w, &imp, NULL, &err));
	kb_run_writer_free(w);
	must(kb_commit(kb, &err));

	must(kb_load_runs(kb, a, NULL, NULL, &d, &err));
	assert_int_equal(d->n, 1);
	assert_int_equal(d->status[0], RUN_TIMEOUT);
	assert_int_equal(d->source[0], SOURCE_SIMULATED);
	assert_int_equal(d->n_repeats[0], 7);
	dataset_free(d);
	must(kb_load_runs(kb, a, &(struct kb_filter){.all_status = true}, NULL, &d, &err));
	assert_int_equal(d->n, 2);
	assert_true(isnan(d->wall_s[0]));
	dataset_free(d);
}

/* ---- filters ---- */

static int64_t count_where(struct kb *kb, const struct application *a, const char *where)
{
	int64_t n = -1;

	must(kb_count_runs(kb, a, &(struct kb_filter){.where = where}, &n, &err));
	return n;
}

KB_TEST(conditions_reach_every_column)
{
	CLOSED(kb) *kb = base_with_application();
	FREED(application) *a;
	int64_t n;

	import_runs(kb, "a", 1, three, 3);
	import_runs(kb, "b", 2, &three[1], 2);
	a = get_application(kb, "stencil", NULL);
	assert_int_equal(count_where(kb, a, "n >= 100"), 3);
	assert_int_equal(count_where(kb, a, "procs = 4"), 3);
	assert_int_equal(count_where(kb, a, "fill is null"), 2); /* b = 0 */
	assert_int_equal(count_where(kb, a, "machine = 'other'"), 2);
	assert_int_equal(count_where(kb, a, "kind = 'periodic' and source = 'measured'"), 5);
	assert_int_equal(count_where(kb, a, "kind = 'no such kind'"), 0);
	assert_int_equal(count_where(kb, a, "wall_s < 0.2 and import_id = 1"), 1);
	assert_int_equal(count_where(kb, a, "run_id in (1, 5) or repeat = 2"), 4);
	assert_int_equal(count_where(kb, a, "flag is not null or excluded = 1"), 0);
	must(kb_count_runs(kb, a, &(struct kb_filter){.machine_id = 2, .limit = 1}, &n, &err));
	assert_int_equal(n, 1);
	must_fail(kb_count_runs(kb, a, &(struct kb_filter){.where = "nosuch > 1"}, &n, &err),
		  ERR_PARSE, "nosuch");
	assert_int_equal(kb_count_runs(kb, a, &(struct kb_filter){.where = "1) or (1"}, &n, &err),
			 ERR_PARSE);
}

struct walked {
	int n_rows;
	size_t n_columns;
	char first[200];
	char wall_s[40];
};

static bool note_row(void *arg, size_t n_columns, const char *const *value)
{
	struct walked *w = arg;

	w->n_columns = n_columns;
	for (size_t i = 0; i < n_columns; i++) {
		if (w->n_rows == 0)
			snprintf(w->first + strlen(w->first), sizeof w->first - strlen(w->first),
				 "%s ", value[i]);
	}
	/* after run_id, import_id, machine, source, status, 8 given and 4 derived columns */
	snprintf(w->wall_s, sizeof w->wall_s, "%s", value[17]);
	return ++w->n_rows < 4;
}

KB_TEST(a_walk_gives_names_then_exact_texts_until_told_to_stop)
{
	CLOSED(kb) *kb = base_with_application();
	FREED(application) *a;
	struct walked w = {0};

	import_runs(kb, "a", 1, three, 3);
	import_runs(kb, "b", 2, three, 3);
	a = get_application(kb, "stencil", NULL);
	must(kb_walk_runs(kb, a, NULL, note_row, &w, &err));
	assert_string_equal(
		w.first, "run_id import_id machine source status n kind steps nodes px py b omega "
			 "procs local fill odd wall_s n_repeats repeat flag excluded computed line "
			 "extra ");
	assert_int_equal(w.n_rows, 4);
	assert_true(strtod(w.wall_s, NULL) == 1.0 / 3.0); /* the third run, to the last bit */
}

KB_TEST(loading_can_be_interrupted)
{
	const struct progress stop = {.step = stop_at_once};
	CLOSED(kb) *kb = base_with_application();
	FREED(application) *a;
	struct dataset *d = NULL;

	import_runs(kb, "a", 1, three, 3);
	a = get_application(kb, "stencil", NULL);
	assert_int_equal(kb_load_runs(kb, a, NULL, &stop, &d, &err), ERR_INTERRUPTED);
	assert_null(d);
}

KB_TEST(texts_of_any_kind_survive)
{
	static const char nasty[] = "it's \"q\"\n\ttwo lines; DROP TABLE run_stencil; -- \xc3\xa9";
	struct kb *kb = base_with_application();
	struct application *a = get_application(kb, "stencil", NULL);
	struct kb_import imp = import_of("nasty");
	struct kb_run_writer *w = NULL;
	struct dataset *d = NULL;
	double row[32];

	row_of(a, &three[0], row);
	row[COL_KIND] = (double)levels_add(&a->column[COL_KIND].levels, nasty);
	imp.file_name = (char *)(uintptr_t)nasty;
	must(kb_begin(kb, &err));
	must(kb_run_writer_open(kb, a, 1, &imp, &w, &err));
	must(kb_run_writer_add(w,
			       &(struct kb_run){.row = row,
						.wall_s = 1,
						.machine_id = 1,
						.extra = nasty,
						.computed = nasty},
			       &err));
	must(kb_run_writer_finish(w, &imp, NULL, &err));
	kb_run_writer_free(w);
	must(kb_commit(kb, &err));
	application_free(a);
	a = get_application(kb, "stencil", NULL);
	assert_int_equal(a->column[COL_KIND].levels.n, 1);
	assert_string_equal(a->column[COL_KIND].levels.name[0], nasty);
	must(kb_load_runs(kb, a, NULL, NULL, &d, &err));
	assert_int_equal(d->n, 1);
	assert_true(dataset_row(d, 0)[COL_KIND] == 0);
	dataset_free(d);
	application_free(a);
	kb_close(kb);
	assert_string_equal(raw_text(path, "SELECT extra FROM run_stencil"), nasty);
	assert_string_equal(raw_text(path, "SELECT file_name FROM import"), nasty);
}

/* ---- exclusion ---- */

KB_TEST(an_excluded_run_stays_visible_and_out_of_what_is_loaded)
{
	CLOSED(kb) *kb = base_with_application();
	FREED(application) *a;
	struct kb_exclusion x = {0};
	struct dataset *d = NULL;
	int64_t n;

	import_runs(kb, "a", 1, three, 3);
	a = get_application(kb, "stencil", NULL);
	must(kb_exclude_run(kb, 2, "me", "it's wrong", &err));
	must(kb_exclude_run(kb, 2, "you", "still wrong", &err));
	must(kb_load_runs(kb, a, NULL, NULL, &d, &err));
	assert_int_equal(d->n, 2);
	assert_int_equal(d->run_id[1], 3);
	dataset_free(d);
	must(kb_count_runs(kb, a, &(struct kb_filter){.excluded_too = true}, &n, &err));
	assert_int_equal(n, 3);
	assert_int_equal(raw_int(path, "SELECT excluded FROM runs_stencil WHERE run_id = 2"), 1);
	must(kb_get_exclusion(kb, 2, &x, &err));
	assert_string_equal(x.who, "you");
	assert_string_equal(x.why, "still wrong");
	assert_string_equal(x.excluded_at, raw_text(path, "SELECT excluded_at FROM exclusion"));
	kb_exclusion_release(&x);
	must(kb_include_run(kb, 2, &err));
	must(kb_include_run(kb, 2, &err));
	must(kb_get_exclusion(kb, 2, &x, &err));
	assert_null(x.who);
	assert_int_equal(count_where(kb, a, NULL), 3);
	assert_int_equal(kb_exclude_run(kb, 99, "me", "", &err), ERR_NOTFOUND);
	assert_int_equal(kb_include_run(kb, 99, &err), ERR_NOTFOUND);
}

/* ---- suspicious runs ---- */

KB_TEST(a_tiny_time_among_long_ones_is_flagged_and_kept)
{
	/* 20 s and more for this problem on 4 processors, whatever the block; one run of 0.01 s. */
	static const struct test_run t[] = {
		{100, 2, 2, 10, 20.0, 1}, {100, 2, 2, 20, 25.0, 1}, {100, 4, 1, 10, 31.0, 1},
		{100, 1, 4, 10, 22.0, 1}, {100, 2, 2, 10, 0.01, 2}, {100, 1, 1, 10, 0.02, 1},
		{7, 2, 2, 10, 0.01, 1},
	};
	struct kb *kb = base_with_application();
	struct application *a;
	struct kb_import imp = import_runs(kb, "a", 1, t, 7);

	assert_int_equal(imp.n_taken, 7);
	assert_int_equal(imp.n_flagged, 1);
	a = get_application(kb, "stencil", NULL);
	assert_int_equal(count_where(kb, a, NULL), 7);
	assert_int_equal(count_where(kb, a, "flag is not null and run_id = 5"), 1);
	check_sound(kb);
	application_free(a);
	kb_close(kb);
	assert_non_null(strstr(raw_text(path, "SELECT flag FROM run WHERE run_id = 5"),
			       "0.01 s is less than 1/20 of the median"));
}

KB_TEST(earlier_imports_tell_what_is_suspicious)
{
	static const struct test_run usual[] = {
		{100, 2, 2, 10, 20.0, 1}, {100, 2, 2, 10, 21.0, 2}, {100, 2, 2, 10, 22.0, 3},
		{100, 2, 2, 10, 23.0, 4}, {100, 2, 2, 10, 24.0, 5},
	};
	static const struct test_run tiny[] = {{100, 2, 2, 10, 0.01, 6}};
	CLOSED(kb) *kb = base_with_application();

	assert_int_equal(import_runs(kb, "a", 1, usual, 5).n_flagged, 0);
	assert_int_equal(import_runs(kb, "b", 1, tiny, 1).n_flagged, 1);
	/* On another machine it may be right. */
	assert_int_equal(import_runs(kb, "c", 2, tiny, 1).n_flagged, 0);
	check_sound(kb);
}

KB_TEST(a_slow_run_is_not_suspicious)
{
	static const struct test_run t[] = {
		{100, 2, 2, 10, 1.0, 1}, {100, 2, 2, 10, 1.1, 2},  {100, 2, 2, 10, 1.2, 3},
		{100, 2, 2, 10, 0.9, 4}, {100, 2, 2, 10, 25.0, 5},
	};
	CLOSED(kb) *kb = base_with_application();

	assert_int_equal(import_runs(kb, "a", 1, t, 5).n_flagged, 0);
}

/* ---- columns beside the runs ---- */

/* The last two are alike but for what is beside them. */
static const struct {
	struct test_run run;
	const char *extra; /* JSON */
} beside[] = {
	{{400, 2, 2, 10, 1.0, 0}, "{\"steps\":40,\"fit\":\"no\",\"date\":\"2026-01-02\"}"},
	{{200, 2, 2, 10, 3.0, 0}, "{\"steps\":1000,\"fit\":\"yes\"}"},
	{{100, 2, 2, 10, 2.0, 0}, "{}"},
	{{300, 2, 2, 10, 4.0, 1}, "{\"fit\":\"poor\",\"steps\":\"NaN\"}"},
	{{300, 2, 2, 10, 4.0, 2}, "{\"fit\":\"bad\",\"steps\":1e30,\"empty\":\"\"}"},
};

/* The i-th of them, in an import of its own. */
static void import_beside(struct kb *kb, size_t i)
{
	static char tag[2] = "a";
	RELEASED(strbuf) sql = STRBUF_INIT;

	tag[0]++;
	import_runs(kb, tag, 1, &beside[i].run, 1);
	strbuf_printf(&sql,
		      "UPDATE stored_stencil SET extra = '%s' WHERE run_id = (SELECT max(run_id) "
		      "FROM stored_stencil)",
		      beside[i].extra);
	raw_sql(path, strbuf_text(&sql));
}

static struct dataset *runs_beside(struct kb *kb, struct application *a, struct kb_run_extras *x)
{
	struct dataset *d = NULL;

	must(kb_load_runs(kb, a, &(struct kb_filter){.machine_id = 1}, NULL, &d, &err));
	must(dataset_order_by_content(d, &err));
	must(kb_load_run_extras(kb, 1, d, x, &err));
	assert_int_equal(x->n_runs, d->n);
	return d;
}

static const char *word_of(const struct kb_extra_column *c, size_t i)
{
	return c->word[i] > 0 ? c->text[c->word[i] - 1] : "";
}

static size_t run_of_n(const struct dataset *d, double n)
{
	size_t i = 0;

	while (dataset_row(d, i)[COL_N] != n)
		i++;
	return i;
}

KB_TEST(what_files_say_beside_runs_is_theirs)
{
	CLOSED(kb) *kb = base_with_application();
	FREED(application) *a = get_application(kb, "stencil", NULL);
	struct kb_run_extras x;
	struct dataset *d;
	size_t at[4];

	for (size_t i = 0; i < 5; i++)
		import_beside(kb, i);
	import_runs(kb, "other", 2, &beside[1].run, 1);
	d = runs_beside(kb, a, &x);
	for (size_t i = 0; i < 4; i++)
		at[i] = run_of_n(d, 100.0 * (double)(i + 1));
	assert_int_equal(x.n_columns, 3);
	assert_string_equal(x.column[0].name, "empty");
	assert_string_equal(x.column[1].name, "fit");
	assert_string_equal(x.column[2].name, "steps");
	assert_int_equal(x.column[1].n_words, 4);
	assert_string_equal(x.column[1].text[0], "bad");
	assert_string_equal(x.column[1].text[3], "yes");
	assert_string_equal(word_of(&x.column[1], at[3]), "no");
	assert_string_equal(word_of(&x.column[1], at[1]), "yes");
	check_abs(x.column[2].number[at[3]], 40, 0);
	check_abs(x.column[2].number[at[1]], 1000, 0);
	assert_true(isnan(x.column[2].number[at[0]]) && x.column[2].word[at[0]] == 0);
	assert_int_equal(x.column[2].n_words, 1);
	assert_string_equal(x.column[2].text[0], "NaN");
	kb_run_extras_release(&x);
	dataset_free(d);
}

/* Imported the other way round, the same runs have the same words at the same places. */
KB_TEST(words_beside_runs_are_numbered_whatever_the_order_of_imports)
{
	CLOSED(kb) *kb = base_with_application();
	FREED(application) *a = get_application(kb, "stencil", NULL);
	struct kb_run_extras x, y;
	struct dataset *d, *other;
	int64_t n;

	for (size_t i = 0; i < 5; i++)
		import_beside(kb, i);
	d = runs_beside(kb, a, &x);
	for (int64_t id = 1; id <= 5; id++)
		must(kb_undo_import(kb, id, &n, &err));
	for (size_t i = 5; i-- > 0;)
		import_beside(kb, i);
	other = runs_beside(kb, a, &y);
	assert_int_equal(d->n, other->n);
	assert_int_equal(x.n_columns, y.n_columns);
	for (size_t c = 0; c < x.n_columns; c++) {
		assert_int_equal(x.column[c].n_words, y.column[c].n_words);
		for (size_t k = 0; k < x.column[c].n_words; k++)
			assert_string_equal(x.column[c].text[k], y.column[c].text[k]);
		for (size_t i = 0; i < d->n; i++) {
			if (dataset_row(d, i)[COL_N] != 300) /* which are alike */
				assert_int_equal(x.column[c].word[i], y.column[c].word[i]);
		}
	}
	kb_run_extras_release(&x);
	kb_run_extras_release(&y);
	dataset_free(d);
	dataset_free(other);
}

KB_TEST(many_words_and_damaged_cells_are_none)
{
	enum { N = KB_EXTRA_WORDS + 1 };
	struct test_run t[N];
	CLOSED(kb) *kb = base_with_application();
	FREED(application) *a = get_application(kb, "stencil", NULL);
	struct kb_run_extras x;
	struct dataset *d;

	for (int i = 0; i < N; i++)
		t[i] = (struct test_run){100 + i, 2, 2, 10, 1, 0};
	import_runs(kb, "a", 1, t, N);
	raw_sql(path, "UPDATE stored_stencil SET extra = json_object('job', 'j' || n, 'k', n)");
	d = runs_beside(kb, a, &x);
	assert_true(x.column[0].many_words);
	assert_int_equal(x.column[0].n_words, 0);
	for (size_t i = 0; i < N; i++)
		assert_int_equal(x.column[0].word[i], 0);
	check_abs(x.column[1].number[run_of_n(d, 105)], 105, 0);
	kb_run_extras_release(&x);
	dataset_free(d);

	raw_sql(path, "UPDATE stored_stencil SET extra = '{\"k\":' WHERE n = 105");
	d = runs_beside(kb, a, &x);
	assert_int_equal(x.n_columns, 2);
	assert_true(isnan(x.column[1].number[run_of_n(d, 105)]));
	check_abs(x.column[1].number[run_of_n(d, 106)], 106, 0);
	kb_run_extras_release(&x);
	dataset_free(d);
}
