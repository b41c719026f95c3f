#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ingest/formats/foreign_format.h"
#include "ingest/formats/foreign_unit.h"

/* Performance logs of ReFrame, version 4 (perflogs/SYSTEM/PARTITION/TEST.log): fields between bars
 * as its default format has them, a header line with their names, no quotes. NAME_value, NAME_unit,
 * NAME_ref, ... are of a performance variable, a column; one that is a time has the unit behind its
 * name, solve_time_s. result says how the test ended. */

enum { PERFLOG_FIELDS_MAX = 1000 };

struct perflog_fields {
	char *text; /* the line, cut up */
	char *field[PERFLOG_FIELDS_MAX];
	size_t n;
};

struct perflog_reader {
	struct foreign_input *in;
	struct foreign_table *out;
	struct perflog_fields header, row;
	struct strbuf column;
	bool no_memory;
};

/* False: out of memory. More than PERFLOG_FIELDS_MAX are counted only. */
static bool split_bars(const char *line, struct perflog_fields *out)
{
	char *p;

	free(out->text);
	out->n = 0;
	out->text = p = strdup(line);
	while (p) {
		char *bar = strchr(p, '|');

		if (out->n < PERFLOG_FIELDS_MAX)
			out->field[out->n] = p;
		out->n++;
		if (bar)
			*bar = '\0';
		p = bar ? bar + 1 : NULL;
	}
	return out->text != NULL;
}

static bool has_field(const char *line, size_t n_line, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = line; p + n <= line + n_line; p++) {
		if ((p == line || p[-1] == '|') && strncmp(p, name, n) == 0 &&
		    (p + n == line + n_line || p[n] == '|'))
			return true;
	}
	return false;
}

static bool is_perflog(const char *head, size_t n, bool whole)
{
	size_t n_line = strcspn(head, "\r\n");

	(void)n;
	(void)whole;
	return has_field(head, n_line, "result") &&
	       has_field(head, n_line, "job_completion_time") && strstr(head, "_value|");
}

static bool is_nothing(const char *text)
{
	return !*text || strcmp(text, "null") == 0 || strcmp(text, "None") == 0;
}

static size_t find_field(const struct perflog_reader *r, const char *name, size_t n_name,
			 const char *suffix)
{
	for (size_t i = 0; i < r->header.n; i++) {
		const char *field = r->header.field[i];

		if (strncmp(field, name, n_name) == 0 && strcmp(field + n_name, suffix) == 0)
			return i;
	}
	return SIZE_MAX;
}

/* The length of NAME in "NAME_value", "NAME_ref", ... where "NAME_value" is a field; 0: no
 * variable. */
static size_t variable_name(const struct perflog_reader *r, const char *field)
{
	static const char *const suffix[] = {"_value", "_unit", "_ref", "_lower_thres",
					     "_upper_thres"};
	size_t n = strlen(field);

	for (size_t i = 0; i < sizeof suffix / sizeof suffix[0]; i++) {
		size_t n_suffix = strlen(suffix[i]);

		if (n > n_suffix && strcmp(field + n - n_suffix, suffix[i]) == 0 &&
		    find_field(r, field, n - n_suffix, "_value") != SIZE_MAX)
			return n - n_suffix;
	}
	return 0;
}

static void put_variable(struct perflog_reader *r, size_t i, size_t n_name)
{
	size_t i_unit = find_field(r, r->header.field[i], n_name, "_unit");
	const char *unit = foreign_time_unit(i_unit == SIZE_MAX ? NULL : r->row.field[i_unit]);
	char *name = r->header.field[i];

	if (strcmp(name + n_name, "_value") != 0 || is_nothing(r->row.field[i]))
		return;
	strbuf_clear(&r->column);
	name[n_name] = '\0';
	foreign_time_header(&r->column, name, unit);
	r->no_memory |= r->column.failed;
	name[n_name] = '_';
	foreign_table_put(r->out, strbuf_text(&r->column), r->row.field[i]);
	if (!unit)
		foreign_table_need_unit(r->out, strbuf_text(&r->column));
}

