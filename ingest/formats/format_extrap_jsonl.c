#include <string.h>

#include <jansson.h>

#include "ingest/formats/foreign_format.h"
#include "ingest/formats/foreign_json.h"
#include "ingest/formats/series_choice.h"

/* JSON Lines of Extra-P (extra-p/extrap, docs/file-formats.md): a measurement a line, {"params":
 * {"p": 4}, "metric": "time", "callpath": "main", "value": 1.5 or [1.5, 1.6]}. Further members,
 * which Extra-P passes over, are columns too, and those of a member "constants". `lemnos runs
 * export --format extrap` writes such lines: with a member app, and a callpath that only repeats
 * what the other members say. */

static bool is_extrap_jsonl(const char *head, size_t n, bool whole)
{
	(void)n;
	(void)whole;
	return foreign_json_begins(head, '{') && foreign_json_has_key(head, "params") &&
	       foreign_json_has_key(head, "value");
}

struct measurement_reader {
	const struct foreign_input *in;
	struct foreign_table *out;
	struct series_choice region, metric;
};

static void put_row(const struct measurement_reader *r, const json_t *m, const char *metric,
		    const json_t *value)
{
	const char *callpath = foreign_json_string(m, "callpath");
	const char *key;
	json_t *member;

	json_object_foreach((json_t *)m, key, member)
	{
		if (strcmp(key, "value") != 0 && strcmp(key, "metric") != 0 &&
		    strcmp(key, "callpath") != 0)
			(void)foreign_json_put(r->out, key, member);
	}
	foreign_json_put_members(r->out, json_object_get(m, "constants"));
	foreign_json_put_members(r->out, json_object_get(m, "params"));
	if (callpath && !json_object_get(m, "app"))
		foreign_table_put(r->out, "region", callpath);
	(void)foreign_json_put(r->out, metric, value);
	foreign_table_need_unit(r->out, metric);
}

/* The callpath of what we exported only repeats what other members say, so several are no riddle.
 */
static bool is_region_taken(struct measurement_reader *r, const json_t *m, const char *callpath)
{
	if (json_object_get(m, "app") && !r->region.wanted)
		return true;
	return series_choice_take(&r->region, callpath ? callpath : "");
}

static enum err_code read_measurement(struct measurement_reader *r, const json_t *m, uint64_t line,
				      struct err *e)
{
	const char *callpath = foreign_json_string(m, "callpath");
	const char *metric = foreign_json_string(m, "metric");
	const json_t *value = json_object_get(m, "value");
	bool is_list = json_is_array(value);
	size_t n = is_list ? json_array_size(value) : 1;
	enum err_code rc;

	if (!metric)
		metric = "value";
	if (!json_is_object(json_object_get(m, "params")) || !value || n == 0)
		return foreign_input_fault(r->in, line, e,
					   "{\"params\": {...}, \"value\": NUMBER} is wanted");
	if (!is_region_taken(r, m, callpath) || !series_choice_take(&r->metric, metric))
		return ERR_OK;
	for (size_t i = 0; i < n; i++) {
		const json_t *one = is_list ? json_array_get(value, i) : value;

		if (!json_is_number(one) && !json_is_null(one))
			return foreign_input_fault(r->in, line, e, "the \"value\" is no number");
		put_row(r, m, metric, one);
		if ((rc = foreign_table_end_row(r->out, line, e)))
			return rc;
	}
	return ERR_OK;
}

static enum err_code read_line(struct measurement_reader *r, const struct foreign_line *l,
			       struct err *e)
{
	struct foreign_json *j = NULL;
	enum err_code rc;

	if (l->text[strspn(l->text, " \t")] == '\0')
		return ERR_OK;
	if ((rc = foreign_json_parse(r->in, l->text, l->len, l->number, &j, e)))
		return rc;
	rc = read_measurement(r, foreign_json_root(j), l->number, e);
	foreign_json_free(j);
	return rc;
}

static enum err_code read_extrap_jsonl(struct foreign_input *in, struct foreign_table *out,
				       struct err *e)
{
	const struct foreign_choice *choice = foreign_input_choice(in);
	struct measurement_reader r = {
		.in = in,
		.out = out,
		.region = {.what = "region",
			   .flag = "--region",
			   .wanted = choice->region,
			   .may_be_all = true},
		.metric = {.what = "metric", .flag = "--metric", .wanted = choice->metric},
	};
	struct foreign_line line;
	enum err_code rc;

	while (!(rc = foreign_input_line(in, &line, e)) && line.text) {
		if ((rc = read_line(&r, &line, e)))
			break;
	}
	if (!rc && r.region.n_names > 0)
		rc = series_choice_judge(&r.region, in, e);
	if (!rc)
		rc = series_choice_judge(&r.metric, in, e);
	series_choice_release(&r.region);
	series_choice_release(&r.metric);
	return rc;
}

const struct foreign_format format_extrap_jsonl = {
	.name = "extrap_jsonl",
	.title = "JSON Lines of Extra-P",
	.recognise = is_extrap_jsonl,
	.read = read_extrap_jsonl,
	.takes_region = true,
	.takes_metric = true,
};
