#include "ingest/formats/foreign_table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/formats/row_match.h"

/* Cells lie one behind another as they were put, each the number of its column and its text. */
struct foreign_row {
	size_t at; /* of its first cell */
	size_t n_cells;
	uint64_t line;
	const char *bad_kind; /* then its cells are the reason and the text */
};

struct foreign_table {
	const char *name;
	uint64_t max_bytes;
	char **column;
	bool *needs_unit; /* [cap_columns] */
	size_t n_columns, cap_columns;
	size_t *slot; /* [n_slots] of an open-addressing hash table: the column's index + 1; 0: free
		       */
	size_t n_slots;
	struct strbuf cells;
	struct foreign_row *row; /* row[n_rows] is under way */
	size_t n_rows, cap_rows;
	struct foreign_row open;
	uint64_t header_line;
	struct row_match **match; /* a row must look like all of them */
	size_t n_match;
	size_t n_unlike; /* rows that do not */
	const struct row_match *first_unlike;
	struct strbuf example; /* what that row has instead */
	bool names_claimed;
	struct strbuf notes;
	bool no_memory;
	bool too_many_columns;
	bool too_large; /* the row under way does not fit into max_bytes */
};

enum err_code foreign_table_new(const char *name, uint64_t max_bytes, struct foreign_table **out,
				struct err *e)
{
	struct foreign_table *t = calloc(1, sizeof *t);

	if (!t)
		return err_set(e, ERR_NOMEM, "%s: no memory for a table", name);
	t->name = name;
	t->max_bytes = max_bytes;
	t->header_line = 1;
	*out = t;
	return ERR_OK;
}

/* ---- columns ---- */

/* FNV-1a, Fowler, Noll and Vo, 64 bits. */
static size_t hash(const char *text)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return (size_t)(h ^ (h >> 32));
}

/* The slot that has the column, or the free one where it would be. */
static size_t find_slot(const struct foreign_table *t, const char *column)
{
	size_t i = hash(column) & (t->n_slots - 1);

	while (t->slot[i] && strcmp(t->column[t->slot[i] - 1], column) != 0)
		i = (i + 1) & (t->n_slots - 1);
	return i;
}

/* At most half of the slots are taken. */
static bool grow_slots(struct foreign_table *t)
{
	size_t n = t->n_slots ? t->n_slots * 2 : 64;
	size_t *slot = calloc(n, sizeof *slot);

	if (!slot)
		return false;
	free(t->slot);
	t->slot = slot;
	t->n_slots = n;
	for (size_t i = 0; i < t->n_columns; i++)
		t->slot[find_slot(t, t->column[i])] = i + 1;
	return true;
}

static bool add_column(struct foreign_table *t, const char *column)
{
	if (t->n_columns == t->cap_columns) {
		size_t cap = t->cap_columns ? t->cap_columns * 2 : 32;
		char **grown = realloc(t->column, cap * sizeof *grown);

		bool *needs;

		if (!grown)
			return false;
		t->column = grown;
		needs = realloc(t->needs_unit, cap * sizeof *needs);
		if (!needs)
			return false;
		t->needs_unit = needs;
		t->cap_columns = cap;
	}
	if (2 * (t->n_columns + 1) > t->n_slots && !grow_slots(t))
		return false;
	t->column[t->n_columns] = strdup(column);
	if (!t->column[t->n_columns])
		return false;
	t->needs_unit[t->n_columns] = false;
	t->slot[find_slot(t, column)] = ++t->n_columns;
	return true;
}

size_t foreign_table_column(struct foreign_table *t, const char *column)
{
	size_t i = t->n_slots ? t->slot[find_slot(t, column)] : 0;

	if (i > 0)
		return i - 1;
	if (t->n_columns == FOREIGN_COLUMNS_MAX) {
		t->too_many_columns = true;
		return SIZE_MAX;
	}
	if (!add_column(t, column)) {
		t->no_memory = true;
		return SIZE_MAX;
	}
	return t->n_columns - 1;
}

/* ---- cells ---- */

static bool has_room(struct foreign_table *t, size_t n)
{
	t->too_large |= n > t->max_bytes || t->cells.len > t->max_bytes - n;
	return !t->too_large;
}

static void put(struct foreign_table *t, size_t i_column, const char *text, size_t n)
{
	uint32_t i = (uint32_t)i_column;

	if (i_column == SIZE_MAX || !has_room(t, sizeof i + n + 1))
		return;
	assert(i_column < t->n_columns);
	strbuf_add(&t->cells, (const char *)&i, sizeof i);
	strbuf_add(&t->cells, text, n);
	strbuf_putc(&t->cells, '\0');
	t->open.n_cells++;
}

void foreign_table_put(struct foreign_table *t, const char *column, const char *text)
{
	put(t, foreign_table_column(t, column), text, strlen(text));
}

void foreign_table_put_n(struct foreign_table *t, const char *column, const char *text, size_t n)
{
	put(t, foreign_table_column(t, column), text, n);
}

void foreign_table_put_number(struct foreign_table *t, const char *column, double value)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_put_number(&text, value);
	t->no_memory |= text.failed;
	foreign_table_put(t, column, strbuf_text(&text));
	strbuf_release(&text);
}

