#include "ingest_fixture.h"

/* Tables that are large enough for two threads: what each of them meets, wherever it stands. The
 * expected values are those of the rows that the test itself writes. */

enum { N = 10000 }; /* 500 kB, five batches */

/* Row i of the table, times 1.000001, 1.000002, ...; row `at` is `text` instead. */
struct table {
	int at;
	const char *text;
	int n_machines; /* that take turns */
	bool half_bad;	/* every second row is refused */
};

static const char *write_table(struct scratch *s, const struct table *t)
{
	FILE *f = fopen(scratch_file(s, "large.csv"), "wb");

	assert_non_null(f);
	fputs("app,machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat\n", f);
	for (int i = 1; i <= N; i++) {
		if (i == t->at)
			fputs(t->text, f);
		else
			fprintf(f, "sweep3d,m%d,50,50,50,2,1,2,%s,3,12,%d.%06d,%d\n",
				t->n_machines ? i % t->n_machines : 0,
				t->half_bad && i % 2 == 0 ? "ten" : "10", 1 + i / 1000000,
				i % 1000000, 1 + i);
	}
	assert_int_equal(fclose(f), 0);
	return s->path;
}

static enum err_code import_table(struct scratch *s, struct table t, const struct progress *p)
{
	const char *path = write_table(s, &t);

	return import(s, (struct ingest_options){.path = path, .source = -1, .progress = p});
}

static void check_nothing_came(struct scratch *s)
{
	struct kb_names machines = {0};

	assert_int_equal(n_runs(s), 0);
	must(kb_list_machines(s->kb, 0, &machines, &err));
	assert_int_equal(machines.n, 0);
	kb_names_release(&machines);
	/* and nothing is in the way of the same table without its fault */
	check_ok(import_table(s, (struct table){0}, NULL), &s->e);
	assert_int_equal(s->result.import.n_taken, N);
}

static void check_sound(struct scratch *s)
{
	RELEASED(strbuf) report = STRBUF_INIT;
	int n_found = 0;

	must(kb_check(s->kb, &report, &n_found, &err));
	if (n_found)
		print_error("%s\n", strbuf_text(&report));
	assert_int_equal(n_found, 0);
}

#define ROWS_TEST(name) TEST_WITH(name, scratch_set_up, scratch_tear_down)

ROWS_TEST(rows_are_stored_in_the_order_of_the_table)
{
	struct scratch *s = *state;
	struct kb_filter late = {.where = "run_id > 9999"};
	struct asked lines;
	int64_t n = 0;

	check_ok(import_table(s, (struct table){0}, NULL), &s->e);
	assert_int_equal(s->result.n_rows, N);
	assert_int_equal(s->result.import.n_taken, N);
	lines = runs_column(s, "line");
	assert_int_equal(lines.n_rows, N);
	assert_string_equal(lines.text[0], "2"); /* below the header */
	assert_string_equal(lines.text[7], "9");
	check_ok(kb_count_runs(s->kb, s->sweep3d, &late, &n, &s->e), &s->e);
	assert_int_equal(n, 1);
	late.where = "run_id = 5000 and wall_s = 1.005000"; /* 50 batches of 100 or 5 of 2000: the
							       same */
	check_ok(kb_count_runs(s->kb, s->sweep3d, &late, &n, &s->e), &s->e);
	assert_int_equal(n, 1);
	check_sound(s);
}

ROWS_TEST(a_record_that_cannot_be_read_is_named_at_either_end)
{
	static const int where[] = {1, 2, N / 2, N};

	for (size_t i = 0; i < sizeof where / sizeof where[0]; i++) {
		struct scratch *s = *state;
		char wanted[64];

		snprintf(wanted, sizeof wanted, "large.csv:%d: the quote that opens here is never",
			 where[i] + 1);
		assert_int_equal(
			import_table(s, (struct table){.at = where[i], .text = "sweep3d,\"m0,\n"},
				     NULL),
			ERR_PARSE);
		check_contains(s->e.msg, wanted);
		assert_int_equal(n_runs(s), 0);
	}
	check_nothing_came(*state);
}

ROWS_TEST(refused_rows_are_counted_and_the_others_taken)
{
	struct scratch *s = *state;

	check_ok(import_table(s, (struct table){.half_bad = true}, NULL), &s->e);
	assert_int_equal(s->result.n_rows, N);
	assert_int_equal(s->result.import.n_taken, N / 2);
	assert_int_equal(s->result.import.n_refused, N / 2);
	assert_int_equal(s->result.n_reason, 1);
	assert_int_equal(s->result.reason[0].n, N / 2);
	assert_int_equal(s->result.reason[0].first_line, 3);
	check_sound(s);
}

