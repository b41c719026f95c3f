#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ingest/formats/foreign_format.h"
#include "ingest/formats/foreign_unit.h"

/* Performance logs of ReFrame (perflogs/SYSTEM/PARTITION/TEST.log), fields between bars without
 * quotes, as the default formats of its versions have them.
 *
 * Version 4: a header line with the names of fields. NAME_value, NAME_unit, NAME_ref, ... are of a
 * performance variable. result says how the test ended.
 *
 * Version 3 and before: no header, and a line for each variable of a run,
 * "DATE|reframe VERSION|TEST on SYSTEM:PARTITION using ENVIRON|jobid=ID|VARIABLE=VALUE|ref=REF
 * (l=LOWER, u=UPPER)|UNIT", with further NAME=VALUE before the variable, as num_tasks, where a site
 * logs them. Variables are logged once a test is known to have run well, before they are held
 * against references. Source: ReFrame 3 tutorial, "Performance logging"; reframe/core/settings.py.
 *
 * A variable is a column; one that is a time has the unit behind its name, solve_time_s. */

enum { PERFLOG_FIELDS_MAX = 1000 };

struct perflog_fields {
	char *text; /* the line, cut up */
	char *field[PERFLOG_FIELDS_MAX];
	size_t n;
};

enum perflog_kind {
	PERFLOG_PASSED_OVER,
	PERFLOG_PLAIN,
	PERFLOG_RESULT,
	PERFLOG_VALUE, /* NAME_value */
};

/* What a field of version 4's header is. */
struct perflog_column {
	enum perflog_kind kind;
	size_t n_name; /* VALUE: length of NAME */
	size_t i_unit; /* VALUE: index of NAME_unit; SIZE_MAX: none */
};

struct perflog_reader {
	struct foreign_input *in;
	struct foreign_table *out;
	struct perflog_fields header, row;
	struct perflog_column column[PERFLOG_FIELDS_MAX]; /* [header.n] */
	struct strbuf name;				  /* of a column of the table */
	bool no_memory;

