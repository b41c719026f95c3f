#include "domain/configuration_axes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "domain/configuration.h"

/* ---- axes ---- */

static void axis_release(struct configuration_axis *axis)
{
	free(axis->column);
	free(axis->value);
	*axis = (struct configuration_axis){.n = 0};
}

void configuration_axes_release(struct configuration_axes *axes)
{
	for (size_t i = 0; i < axes->n; i++)
		axis_release(&axes->axis[i]);
	free(axes->axis);
	*axes = (struct configuration_axes){.n = 0};
}

bool configuration_axis_has(const struct configuration_axis *axis, size_t i_column)
{
	for (size_t i = 0; i < axis->n_columns; i++) {
		if (axis->column[i] == i_column)
			return true;
	}
	return false;
}

void configuration_axis_put(const struct configuration_axis *axis, size_t i, double *row)
{
	for (size_t k = 0; k < axis->n_columns; k++)
		row[axis->column[k]] = axis->value[i * axis->n_columns + k];
}

static enum err_code out_of_memory(struct err *e)
{
	return err_set(e, ERR_NOMEM, "a list of values");
}

/* An axis without values yet, which is not among the others. */
static enum err_code axis_init(struct configuration_axis *axis,
			       const struct configuration_axes *others, const struct application *a,
			       const size_t *column, size_t n, struct err *e)
{
	for (size_t i = 0; i < others->n; i++) {
		for (size_t k = 0; k < n; k++) {
			if (configuration_axis_has(&others->axis[i], column[k]))
				return err_set(e, ERR_ARG, "%s is given twice",
					       a->column[column[k]].name);
		}
	}
	axis->column = calloc(n + 1, sizeof *axis->column);
	if (!axis->column)
		return out_of_memory(e);
	memcpy(axis->column, column, n * sizeof *column);
	axis->n_columns = n;
	return ERR_OK;
}

static bool is_listed(const struct configuration_axis *axis, const double *row)
{
	for (size_t i = 0; i < axis->n; i++) {
		size_t k = 0;

		while (k < axis->n_columns &&
		       axis->value[i * axis->n_columns + k] == row[axis->column[k]])
			k++;
		if (k == axis->n_columns)
			return true;
	}
	return false;
}

/* The row's values, unless they are there. */
static enum err_code axis_add(struct configuration_axis *axis, const struct application *a,
			      const double *row, struct err *e)
{
	double *longer;

	if (is_listed(axis, row))
		return ERR_OK;
	if (axis->n == CONFIGURATION_AXES_MOST)
		return err_set(e, ERR_ARG, "%s: more than %d values",
			       a->column[axis->column[0]].name, CONFIGURATION_AXES_MOST);
	longer = realloc(axis->value, (axis->n + 1) * axis->n_columns * sizeof *longer);
	if (!longer)
		return out_of_memory(e);
	axis->value = longer;
	for (size_t k = 0; k < axis->n_columns; k++)
		longer[axis->n * axis->n_columns + k] = row[axis->column[k]];
	axis->n++;
	return ERR_OK;
}

/* Takes the axis over, if rc says that it is good. */
static enum err_code keep(struct configuration_axes *axes, enum err_code rc,
			  struct configuration_axis *axis, struct err *e)
{
	struct configuration_axis *longer = NULL;

	if (!rc && !(longer = realloc(axes->axis, (axes->n + 1) * sizeof *longer)))
		rc = out_of_memory(e);
	if (rc) {
		axis_release(axis);
		return rc;
	}
	axes->axis = longer;
	axes->axis[axes->n++] = *axis;
	return ERR_OK;
}

/* ---- ranges ---- */

/* "FROM..TO", "FROM..TO*FACTOR", "FROM..TO+STEP" */
struct value_range {
	double from, to, step;
	bool by_factor;
};

/* What a list of n values before a range that starts at `from` goes on by. */
static void go_on(const double *value, size_t n, struct value_range *r)
{
	const double last = n > 0 ? value[n - 1] : NAN, before = n > 1 ? value[n - 2] : NAN;
	const double ratio = r->from / last, step = r->from - last;

	r->by_factor = before > 0 && ratio > 1 && fabs(last / before - ratio) <= 1e-9 * ratio;
	if (r->by_factor)
		r->step = ratio;
	else if (step > 0 && (n == 1 || fabs(last - before - step) <= 1e-9 * fabs(r->from)))
		r->step = step;
	else
		r->step = 1;
}

static enum err_code fail_range(const char *text, struct err *e)
{
	return err_set(e, ERR_ARG,
		       "'%s': write FROM..TO, FROM..TO*FACTOR (a factor above 1) or FROM..TO+STEP, "
		       "upwards",
		       text);
}

