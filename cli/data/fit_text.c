#include "cli/data/fit_text.h"

#include <math.h>

#include "base/units.h"
#include "cli/frame/fold.h"

enum { FEWEST = 8 }; /* two residuals may agree by chance to any number of digits */

static const char *const place[] = {"between runs seen", "at the edge", "beyond"};

void fit_put_error(struct strbuf *s, const struct fit_description *d)
{
	for (int k = 0; k < 3; k++) {
		const struct predictor_error *error = &d->error[k];

		strbuf_puts(s, k ? ", " : "");
		if (error->n < FEWEST)
			strbuf_printf(s, "not known %s", place[k]);
		else if (error->typical < 0.001)
			strbuf_printf(s, "below 0.1 %% %s", place[k]);
		else
			strbuf_printf(s,
				      expm1(error->typical) < 0.995 ? "%.2g %% %s" : "%.0f %% %s",
				      100 * expm1(error->typical), place[k]);
	}
	strbuf_puts(s, " (held out)");
}

void fit_put_coverage(struct strbuf *s, const struct fit_description *d)
{
	const char *separator = "9 of 10 ";

	for (int k = 0; k < 3; k++) {
		const struct predictor_error *error = &d->error[k];

		if (error->n < FEWEST)
			continue;
		strbuf_printf(s, "%sx%.2f..%.2f %s", separator, error->lo, error->hi,
			      k == 0   ? "between"
			      : k == 1 ? "edge"
				       : "beyond");
		separator = ", ";
	}
	if (*separator == '9')
		strbuf_puts(s, "too few runs held out to tell");
}

static void put_value(struct strbuf *s, enum fit_fact_kind kind, double value)
{
	if (kind == FIT_SECONDS)
		strbuf_printf(s, "%.3g ns", 1e9 * value);
	else if (kind == FIT_SHARE)
		strbuf_printf(s, "%.3g %%", 100 * value);
	else if (value == floor(value) && fabs(value) < 1e9)
		strbuf_printf(s, "%.0f", value);
	else
		strbuf_printf(s, "%.3g", value);
}

static struct out_table *fact_table(const struct fit_description *d)
{
	static const struct out_column columns[] = {{"meaning", "made of", OUT_TEXT},
						    {"value", NULL, OUT_TEXT},
						    {"range", "90 %: from .. to", OUT_TEXT}};
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	struct strbuf s = STRBUF_INIT;

	for (size_t i = 0; t && i < d->n_facts; i++) {
		const struct fit_fact *fact = &d->fact[i];

		out_text(t, fact->meaning);
		strbuf_clear(&s);
		put_value(&s, fact->kind, fact->value);
		out_text(t, strbuf_text(&s));
		strbuf_clear(&s);
		if (isfinite(fact->lo) && isfinite(fact->hi)) {
			put_value(&s, fact->kind, fact->lo);
			strbuf_puts(&s, " .. ");
			put_value(&s, fact->kind, fact->hi);
		}
		out_text(t, strbuf_text(&s));
	}
	if (s.failed) {
		out_table_free(t);
		t = NULL;
	}
	strbuf_release(&s);
	return t;
}

enum err_code fit_print(const struct context *c, const struct fit_description *d, struct err *e)
{
	struct strbuf s = STRBUF_INIT;
	struct out_table *t = fact_table(d);
	enum err_code rc = ERR_OK;

	strbuf_puts(&s, "error: ");
	fit_put_error(&s, d);
	strbuf_puts(&s, "\ncoverage: ");
	fit_put_coverage(&s, d);
	strbuf_printf(&s, " (measured over predicted; of %zu, %zu and %zu)\n", d->error[0].n,
		      d->error[1].n, d->error[2].n);
	if (!t || s.failed) {
		rc = err_set(e, ERR_NOMEM, "what a predictor is made of");
	} else {
		fold_print(strbuf_text(&s), c->out);
		rc = out_table_print(t, FORMAT_TABLE, "predictor", c->out, e);
	}
	if (!rc && d->n_others > 0)
		fprintf(c->out, "and %zu numbers of its tables (table fit_parameter of the base)\n",
			d->n_others);
	strbuf_release(&s);
	out_table_free(t);
	return rc;
}