static enum err_code keep_row(struct foreign_table *t, struct err *e)
{
	if (t->n_rows == t->cap_rows) {
		size_t cap = t->cap_rows ? t->cap_rows * 2 : 64;
		struct foreign_row *grown = realloc(t->row, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%s: a table of %zu rows", t->name, cap);
		t->row = grown;
		t->cap_rows = cap;
	}
	t->row[t->n_rows++] = t->open;
	t->open = (struct foreign_row){.at = t->cells.len};
	return ERR_OK;
}

/* ---- which rows are taken ---- */

enum err_code foreign_table_match(struct foreign_table *t, const char *spec, struct err *e)
{
	struct row_match **grown = realloc(t->match, (t->n_match + 1) * sizeof *grown);
	enum err_code rc;

	if (!grown)
		return err_set(e, ERR_NOMEM, "--match %.200s", spec);
	t->match = grown;
	if ((rc = row_match_new(spec, &t->match[t->n_match], e)))
		return rc;
	t->n_match++;
	return ERR_OK;
}

/* The cell of the row under way; NULL: it has none. */
static const char *open_cell(const struct foreign_table *t, size_t i_column)
{
	const char *at = strbuf_text(&t->cells) + t->open.at, *found = NULL;

	for (size_t k = 0; k < t->open.n_cells; k++) {
		uint32_t i;

		memcpy(&i, at, sizeof i);
		at += sizeof i;
		if (i == i_column)
			found = at;
		at += strlen(at) + 1;
	}
	return found;
}

static size_t find_column(const struct foreign_table *t, const char *column)
{
	return t->n_slots ? t->slot[find_slot(t, column)] - 1 : SIZE_MAX; /* 0 - 1: SIZE_MAX */
}

/* A name must not be that of a column which the file has. Once captures have made columns of the
 * names, a column of the file's that comes later shows by its cell. */
static enum err_code claim_names(struct foreign_table *t, const struct row_match *m, struct err *e)
{
	for (size_t i = 0; i < row_match_n_names(m); i++) {
		size_t i_column = find_column(t, row_match_name(m, i));

		if (i_column != SIZE_MAX && (!t->names_claimed || open_cell(t, i_column)))
			return err_set(e, ERR_ARG,
				       "--match %.60s=%.200s: %s has a column %.60s of its own",
				       row_match_column(m), row_match_template(m), t->name,
				       row_match_name(m, i));
	}
	return ERR_OK;
}

/* Its captures become cells. Cells may move while others are put, so they are put from a copy. */
static bool row_looks_like(struct foreign_table *t, const struct row_match *m)
{
	struct row_capture capture[ROW_MATCH_NAMES_MAX];
	const char *cell = open_cell(t, find_column(t, row_match_column(m)));
	struct strbuf text = STRBUF_INIT;
	bool like;

	strbuf_puts(&text, cell ? cell : "");
	t->no_memory |= text.failed;
	like = row_match_run(m, strbuf_text(&text), capture);
	for (size_t i = 0; like && i < row_match_n_names(m); i++)
		foreign_table_put_n(t, capture[i].name, capture[i].at, capture[i].len);
	if (!like && t->n_unlike++ == 0) {
		strbuf_printf(&t->example, "%.60s", strbuf_text(&text));
		t->first_unlike = m;
	}
	strbuf_release(&text);
	return like;
}

static enum err_code match_row(struct foreign_table *t, bool *wanted, struct err *e)
{
	enum err_code rc;

	*wanted = true;
	for (size_t i = 0; i < t->n_match; i++) {
		if ((rc = claim_names(t, t->match[i], e)))
			return rc;
	}
	t->names_claimed = true;
	for (size_t i = 0; *wanted && i < t->n_match && !t->cells.failed; i++)
		*wanted = row_looks_like(t, t->match[i]);
	return ERR_OK;
}

static enum err_code no_such_column(const struct foreign_table *t, const char *column,
				    struct err *e)
{
	struct strbuf names = STRBUF_INIT;
	enum err_code rc;

	for (size_t i = 0; i < t->n_columns && names.len < 300; i++)
		strbuf_printf(&names, "%s%.60s", i ? ", " : "", t->column[i]);
	rc = err_set(e, ERR_ARG, "--match: %s has no column %.60s; its columns are %s", t->name,
		     column, strbuf_text(&names));
	strbuf_release(&names);
	return rc;
}

enum err_code foreign_table_end_match(struct foreign_table *t, struct err *e)
{
	for (size_t i = 0; i < t->n_match; i++) {
		if (find_column(t, row_match_column(t->match[i])) == SIZE_MAX)
			return no_such_column(t, row_match_column(t->match[i]), e);
	}
	if (t->n_unlike == 0)
		return ERR_OK;
	if (t->n_rows == 0)
		return err_set(e, ERR_ARG, "%s: no row has a %.60s like '%.200s': one has '%s'",
			       t->name, row_match_column(t->first_unlike),
			       row_match_template(t->first_unlike), strbuf_text(&t->example));
	foreign_table_note_count(t, "rows passed over, which do not look like --match",
				 t->n_unlike);
	return ERR_OK;
}

static enum err_code too_large(const struct foreign_table *t, uint64_t line, struct err *e)
{
	return err_set(e, ERR_PARSE,
		       "%s:%" PRIu64 ": a table of more than %" PRIu64 " bytes, after %zu rows, "
		       "as each row has its own copy of what stands once in the file: split it, or "
		       "shorten what is repeated",
		       t->name, line, t->max_bytes, t->n_rows);
}

enum err_code foreign_table_end_row(struct foreign_table *t, uint64_t line, struct err *e)
{
	bool wanted = true;
	enum err_code rc;

