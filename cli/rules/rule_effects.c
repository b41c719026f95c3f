#include "cli/frame/wrapped_text.h"
#include "cli/rules/rule_effects.h"

#include <math.h>
#include <string.h>

#include "cli/rules/rules_actions.h"

#define SIGNIFICANT 0.05

static const struct out_column columns[] = {
	{"column", NULL, OUT_TEXT},
	{"time", "with time", OUT_TEXT},
	{"slow_down", "with slow-down", OUT_TEXT},
	{"effect", "worst/best", OUT_TEXT},
	{"best", NULL, OUT_TEXT},
	{"worst", NULL, OUT_TEXT},
};

/* "-0.80* -0.87..-0.70"; nothing when the value is not known. */
static void out_interval(struct out_table *t, double value, double lo, double hi, bool star)
{
	char text[64] = "";
	int n = 0;

	if (isfinite(value))
		n = snprintf(text, sizeof text, "%5.2f%s", value, star ? "*" : " ");
	if (n > 0 && isfinite(lo) && isfinite(hi))
		snprintf(text + n, sizeof text - (size_t)n, " %.2f..%.2f", lo, hi);
	out_text(t, text);
}

/* "mk 5..10" says the column again, which stands in front already. */
static const char *without_column(const char *level, const char *column)
{
	size_t len = strlen(column);

	if (!level)
		return "";
	return !strncmp(level, column, len) && level[len] == ' ' ? level + len + 1 : level;
}

struct out_table *rule_effects_brief(const struct findings *f)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);

	for (size_t i = 0; t && i < f->n_effects; i++) {
		const struct column_effect *x = &f->effect[i];

		out_text(t, x->column);
		out_interval(t, x->time_rho, x->time_lo, x->time_hi, x->time_p <= SIGNIFICANT);
		out_interval(t, x->slow_rho, x->slow_lo, x->slow_hi, x->slow_p <= SIGNIFICANT);
		out_interval(t, x->effect, x->effect_lo, x->effect_hi, false);
		out_text(t, without_column(x->best, x->column));
		out_text(t, without_column(x->worst, x->column));
	}
	return t;
}

void rule_put_interactions(const struct findings *f, struct strbuf *out)
{
	struct strbuf line = STRBUF_INIT;

	if (f->n_effects > 0)
		strbuf_printf(out, "\n* p <= %g, adjusted for all columns\n", SIGNIFICANT);
	for (size_t i = 0; i < f->n_interactions; i++) {
		const struct column_interaction *x = &f->interaction[i];

		if (i == 0)
			strbuf_puts(out, "\ncolumns of which one changes what the other does\n");
		strbuf_clear(&line);
		strbuf_printf(&line,
			      "%s and %s, %.1f %% of the variance of slow-down (p = %.2g)%s%s",
			      x->a, x->b, 100 * x->share, x->p, x->text && *x->text ? ": " : "",
			      x->text ? x->text : "");
		text_put_wrapped(strbuf_text(&line), 2, out);
	}
	out->failed = out->failed || line.failed;
	strbuf_release(&line);
}
