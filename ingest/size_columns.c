#include "ingest/size_columns.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
#include "ingest/cell_number.h"
#include "ingest/header_match.h"

_Static_assert((int)AD_HOC_SIZES_MAX == (int)CELL_SIZES_MAX, "as many as a cell may have");

enum { NAME_SIZE = HEADER_NAME_MAX };

/* "grid: sizes, so columns of their own: grid_x, grid_y, grid_z" */
static void put_note(const char *header, const char *const *part, size_t n, struct strbuf *notes)
{
	if (!notes)
		return;
	text_put_safe(notes, header, false);
	strbuf_puts(notes, ": sizes, so each is a column: ");
	for (size_t k = 0; k < n; k++) {
		strbuf_puts(notes, k ? ", " : "");
		text_put_safe(notes, part[k], false);
	}
	strbuf_putc(notes, '\n');
}

/* ---- --map COLUMN=FIELD:FIELD ---- */

/* "it_g:jt_g:kt", cut up in place. */
static size_t list_fields(char *text, const char *field[CELL_SIZES_MAX + 1])
{
	size_t n = 1;

	field[0] = text;
	for (char *p = text; *p && n <= CELL_SIZES_MAX; p++) {
		if (*p != ':')
			continue;
		*p = '\0';
		field[n++] = p + 1;
	}
	return n;
}

static enum err_code check_fields(const struct application *app, const char *option,
				  const char *const *field, size_t n, struct err *e)
{
	if (n > CELL_SIZES_MAX)
		return err_set(e, ERR_ARG, "--map %s: a cell has 2 to %d sizes", option,
			       CELL_SIZES_MAX);
	for (size_t k = 0; k < n; k++) {
		if (!*field[k] || (app && header_match_field(app, field[k]).kind != FIELD_COLUMN))
			return err_set(e, ERR_ARG, "--map %s: %s has no column '%s'", option,
				       app ? app->name : "a table", field[k]);
	}
	return ERR_OK;
}

static enum err_code split_mapped(struct text_table *t, const struct application *app,
				  const char *option, struct err *e)
{
	const char *field[CELL_SIZES_MAX + 1];
	char *text = strdup(option), *fields;
	enum err_code rc;
	size_t i, n;

	if (!text)
		return err_set(e, ERR_NOMEM, "--map %s", option);
	fields = text + (strrchr(option, '=') - option);
	*fields++ = '\0';
	n = list_fields(fields, field);
	i = text_table_find(t, text);
	rc = i == SIZE_MAX ? err_set(e, ERR_ARG, "--map %s: %s has no column '%s'", option,
				     text_table_name(t), text)
			   : check_fields(app, option, field, n, e);
	if (!rc)
		rc = text_table_split(t, i, field, n, e);
	free(text);
	return rc;
}

enum err_code size_columns_split_mapped(struct text_table *t, const struct application *app,
					const char *const *map, const char ***left, struct err *e)
{
	size_t n = 0;
	enum err_code rc = ERR_OK;

	*left = calloc(text_list_length(map) + 1, sizeof **left);
	if (!*left)
		return err_set(e, ERR_NOMEM, "%zu --map", text_list_length(map));
	for (size_t i = 0; map && map[i] && !rc; i++) {
		const char *field = strrchr(map[i], '=');

		if (field && strchr(field, ':'))
			rc = split_mapped(t, app, map[i], e);
		else
			(*left)[n++] = map[i];
	}
	return rc;
}

/* ---- groups of an application that is there ---- */

/* Is a column of the group in the table by itself? */
static bool is_there(const struct text_table *t, const struct application *app,
		     const size_t *column, size_t n)
{
	for (size_t i = 0; i < text_table_n_columns(t); i++) {
		const struct header_match m = header_match_find(app, text_table_column(t, i));

		for (size_t k = 0; m.kind == FIELD_COLUMN && k < n; k++) {
			if (m.index == column[k])
				return true;
		}
	}
	return false;
}

static const struct group_flag *group_of(const struct application *app, const char *header)
{
	char flag[AD_HOC_FLAG_SIZE];

	ad_hoc_sizes_flag(header, flag);
	return *flag ? application_flag_group(app, flag) : NULL;
}

