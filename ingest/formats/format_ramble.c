#include <string.h>

#include <jansson.h>

#include "ingest/formats/foreign_format.h"
#include "ingest/formats/foreign_json.h"
#include "ingest/formats/foreign_unit.h"

/* Results of Ramble, and so of Benchpark (`ramble workspace analyze --formats json`):
 * experiments[], each a run with its variables and, in CONTEXTS[], figures of merit (foms) with
 * units. A figure is a column: "Total Elapsed Time" in seconds is Total_Elapsed_Time_s; one of a
 * context other than "null" has that before it, "step 100/Time_s". Experiments that sum up repeats
 * are passed over. */

static bool is_ramble(const char *head, size_t n, bool whole)
{
	(void)n;
	(void)whole;
	return foreign_json_begins(head, '{') && foreign_json_has_key(head, "experiments") &&
	       (foreign_json_has_key(head, "RAMBLE_STATUS") ||
		foreign_json_has_key(head, "CONTEXTS") ||
		foreign_json_has_key(head, "RAMBLE_VARIABLES"));
}

/* Of an experiment with repeats Ramble writes one that has the statistics of all. */
static bool is_summary(const json_t *experiment)
{
	const json_t *n = json_object_get(experiment, "N_REPEATS");
	const char *text = json_string_value(n);

	return text ? strcmp(text, "0") != 0 : json_integer_value(n) > 0;
}

static enum err_code put_figures(const struct foreign_input *in, uint64_t line,
				 const json_t *context, struct strbuf *column,
				 struct foreign_table *out, struct err *e)
{
	const char *context_name = foreign_json_string(context, "name");
	const json_t *fom;
	size_t i;

	json_array_foreach(json_object_get(context, "foms"), i, fom)
	{
		const char *name = foreign_json_string(fom, "name");
		const char *unit = foreign_time_unit(foreign_json_string(fom, "units"));
		const json_t *value = json_object_get(fom, "value");

		if (!name || !value)
			return foreign_input_fault(in, line, e,
						   "a figure of merit without a \"name\" or a "
						   "\"value\"");
		strbuf_clear(column);
		if (context_name && strcmp(context_name, "null") != 0) {
			foreign_time_header(column, context_name, NULL);
			strbuf_putc(column, '/');
		}
		foreign_time_header(column, name, unit);
		if (column->failed)
			return err_set(e, ERR_NOMEM, "%s: its figures of merit",
				       foreign_input_name(in));
		(void)foreign_json_put(out, strbuf_text(column), value);
		if (!unit)
			foreign_table_need_unit(out, strbuf_text(column));
	}
	return ERR_OK;
}

static void put_experiment(const json_t *experiment, struct foreign_table *out)
{
	static const char *const known[] = {"name",	"application_name", "workload_name",
					    "n_nodes",	"n_ranks",	    "processes_per_node",
					    "n_threads"};
	const char *status = foreign_json_string(experiment, "RAMBLE_STATUS");

	foreign_json_put_words(out, json_object_get(experiment, "RAMBLE_VARIABLES"));
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		const json_t *value = json_object_get(experiment, known[i]);

		if (value)
			(void)foreign_json_put(
				out, strcmp(known[i], "name") ? known[i] : "experiment", value);
	}
	foreign_table_put(out, "status", status ? status : "");
}

static enum err_code read_experiments(struct foreign_input *in, const struct foreign_json *j,
				      struct strbuf *column, struct foreign_table *out,
				      struct err *e)
{
	const json_t *experiments =
		foreign_json_member(in, j, foreign_json_root(j), "experiments", JSON_ARRAY, e);
	const json_t *experiment, *context;
	enum err_code rc = ERR_OK;
	size_t i, k;

	if (!experiments)
		return ERR_PARSE;
	json_array_foreach(experiments, i, experiment)
	{
		uint64_t line = foreign_json_line(j, experiment);

		if (is_summary(experiment))
			continue;
		put_experiment(experiment, out);
		json_array_foreach(json_object_get(experiment, "CONTEXTS"), k, context)
		{
			if ((rc = put_figures(in, line, context, column, out, e)))
				return rc;
		}
		if ((rc = foreign_table_end_row(out, line, e)))
			return rc;
	}
	return ERR_OK;
}

static enum err_code read_ramble(struct foreign_input *in, struct foreign_table *out, struct err *e)
{
	struct strbuf column = STRBUF_INIT;
	struct foreign_json *j = NULL;
	enum err_code rc = foreign_json_read(in, &j, e);

	if (!rc)
		rc = read_experiments(in, j, &column, out, e);
	strbuf_release(&column);
	foreign_json_free(j);
	return rc;
}

const struct foreign_format format_ramble = {
	.name = "ramble",
	.title = "results of Ramble and Benchpark (JSON)",
	.recognise = is_ramble,
	.read = read_ramble,
};
