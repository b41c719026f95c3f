#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "ingest/formats/foreign_format.h"
#include "ingest/formats/foreign_json.h"
#include "ingest/formats/foreign_unit.h"
#include "ingest/formats/series_choice.h"

/* What Caliper prints as JSON (https://software.llnl.gov/Caliper).
 *
 * json-split, which its hatchet-region-profile writes: data[][] with columns[], of which those that
 * are no values hold the number of a node in nodes[]; the path of a node is "main/solve". The file
 * is one run: its globals (Adiak's) that are numbers or single words, and the values of one region
 * (--region PATH), where there is a column of ranks the largest of all ranks.
 *
 * json of cali-query: records of the query, each a row; or {"records": [...], "globals": {...}}. */

static bool is_split(const char *head)
{
	const char *p = head + strspn(head, " \t\r\n");

	if (*p != '{')
		return false;
	p += 1 + strspn(p + 1, " \t\r\n");
	if (strncmp(p, "\"data\"", 6) != 0)
		return false;
	p += 6 + strspn(p + 6, " \t\r\n:");
	return *p == '[' &&
	       (p[1 + strspn(p + 1, " \t\r\n")] == '[' || p[1 + strspn(p + 1, " \t\r\n")] == ']');
}

static bool is_caliper(const char *head, size_t n, bool whole)
{
	(void)n;
	if (is_split(head))
		return !whole || foreign_json_has_key(head, "column_metadata");
	if (foreign_json_begins(head, '{'))
		return foreign_json_has_key(head, "records") &&
		       (foreign_json_has_key(head, "globals") ||
			foreign_json_has_key(head, "attributes") ||
			foreign_json_has_key(head, "path"));
	return foreign_json_begins(head, '[') &&
	       (strstr(head, "time.duration") || strstr(head, "time/rank") ||
		foreign_json_has_key(head, "mpi.rank") || foreign_json_has_key(head, "path"));
}

/* ---- json-split ---- */

struct split_profile {
	const struct foreign_input *in;
	const struct foreign_json *j;
	const json_t *data, *columns, *metadata, *nodes;
	size_t i_path; /* of columns */
	size_t i_rank; /* SIZE_MAX: none */
	struct strbuf path;
	struct series_choice region;
	bool *seen_rank; /* [n_seen] */
	size_t n_seen;
	size_t n_ranks;
	const json_t **largest; /* [columns] of the region that is taken */
};

static bool is_value(const struct split_profile *p, size_t i)
{
	const json_t *metadata = json_array_get(p->metadata, i);

	return !json_is_false(json_object_get(metadata, "is_value"));
}

static bool is_rank(const char *column)
{
	return strcmp(column, "mpi.rank") == 0 || strcmp(column, "rank") == 0 ||
	       strcmp(column, "Rank") == 0;
}

/* "main/solve" of a node. False: a node that is not there, or its own ancestor. */
static bool put_path(const struct split_profile *p, const json_t *node_id, struct strbuf *out)
{
	size_t n_nodes = json_array_size(p->nodes);
	json_int_t chain[256];
	size_t n = 0;

	strbuf_clear(out);
	if (json_is_null(node_id))
		return true;
	for (const json_t *id = node_id; id; n++) {
		json_int_t i = json_is_integer(id) ? json_integer_value(id) : -1;

		if (i < 0 || (size_t)i >= n_nodes || n == sizeof chain / sizeof chain[0])
			return false;
		chain[n] = i;
		id = json_object_get(json_array_get(p->nodes, (size_t)i), "parent");
	}
	while (n-- > 0) {
		const char *label =
			foreign_json_string(json_array_get(p->nodes, (size_t)chain[n]), "label");

		strbuf_printf(out, "%s%s", out->len ? "/" : "", label ? label : "");
	}
	return true;
}

static enum err_code find_columns(struct split_profile *p, struct err *e)
{
	const json_t *root = foreign_json_root(p->j);
	const json_t *column;
	size_t i;

	if (!(p->data = foreign_json_member(p->in, p->j, root, "data", JSON_ARRAY, e)) ||
	    !(p->columns = foreign_json_member(p->in, p->j, root, "columns", JSON_ARRAY, e)) ||
	    !(p->metadata =
		      foreign_json_member(p->in, p->j, root, "column_metadata", JSON_ARRAY, e)) ||
	    !(p->nodes = foreign_json_member(p->in, p->j, root, "nodes", JSON_ARRAY, e)))
		return ERR_PARSE;
	p->i_path = p->i_rank = SIZE_MAX;
	json_array_foreach(p->columns, i, column)
	{
		if (!json_is_string(column))
			return foreign_input_fault(p->in, 1, e, "a column whose name is no text");
		if (is_rank(json_string_value(column)))
			p->i_rank = i;
		else if (!is_value(p, i) &&
			 (p->i_path == SIZE_MAX || strcmp(json_string_value(column), "path") == 0))
			p->i_path = i;
	}
	p->largest = calloc(json_array_size(p->columns) + 1, sizeof(json_t *));
	p->n_seen = json_array_size(p->data) + 1;
	p->seen_rank = calloc(p->n_seen, sizeof *p->seen_rank);
	return p->largest && p->seen_rank
		       ? ERR_OK
		       : err_set(e, ERR_NOMEM, "%s: its columns", foreign_input_name(p->in));
}

