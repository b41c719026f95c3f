#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "ingest/formats/foreign_format.h"
#include "ingest/formats/series_choice.h"

/* The text format of Extra-P (extra-p/extrap, docs/file-formats.md): PARAMETER names the
 * parameters, POINTS their values at each point of measurement; below a REGION (and METRIC) one
 * line of DATA for each point, with the values of its repetitions. A value is a run; its metric
 * names the column. */

struct extrap_words {
	char **item;
	size_t n, cap;
};

struct extrap_reader {
	struct foreign_input *in;
	struct foreign_table *out;
	struct extrap_words parameter;
	struct extrap_words coordinate; /* [points][parameters] */
	struct series_choice region, metric;
	char *region_name, *metric_name; /* of the lines below; NULL: none yet */
	size_t i_point;			 /* of the next DATA */
	uint64_t data_line;		 /* of the last one */
};

static bool word_list_add(struct extrap_words *l, const char *text, size_t n)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? 2 * l->cap : 16;
		char **grown = realloc(l->item, cap * sizeof *grown);

		if (!grown)
			return false;
		l->item = grown;
		l->cap = cap;
	}
	l->item[l->n] = strndup(text, n);
	return l->item[l->n++] != NULL;
}

static void word_list_release(struct extrap_words *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->item[i]);
	free(l->item);
}

static const char blanks[] = " \t";

/* Is the line of this section? *rest is what follows its name. */
static bool is_section(const char *line, const char *name, const char **rest)
{
	size_t n = strlen(name);

	if (strncmp(line, name, n) != 0 || (line[n] && !strchr(blanks, line[n])))
		return false;
	*rest = line + n + strspn(line + n, blanks);
	return true;
}

static bool is_extrap(const char *head, size_t n, bool whole)
{
	const char *rest;

	(void)n;
	(void)whole;
	if (strncmp(head, "\xef\xbb\xbf", 3) == 0)
		head += 3;
	for (;;) { /* comments and empty lines before it */
		head += strspn(head, " \t\r\n");
		if (*head != '#')
			break;
		head += strcspn(head, "\n");
	}
	return is_section(head, "PARAMETER", &rest) && *rest && *rest != '\n' && !strchr(rest, '|');
}

static enum err_code no_memory(const struct extrap_reader *r, struct err *e)
{
	return err_set(e, ERR_NOMEM, "%s: no memory to read it", foreign_input_name(r->in));
}

static enum err_code read_parameters(struct extrap_reader *r, const char *rest, uint64_t line,
				     struct err *e)
{
	if (r->coordinate.n > 0)
		return foreign_input_fault(r->in, line, e, "PARAMETER behind POINTS");
	for (size_t n; *rest; rest += n + strspn(rest + n, blanks)) {
		n = strcspn(rest, blanks);
		for (size_t i = 0; i < r->parameter.n; i++) {
			if (strlen(r->parameter.item[i]) == n &&
			    strncmp(r->parameter.item[i], rest, n) == 0)
				return foreign_input_fault(r->in, line, e,
							   "two parameters are called '%.60s'",
							   r->parameter.item[i]);
		}
		if (!word_list_add(&r->parameter, rest, n))
			return no_memory(r, e);
	}
	return ERR_OK;
}

/* "( 2 10 ) (4 10)", "((2) (10))", "(2) (4)" or, of one parameter, "2 4 8": what stands in one
 * outer pair of brackets, or alone, is a point. */
static enum err_code read_points(struct extrap_reader *r, const char *rest, uint64_t line,
				 struct err *e)
{
	size_t depth = 0, n_of_point = 0;
	double value;

	if (r->parameter.n == 0)
		return foreign_input_fault(r->in, line, e, "POINTS before PARAMETER");
	while (*rest) {
		size_t n = strcspn(rest, " \t()");

		if (*rest == '(') {
			depth++;
		} else if (n > 0) {
			if (!word_list_add(&r->coordinate, rest, n))
				return no_memory(r, e);
			if (number_parse(r->coordinate.item[r->coordinate.n - 1], &value, NULL))
				return foreign_input_fault(r->in, line, e,
							   "the coordinate '%.40s' is no number",
							   r->coordinate.item[r->coordinate.n - 1]);
			n_of_point++;
		} else if (*rest == ')' && depth == 0) {
			return foreign_input_fault(r->in, line, e,
						   "a bracket closes that was not "
						   "open");
		} else if (*rest == ')') {
			depth--;
		}
		if (depth == 0 && n_of_point > 0 && n_of_point != r->parameter.n)
			return foreign_input_fault(
				r->in, line, e,
				"a point of %zu coordinates, there are %zu parameters", n_of_point,
				r->parameter.n);
		if (depth == 0)
			n_of_point = 0;
		rest += n > 0 ? n : 1;
	}
	return depth == 0 ? ERR_OK
			  : foreign_input_fault(r->in, line, e, "a bracket that never closes");
}

