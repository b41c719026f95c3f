#include "api/problem_completion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_form.h"
#include "domain/configuration.h"

/* ---- asking for runs ---- */

static void put_quoted(struct strbuf *out, const char *text, char quote)
{
	strbuf_putc(out, quote);
	for (; *text; text++) {
		if (*text == quote)
			strbuf_putc(out, quote);
		strbuf_putc(out, *text);
	}
	strbuf_putc(out, quote);
}

static void put_comparison(const struct application *a, size_t i, const char *sign, double value,
			   struct strbuf *where)
{
	const struct column *c = &a->column[i];
	char number[REAL_TEXT_SIZE];

	strbuf_puts(where, where->len ? " and " : "");
	put_quoted(where, c->name, '"');
	strbuf_printf(where, " %s ", sign);
	if (c->type == COL_TEXT)
		put_quoted(where, c->levels.name[(size_t)value], '\'');
	else
		strbuf_puts(where, real_text(value, number));
}

/* What was given of a problem that runs are to agree with. */
enum agreement { WITH_ALL, WITH_TEXTS, WITH_NOTHING };

static bool counts(const struct application *a, const double *given, size_t i, enum agreement with)
{
	return with != WITH_NOTHING && a->column[i].role == COL_PROBLEM && !isnan(given[i]) &&
	       (with == WITH_ALL || a->column[i].type == COL_TEXT);
}

static bool any_counts(const struct application *a, const double *given, enum agreement with)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (counts(a, given, i, with))
			return true;
	}
	return false;
}

static void put_agreement(const struct application *a, const double *given, enum agreement with,
			  struct strbuf *where)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (counts(a, given, i, with))
			put_comparison(a, i, "=", given[i], where);
	}
}

/* One run; none: (*out)->n is 0. */
static enum err_code load_one(struct session *session, const struct application *a,
			      const struct strbuf *where, struct dataset **out, struct err *e)
{
	const struct kb_filter f = {.limit = 1, .where = where->len ? strbuf_text(where) : NULL};

	*out = NULL;
	if (!where->failed)
		return kb_load_runs(session->kb, a, &f, NULL, out, e);
	err_set(e, ERR_NOMEM, "a condition");
	return ERR_NOMEM;
}

static enum err_code load_agreeing(struct session *session, const struct application *a,
				   const double *given, enum agreement with, struct dataset **out,
				   struct err *e)
{
	struct strbuf where = STRBUF_INIT;
	enum err_code rc;

	put_agreement(a, given, with, &where);
	rc = load_one(session, a, &where, out, e);
	strbuf_release(&where);
	return rc;
}

/* ---- the only value ---- */

/* *value: that of column i in a run, if all others that agree have it too; else NaN. */
static enum err_code only_value(struct session *session, const struct application *a,
				const double *given, enum agreement with, size_t i,
				const struct dataset *run, double *value, struct err *e)
{
	struct strbuf where = STRBUF_INIT;
	struct dataset *other = NULL;
	enum err_code rc;

	*value = NAN;
	if (isnan(dataset_row(run, 0)[i]))
		return ERR_OK;
	put_agreement(a, given, with, &where);
	put_comparison(a, i, "!=", dataset_row(run, 0)[i], &where);
	if (!(rc = load_one(session, a, &where, &other, e)) && other->n == 0)
		*value = dataset_row(run, 0)[i];
	dataset_free(other);
	strbuf_release(&where);
	return rc;
}

static void put_assumption(const struct application *a, const double *given, enum agreement with,
			   const struct strbuf *values, struct strbuf *taken)
{
	const char *separator = " of ";

	strbuf_printf(taken, "%s%s assumed, as in all runs", taken->len ? "; " : "",
		      strbuf_text(values));
	for (size_t i = 0; i < a->n_columns; i++) {
		if (!counts(a, given, i, with))
			continue;
		strbuf_printf(taken, "%s%s ", separator, a->column[i].name);
		configuration_put_value(a, i, given[i], taken);
		separator = ", ";
	}
}

/* *other: a number was given where all runs that agree have another one, as nx 1000 of a case that
 * is 400 wide: this is not that case's problem, whose other sizes then say nothing. */
static enum err_code is_another_problem(struct session *session, const struct application *a,
					const double *given, enum agreement with,
					const struct dataset *run, bool *other, struct err *e)
{
	enum err_code rc = ERR_OK;

	*other = false;
	for (size_t i = 0; i < a->n_columns && !rc && !*other; i++) {
		double only;

		if (!counts(a, given, i, WITH_ALL) || counts(a, given, i, with))
			continue;
		rc = only_value(session, a, given, with, i, run, &only, e);
		*other = !rc && !isnan(only) && only != given[i];
	}
	return rc;
}

/* What the runs that agree with what was given leave no choice of. */
static enum err_code take_only_values(struct session *session, const struct application *a,
				      const double *given, enum agreement with, double *row,
				      struct strbuf *taken, struct err *e)
{
	struct strbuf values = STRBUF_INIT;
	struct dataset *run = NULL;
	bool other = false;
	enum err_code rc = load_agreeing(session, a, given, with, &run, e);