	if (t->too_large)
		return too_large(t, line, e);
	if (!t->open.bad_kind && t->n_match > 0 && (rc = match_row(t, &wanted, e)))
		return rc;
	if (!wanted) {
		foreign_table_drop_row(t);
		return ERR_OK;
	}
	if (t->too_large) /* by its captures */
		return too_large(t, line, e);
	if (t->too_many_columns)
		return err_set(e, ERR_PARSE, "%s:%" PRIu64 ": more than %d columns", t->name, line,
			       FOREIGN_COLUMNS_MAX);
	if (t->no_memory || t->cells.failed)
		return err_set(e, ERR_NOMEM, "%s:%" PRIu64 ": no memory for the row", t->name,
			       line);
	if ((t->n_rows + 1) * t->n_columns > FOREIGN_CELLS_MAX)
		return err_set(e, ERR_PARSE,
			       "%s:%" PRIu64 ": a table of %zu rows and %zu columns is too large: "
			       "split the file",
			       t->name, line, t->n_rows + 1, t->n_columns);
	t->open.line = line;
	return keep_row(t, e);
}

enum err_code foreign_table_refuse_row(struct foreign_table *t, uint64_t line, const char *kind,
				       const char *reason, const char *text, struct err *e)
{
	foreign_table_drop_row(t);
	if (has_room(t, strlen(reason) + strlen(text) + 2)) {
		strbuf_add(&t->cells, reason, strlen(reason) + 1);
		strbuf_add(&t->cells, text, strlen(text) + 1);
	}
	t->open.bad_kind = kind;
	return foreign_table_end_row(t, line, e);
}

void foreign_table_drop_row(struct foreign_table *t)
{
	if (!t->cells.failed && t->cells.len > t->open.at) {
		t->cells.len = t->open.at;
		t->cells.buf[t->cells.len] = '\0';
	}
	t->open.n_cells = 0;
	t->too_large = false;
}

void foreign_table_need_unit(struct foreign_table *t, const char *column)
{
	size_t i = t->n_slots ? t->slot[find_slot(t, column)] : 0;

	if (i > 0)
		t->needs_unit[i - 1] = true;
}

bool foreign_table_needs_unit(const struct foreign_table *t, size_t i)
{
	assert(i < t->n_columns);
	return t->needs_unit[i];
}

void foreign_table_set_header_line(struct foreign_table *t, uint64_t line)
{
	t->header_line = line;
}

struct strbuf *foreign_table_notes(struct foreign_table *t)
{
	return &t->notes;
}

void foreign_table_note_count(struct foreign_table *t, const char *what, uint64_t n)
{
	if (n > 0)
		strbuf_printf(&t->notes, "%s: %" PRIu64 "\n", what, n);
}

/* ---- what there is ---- */

uint64_t foreign_table_header_line(const struct foreign_table *t)
{
	return t->header_line;
}

size_t foreign_table_n_columns(const struct foreign_table *t)
{
	return t->n_columns;
}

const char *foreign_table_column_name(const struct foreign_table *t, size_t i)
{
	assert(i < t->n_columns);
	return t->column[i];
}

size_t foreign_table_n_rows(const struct foreign_table *t)
{
	return t->n_rows;
}

struct foreign_record foreign_table_row(const struct foreign_table *t, size_t i, const char **field)
{
	const struct foreign_row *r = &t->row[i];
	const char *at = t->cells.buf ? t->cells.buf + r->at : ""; /* no row has a cell */
	struct foreign_record out = {.line = r->line};

	assert(i < t->n_rows);
	for (size_t k = 0; k < t->n_columns; k++)
		field[k] = "";
	if (r->bad_kind) {
		out.bad_kind = r->bad_kind;
		out.bad = at;
		out.text = at + strlen(at) + 1;
		return out;
	}
	for (size_t k = 0; k < r->n_cells; k++) {
		uint32_t i_column;

		memcpy(&i_column, at, sizeof i_column);
		at += sizeof i_column;
		field[i_column] = at;
		at += strlen(at) + 1;
	}
	return out;
}

void foreign_table_free(struct foreign_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_columns; i++)
		free(t->column[i]);
	free(t->column);
	free(t->needs_unit);
	free(t->slot);
	free(t->row);
	for (size_t i = 0; i < t->n_match; i++)
		row_match_free(t->match[i]);
	free(t->match);
	strbuf_release(&t->example);
	strbuf_release(&t->cells);
	strbuf_release(&t->notes);
	free(t);
}
