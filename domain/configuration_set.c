#include "domain/configuration.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* Values as people type them. A text of several values is taken as a whole or not at all: it is
 * read into a copy of the row. */

/* ---- one value ---- */

static enum err_code set_level(const struct column *col, const char *text, double *value,
			       struct err *e)
{
	struct strbuf known = STRBUF_INIT;
	size_t code = levels_find(&col->levels, text);

	if (code != SIZE_MAX) {
		*value = (double)code;
		return ERR_OK;
	}
	for (size_t i = 0; i < col->levels.n; i++)
		strbuf_printf(&known, "%s%s", i ? ", " : "", col->levels.name[i]);
	err_set(e, ERR_ARG, "%s = '%s' was never seen; there are %s", col->name, text,
		col->levels.n ? strbuf_text(&known) : "no runs yet");
	strbuf_release(&known);
	return ERR_ARG;
}

/* Its values may be typed as "64KB". */
static bool is_in_bytes(const struct column *col)
{
	return strcmp(col->unit, "bytes") == 0 || strcmp(col->unit, "B") == 0;
}

static enum err_code parse_number(const struct column *col, const char *text, double *value,
				  struct err *e)
{
	const int64_t exact = INT64_C(9007199254740992); /* 2^53: exact as a double */
	struct err inner = {0};
	int64_t whole;
	enum err_code rc;

	if (is_in_bytes(col) && size_in_table(text, value)) {
		rc = ERR_OK;
	} else if (col->type == COL_REAL) {
		rc = number_parse(text, value, &inner);
	} else {
		rc = integer_parse(text, -exact, exact, &whole, &inner);
		if (rc == ERR_OK)
			*value = (double)whole;
	}
	return rc ? err_set(e, rc, "%s: %s", col->name, inner.msg) : ERR_OK;
}

static enum err_code check_range(const struct column *col, double value, struct err *e)
{
	const char *what = value < col->min ? "less" : "greater";
	double limit = value < col->min ? col->min : col->max;
	struct strbuf text = STRBUF_INIT;

	if (value >= col->min && value <= col->max)
		return ERR_OK;
	strbuf_printf(&text, "%s = ", col->name);
	strbuf_put_number(&text, value);
	strbuf_printf(&text, " is %s than ", what);
	strbuf_put_number(&text, limit);
	err_set(e, ERR_ARG, "%s%s%s%s", strbuf_text(&text), *col->doc ? " (" : "", col->doc,
		*col->doc ? ")" : "");
	strbuf_release(&text);
	return ERR_ARG;
}

enum err_code configuration_set_value(const struct application *a, size_t i_column,
				      const char *text, double *row, struct err *e)
{
	const struct column *col = &a->column[i_column];
	double value = 0;
	enum err_code rc;

	if (col->role == COL_DERIVED)
		return err_set(e, ERR_ARG, "%s is derived: it follows from the other columns",
			       col->name);
	if (col->type == COL_TEXT)
		rc = set_level(col, text, &value, e);
	else if (!(rc = parse_number(col, text, &value, e)))
		rc = check_range(col, value, e);
	if (rc == ERR_OK)
		row[i_column] = value;
	return rc;
}

/* ---- several values ---- */

static double *copy_row(const struct application *a, const double *row)
{
	double *copy = malloc((a->n_columns + 1) * sizeof *copy);

	if (copy && a->n_columns > 0)
		memcpy(copy, row, a->n_columns * sizeof *copy);
	return copy;
}

/* On success the copy becomes the row; it is freed in any case. */
static enum err_code finish_row(const struct application *a, enum err_code rc, double *copy,
				double *row)
{
	if (rc == ERR_OK)
		memcpy(row, copy, a->n_columns * sizeof *copy);
	free(copy);
	return rc;
}

/* The next part of *p up to a separator or the end, without spaces around it; NULL when there is
 * none left. *p moves behind it. The text is cut up in place. */
static char *next_part(char **p, const char *separators)
{
	char *part = *p;
	size_t len;

	if (!part)
		return NULL;
	len = strcspn(part, separators);
	*p = part[len] ? part + len + 1 : NULL;
	part[len] = '\0';
	while (len > 0 && part[len - 1] == ' ')
		part[--len] = '\0';
	return part + strspn(part, " ");
}

