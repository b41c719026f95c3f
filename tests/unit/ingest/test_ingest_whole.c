#include "ingest_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

#include <zlib.h>
#include <zstd.h>

/* What happens to a file as a whole: known again, tried out, refused, interrupted, packed. */

static const struct ingest_options plain = {.path = CSV "plain.csv", .source = -1};

/* All that the base holds, as text: what "unchanged" is measured by. */
struct dump {
	struct strbuf text;
};

static bool dump_row(void *arg, size_t n, const char *const *value)
{
	struct dump *d = arg;

	for (size_t i = 0; i < n; i++)
		strbuf_printf(&d->text, "%s|", value[i] ? value[i] : "NULL");
	strbuf_putc(&d->text, '\n');
	return true;
}

static char *dump_base(struct scratch *s)
{
	const struct kb_filter all = {.all_status = true, .excluded_too = true};
	struct dump d = {STRBUF_INIT};
	struct kb_imports imports;
	struct kb_names names;

	must(kb_walk_runs(s->kb, s->sweep3d, &all, dump_row, &d, &err));
	must(kb_list_imports(s->kb, &imports, &err));
	for (size_t i = 0; i < imports.n; i++)
		strbuf_printf(&d.text, "import %lld %s %s\n", (long long)imports.item[i].id,
			      imports.item[i].sha256, imports.item[i].mapping);
	kb_imports_release(&imports);
	must(kb_list_machines(s->kb, 0, &names, &err));
	for (size_t i = 0; i < names.n; i++)
		strbuf_printf(&d.text, "machine %s %lld\n", names.item[i].name,
			      (long long)names.item[i].n_runs);
	kb_names_release(&names);
	must(kb_list_applications(s->kb, &names, &err));
	for (size_t i = 0; i < names.n; i++)
		strbuf_printf(&d.text, "application %s %lld\n", names.item[i].name,
			      (long long)names.item[i].n_runs);
	kb_names_release(&names);
	assert_non_null(d.text.buf);
	return d.text.buf;
}

#define IN_FIXTURE(name) TEST_WITH(name, scratch_set_up, scratch_tear_down)

IN_FIXTURE(the_same_file_again_adds_nothing)
{
	struct scratch *s = *state;
	int64_t first;
	HEAP char *before;
	HEAP char *after;

	check_ok(import(s, plain), &s->e);
	first = s->result.import.id;
	before = dump_base(s);
	check_ok(import(s, plain), &s->e);
	after = dump_base(s);
	assert_int_equal(s->result.already_import, first);
	assert_int_equal(s->result.import.id, 0);
	assert_string_equal(before, after);
}

IN_FIXTURE(another_mapping_is_another_import)
{
	struct scratch *s = *state;
	const char *const map[] = {"iterations=extra", NULL};
	struct ingest_options o = plain;

	check_ok(import(s, plain), &s->e);
	o.map = map; /* iterations now is the default, 12, which is what the file says */
	check_ok(import(s, o), &s->e);
	assert_int_equal(s->result.already_import, 0);
	assert_int_equal(s->result.import.n_known, 2);
	assert_int_equal(n_runs(s), 2);
}

IN_FIXTURE(another_machine_is_another_import)
{
	struct scratch *s = *state;
	struct ingest_options o = plain;

	check_ok(import(s, plain), &s->e);
	o.machine = "m2";
	check_ok(import(s, o), &s->e);
	assert_int_equal(s->result.import.n_taken, 2);
	assert_string_equal(s->result.new_machine[0], "m2");
	assert_int_equal(n_runs(s), 4);
}

IN_FIXTURE(an_undone_import_can_be_made_again)
{
	struct scratch *s = *state;
	int64_t n;

	check_ok(import(s, plain), &s->e);
	check_ok(kb_undo_import(s->kb, s->result.import.id, &n, &s->e), &s->e);
	assert_int_equal(n_runs(s), 0);
	check_ok(import(s, plain), &s->e);
	assert_int_equal(s->result.import.n_taken, 2);
}

IN_FIXTURE(a_dry_run_says_everything_and_changes_nothing)
{
	struct scratch *s = *state;
	struct ingest_options o = plain;
	HEAP char *before = dump_base(s);
	HEAP char *after;

	o.dry_run = true;
	check_ok(import(s, o), &s->e);
	assert_int_equal(s->result.import.n_taken, 2);
	assert_int_equal(s->result.import.id, 0);
	assert_string_equal(s->result.new_machine[0], "m1");
	after = dump_base(s);
	assert_string_equal(before, after);
}

