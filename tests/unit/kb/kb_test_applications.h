#ifndef KB_TEST_APPLICATIONS_H
#define KB_TEST_APPLICATIONS_H
/* An application and machines for the tests, and runs of them. */
#include "tests/unit/kb/kb_fixture.h"

#include "domain/configuration.h"

/* Every type and role. Derived: integer, real, over a derived one, NULL where b = 0. */
static const char stencil_text[] =
	"application = { name = \"stencil\"; title = \"a stencil\"; aliases = [ \"jacobi\" ];\n"
	" problem = ( { name = \"n\"; min = 1; unit = \"cells\"; doc = \"edge\"; },\n"
	"             { name = \"kind\"; type = \"text\"; doc = \"boundary\"; } );\n"
	" workload = ( { name = \"steps\"; min = 1; default = 10; } );\n"
	" resources = ( { name = \"nodes\"; min = 1; },\n"
	"   { name = \"px\"; min = 1; candidates = \"grid\"; },\n"
	"   { name = \"py\"; min = 1; candidates = \"grid\"; } );\n"
	" tunables = ( { name = \"b\"; min = 0; doc = \"block\"; },\n"
	"              { name = \"omega\"; type = \"real\"; } );\n"
	" derived = ( { name = \"procs\"; expr = \"px * py\"; },\n"
	"   { name = \"local\"; expr = \"ceildiv(n, px)\"; unit = \"cells\"; },\n"
	"   { name = \"fill\"; expr = \"local / b\"; },\n"
	"   { name = \"odd\"; expr = \"n % 2 + floordiv(n, 3) - omega\"; } );\n"
	" groups = ( { flag = \"grid\"; columns = [ \"px\", \"py\" ]; } );\n"
	" target = { name = \"time_s\"; unit = \"s\"; };\n"
	"};\n";
enum { COL_N, COL_KIND, COL_STEPS, COL_NODES, COL_PX, COL_PY, COL_B, COL_OMEGA, N_GIVEN };

static inline struct application *parse_application(const char *text)
{
	struct application *a = NULL;

	must(application_parse(text, "test", &a, &err));
	return a;
}

static inline int64_t put_application(struct kb *kb, const char *text)
{
	struct application *a = parse_application(text);
	int64_t id = 0;

	must(kb_put_application(kb, a, &id, &err));
	application_free(a);
	return id;
}

/* A machine of which only the name is known. */
static inline int64_t put_machine(struct kb *kb, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	struct machine *m = NULL;
	int64_t id = 0;

	must(machine_unknown_text(name, &text, &err));
	must(machine_parse(strbuf_text(&text), "test", &m, &err));
	must(kb_put_machine(kb, m, &id, &err));
	machine_free(m);
	strbuf_release(&text);
	return id;
}

static inline struct application *get_application(struct kb *kb, const char *name, int64_t *id)
{
	struct application *a = NULL;

	must(kb_get_application(kb, name, &a, id, &err));
	return a;
}

/* One run, as short as a test can say it. */
struct test_run {
	int n, px, py, b;
	double wall_s;
	int repeat;
};

/* An import record; tag makes its hash. */
static inline struct kb_import import_of(const char *tag)
{
	struct kb_import imp = {.file_name = (char *)(uintptr_t)tag,
				.mapping = (char *)(uintptr_t) "as is",
				.application = (char *)(uintptr_t) "stencil"};

	memset(imp.sha256, '0', 64);
	memcpy(imp.sha256, tag, strlen(tag));
	return imp;
}

static inline void row_of(const struct application *a, const struct test_run *t, double *row)
{
	configuration_clear(a, row);
	row[COL_N] = t->n;
	row[COL_KIND] = (double)levels_add(&a->column[COL_KIND].levels, "periodic");
	row[COL_STEPS] = 10;
	row[COL_NODES] = 1;
	row[COL_PX] = t->px;
	row[COL_PY] = t->py;
	row[COL_B] = t->b;
	row[COL_OMEGA] = 1.5;
}

/* Import n runs in one transaction, as measured on the machine; the import as it ended. */
static inline struct kb_import import_runs(struct kb *kb, const char *tag, int64_t machine_id,
					   const struct test_run *t, size_t n)
{
	struct kb_import imp = import_of(tag);
	struct kb_run_writer *w = NULL;
	int64_t app_id;
	struct application *a = get_application(kb, "stencil", &app_id);
	double row[32];

	must(kb_begin(kb, &err));
	must(kb_run_writer_open(kb, a, app_id, &imp, &w, &err));
	for (size_t i = 0; i < n; i++) {
		row_of(a, &t[i], row);
		must(kb_run_writer_add(w,
				       &(struct kb_run){.row = row,
							.wall_s = t[i].wall_s,
							.machine_id = machine_id,
							.n_repeats = 1,
							.repeat = t[i].repeat,
							.line = (int64_t)i + 2},
				       &err));
	}
	must(kb_run_writer_finish(w, &imp, NULL, &err));
	kb_run_writer_free(w);
	must(kb_commit(kb, &err));
	application_free(a);
	return imp;
}

/* A base with the application and machines m (id 1) and other (id 2). */
static inline struct kb *base_with_application(void)
{
	struct kb *kb = open_base(KB_CREATE);

	put_application(kb, stencil_text);
	assert_int_equal(put_machine(kb, "m"), 1);
	assert_int_equal(put_machine(kb, "other"), 2);
	return kb;
}

/* The base finds nothing wrong with itself. */
static inline void check_sound(struct kb *kb)
{
	struct strbuf report = STRBUF_INIT;
	int n_found = -1;

	must(kb_check(kb, &report, &n_found, &err));
	assert_string_equal(strbuf_text(&report), "");
	assert_int_equal(n_found, 0);
	strbuf_release(&report);
}

#endif