	/* Version 3: the run under way. */
	bool has_run;
	uint64_t run_line;
	struct strbuf run, line_run; /* what its lines have in common; that of the line */
	struct strbuf variables;     /* "\nNAME\n" of each variable of the run */
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

/* "DATE|reframe 3.1|...": at a line of version 3 or before. */
static bool begins_as_3(const char *line)
{
	const char *bar = strchr(line, '|');

	return bar && bar < line + strcspn(line, "\r\n") && strncmp(bar, "|reframe ", 9) == 0 &&
	       bar[9] >= '0' && bar[9] <= '9';
}

static bool is_perflog(const char *head, size_t n, bool whole)
{
	size_t n_line = strcspn(head, "\r\n");

	(void)n;
	(void)whole;
	return begins_as_3(head) ||
	       (has_field(head, n_line, "result") &&
		has_field(head, n_line, "job_completion_time") && strstr(head, "_value|"));
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

static struct perflog_column column_of(const struct perflog_reader *r, const char *field)
{
	static const char *const needless[] = {"job_nodelist", "descr", "unique_name",
					       "display_name", ""};
	size_t n_name = variable_name(r, field);

	for (size_t k = 0; k < sizeof needless / sizeof needless[0]; k++) {
		if (strcmp(field, needless[k]) == 0)
			return (struct perflog_column){.kind = PERFLOG_PASSED_OVER};
	}
	if (n_name > 0 && strcmp(field + n_name, "_value") == 0)
		return (struct perflog_column){PERFLOG_VALUE, n_name,
					       find_field(r, field, n_name, "_unit")};
	return (struct perflog_column){.kind = n_name > 0		      ? PERFLOG_PASSED_OVER
					       : strcmp(field, "result") == 0 ? PERFLOG_RESULT
									      : PERFLOG_PLAIN};
}

static void put_variable(struct perflog_reader *r, const char *name, size_t n_name,
			 const char *unit_text, const char *value)
{
	const char *unit = foreign_time_unit(unit_text);
	struct strbuf variable = STRBUF_INIT;

	if (is_nothing(value))
		return;
	strbuf_add(&variable, name, n_name);
	strbuf_clear(&r->name);
	foreign_time_header(&r->name, strbuf_text(&variable), unit);
	r->no_memory |= r->name.failed || variable.failed;
	foreign_table_put(r->out, strbuf_text(&r->name), value);
	if (!unit)
		foreign_table_need_unit(r->out, strbuf_text(&r->name));
	strbuf_release(&variable);
}

static void put_field(struct perflog_reader *r, size_t i)
{
	const struct perflog_column *c = &r->column[i];
	const char *name = r->header.field[i], *text = r->row.field[i];

	switch (c->kind) {
	case PERFLOG_VALUE:
		put_variable(r, name, c->n_name,
			     c->i_unit == SIZE_MAX ? NULL : r->row.field[c->i_unit], text);
		break;
	case PERFLOG_RESULT:
		foreign_table_put(r->out, "status", strcmp(text, "pass") == 0 ? "ok" : "failed");
		break;
	case PERFLOG_PLAIN:
		if (*text != '{' && *text != '[')
			foreign_table_put(r->out, name, is_nothing(text) ? "" : text);
		break;
	case PERFLOG_PASSED_OVER:
		break;
	}
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

/* line: the first one. */
static enum err_code read_header(struct perflog_reader *r, const struct foreign_line *line,
				 size_t *i_result, struct err *e)
{
	if (line->text && !split_bars(line->text, &r->header))
		return err_set(e, ERR_NOMEM, "%s: its header", foreign_input_name(r->in));
	*i_result = r->header.n <= PERFLOG_FIELDS_MAX ? find_field(r, "result", 6, "") : SIZE_MAX;
	if (*i_result == SIZE_MAX)
		return foreign_input_fault(
			r->in, 1, e,
			"the header of ReFrame 4 is wanted, with the field result, or a line of "
			"ReFrame 3: DATE|reframe VERSION|TEST|jobid=ID|NAME=VALUE|ref=...");
	for (size_t i = 0; i < r->header.n; i++)
		r->column[i] = column_of(r, r->header.field[i]);
	foreign_table_set_header_line(r->out, line->number);
	return ERR_OK;
}

/* ---- version 3 ---- */

/* "t %n=4 on daint:gpu using gnu": ReFrame's words about a test, cut up in place. */
static void put_test(struct perflog_reader *r, char *info)
{
	char *on = NULL, *using = NULL, *colon;

	for (char *p = strstr(info, " on "); p; p = strstr(p + 1, " on "))
		on = p;
	if (on)
		using = strstr(on, " using ");
	colon = on ? strchr(on, ':') : NULL;
	if (!using || !colon || colon > using) { /* words of the test's own */
		foreign_table_put(r->out, "info", info);
		return;
	}
	*on = *colon = *using = '\0';
	foreign_table_put(r->out, "system", on + strlen(" on "));
	foreign_table_put(r->out, "partition", colon + 1);
	foreign_table_put(r->out, "environ", using + strlen(" using "));
	for (char *next = strstr(info, " %"); next;) { /* parameters, since 3.10 */
		char *name = next + 2, *value = strchr(name, '=');

		*next = '\0';
		next = strstr(name, " %");
		if (value && value > name && (!next || value < next)) {
			*value = '\0';
			foreign_table_put_n(r->out, name, value + 1,
					    next ? (size_t)(next - value - 1) : strlen(value + 1));
		}
	}
	foreign_table_put(r->out, "name", info);
}

static enum err_code end_run(struct perflog_reader *r, struct err *e)
{
	if (r->no_memory)
		return err_set(e, ERR_NOMEM, "%s: its columns", foreign_input_name(r->in));
	if (!r->has_run)
		return ERR_OK;
	r->has_run = false;
	return foreign_table_end_row(r->out, r->run_line, e);
}

/* With what its first line says before the variable, field i_variable. */
static void begin_run(struct perflog_reader *r, uint64_t line, size_t i_variable)
{
	struct strbuf run = r->run;

	r->run = r->line_run; /* the two change places */
	r->line_run = run;
	strbuf_clear(&r->variables);
	r->has_run = true;
	r->run_line = line;
	foreign_table_put(r->out, "job_completion_time",
			  is_nothing(r->row.field[0]) ? "" : r->row.field[0]);
	for (size_t i = 3; i < i_variable; i++) {
		char *value = strchr(r->row.field[i], '=');

		if (!value || value == r->row.field[i])
			continue;
		*value++ = '\0';
		foreign_table_put(r->out, r->row.field[i], is_nothing(value) ? "" : value);
	}
	put_test(r, r->row.field[2]);
}

/* The index of the field VARIABLE=VALUE, the one before ref=; 0: none. */
static size_t find_variable(const struct perflog_fields *row)
{
	for (size_t i = 4; i < row->n && i < PERFLOG_FIELDS_MAX; i++) {
		const char *equals = strchr(row->field[i - 1], '=');

		if (strncmp(row->field[i], "ref=", 4) == 0 && equals && equals > row->field[i - 1])
			return i - 1;
	}
	return 0;
}

static enum err_code read_line_of_3(struct perflog_reader *r, const struct foreign_line *line,
				    struct err *e)
{
	static const char wanted[] =
		"no line DATE|reframe VERSION|TEST|jobid=ID|NAME=VALUE|ref=...";
	struct strbuf key = STRBUF_INIT;
	size_t i_variable;
	char *name, *value;
	bool goes_on;
	enum err_code rc;

	if (!split_bars(line->text, &r->row))
		return err_set(e, ERR_NOMEM, "%s: a line of it", foreign_input_name(r->in));
	i_variable = begins_as_3(line->text) ? find_variable(&r->row) : 0;
	if (i_variable == 0)
		return (rc = end_run(r, e)) ? rc
					    : foreign_table_refuse_row(r->out, line->number, wanted,
								       wanted, line->text, e);
	/* The date may be that of the line, which the variables of a run do not share. */
	strbuf_clear(&r->line_run);
	for (size_t i = 1; i < i_variable; i++)
		strbuf_printf(&r->line_run, "%s|", r->row.field[i]);
	name = r->row.field[i_variable];
	value = strchr(name, '=');
	*value++ = '\0';
	strbuf_printf(&key, "\n%s\n", name);
	goes_on = r->has_run && strcmp(strbuf_text(&r->run), strbuf_text(&r->line_run)) == 0 &&
		  !strstr(strbuf_text(&r->variables), strbuf_text(&key));
	r->no_memory |= key.failed || r->line_run.failed;
	rc = goes_on ? ERR_OK : end_run(r, e);
	if (!rc && !goes_on)
		begin_run(r, line->number, i_variable);
	if (!rc) {
		strbuf_puts(&r->variables, strbuf_text(&key));
		r->no_memory |= r->variables.failed;
		put_variable(r, name, strlen(name),
			     i_variable + 2 < r->row.n && i_variable + 2 < PERFLOG_FIELDS_MAX
				     ? r->row.field[i_variable + 2]
				     : NULL,
			     value);
	}
	strbuf_release(&key);
	return rc;
}

/* ---- all of it ---- */

static enum err_code read_log(struct perflog_reader *r, struct err *e)
{
	struct foreign_line line;
	size_t i_result = 0;
	bool is_3;
	enum err_code rc = foreign_input_line(r->in, &line, e);

	if (rc)
		return rc;
	is_3 = line.text && begins_as_3(line.text);
	rc = is_3 ? read_line_of_3(r, &line, e) : read_header(r, &line, &i_result, e);
	while (!rc && !(rc = foreign_input_line(r->in, &line, e)) && line.text) {
		if (line.len > 0)
			rc = is_3 ? read_line_of_3(r, &line, e) : read_row(r, &line, i_result, e);
	}
	return rc ? rc : end_run(r, e);
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
	strbuf_release(&r->name);
	strbuf_release(&r->run);
	strbuf_release(&r->line_run);
	strbuf_release(&r->variables);
	free(r);
	return rc;
}

const struct foreign_format format_reframe_perflog = {
	.name = "reframe_perflog",
	.title = "performance log of ReFrame",
	.recognise = is_perflog,
	.read = read_perflog,
};
