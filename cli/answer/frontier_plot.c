#include "cli/answer/frontier_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

enum { MAX_WIDTH = 64, MIN_WIDTH = 24, HEIGHT = 15, LABEL_WIDTH = 10 };
enum { BESIDE = 16 }; /* label and margins */

/* A logarithmic scale of some cells. */
struct scale {
	double from, to;
	int n;
};

static struct scale scale_of(double from, double to, int n)
{
	/* A single value stands in the middle. */
	if (!(to > from))
		return (struct scale){from / 2, from * 2, n};
	return (struct scale){from, to, n};
}

/* -1: not on it. */
static int cell(const struct scale *s, double value)
{
	double share = log(value / s->from) / log(s->to / s->from);

	return share >= 0 && share <= 1 ? (int)lround(share * (s->n - 1)) : -1;
}

static void find_scales(const struct plot_point *p, size_t n, int width, struct scale *x,
			struct scale *y)
{
	double least_h = p[0].node_hours, most_h = least_h;
	double least_s = p[0].time_s, most_s = least_s;

	for (size_t i = 1; i < n; i++) {
		least_h = fmin(least_h, p[i].node_hours);
		most_h = fmax(most_h, p[i].node_hours);
		least_s = fmin(least_s, p[i].time_s);
		most_s = fmax(most_s, p[i].time_s);
	}
	*x = scale_of(least_h, most_h, width);
	*y = scale_of(least_s, most_s, HEIGHT);
}

/* The time that a row stands for is told on the first, the middle and the last. */
static void put_label(const struct scale *y, int row, struct strbuf *out)
{
	double share = (double)row / (HEIGHT - 1);
	char text[32] = "";

	if (row % ((HEIGHT - 1) / 2) == 0)
		duration_format(y->from * pow(y->to / y->from, share), text, sizeof text);
	strbuf_printf(out, "%*s |", LABEL_WIDTH, text);
}

static void put_row(const char *cells, int n, struct strbuf *out)
{
	while (n > 0 && cells[n - 1] == ' ')
		n--;
	strbuf_add(out, cells, (size_t)n);
	strbuf_putc(out, '\n');
}

static void put_axis(const struct scale *x, struct strbuf *out)
{
	char from[32], to[64];

	snprintf(from, sizeof from, "%.3g", x->from);
	snprintf(to, sizeof to, "%.3g node-hours", x->to);
	strbuf_printf(out, "%*s +", LABEL_WIDTH, "");
	for (int i = 0; i < x->n; i++)
		strbuf_putc(out, '-');
	strbuf_printf(out, "\n%*s  %s%*s\n", LABEL_WIDTH, "", from, x->n - (int)strlen(from), to);
}

bool frontier_plot_put(const struct plot_point *point, size_t n, double deadline_s, size_t columns,
		       struct strbuf *out)
{
	const int width = columns == 0 || columns >= MAX_WIDTH + BESIDE ? MAX_WIDTH
			  : columns <= MIN_WIDTH + BESIDE		? MIN_WIDTH
									: (int)columns - BESIDE;
	char cells[HEIGHT][MAX_WIDTH];
	struct scale x, y;
	int deadline;

	find_scales(point, n, width, &x, &y);
	memset(cells, ' ', sizeof cells);
	deadline = isnan(deadline_s) ? -1 : cell(&y, deadline_s);
	if (deadline >= 0)
		memset(cells[deadline], '.', (size_t)width);
	for (size_t i = 0; i < n; i++)
		cells[cell(&y, point[i].time_s)][cell(&x, point[i].node_hours)] = point[i].symbol;
	for (int row = HEIGHT - 1; row >= 0; row--) {
		put_label(&y, row, out);
		put_row(cells[row], width, out);
	}
	put_axis(&x, out);
	return deadline >= 0;
}
