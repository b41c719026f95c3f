#include "acquire/result_reader.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <regex.h>

#include "base/strbuf.h"
#include "base/units.h"

static enum err_code read_time(const struct campaign_plan *p, const char *text, double *out_s,
			       struct err *e)
{
	struct err inner = {0};
	double x;

	if (number_parse(text, &x, &inner))
		return err_set(e, ERR_PARSE, "'%.40s' is no time: %s", text, inner.msg);
	x *= p->result.unit_s;
	if (!(x > 0 && isfinite(x)))
		return err_set(e, ERR_PARSE, "a time of %.40s is not above 0", text);
	*out_s = x;
	return ERR_OK;
}

/* ---- a pattern ---- */

static enum err_code read_regex(const struct campaign_plan *p, const char *text, double *out_s,
				struct err *e)
{
	struct strbuf found = STRBUF_INIT;
	regmatch_t match[2];
	regex_t pattern;
	bool any = false;
	enum err_code rc;

	/* the plan was refused if it were none */
	if (regcomp(&pattern, p->result.pattern.text, REG_EXTENDED | REG_NEWLINE))
		return err_set(e, ERR_NOMEM, "a regular expression");
	/* behind a newline a line begins */
	for (int flags = 0; *text && !regexec(&pattern, text, 2, match, flags);
	     flags = text[-1] == '\n' ? 0 : REG_NOTBOL) {
		regoff_t end = match[0].rm_eo;

		if (match[1].rm_so >= 0) {
			strbuf_clear(&found);
			strbuf_add(&found, text + match[1].rm_so,
				   (size_t)(match[1].rm_eo - match[1].rm_so));
			any = true;
		}
		if (end == match[0].rm_so && !text[end])
			break;
		text += end > match[0].rm_so ? end : end + 1;
	}
	regfree(&pattern);
	if (!any)
		rc = err_set(e, ERR_PARSE, "nothing that it printed matches '%s'",
			     p->result.pattern.text);
	else if (found.failed)
		rc = err_set(e, ERR_NOMEM, "a result");
	else
		rc = read_time(p, strbuf_text(&found), out_s, e);
	strbuf_release(&found);
	return rc;
}

/* ---- lines of CSV ---- */

/* The next field, without its quotes; NULL: there is none left. *failed: no memory. */
static char *next_field(const char **at, bool *failed)
{
	const char *p = *at;
	struct strbuf field = STRBUF_INIT;
	bool quoted = false;

	if (!p)
		return NULL;
	while (*p == ' ' || *p == '\t')
		p++;
	for (; *p && *p != '\n' && (quoted || *p != ','); p++) {
		if (*p != '"')
			strbuf_putc(&field, *p);
		else if (quoted && p[1] == '"')
			strbuf_putc(&field, *p++);
		else
			quoted = !quoted;
	}
	*at = *p == ',' ? p + 1 : NULL;
	while (field.len > 0 && strchr(" \t\r", field.buf[field.len - 1]))
		field.buf[--field.len] = '\0';
	if (!field.buf && !field.failed)
		field.buf = calloc(1, 1);
	*failed = field.failed || !field.buf;
	if (*failed)
		strbuf_release(&field);
	return field.buf;
}

struct fields {
	char **text;
	size_t n;
};

static void fields_release(struct fields *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->text[i]);
	free(f->text);
	*f = (struct fields){0};
}

static enum err_code fields_split(const char *line, struct fields *out, struct err *e)
{
	struct fields f = {0};
	bool failed = false;
	char *field;

	while (!failed && (field = next_field(&line, &failed))) {
		char **grown = realloc(f.text, (f.n + 1) * sizeof *grown);

		failed = !grown;
		if (failed) {
			free(field);
			break;
		}
		f.text = grown;
		f.text[f.n++] = field;
	}
	if (failed) {
		fields_release(&f);
		return err_set(e, ERR_NOMEM, "a line of results");
	}
	*out = f;
	return ERR_OK;
}

static size_t field_find(const struct fields *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++) {
		if (strcasecmp(f->text[i], name) == 0)
			return i;
	}
	return SIZE_MAX;
}

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : line + strlen(line);
}

static bool is_blank(const char *line)
{
	line += strspn(line, " \t\r");
	return !*line || *line == '\n';
}