IN_FIXTURE(strict_refuses_the_file_and_still_writes_the_rejects)
{
	struct scratch *s = *state;
	HEAP char *rejects = strdup(scratch_file(s, "rejects.csv"));
	HEAP char *before = dump_base(s);
	HEAP char *after;
	HEAP char *text;

	assert_int_equal(import(s, (struct ingest_options){.path = CSV "ragged.csv",
							   .source = -1,
							   .strict = true,
							   .rejects = rejects}),
			 ERR_PARSE);
	check_contains(s->e.msg,
		       CSV "ragged.csv: 3 of 4 rows refused, so the file is (--strict); " CSV
			   "ragged.csv:2: 9 fields where the header has 10");
	assert_int_equal(s->result.import.n_refused, 3);
	assert_int_equal(s->result.import.n_taken, 0);
	after = dump_base(s);
	assert_string_equal(before, after);
	text = read_text(rejects);
	assert_string_equal(
		text,
		"line,column,value,reason,record\n"
		"2,,,\"9 fields where the header has 10\",\"m1,50,50,50,2,1,2,10,3\"\n"
		"3,,,\"11 fields where the header has 10\",\"m1,50,50,50,2,1,2,10,3,1.5,9\"\n"
		"5,,,\"field 9 has a quote in the middle: quote the whole field and double the "
		"quotes in it\",\"m1,50,50,50,2,1,2,10,3\"\"x,1.5\"\n");
}

IN_FIXTURE(rejects_name_line_column_value_and_reason)
{
	struct scratch *s = *state;
	HEAP char *rejects = strdup(scratch_file(s, "rejects.csv"));
	HEAP char *text;

	check_ok(import(s, (struct ingest_options){.path = CSV "embedded_newlines.csv",
						   .source = -1,
						   .rejects = rejects}),
		 &s->e);
	text = read_text(rejects);
	assert_string_equal(text, "line,column,value,reason,record\n"
				  "5,runtime_s,oops,\"'oops' is not a number, nor a word for how "
				  "a run ended: write the time, FAIL, OOM or timeout, or - where "
				  "none was measured\","
				  "\"m1,50,50,50,2,1,2,10,3,oops,\"\n");
}

IN_FIXTURE(rejects_that_cannot_be_written_refuse_the_import)
{
	struct scratch *s = *state;

	assert_int_equal(import(s, (struct ingest_options){.path = CSV "ragged.csv",
							   .source = -1,
							   .rejects = "/dev/full"}),
			 ERR_IO);
	check_contains(s->e.msg, "/dev/full: cannot write the refused rows: No space left");
	assert_int_equal(import(s, (struct ingest_options){.path = CSV "ragged.csv",
							   .source = -1,
							   .rejects = "/nowhere/rejects.csv"}),
			 ERR_IO);
	assert_int_equal(n_runs(s), 0);
}

IN_FIXTURE(rejects_never_overwrite_the_input_or_the_base)
{
	struct scratch *s = *state;
	HEAP char *copy = strdup(scratch_file(s, "input.csv"));
	HEAP char *original = read_text(CSV "ragged.csv");
	HEAP char *left;

	write_file(copy, original);
	assert_int_equal(
		import(s, (struct ingest_options){.path = copy, .source = -1, .rejects = copy}),
		ERR_ARG);
	left = read_text(copy);
	assert_string_equal(left, original);
	assert_int_equal(import(s, (struct ingest_options){.path = copy,
							   .source = -1,
							   .rejects = kb_path(s->kb)}),
			 ERR_ARG);
	check_contains(s->e.msg, "is the knowledge base itself");
}

/* ---- interruption ---- */

struct countdown {
	int left;
};

static bool count_down(void *arg, const char *what, uint64_t done, uint64_t total)
{
	struct countdown *c = arg;

	return c->left-- > 0;
}

