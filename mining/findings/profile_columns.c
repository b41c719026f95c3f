#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/findings/profile_parts.h"
#include "mining/cases/rule_miners.h"

enum {
	/* Runs that quartiles come from, where values are too many to be counted one by one. */
	QUARTILE_SAMPLE = 16384,
	/* Levels of a text column that are named. */
	NAMED_LEVELS = 10,
	SET_SLOTS = 4 * PROFILE_MAX_LEVELS
};

bool column_is_equal(const struct slowdown_table *t, size_t column, size_t other)
{
	for (size_t i = 0; i < t->n; i++) {
		const double *row = slowdown_row(t, i);

		if (row[column] != row[other] && !(isnan(row[column]) && isnan(row[other])))
			return false;
	}
	return true;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The smallest value that at least a share q of the n runs do not exceed. */
static double counted_quantile(const struct column_bins *b, const int64_t count[256], int64_t n,
			       double q)
{
	int64_t below = 0;

	for (size_t k = 0; k < b->n; k++) {
		below += count[k];
		if ((double)below >= q * (double)n)
			return b->high[k];
	}
	return NAN;
}

static enum err_code sampled_quartiles(const struct slowdown_table *t, size_t column,
				       struct column_profile *out, struct err *e)
{
	const struct dataset *d = t->runs;
	size_t step = d->n / QUARTILE_SAMPLE + 1, n = 0;
	double *value = calloc(d->n / step + 1, sizeof *value);

	if (!value)
		return err_set(e, ERR_NOMEM, "quartiles of a column");
	for (size_t i = 0; i < d->n; i += step) {
		double v = dataset_row(d, i)[column];

		if (t->config_of_run[i] != SLOWDOWN_NONE && !isnan(v))
			value[n++] = v;
	}
	qsort(value, n, sizeof *value, by_value);
	if (n > 0) {
		out->q25 = value[(size_t)ceil(0.25 * (double)n) - 1];
		out->median = value[(size_t)ceil(0.5 * (double)n) - 1];
		out->q75 = value[(size_t)ceil(0.75 * (double)n) - 1];
	}
	free(value);
	return ERR_OK;
}

/* How many distinct values, up to PROFILE_MAX_LEVELS. */
static enum err_code count_levels(const struct slowdown_table *t, size_t column, int64_t *out,
				  struct err *e)
{
	uint64_t *slot = calloc(SET_SLOTS, sizeof *slot);
	int64_t n = 0;

	if (!slot)
		return err_set(e, ERR_NOMEM, "levels of a column");
	for (size_t i = 0; i < t->n && n < PROFILE_MAX_LEVELS; i++) {
		double value = slowdown_row(t, i)[column] + 0.0; /* -0 is 0 */
		uint64_t bits;
		size_t at;

		if (isnan(value))
			continue;
		memcpy(&bits, &value, sizeof bits);
		bits++; /* 0 is an empty slot, and all ones would have been a NaN */
		at = (size_t)((bits * UINT64_C(0x9e3779b97f4a7c15) >> 32) % SET_SLOTS);
		while (slot[at] != 0 && slot[at] != bits)
			at = (at + 1) % SET_SLOTS;
		if (slot[at] == 0) {
			slot[at] = bits;
			n++;
		}
	}
	free(slot);
	*out = n;
	return ERR_OK;
}

static enum err_code profile_numbers(const struct slowdown_table *t, size_t column,
				     struct column_profile *out, struct err *e)
{
	const unsigned char *code = slowdown_codes(t, column);
	const struct column_bins *b = &t->bins[column];
	int64_t count[256] = {0};
	enum err_code rc;

	for (size_t i = 0; i < t->n; i++)
		count[code[i]] += t->n_runs[i];
	for (size_t k = 0; k < b->n; k++)
		out->n += count[k];
	out->n_missing = count[BIN_MISSING];
	out->n_levels = (int64_t)b->n;
	if (b->n == 0)
		return ERR_OK;
	out->min = b->low[0];
	out->max = b->high[b->n - 1];
	if (b->exact) {
		out->q25 = counted_quantile(b, count, out->n, 0.25);
		out->median = counted_quantile(b, count, out->n, 0.5);
		out->q75 = counted_quantile(b, count, out->n, 0.75);
		return ERR_OK;
	}
	rc = sampled_quartiles(t, column, out, e);
	return rc ? rc : count_levels(t, column, &out->n_levels, e);
}

/* "DGZ 300, DZG 280, 190 more" */
static void put_levels(const struct levels *l, int64_t *count, int64_t n_levels, struct strbuf *out)
{
	int64_t named = n_levels > NAMED_LEVELS + 1 ? NAMED_LEVELS : n_levels;

	for (int64_t k = 0; k < named; k++) {
		size_t top = 0;

		for (size_t i = 1; i < l->n; i++) {
			if (count[i] > count[top])
				top = i;
		}
		strbuf_printf(out, "%s%s %lld", k > 0 ? ", " : "", l->name[top],
			      (long long)count[top]);
		count[top] = 0;
	}
	if (named < n_levels)
		strbuf_printf(out, ", %lld more", (long long)(n_levels - named));
}

/* By the rows, as codes have no room for more than 255 levels. */
static enum err_code profile_text(const struct slowdown_table *t, size_t column,
				  struct column_profile *out, struct strbuf *text, struct err *e)
{
	const struct levels *l = &t->app->column[column].levels;
	int64_t *count = calloc(l->n + 1, sizeof *count);

	if (!count)
		return err_set(e, ERR_NOMEM, "levels of a column");
	for (size_t i = 0; i < t->n; i++) {
		double level = slowdown_row(t, i)[column];

		if (level >= 0 && level < (double)l->n) {
			count[(size_t)level] += t->n_runs[i];
			out->n += t->n_runs[i];
		} else {
			out->n_missing += t->n_runs[i];
		}
	}
	for (size_t k = 0; k < l->n; k++)
		out->n_levels += count[k] > 0;
	put_levels(l, count, out->n_levels, text);
	free(count);
	return ERR_OK;
}

static void put_remark(const struct slowdown_table *t, size_t column,
		       const struct column_profile *p, const struct collinear_column *twin,
		       struct strbuf *out)
{
	size_t other = t->copy_of[column];

	if (p->n == 0) {
		strbuf_puts(out, "missing in every run");
	} else if (p->n_levels == 1) {
		strbuf_puts(out, p->n_missing == 0 ? "constant" : "constant where it is given");
	} else if (twin->column != SIZE_MAX) {
		collinear_column_put_text(t->app, column, twin, out);
	} else if (other != SIZE_MAX) {
		bool equal = column_is_equal(t, column, other);

		strbuf_puts(out, equal ? "a copy of " : "rises and falls with ");
		strbuf_puts(out, t->app->column[other].name);
	}
}

static enum err_code profile_column(const struct slowdown_table *t, size_t c,
				    const struct collinear_column *twin, struct column_profile *out,
				    struct err *e)
{
	const struct column *column = &t->app->column[c];
	struct strbuf levels = STRBUF_INIT, remark = STRBUF_INIT;
	enum err_code rc;

	*out = (struct column_profile){
		.min = NAN, .q25 = NAN, .median = NAN, .q75 = NAN, .max = NAN};
	rc = column->type == COL_TEXT ? profile_text(t, c, out, &levels, e)
				      : profile_numbers(t, c, out, e);
	if (!rc) {
		put_remark(t, c, out, twin, &remark);
		out->column = strdup(column->name);
		out->role = strdup(column_role_name(column->role));
		out->levels = levels.failed ? NULL : strdup(strbuf_text(&levels));
		out->remark = remark.failed ? NULL : strdup(strbuf_text(&remark));
		if (!out->column || !out->role || !out->levels || !out->remark)
			rc = err_set(e, ERR_NOMEM, "profile of column %s", column->name);
	}
	strbuf_release(&levels);
	strbuf_release(&remark);
	return rc;
}

enum err_code profile_columns(const struct slowdown_table *t, const struct collinear_column *twin,
			      struct findings *out, struct err *e)
{
	enum err_code rc = ERR_OK;

	out->column = calloc(t->n_columns + 1, sizeof *out->column);
	if (!out->column)
		return err_set(e, ERR_NOMEM, "profile of %zu columns", t->n_columns);
	for (size_t c = 0; c < t->n_columns && !rc; c++)
		rc = profile_column(t, c, &twin[c], &out->column[out->n_columns++], e);
	return rc;
}