/* The columns that the header stands for; how many, 0: none. */
static size_t columns_of(const struct application *app, const char *header,
			 size_t column[CELL_SIZES_MAX])
{
	const struct group_flag *group = group_of(app, header);
	size_t n = 0;

	if (group && group->n <= CELL_SIZES_MAX) {
		memcpy(column, group->column, group->n * sizeof *column);
		return group->n;
	}
	for (size_t c = 0; strcasecmp(header, "problem") == 0 && c < app->n_columns; c++) {
		if (app->column[c].role != COL_PROBLEM)
			continue;
		if (n == CELL_SIZES_MAX || app->column[c].type == COL_TEXT)
			return 0;
		column[n++] = c;
	}
	return n < 2 ? 0 : n;
}

enum err_code size_columns_split_groups(struct text_table *t, const struct application *app,
					struct strbuf *notes, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < text_table_n_columns(t) && !rc; i++) {
		const char *header = text_table_column(t, i), *part[CELL_SIZES_MAX];
		size_t column[CELL_SIZES_MAX];
		const size_t n = header_match_find(app, header).kind == FIELD_KIND_COUNT
					 ? columns_of(app, header, column)
					 : 0;

		if (n == 0 || is_there(t, app, column, n))
			continue;
		for (size_t k = 0; k < n; k++)
			part[k] = app->column[column[k]].name;
		put_note(header, part, n, notes);
		rc = text_table_split(t, i, part, n, e);
	}
	return rc;
}

/* ---- all, for an application from flags ---- */

/* "nx x ny x nz" and "P*Q" name their parts. False: not so many, or none. */
static bool names_in_header(const char *header, size_t n, char name[][NAME_SIZE])
{
	static const char *const mark[] = {" x ", " X ", "*", "\xc3\x97"};

	for (size_t m = 0; m < sizeof mark / sizeof mark[0]; m++) {
		const char *from = header;
		size_t k = 0;

		for (const char *end = from; end && k < n; k++) {
			size_t len;

			end = strstr(from, mark[m]);
			from += strspn(from, " ");
			len = end ? (size_t)(end - from) : strlen(from);
			while (len > 0 && from[len - 1] == ' ')
				len--;
			if (len == 0)
				break;
			snprintf(name[k], NAME_SIZE, "%.*s", (int)len, from);
			if (!end && k + 1 == n)
				return true;
			from = end ? end + strlen(mark[m]) : from;
		}
	}
	return false;
}

/* Of sizes in space, and time behind them. */
static void name_parts(const char *header, size_t n, char name[][NAME_SIZE])
{
	if (names_in_header(header, n, name))
		return;
	for (size_t k = 0; k < n; k++)
		snprintf(name[k], NAME_SIZE, "%.*s_%c", NAME_SIZE - 3, header, "xyzt"[k]);
}

/* What the cells of a column are. */
struct cells {
	bool apart; /* not to be split */
	size_t n;   /* sizes in a cell, as in the first that has any; 0: none has */
	uint64_t n_so, n_other;
	uint64_t line; /* of the first that is something else */
	char other[32];
};

/* One in so many may be something else: such rows are refused. */
enum { CELLS_TO_ONE_OTHER = 10 };

static void look_at_cells(struct cells *column, size_t n, const struct table_record *rec)
{
	for (size_t i = 0; i < n; i++) {
		struct cells *c = &column[i];
		struct cell_size size[CELL_SIZES_MAX];
		size_t n_sizes;

		if (c->apart || cell_is_missing(rec->field[i]))
			continue;
		n_sizes = cell_sizes(rec->field[i], size);
		c->n = c->n ? c->n : n_sizes;
		if (n_sizes > 0 && n_sizes == c->n) {
			c->n_so++;
		} else if (c->n_other++ == 0) {
			c->line = rec->line;
			snprintf(c->other, sizeof c->other, "%s", rec->field[i]);
		}
		/* of numbers and words no more is read */
		c->apart = c->n_so == 0 && c->n_other > CELLS_TO_ONE_OTHER;
	}
}

/* 0: it is not to be split. */
static size_t sizes_in(const struct cells *c, const char *header, struct strbuf *notes)
{
	if (c->apart || c->n_so == 0)
		return 0;
	if (c->n_so >= CELLS_TO_ONE_OTHER * c->n_other)
		return c->n;
	if (c->n_so > c->n_other) {
		text_put_safe(notes, header, false);
		strbuf_puts(notes, ": no numbers, though most cells are sizes, as line ");
		strbuf_printf(notes, "%llu has '", (unsigned long long)c->line);
		text_put_safe(notes, c->other, false);
		strbuf_puts(notes, "'\n");
	}
	return 0;
}

