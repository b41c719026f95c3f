#include "kb/kb_record.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

static void put_bits(struct digest *d, uint64_t bits)
{
	unsigned char byte[8];

	for (int i = 0; i < 8; i++)
		byte[i] = (unsigned char)(bits >> (8 * i));
	digest_update(d, byte, sizeof byte);
}

void content_put_integer(struct digest *d, int64_t value)
{
	put_bits(d, (uint64_t)value);
}

void content_put_real(struct digest *d, double value)
{
	uint64_t bits;

	value = isnan(value) ? (double)NAN : value + 0.0;
	memcpy(&bits, &value, sizeof bits);
	put_bits(d, bits);
}

void content_put_text(struct digest *d, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	/* Lengths keep "ab" "c" and "a" "bc" apart. */
	content_put_integer(d, text ? (int64_t)n : -1);
	digest_update(d, text, n);
}

enum err_code content_check(struct digest *d, const char *stored, const char *what, struct err *e)
{
	char now[DIGEST_HEX_SIZE];

	digest_final(d, now);
	if (!stored || !strcmp(stored, now))
		return ERR_OK;
	return err_set(e, ERR_DAMAGED,
		       "%s is not what was mined, the file is damaged: run `lemnos "
		       "mine`, and `lemnos status check` for the rest",
		       what);
}

/* ---- fields ---- */

static const void *at(const struct record_field *f, const void *row)
{
	return (const char *)row + f->offset;
}

static const char *text_or_empty(const struct record_field *f, const void *row)
{
	const char *text = *(char *const *)at(f, row);

	return text ? text : "";
}

static int bind_text(sqlite3_stmt *s, int i, const char *text)
{
	return sqlite3_bind_text(s, i, text, -1, SQLITE_STATIC);
}

static int bind_field(sqlite3_stmt *s, int i, const struct record_field *f, const void *row)
{
	const void *p = at(f, row);

	switch (f->type) {
	case RECORD_TEXT:
		return bind_text(s, i, text_or_empty(f, row));
	case RECORD_OPTIONAL:
		return bind_text(s, i, *(char *const *)p);
	case RECORD_INTEGER:
		return sqlite3_bind_int64(s, i, *(const int64_t *)p);
	case RECORD_REAL: /* SQLite makes NULL of NaN */
		return sqlite3_bind_double(s, i, *(const double *)p);
	case RECORD_FLAG:
		return sqlite3_bind_int(s, i, *(const bool *)p);
	case RECORD_RULE_ID:
		return bind_text(s, i, p);
	case RECORD_RULE_ID_MAYBE:
		return bind_text(s, i, *(const char *)p ? p : NULL);
	case RECORD_RULE_KIND:
		return bind_text(s, i, rule_kind_name(*(const enum rule_kind *)p));
	}
	return SQLITE_MISUSE;
}

static enum err_code read_kind(sqlite3_stmt *s, int column, enum rule_kind *out, struct err *e)
{
	int kind = rule_kind_from(kb_sql_text(s, column));

	if (kind < 0)
		return err_set(e, ERR_KB, "'%s' is no kind of rule", kb_sql_text(s, column));
	*out = (enum rule_kind)kind;
	return ERR_OK;
}

static enum err_code read_field(sqlite3_stmt *s, int column, const struct record_field *f,
				void *row, struct err *e)
{
	void *p = (char *)row + f->offset;

	switch (f->type) {
	case RECORD_TEXT:
		return kb_sql_dup(s, column, p, e);
	case RECORD_OPTIONAL:
		return kb_sql_dup_or_null(s, column, p, e);
	case RECORD_INTEGER:
		*(int64_t *)p = sqlite3_column_int64(s, column);
		return ERR_OK;
	case RECORD_REAL:
		*(double *)p = kb_sql_real(s, column);
		return ERR_OK;
	case RECORD_FLAG:
		*(bool *)p = sqlite3_column_int(s, column) != 0;
		return ERR_OK;
	case RECORD_RULE_ID:
	case RECORD_RULE_ID_MAYBE:
		strncpy(p, kb_sql_text(s, column), RULE_ID_SIZE - 1);
		return ERR_OK;
	case RECORD_RULE_KIND:
		return read_kind(s, column, p, e);
	}
	return ERR_OK;
}

