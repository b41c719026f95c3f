#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/compare.h"
#include "ingest/formats/field_split.h"
#include "ingest/formats/foreign_format.h"
#include "ingest/formats/series_choice.h"

/* The table of a Thicket (https://github.com/LLNL/thicket), thicket.dataframe.to_csv(): CSV, a row
 * for each node and profile, the name of the node's region in the column name. A profile is a run:
 * the times of one region (--region NAME) and what metadata was joined to the table. The column
 * node, a printed object, is passed over. Units are not in it. */

struct thicket_reader {
	struct foreign_input *in;
	struct foreign_table *out;
	char **column; /* [n_columns] */
	size_t n_columns, i_node, i_profile, i_name;
	struct field_split *split;
	const char **field; /* of the line */
	struct series_choice region;
	char **seen; /* "REGION\nPROFILE" of each row */
	size_t n_seen, cap_seen;
};

/* ---- fields ---- */

static bool has_open_quote(const char *line)
{
	bool open = false;

	for (; (line = strchr(line, '"')); line++)
		open = !open;
	return open;
}

static enum err_code next_line(struct thicket_reader *r, struct foreign_line *line, size_t *n,
			       struct err *e)
{
	enum err_code rc = foreign_input_line(r->in, line, e);

	if (rc || !line->text)
		return rc;
	if (has_open_quote(line->text))
		return foreign_input_fault(r->in, line->number, e,
					   "a quote that does not close in its line");
	switch (field_split_run(r->split, line->text, line->len, &r->field, n)) {
	case SPLIT_OK:
		return ERR_OK;
	case SPLIT_STRAY_QUOTE:
		return foreign_input_fault(r->in, line->number, e,
					   "a quote inside a field without quotes, or text behind "
					   "a closing quote");
	case SPLIT_STRAY_CR:
		return foreign_input_fault(r->in, line->number, e,
					   "a carriage return that ends no line");
	case SPLIT_FIELD_TOO_LONG: /* a line is not as long */
	case SPLIT_NOMEM:
		break;
	}
	return err_set(e, ERR_NOMEM, "%s: a line of it", foreign_input_name(r->in));
}

/* ---- the header ---- */

static bool has_column(const char *line, size_t n_line, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = line; p + n <= line + n_line; p++) {
		if ((p == line || p[-1] == ',') && strncmp(p, name, n) == 0 &&
		    (p + n == line + n_line || p[n] == ','))
			return true;
	}
	return false;
}

static bool is_thicket(const char *head, size_t n, bool whole)
{
	size_t n_line = strcspn(head, "\r\n");

	(void)n;
	(void)whole;
	return strncmp(head, "node,", 5) == 0 && has_column(head, n_line, "profile") &&
	       has_column(head, n_line, "name");
}

static size_t find_column(const struct thicket_reader *r, const char *name)
{
	for (size_t i = 0; i < r->n_columns; i++) {
		assert(r->column[i]);
		if (strcmp(r->column[i], name) == 0)
			return i;
	}
	return SIZE_MAX;
}

static enum err_code read_header(struct thicket_reader *r, struct err *e)
{
	struct foreign_line line = {0};
	size_t n = 0;
	enum err_code rc = next_line(r, &line, &n, e);

	if (rc)
		return rc;
	r->column = calloc(n + 1, sizeof *r->column);
	for (size_t i = 0; r->column && i < n; i++) {
		assert(r->field[i]);
		if (!(r->column[i] = strdup(r->field[i])))
			break;
		r->n_columns++;
	}
	if (!r->column || r->n_columns < n)
		return err_set(e, ERR_NOMEM, "%s: its header", foreign_input_name(r->in));
	r->i_node = find_column(r, "node");
	r->i_profile = find_column(r, "profile");
	r->i_name = find_column(r, "name");
	if (r->i_node == SIZE_MAX || r->i_profile == SIZE_MAX || r->i_name == SIZE_MAX)
		return foreign_input_fault(r->in, 1, e,
					   "the columns node, profile and name of a Thicket are "
					   "wanted");
	return ERR_OK;
}

/* ---- rows ---- */

