#include "tests/support/made_runs.h"
#include "tests/unit/kb/kb_test_applications.h"

#include "mining/run_index.h"
#include "recommend/choose/evidence.h"

/* The nearest runs by the index in the base, against those found by looking at all runs. */

enum { N_RUNS = 3000, N_QUESTIONS = 150, N_NEAREST = 5 };

static uint64_t random_state;

static int up_to(int n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (int)((random_state >> 33) % (uint64_t)n);
}

/* Values that crowd, values that hardly occur twice, nothing and zero, and texts. */
static void random_row(const struct application *a, double *row)
{
	static const char *const kind[] = {"periodic", "it's open", "", "periodic "};

	configuration_clear(a, row);
	row[COL_N] = 10 * (1 + up_to(12));
	row[COL_KIND] = (double)levels_add(&a->column[COL_KIND].levels, kind[up_to(4)]);
	row[COL_STEPS] = up_to(9) ? 10 : 1 + up_to(1000);
	row[COL_NODES] = 1 + up_to(3);
	row[COL_PX] = 1 << up_to(4);
	row[COL_PY] = 1 << up_to(4);
	row[COL_B] = up_to(5) ? 1 + up_to(20) : 0;
	row[COL_OMEGA] = up_to(8) ? (1 + up_to(50)) / 7.0 : (double)NAN;
}

static void put_runs(struct kb *kb)
{
	FREED(application) *a = get_application(kb, "stencil", NULL);
	struct kb_import imp = import_of("1");
	struct kb_run_writer *w = NULL;
	double row[32];

	random_state = 1;
	assert_true(a->n_columns <= 32);
	random_row(a, row);
	must(kb_begin(kb, &err));
	must(kb_run_writer_open(kb, a, 1, &imp, &w, &err));
	for (int i = 0; i < N_RUNS; i++) {
		/* a third of them are repeats, some of which took as long */
		if (i % 3)
			random_row(a, row);
		must(kb_run_writer_add(w,
				       &(struct kb_run){.row = row,
							.wall_s = 1 + up_to(5),
							.machine_id = 1,
							.status = i % 11 ? RUN_OK : RUN_TIMEOUT,
							.n_repeats = 1,
							.line = i + 2},
				       &err));
	}
	must(kb_run_writer_finish(w, &imp, NULL, &err));
	kb_run_writer_free(w);
	must(kb_commit(kb, &err));
}

static struct dataset *all_runs(struct kb *kb, const struct application *a)
{
	struct dataset *runs = NULL;

	must(kb_load_runs(kb, a, NULL, NULL, &runs, &err));
	return runs;
}

static void put_index(struct kb *kb)
{
	FREED(application) *a = get_application(kb, "stencil", NULL);
	FREED(dataset) *runs = all_runs(kb, a);
	struct kb_run_index index;

	must(run_index_make(runs, &index, &err));
	assert_true(index.n_nodes > 50);
	must(kb_put_run_index(kb, 1, 1, &index, &err));
	run_index_release(&index);
}

static struct kb *base_with_index(void)
{
	struct kb *kb = open_base(KB_CREATE);

	put_application(kb, stencil_text);
	put_machine(kb, "m");
	put_runs(kb);
	put_index(kb);
	return kb;
}

static bool has_index(struct kb *kb)
{
	FREED(application) *a = get_application(kb, "stencil", NULL);
	bool found = false;

	must(kb_check_run_index(kb, a, 1, 1, &found, &err));
	return found;
}

static void check_same(const struct nearest_run *got, size_t n_got, const struct nearest_run *want,
		       size_t n_want)
{
	assert_int_equal(n_got, n_want);
	for (size_t i = 0; i < n_want; i++) {
		assert_int_equal(got[i].run_id, want[i].run_id);
		assert_int_equal(got[i].n_repeats, want[i].n_repeats);
		assert_true(got[i].wall_s == want[i].wall_s);
		assert_true(got[i].distance == want[i].distance);
		assert_true(got[i].row[COL_B] == want[i].row[COL_B]);
	}
}

