#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/units.h"
#include "ingest/formats/foreign_format.h"
#include "ingest/formats/foreign_json.h"

/* Google Benchmark, --benchmark_format=json (https://github.com/google/benchmark): benchmarks[],
 * each a repetition with the mean time of its iterations. The name "BM_sort/n:8/64/threads:4" holds
 * the arguments: n=8 where the program names them (ArgNames), else arg1, arg2, ... Aggregates
 * (mean, median, stddev, BigO) are of the same repetitions and passed over. */

static bool is_google_benchmark(const char *head, size_t n, bool whole)
{
	(void)n;
	(void)whole;
	return foreign_json_begins(head, '{') && foreign_json_has_key(head, "benchmarks") &&
	       foreign_json_has_key(head, "real_time") && foreign_json_has_key(head, "time_unit");
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), n_end = strlen(end);

	return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* Before version 1.5 only the name says it. */
static bool is_aggregate(const json_t *b)
{
	static const char *const suffix[] = {"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"};
	const char *type = foreign_json_string(b, "run_type");
	const char *name = foreign_json_string(b, "name");

	if (type)
		return strcmp(type, "aggregate") == 0;
	for (size_t i = 0; name && i < sizeof suffix / sizeof suffix[0]; i++) {
		if (ends_with(name, suffix[i]))
			return true;
	}
	return false;
}

static bool has_failed(const json_t *b)
{
	return json_is_true(json_object_get(b, "error_occurred")) ||
	       json_is_true(json_object_get(b, "skipped"));
}

/* ---- the name ---- */

static bool is_number(const char *text, size_t n)
{
	return n > 0 &&
	       strspn(text + (*text == '-' && n > 1), "0123456789.") == n - (*text == '-' && n > 1);
}

/* How it is measured, no argument. */
static bool is_mode(const char *part, size_t n)
{
	static const char *const mode[] = {"real_time",	   "process_time", "manual_time",
					   "threads:",	   "iterations:",  "repeats:",
					   "repetitions:", "min_time:",	   "min_warmup_time:"};

	for (size_t i = 0; i < sizeof mode / sizeof mode[0]; i++) {
		size_t n_mode = strlen(mode[i]);

		if (mode[i][n_mode - 1] == ':' ? n > n_mode && strncmp(part, mode[i], n_mode) == 0
					       : n == n_mode && strncmp(part, mode[i], n) == 0)
			return true;
	}
	return false;
}

/* A part of the name behind a slash; false: it belongs to the benchmark's own name ("BM_x/int", a
 * fixture's method). */
static bool put_argument(struct foreign_table *out, const char *part, size_t n, unsigned *n_unnamed)
{
	const char *colon = memchr(part, ':', n);
	char column[64];

	if (is_mode(part, n))
		return true;
	if (colon && colon > part && (size_t)(colon - part) < sizeof column &&
	    (size_t)(colon - part) + 1 < n && colon[1] != ':') {
		memcpy(column, part, (size_t)(colon - part));
		column[colon - part] = '\0';
		foreign_table_put_n(out, column, colon + 1, n - (size_t)(colon + 1 - part));
		return true;
	}
	if (!is_number(part, n))
		return false;
	snprintf(column, sizeof column, "arg%u", ++*n_unnamed);
	foreign_table_put_n(out, column, part, n);
	return true;
}

static void put_name(struct foreign_table *out, const char *name)
{
	size_t n_own = strcspn(name, "/");
	const char *part = name + n_own;
	unsigned n_unnamed = 0;
	bool own = true;

	while (*part == '/') {
		size_t n = strcspn(part + 1, "/");

		if (!put_argument(out, part + 1, n, &n_unnamed) && own)
			n_own = (size_t)(part + 1 + n - name);
		else
			own = false;
		part += n + 1;
	}
	foreign_table_put_n(out, "name", name, n_own);
}

/* ---- the times ---- */