/* The last line below a header that has the column, with as many fields as it. */
static enum err_code find_csv(const struct campaign_plan *p, const char *text,
			      struct fields *header, struct fields *values, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (const char *line = text; *line && !rc; line = next_line(line)) {
		struct fields f = {0};

		if (is_blank(line) || (rc = fields_split(line, &f, e)))
			continue;
		if (field_find(&f, p->result.column) != SIZE_MAX) {
			fields_release(header);
			fields_release(values);
			*header = f;
		} else if (header->n > 0 && f.n == header->n) {
			fields_release(values);
			*values = f;
		} else {
			fields_release(&f);
		}
	}
	if (!rc && header->n == 0)
		rc = err_set(e, ERR_PARSE, "it printed no header with a column '%s'",
			     p->result.column);
	else if (!rc && values->n == 0)
		rc = err_set(e, ERR_PARSE, "it printed no line below its header");
	return rc;
}

/* Does what it says of a column agree with what was asked? */
static enum err_code check_column(const struct application *a, size_t i, double asked,
				  const char *text, struct err *e)
{
	const struct column *c = &a->column[i];
	struct err inner = {0};
	double x;
	bool same;

	if (!*text || isnan(asked))
		return ERR_OK;
	if (c->type == COL_TEXT)
		same = strcmp(text, c->levels.name[(size_t)asked]) == 0;
	else
		same = !number_parse(text, &x, &inner) && fabs(x - asked) <= 1e-9 * fabs(asked);
	if (same)
		return ERR_OK;
	return c->type == COL_TEXT
		       ? err_set(e, ERR_PARSE, "it says that it ran with %s = %.40s, not %s",
				 c->name, text, c->levels.name[(size_t)asked])
		       : err_set(e, ERR_PARSE, "it says that it ran with %s = %.40s, not %.15g",
				 c->name, text, asked);
}

static enum err_code keep_column(struct run_result *r, const char *name, const char *text,
				 struct err *e)
{
	struct told_column *grown = realloc(r->column, (r->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "a line of results");
	r->column = grown;
	grown[r->n] = (struct told_column){strdup(name), strdup(text)};
	r->n++;
	return grown[r->n - 1].name && grown[r->n - 1].text
		       ? ERR_OK
		       : err_set(e, ERR_NOMEM, "a line of results");
}

static enum err_code read_csv(const struct campaign_plan *p, const struct application *a,
			      const double *row, const char *text, struct run_result *out,
			      struct err *e)
{
	struct fields header = {0}, values = {0};
	enum err_code rc = find_csv(p, text, &header, &values, e);

	for (size_t i = 0; i < header.n && !rc; i++) {
		size_t i_column = application_column(a, header.text[i]);

		if (strcasecmp(header.text[i], p->result.column) == 0)
			rc = read_time(p, values.text[i], &out->time_s, e);
		else if (i_column != SIZE_MAX)
			rc = check_column(a, i_column, row[i_column], values.text[i], e);
		else
			rc = keep_column(out, header.text[i], values.text[i], e);
	}
	fields_release(&header);
	fields_release(&values);
	return rc;
}

static enum err_code read_line(const struct campaign_plan *p, const char *text, double *out_s,
			       struct err *e)
{
	const char *starts = p->result.pattern.text, *last = NULL;
	struct fields f = {0};
	enum err_code rc;

	for (const char *line = text; *line; line = next_line(line)) {
		if (strncmp(line, starts, strlen(starts)) == 0)
			last = line;
	}
	if (!last)
		return err_set(e, ERR_PARSE, "it printed no line that starts with '%s'", starts);
	if ((rc = fields_split(last, &f, e)))
		return rc;
	rc = !f.text || f.n < (size_t)p->result.field
		     ? err_set(e, ERR_PARSE,
			       "the line that starts with '%s' has %zu fields, not %lld", starts,
			       f.n, (long long)p->result.field)
		     : read_time(p, f.text[p->result.field - 1], out_s, e);
	fields_release(&f);
	return rc;
}

/* ---- all of them ---- */

enum err_code result_read(const struct campaign_plan *p, const struct application *a,
			  const double *row, const char *text, struct run_result *out,
			  struct err *e)
{
	struct run_result r = {.time_s = NAN};
	enum err_code rc = ERR_OK;

	switch (p->result.kind) {
	case PLAN_REGEX:
		rc = read_regex(p, text, &r.time_s, e);
		break;
	case PLAN_CSV:
		rc = read_csv(p, a, row, text, &r, e);
		break;
	case PLAN_LINE:
		rc = read_line(p, text, &r.time_s, e);
		break;
	case PLAN_WALL:
	case PLAN_RESULTS:
		break;
	}
	if (rc)
		run_result_release(&r);
	else
		*out = r;
	return rc;
}

void run_result_release(struct run_result *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->column[i].name);
		free(r->column[i].text);
	}
	free(r->column);
	*r = (struct run_result){0};
}
