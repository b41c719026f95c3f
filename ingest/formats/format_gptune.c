#include <string.h>

#include <jansson.h>

#include "ingest/formats/foreign_format.h"
#include "ingest/formats/foreign_json.h"

/* The history database of GPTune (gptune.db/NAME.json): func_eval[], each an evaluation of a task
 * (task_parameter) with a setting (tuning_parameter). What evaluation_result holds, and in which
 * unit, the application decides: --target and --unit say it. A result that is not finite, as
 * objective functions give it back for what did not run, is a failed run. */

static bool is_gptune(const char *head, size_t n, bool whole)
{
	(void)n;
	(void)whole;
	return foreign_json_begins(head, '{') && foreign_json_has_key(head, "func_eval") &&
	       (foreign_json_has_key(head, "tuning_problem_name") ||
		foreign_json_has_key(head, "evaluation_result") ||
		foreign_json_has_key(head, "model_data"));
}

/* {"machine_name": "cori", "haswell": {"nodes": 4, "cores": 32}}: of one kind of processor. */
static void put_machine(struct foreign_table *out, const json_t *machine)
{
	const json_t *processor = NULL;
	const char *key;
	json_t *value;
	size_t n = 0;

	if (foreign_json_string(machine, "machine_name"))
		foreign_table_put(out, "machine", foreign_json_string(machine, "machine_name"));
	json_object_foreach((json_t *)machine, key, value)
	{
		if (json_is_object(value)) {
			processor = value;
			n++;
		}
	}
	if (n == 1)
		foreign_json_put_members(out, processor);
}

static enum err_code put_results(const struct foreign_input *in, uint64_t line,
				 const json_t *results, struct foreign_table *out, struct err *e)
{
	bool failed = false;
	const char *key;
	json_t *value;

	if (!json_is_object(results) || json_object_size(results) == 0)
		return foreign_input_fault(in, line, e,
					   "an evaluation without an \"evaluation_result\": an "
					   "object is wanted");
	json_object_foreach((json_t *)results, key, value)
	{
		if (!foreign_json_put(out, key, value))
			return foreign_input_fault(
				in, line, e, "the evaluation_result \"%.60s\" is no number", key);
		foreign_table_need_unit(out, key);
		failed |= !json_is_number(value);
	}
	foreign_table_put(out, "status", failed ? "failed" : "ok");
	return ERR_OK;
}

static enum err_code read_evaluation(const struct foreign_input *in, const struct foreign_json *j,
				     const json_t *evaluation, struct foreign_table *out,
				     struct err *e)
{
	static const char *const parameters[] = {"task_parameter", "tuning_parameter", "constants"};
	uint64_t line = foreign_json_line(j, evaluation);
	enum err_code rc;

	if (!json_is_object(json_object_get(evaluation, "tuning_parameter")))
		return foreign_input_fault(
			in, line, e,
			"an evaluation without a \"tuning_parameter\": an object "
			"is wanted");
	for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
		if (json_is_object(json_object_get(evaluation, parameters[i])))
			foreign_json_put_members(out, json_object_get(evaluation, parameters[i]));
	}
	put_machine(out, json_object_get(evaluation, "machine_configuration"));
	rc = put_results(in, line, json_object_get(evaluation, "evaluation_result"), out, e);
	return rc ? rc : foreign_table_end_row(out, line, e);
}

static enum err_code read_history(struct foreign_input *in, const struct foreign_json *j,
				  struct foreign_table *out, struct err *e)
{
	const json_t *evaluations =
		foreign_json_member(in, j, foreign_json_root(j), "func_eval", JSON_ARRAY, e);
	const json_t *evaluation;
	enum err_code rc;
	size_t i;

	if (!evaluations)
		return ERR_PARSE;
	json_array_foreach(evaluations, i, evaluation)
	{
		if ((rc = read_evaluation(in, j, evaluation, out, e)))
			return rc;
	}
	return ERR_OK;
}

static enum err_code read_gptune(struct foreign_input *in, struct foreign_table *out, struct err *e)
{
	struct foreign_json *j = NULL;
	enum err_code rc = foreign_json_read(in, &j, e);

	if (!rc)
		rc = read_history(in, j, out, e);
	foreign_json_free(j);
	return rc;
}

const struct foreign_format format_gptune = {
	.name = "gptune",
	.title = "history database of GPTune",
	.recognise = is_gptune,
	.read = read_gptune,
};
