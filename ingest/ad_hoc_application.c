#include "ingest/ad_hoc_application.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_form.h"
#include "ingest/cell_number.h"
#include "ingest/field_names.h"
#include "ingest/header_kin.h"
#include "ingest/row_parts.h"
#include "ingest/size_columns.h"
#include "ingest/table_style.h"
#include "ingest/unused_column.h"

/* One under way. */
struct completion {
	const struct ingest_options *o;
	struct text_table *table;
	const struct application *known; /* of that name; NULL: it is new */
	struct ad_hoc_application *out;
	struct strbuf *notes;
};

/* ---- resources ---- */

/* Has a flag a word for the column? */
static bool is_spoken_for(const struct completion *j, const char *header)
{
	const struct ad_hoc *spec = &j->out->spec;
	const char *const *map = j->o->map;
	size_t n = strlen(header);

	for (size_t i = 0; map && map[i]; i++) {
		if (strncmp(map[i], header, n) == 0 && map[i][n] == '=')
			return true;
	}
	return strcmp(header, spec->target) == 0 || text_list_has(spec->problem, header) ||
	       text_list_has(spec->tunable, header) || text_list_has(spec->grid, header) ||
	       text_list_has(spec->resource_column, header);
}

/* Columns that a header calls nodes and no flag has a word for, behind those of --resource; returns
 * how many there are in all. */
static size_t list_resources(struct completion *j)
{
	const struct ad_hoc *spec = &j->out->spec;
	size_t n = text_list_length(spec->resource_column);

	for (size_t i = 0; i < n; i++) {
		j->out->resource_column[i] = spec->resource_column[i];
		j->out->resource_field[i] = spec->resource_field[i];
	}
	for (size_t i = 0; i < text_table_n_columns(j->table); i++) {
		const char *header = text_table_column(j->table, i);
		const char *field = header_kin_resource(header, false);

		if (!field || text_list_has(j->out->resource_field, field) ||
		    is_spoken_for(j, header) ||
		    (strcmp(field, "procs") == 0 && text_list_length(spec->grid) > 0) ||
		    (j->known && application_column(j->known, field) == SIZE_MAX))
			continue;
		j->out->resource_column[n] = header;
		j->out->resource_field[n++] = field;
	}
	return n;
}

/* A column of counts that a header calls nodes is a resource, named so or not.
 * Were it passed over, runs on one node and on sixteen would be repeats of each other. */
static enum err_code find_resources(struct completion *j, struct err *e)
{
	size_t n_named = text_list_length(j->out->spec.resource_column);
	size_t n_max = n_named + text_table_n_columns(j->table), n, n_kept = n_named;
	enum column_cells *cells = calloc(n_max + 1, sizeof *cells);
	enum err_code rc;

	j->out->resource_column = calloc(n_max + 1, sizeof *j->out->resource_column);
	j->out->resource_field = calloc(n_max + 1, sizeof *j->out->resource_field);
	if (!cells || !j->out->resource_column || !j->out->resource_field) {
		free(cells);
		return err_set(e, ERR_NOMEM, "the columns of %s", j->out->spec.name);
	}
	n = list_resources(j);
	rc = n > n_named && !j->known
		     ? column_cells_find(j->table, j->out->resource_column, cells, e)
		     : ERR_OK;
	for (size_t i = n_named; i < n; i++) {
		const char *header = j->out->resource_column[i], *field = j->out->resource_field[i];

		j->out->resource_column[i] = j->out->resource_field[i] = NULL;
		if (cells[i] != CELLS_NUMBERS)
			continue; /* names of nodes */
		j->out->resource_column[n_kept] = header;
		j->out->resource_field[n_kept++] = field;
		if (!j->known)
			strbuf_printf(
				j->notes,
				"%.60s: the resource %s, as its name says (--map %.60s=extra keeps it out)\n",
				header, field, header);
	}
	j->out->spec.resource_column = j->out->resource_column;
	j->out->spec.resource_field = j->out->resource_field;
	free(cells);
	return rc;
}

/* ---- columns that nobody named, and that tell the time ---- */

