#include "mining/findings/effects_groups.h"

#include <math.h>
#include <string.h>

/* Bins to groups of about equal numbers: a bin goes where its middle lies. A bin that holds much
 * has a group of its own, and bins no more than groups all have. */
static void group_ordered(const size_t count[256], size_t n_bins, size_t n_all, size_t most,
			  struct column_groups *g)
{
	size_t n_seen = 0, before = 0, last_slot = SIZE_MAX;

	for (size_t b = 0; b < n_bins; b++)
		n_seen += count[b] > 0;
	for (size_t b = 0; b < n_bins; b++) {
		size_t slot;

		if (count[b] == 0)
			continue;
		slot = (2 * before + count[b]) * most / (2 * n_all);
		if (g->n == 0 || n_seen <= most || slot != last_slot) {
			g->lo[g->n] = (unsigned char)b;
			g->n++;
			last_slot = slot;
		}
		g->hi[g->n - 1] = (unsigned char)b;
		g->of_code[b] = (unsigned char)(g->n - 1);
		before += count[b];
	}
}

static void group_levels(const size_t count[256], size_t n_levels, size_t most,
			 struct column_groups *g)
{
	size_t n_seen = 0, own;

	for (size_t b = 0; b < n_levels; b++)
		n_seen += count[b] > 0;
	own = n_seen <= most ? n_seen : most - 1;
	while (g->n < own) {
		size_t top = SIZE_MAX;

		for (size_t b = 0; b < n_levels; b++) {
			if (count[b] > 0 && g->of_code[b] == GROUP_NONE &&
			    (top == SIZE_MAX || count[b] > count[top]))
				top = b;
		}
		g->lo[g->n] = g->hi[g->n] = (unsigned char)top;
		g->of_code[top] = (unsigned char)g->n++;
	}
	g->has_rest = own < n_seen;
	for (size_t b = 0; b < n_levels && g->has_rest; b++) {
		if (count[b] > 0 && g->of_code[b] == GROUP_NONE) {
			g->lo[g->n] = g->hi[g->n] = (unsigned char)b;
			g->of_code[b] = (unsigned char)g->n;
		}
	}
	g->n += g->has_rest;
}

void column_groups_make(const struct slowdown_table *t, size_t column, size_t most,
			struct column_groups *out)
{
	const unsigned char *code = slowdown_codes(t, column);
	const struct column_bins *bins = &t->bins[column];
	size_t count[256] = {0};

	*out = (struct column_groups){.ordered = bins->ordered};
	memset(out->of_code, GROUP_NONE, sizeof out->of_code);
	for (size_t i = 0; i < t->n; i++)
		count[code[i]]++;
	if (bins->ordered)
		group_ordered(count, bins->n, t->n, most, out);
	else
		group_levels(count, bins->n, most, out);
}

/* Four digits are enough to recognise a range. */
static void put_short(double value, struct strbuf *out)
{
	double unit = 1;

	if (value != floor(value))
		unit = pow(10, fmax(0, 3 - floor(log10(fabs(value)))));
	strbuf_put_number(out, round(value * unit) / unit);
}

void column_groups_put_values(const struct slowdown_table *t, size_t column,
			      const struct column_groups *g, size_t group, struct strbuf *out)
{
	const struct column_bins *bins = &t->bins[column];

	if (!g->ordered) {
		bool rest = g->has_rest && group == g->n - 1;

		strbuf_puts(out, rest ? "other" : t->app->column[column].levels.name[g->lo[group]]);
		return;
	}
	put_short(bins->low[g->lo[group]], out);
	if (bins->high[g->hi[group]] > bins->low[g->lo[group]]) {
		strbuf_puts(out, "..");
		put_short(bins->high[g->hi[group]], out);
	}
}

void column_groups_put(const struct slowdown_table *t, size_t column, const struct column_groups *g,
		       size_t group, struct strbuf *out)
{
	strbuf_printf(out, "%s ", t->app->column[column].name);
	column_groups_put_values(t, column, g, group, out);
}

void column_groups_put_where(const struct slowdown_table *t, size_t column,
			     const struct column_groups *g, size_t from, size_t to,
			     struct strbuf *out)
{
	const struct column_bins *bins = &t->bins[column];
	double low = bins->low[g->lo[from]], high = bins->high[g->hi[to]];
	bool first = from == 0, last = to + 1 == g->n;

	strbuf_printf(out, "%s ", t->app->column[column].name);
	if (!g->ordered) {
		column_groups_put_values(t, column, g, from, out);
	} else if (first != last && high > low) {
		strbuf_puts(out, first ? "<= " : ">= ");
		put_short(first ? high : low, out);
	} else {
		put_short(low, out);
		if (high > low) {
			strbuf_puts(out, "..");
			put_short(high, out);
		}
	}
}
