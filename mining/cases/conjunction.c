#include "mining/cases/conjunction.h"

#include <math.h>
#include <string.h>

bool conjunction_holds(const struct conjunction *q, const struct slowdown_table *t, size_t i)
{
	for (size_t k = 0; k < q->n; k++) {
		if (!bin_condition_holds(&q->of[k], slowdown_codes(t, q->of[k].column)[i]))
			return false;
	}
	return true;
}

/* *a becomes what both say; false: nothing is left. */
static bool intersect(struct bin_condition *a, const struct bin_condition *b)
{
	uint64_t any = 0;

	if (!a->is_set) {
		a->lo = a->lo > b->lo ? a->lo : b->lo;
		a->hi = a->hi < b->hi ? a->hi : b->hi;
		return a->lo <= a->hi;
	}
	for (size_t k = 0; k < 4; k++)
		any |= a->set[k] &= b->set[k];
	return any != 0;
}

bool conjunction_and(const struct conjunction *q, const struct bin_condition *more,
		     struct conjunction *out)
{
	struct conjunction made = *q;

	for (size_t k = 0; k < made.n; k++) {
		struct bin_condition *have = &made.of[k];
		struct bin_condition before = *have;

		if (have->column != more->column)
			continue;
		if (!intersect(have, more) || (before.lo == have->lo && before.hi == have->hi &&
					       !memcmp(before.set, have->set, sizeof before.set)))
			return false;
		*out = made;
		return true;
	}
	if (made.n == CONJUNCTION_MAX)
		return false;
	made.of[made.n++] = *more;
	*out = made;
	return true;
}

/* Names of columns stand without quotes: a definition with others is refused. */
static void put_comparison(const struct column *c, const char *how, double value,
			   struct strbuf *out)
{
	strbuf_printf(out, "%s %s ", c->name, how);
	strbuf_put_number(out, value);
}

/* Is the condition best put as "= value"? Not for derived numbers that are not whole: SQL may round
 * them differently. A problem or machine size at the end of what was seen stands for those
 * beyond it; a choice stands for itself. */
static bool is_one_value(const struct bin_condition *q, const struct slowdown_table *t)
{
	const struct column_bins *b = &t->bins[q->column];
	bool at_end = q->lo == 0 || (size_t)q->hi + 1 >= b->n;

	return b->exact && q->lo == q->hi &&
	       (b->whole || t->app->column[q->column].role != COL_DERIVED) &&
	       !(at_end && t->use[q->column] == USE_CONTEXT);
}

static void put_range(const struct bin_condition *q, const struct slowdown_table *t,
		      struct strbuf *out)
{
	const struct column *c = &t->app->column[q->column];
	const struct column_bins *b = &t->bins[q->column];
	bool from = q->lo > 0, to = (size_t)q->hi + 1 < b->n;
	/* Bounds between numbers that are not whole are rounded: they belong to the lower side. */
	double above = !from ? NAN : b->whole ? b->low[q->lo] : column_bins_edge(b, q->lo - 1u);
	double upto = !to ? NAN : column_bins_edge(b, q->hi);

	if (!from && !to) { /* every value, but not NULL */
		strbuf_printf(out, "%s is not null", c->name);
	} else if (is_one_value(q, t)) {
		put_comparison(c, "=", b->low[q->lo], out);
	} else if (b->whole && from && to) {
		put_comparison(c, "between", above, out);
		strbuf_puts(out, " and ");
		strbuf_put_number(out, upto);
	} else {
		if (from)
			put_comparison(c, b->whole ? ">=" : ">", above, out);
		if (from && to)
			strbuf_puts(out, " and ");
		if (to)
			put_comparison(c, "<=", upto, out);
	}
}

/* Of many words those that are left out read better. Like a bound that is left open, that takes in
 * words which were never seen; words beyond the codes count as missing, and would be taken in
 * wrongly. */
static bool is_better_by_others(size_t n_in, size_t n_levels)
{
	enum { MANY = 8 };

	return n_in > MANY && n_in < n_levels && n_levels <= MAX_BINS &&
	       4 * (n_levels - n_in) <= n_in;
}

static void put_set(const struct bin_condition *q, const struct column *c, struct strbuf *out)
{
	const char *separator = "";
	size_t n = 0;
	bool others;

	for (size_t code = 0; code < MAX_BINS && code < c->levels.n; code++)
		n += bin_condition_holds(q, (unsigned char)code);
	others = is_better_by_others(n, c->levels.n);
	if (others)
		n = c->levels.n - n;
	strbuf_printf(out, "%s %s", c->name,
		      n == 1   ? (others ? "!= " : "= ")
		      : others ? "not in ("
			       : "in (");
	for (size_t code = 0; code < MAX_BINS && code < c->levels.n; code++) {
		if (bin_condition_holds(q, (unsigned char)code) == others)
			continue;
		strbuf_puts(out, separator);
		strbuf_put_sql(out, c->levels.name[code]);
		separator = ", ";
	}
	if (n != 1)
		strbuf_putc(out, ')');
}

void conjunction_put_text(const struct conjunction *q, const struct slowdown_table *t,
			  struct strbuf *out)
{
	for (size_t k = 0; k < q->n; k++) {
		const struct bin_condition *one = &q->of[k];

		if (k > 0)
			strbuf_puts(out, " and ");
		if (one->is_set)
			put_set(one, &t->app->column[one->column], out);
		else
			put_range(one, t, out);
	}
}