static size_t n_points(const struct extrap_reader *r)
{
	return r->parameter.n ? r->coordinate.n / r->parameter.n : 0;
}

/* A section of DATA ends: it had a line for each point. */
static enum err_code end_data(struct extrap_reader *r, struct err *e)
{
	size_t n = r->i_point;

	r->i_point = 0;
	if (n == 0 || n == n_points(r))
		return ERR_OK;
	return foreign_input_fault(r->in, r->data_line, e,
				   "%zu lines of DATA for %zu POINTS: each point has one", n,
				   n_points(r));
}

static enum err_code put_runs(struct extrap_reader *r, const char *rest, uint64_t line,
			      struct err *e)
{
	const char *column = r->metric_name ? r->metric_name : "value";
	enum err_code rc;

	for (size_t n; *rest; rest += n + strspn(rest + n, blanks)) {
		n = strcspn(rest, blanks);
		for (size_t i = 0; i < r->parameter.n; i++)
			foreign_table_put(r->out, r->parameter.item[i],
					  r->coordinate.item[r->i_point * r->parameter.n + i]);
		if (r->region_name)
			foreign_table_put(r->out, "region", r->region_name);
		foreign_table_put_n(r->out, column, rest, n);
		if ((rc = foreign_table_end_row(r->out, line, e)))
			return rc;
	}
	foreign_table_need_unit(r->out, column);
	return ERR_OK;
}

static enum err_code read_data(struct extrap_reader *r, const char *rest, uint64_t line,
			       struct err *e)
{
	enum err_code rc = ERR_OK;

	if (r->i_point >= n_points(r))
		return foreign_input_fault(r->in, line, e,
					   "more lines of DATA than the %zu POINTS: each has one",
					   n_points(r));
	if (!*rest)
		return foreign_input_fault(r->in, line, e, "DATA without a value");
	if (series_choice_take(&r->region, r->region_name ? r->region_name : "") &&
	    series_choice_take(&r->metric, r->metric_name ? r->metric_name : "value"))
		rc = put_runs(r, rest, line, e);
	r->i_point++;
	r->data_line = line;
	return rc;
}

static enum err_code set_name(struct extrap_reader *r, char **name, const char *rest, uint64_t line,
			      struct err *e)
{
	enum err_code rc = end_data(r, e);

	if (rc)
		return rc;
	if (!*rest)
		return foreign_input_fault(r->in, line, e, "a REGION or METRIC without a name");
	free(*name);
	*name = strdup(rest);
	return *name ? ERR_OK : no_memory(r, e);
}

static enum err_code read_line(struct extrap_reader *r, const struct foreign_line *l, struct err *e)
{
	const char *line = l->text + strspn(l->text, blanks), *rest;

	if (!*line || *line == '#')
		return ERR_OK;
	if (is_section(line, "PARAMETER", &rest))
		return read_parameters(r, rest, l->number, e);
	if (is_section(line, "POINTS", &rest))
		return read_points(r, rest, l->number, e);
	if (is_section(line, "REGION", &rest))
		return set_name(r, &r->region_name, rest, l->number, e);
	if (is_section(line, "METRIC", &rest))
		return set_name(r, &r->metric_name, rest, l->number, e);
	if (is_section(line, "DATA", &rest))
		return read_data(r, rest, l->number, e);
	return foreign_input_fault(r->in, l->number, e,
				   "'%.40s': PARAMETER, POINTS, REGION, METRIC, DATA or a comment "
				   "(#) is wanted",
				   line);
}

static enum err_code read_lines(struct extrap_reader *r, struct err *e)
{
	struct foreign_line line;
	enum err_code rc;

	while (!(rc = foreign_input_line(r->in, &line, e)) && line.text) {
		if ((rc = read_line(r, &line, e)))
			return rc;
	}
	if (rc || (rc = end_data(r, e)) || (rc = series_choice_judge(&r->region, r->in, e)))
		return rc;
	return series_choice_judge(&r->metric, r->in, e);
}

static enum err_code read_extrap(struct foreign_input *in, struct foreign_table *out, struct err *e)
{
	const struct foreign_choice *choice = foreign_input_choice(in);
	struct extrap_reader r = {
		.in = in,
		.out = out,
		.region = {.what = "region",
			   .flag = "--region",
			   .wanted = choice->region,
			   .may_be_all = true},
		.metric = {.what = "metric", .flag = "--metric", .wanted = choice->metric},
	};
	enum err_code rc = read_lines(&r, e);

	word_list_release(&r.parameter);
	word_list_release(&r.coordinate);
	series_choice_release(&r.region);
	series_choice_release(&r.metric);
	free(r.region_name);
	free(r.metric_name);
	return rc;
}

const struct foreign_format format_extrap = {
	.name = "extrap",
	.title = "text of Extra-P",
	.recognise = is_extrap,
	.read = read_extrap,
	.takes_region = true,
	.takes_metric = true,
};
