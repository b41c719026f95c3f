#include "kb/kb_run_index_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "kb/kb_run_table.h"

void index_box_put(const struct application *a, const double *lo, const double *hi,
		   struct strbuf *out)
{
	const char *separator = "";

	for (size_t i = 0; i < a->n_columns; i++) {
		if (!run_table_stores(a, i))
			continue;
		strbuf_puts(out, separator);
		separator = " ";
		if (isnan(lo[i])) {
			strbuf_putc(out, '-');
			continue;
		}
		strbuf_put_number(out, lo[i]);
		strbuf_putc(out, ':');
		strbuf_put_number(out, hi[i]);
	}
}

static enum err_code parse_range(char *text, double *lo, double *hi, struct err *e)
{
	char *colon = text ? strchr(text, ':') : NULL;

	if (text && !strcmp(text, "-")) {
		*lo = *hi = (double)NAN;
		return ERR_OK;
	}
	if (colon)
		*colon = '\0';
	if (!colon || number_parse(text, lo, NULL) || number_parse(colon + 1, hi, NULL))
		return err_set(e, ERR_DAMAGED,
			       "a box of the index of runs has no bounds: run `lemnos mine`");
	return ERR_OK;
}

enum err_code index_box_parse(const struct application *a, const char *text, double *lo, double *hi,
			      struct err *e)
{
	char *copy = strdup(text);
	char *rest = NULL;
	char *word;
	enum err_code rc = ERR_OK;

	if (!copy)
		return err_set(e, ERR_NOMEM, "a box of the index of runs");
	word = strtok_r(copy, " ", &rest);
	for (size_t i = 0; i < a->n_columns && !rc; i++) {
		lo[i] = hi[i] = (double)NAN;
		if (!run_table_stores(a, i))
			continue;
		rc = parse_range(word, &lo[i], &hi[i], e);
		word = strtok_r(NULL, " ", &rest);
	}
	free(copy);
	return rc;
}

/* Codes of levels may change with the runs of other machines, their texts do not. */
static void digest_value(struct digest *d, const struct column *c, double value)
{
	if (c->type == COL_TEXT && !isnan(value))
		content_put_text(d, c->levels.name[(size_t)value]);
	else
		content_put_real(d, value);
}

void index_digest_run(struct digest *d, const struct dataset *runs, size_t i, int64_t n_runs)
{
	const double *row = dataset_row(runs, i);

	content_put_integer(d, runs->run_id[i]);
	content_put_integer(d, runs->status[i]);
	content_put_real(d, runs->wall_s[i]);
	content_put_integer(d, n_runs);
	for (size_t c = 0; c < runs->n_columns; c++) {
		if (run_table_stores(runs->app, c))
			digest_value(d, &runs->app->column[c], row[c]);
	}
}

void index_digest_node(struct digest *d, int64_t number, int64_t n, const char *box,
		       const char *contents)
{
	content_put_integer(d, number);
	content_put_integer(d, n);
	content_put_text(d, box);
	content_put_text(d, contents);
}

void index_digest_header(struct digest *d, const char *identity, int64_t n_configurations)
{
	content_put_text(d, identity);
	content_put_integer(d, n_configurations);
}
