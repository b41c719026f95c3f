#include <string.h>

#include <jansson.h>

#include "ingest/formats/foreign_format.h"
#include "ingest/formats/foreign_json.h"
#include "ingest/formats/foreign_unit.h"

/* The run report of ReFrame (run-report-N.json): runs[].testcases[], each a run with its result,
 * what ReFrame logs of it, and its performance variables: perfvars[] of data version 3 and before,
 * perfvalues{} of version 4, {"system:partition:NAME": [value, reference, lower, upper, unit,
 * ...]}. A variable is a column; one that is a time has the unit behind its name, solve_time_s. */

static bool is_reframe(const char *head, size_t n, bool whole)
{
	(void)n;
	(void)whole;
	return foreign_json_begins(head, '{') && foreign_json_has_key(head, "session_info") &&
	       (foreign_json_has_key(head, "runs") || foreign_json_has_key(head, "data_version"));
}

/* Further columns would only say where files lie and how long ReFrame took itself. */
static bool is_bookkeeping(const char *key)
{
	static const char *const word[] = {
		"result",      "fail_phase",  "fail_reason",  "fail_severe",  "filename",
		"outputdir",   "stagedir",    "prefix",	      "sourcesdir",   "executable",
		"job_stderr",  "job_stdout",  "build_stderr", "build_stdout", "description",
		"descr",       "time_setup",  "time_compile", "time_sanity",  "time_performance",
		"time_total",  "time_run",    "uuid",	      "session_uuid", "hashcode",
		"fixture",     "build_jobid", "display_name", "nodelist",     "job_nodelist",
		"unique_name", "perfvalues",  "run_index"};

	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
		if (strcmp(key, word[i]) == 0)
			return true;
	}
	return false;
}

/* "<undefined>" is what a variable that the test did not set is written as. */
static void put_logged(struct foreign_table *out, const json_t *testcase)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)testcase, key, value)
	{
		const char *text = json_string_value(value);

		if (!is_bookkeeping(key) && !(text && strcmp(text, "<undefined>") == 0))
			(void)foreign_json_put(out, key, value);
	}
}

static enum err_code put_variable(const struct foreign_input *in, const char *name,
				  const char *unit, const json_t *value, struct foreign_table *out,
				  struct err *e)
{
	struct strbuf column = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	foreign_time_header(&column, name, foreign_time_unit(unit));
	if (column.failed) {
		rc = err_set(e, ERR_NOMEM, "%s: its performance variables", foreign_input_name(in));
	} else if (value) {
		(void)foreign_json_put(out, strbuf_text(&column), value);
		if (!foreign_time_unit(unit))
			foreign_table_need_unit(out, strbuf_text(&column));
	}
	strbuf_release(&column);
	return rc;
}

static enum err_code put_variables(const struct foreign_input *in, uint64_t line,
				   const json_t *testcase, struct foreign_table *out, struct err *e)
{
	const json_t *variable;
	const char *key;
	json_t *value;
	enum err_code rc;
	size_t i;

	json_array_foreach(json_object_get(testcase, "perfvars"), i, variable)
	{
		const char *name = foreign_json_string(variable, "name");

		if (!name)
			return foreign_input_fault(in, line, e,
						   "a performance variable without a \"name\"");
		if ((rc = put_variable(in, name, foreign_json_string(variable, "unit"),
				       json_object_get(variable, "value"), out, e)))
			return rc;
	}
	json_object_foreach(json_object_get(testcase, "perfvalues"), key, value)
	{
		const char *colon = strrchr(key, ':');

		if (!json_is_array(value))
			return foreign_input_fault(
				in, line, e, "the performance value \"%.60s\" is no array", key);
		if ((rc = put_variable(in, colon ? colon + 1 : key,
				       json_string_value(json_array_get(value, 4)),
				       json_array_get(value, 0), out, e)))
			return rc;
	}
	return ERR_OK;
}

static enum err_code read_testcase(const struct foreign_input *in, const struct foreign_json *j,
				   const json_t *testcase, struct foreign_table *out, struct err *e)
{
	uint64_t line = foreign_json_line(j, testcase);
	const char *result = foreign_json_string(testcase, "result");
	enum err_code rc;

	if (!result)
		return foreign_input_fault(in, line, e,
					   "a test case without a \"result\": success or failure "
					   "is wanted");
	if (strcmp(result, "skip") == 0) /* it did not run */
		return ERR_OK;
	put_logged(out, testcase);
	foreign_table_put(out, "status",
			  strncmp(result, "pass", 4) == 0 || strcmp(result, "success") == 0
				  ? "ok"
				  : "failed");
	if ((rc = put_variables(in, line, testcase, out, e)))
		return rc;
	return foreign_table_end_row(out, line, e);
}

static enum err_code read_runs(struct foreign_input *in, const struct foreign_json *j,
			       struct foreign_table *out, struct err *e)
{
	const json_t *runs =
		foreign_json_member(in, j, foreign_json_root(j), "runs", JSON_ARRAY, e);
	const json_t *run, *testcase;
	enum err_code rc;
	size_t i, k;

	if (!runs)
		return ERR_PARSE;
	json_array_foreach(runs, i, run)
	{
		json_array_foreach(json_object_get(run, "testcases"), k, testcase)
		{
			if ((rc = read_testcase(in, j, testcase, out, e)))
				return rc;
		}
	}
	return ERR_OK;
}

static enum err_code read_reframe(struct foreign_input *in, struct foreign_table *out,
				  struct err *e)
{
	struct foreign_json *j = NULL;
	enum err_code rc = foreign_json_read(in, &j, e);

	if (!rc)
		rc = read_runs(in, j, out, e);
	foreign_json_free(j);
	return rc;
}

const struct foreign_format format_reframe = {
	.name = "reframe",
	.title = "run report of ReFrame (JSON)",
	.recognise = is_reframe,
	.read = read_reframe,
};