/* Does a flag, or the import, know what the column is? */
static bool is_known(const struct completion *j, size_t i)
{
	const char *header = text_table_column(j->table, i);
	const enum field_kind kind = field_kind_of_header(header);

	return is_spoken_for(j, header) || text_list_has(j->out->resource_column, header) ||
	       outcome_of_header(header) != OUTCOME_NONE ||
	       (!text_table_is_foreign(j->table) && row_parts_names_figures(header)) ||
	       (kind == FIELD_MACHINE ? !j->o->machine : kind != FIELD_KIND_COUNT);
}

/* By the flags of an application that is made of them. */
static enum column_part part_by_flags(const void *arg, size_t i)
{
	const struct completion *j = arg;
	const struct ad_hoc *spec = &j->out->spec;
	const char *header = text_table_column(j->table, i);

	if (i == text_table_find(j->table, spec->target))
		return PART_TIME;
	if (text_list_has(spec->problem, header) || text_list_has(spec->tunable, header) ||
	    text_list_has(spec->grid, header) || text_list_has(spec->resource_column, header))
		return PART_SETTING;
	return is_known(j, i) ? PART_OTHER : PART_UNUSED;
}

/* Dates and numbers tell when or how, but nobody chooses them as they stand. */
static bool is_choice(const struct completion *j, const struct unused_column *c)
{
	const char *header = text_table_column(j->table, c->i);

	return c->words && !c->personal && !c->untold && !c->circumstance && !(*c->slow >= '0' && *c->slow <= '9') &&
	       field_kind_of_header(header) != FIELD_MACHINE && !header_kin_resource(header, true);
}

/* A column of words that tells the time is a choice, named so or not; of others it is said. Of an
 * application that is there already, choices are what they were. */
static enum err_code find_unused(struct completion *j, struct err *e)
{
	const struct ad_hoc *spec = &j->out->spec;
	size_t n_tunable = text_list_length(spec->tunable), n = 0;
	struct unused_column *found = NULL;
	enum err_code rc = unused_columns_find(j->table, part_by_flags, j, &found, &n, e);

	j->out->tunable =
		calloc(n_tunable + text_table_n_columns(j->table) + 1, sizeof *j->out->tunable);
	if (!rc && !j->out->tunable)
		rc = err_set(e, ERR_NOMEM, "the columns of %s", spec->name);
	for (size_t i = 0; !rc && i < n_tunable; i++)
		j->out->tunable[i] = spec->tunable[i];
	for (size_t i = 0; !rc && j->known && i < text_table_n_columns(j->table); i++) {
		const char *header = text_table_column(j->table, i);
		const size_t c = application_column(j->known, header);

		if (!is_known(j, i) && c != SIZE_MAX && j->known->column[c].role == COL_TUNABLE)
			j->out->tunable[n_tunable++] = header;
	}
	for (size_t i = 0; !rc && i < n; i++) {
		const char *header = text_table_column(j->table, found[i].i);
		const bool taken = !j->known && is_choice(j, &found[i]);

		if (taken)
			j->out->tunable[n_tunable++] = header;
		if (taken || !text_list_has(j->out->tunable, header))
			unused_column_put_note(&found[i], header, taken, NULL, j->notes);
	}
	j->out->spec.tunable = j->out->tunable;
	free(found);
	return rc;
}

/* ---- columns of words, and of sizes with their unit ---- */

/* Of an application that is there already, cells are what they were. */
static enum column_cells known_cells(const struct application *known, const char *column)
{
	const size_t i = application_column(known, column);

	if (i == SIZE_MAX)
		return CELLS_NUMBERS;
	if (known->column[i].type == COL_TEXT)
		return CELLS_WORDS;
	return cell_unit_bytes(known->column[i].unit) > 0 ? CELLS_BYTES : CELLS_NUMBERS;
}

/* Columns of words, and of sizes with their unit, each to its list. What is chosen is passed to the
 * program as it was written ("4M"): such a size is a word. */