/* Anywhere: where runs are, between them, and far from all. */
static void random_question(const struct dataset *runs, int i, double *row)
{
	if (i % 3 == 0)
		memcpy(row, dataset_row(runs, (size_t)up_to(N_RUNS)),
		       runs->n_columns * sizeof *row);
	else
		random_row(runs->app, row);
	if (i % 3 == 2) {
		row[COL_N] *= 1000;
		row[COL_B] += 0.5;
	}
}

/* By the index, if there is one, as by looking at all. */
static void check_answers(struct kb *kb)
{
	FREED(application) *a = get_application(kb, "stencil", NULL);
	FREED(dataset) *runs = all_runs(kb, a);
	const struct stored_runs stored = {kb, 1, 1};
	struct nearest_run *got, *want;
	size_t n_got, n_want;
	double row[32];

	for (int i = 0; i < N_QUESTIONS; i++) {
		random_question(runs, i, row);
		must(evidence_nearest_runs(runs, row, N_NEAREST, &want, &n_want, &err));
		must(evidence_near_stored(&stored, a, row, N_NEAREST, &got, &n_got, &err));
		check_same(got, n_got, want, n_want);
		nearest_runs_free(got, n_got);
		nearest_runs_free(want, n_want);
	}
}

KB_TEST(the_index_names_the_runs_that_a_look_at_all_of_them_names)
{
	CLOSED(kb) *kb = base_with_index();

	assert_true(has_index(kb));
	check_answers(kb);
}

KB_TEST(a_question_opens_few_of_the_boxes)
{
	CLOSED(kb) *kb = base_with_index();
	FREED(application) *a = get_application(kb, "stencil", NULL);
	FREED(dataset) *runs = all_runs(kb, a);
	const struct stored_runs stored = {kb, 1, 1};
	struct nearest_run *near;
	size_t n;

	/* Damage elsewhere is not seen, since nobody looks there. */
	raw_sql(path, "UPDATE index_configuration SET n_runs = 77 WHERE run_id IN (SELECT "
		      "run_id FROM run_stencil WHERE n = 10)");
	must(evidence_near_stored(&stored, a,
				  dataset_row(runs, (size_t)raw_int(path, "SELECT run_id - 1 "
									  "FROM run_stencil "
									  "WHERE n = 120")),
				  1, &near, &n, &err));
	assert_int_equal(n, 1);
	nearest_runs_free(near, n);
}

KB_TEST(an_index_of_other_runs_is_not_used)
{
	CLOSED(kb) *kb = base_with_index();

	must(kb_exclude_run(kb, 5, "me", "disturbed", &err));
	assert_false(has_index(kb));
	check_answers(kb);
	must(kb_include_run(kb, 5, &err));
	assert_true(has_index(kb));
	/* the same file again: its runs say the same and have other numbers */
	must(kb_undo_import(kb, 1, NULL, &err));
	put_runs(kb);
	assert_false(has_index(kb));
	check_answers(kb);
	put_index(kb);
	assert_true(has_index(kb));
	check_answers(kb);
}

/* Nodes, the grid as the product of its sides, and tunables for which the application names no
 * candidates; finished or cut. */
KB_TEST(the_sample_shows_every_choice_that_was_run)
{
	static const char combinations[] = "SELECT count(*) FROM (SELECT DISTINCT status, nodes, "
					   "px * py, b, omega FROM run_stencil %s)";
	struct kb *kb = base_with_index();
	char all[200], sample[300];
	int64_t n;

	snprintf(all, sizeof all, combinations, "");
	snprintf(sample, sizeof sample, combinations, "JOIN index_sample USING (run_id)");
	n = raw_int(path, all);
	assert_true(n > 20 && n < N_RUNS);
	assert_int_equal(raw_int(path, sample), n);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM index_sample"), n);
	kb_close(kb);
}