static enum err_code note_row(struct thicket_reader *r, struct err *e)
{
	struct strbuf key = STRBUF_INIT;

	if (r->n_seen == r->cap_seen) {
		size_t cap = r->cap_seen ? 2 * r->cap_seen : 64;
		char **grown = realloc(r->seen, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%s: its rows", foreign_input_name(r->in));
		r->seen = grown;
		r->cap_seen = cap;
	}
	strbuf_printf(&key, "%s\n%s", r->field[r->i_name], r->field[r->i_profile]);
	if (key.failed) {
		strbuf_release(&key);
		return err_set(e, ERR_NOMEM, "%s: its rows", foreign_input_name(r->in));
	}
	r->seen[r->n_seen++] = key.buf;
	return ERR_OK;
}

static enum err_code read_row(struct thicket_reader *r, const struct foreign_line *line, size_t n,
			      struct err *e)
{
	enum err_code rc;

	if (n != r->n_columns)
		return foreign_table_refuse_row(
			r->out, line->number, "another number of fields than the header",
			"another number of fields than the header", line->text, e);
	if (!series_choice_take(&r->region, r->field[r->i_name]))
		return ERR_OK;
	if ((rc = note_row(r, e)))
		return rc;
	for (size_t i = 0; i < n; i++) {
		if (i != r->i_node && *r->column[i]) {
			const char *column = i == r->i_name ? "region" : r->column[i];

			foreign_table_put(r->out, column, r->field[i]);
			foreign_table_need_unit(r->out, column);
		}
	}
	return foreign_table_end_row(r->out, line->number, e);
}

/* Two nodes of one name, or a row for each rank: times of parts, no run. */
static enum err_code check_rows(struct thicket_reader *r, struct err *e)
{
	if (r->n_seen > 1)
		qsort(r->seen, r->n_seen, sizeof *r->seen, compare_texts);
	for (size_t i = 1; i < r->n_seen; i++) {
		if (strcmp(r->seen[i - 1], r->seen[i]) == 0)
			return err_set(
				e, ERR_PARSE,
				"%s: the region '%.*s' is there twice in one profile: a row "
				"for each node of that name, or for each rank; sum up before "
				"to_csv()",
				foreign_input_name(r->in), (int)strcspn(r->seen[i], "\n"),
				r->seen[i]);
	}
	return ERR_OK;
}

static enum err_code read_table(struct thicket_reader *r, struct err *e)
{
	struct foreign_line line;
	size_t n = 0;
	enum err_code rc = read_header(r, e);

	while (!rc && !(rc = next_line(r, &line, &n, e)) && line.text) {
		if (line.len > 0)
			rc = read_row(r, &line, n, e);
	}
	if (!rc)
		rc = series_choice_judge(&r->region, r->in, e);
	return rc ? rc : check_rows(r, e);
}

static enum err_code read_thicket(struct foreign_input *in, struct foreign_table *out,
				  struct err *e)
{
	struct thicket_reader *r = calloc(1, sizeof *r);
	enum err_code rc;

	if (!r)
		return err_set(e, ERR_NOMEM, "%s: no memory to read it", foreign_input_name(in));
	r->in = in;
	r->out = out;
	r->region = (struct series_choice){.what = "region",
					   .flag = "--region",
					   .wanted = foreign_input_choice(in)->region,
					   .may_be_all = true};
	r->split = field_split_new(',', FOREIGN_LINE_MAX);
	rc = r->split ? read_table(r, e)
		      : err_set(e, ERR_NOMEM, "%s: no memory to read it", foreign_input_name(in));
	for (size_t i = 0; i < r->n_columns; i++)
		free(r->column[i]);
	for (size_t i = 0; i < r->n_seen; i++)
		free(r->seen[i]);
	free(r->column);
	free(r->seen);
	field_split_free(r->split);
	series_choice_release(&r->region);
	free(r);
	return rc;
}

const struct foreign_format format_thicket = {
	.name = "thicket",
	.title = "table of a Thicket (CSV)",
	.recognise = is_thicket,
	.read = read_thicket,
	.takes_region = true,
};