/* dots: of item, which is cut up. */
static enum err_code read_range(char *item, char *dots, const struct configuration_axis *before,
				struct value_range *r, struct err *e)
{
	struct strbuf whole = STRBUF_INIT;
	char *to = dots + 2, *step = to + strcspn(to, "*+");
	const char kind = *step;
	enum err_code rc = ERR_OK;

	strbuf_puts(&whole, item);
	*dots = *step = '\0';
	if (whole.failed)
		rc = out_of_memory(e);
	else if (number_parse(item, &r->from, NULL) || number_parse(to, &r->to, NULL) ||
		 (kind && number_parse(step + 1, &r->step, NULL)))
		rc = fail_range(strbuf_text(&whole), e);
	r->by_factor = kind == '*';
	if (!rc && !kind)
		go_on(before->value, before->n, r);
	if (!rc &&
	    (r->from > r->to || (r->by_factor ? r->step <= 1 || r->from <= 0 : r->step <= 0)))
		rc = fail_range(strbuf_text(&whole), e);
	if (!rc && (r->by_factor ? log(r->to / r->from) / log(r->step)
				 : (r->to - r->from) / r->step) >= CONFIGURATION_AXES_MOST)
		rc = err_set(e, ERR_ARG, "'%s' is more than %d values", strbuf_text(&whole),
			     CONFIGURATION_AXES_MOST);
	strbuf_release(&whole);
	return rc;
}

/* Each value is checked as if somebody had typed it. */
static enum err_code add_range(struct configuration_axis *axis, const struct application *a,
			       const struct value_range *r, double *row, struct err *e)
{
	const double end = r->to + 1e-9 * fabs(r->to); /* for what rounding does to the last one */
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; !rc; i++) {
		double x = r->by_factor ? r->from * pow(r->step, (double)i)
					: r->from + (double)i * r->step;

		if (x > end)
			break;
		if (fabs(x - round(x)) <= 1e-9 * fabs(x))
			x = round(x);
		strbuf_clear(&text);
		strbuf_put_number(&text, x);
		if (text.failed)
			rc = out_of_memory(e);
		else if (!(rc = configuration_set_value(a, axis->column[0], strbuf_text(&text), row,
							e)))
			rc = axis_add(axis, a, row, e);
	}
	strbuf_release(&text);
	return rc;
}

/* ---- lists ---- */

static char *trim(char *text)
{
	size_t n;

	text += strspn(text, " ");
	n = strlen(text);
	while (n > 0 && text[n - 1] == ' ')
		text[--n] = '\0';
	return text;
}

/* One item of a column's list; it is cut up. */
static enum err_code add_item(struct configuration_axis *axis, const struct application *a,
			      char *item, double *row, struct err *e)
{
	const size_t i = axis->column[0];
	char *dots = a->column[i].type == COL_TEXT ? NULL : strstr(item, "..");
	struct value_range r;
	enum err_code rc;

	if (a->column[i].role == COL_DERIVED || !dots) {
		rc = configuration_set_value(a, i, item, row, e);
		return rc ? rc : axis_add(axis, a, row, e);
	}
	rc = read_range(item, dots, axis, &r, e);
	return rc ? rc : add_range(axis, a, &r, row, e);
}

/* How one item is read. */
typedef enum err_code (*add_fn)(struct configuration_axis *axis, const struct application *a,
				char *item, double *row, const void *what, struct err *e);

/* All items of a list, with a row to read them into. */
static enum err_code add_list(struct configuration_axis *axis, const struct application *a,
			      const char *text, add_fn add, const void *what, struct err *e)
{
	double *row = calloc(a->n_columns + 1, sizeof *row);
	char *copy = strdup(text), *rest = copy;
	enum err_code rc = row && copy ? ERR_OK : out_of_memory(e);

	if (row)
		configuration_clear(a, row);
	while (!rc && rest) {
		char *comma = strchr(rest, ','), *item;

		if (comma)
			*comma = '\0';
		item = trim(rest);
		rest = comma ? comma + 1 : NULL;
		rc = *item ? add(axis, a, item, row, what, e)
			   : err_set(e, ERR_ARG, "'%s': an empty item", text);
	}
	free(copy);
	free(row);
	return rc;
}

static enum err_code add_to_column(struct configuration_axis *axis, const struct application *a,
				   char *item, double *row, const void *what, struct err *e)
{
	(void)what;
	return add_item(axis, a, item, row, e);
}

enum err_code configuration_axes_add_column(struct configuration_axes *axes,
					    const struct application *a, size_t i_column,
					    const char *text, struct err *e)
{
	struct configuration_axis axis = {.n = 0};
	enum err_code rc = axis_init(&axis, axes, a, &i_column, 1, e);

	if (!rc)
		rc = add_list(&axis, a, text, add_to_column, NULL, e);
	return keep(axes, rc, &axis, e);
}

