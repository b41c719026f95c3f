#include <string.h>

#include <jansson.h>

#include "ingest/formats/foreign_format.h"
#include "ingest/formats/foreign_json.h"
#include "ingest/formats/foreign_unit.h"

/* T4, the results of auto-tuners (Open Autotuning Results Schema 1.0.0, which Kernel Tuner writes):
 * results[], each a configuration with the times of its runs. A configuration whose invalidity is
 * not "correct" has failed, or met a time limit. The schema does not say in which unit runtimes
 * are; the measurement of the objective, or of the time, does where it has one. */

static bool is_t4(const char *head, size_t n, bool whole)
{
	(void)n;
	(void)whole;
	return foreign_json_begins(head, '{') && foreign_json_has_key(head, "results") &&
	       foreign_json_has_key(head, "configuration") &&
	       foreign_json_has_key(head, "invalidity");
}

/* ---- the unit ---- */

static bool is_time_word(const char *name)
{
	return strcmp(name, "time") == 0 || strcmp(name, "times") == 0 ||
	       strcmp(name, "runtime") == 0 || strcmp(name, "runtimes") == 0;
}

/* Of the measurement that is the objective, if that is a time; else of one that is called time.
 * NULL: none says. */
static const char *unit_of_result(const json_t *result)
{
	const char *objective =
		json_string_value(json_array_get(json_object_get(result, "objectives"), 0));
	const char *of_time = NULL;
	const json_t *m;
	size_t i;

	json_array_foreach(json_object_get(result, "measurements"), i, m)
	{
		const char *name = foreign_json_string(m, "name");
		const char *unit = foreign_time_unit(foreign_json_string(m, "unit"));

		if (!name || !unit)
			continue;
		if (objective && strcmp(name, objective) == 0)
			return unit;
		if (is_time_word(name))
			of_time = unit;
	}
	return of_time;
}

static enum err_code find_unit(const struct foreign_input *in, const struct foreign_json *j,
			       const json_t *results, const char **unit, struct err *e)
{
	const json_t *result;
	size_t i;

	*unit = NULL;
	json_array_foreach(results, i, result)
	{
		const char *own = unit_of_result(result);

		if (own && *unit && strcmp(own, *unit) != 0)
			return foreign_input_fault(in, foreign_json_line(j, result), e,
						   "times in %s, and in %s before: one unit "
						   "is wanted",
						   own, *unit);
		if (own)
			*unit = own;
	}
	return ERR_OK;
}

/* ---- rows ---- */

struct t4_reader {
	const struct foreign_input *in;
	const struct foreign_json *j;
	const json_t *metadata; /* scalars that hold for all results; may be NULL */
	const char *time_column;
	struct foreign_table *out;
};

static void put_result(const struct t4_reader *r, const json_t *result, const char *invalidity)
{
	const char *key;
	json_t *value;

	if (json_is_object(r->metadata))
		foreign_json_put_members(r->out, r->metadata);
	foreign_json_put_members(r->out, json_object_get(result, "configuration"));
	json_object_foreach((json_t *)result, key, value)
	{
		if (strcmp(key, "invalidity") != 0 && strcmp(key, "correctness") != 0 &&
		    strcmp(key, "repeat") != 0)
			(void)foreign_json_put(r->out, key, value);
	}
	foreign_table_put(r->out, "status",
			  strcmp(invalidity, "correct") == 0   ? "ok"
			  : strcmp(invalidity, "timeout") == 0 ? "timeout"
							       : "failed");
}

static enum err_code check_result(const struct t4_reader *r, const json_t *result, uint64_t line,
				  struct err *e)
{
	static const char *const word[] = {"timeout",	  "compile", "runtime",
					   "correctness", "correct", "constraints"};
	const char *invalidity = foreign_json_string(result, "invalidity");

	if (!json_is_object(json_object_get(result, "configuration")))
		return foreign_input_fault(r->in, line, e,
					   "a result without a \"configuration\": an object is "
					   "wanted");
	for (size_t i = 0; invalidity && i < sizeof word / sizeof word[0]; i++) {
		if (strcmp(invalidity, word[i]) == 0)
			return ERR_OK;
	}
	return foreign_input_fault(r->in, line, e,
				   "\"invalidity\" is %s%.30s: timeout, compile, runtime, "
				   "correctness, constraints or correct is wanted",
				   invalidity ? "" : "missing", invalidity ? invalidity : "");
}

/* One row for each of its times; one without a time, if it has none. */
static enum err_code read_result(const struct t4_reader *r, const json_t *result, struct err *e)
{
	uint64_t line = foreign_json_line(r->j, result);
	const json_t *times = json_object_get(json_object_get(result, "times"), "runtimes");
	const json_t *repeat = json_object_get(result, "repeat");
	size_t n = json_array_size(times);
	enum err_code rc = check_result(r, result, line, e);

	for (size_t i = 0; !rc && (i < n || i == 0); i++) {
		put_result(r, result, foreign_json_string(result, "invalidity"));
		if (i < n && !foreign_json_put(r->out, r->time_column, json_array_get(times, i)))
			return foreign_input_fault(r->in, line, e,
						   "\"runtimes\" holds what is no number");
		if (json_is_integer(repeat))
			foreign_table_put_number(r->out, "repeat",
						 (double)json_integer_value(repeat) + (double)i);
		rc = foreign_table_end_row(r->out, line, e);
	}
	return rc;
}

static enum err_code read_results(struct foreign_input *in, const struct foreign_json *j,
				  struct strbuf *header, struct foreign_table *out, struct err *e)
{
	const json_t *root = foreign_json_root(j);
	struct t4_reader r = {in, j, json_object_get(root, "metadata"), NULL, out};
	const json_t *results = foreign_json_member(in, j, root, "results", JSON_ARRAY, e);
	const char *unit = NULL;
	const json_t *result;
	enum err_code rc;
	size_t i;

	if (!results)
		return ERR_PARSE;
	if ((rc = find_unit(in, j, results, &unit, e)))
		return rc;
	foreign_time_header(header, "runtime", unit);
	if (header->failed)
		return err_set(e, ERR_NOMEM, "%s: its columns", foreign_input_name(in));
	r.time_column = strbuf_text(header);
	json_array_foreach(results, i, result)
	{
		if ((rc = read_result(&r, result, e)))
			return rc;
	}
	if (!unit)
		foreign_table_need_unit(out, r.time_column);
	return ERR_OK;
}

static enum err_code read_t4(struct foreign_input *in, struct foreign_table *out, struct err *e)
{
	struct strbuf header = STRBUF_INIT;
	struct foreign_json *j = NULL;
	enum err_code rc = foreign_json_read(in, &j, e);

	if (!rc)
		rc = read_results(in, j, &header, out, e);
	strbuf_release(&header);
	foreign_json_free(j);
	return rc;
}

const struct foreign_format format_t4 = {
	.name = "t4",
	.title = "results of auto-tuners in T4 (Kernel Tuner)",
	.recognise = is_t4,
	.read = read_t4,
};
