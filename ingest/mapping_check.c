#include "ingest/mapping_check.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text_form.h"
#include "ingest/header_kin.h"
#include "kb/kb.h"

enum { LISTED_MAX = 500 }; /* characters of a list inside a message */

void mapping_check_list_headers(const struct text_table *t, struct strbuf *out)
{
	for (size_t i = 0; i < text_table_n_columns(t); i++) {
		if (out->len > LISTED_MAX) {
			strbuf_puts(out, ", ...");
			return;
		}
		strbuf_printf(out, "%s'%.60s'", i ? ", " : "", text_table_column(t, i));
	}
}

void mapping_check_list_fields(const struct application *a, struct strbuf *out)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED)
			strbuf_printf(out, "%s, ", a->column[i].name);
	}
	for (size_t i = 0; i < a->n_local; i++)
		strbuf_printf(out, "%s, ", a->local[i].name);
	strbuf_puts(out,
		    "wall_s, app, machine, source, status, exit_code, limit_s, repeat, n_repeats, "
		    "extra, drop");
}

/* ---- completeness ---- */

static bool filled(const struct column_mapping *m, size_t i)
{
	return i != SIZE_MAX && m->of_column[i] != SIZE_MAX;
}

static bool is_derived(const struct application *a, size_t i)
{
	return i != SIZE_MAX && a->column[i].role == COL_DERIVED;
}

/* Can the field be worked out from others when no column fills it? See row_values.c. */
static bool obtainable(const struct column_mapping *m, size_t i)
{
	const struct application *a = m->app;
	bool nodes = filled(m, a->i_nodes);
	bool procs = filled(m, a->i_procs) || is_derived(a, a->i_procs);
	bool ppn = filled(m, a->i_ppn);

	if (filled(m, i) || a->column[i].role == COL_DERIVED || !isnan(a->column[i].dflt))
		return true;
	for (size_t k = 0; k < a->n_local; k++) {
		if (a->local[k].global == i && m->of_local[k] != SIZE_MAX)
			return true;
	}
	if (i == a->i_nodes)
		return procs; /* with processes per node from a column or the machine */
	if (i == a->i_procs)
		return nodes && ppn;
	return i == a->i_ppn && nodes && procs;
}

static void put_missing(const struct application *a, size_t i, struct strbuf *out)
{
	const struct column *c = &a->column[i];

	strbuf_printf(out, "%s%s", out->len ? ", " : "", c->name);
	for (size_t k = 0; k < c->n_alias; k++)
		strbuf_printf(out, "%s%s", k ? ", " : " (also called ", c->alias[k]);
	for (size_t k = 0; k < a->n_local; k++) {
		if (a->local[k].global == i)
			strbuf_printf(out, "%s%s", c->n_alias ? ", or per processor " : " (or ",
				      a->local[k].name);
	}
	if (c->n_alias)
		strbuf_putc(out, ')');
}

/* May the header of a column that is kept beside the runs mean a field? */
static const char *suggestion(const struct column_mapping *m, size_t i, size_t *i_column)
{
	const struct mapped_field *f = &m->field[i];

	if (f->kind != FIELD_EXTRA || f->derived || f->overruled || f->by_user ||
	    f->outcome != OUTCOME_NONE)
		return NULL;
	return header_kin_suggest(m, i, i_column);
}

static bool suggests(const struct column_mapping *m, size_t i)
{
	size_t i_column;

	return suggestion(m, i, &i_column) != NULL;
}

/* ", perhaps --map k_blck=mk --map ...": for the run time, or for what the definition wants. */
static void put_likely(const struct column_mapping *m, bool for_time, struct strbuf *out)
{
	for (size_t i = 0; i < text_table_n_columns(m->table) && out->len < LISTED_MAX; i++) {
		size_t i_column;
		const char *field = suggestion(m, i, &i_column);

		if (!field ||
		    (i_column != SIZE_MAX ? for_time || !isnan(m->app->column[i_column].dflt)
					  : !for_time))
			continue;
		strbuf_puts(out, out->len ? " " : ", perhaps ");
		header_kin_put_map(text_table_column(m->table, i), field, out);
	}
}

static enum err_code check_time(const struct column_mapping *m, struct err *e)
{
	const struct text_table *t = m->table;
	size_t i = m->of_kind[FIELD_TIME];
	struct strbuf headers = STRBUF_INIT;
	struct strbuf likely = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	if (i == SIZE_MAX) {
		mapping_check_list_headers(t, &headers);
		put_likely(m, true, &likely);
		rc = err_set(e, ERR_PARSE,
			     "%s:%llu: no column is the run time '%s': name it with --map "
			     "COLUMN=wall_s%s; the columns are %s",
			     text_table_name(t), (unsigned long long)text_table_header_line(t),
			     m->app->target, strbuf_text(&likely), strbuf_text(&headers));
	} else if (m->time_is_aggregate && m->of_kind[FIELD_N_REPEATS] == SIZE_MAX)
		rc = err_set(e, ERR_PARSE,
			     "%s:%llu: %s: of how many runs? Name the column that says it with "
			     "--map COLUMN=n_repeats, or take the times as single runs with --map "
			     "'%s=wall_s'",
			     text_table_name(t), (unsigned long long)text_table_header_line(t),
			     text_table_column(t, i), text_table_column(t, i));
	strbuf_release(&headers);
	strbuf_release(&likely);
	return rc;
}