IN_FIXTURE(an_interrupt_at_any_step_leaves_the_base_as_it_was)
{
	struct scratch *s = *state;
	struct countdown countdown;
	const struct progress progress = {count_down, &countdown};
	HEAP char *big = strdup(scratch_file(s, "big.csv"));
	HEAP char *rejects = strdup(scratch_file(s, "rejects.csv"));
	const char *const whole =
		"line,column,value,reason,record\n"
		"2,mk,2.5,\"'2.5' is not a whole number\",\"m1,50,50,50,2,1,2,2.5,"
		"3,7\"\n";
	FILE *f = fopen(big, "w");
	HEAP char *before;
	int k, n_old = 0;

	assert_non_null(f);
	fputs("machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n"
	      "m1,50,50,50,2,1,2,2.5,3,7\n",
	      f);
	for (int i = 0; i < 10000; i++)
		fprintf(f, "m%d,50,50,%d,2,1,2,1,3,%d.5\n", i % 3, 1 + i, 1 + i % 7);
	assert_int_equal(fclose(f), 0);
	check_ok(import(s, plain), &s->e); /* so that there is something to compare with */
	before = dump_base(s);
	for (k = 0;; k++) {
		char *after, *rejected;
		enum err_code rc;

		countdown.left = k;
		write_bytes(rejects, "old", 3);
		rc = import(s, (struct ingest_options){.path = big,
						       .source = -1,
						       .rejects = rejects,
						       .progress = &progress});
		/* The refused rows are there as a whole, or what was there before. */
		rejected = read_text(rejects);
		n_old += strcmp(rejected, "old") == 0;
		if (strcmp(rejected, "old") != 0 || rc == ERR_OK)
			assert_string_equal(rejected, whole);
		free(rejected);
		if (rc == ERR_OK)
			break;
		assert_int_equal(s->e.code, ERR_INTERRUPTED);
		assert_int_equal(s->result.import.id, 0);
		after = dump_base(s);
		assert_string_equal(before, after);
		free(after);
	}
	assert_true(n_old >= 3);
	assert_true(k >= 4); /* hashing, rows 0, 4096, 8192, the end at least */
	assert_int_equal(n_runs(s), 10002);
}

/* ---- packed ---- */

static void write_gzip(const char *path, const char *text, const char *mode)
{
	gzFile g = gzopen(path, mode);

	assert_non_null(g);
	assert_int_equal(gzwrite(g, text, (unsigned)strlen(text)), (int)strlen(text));
	assert_int_equal(gzclose(g), Z_OK);
}

static void write_zstd(const char *path, const char *text)
{
	size_t cap = ZSTD_compressBound(strlen(text));
	HEAP char *packed = malloc(cap);
	size_t n = ZSTD_compress(packed, cap, text, strlen(text), 1);

	write_bytes(path, packed, n);
}

IN_FIXTURE(a_packed_file_is_the_same_content)
{
	struct scratch *s = *state;
	HEAP char *text = read_text(CSV "plain.csv");
	/* Known by its first bytes, so the name may say anything. */
	HEAP char *gz = strdup(scratch_file(s, "plain.txt"));
	HEAP char *zst = strdup(scratch_file(s, "plain.csv"));

	write_gzip(gz, text, "wb");
	write_zstd(zst, text);
	check_ok(import(s, (struct ingest_options){.path = gz, .source = -1}), &s->e);
	assert_int_equal(s->result.import.n_taken, 2);
	check_ok(import(s, (struct ingest_options){.path = zst, .source = -1}), &s->e);
	assert_int_not_equal(s->result.already_import, 0);
	check_ok(import(s, plain), &s->e);
	assert_int_not_equal(s->result.already_import, 0);
}

IN_FIXTURE(members_behind_one_another_are_one_file)
{
	struct scratch *s = *state;
	HEAP char *text = read_text(CSV "plain.csv");
	HEAP char *gz = strdup(scratch_file(s, "two.gz"));

	write_gzip(gz, text, "wb");
	write_gzip(gz, "sweep3d,m1,60,60,60,1,1,1,60,6,12,9.5,1\n", "ab");
	check_ok(import(s, (struct ingest_options){.path = gz, .source = -1}), &s->e);
	assert_int_equal(s->result.import.n_taken, 3);
}

IN_FIXTURE(stdin_is_a_file_like_any_other)
{
	struct scratch *s = *state;
	int saved = dup(STDIN_FILENO);
	HEAP char *text = read_text(CSV "plain.csv");
	int pipe_fd[2];

	assert_int_equal(pipe(pipe_fd), 0);
	assert_int_equal(write(pipe_fd[1], text, strlen(text)), (ssize_t)strlen(text));
	close(pipe_fd[1]);
	dup2(pipe_fd[0], STDIN_FILENO);
	close(pipe_fd[0]);
	check_ok(import(s, (struct ingest_options){.path = "-", .source = -1}), &s->e);
	dup2(saved, STDIN_FILENO);
	close(saved);
	assert_int_equal(s->result.import.n_taken, 2);
	assert_string_equal(s->result.import.file_name, "stdin");
	check_ok(import(s, plain), &s->e);
	assert_int_not_equal(s->result.already_import, 0);
}