/* One record a rank; more could be threads or iterations, of which a run is no maximum. */
static enum err_code note_rank(struct split_profile *p, const json_t *record, struct err *e)
{
	json_int_t rank =
		p->i_rank == SIZE_MAX ? 0 : json_integer_value(json_array_get(record, p->i_rank));

	if (rank < 0 || (size_t)rank >= p->n_seen)
		return ERR_OK; /* fewer records than ranks: each is there once */
	if (p->seen_rank[rank])
		return err_set(e, ERR_PARSE,
			       "%s: several records of the region '%.60s'%s: aggregate them first "
			       "with cali-query",
			       foreign_input_name(p->in), strbuf_text(&p->path),
			       p->i_rank == SIZE_MAX ? "" : " and one rank");
	p->seen_rank[rank] = true;
	return ERR_OK;
}

static enum err_code take_record(struct split_profile *p, const json_t *record, struct err *e)
{
	enum err_code rc = note_rank(p, record, e);
	const json_t *value;
	size_t i;

	p->n_ranks++;
	json_array_foreach(record, i, value)
	{
		if (i == p->i_rank || i == p->i_path || !is_value(p, i))
			continue;
		if (json_is_number(value) &&
		    (!p->largest[i] || json_number_value(value) > json_number_value(p->largest[i])))
			p->largest[i] = value;
	}
	return rc;
}

static enum err_code read_records(struct split_profile *p, struct err *e)
{
	const json_t *record;
	enum err_code rc;
	size_t i;

	if (p->i_path == SIZE_MAX)
		return err_set(e, ERR_PARSE, "%s: no column of regions (\"path\")",
			       foreign_input_name(p->in));
	json_array_foreach(p->data, i, record)
	{
		if (json_array_size(record) != json_array_size(p->columns))
			return err_set(e, ERR_PARSE,
				       "%s: record %zu of \"data\" has %zu values, there are %zu "
				       "columns",
				       foreign_input_name(p->in), i + 1, json_array_size(record),
				       json_array_size(p->columns));
		if (!put_path(p, json_array_get(record, p->i_path), &p->path))
			return err_set(e, ERR_PARSE,
				       "%s: record %zu of \"data\" names a node that is not there",
				       foreign_input_name(p->in), i + 1);
		if (p->path.failed)
			return err_set(e, ERR_NOMEM, "%s: a path", foreign_input_name(p->in));
		if (p->path.len == 0) /* what lies outside of all regions */
			continue;
		if (series_choice_take(&p->region, strbuf_text(&p->path)) && p->region.wanted &&
		    (rc = take_record(p, record, e)))
			return rc;
	}
	return ERR_OK;
}

/* False: out of memory. */
static bool put_values(const struct split_profile *p, struct strbuf *header,
		       struct foreign_table *out)
{
	const json_t *column;
	size_t i;

	assert(p->largest);
	json_array_foreach(p->columns, i, column)
	{
		const char *unit = foreign_time_unit(
			foreign_json_string(json_array_get(p->metadata, i), "attribute.unit"));

		if (!p->largest[i])
			continue;
		strbuf_clear(header);
		foreign_time_header(header, json_string_value(column), unit);
		if (header->failed)
			return false;
		(void)foreign_json_put(out, strbuf_text(header), p->largest[i]);
		if (!unit)
			foreign_table_need_unit(out, strbuf_text(header));
	}
	return true;
}

static void put_globals(const struct split_profile *p, struct foreign_table *out)
{
	const char *key;
	json_t *value;

	foreign_json_put_words(out, foreign_json_root(p->j));
	json_object_foreach((json_t *)foreign_json_root(p->j), key, value)
	{
		foreign_table_need_unit(out, key);
	}
}

/* Without --region the run is what the globals say: with their elapsed time, if there is one. */
static enum err_code read_split_profile(struct split_profile *p, struct foreign_table *out,
					struct err *e)
{
	struct strbuf header = STRBUF_INIT;
	enum err_code rc = find_columns(p, e);
	bool room = true;

