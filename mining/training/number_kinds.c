#include "mining/training/number_kinds.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { LEAST_VALUES = 3, LONGEST_LINE = 65536, SMALL_FACTOR = 13, LARGE_FACTOR = 52 };

static bool is_power(double x)
{
	int exponent;

	return x >= 1 && x < 0x1p53 && frexp(x, &exponent) == 0.5;
}

static bool is_line(double x)
{
	return x >= 1 && x <= LONGEST_LINE && x == floor(x);
}

static bool is_aligned(double x)
{
	return is_line(x) && fmod(x, 64) == 0;
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

/* Of a whole number from 1 to LONGEST_LINE; of 1 it is 1. */
static double largest_prime_factor(double x)
{
	unsigned left = (unsigned)x, largest = 1;

	for (unsigned f = 2; f * f <= left; f += f == 2 ? 1 : 2)
		for (; left % f == 0; left /= f)
			largest = f;
	return left > largest ? left : largest;
}

/* Of all values of column c; 0: they are no sizes of lines. */
static double largest_factor_of(const struct config_table *t, size_t c)
{
	double largest = 0;

	for (size_t i = 0; i < t->n; i++) {
		const double x = config_table_row(t, i)[c];

		if (!is_line(x))
			return 0;
		largest = fmax(largest, largest_prime_factor(x));
	}
	return largest;
}

static void add(struct number_kinds *m, size_t c, enum number_kind_name name, double largest_factor)
{
	if (m->n < NUMBER_KINDS)
		m->item[m->n++] = (struct number_kind){c, name, largest_factor};
}

void number_kinds_find(const struct config_table *t, struct number_kinds *out)
{
	out->n = 0;
	for (size_t c = 0; c < t->n_columns; c++) {
		const struct column *of = &t->app->column[c];
		const bool may = of->role == COL_PROBLEM || of->role == COL_RESOURCE ||
				 of->role == COL_TUNABLE;
		double largest;

		if (!may || of->type == COL_TEXT)
			continue;
		if (has_only(is_power, t, c))
			add(out, c, NUMBER_POWER, NAN);
		else if (of->role != COL_RESOURCE && has_only(is_aligned, t, c))
			add(out, c, NUMBER_ALIGNED, NAN);
		largest = of->role == COL_PROBLEM ? largest_factor_of(t, c) : 0;
		if (largest > 0 && largest < LARGE_FACTOR)
			add(out, c, NUMBER_FACTORS, largest);
	}
}

double number_kinds_sd(const struct number_kinds *m, const double *row)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct number_kind *k = &m->item[i];
		const double x = row[k->column];

		if (k->name == NUMBER_FACTORS || isnan(x))
			continue;
		if (k->name == NUMBER_POWER ? !is_power(x) : fmod(x, 16) != 0)
			return NUMBER_KIND_SD;
	}
	return 0;
}

/* The one with the largest prime factor beyond those of the runs, log2 of that over what is known;
 * NULL: none. */
static const struct number_kind *least_known_factor(const struct number_kinds *m, const double *row,
						    double *doublings)
{
	const struct number_kind *least_known = NULL;

	*doublings = 0;
	for (size_t i = 0; i < m->n; i++) {
		const struct number_kind *k = &m->item[i];
		const double known = fmax(k->largest_factor, SMALL_FACTOR);
		double factor, d;

		if (k->name != NUMBER_FACTORS || !is_line(row[k->column]))
			continue;
		factor = largest_prime_factor(row[k->column]);
		d = factor < LARGE_FACTOR ? 0 : log2(factor / known);
		if (d > *doublings) {
			*doublings = d;
			least_known = k;
		}
	}
	return least_known;
}

double number_kinds_factor_doublings(const struct number_kinds *m, const double *row)
{
	double doublings;

	(void)least_known_factor(m, row, &doublings);
	return doublings;
}

/* ---- as text ---- */

/* "n, m and tile" of one kind; "" where there are none. */
static void put_names(const struct number_kinds *m, const struct application *app,
		      enum number_kind_name name, struct strbuf *out)
{
	size_t left = 0, n = 0;

	for (size_t i = 0; i < m->n; i++)
		left += m->item[i].name == name;
	for (size_t i = 0; i < m->n; i++) {
		if (m->item[i].name != name)
			continue;
		strbuf_printf(out, "%s%s",
			      n == 0	 ? ""
			      : left > 1 ? ", "
					 : " and ",
			      app->column[m->item[i].column].name);
		n++;
		left--;
	}
}

void number_kinds_explain(const struct number_kinds *m, const struct application *app,
			  struct strbuf *out)
{
	struct strbuf powers = STRBUF_INIT, aligned = STRBUF_INIT;
	const double more = 100 * expm1(NUMBER_KIND_SD);

	put_names(m, app, NUMBER_POWER, &powers);
	put_names(m, app, NUMBER_ALIGNED, &aligned);
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
	for (size_t i = 0; i < m->n; i++) {
		const struct number_kind *k = &m->item[i];

		if (k->name == NUMBER_FACTORS)
			strbuf_printf(out,
				      " No %s with a prime factor above %.0f was run: with one "
				      "above %d, as in a transform, time may be another.",
				      app->column[k->column].name, k->largest_factor,
				      LARGE_FACTOR - 1);
	}
	out->failed |= powers.failed || aligned.failed;
	strbuf_release(&powers);
	strbuf_release(&aligned);
}

void number_kinds_explain_row(const struct number_kinds *m, const struct application *app,
			      const double *row, const char *before, struct strbuf *out)
{
	double doublings;
	const struct number_kind *k = least_known_factor(m, row, &doublings);

	if (k)
		strbuf_printf(out, "%sno %s with a prime factor above %.0f was run", before,
			      app->column[k->column].name, k->largest_factor);
}

/* ---- in the knowledge base ---- */

static void name_of(const struct column *c, const char *what, char name[128])
{
	snprintf(name, 128, "%s_%s", what, c->name);
}

enum err_code number_kinds_store(const struct number_kinds *m, const struct application *app,
				 struct kb_fit *fit, struct err *e)
{
	char name[128];
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n && !rc; i++) {
		const struct number_kind *k = &m->item[i];

		if (k->name == NUMBER_FACTORS) {
			name_of(&app->column[k->column], "factors", name);
			rc = kb_fit_add(fit, name, k->largest_factor, NAN, "",
					"the largest prime factor of what was run", e);
		} else {
			name_of(&app->column[k->column], "powers", name);
			rc = kb_fit_add(fit, name, k->name, NAN, "",
					"1: only powers of two were run, 2: only multiples of 64",
					e);
		}
	}
	return rc;
}

void number_kinds_load(const struct kb_fit *fit, const struct application *app,
		       struct number_kinds *out)
{
	char name[128];

	out->n = 0;
	for (size_t c = 0; c < app->n_columns; c++) {
		double value;

		name_of(&app->column[c], "powers", name);
		value = kb_fit_value(fit, name);
		if (value == NUMBER_POWER || value == NUMBER_ALIGNED)
			add(out, c, value == NUMBER_POWER ? NUMBER_POWER : NUMBER_ALIGNED, NAN);
		name_of(&app->column[c], "factors", name);
		value = kb_fit_value(fit, name);
		if (value >= 1)
			add(out, c, NUMBER_FACTORS, value);
	}
}