static bool same_field(const struct record_field *f, const void *a, const void *b)
{
	const void *p = at(f, a);
	const void *q = at(f, b);

	switch (f->type) {
	case RECORD_OPTIONAL:
		if (!*(char *const *)p != !*(char *const *)q)
			return false;
		return strcmp(text_or_empty(f, a), text_or_empty(f, b)) == 0;
	case RECORD_TEXT:
		return strcmp(text_or_empty(f, a), text_or_empty(f, b)) == 0;
	case RECORD_INTEGER:
		return *(const int64_t *)p == *(const int64_t *)q;
	case RECORD_REAL:
		return same_number(*(const double *)p, *(const double *)q);
	case RECORD_FLAG:
		return *(const bool *)p == *(const bool *)q;
	case RECORD_RULE_ID:
	case RECORD_RULE_ID_MAYBE:
		return strcmp(p, q) == 0;
	case RECORD_RULE_KIND:
		return *(const enum rule_kind *)p == *(const enum rule_kind *)q;
	}
	return false;
}

static void digest_field(const struct record_field *f, const void *row, struct digest *d)
{
	const void *p = at(f, row);

	switch (f->type) {
	case RECORD_TEXT:
		content_put_text(d, text_or_empty(f, row));
		break;
	case RECORD_OPTIONAL:
		content_put_text(d, *(char *const *)p);
		break;
	case RECORD_INTEGER:
		content_put_integer(d, *(const int64_t *)p);
		break;
	case RECORD_REAL:
		content_put_real(d, *(const double *)p);
		break;
	case RECORD_FLAG:
		content_put_integer(d, *(const bool *)p);
		break;
	case RECORD_RULE_ID:
	case RECORD_RULE_ID_MAYBE:
		content_put_text(d, p);
		break;
	case RECORD_RULE_KIND:
		content_put_text(d, rule_kind_name(*(const enum rule_kind *)p));
		break;
	}
}

void record_digest(const struct record_table *t, const void *rows, size_t n, struct digest *d)
{
	content_put_text(d, t->name);
	content_put_integer(d, (int64_t)n);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < t->n_fields; k++)
			digest_field(&t->field[k], (const char *)rows + i * t->size, d);
	}
}

static bool same_row(const struct record_table *t, const void *a, const void *b)
{
	for (size_t i = 0; i < t->n_fields; i++) {
		if (!same_field(&t->field[i], a, b))
			return false;
	}
	return true;
}

static void release_row(const struct record_table *t, void *row)
{
	for (size_t i = 0; i < t->n_fields; i++) {
		const struct record_field *f = &t->field[i];

		if (f->type == RECORD_TEXT || f->type == RECORD_OPTIONAL)
			free(*(char **)(void *)((char *)row + f->offset));
	}
}

static void free_rows(const struct record_table *t, char *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		release_row(t, rows + i * t->size);
	free(rows);
}

/* ---- statements ---- */

static void put_columns(const struct record_table *t, struct strbuf *sql)
{
	for (size_t i = 0; i < t->n_fields; i++)
		strbuf_printf(sql, "%s%s", i ? ", " : "", t->field[i].column);
}

static enum err_code prepare_insert(struct kb *kb, const struct record_table *t, sqlite3_stmt **out,
				    struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_printf(&sql, "INSERT INTO %s (rule_set_id, %s", t->name,
		      t->single ? "" : "position, ");
	put_columns(t, &sql);
	strbuf_printf(&sql, ") VALUES (?%s", t->single ? "" : ", ?");
	for (size_t i = 0; i < t->n_fields; i++)
		strbuf_puts(&sql, ", ?");
	strbuf_puts(&sql, ")");
	rc = sql.failed ? err_set(e, ERR_NOMEM, "insertion into %s", t->name)
			: kb_sql_prepare(kb, out, e, strbuf_text(&sql), "");
	strbuf_release(&sql);
	return rc;
}