/* May --problem (only_problem) or --set fill this column? Derived ones are refused later, with a
 * better message. */
static bool is_settable(const struct column *col, bool only_problem)
{
	return !only_problem || col->role == COL_PROBLEM;
}

static bool group_is_settable(const struct application *a, const struct group_flag *g,
			      bool only_problem)
{
	for (size_t i = 0; i < g->n; i++) {
		if (!is_settable(&a->column[g->column[i]], only_problem))
			return false;
	}
	return true;
}

static enum err_code fail_unknown(const struct application *a, const char *name, bool only_problem,
				  struct err *e)
{
	struct strbuf known = STRBUF_INIT;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED && is_settable(&a->column[i], only_problem))
			strbuf_printf(&known, "%s%s", known.len ? ", " : "", a->column[i].name);
	}
	for (size_t i = 0; i < a->n_group; i++) {
		if (group_is_settable(a, &a->group[i], only_problem))
			strbuf_printf(&known, ", %s", a->group[i].flag);
	}
	err_set(e, ERR_ARG, "%s has no %s '%s'; there are %s", a->name,
		only_problem ? "problem column" : "column", name, strbuf_text(&known));
	strbuf_release(&known);
	return ERR_ARG;
}

/* "mk=10" or "grid=8x16"; text is cut up. given[i]: was column i set before by the same text? */
static enum err_code set_named(const struct application *a, char *text, bool only_problem,
			       bool *given, double *row, struct err *e)
{
	char *value = text;
	const char *name = next_part(&value, "=");
	const struct group_flag *group = application_flag_group(a, name);
	size_t i = application_column(a, name);
	enum err_code rc;

	if (!value)
		return err_set(e, ERR_ARG, "'%s': NAME=VALUE is wanted", name);
	if (i == SIZE_MAX && group && group_is_settable(a, group, only_problem))
		return configuration_set_group(a, group, next_part(&value, ""), row, e);
	if (i == SIZE_MAX || !is_settable(&a->column[i], only_problem))
		return fail_unknown(a, name, only_problem, e);
	if (given[i])
		return err_set(e, ERR_ARG, "%s is given twice", a->column[i].name);
	rc = configuration_set_value(a, i, next_part(&value, ""), row, e);
	given[i] = rc == ERR_OK;
	return rc;
}

static enum err_code set_by_name(const struct application *a, const char *text, bool only_problem,
				 double *row, struct err *e)
{
	double *copy = copy_row(a, row);
	bool *given = calloc(a->n_columns + 1, sizeof *given);
	char *parts = strdup(text);
	char *rest = parts;
	enum err_code rc = ERR_OK;
	char *part;

	if (!copy || !given || !parts)
		rc = err_set(e, ERR_NOMEM, "out of memory");
	while (rc == ERR_OK && (part = next_part(&rest, ",")))
		rc = set_named(a, part, only_problem, given, copy, e);
	free(parts);
	free(given);
	return finish_row(a, rc, copy, row);
}

enum err_code configuration_set(const struct application *a, const char *text, double *row,
				struct err *e)
{
	return set_by_name(a, text, false, row, e);
}

/* ---- products: "280x280x255", "8x16", "320^3" ---- */

/* Several columns that are written as one product. */
struct candidate_product {
	const char *owner; /* "sweep3d" or "grid", for messages */
	const size_t *column;
	size_t n;
	const char *const *example; /* one number per column; the last for all further ones */
	size_t n_example;
};

/* "'280x280': sweep3d wants it_g x jt_g x kt, for example 280x280x255" */
static enum err_code fail_form(const struct application *a, const struct candidate_product *p,
			       const char *text, struct err *e)
{
	struct strbuf form = STRBUF_INIT;

	for (size_t i = 0; i < p->n; i++)
		strbuf_printf(&form, "%s%s", i ? " x " : "", a->column[p->column[i]].name);
	strbuf_puts(&form, ", for example ");
	for (size_t i = 0; i < p->n; i++)
		strbuf_printf(&form, "%s%s", i ? "x" : "",
			      p->example[i < p->n_example ? i : p->n_example - 1]);
	err_set(e, ERR_ARG, "'%s': %s wants %s", text, p->owner, strbuf_text(&form));
	strbuf_release(&form);
	return ERR_ARG;
}

