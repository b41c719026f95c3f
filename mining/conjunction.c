#include "mining/conjunction.h"

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

static void put_name(const struct column *c, struct strbuf *out)
{
	if (expr_is_name(c->name))
		strbuf_puts(out, c->name);
	else
		strbuf_put_sql_name(out, c->name);
}

static void put_comparison(const struct column *c, const char *how, double value,
			   struct strbuf *out)
{
	put_name(c, out);
	strbuf_printf(out, " %s ", how);
	strbuf_put_number(out, value);
}

static void put_range(const struct bin_condition *q, const struct column_bins *b,
		      const struct column *c, struct strbuf *out)
{
	bool from = q->lo > 0, to = (size_t)q->hi + 1 < b->n;
	/* Bounds between numbers that are not whole are rounded: they belong to the lower side. */
	double above = !from ? NAN : b->whole ? b->low[q->lo] : column_bins_edge(b, q->lo - 1u);
	double upto = column_bins_edge(b, q->hi);

	if (!from && !to) { /* every value, but not NULL */
		put_name(c, out);
		strbuf_puts(out, " is not null");
	} else if (b->exact && q->lo == q->hi && (b->whole || c->role != COL_DERIVED)) {
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

static void put_set(const struct bin_condition *q, const struct column *c, struct strbuf *out)
{
	const char *separator = "";
	size_t n = 0;

	for (size_t code = 0; code < MAX_BINS && code < c->levels.n; code++)
		n += bin_condition_holds(q, (unsigned char)code);
	put_name(c, out);
	strbuf_puts(out, n == 1 ? " = " : " in (");
	for (size_t code = 0; code < MAX_BINS && code < c->levels.n; code++) {
		if (!bin_condition_holds(q, (unsigned char)code))
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
		const struct column *c = &t->app->column[one->column];

		if (k > 0)
			strbuf_puts(out, " and ");
		if (one->is_set)
			put_set(one, c, out);
		else
			put_range(one, &t->bins[one->column], c, out);
	}
}