static enum err_code add_to_group(struct configuration_axis *axis, const struct application *a,
				  char *item, double *row, const void *what, struct err *e)
{
	enum err_code rc = configuration_set_group(a, what, item, row, e);

	return rc ? rc : axis_add(axis, a, row, e);
}

enum err_code configuration_axes_add_group(struct configuration_axes *axes,
					   const struct application *a, const struct group_flag *g,
					   const char *text, struct err *e)
{
	struct configuration_axis axis = {.n = 0};
	enum err_code rc = axis_init(&axis, axes, a, g->column, g->n, e);

	if (!rc)
		rc = add_list(&axis, a, text, add_to_group, g, e);
	return keep(axes, rc, &axis, e);
}

/* ---- lists by name ---- */

static enum err_code add_named(struct configuration_axes *axes, const struct application *a,
			       const char *name, const char *text, bool only_problem, struct err *e)
{
	const struct group_flag *group = only_problem ? NULL : application_flag_group(a, name);
	const size_t i = application_column(a, name);

	if (i == SIZE_MAX && group)
		return configuration_axes_add_group(axes, a, group, text, e);
	if (i == SIZE_MAX || (only_problem && a->column[i].role != COL_PROBLEM))
		return err_set(e, ERR_ARG, "%s has no %s '%s'", a->name,
			       only_problem ? "problem column" : "column", name);
	return configuration_axes_add_column(axes, a, i, text, e);
}

/* The end of the list that begins at text: the comma before the next NAME=, or the end. */
static char *list_end(char *text)
{
	char *end = text;

	for (;;) {
		char *comma = strchr(end, ',');
		size_t n;

		if (!comma)
			return end + strlen(end);
		n = strcspn(comma + 1, ",=");
		if (comma[1 + n] == '=')
			return comma;
		end = comma + 1;
	}
}

static enum err_code add_by_name(struct configuration_axes *axes, const struct application *a,
				 const char *text, bool only_problem, struct err *e)
{
	char *copy = strdup(text), *rest = copy;
	enum err_code rc = copy ? ERR_OK : out_of_memory(e);

	while (!rc && rest) {
		char *value = strchr(rest, '='), *end;

		if (!value) {
			rc = err_set(e, ERR_ARG, "'%s': NAME=VALUE is wanted", trim(rest));
			break;
		}
		*value++ = '\0';
		end = list_end(value);
		const bool more = *end != '\0';

		*end = '\0';
		rc = add_named(axes, a, trim(rest), value, only_problem, e);
		rest = more ? end + 1 : NULL;
	}
	free(copy);
	return rc;
}

enum err_code configuration_axes_add_set(struct configuration_axes *axes,
					 const struct application *a, const char *text,
					 struct err *e)
{
	return add_by_name(axes, a, text, false, e);
}

static enum err_code add_to_problem(struct configuration_axis *axis, const struct application *a,
				    char *item, double *row, const void *what, struct err *e)
{
	enum err_code rc;

	(void)what;
	if (axis->n_columns == 1)
		return add_item(axis, a, item, row, e);
	rc = configuration_set_problem(a, item, true, row, e);
	return rc ? rc : axis_add(axis, a, row, e);
}

enum err_code configuration_axes_add_problem(struct configuration_axes *axes,
					     const struct application *a, const char *text,
					     struct err *e)
{
	struct configuration_axis axis = {.n = 0};
	size_t *column, n = 0;
	enum err_code rc;

	if (strchr(text, '='))
		return add_by_name(axes, a, text, true, e);
	column = calloc(a->n_columns + 1, sizeof *column);
	if (!column)
		return out_of_memory(e);
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == COL_PROBLEM)
			column[n++] = i;
	}
	rc = n > 0 ? axis_init(&axis, axes, a, column, n, e)
		   : err_set(e, ERR_ARG, "%s has no problem columns", a->name);
	free(column);
	if (!rc)
		rc = add_list(&axis, a, text, add_to_problem, NULL, e);
	return keep(axes, rc, &axis, e);
}

/* ---- the product ---- */

enum err_code configuration_axes_count(const struct configuration_axes *axes,
				       const struct application *a, size_t *n, struct err *e)
{
	struct strbuf what = STRBUF_INIT;
	double product = 1;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < axes->n; i++) {
		const struct configuration_axis *axis = &axes->axis[i];

		product *= (double)axis->n;
		if (axis->n > 1)
			strbuf_printf(&what, "%s%zu values of %s", what.len ? ", " : "", axis->n,
				      a->column[axis->column[0]].name);
	}
	if (what.failed)
		rc = out_of_memory(e);
	else if (product > CONFIGURATION_AXES_MOST)
		rc = err_set(e, ERR_ARG,
			     "%.10g combinations (%s): at most %d are predicted together", product,
			     strbuf_text(&what), CONFIGURATION_AXES_MOST);
	else
		*n = (size_t)product;
	strbuf_release(&what);
	return rc;
}