enum err_code mapping_check(const struct column_mapping *m, const struct mapping_request *q,
			    struct err *e)
{
	const struct application *a = m->app;
	struct strbuf missing = STRBUF_INIT;
	struct strbuf headers = STRBUF_INIT;
	struct strbuf likely = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < a->n_columns; i++) {
		/* A prediction may do without the number of nodes, or find it from the machine. */
		if (!obtainable(m, i) && !(q->configurations && i == a->i_nodes))
			put_missing(a, i, &missing);
	}
	mapping_check_list_headers(m->table, &headers);
	if (!q->configurations)
		put_likely(m, false, &likely);
	if (missing.failed || headers.failed || likely.failed)
		rc = err_set(e, ERR_NOMEM, "%s: no memory", text_table_name(m->table));
	else if (missing.len > 0)
		rc = err_set(e, ERR_PARSE, "%s:%llu: no column for %s%s%s; the columns are %s",
			     text_table_name(m->table),
			     (unsigned long long)text_table_header_line(m->table),
			     strbuf_text(&missing),
			     q->configurations ? "" : ": name them with --map COLUMN=FIELD",
			     strbuf_text(&likely), strbuf_text(&headers));
	else if (!q->configurations)
		rc = check_time(m, e);
	strbuf_release(&missing);
	strbuf_release(&headers);
	strbuf_release(&likely);
	return rc;
}

/* ---- notes ---- */

enum about { ABOUT_EXTRA, ABOUT_DATE, ABOUT_DERIVED, ABOUT_OVERRULED, ABOUT_PERSONAL };

static bool is_about(const struct column_mapping *m, size_t i, enum about about)
{
	const struct mapped_field *f = &m->field[i];
	const bool date = kb_is_date_name(text_table_column(m->table, i));

	switch (about) {
	case ABOUT_EXTRA:
	case ABOUT_DATE:
		return f->kind == FIELD_EXTRA && !f->derived && !f->overruled &&
		       f->outcome == OUTCOME_NONE && !suggests(m, i) &&
		       date == (about == ABOUT_DATE);
	case ABOUT_DERIVED:
		return f->kind == FIELD_EXTRA && f->derived;
	case ABOUT_OVERRULED:
		return f->overruled;
	case ABOUT_PERSONAL:
		return f->kind == FIELD_DROP && field_is_personal(text_table_column(m->table, i));
	}
	return false;
}

/* A header in a note, which is a line: without what would break it, and cut between characters. */
static void put_header(const char *header, struct strbuf *out)
{
	size_t n = utf8_first_invalid(header, strnlen(header, 60));

	for (size_t i = 0; i < n; i++)
		strbuf_putc(out, header[i] == '\n' || header[i] == '\r' ? ' ' : header[i]);
}

static void put_suggestions(const struct column_mapping *m, struct strbuf *out)
{
	for (size_t i = 0; i < text_table_n_columns(m->table); i++) {
		struct strbuf header = STRBUF_INIT;
		size_t i_column;
		const char *field = suggestion(m, i, &i_column);

		if (!field)
			continue;
		put_header(text_table_column(m->table, i), &header);
		strbuf_printf(out, "%s: kept beside the runs", strbuf_text(&header));
		if (i_column != SIZE_MAX && !isnan(m->app->column[i_column].dflt)) {
			strbuf_printf(out, "; %s = ", field);
			strbuf_put_number(out, m->app->column[i_column].dflt);
			strbuf_puts(out, " was assumed");
		}
		strbuf_puts(out, ". Did you mean ");
		header_kin_put_map(strbuf_text(&header), field, out);
		strbuf_puts(out, "?\n");
		strbuf_release(&header);
	}
}

static void put_list_note(const struct column_mapping *m, enum about about, const char *what,
			  struct strbuf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < text_table_n_columns(m->table); i++) {
		if (!is_about(m, i, about))
			continue;
		strbuf_puts(out, n++ ? ", " : "");
		put_header(text_table_column(m->table, i), out);
	}
	if (n > 0)
		strbuf_printf(out, ": %s\n", what);
}

void mapping_check_put_notes(const struct column_mapping *m, struct strbuf *out)
{
	const struct application *a = m->app;
	bool any_default = false;

	for (size_t i = 0; i < text_table_n_columns(m->table); i++) {
		const struct mapped_field *f = &m->field[i];
		const char *header = text_table_column(m->table, i);

		if (f->kind == FIELD_TIME && f->unit_assumed)
			strbuf_printf(out,
				      "%s: no unit is named, %g s each assumed (--unit %s=ms)\n",
				      header, f->unit.multiplier / f->unit.divisor, header);
		if (f->by_kin) {
			put_header(header, out);
			strbuf_printf(out, ": read as %s (",
				      f->kind == FIELD_TIME ? "the run time"
							    : column_mapping_field_name(m, f));
			header_kin_put_map(header, "extra", out);
			strbuf_puts(out, " if it is not)\n");
		}
		if (f->kind == FIELD_N_REPEATS)
			strbuf_printf(
				out,
				"%s: read as the number of runs behind each row (--map %s=extra if it is not)\n",
				header, header);
	}
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == COL_WORKLOAD && !filled(m, i)) {
			strbuf_printf(out, "%s%s = ", any_default ? ", " : "", a->column[i].name);
			strbuf_put_number(out, a->column[i].dflt);
			any_default = true;
		}
	}
	if (any_default)
		strbuf_puts(out, ": assumed, the file does not say\n");
	put_suggestions(m, out);
	put_list_note(m, ABOUT_EXTRA, "kept beside the runs, not used", out);
	put_list_note(m, ABOUT_DATE,
		      "kept beside the runs: dates tell mine where the system changed", out);
	put_list_note(m, ABOUT_DERIVED,
		      "kept beside the runs, not used: a column of this name is computed", out);
	put_list_note(m, ABOUT_OVERRULED,
		      "kept beside the runs, not used: the command line decides", out);
	put_list_note(m, ABOUT_PERSONAL, "personal, not stored (--keep-personal stores it)", out);
}
