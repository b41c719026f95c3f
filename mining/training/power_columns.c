#include "mining/training/power_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_VALUES = 3 };

static bool is_power(double x)
{
	int exponent;

	return x >= 1 && x < 0x1p53 && frexp(x, &exponent) == 0.5;
}

static bool is_aligned(double x)
{
	return x > 0 && x <= 65536 && fmod(x, 64) == 0;
}

static bool has_only(bool (*kind)(double x), const struct config_table *t, size_t c)
{
	double seen[LEAST_VALUES];
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const double x = config_table_row(t, i)[c];
		bool is_new = n < LEAST_VALUES;

		if (!kind(x))
			return false;
		for (size_t k = 0; k < n && is_new; k++)
			is_new = seen[k] != x;
		if (is_new)
			seen[n++] = x;
	}
	return n == LEAST_VALUES;
}

void power_columns_find(const struct config_table *t, struct power_columns *out)
{
	out->n = 0;
	for (size_t c = 0; c < t->n_columns && out->n < POWER_COLUMNS; c++) {
		const struct column *of = &t->app->column[c];
		const bool may = of->role == COL_PROBLEM || of->role == COL_RESOURCE ||
				 of->role == COL_TUNABLE;

		if (!may || of->type == COL_TEXT)
			continue;
		out->aligned[out->n] = !has_only(is_power, t, c);
		if (!out->aligned[out->n] ||
		    (of->role != COL_RESOURCE && has_only(is_aligned, t, c)))
			out->column[out->n++] = c;
	}
}

bool power_columns_leaves(const struct power_columns *m, const double *row)
{
	for (size_t i = 0; i < m->n; i++) {
		const double x = row[m->column[i]];

		if (!isnan(x) && (m->aligned[i] ? fmod(x, 16) != 0 : !is_power(x)))
			return true;
	}
	return false;
}

/* "n, m and tile" of one kind; "" where there are none. */
static void put_names(const struct power_columns *m, const struct application *app, bool aligned,
		      struct strbuf *out)
{
	size_t left = 0, n = 0;

	for (size_t i = 0; i < m->n; i++)
		left += m->aligned[i] == aligned;
	for (size_t i = 0; i < m->n; i++) {
		if (m->aligned[i] != aligned)
			continue;
		strbuf_printf(out, "%s%s",
			      n == 0	 ? ""
			      : left > 1 ? ", "
					 : " and ",
			      app->column[m->column[i]].name);
		n++;
		left--;
	}
}

void power_columns_explain(const struct power_columns *m, const struct application *app,
			   struct strbuf *out)
{
	struct strbuf powers = STRBUF_INIT, aligned = STRBUF_INIT;
	const double more = 100 * expm1(POWER_SD);

	put_names(m, app, false, &powers);
	put_names(m, app, true, &aligned);
	if (powers.len > 0)
		strbuf_printf(out,
			      " Only powers of two were run of %s: other values may be off by "
			      "%.0f %% more.",
			      strbuf_text(&powers), more);
	if (aligned.len > 0)
		strbuf_printf(out,
			      " Only multiples of 64 were run of %s: what is no multiple of 16 may "
			      "be off by %.0f %% more.",
			      strbuf_text(&aligned), more);
	out->failed |= powers.failed || aligned.failed;
	strbuf_release(&powers);
	strbuf_release(&aligned);
}

/* ---- in the knowledge base ---- */

static void name_of(const struct column *c, char name[128])
{
	snprintf(name, 128, "powers_%s", c->name);
}

enum err_code power_columns_store(const struct power_columns *m, const struct application *app,
				  struct kb_fit *fit, struct err *e)
{
	char name[128];
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n && !rc; i++) {
		name_of(&app->column[m->column[i]], name);
		rc = kb_fit_add(fit, name, m->aligned[i] ? 2 : 1, NAN, "",
				"1: only powers of two were run, 2: only multiples of 64", e);
	}
	return rc;
}

void power_columns_load(const struct kb_fit *fit, const struct application *app,
			struct power_columns *out)
{
	char name[128];

	out->n = 0;
	for (size_t c = 0; c < app->n_columns && out->n < POWER_COLUMNS; c++) {
		double kind;

		name_of(&app->column[c], name);
		kind = kb_fit_value(fit, name);
		if (!(kind == 1 || kind == 2))
			continue;
		out->aligned[out->n] = kind == 2;
		out->column[out->n++] = c;
	}
}