/* How many columns a part is for: 3 of "320^3", which becomes "320"; of others 1. */
static size_t cut_power(char *part)
{
	char *power = strchr(part, '^');
	char *end = power;

	if (!power || power[1] < '1' || power[1] > '9' || power[2])
		return 1;
	while (end > part && end[-1] == ' ')
		end--;
	*end = '\0';
	return (size_t)(power[1] - '0');
}

static enum err_code set_product(const struct application *a, const struct candidate_product *p,
				 const char *text, double *row, struct err *e)
{
	double *copy = copy_row(a, row);
	char *parts = strdup(text);
	char *rest = parts;
	enum err_code rc = ERR_OK;
	size_t i = 0;
	char *part;

	if (!copy || !parts)
		rc = err_set(e, ERR_NOMEM, "out of memory");
	while (rc == ERR_OK && (part = next_part(&rest, "xX*"))) {
		const size_t until = i + cut_power(part);

		if (until > p->n || !*part)
			rc = fail_form(a, p, text, e);
		while (rc == ERR_OK && i < until)
			rc = configuration_set_value(a, p->column[i++], part, copy, e);
	}
	if (rc == ERR_OK && i < p->n)
		rc = fail_form(a, p, text, e);
	free(parts);
	return finish_row(a, rc, copy, row);
}

enum err_code configuration_set_group(const struct application *a, const struct group_flag *g,
				      const char *text, double *row, struct err *e)
{
	static const char *const example[] = {"8", "16", "4"};
	const struct candidate_product p = {g->flag, g->column, g->n, example, 3};

	return set_product(a, &p, text, row, e);
}

/* ---- the problem ---- */

/* "qr wants m=...,layout=..." when a problem column is text, or a name was left out. */
static enum err_code fail_missing(const struct application *a, const double *row, const char *text,
				  struct err *e)
{
	struct strbuf form = STRBUF_INIT;
	struct strbuf missing = STRBUF_INIT;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_PROBLEM)
			continue;
		strbuf_printf(&form, "%s%s=...", form.len ? "," : "", a->column[i].name);
		if (isnan(row[i]))
			strbuf_printf(&missing, "%s%s", missing.len ? ", " : "", a->column[i].name);
	}
	err_set(e, ERR_ARG, "'%s': %s wants %s (%s %s missing)", text, a->name, strbuf_text(&form),
		strbuf_text(&missing), strchr(strbuf_text(&missing), ',') ? "are" : "is");
	strbuf_release(&form);
	strbuf_release(&missing);
	return ERR_ARG;
}

static enum err_code check_whole(const struct application *a, const double *row, const char *text,
				 struct err *e)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == COL_PROBLEM && isnan(row[i]))
			return fail_missing(a, row, text, e);
	}
	return ERR_OK;
}

/* *is_text: some column is no number, so values are given by name. NULL: out of memory. */
static size_t *problem_columns(const struct application *a, size_t *n, bool *is_text)
{
	size_t *column = calloc(a->n_columns + 1, sizeof *column);

	*n = 0;
	*is_text = false;
	for (size_t i = 0; column && i < a->n_columns; i++) {
		if (a->column[i].role != COL_PROBLEM)
			continue;
		column[(*n)++] = i;
		*is_text |= a->column[i].type == COL_TEXT;
	}
	return column;
}

enum err_code configuration_set_problem(const struct application *a, const char *text, bool whole,
					double *row, struct err *e)
{
	static const char *const example[] = {"280", "280", "255"};
	size_t n;
	bool is_text;
	size_t *column = problem_columns(a, &n, &is_text);
	const struct candidate_product p = {a->name, column, n, example, 3};
	double *copy = copy_row(a, row);
	enum err_code rc;

	if (!column || !copy)
		rc = err_set(e, ERR_NOMEM, "out of memory");
	else if (n == 0)
		rc = err_set(e, ERR_ARG, "%s has no problem columns", a->name);
	else if (strchr(text, '='))
		rc = set_by_name(a, text, true, copy, e);
	else if (is_text && n == 1)
		rc = configuration_set_value(a, column[0], text, copy, e);
	else if (is_text)
		rc = fail_missing(a, copy, text, e);
	else
		rc = set_product(a, &p, text, copy, e);
	if (rc == ERR_OK && whole)
		rc = check_whole(a, copy, text, e);
	free(column);
	return finish_row(a, rc, copy, row);
}
