#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/folder.h"

#include "api/run_export.h"
#include "base/strbuf.h"
#include "ingest/ingest.h"

/* A base with runs of one application, in every state. */

static const char table[] = "n,layout,machine,state,time,repeat\n"
			    "100,row,a,ok,4.5,1\n"
			    "100,row,a,ok,0.1,2\n"
			    "200,\"a \"\"b\"\"\",b,ok,5.5,1\n"
			    "200,row,b,timeout,60,1\n"
			    "300,row,b,failed,,1\n";
static const char *const problem[] = {"n", NULL};
static const char *const tunable[] = {"layout", NULL};

struct export_base {
	struct kb *kb;
	struct application *app;
	struct strbuf text;
	size_t n_calls, n_calls_max;
};

static int set_up(void **state)
{
	struct export_base *b = zeroed(1, sizeof *b);
	const struct ad_hoc lu = {.name = "lu",
				  .target = "time",
				  .target_unit_s = 1,
				  .problem = problem,
				  .tunable = tunable};
	const struct ingest_options o = {
		.path = "runs.csv", .text = table, .app = "lu", .source = -1, .ad_hoc = &lu};
	struct ingest_result result = {0};

	assert_int_equal(make_folder(state), 0);
	must(kb_open(in_folder("base.kb"), KB_CREATE, NULL, &b->kb, &err));
	must(ingest_file(b->kb, &o, &result, &err));
	assert_int_equal(result.import.n_taken, 5);
	ingest_result_release(&result);
	must(kb_get_application(b->kb, "lu", &b->app, NULL, &err));
	b->n_calls_max = SIZE_MAX;
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	HEAP struct export_base *b = *state;

	application_free(b->app);
	kb_close(b->kb);
	assert_int_equal(remove_folder(state), 0);
	strbuf_release(&b->text);
	return 0;
}

static bool keep_text(void *arg, const char *text)
{
	struct export_base *b = arg;

	strbuf_puts(&b->text, text);
	return ++b->n_calls < b->n_calls_max && !b->text.failed;
}

static enum err_code export(struct export_base *b, enum run_export_form form,
			    struct run_export_count *count, struct err *e) {
	const struct run_export_sink sink = {keep_text, b}; enum err_code rc;

	strbuf_release(&b->text);
	b->text = STRBUF_INIT;
	b->n_calls = 0;
	rc = run_export(b->kb, b->app, NULL, form, &sink, count, e);
	return !rc && b->text.failed ? err_set(e, ERR_NOMEM, "the text") : rc;
}

TEST_WITH(extrap_gets_what_has_a_time, set_up, tear_down)
{
	struct export_base *b = *state;
	struct run_export_count count = {0};

	must(export(b, RUN_EXPORT_EXTRAP, &count, &err));
	assert_int_equal(count.n_runs, 3);
	assert_int_equal(count.n_no_time, 2);
	assert_string_equal(
		strbuf_text(&b->text),
		"{\"params\": {\"n\": 100}, \"callpath\": \"lu->machine=a->layout=row\", \"metric\": "
		"\"wall_s\", \"value\": 4.5, \"app\": \"lu\", \"constants\": {\"layout\": \"row\"}, "
		"\"machine\": \"a\", \"source\": \"measured\", \"n_repeats\": 1, \"repeat\": 1}\n"
		"{\"params\": {\"n\": 100}, \"callpath\": \"lu->machine=a->layout=row\", \"metric\": "
		"\"wall_s\", \"value\": 0.1, \"app\": \"lu\", \"constants\": {\"layout\": \"row\"}, "
		"\"machine\": \"a\", \"source\": \"measured\", \"n_repeats\": 1, \"repeat\": 2}\n"
		"{\"params\": {\"n\": 200}, \"callpath\": \"lu->machine=b->layout=a \\\"b\\\"\", "
		"\"metric\": \"wall_s\", \"value\": 5.5, \"app\": \"lu\", \"constants\": {\"layout\": \"a "
		"\\\"b\\\"\"}, \"machine\": \"b\", \"source\": \"measured\", \"n_repeats\": 1, "
		"\"repeat\": 1}\n");
}

TEST_WITH(t4_joins_repeats_and_keeps_what_failed, set_up, tear_down)
{
	struct export_base *b = *state;
	struct run_export_count count = {0};

	must(export(b, RUN_EXPORT_T4, &count, &err));
	assert_int_equal(count.n_runs, 5);
	assert_int_equal(count.n_no_time, 0);
	assert_non_null(strstr(strbuf_text(&b->text), "{\"runtimes\": [4.5, 0.1]}"));
	assert_non_null(
		strstr(strbuf_text(&b->text), "{\"runtimes\": [60]}, \"invalidity\": \"timeout\""));
	assert_non_null(
		strstr(strbuf_text(&b->text), "{\"runtimes\": []}, \"invalidity\": \"runtime\""));
}

TEST_WITH(a_reader_that_goes_away_is_no_error, set_up, tear_down)
{
	struct export_base *b = *state;
	struct run_export_count count = {0};

	for (b->n_calls_max = 1; b->n_calls_max <= 3; b->n_calls_max++) {
		must(export(b, RUN_EXPORT_T4, &count, &err));
		assert_int_equal(b->n_calls, b->n_calls_max);
		must(export(b, RUN_EXPORT_EXTRAP, &count, &err));
		assert_int_equal(b->n_calls, b->n_calls_max);
	}
}

TEST_WITH(without_memory_nothing_is_called_whole, set_up, tear_down)
{
	struct export_base *b = *state;
	struct run_export_count count = {0};

	failing_each_allocation (export(b, RUN_EXPORT_EXTRAP, &count, &err), &err) {
		assert_true(b->text.failed || count.n_runs == 0);
		count = (struct run_export_count){0};
	}
	assert_int_equal(count.n_runs, 3);
	count = (struct run_export_count){0};
	failing_each_allocation (export(b, RUN_EXPORT_T4, &count, &err), &err) {
		assert_true(b->text.failed || count.n_runs == 0);
		count = (struct run_export_count){0};
	}
	assert_int_equal(count.n_runs, 5);
}