	if (!rc && !(rc = read_records(p, e)) && p->region.wanted)
		rc = series_choice_judge(&p->region, p->in, e);
	if (rc)
		return rc;
	put_globals(p, out);
	if (p->region.wanted) {
		foreign_table_put(out, "region", p->region.wanted);
		room = put_values(p, &header, out);
	}
	if (p->n_ranks > 1)
		strbuf_printf(foreign_table_notes(out),
			      "%zu ranks: of each value the largest, for a region ends with its "
			      "last rank\n",
			      p->n_ranks);
	else if (!p->region.wanted)
		series_choice_put_note(&p->region, foreign_table_notes(out));
	rc = room ? foreign_table_end_row(out, 1, e)
		  : err_set(e, ERR_NOMEM, "%s: its columns", foreign_input_name(p->in));
	strbuf_release(&header);
	return rc;
}

static enum err_code read_split(struct foreign_input *in, const struct foreign_json *j,
				struct foreign_table *out, struct err *e)
{
	struct split_profile p = {.in = in, .j = j};
	enum err_code rc;

	p.region = (struct series_choice){
		.what = "region", .flag = "--region", .wanted = foreign_input_choice(in)->region};
	rc = read_split_profile(&p, out, e);
	series_choice_release(&p.region);
	strbuf_release(&p.path);
	free(p.largest);
	free(p.seen_rank);
	return rc;
}

/* ---- records of cali-query ---- */

/* What a record is of: the path of nested regions, else its function or annotation. */
static const char *region_of(const json_t *record)
{
	static const char *const key[] = {"path", "region", "function", "annotation"};

	for (size_t i = 0; i < sizeof key / sizeof key[0]; i++) {
		if (foreign_json_string(record, key[i]))
			return foreign_json_string(record, key[i]);
	}
	return NULL;
}

static const char *unit_of(const json_t *attributes, const char *key)
{
	return foreign_time_unit(
		foreign_json_string(json_object_get(attributes, key), "attribute.unit"));
}

/* False: out of memory. */
static bool put_record(const json_t *record, const json_t *attributes, struct strbuf *header,
		       struct foreign_table *out)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)record, key, value)
	{
		const char *unit = unit_of(attributes, key);

		strbuf_clear(header);
		foreign_time_header(header, key, unit);
		if (header->failed)
			return false;
		(void)foreign_json_put(out, strbuf_text(header), value);
		if (!unit)
			foreign_table_need_unit(out, strbuf_text(header));
	}
	return true;
}

static enum err_code read_records_of(const struct foreign_input *in, const struct foreign_json *j,
				     struct series_choice *region, struct strbuf *header,
				     struct foreign_table *out, struct err *e)
{
	const json_t *root = foreign_json_root(j);
	const json_t *records = root, *record;
	enum err_code rc;
	size_t i;

	if (json_is_object(root) &&
	    !(records = foreign_json_member(in, j, root, "records", JSON_ARRAY, e)))
		return ERR_PARSE;
	json_array_foreach(records, i, record)
	{
		const char *of = region_of(record);

		if (!json_is_object(record))
			return err_set(e, ERR_PARSE, "%s: record %zu is no object",
				       foreign_input_name(in), i + 1);
		if (!of && region->wanted && strcmp(region->wanted, "*") != 0)
			continue; /* what lies outside of all regions */
		if (of && !series_choice_take(region, of))
			continue;
		foreign_json_put_words(out, json_object_get(root, "globals"));
		if (!put_record(record, json_object_get(root, "attributes"), header, out))
			return err_set(e, ERR_NOMEM, "%s: its columns", foreign_input_name(in));
		if (of)
			foreign_table_put(out, "region", of);
		if ((rc = foreign_table_end_row(out, foreign_json_line(j, record), e)))
			return rc;
	}
	return series_choice_judge(region, in, e);
}

static enum err_code read_query(struct foreign_input *in, const struct foreign_json *j,
				struct foreign_table *out, struct err *e)
{
	struct series_choice region = {.what = "region",
				       .flag = "--region",
				       .wanted = foreign_input_choice(in)->region,
				       .may_be_all = true};
	struct strbuf header = STRBUF_INIT;
	enum err_code rc = read_records_of(in, j, &region, &header, out, e);

	series_choice_release(&region);
	strbuf_release(&header);
	return rc;
}

static enum err_code read_caliper(struct foreign_input *in, struct foreign_table *out,
				  struct err *e)
{
	struct foreign_json *j = NULL;
	enum err_code rc = foreign_json_read(in, &j, e);

	if (!rc && json_object_get(foreign_json_root(j), "data"))
		rc = read_split(in, j, out, e);
	else if (!rc)
		rc = read_query(in, j, out, e);
	foreign_json_free(j);
	return rc;
}

const struct foreign_format format_caliper = {
	.name = "caliper",
	.title = "a profile of Caliper (json-split, or JSON of cali-query)",
	.recognise = is_caliper,
	.read = read_caliper,
	.takes_region = true,
};