/* ---- applications and machines ---- */

IN_FIXTURE(an_application_is_made_from_flags_and_known_afterwards)
{
	struct scratch *s = *state;
	const char *const problem[] = {"m", "n", NULL};
	const char *const tunable[] = {"mb", "nb", "p", "q", NULL};
	const char *const column[] = {"nodes", "ppn", NULL};
	const struct ad_hoc qr = {.name = "qr",
				  .target = "time",
				  .target_unit_s = 1,
				  .problem = problem,
				  .tunable = tunable,
				  .resource_column = column,
				  .resource_field = column};
	struct application *a;

	check_ok(import(s, (struct ingest_options){.path = CSV "qr_without_definition.csv",
						   .app = "qr",
						   .machine = "m1",
						   .source = -1,
						   .ad_hoc = &qr}),
		 &s->e);
	assert_int_equal(s->result.import.n_taken, 2);
	/* A second timer would leak the answer: kept, not used. */
	check_contains(strbuf_text(&s->result.notes), "check_time: kept beside the runs, not used");
	must(kb_get_application(s->kb, "qr", &a, NULL, &err));
	assert_int_equal(application_column(a, "check_time"), SIZE_MAX);
	assert_true(application_column(a, "mb") < a->n_columns);
	application_free(a);
	/* "n" is a column of the application here, not a number of repeats. */
	assert_int_equal(s->result.n_aggregates, 0);
	check_ok(import(s, (struct ingest_options){.path = CSV "qr_without_definition.csv",
						   .app = "qr",
						   .machine = "m2",
						   .source = -1}),
		 &s->e);
	assert_int_equal(s->result.import.n_taken, 2);
}

IN_FIXTURE(a_refused_import_leaves_no_application_behind)
{
	struct scratch *s = *state;
	const char *const problem[] = {"m", NULL};
	const struct ad_hoc qr = {
		.name = "qr", .target = "took", .target_unit_s = 1, .problem = problem};
	const char *path = scratch_file(s, "took.csv");
	struct application *a;

	write_file(path, "m,nodes,took\n1000,1,jane\n");
	assert_int_equal(import(s, (struct ingest_options){.path = path,
							   .app = "qr",
							   .machine = "m1",
							   .source = -1,
							   .ad_hoc = &qr}),
			 ERR_PARSE); /* "jane" is no time */
	assert_int_equal(kb_get_application(s->kb, "qr", &a, NULL, NULL), ERR_NOTFOUND);
}

IN_FIXTURE(an_unknown_application_says_what_to_type)
{
	struct scratch *s = *state;

	assert_int_equal(import(s, (struct ingest_options){.path = CSV "qr_without_definition.csv",
							   .app = "qr",
							   .machine = "m1",
							   .source = -1}),
			 ERR_NOTFOUND);
	check_contains(s->e.msg, "knows no application 'qr'");
	check_contains(s->e.msg, "lemnos apps add FILE");
	check_contains(s->e.msg,
		       "lemnos ingest " CSV "qr_without_definition.csv --app qr --machine "
		       "m1 --target time --problem m,n --tunable mb,nb,p,q --resource "
		       "nodes=nodes,ppn=ppn");
}

/* Nobody said that it is sweep3d. */
IN_FIXTURE(table_that_does_not_fit_the_only_application_says_what_to_type)
{
	struct scratch *s = *state;
	const struct ingest_options o = {.path = CSV "qr_without_definition.csv", .source = -1};

	assert_int_equal(import(s, o), ERR_PARSE);
	check_contains(s->e.msg, "do not fit sweep3d");
	check_contains(s->e.msg, "--app NAME --machine NAME --target time --problem m,n");
	check_contains(s->e.msg, "If it is sweep3d: " CSV "qr_without_definition.csv:1: no column");
	check_ok(kb_set_default(s->kb, "machine", "m1", &s->e), &s->e);
	assert_int_equal(import(s, o), ERR_PARSE);
	check_contains(s->e.msg, "--app NAME --target time");
}

