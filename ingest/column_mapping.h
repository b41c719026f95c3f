#ifndef INGEST_COLUMN_MAPPING_H
#define INGEST_COLUMN_MAPPING_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "ingest/cell_number.h"
#include "ingest/field_names.h"
#include "ingest/text_table.h"

/* Which column of a table fills which field of a run: by --map, by the names and aliases of the
 * definition, by the words every table of runs shares, by other words for a field that is still
 * free. Nothing is guessed between two: that is an error that says how to choose. */

struct mapped_field {
	enum field_kind kind;
	size_t index; /* FIELD_COLUMN: of app->column; FIELD_LOCAL: of app->local; else 0 */
	struct cell_unit unit;
	bool unit_assumed; /* a time whose header names no unit */
	bool unit_named;   /* by the header or --unit, not only by the definition */
	bool derived;	   /* FIELD_EXTRA: the application computes a column of this name */
	bool by_kin;	   /* another word for the field than the definition has */
	bool by_user;	   /* --map */
	/* FIELD_EXTRA: what it says of the end of a run all the same; run_outcome_find() sets it */
	enum outcome_reading outcome;
	bool overruled; /* FIELD_EXTRA: --machine or --source says what it would have said */
};

struct column_mapping {
	const struct application *app;
	const struct text_table *table;
	struct mapped_field *field; /* [text_table_n_columns()] */
	size_t *of_column; /* [app->n_columns] table column that fills it; SIZE_MAX: none */
	size_t *of_local;  /* [app->n_local] */
	size_t of_kind[FIELD_KIND_COUNT]; /* the others; SIZE_MAX: none. Not EXTRA and DROP */
	bool time_is_aggregate;		  /* the time column is a mean or median */
};

struct mapping_request {
	const struct application *app;
	const char *const *map;	 /* "COL=FIELD", NULL-terminated; may be NULL */
	const char *const *unit; /* "COL=ms" */
	bool machine_given;	 /* --machine decides, not a column */
	bool source_given;
	bool keep_personal;
	bool exact; /* the application was made for this table: no other words for its columns */
	bool configurations; /* no run time is wanted (a column of it is passed over) */
	const struct table_record *first; /* row, for what only cells tell; may be NULL */
	struct strbuf *notes;		  /* one line each is added; may be NULL */
};

/* Errors: ARG (--map or --unit names no such column, field or unit), PARSE (file and line: two
 * columns for one field, a field without a column, a unit that does not fit). */
enum err_code column_mapping_make(const struct text_table *t, const struct mapping_request *q,
				  struct column_mapping *out, struct err *e);
void column_mapping_release(struct column_mapping *m);
/* "it_g", "it", "wall_s", "machine", "extra", ... */
const char *column_mapping_field_name(const struct column_mapping *m, const struct mapped_field *f);
/* Canonical text, part of an import's identity: "it_g=it_g;time_ms=wall_s*1/1000;user=drop". */
void column_mapping_put_text(const struct column_mapping *m, struct strbuf *out);

/* The column that says which application (FIELD_APP) or machine (FIELD_MACHINE) a row belongs to,
 * before an application is known: --map COL=app or its name; *out SIZE_MAX: none. Errors: NOMEM. */
enum err_code column_mapping_find(const struct text_table *t, const char *const *map,
				  enum field_kind kind, size_t *out, struct err *e);

#endif
