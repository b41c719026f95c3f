#include "acquire/run_import.h"

#include "tests/support/failing_allocations.h"
#include "tests/support/folder.h"

FREEABLE(application)
FREEABLE(dataset)

/* A run as a table of one line, and that table in a base. */

static const char application_text[] =
	"application = { name = \"toy\"; title = \"a toy\";\n"
	" problem = ( { name = \"n\"; min = 1; } );\n"
	" tunables = ( { name = \"alg\"; type = \"text\"; } );\n"
	" resources = ( { name = \"nodes\"; min = 1; } );\n"
	" derived = ( { name = \"twice\"; expr = \"2 * n\"; } );\n"
	" legality = ( { rule = \"nodes <= n\"; why = \"too many nodes\"; } );\n"
	" target = { name = \"t\"; unit = \"s\"; }; };\n";

static struct application *toy(void)
{
	struct application *a = NULL;
	struct levels *alg;

	must(application_parse(application_text, "toy", &a, &err));
	alg = &a->column[application_column(a, "alg")].levels;
	assert_int_equal(levels_add(alg, "a"), 0);
	assert_int_equal(levels_add(alg, "b,\"c\""), 1);
	return a;
}

static void set(const struct application *a, double *row, const char *column, double x)
{
	row[application_column(a, column)] = x;
}

/* n = 4 on two nodes. */
static void make_row(const struct application *a, double alg, double *row)
{
	set(a, row, "n", 4);
	set(a, row, "twice", 8);
	set(a, row, "alg", alg);
	set(a, row, "nodes", 2);
}

/* ---- the table ---- */

TEST(a_run_is_its_columns_its_time_and_its_end_without_what_is_derived)
{
	FREED(application) *a = toy();
	RELEASED(run_table) t = {0};
	double row[8];

	make_row(a, 1, row);
	run_table_put_run(&t, a, row, 2.5, RUN_OK, "3");
	assert_string_equal(strbuf_text(&t.header), "n,nodes,alg,t,status,repeat");
	assert_string_equal(strbuf_text(&t.line), "4,2,\"b,\"\"c\"\"\",2.5,ok,3");
}

TEST(what_is_not_known_is_an_empty_field)
{
	FREED(application) *a = toy();
	RELEASED(run_table) t = {0};
	double row[8];

	make_row(a, NAN, row);
	set(a, row, "nodes", NAN);
	run_table_put_run(&t, a, row, NAN, RUN_FAILED, "");
	assert_string_equal(strbuf_text(&t.line), "4,,,,failed,");
}

TEST(times_come_back_to_the_last_bit)
{
	static const double time_s[] = {0.1, 1.0 / 3, 1e-9, 123456789.123456789};
	FREED(application) *a = toy();
	double row[8];

	make_row(a, 0, row);
	for (size_t i = 0; i < 4; i++) {
		RELEASED(run_table) t = {0};

		run_table_put_run(&t, a, row, time_s[i], RUN_TIMEOUT, "1");
		assert_true(strtod(strbuf_text(&t.line) + strlen("4,2,a,"), NULL) == time_s[i]);
		assert_non_null(strstr(strbuf_text(&t.line), ",timeout,1"));
	}
}

/* A comma or = in the name would say something else to --map. */
TEST(a_name_beside_the_columns_keeps_letters_digits_and_low_lines)
{
	RELEASED(run_table) t = {0};

	must(run_table_put_extra(&t, "env_", "OMP_places2", "x", &err));
	must(run_table_put_extra(&t, "told_", "a,b=c \"d\"\n\xc3\xa9", "1,2\n\"3\"", &err));
	assert_string_equal(strbuf_text(&t.header), "env_OMP_places2,told_a_b_c__d____");
	assert_string_equal(strbuf_text(&t.line), "x,\"1,2\n\"\"3\"\"\"");
	assert_int_equal(t.map.n, 2);
	assert_string_equal(t.map.word[0], "env_OMP_places2=extra");
	assert_string_equal(t.map.word[1], "told_a_b_c__d____=extra");
	assert_null(t.map.word[2]);
}

/* ---- into a base ---- */

struct desk {
	struct kb *kb;
	struct application *a;
	enum err_code also; /* what the caller's part of the transaction gives */
	size_t n_also;
};

static void open_desk(struct desk *d)
{
	*d = (struct desk){.a = toy()};
	must(kb_open(in_folder("t.kb"), KB_CREATE, NULL, &d->kb, &err));
	must(kb_put_application(d->kb, d->a, NULL, &err));
}

static void desk_release(struct desk *d)
{
	kb_close(d->kb);
	application_free(d->a);
}

static enum err_code note_import(struct kb *kb, const struct ingest_result *r, void *arg,
				 struct err *e)
{
	struct desk *d = arg;

	d->n_also++;
	assert_true(r->import.n_taken == 1 || r->already_import > 0);
	return d->also ? err_set(e, d->also, "the run is not ours") : ERR_OK;
}

