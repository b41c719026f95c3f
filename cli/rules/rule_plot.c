#include "cli/rules/rule_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* " 49.8 %" stands behind each bar. */
enum { BAR_WIDTH = 18, SHARE_WIDTH = 8, MAX_BINS_SHOWN = 12 };

/* Slow-down starts at 1; a formula errs to both sides. */
static const double slow_edge[] = {1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10};
static const double time_edge[] = {0.5, 0.67, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25, 1.5, 2};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

struct scale {
	const double *edge;
	size_t n_edges;
};

static const char *const heading[RULE_KIND_COUNT][3] = {
	[RULE_CHOICE] = {"slow-down", "where it holds", "other choices there"},
	[RULE_SETTING] = {"slow-down", "as it says", "otherwise"},
	[RULE_TIME] = {"measured /", "with the rule", "without it"},
};

static void count(const struct scale *s, const double *value, size_t n, size_t *bin)
{
	for (size_t i = 0; i < n; i++) {
		size_t b = 0;

		while (b < s->n_edges && value[i] > s->edge[b])
			b++;
		bin[b]++;
	}
}

static void put_label(const struct scale *s, size_t b, struct strbuf *out)
{
	char label[32];

	if (b == s->n_edges)
		snprintf(label, sizeof label, "above %g", s->edge[b - 1]);
	else if (b == 0)
		snprintf(label, sizeof label, "to %g", s->edge[0]);
	else
		snprintf(label, sizeof label, "%g-%g", s->edge[b - 1], s->edge[b]);
	strbuf_printf(out, "  %-10s", label);
}

/* Lines end where the ink ends. */
static void trim(struct strbuf *out)
{
	while (out->len > 0 && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
}

static void put_bar(size_t n, size_t n_all, struct strbuf *out)
{
	double share = n_all ? (double)n / (double)n_all : 0;
	int length = (int)(share * BAR_WIDTH + 0.5);
	char bar[BAR_WIDTH + 1];

	memset(bar, '#', BAR_WIDTH);
	bar[length] = '\0';
	/* Something is never drawn as nothing. */
	strbuf_printf(out, "  %-*s", BAR_WIDTH, length == 0 && n > 0 ? "|" : bar);
	if (n > 0)
		strbuf_printf(out, " %5.1f %%", 100 * share);
	else
		strbuf_printf(out, "%*s", SHARE_WIDTH, "");
}

static void put_median(const struct rule_residuals *w, struct strbuf *out)
{
	const double *side[] = {w->with, w->without};
	const size_t n[] = {w->n_with, w->n_without};

	strbuf_printf(out, "  %-10s", "median");
	for (int i = 0; i < 2; i++) {
		char text[32] = "";

		if (n[i] > 0)
			snprintf(text, sizeof text, "%.3g",
				 rule_context_quantile(side[i], n[i], 0.5));
		strbuf_printf(out, "  %-*s", BAR_WIDTH + SHARE_WIDTH, text);
	}
	trim(out);
	strbuf_putc(out, '\n');
}

static void put_heading(const struct rule *r, const struct rule_residuals *w, struct strbuf *out)
{
	char with[48], without[48];

	snprintf(with, sizeof with, "%s (%zu)", heading[r->kind][1], w->n_with);
	snprintf(without, sizeof without, "%s (%zu)", heading[r->kind][2], w->n_without);
	strbuf_printf(out, "  %-10s  %-*s  %s\n", heading[r->kind][0], BAR_WIDTH + SHARE_WIDTH,
		      with, without);
	if (r->kind == RULE_TIME)
		strbuf_puts(out, "  predicted\n");
}

/* From the first bin that holds anything to the last. */
void rule_plot_put(const struct rule *r, const struct rule_residuals *w, struct strbuf *out)
{
	struct scale s = r->kind == RULE_TIME ? (struct scale){time_edge, COUNT(time_edge)}
					      : (struct scale){slow_edge, COUNT(slow_edge)};
	size_t with[MAX_BINS_SHOWN] = {0}, without[MAX_BINS_SHOWN] = {0};
	size_t first = 0, last = s.n_edges;

	count(&s, w->with, w->n_with, with);
	count(&s, w->without, w->n_without, without);
	while (first < last && with[first] + without[first] == 0)
		first++;
	while (last > first && with[last] + without[last] == 0)
		last--;
	put_heading(r, w, out);
	for (size_t b = first; b <= last; b++) {
		put_label(&s, b, out);
		put_bar(with[b], w->n_with, out);
		put_bar(without[b], w->n_without, out);
		trim(out);
		strbuf_putc(out, '\n');
	}
	put_median(w, out);
}
