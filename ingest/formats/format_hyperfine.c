#include <string.h>

#include <jansson.h>

#include "ingest/formats/foreign_format.h"
#include "ingest/formats/foreign_json.h"

/* hyperfine --export-json (https://github.com/sharkdp/hyperfine): results[], each a command with
 * its parameters (--parameter-list, --parameter-scan) and the wall times of its runs in seconds.
 * Each time is a run; mean, stddev, min and max are of the same times and passed over. */

static bool is_hyperfine(const char *head, size_t n, bool whole)
{
	(void)n;
	(void)whole;
	return foreign_json_begins(head, '{') && foreign_json_has_key(head, "results") &&
	       foreign_json_has_key(head, "command") && foreign_json_has_key(head, "mean");
}

/* A run that did not exit with 0 was stopped by something, its time says nothing (-i keeps them).
 */
static void put_status(struct foreign_table *out, const json_t *codes, size_t i)
{
	const json_t *code = json_array_get(codes, i);

	if (code)
		foreign_table_put(
			out, "status",
			json_is_integer(code) && json_integer_value(code) == 0 ? "ok" : "failed");
}

static enum err_code read_result(const struct foreign_input *in, const struct foreign_json *j,
				 const json_t *result, struct foreign_table *out, struct err *e)
{
	uint64_t line = foreign_json_line(j, result);
	const json_t *times = json_object_get(result, "times");
	const json_t *memory = json_object_get(result, "memory_usage_byte");
	const char *command = foreign_json_string(result, "command");
	const json_t *time;
	enum err_code rc;
	size_t i;

	if (!json_is_array(times) || json_array_size(times) == 0)
		return foreign_input_fault(
			in, line, e,
			"a result without \"times\": there are no single runs in it to take");
	json_array_foreach(times, i, time)
	{
		if (!json_is_number(time))
			return foreign_input_fault(in, line, e,
						   "\"times\" holds what is no number");
		foreign_table_put(out, "command", command ? command : "");
		if (json_is_object(json_object_get(result, "parameters")))
			foreign_json_put_members(out, json_object_get(result, "parameters"));
		foreign_json_put(out, "time_s", time);
		if (json_array_get(memory, i))
			foreign_json_put(out, "memory_usage_byte", json_array_get(memory, i));
		put_status(out, json_object_get(result, "exit_codes"), i);
		if ((rc = foreign_table_end_row(out, line, e)))
			return rc;
	}
	return ERR_OK;
}

/* Command lines are not stored unless somebody names them, so that results which only they tell
 * apart would become repeats of one run. */
static void note_commands(const json_t *results, struct foreign_table *out)
{
	const char *first = foreign_json_string(json_array_get(results, 0), "command");
	const json_t *result;
	bool differ = false;
	size_t i;

	json_array_foreach(results, i, result)
	{
		const char *command = foreign_json_string(result, "command");

		if (json_object_size(json_object_get(result, "parameters")) > 0)
			return;
		differ |= first && command && strcmp(first, command) != 0;
	}
	if (differ)
		strbuf_puts(
			foreign_table_notes(out),
			"no parameter tells the commands apart: --problem command does, else all "
			"are repeats of one run\n");
}

static enum err_code read_results(struct foreign_input *in, const struct foreign_json *j,
				  struct foreign_table *out, struct err *e)
{
	const json_t *results =
		foreign_json_member(in, j, foreign_json_root(j), "results", JSON_ARRAY, e);
	const json_t *result;
	enum err_code rc = ERR_OK;
	size_t i;

	if (!results)
		return ERR_PARSE;
	json_array_foreach(results, i, result)
	{
		if ((rc = read_result(in, j, result, out, e)))
			return rc;
	}
	note_commands(results, out);
	return ERR_OK;
}

static enum err_code read_hyperfine(struct foreign_input *in, struct foreign_table *out,
				    struct err *e)
{
	struct foreign_json *j = NULL;
	enum err_code rc = foreign_json_read(in, &j, e);

	if (!rc)
		rc = read_results(in, j, out, e);
	foreign_json_free(j);
	return rc;
}

const struct foreign_format format_hyperfine = {
	.name = "hyperfine",
	.title = "results of hyperfine (--export-json)",
	.recognise = is_hyperfine,
	.read = read_hyperfine,
};