ROWS_TEST(rows_without_a_time_are_judged_by_all_wherever_they_stand)
{
	struct scratch *s = *state;
	const char failed[] = "sweep3d,m0,500,500,50,2,1,2,10,3,12,0,1\n"
			      "sweep3d,m0,500,500,50,2,1,2,10,3,12,NA,2\n";

	for (int at = 1; at <= N; at += N / 2 - 1) {
		int64_t n_undone;

		check_ok(import_table(s, (struct table){.at = at, .text = failed}, NULL), &s->e);
		assert_int_equal(s->result.import.n_taken, N + 1);
		assert_int_equal(s->result.import.n_refused, 0);
		check_contains(strbuf_text(&s->result.notes),
			       "runtime_s: no time in 2 rows ('0' in line");
		check_contains(strbuf_text(&s->result.notes), "taken for failed");
		must(kb_undo_import(s->kb, s->result.import.id, &n_undone, &err));
		assert_int_equal(n_undone, N + 1);
	}
	/* failed rows are among those before them */
	check_ok(import_table(s,
			      (struct table){.at = 7,
					     .text = "sweep3d,m0,50,50,50,2,1,2,10,3,12,NA,2\n"},
			      NULL),
		 &s->e);
	assert_int_equal(s->result.import.n_refused, 1);
	check_sound(s);
}

ROWS_TEST(machines_are_met_wherever_they_turn_up)
{
	struct scratch *s = *state;
	struct kb_names machines = {0};

	check_ok(import_table(s, (struct table){.n_machines = 200}, NULL), &s->e);
	assert_int_equal(s->result.n_new_machine, 200);
	assert_string_equal(s->result.new_machine[0], "m1"); /* in the order of the table */
	assert_string_equal(s->result.new_machine[199], "m0");
	check_ok(kb_list_machines(s->kb, s->sweep3d_id, &machines, &s->e), &s->e);
	assert_int_equal(machines.n, 200);
	for (size_t i = 0; i < machines.n; i++)
		assert_int_equal(machines.item[i].n_runs, N / 200);
	kb_names_release(&machines);
	check_sound(s);
}

ROWS_TEST(too_many_machines_are_refused_where_one_too_many_stands)
{
	struct scratch *s = *state;

	assert_int_equal(import_table(s, (struct table){.n_machines = 2000}, NULL), ERR_ARG);
	/* m1 stands in line 2, so the thousand-and-first machine in line 1002 */
	check_contains(s->e.msg, "large.csv:1002: machine: more than 1000 different machines");
	check_nothing_came(s);
}

/* Progress that says stop when it is asked for the n-th time while rows are read. */
static bool stop_at(void *arg, const char *what, uint64_t done, uint64_t total)
{
	int *left = arg;

	(void)done, (void)total;
	return !what || strcmp(what, "reading") != 0 || --*left > 0;
}

ROWS_TEST(an_interruption_leaves_nothing_behind)
{
	for (int n = 1; n <= 4; n++) {
		struct scratch *s = *state;
		int left = n;

		assert_int_equal(
			import_table(s, (struct table){0}, &(struct progress){stop_at, &left}),
			ERR_INTERRUPTED);
		check_contains(s->e.msg, "large.csv: interrupted, nothing was imported");
		assert_int_equal(n_runs(s), 0);
	}
	check_nothing_came(*state);
}

ROWS_TEST(many_small_tables_after_a_large_one_know_its_rows)
{
	struct scratch *s = *state;

	check_ok(import_table(s, (struct table){0}, NULL), &s->e);
	for (int i = 1; i <= 20; i++) {
		char text[256];

		snprintf(text, sizeof text,
			 "app,machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,"
			 "repeat\nsweep3d,m0,50,50,50,2,1,2,10,3,12,1.%06d,%d\n"
			 "sweep3d,m0,50,50,50,2,1,2,10,3,12,2.5,%d\n",
			 i * 400, 1 + i * 400, i);
		check_ok(import(s, (struct ingest_options){.path = "small.csv",
							   .text = text,
							   .source = -1}),
			 &s->e);
		assert_int_equal(s->result.import.n_known, 1);
		assert_int_equal(s->result.import.n_taken, 1);
	}
	assert_int_equal(n_runs(s), N + 20);
	check_sound(s);
}

ROWS_TEST(a_dry_run_checks_all_and_keeps_nothing)
{
	struct scratch *s = *state;
	const char *path = write_table(s, &(struct table){0});

	check_ok(import(s, (struct ingest_options){.path = path, .source = -1, .dry_run = true}),
		 &s->e);
	assert_int_equal(s->result.import.n_taken, N);
	check_nothing_came(s);
}
