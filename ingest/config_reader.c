#include "ingest/config_reader.h"
#include "ingest/ingest.h"

#include <stdlib.h>
#include <string.h>

#include "ingest/column_mapping.h"
#include "ingest/row_values.h"
#include "ingest/size_columns.h"
#include "ingest/text_table.h"

struct config_reader {
	const struct application *app;
	struct text_table *table;
	struct column_mapping mapping;
	struct row_values values;
	struct reject why;
	uint64_t line; /* of the record read last */
	struct strbuf raw;
	struct strbuf bad;
};

enum err_code config_reader_open(const char *path, const struct application *a,
				 struct config_reader **out, struct err *e)
{
	struct mapping_request q = {.app = a, .configurations = true};
	struct config_reader *r = calloc(1, sizeof *r);
	enum err_code rc;

	if (!r)
		return err_set(e, ERR_NOMEM, "%s: no memory to read it", path);
	r->app = a;
	/* Not hashed, so that a pipe is answered row by row. */
	if ((rc = text_table_open(path, 0, &r->table, e)) ||
	    (rc = size_columns_split_groups(r->table, a, NULL, e)) ||
	    (rc = column_mapping_make(r->table, &q, &r->mapping, e)) ||
	    (rc = row_values_init(&r->values, &r->mapping, NULL, e))) {
		config_reader_close(r);
		return rc;
	}
	*out = r;
	return ERR_OK;
}

const char *config_reader_header(const struct config_reader *r)
{
	return text_table_header_raw(r->table);
}

char config_reader_delimiter(const struct config_reader *r)
{
	return text_table_delimiter(r->table);
}

bool config_reader_has_machine(const struct config_reader *r)
{
	return r->mapping.of_kind[FIELD_MACHINE] != SIZE_MAX;
}

static const char *cell(const struct config_reader *r, const struct table_record *rec,
			enum field_kind kind)
{
	size_t i = r->mapping.of_kind[kind];

	return i == SIZE_MAX ? NULL : rec->field[i];
}

static bool read_record(struct config_reader *r, const struct table_record *rec)
{
	const char *app;

	if (rec->bad) {
		reject_begin(&r->why, "", "", rec->bad_kind);
		strbuf_puts(&r->why.reason, rec->bad);
		return false;
	}
	app = cell(r, rec, FIELD_APP);
	if (app && !application_is(r->app, app)) {
		reject_begin(&r->why, text_table_column(r->table, r->mapping.of_kind[FIELD_APP]),
			     app, "another application");
		strbuf_printf(&r->why.reason, "'%.60s' is not %s", app, r->app->name);
		return false;
	}
	return row_values_read(&r->values, rec, 0, &r->why);
}

enum err_code config_reader_next(struct config_reader *r, const char **raw, double *row,
				 const char **machine, const char **bad, struct err *e)
{
	struct table_record rec;
	enum err_code rc;

	*raw = *machine = *bad = NULL;
	if ((rc = text_table_next(r->table, &rec, e)) || !rec.raw)
		return rc;
	r->line = rec.line;
	strbuf_clear(&r->raw);
	strbuf_add(&r->raw, rec.raw, rec.raw_len);
	strbuf_clear(&r->bad);
	if (read_record(r, &rec)) {
		memcpy(row, r->values.row, r->app->n_columns * sizeof *row);
		*machine = cell(r, &rec, FIELD_MACHINE);
	} else {
		strbuf_printf(&r->bad, "%s:%llu: %s%s%s", text_table_name(r->table),
			      (unsigned long long)rec.line, r->why.column,
			      *r->why.column ? ": " : "", strbuf_text(&r->why.reason));
		*bad = strbuf_text(&r->bad);
	}
	if (r->raw.failed || r->bad.failed || r->why.reason.failed)
		return err_set(e, ERR_NOMEM, "%s: no memory", text_table_name(r->table));
	*raw = strbuf_text(&r->raw);
	return ERR_OK;
}

const char *config_reader_name(const struct config_reader *r)
{
	return text_table_name(r->table);
}

uint64_t config_reader_line(const struct config_reader *r)
{
	return r->line;
}

void config_reader_close(struct config_reader *r)
{
	if (!r)
		return;
	row_values_release(&r->values);
	column_mapping_release(&r->mapping);
	text_table_close(r->table);
	reject_release(&r->why);
	strbuf_release(&r->raw);
	strbuf_release(&r->bad);
	free(r);
}