static void add_words(struct completion *j, const char *const *list, const enum column_cells *cells,
		      bool chosen)
{
	for (size_t i = 0; list && list[i]; i++) {
		const enum column_cells c = j->known ? known_cells(j->known, list[i]) : cells[i];
		const bool bytes = c == CELLS_BYTES && !chosen;
		const char **to = bytes ? j->out->bytes : j->out->categorical;

		if (c == CELLS_NUMBERS || text_list_has(j->out->categorical, list[i]))
			continue;
		to[text_list_length(to)] = list[i];
		if (!j->known)
			strbuf_printf(j->notes, "%.60s: %s\n", list[i],
				      bytes ? "sizes with their units, so it is in bytes"
					    : "words, so it is categorical");
	}
}

/* Columns of words are categorical, named so or not. */
static enum err_code find_words(struct completion *j, struct err *e)
{
	const struct ad_hoc *spec = &j->out->spec;
	size_t n_problem = text_list_length(spec->problem);
	size_t n_all = n_problem + text_list_length(spec->tunable);
	enum column_cells *cells = calloc(n_all + 1, sizeof *cells);
	enum err_code rc = ERR_OK;

	j->out->categorical = calloc(n_all + text_list_length(spec->categorical) + 1,
				     sizeof *j->out->categorical);
	j->out->bytes = calloc(n_all + 1, sizeof *j->out->bytes);
	if (!cells || !j->out->categorical || !j->out->bytes) {
		free(cells);
		return err_set(e, ERR_NOMEM, "the columns of %s", spec->name);
	}
	for (size_t i = 0; spec->categorical && spec->categorical[i]; i++)
		j->out->categorical[i] = spec->categorical[i];
	if (!j->known && !(rc = column_cells_find(j->table, spec->problem, cells, e)))
		rc = column_cells_find(j->table, spec->tunable, cells + n_problem, e);
	if (!rc) {
		add_words(j, spec->problem, cells, false);
		add_words(j, spec->tunable, cells + n_problem, true);
	}
	j->out->spec.categorical = j->out->categorical;
	j->out->spec.bytes = j->out->bytes;
	free(cells);
	return rc;
}

/* ---- columns of sizes ---- */

/* Their parts stand for them. */
static enum err_code find_sizes(struct completion *j, struct err *e)
{
	struct ad_hoc_application *c = j->out;
	struct ad_hoc *spec = &c->spec;
	enum err_code rc = size_columns_split_all(j->table, spec, j->known, &c->sizes, j->notes, e);

	if (rc)
		return rc;
	c->problem = size_columns_expand(spec->problem, c->sizes);
	c->named_tunable = size_columns_expand(spec->tunable, c->sizes);
	c->grid = size_columns_expand(spec->grid, c->sizes);
	if (!c->problem || !c->named_tunable || !c->grid)
		return err_set(e, ERR_NOMEM, "the columns of %s", spec->name);
	spec->problem = c->problem;
	spec->tunable = c->named_tunable;
	spec->grid = c->grid;
	spec->sizes = c->sizes;
	return ERR_OK;
}

/* ---- all together ---- */

enum err_code ad_hoc_application_complete(struct kb *kb, struct text_table *t,
					  const struct ingest_options *o,
					  struct ad_hoc_application *out, struct strbuf *notes,
					  struct err *e)
{
	struct application *known = NULL;
	struct completion j = {.o = o, .table = t, .out = out, .notes = notes};
	enum err_code rc;

	(void)kb_get_application(kb, o->ad_hoc->name, &known, NULL, NULL); /* or it is new */
	j.known = known;
	out->spec = *o->ad_hoc;
	if (!(rc = find_sizes(&j, e)) && !(rc = find_resources(&j, e)) &&
	    !(rc = find_unused(&j, e)))
		rc = find_words(&j, e);
	application_free(known);
	return rc;
}

void ad_hoc_application_release(struct ad_hoc_application *c)
{
	free(c->problem);
	free(c->named_tunable);
	free(c->grid);
	free(c->categorical);
	free(c->bytes);
	free(c->resource_column);
	free(c->resource_field);
	free(c->tunable);
	size_columns_free(c->sizes);
}