/* A run of n = 4 on so many nodes with something beside it. */
static enum err_code import_run(struct desk *d, double nodes, double time_s, enum run_status status,
				const char *beside, struct err *e)
{
	const struct run_import about = {.app = d->a,
					 .machine = "m",
					 .origin = "campaign c run 7",
					 .source = SOURCE_SIMULATED,
					 .also = note_import,
					 .also_arg = d};
	RELEASED(run_table) t = {0};
	double row[8];
	enum err_code rc;

	make_row(d->a, 1, row);
	set(d->a, row, "nodes", nodes);
	run_table_put_run(&t, d->a, row, time_s, status, "1");
	rc = run_table_put_extra(&t, "", "campaign_host", beside, e);
	return rc ? rc : run_table_import(d->kb, &t, &about, e);
}

static struct dataset *stored(struct desk *d)
{
	struct dataset *runs = NULL;

	must(kb_load_runs(d->kb, d->a, &(struct kb_filter){.all_status = true}, NULL, &runs, &err));
	return runs;
}

static size_t n_stored(struct desk *d)
{
	FREED(dataset) *runs = stored(d);

	return runs->n;
}

#define IMPORT_TEST(f) TEST_WITH(f, make_folder, remove_folder)

IMPORT_TEST(a_run_is_stored_as_it_was_with_what_is_beside_it)
{
	RELEASED(desk) d;
	struct kb_run_extras x = {0};
	size_t alg;

	open_desk(&d);
	must(import_run(&d, 2, 2.5, RUN_OK, "c, the \"first\"", &err));
	assert_int_equal(d.n_also, 1);
	{
		FREED(dataset) *runs = stored(&d);

		assert_int_equal(runs->n, 1);
		assert_true(runs->wall_s[0] == 2.5); /* seconds, whatever the name */
		assert_int_equal(runs->status[0], RUN_OK);
		assert_int_equal(runs->source[0], SOURCE_SIMULATED);
		assert_true(dataset_row(runs, 0)[application_column(d.a, "nodes")] == 2);
		assert_true(dataset_row(runs, 0)[application_column(d.a, "twice")] == 8);
		alg = application_column(d.a, "alg");
		assert_string_equal(d.a->column[alg].levels.name[(size_t)dataset_row(runs, 0)[alg]],
				    "b,\"c\"");
		must(kb_load_run_extras(d.kb, runs->machine_id[0], runs, &x, &err));
	}
	assert_int_equal(x.n_columns, 1);
	assert_string_equal(x.column[0].name, "campaign_host"); /* not left out as personal */
	assert_string_equal(x.column[0].text[0], "c, the \"first\"");
	kb_run_extras_release(&x);
}

IMPORT_TEST(a_run_that_failed_is_stored_without_a_time)
{
	RELEASED(desk) d;

	open_desk(&d);
	must(import_run(&d, 2, NAN, RUN_FAILED, "c", &err));
	{
		FREED(dataset) *runs = stored(&d);

		assert_int_equal(runs->n, 1);
		assert_int_equal(runs->status[0], RUN_FAILED);
		assert_true(isnan(runs->wall_s[0]));
	}
}

IMPORT_TEST(a_run_that_is_not_legal_is_refused_by_the_name_of_its_table)
{
	RELEASED(desk) d;

	open_desk(&d);
	must_fail(import_run(&d, 5, 2.5, RUN_OK, "c", &err), ERR_PARSE, "too many nodes");
	assert_non_null(strstr(err.msg, "campaign c run 7"));
	assert_int_equal(d.n_also, 0);
	assert_int_equal(n_stored(&d), 0);
}

/* Whoever asked for the run marks it in the same transaction: both, or none. */
IMPORT_TEST(a_run_that_nobody_marks_as_ended_is_not_stored)
{
	RELEASED(desk) d;

	open_desk(&d);
	d.also = ERR_BUSY;
	must_say(import_run(&d, 2, 2.5, RUN_OK, "c", &err), ERR_BUSY, "the run is not ours");
	assert_int_equal(d.n_also, 1);
	assert_int_equal(n_stored(&d), 0);
	d.also = ERR_OK;
	must(import_run(&d, 2, 2.5, RUN_OK, "c", &err));
	must(import_run(&d, 2, 2.5, RUN_OK, "c", &err)); /* killed in between, it comes again */
	assert_int_equal(d.n_also, 3);
	assert_int_equal(n_stored(&d), 1);
}

/* What an import notes for people it may do without; so each that succeeds is a run of its own. */
static enum err_code import_next(struct desk *d, size_t n_sofar, struct err *e)
{
	return import_run(d, 2, 1 + (double)n_sofar, RUN_OK, "c", e);
}

IMPORT_TEST(without_memory_there_is_an_error_and_no_run)
{
	RELEASED(desk) d;
	size_t n = 0;

	open_desk(&d);
	failing_each_place_tolerated (import_next(&d, n, &err), &err) {
		n += err.code == ERR_OK;
		assert_int_equal(n_stored(&d), n);
	}
	assert_int_equal(n_stored(&d), n + 1);
}
