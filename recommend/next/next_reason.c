#include "recommend/next/next_reason.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "domain/rule.h"

/* "23 %"; what is not quite 0 or 100 % does not become so by rounding. */
static void put_chance(double p, struct strbuf *out)
{
	if (p > 0 && p < 0.01)
		strbuf_puts(out, "below 1 %");
	else if (p < 1 && p > 0.99)
		strbuf_puts(out, "above 99 %");
	else
		strbuf_printf(out, "%.0f %%", 100 * p);
}

static void put_duration(double seconds, struct strbuf *out)
{
	char text[40];

	strbuf_puts(out, duration_format(seconds, text, sizeof text));
}

/* ---- what is new ---- */

bool next_run_is_unseen(const struct advice_request *q, const struct next_run *r, size_t column,
			double *below, double *above)
{
	const struct column *c = &q->app->column[column];
	bool chosen = c->role == COL_TUNABLE || column == q->app->i_nodes;
	double x = r->row[column];

	*below = *above = NAN;
	if (!chosen || c->type == COL_TEXT || isnan(x) || !q->runs || q->runs->n == 0)
		return false;
	for (size_t i = 0; i < q->runs->n; i++) {
		double seen = dataset_row(q->runs, i)[column];

		if (!rule_counts_run(q->runs, i) || isnan(seen))
			continue;
		if (seen == x)
			return false;
		if (seen < x)
			*below = isnan(*below) ? seen : fmax(*below, seen);
		else
			*above = isnan(*above) ? seen : fmin(*above, seen);
	}
	return !isnan(*below) || !isnan(*above);
}

static void put_around(double below, double above, struct strbuf *out)
{
	strbuf_puts(out, isnan(above)	? " (the most is "
			 : isnan(below) ? " (the least is "
					: " (the nearest have ");
	strbuf_put_number(out, isnan(below) ? above : below);
	if (!isnan(below) && !isnan(above)) {
		strbuf_puts(out, " and ");
		strbuf_put_number(out, above);
	}
	strbuf_putc(out, ')');
}

static void put_news(const struct advice_request *q, const struct next_run *r, struct strbuf *out)
{
	size_t n = 0;

	for (size_t c = 0; c < q->app->n_columns; c++) {
		double below, above;

		if (!next_run_is_unseen(q, r, c, &below, &above))
			continue;
		strbuf_printf(out, "%s%s = ", n++ ? " and none " : "No run has ",
			      q->app->column[c].name);
		strbuf_put_number(out, r->row[c]);
		put_around(below, above, out);
	}
	if (n > 0)
		strbuf_puts(out, ". ");
}

/* ---- what it teaches ---- */

/* "the same with less work": what a cheaper run is, and whom it tells of. */
static const char *told_by(const char *kind)
{
	if (!strcmp(kind, "recommended") || !strcmp(kind, "best effort"))
		return "it is what this answer names";
	if (!strcmp(kind, "less work"))
		return "the same with less work, it tells of a dearer run";
	if (!strcmp(kind, "smaller problem"))
		return "the same with a smaller problem, it tells of a dearer run";
	if (!strcmp(kind, "fewer processors"))
		return "the same on fewer processors, it tells of a dearer run";
	if (!strcmp(kind, "scaled down"))
		return "the same scaled down, it tells of a dearer run";
	return NULL;
}

void next_run_put_reason(const struct advice_request *q, const struct next_run *r,
			 struct strbuf *out)
{
	const char *told = told_by(r->kind);

	put_news(q, r, out);
	strbuf_puts(out, "It is predicted to take ");
	put_duration(r->at.time_s, out);
	strbuf_puts(out, ", but ");
	put_duration(r->lo_s, out);
	strbuf_puts(out, " to ");
	put_duration(r->hi_s, out);
	strbuf_puts(out, " is possible; ");
	if (told)
		strbuf_puts(out, told);
	if (!isnan(r->right)) {
		strbuf_puts(out, told ? ", right with a chance of " : "with a chance of ");
		put_chance(r->right, out);
		strbuf_puts(out, told ? "" : " it would be right to submit it");
	}
	strbuf_printf(out,
		      ". It costs about %.3g node-hours and takes the chance of a wrong "
		      "decision from ",
		      r->node_hours);
	put_chance(r->before.wrong, out);
	strbuf_puts(out, " to ");
	put_chance(r->after.wrong, out);
	strbuf_putc(out, '.');
}