static bool may_be_split(const struct text_table *t, size_t i, const struct ad_hoc *spec,
			 const struct application *known)
{
	const char *header = text_table_column(t, i);

	return *header && strlen(header) < NAME_SIZE - 3 && strcasecmp(header, spec->target) != 0 &&
	       !text_list_has(spec->categorical, header) &&
	       !text_list_has(spec->resource_column, header) &&
	       (!known || application_column(known, header) == SIZE_MAX);
}

static enum err_code read_cells(struct text_table *t, struct cells *column, struct err *e)
{
	const size_t n = text_table_n_columns(t);
	struct table_record rec;
	enum err_code rc = text_table_rewind(t, e);
	size_t n_left = n;

	while (!rc && n_left > 0 && !(rc = text_table_next(t, &rec, e)) && rec.raw) {
		if (!rec.bad)
			look_at_cells(column, n, &rec);
		n_left = 0;
		for (size_t i = 0; i < n; i++)
			n_left += !column[i].apart;
	}
	return rc ? rc : text_table_rewind(t, e);
}

static enum err_code keep(struct ad_hoc_sizes *out, const char *header, const char *const *part,
			  size_t n, struct err *e)
{
	bool failed = !(out->header = strdup(header));

	/* what has no header is not released */
	for (size_t k = 0; k < n && !failed; k++)
		failed = !(out->part[k] = strdup(part[k]));
	return failed ? err_set(e, ERR_NOMEM, "the columns of %s", header) : ERR_OK;
}

static enum err_code split_one(struct text_table *t, size_t i, size_t n, struct ad_hoc_sizes *out,
			       struct strbuf *notes, struct err *e)
{
	char name[CELL_SIZES_MAX][NAME_SIZE];
	const char *header = text_table_column(t, i), *part[CELL_SIZES_MAX];
	enum err_code rc;

	name_parts(header, n, name);
	for (size_t k = 0; k < n; k++) {
		part[k] = name[k];
		if (text_table_find(t, part[k]) != SIZE_MAX)
			return ERR_OK; /* the table has them already */
	}
	put_note(header, part, n, notes);
	rc = keep(out, header, part, n, e);
	return rc ? rc : text_table_split(t, i, part, n, e);
}

enum err_code size_columns_split_all(struct text_table *t, const struct ad_hoc *spec,
				     const struct application *known, struct ad_hoc_sizes **out,
				     struct strbuf *notes, struct err *e)
{
	const size_t n = text_table_n_columns(t);
	struct cells *column = calloc(n + 1, sizeof *column);
	struct ad_hoc_sizes *sizes = calloc(n + 1, sizeof *sizes);
	enum err_code rc = column && sizes ? ERR_OK : err_set(e, ERR_NOMEM, "%zu columns", n);
	size_t n_split = 0;

	for (size_t i = 0; i < n && !rc; i++)
		column[i].apart = !may_be_split(t, i, spec, known);
	if (!rc)
		rc = read_cells(t, column, e);
	/* from the last on: the places of those before stay what they are */
	for (size_t i = n; i-- > 0 && !rc;) {
		const struct group_flag *group =
			known ? group_of(known, text_table_column(t, i)) : NULL;
		const size_t n_parts =
			group ? group->n : sizes_in(&column[i], text_table_column(t, i), notes);

		if (n_parts < 2 || n_parts > CELL_SIZES_MAX)
			continue;
		rc = split_one(t, i, n_parts, &sizes[n_split], notes, e);
		n_split += sizes[n_split].header != NULL;
	}
	free(column);
	*out = sizes;
	return rc;
}

void size_columns_free(struct ad_hoc_sizes *sizes)
{
	for (struct ad_hoc_sizes *s = sizes; s && s->header; s++) {
		free(s->header);
		for (size_t k = 0; k < AD_HOC_SIZES_MAX; k++)
			free(s->part[k]);
	}
	free(sizes);
}

static const struct ad_hoc_sizes *find_sizes(const struct ad_hoc_sizes *sizes, const char *header)
{
	for (; sizes && sizes->header; sizes++) {
		if (strcasecmp(sizes->header, header) == 0)
			return sizes;
	}
	return NULL;
}

const char **size_columns_expand(const char *const *list, const struct ad_hoc_sizes *sizes)
{
	const char **out = calloc(AD_HOC_SIZES_MAX * text_list_length(list) + 1, sizeof *out);
	size_t n = 0;

	for (size_t i = 0; out && list && list[i]; i++) {
		const struct ad_hoc_sizes *s = find_sizes(sizes, list[i]);

		for (size_t k = 0; s && s->part[k]; k++)
			out[n++] = s->part[k];
		if (!s)
			out[n++] = list[i];
	}
	return out;
}