IN_FIXTURE(words_in_a_new_application_are_categorical)
{
	struct scratch *s = *state;
	const char *const problem[] = {"m", NULL};
	const char *const tunable[] = {"layout", NULL};
	const struct ad_hoc spec = {.name = "qr",
				    .target = "t",
				    .target_unit_s = 1,
				    .problem = problem,
				    .tunable = tunable};

	write_file(scratch_file(s, "words.csv"), "m,layout,t\n10,row,1\n");
	check_ok(import(s,
			(struct ingest_options){
				.path = s->path, .machine = "m1", .source = -1, .ad_hoc = &spec}),
		 &s->e);
	check_contains(strbuf_text(&s->result.notes), "layout: words, so it is categorical");
}

IN_FIXTURE(a_machine_must_be_named_somewhere)
{
	struct scratch *s = *state;
	const char *const map[] = {"machine=drop", NULL};
	struct ingest_options o = plain;

	o.map = map;
	assert_int_equal(import(s, o), ERR_ARG);
	check_contains(s->e.msg, CSV "plain.csv:1: on which machine?");
	check_contains(s->e.msg, "--machine NAME");
}

IN_FIXTURE(a_machine_is_created_only_for_rows_that_are_taken)
{
	struct scratch *s = *state;

	check_ok(import(s, (struct ingest_options){.path = CSV "refused_row_on_new_machine.csv",
						   .source = -1}),
		 &s->e);
	assert_int_equal(s->result.n_new_machine, 1);
	assert_string_equal(s->result.new_machine[0], "m1");
	assert_int_equal(kb_get_machine(s->kb, "m2", &(struct machine *){NULL}, NULL, NULL),
			 ERR_NOTFOUND);
}

IN_FIXTURE(a_thousand_machines_are_node_names_in_the_wrong_column)
{
	struct scratch *s = *state;
	HEAP char *path = strdup(scratch_file(s, "many.csv"));
	RELEASED(strbuf) text = STRBUF_INIT;

	strbuf_puts(&text, "machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n");
	for (int i = 0; i <= 1000; i++)
		strbuf_printf(&text, "n%04d,50,50,50,2,1,2,10,3,1.5\n", i);
	write_file(path, strbuf_text(&text));
	assert_int_equal(import(s, (struct ingest_options){.path = path, .source = -1}), ERR_ARG);
	check_contains(s->e.msg, "many.csv:1002: machine: more than 1000 different machines");
	assert_int_equal(n_runs(s), 0);
}

IN_FIXTURE(wrong_flags_name_what_would_be_right)
{
	struct scratch *s = *state;
	const struct {
		const char *map;
		const char *unit;
		const char *message;
	} bad[] = {
		{"cores=procs", NULL, "has no column 'cores'; its columns are 'app', 'machine'"},
		{"mk=blocking", NULL, "there is no field 'blocking' for sweep3d; fields are it_g"},
		{"mk", NULL, "--map mk: write COLUMN=FIELD"},
		{NULL, "mk=ms", "--unit mk=ms: the column is no time and no size"},
		{NULL, "runtime_s=furlong", "'furlong' is no unit of time: write ns, us, ms, s"},
		{NULL, "runtime_s=MiB", "'MiB' is no unit of time"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		const char *map[] = {bad[i].map, NULL};
		const char *unit[] = {bad[i].unit, NULL};
		struct ingest_options o = plain;

		o.map = map;
		o.unit = unit;
		assert_int_equal(import(s, o), ERR_ARG);
		check_contains(s->e.msg, bad[i].message);
	}
}

IN_FIXTURE(a_suspicious_row_is_flagged_not_dropped)
{
	struct scratch *s = *state;
	HEAP char *path = strdup(scratch_file(s, "one_tiny.csv"));
	RELEASED(strbuf) text = STRBUF_INIT;

	strbuf_puts(&text, "machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,repeat\n");
	for (int i = 1; i <= 6; i++)
		strbuf_printf(&text, "m1,50,50,50,2,1,2,10,3,%s,%d\n", i == 4 ? "0.01" : "20", i);
	write_file(path, strbuf_text(&text));
	check_ok(import(s, (struct ingest_options){.path = path, .source = -1}), &s->e);
	assert_int_equal(s->result.import.n_taken, 6);
	assert_int_equal(s->result.import.n_flagged, 1);
}