	if (!rc && run->n > 0 && with == WITH_TEXTS)
		rc = is_another_problem(session, a, given, with, run, &other, e);
	for (size_t i = 0; i < a->n_columns && !rc && run->n > 0 && !other; i++) {
		if (a->column[i].role != COL_PROBLEM || !isnan(row[i]))
			continue;
		if ((rc = only_value(session, a, given, with, i, run, &row[i], e)) || isnan(row[i]))
			continue;
		strbuf_printf(&values, "%s%s ", values.len ? ", " : "", a->column[i].name);
		configuration_put_value(a, i, row[i], &values);
	}
	if (!rc && values.len > 0)
		put_assumption(a, given, with, &values, taken);
	if (!rc && (values.failed || taken->failed))
		rc = err_set(e, ERR_NOMEM, "what was assumed");
	dataset_free(run);
	strbuf_release(&values);
	return rc;
}

/* ---- numbers that go together ---- */

struct number_pair {
	double given, other;
};

static int by_given(const void *a, const void *b)
{
	const struct number_pair *x = a, *y = b;

	return x->given != y->given ? (x->given < y->given ? -1 : 1) : 0;
}

/* Column `other` at column given = value, if it is a function of that in the runs: of each value
 * one, and of two values or more not for want of runs. NaN: it is none, or no run has that value.
 */
static double function_at(const struct dataset *runs, size_t given, double value, size_t other,
			  struct number_pair *pair)
{
	double at = NAN;
	size_t n = 0, n_repeated = 0;

	for (size_t k = 0; k < runs->n; k++) {
		const double *x = dataset_row(runs, k);

		if (!isnan(x[given]) && !isnan(x[other]))
			pair[n++] = (struct number_pair){x[given], x[other]};
	}
	qsort(pair, n, sizeof *pair, by_given);
	for (size_t k = 0, end; k < n; k = end) {
		for (end = k + 1; end < n && pair[end].given == pair[k].given; end++) {
			if (pair[end].other != pair[k].other)
				return NAN;
		}
		n_repeated += end - k > 1;
		if (pair[k].given == value)
			at = pair[k].other;
	}
	return n_repeated > 1 ? at : NAN;
}

static bool is_number_of_problem(const struct application *a, size_t i)
{
	return a->column[i].role == COL_PROBLEM && a->column[i].type != COL_TEXT;
}

static enum err_code take_functions(struct session *session, const struct application *a,
				    const double *given, double *row, struct strbuf *taken,
				    struct err *e)
{
	struct dataset *runs = NULL;
	struct number_pair *pair;
	enum err_code rc = kb_load_runs(session->kb, a, NULL, session->progress, &runs, e);

	if (rc)
		return rc;
	pair = calloc(runs->n + 1, sizeof *pair);
	for (size_t i = 0; i < a->n_columns && pair; i++) {
		for (size_t g = 0; g < a->n_columns && is_number_of_problem(a, i); g++) {
			if (!isnan(row[i]) || isnan(given[g]) || !is_number_of_problem(a, g))
				continue;
			row[i] = function_at(runs, g, given[g], i, pair);
			if (isnan(row[i]))
				continue;
			strbuf_printf(taken, "%s%s ", taken->len ? "; " : "", a->column[i].name);
			configuration_put_value(a, i, row[i], taken);
			strbuf_printf(taken, " assumed, as in all runs of %s ", a->column[g].name);
			configuration_put_value(a, g, given[g], taken);
		}
	}
	if (!pair || taken->failed)
		rc = err_set(e, ERR_NOMEM, "what was assumed");
	free(pair);
	dataset_free(runs);
	return rc;
}

static bool is_complete(const struct application *a, const double *row)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == COL_PROBLEM && isnan(row[i]))
			return false;
	}
	return true;
}

enum err_code problem_complete(struct session *session, const struct application *a, double *row,
			       struct strbuf *taken, struct err *e)
{
	double *given;
	enum err_code rc;

	if (a->model || is_complete(a, row))
		return ERR_OK;
	if (!(given = malloc(a->n_columns * sizeof *given)))
		return err_set(e, ERR_NOMEM, "a configuration");
	memcpy(given, row, a->n_columns * sizeof *given);
	rc = take_only_values(session, a, given, WITH_NOTHING, row, taken, e);
	if (!rc && any_counts(a, given, WITH_TEXTS))
		rc = take_only_values(session, a, given, WITH_TEXTS, row, taken, e);
	if (!rc && !is_complete(a, row) && any_counts(a, given, WITH_ALL))
		rc = take_functions(session, a, given, row, taken, e);
	free(given);
	return rc;
}

/* ---- an example ---- */

enum err_code problem_put_example(struct session *session, const struct application *a,
				  const double *row, struct strbuf *out, struct err *e)
{
	struct strbuf word = STRBUF_INIT;
	struct dataset *run = NULL;
	size_t n = 0;
	enum err_code rc = load_agreeing(session, a, row, WITH_ALL, &run, e);

	for (enum agreement with = WITH_TEXTS; with <= WITH_NOTHING && !rc && run->n == 0; with++) {
		dataset_free(run);
		run = NULL;
		rc = load_agreeing(session, a, row, with, &run, e);
	}
	for (size_t i = 0; i < a->n_columns && !rc; i++) {
		const double value = isnan(row[i]) && run->n > 0 ? dataset_row(run, 0)[i] : row[i];

		if (a->column[i].role != COL_PROBLEM)
			continue;
		strbuf_printf(&word, "%s%s=", n++ ? "," : "", a->column[i].name);
		if (isnan(value))
			strbuf_puts(&word, "VALUE");
		else
			configuration_put_value(a, i, value, &word);
	}
	text_put_shell_word(out, strbuf_text(&word));
	out->failed |= word.failed;
	strbuf_release(&word);
	if (!rc && run->n > 0)
		strbuf_printf(out, " (what is not given as in run %lld)",
			      (long long)run->run_id[0]);
	dataset_free(run);
	return rc;
}