static enum err_code put_row(struct kb *kb, const struct record_table *t, sqlite3_stmt *s,
			     int64_t rule_set_id, int64_t position, const void *row, struct err *e)
{
	int n = 0;
	int code = sqlite3_bind_int64(s, ++n, rule_set_id);
	bool more;
	enum err_code rc;

	if (code == SQLITE_OK && !t->single)
		code = sqlite3_bind_int64(s, ++n, position);
	for (size_t i = 0; code == SQLITE_OK && i < t->n_fields; i++)
		code = bind_field(s, ++n, &t->field[i], row);
	if (code != SQLITE_OK)
		return kb_sql_fail(kb, "store what was mined", e);
	rc = kb_sql_step(kb, s, &more, e);
	sqlite3_reset(s);
	return rc;
}

enum err_code record_put(struct kb *kb, const struct record_table *t, int64_t rule_set_id,
			 const void *rows, size_t n, struct err *e)
{
	sqlite3_stmt *s = NULL;
	enum err_code rc;

	assert(!t->single || n == 1);
	if (n == 0)
		return ERR_OK;
	rc = prepare_insert(kb, t, &s, e);
	for (size_t i = 0; !rc && i < n; i++)
		rc = put_row(kb, t, s, rule_set_id, (int64_t)i, (const char *)rows + i * t->size,
			     e);
	sqlite3_finalize(s);
	return rc;
}

static enum err_code prepare_select(struct kb *kb, const struct record_table *t,
				    int64_t rule_set_id, sqlite3_stmt **out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT ");
	put_columns(t, &sql);
	strbuf_printf(&sql, " FROM %s WHERE rule_set_id = ?1%s", t->name,
		      t->single ? "" : " ORDER BY position");
	rc = sql.failed ? err_set(e, ERR_NOMEM, "query of %s", t->name)
			: kb_sql_prepare(kb, out, e, strbuf_text(&sql), "i", rule_set_id);
	strbuf_release(&sql);
	return rc;
}

/* Append one row to rows[n]; on failure it is not there. */
static enum err_code get_row(const struct record_table *t, sqlite3_stmt *s, char **rows, size_t *n,
			     size_t *cap, struct err *e)
{
	char *row;
	enum err_code rc = ERR_OK;

	if (*n == *cap) {
		size_t more = *cap ? 2 * *cap : 16;
		char *grown = realloc(*rows, more * t->size);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu rows of %s", more, t->name);
		*rows = grown;
		*cap = more;
	}
	row = *rows + *n * t->size;
	memset(row, 0, t->size);
	for (size_t i = 0; !rc && i < t->n_fields; i++)
		rc = read_field(s, (int)i, &t->field[i], row, e);
	if (rc)
		release_row(t, row);
	else
		(*n)++;
	return rc;
}

enum err_code record_get(struct kb *kb, const struct record_table *t, int64_t rule_set_id,
			 void **rows, size_t *n, struct err *e)
{
	sqlite3_stmt *s = NULL;
	char *found = NULL;
	size_t n_found = 0;
	size_t cap = 0;
	bool row = true;
	enum err_code rc = prepare_select(kb, t, rule_set_id, &s, e);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = get_row(t, s, &found, &n_found, &cap, e);
	sqlite3_finalize(s);
	if (!rc) {
		*rows = found;
		*n = n_found;
		return ERR_OK;
	}
	free_rows(t, found, n_found);
	return rc;
}

enum err_code record_compare(struct kb *kb, const struct record_table *t, int64_t rule_set_id,
			     const void *rows, size_t n, bool *same, struct err *e)
{
	void *stored;
	size_t n_stored;
	enum err_code rc = record_get(kb, t, rule_set_id, &stored, &n_stored, e);

	if (rc)
		return rc;
	*same = *same && n_stored == n;
	for (size_t i = 0; *same && i < n; i++)
		*same = same_row(t, (const char *)stored + i * t->size,
				 (const char *)rows + i * t->size);
	free_rows(t, stored, n_stored);
	return ERR_OK;
}