/* Times of one unit stay as they were written; of several, all become seconds. */
static enum err_code common_unit(const struct foreign_input *in, const struct foreign_json *j,
				 const json_t *benchmarks, const char **unit, struct err *e)
{
	const json_t *b;
	size_t i;

	*unit = NULL;
	json_array_foreach(benchmarks, i, b)
	{
		const char *own = foreign_json_string(b, "time_unit");

		if (is_aggregate(b) || has_failed(b))
			continue;
		if (!own || !(time_unit_s(own) > 0 && time_unit_s(own) <= 1))
			return foreign_input_fault(
				in, foreign_json_line(j, b), e,
				"a benchmark without a \"time_unit\": ns, us, ms "
				"or s");
		if (!*unit)
			*unit = own;
		else if (strcmp(*unit, own) != 0)
			*unit = "s";
	}
	if (!*unit)
		*unit = "s";
	return ERR_OK;
}

static void put_time(struct foreign_table *out, const json_t *b, const char *key, const char *unit)
{
	const json_t *time = json_object_get(b, key);
	const char *own = foreign_json_string(b, "time_unit");
	char column[48];

	assert(unit);
	if (!own || !json_is_number(time))
		return;
	snprintf(column, sizeof column, "%s_%s", key, unit);
	if (strcmp(own, unit) == 0)
		foreign_json_put(out, column, time);
	else /* 9 ms / 1000 is the nearest double to 0.009 s, 9 * 0.001 is not */
		foreign_table_put_number(out, column,
					 json_number_value(time) / rint(1 / time_unit_s(own)));
}

/* ---- rows ---- */

static bool is_bookkeeping(const char *key)
{
	static const char *const word[] = {"name",
					   "run_name",
					   "run_type",
					   "repetitions",
					   "time_unit",
					   "real_time",
					   "cpu_time",
					   "repetition_index",
					   "family_index",
					   "error_occurred",
					   "per_family_instance_index",
					   "error_message",
					   "skipped",
					   "skip_message",
					   "iterations",
					   "label"};

	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
		if (strcmp(key, word[i]) == 0)
			return true;
	}
	return false;
}

static enum err_code put_row(const struct foreign_input *in, const struct foreign_json *j,
			     const json_t *b, const char *unit, struct foreign_table *out,
			     struct err *e)
{
	const char *name = foreign_json_string(b, "run_name");
	const json_t *repetition = json_object_get(b, "repetition_index");
	const char *key;
	json_t *value;

	if (!name)
		name = foreign_json_string(b, "name");
	if (!name)
		return foreign_input_fault(in, foreign_json_line(j, b), e,
					   "a benchmark without a \"name\"");
	put_name(out, name);
	if (foreign_json_string(b, "label"))
		foreign_table_put(out, "label", foreign_json_string(b, "label"));
	json_object_foreach((json_t *)b, key, value)
	{
		if (!is_bookkeeping(key))
			(void)foreign_json_put(out, key, value);
	}
	if (json_is_integer(repetition))
		foreign_table_put_number(out, "repeat", (double)json_integer_value(repetition) + 1);
	if (!has_failed(b)) {
		put_time(out, b, "real_time", unit);
		put_time(out, b, "cpu_time", unit);
	}
	foreign_table_put(out, "status", has_failed(b) ? "failed" : "ok");
	return foreign_table_end_row(out, foreign_json_line(j, b), e);
}

static enum err_code read_benchmarks(struct foreign_input *in, const struct foreign_json *j,
				     struct foreign_table *out, struct err *e)
{
	const json_t *benchmarks =
		foreign_json_member(in, j, foreign_json_root(j), "benchmarks", JSON_ARRAY, e);
	const char *unit = NULL;
	const json_t *b;
	enum err_code rc;
	size_t i;

	if (!benchmarks)
		return ERR_PARSE;
	if ((rc = common_unit(in, j, benchmarks, &unit, e)))
		return rc;
	json_array_foreach(benchmarks, i, b)
	{
		if (!is_aggregate(b) && (rc = put_row(in, j, b, unit, out, e)))
			return rc;
	}
	return ERR_OK;
}

static enum err_code read_google_benchmark(struct foreign_input *in, struct foreign_table *out,
					   struct err *e)
{
	struct foreign_json *j = NULL;
	enum err_code rc = foreign_json_read(in, &j, e);

	if (!rc)
		rc = read_benchmarks(in, j, out, e);
	foreign_json_free(j);
	return rc;
}

const struct foreign_format format_google_benchmark = {
	.name = "google_benchmark",
	.title = "results of Google Benchmark (--benchmark_format=json)",
	.recognise = is_google_benchmark,
	.read = read_google_benchmark,
};
