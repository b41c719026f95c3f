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

static bool only_powers(const struct config_table *t, size_t c)
{
	double seen[LEAST_VALUES];
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const double x = config_table_row(t, i)[c];
		bool is_new = n < LEAST_VALUES;

		if (!is_power(x))
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

		if (may && of->type != COL_TEXT && only_powers(t, c))
			out->column[out->n++] = c;
	}
}

bool power_columns_leaves(const struct power_columns *m, const double *row)
{
	for (size_t i = 0; i < m->n; i++) {
		const double x = row[m->column[i]];

		if (!isnan(x) && !is_power(x))
			return true;
	}
	return false;
}

void power_columns_explain(const struct power_columns *m, const struct application *app,
			   struct strbuf *out)
{
	if (m->n == 0)
		return;
	strbuf_puts(out, " Only powers of two were run of ");
	for (size_t i = 0; i < m->n; i++)
		strbuf_printf(out, "%s%s",
			      i == 0	     ? ""
			      : i + 1 < m->n ? ", "
					     : " and ",
			      app->column[m->column[i]].name);
	strbuf_printf(out, ": other values may be off by %.0f %% more.", 100 * expm1(POWER_SD));
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
		rc = kb_fit_add(fit, name, 1, NAN, "", "only powers of two were run", e);
	}
	return rc;
}

void power_columns_load(const struct kb_fit *fit, const struct application *app,
			struct power_columns *out)
{
	char name[128];

	out->n = 0;
	for (size_t c = 0; c < app->n_columns && out->n < POWER_COLUMNS; c++) {
		name_of(&app->column[c], name);
		if (kb_fit_value(fit, name) == 1)
			out->column[out->n++] = c;
	}
}