static void refuse(struct kb *kb, const char *sql)
{
	FREED(application) *a = get_application(kb, "stencil", NULL);
	struct strbuf report = STRBUF_INIT;
	bool found = false;
	int n_found = 0;

	raw_sql(path, sql);
	must_fail(kb_check_run_index(kb, a, 1, 1, &found, &err), ERR_DAMAGED, "run `lemnos mine`");
	must(kb_check(kb, &report, &n_found, &err));
	assert_true(n_found > 0);
	assert_non_null(strstr(strbuf_text(&report), "stencil on m: "));
	strbuf_release(&report);
	put_index(kb);
}

KB_TEST(what_a_disk_has_damaged_is_not_believed)
{
	CLOSED(kb) *kb = base_with_index();

	refuse(kb, "UPDATE index_of_runs SET n_configurations = n_configurations - 1");
	refuse(kb, "DELETE FROM index_sample WHERE run_id = (SELECT min(run_id) FROM "
		   "index_sample)");
	refuse(kb, "UPDATE index_node SET box = replace(box, '10:', '20:') WHERE node = 1");
	refuse(kb, "DELETE FROM index_configuration WHERE node = (SELECT max(node) FROM "
		   "index_configuration)");
	refuse(kb, "PRAGMA foreign_keys = OFF; DELETE FROM index_node WHERE node = 3");
	refuse(kb, "UPDATE index_configuration SET n_runs = n_runs + 1 WHERE position = 7");
	refuse(kb, "UPDATE stored_stencil SET b = b + 1 WHERE run_id = (SELECT max(run_id) FROM "
		   "index_configuration)");
}

static struct dataset *unended(struct kb *kb, const struct application *a)
{
	struct dataset *runs = NULL;

	must(kb_load_unended_runs(kb, a, 1, 1, &runs, &err));
	return runs;
}

KB_TEST(runs_that_did_not_end_are_found_without_a_look_at_all)
{
	static const int64_t number[] = {2, 7, 11};
	CLOSED(kb) *kb = base_with_index();
	FREED(application) *a = get_application(kb, "stencil", NULL);
	struct dataset *runs = unended(kb, a), *all = all_runs(kb, a);
	struct kb_run_index index;

	assert_int_equal(runs->n, 0);
	dataset_free(runs);
	must(run_index_make(all, &index, &err));
	index.unended = number;
	index.n_unended = 3;
	index.failing = &number[1]; /* stored as if it had ended, and did less */
	index.n_failing = 1;
	must(kb_put_run_index(kb, 1, 1, &index, &err));
	run_index_release(&index);
	runs = unended(kb, a);
	assert_int_equal(runs->n, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(runs->run_id[i], number[i]);
	assert_int_equal(runs->status[0], RUN_OK);
	assert_int_equal(runs->status[1], RUN_FAILED);
	dataset_free(runs);
	assert_true(has_index(kb));

	raw_sql(path,
		"UPDATE index_configuration SET n_runs = 1 WHERE run_id = 7 AND node = (SELECT "
		"max(node) FROM index_node)");
	check_error(kb_load_unended_runs(kb, a, 1, 1, &runs, &err), &err, ERR_DAMAGED,
		    "run `lemnos mine`");
	raw_sql(path, "DELETE FROM index_configuration WHERE run_id = 7 AND node = (SELECT "
		      "max(node) FROM index_node)");
	check_error(kb_load_unended_runs(kb, a, 1, 1, &runs, &err), &err, ERR_DAMAGED,
		    "run `lemnos mine`");
	/* one that was made when they were not listed does not tell */
	raw_sql(path, "PRAGMA foreign_keys = OFF; DELETE FROM index_node WHERE node = (SELECT "
		      "max(node) FROM index_node)");
	assert_null(unended(kb, a));
	dataset_free(all);
}