static void put_field(struct perflog_reader *r, size_t i)
{
	static const char *const needless[] = {"job_nodelist", "descr", "unique_name",
					       "display_name"};
	const char *name = r->header.field[i], *text = r->row.field[i];
	size_t n_name = variable_name(r, name);

	for (size_t k = 0; k < sizeof needless / sizeof needless[0]; k++) {
		if (strcmp(name, needless[k]) == 0)
			return;
	}
	if (n_name > 0)
		put_variable(r, i, n_name);
	else if (strcmp(name, "result") == 0)
		foreign_table_put(r->out, "status", strcmp(text, "pass") == 0 ? "ok" : "failed");
	else if (*name && *text != '{' && *text != '[')
		foreign_table_put(r->out, name, is_nothing(text) ? "" : text);
}

static enum err_code read_row(struct perflog_reader *r, const struct foreign_line *line,
			      size_t i_result, struct err *e)
{
	struct strbuf reason = STRBUF_INIT;
	enum err_code rc;

	if (!split_bars(line->text, &r->row))
		return err_set(e, ERR_NOMEM, "%s: a line of it", foreign_input_name(r->in));
	if (r->row.n != r->header.n) {
		strbuf_printf(&reason, "%zu fields where the header has %zu", r->row.n,
			      r->header.n);
		rc = foreign_table_refuse_row(r->out, line->number,
					      "another number of fields than the header",
					      strbuf_text(&reason), line->text, e);
		strbuf_release(&reason);
		return rc;
	}
	if (strcmp(r->row.field[i_result], "skip") == 0) /* it did not run */
		return ERR_OK;
	for (size_t i = 0; i < r->header.n; i++)
		put_field(r, i);
	if (r->no_memory)
		return err_set(e, ERR_NOMEM, "%s: its columns", foreign_input_name(r->in));
	return foreign_table_end_row(r->out, line->number, e);
}

static enum err_code read_header(struct perflog_reader *r, size_t *i_result, struct err *e)
{
	struct foreign_line line;
	enum err_code rc = foreign_input_line(r->in, &line, e);

	if (rc)
		return rc;
	if (line.text && !split_bars(line.text, &r->header))
		return err_set(e, ERR_NOMEM, "%s: its header", foreign_input_name(r->in));
	*i_result = r->header.n <= PERFLOG_FIELDS_MAX ? find_field(r, "result", 6, "") : SIZE_MAX;
	if (*i_result == SIZE_MAX)
		return foreign_input_fault(
			r->in, 1, e,
			"the header of ReFrame 4 is wanted, with the field result "
			"(logs of ReFrame 3 have none: use its run report)");
	foreign_table_set_header_line(r->out, line.number);
	return ERR_OK;
}

static enum err_code read_log(struct perflog_reader *r, struct err *e)
{
	struct foreign_line line;
	size_t i_result = 0;
	enum err_code rc = read_header(r, &i_result, e);

	while (!rc && !(rc = foreign_input_line(r->in, &line, e)) && line.text) {
		if (line.len > 0)
			rc = read_row(r, &line, i_result, e);
	}
	return rc;
}

static enum err_code read_perflog(struct foreign_input *in, struct foreign_table *out,
				  struct err *e)
{
	struct perflog_reader *r = calloc(1, sizeof *r);
	enum err_code rc;

	if (!r)
		return err_set(e, ERR_NOMEM, "%s: no memory to read it", foreign_input_name(in));
	r->in = in;
	r->out = out;
	rc = read_log(r, e);
	free(r->header.text);
	free(r->row.text);
	strbuf_release(&r->column);
	free(r);
	return rc;
}

const struct foreign_format format_reframe_perflog = {
	.name = "reframe_perflog",
	.title = "performance log of ReFrame",
	.recognise = is_perflog,
	.read = read_perflog,
};
