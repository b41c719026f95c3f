#include "cli/answer/frontier_text.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "cli/frame/fold.h"
#include "cli/frame/gnuplot.h"
#include "cli/answer/advice_table.h"
#include "cli/answer/answer_text.h"

/* Time against node-hours, both on logarithmic scales, drawn in plain text.
 */

struct plot_point {
	double node_hours, time_s; /* > 0 */
	char symbol;		   /* of those in one place the last one is seen */
};

enum { MAX_WIDTH = 64, MIN_WIDTH = 24, HEIGHT = 15, LABEL_WIDTH = 10 };
enum { BESIDE = 16 }; /* label and margins */

/* A logarithmic scale of some cells. */
struct log_scale {
	double from, to;
	int n;
};

static struct log_scale scale_of(double from, double to, int n)
{
	/* A single value stands in the middle. */
	if (!(to > from))
		return (struct log_scale){from / 2, from * 2, n};
	return (struct log_scale){from, to, n};
}

/* -1: not on it. */
static int cell(const struct log_scale *s, double value)
{
	double share = log(value / s->from) / log(s->to / s->from);

	return share >= 0 && share <= 1 ? (int)lround(share * (s->n - 1)) : -1;
}

static void find_scales(const struct plot_point *p, size_t n, int width, struct log_scale *x,
			struct log_scale *y)
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
static void put_label(const struct log_scale *y, int row, struct strbuf *out)
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

static void put_hours_axis(const struct log_scale *x, const char *hours, struct strbuf *out)
{
	char from[32], to[64];

	snprintf(from, sizeof from, "%.3g", x->from);
	snprintf(to, sizeof to, "%.3g %s", x->to, hours);
	strbuf_printf(out, "%*s +", LABEL_WIDTH, "");
	for (int i = 0; i < x->n; i++)
		strbuf_putc(out, '-');
	strbuf_printf(out, "\n%*s  %s%*s\n", LABEL_WIDTH, "", from, x->n - (int)strlen(from), to);
}

/* At most `columns` wide, and 80 (0: 80), but never less than 40. deadline_s: drawn as a line of
 * dots if it lies between the points (returns whether); NaN: none. n must be above 0. */
static bool frontier_plot_put(const struct plot_point *point, size_t n, const char *hours,
			      double deadline_s, size_t columns, struct strbuf *out)
{
	const int width = columns == 0 || columns >= MAX_WIDTH + BESIDE ? MAX_WIDTH
			  : columns <= MIN_WIDTH + BESIDE		? MIN_WIDTH
									: (int)columns - BESIDE;
	char cells[HEIGHT][MAX_WIDTH];
	struct log_scale x, y;
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
	put_hours_axis(&x, hours, out);
	return deadline >= 0;
}

/* ---- table and plot ---- */

enum { MAX_ON_A_SCREEN = 20 };

/* ---- the table ---- */

static bool is_same(const struct application *a, const struct answer_choice *x,
		    const struct answer_choice *y)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (!answer_value_equal(&x->value[i], &y->value[i]))
			return false;
	}
	return true;
}

/* "recommended, knee"; "" for a point like others. chosen: what the answer's choice is called;
 * NULL: it is not the choice. */
static const char *mark_of(const struct answer_point *point, const char *chosen, double confidence)
{
	static const char *const marks[][2] = {{"", "knee"},
					       {"too late", "knee, too late"},
					       {"over budget", "knee, over budget"},
					       {"recommended", "recommended, knee"},
					       {"best effort", "best effort, knee"}};
	size_t i = 0;

	if (chosen)
		i = *chosen == 'r' ? 3 : 4;
	else if (!point->feasible)
		i = point->choice.p_meet < confidence ? 1 : 2;
	return marks[i][point->knee];
}

/* Of a long frontier evenly spread points: those that are the first on their place. */
static bool is_shown(size_t i, size_t n)
{
	const size_t places = MAX_ON_A_SCREEN - 1;

	return n <= MAX_ON_A_SCREEN || i == 0 || i * places / (n - 1) != (i - 1) * places / (n - 1);
}

static bool best_is_on(const struct answer *answer)
{
	for (size_t i = 0; i < answer->n_points; i++) {
		if (is_same(answer->app, &answer->best, &answer->point[i].choice))
			return true;
	}
	return false;
}

/* The answer's choice stands among the points by its time, whether it is one of them or not. all:
 * nothing was left out. */
static size_t mark_points(const struct answer *answer, struct marked_choice *item, bool *all)
{
	const struct answer_choice *choice = &answer->best;
	const char *name = answer->feasible ? "recommended" : "best effort";
	double confidence = answer->request.confidence;
	bool missing = choice->given && !best_is_on(answer);
	size_t n = 0;

	*all = true;
	for (size_t i = 0; i < answer->n_points; i++) {
		const struct answer_point *point = &answer->point[i];
		bool chosen = choice->given && is_same(answer->app, choice, &point->choice);

		if (missing && point->choice.predicted_s < choice->predicted_s) {
			item[n++] = (struct marked_choice){choice, name};
			missing = false;
		}
		if (chosen || point->knee || is_shown(i, answer->n_points))
			item[n++] = (struct marked_choice){
				&point->choice, mark_of(point, chosen ? name : NULL, confidence)};
		else
			*all = false;
	}
	if (missing)
		item[n++] = (struct marked_choice){choice, name};
	return n;
}

static enum err_code print_table(const struct context *c, const struct answer *answer,
				 struct err *e)
{
	size_t n_points = answer->n_points;
	bool all = true;
	struct marked_choice *item = calloc(n_points + 1, sizeof *item);
	size_t n = item ? mark_points(answer, item, &all) : 0;
	struct out_table *t = item ? advice_marked_table(answer, item, n, "mark") : NULL;
	enum err_code rc = t ? ERR_OK : err_set(e, ERR_NOMEM, "the frontier");

	if (!rc) {
		struct strbuf s = STRBUF_INIT;

		strbuf_printf(&s,
			      "\nfrontier: %zu configuration%s that none beats in both time and "
			      "%s%s\n",
			      n_points, n_points == 1 ? "" : "s", advice_hours_name(answer),
			      all ? "" : "; some of them (all: --format csv)");
		fold_print(strbuf_text(&s), c->out);
		strbuf_release(&s);
		rc = out_table_print(t, FORMAT_TABLE, "frontier", c->out, e);
	}
	out_table_free(t);
	free(item);
	return rc;
}

/* ---- the plot ---- */

static struct plot_point plot_point_of(const struct answer_choice *choice, char symbol)
{
	return (struct plot_point){choice->node_hours, choice->predicted_s, symbol};
}

/* The knee and the recommendation last, so that they are seen. */
static size_t plot_points(const struct answer *answer, struct plot_point *out)
{
	const struct answer_point *point = answer->point;
	size_t n = 0;

	for (size_t i = 0; i < answer->n_points; i++)
		out[n++] = plot_point_of(&point[i].choice, point[i].feasible ? '*' : 'x');
	for (size_t i = 0; i < answer->n_points; i++) {
		if (point[i].knee)
			out[n++] = plot_point_of(&point[i].choice, 'K');
	}
	if (answer->best.given)
		out[n++] = plot_point_of(&answer->best, answer->feasible ? 'R' : 'B');
	return n;
}

static bool all_are_feasible(const struct answer *answer)
{
	for (size_t i = 0; i < answer->n_points; i++) {
		if (!answer->point[i].feasible)
			return false;
	}
	return true;
}

static void put_legend(struct strbuf *s, const struct answer *answer, bool deadline_drawn)
{
	double deadline_s = answer->request.deadline_s;
	bool budget = !isnan(answer->request.budget_node_hours);

	strbuf_puts(s, answer->feasible ? "            R recommended, K knee"
					: "            B best effort, K knee");
	if (budget)
		strbuf_puts(s, ", * in time and budget");
	else
		strbuf_puts(s, isnan(deadline_s) ? ", * others" : ", * in time");
	if (!all_are_feasible(answer))
		strbuf_puts(s, budget ? ", x not" : ", x too late");
	if (deadline_drawn) {
		strbuf_puts(s, ", ... ");
		answer_put_duration(s, deadline_s);
	}
	strbuf_putc(s, '\n');
}

static enum err_code print_plot(const struct context *c, const struct answer *answer, struct err *e)
{
	struct plot_point *point = calloc(answer->n_points + 2, sizeof *point);
	struct strbuf s = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	if (point) {
		bool drawn = frontier_plot_put(point, plot_points(answer, point),
					       advice_hours_name(answer),
					       answer->request.deadline_s, fold_width(c->out), &s);

		put_legend(&s, answer, drawn);
	}
	if (!point || s.failed)
		rc = err_set(e, ERR_NOMEM, "a plot");
	else
		fprintf(c->out, "\n%s", strbuf_text(&s));
	strbuf_release(&s);
	free(point);
	return rc;
}

enum err_code frontier_print(const struct context *c, const struct answer *answer, struct err *e)
{
	enum err_code rc;

	if (answer->n_points == 0)
		return ERR_OK;
	if ((rc = print_table(c, answer, e)))
		return rc;
	return print_plot(c, answer, e);
}

/* ---- by gnuplot ---- */

OPTION(opt_frontier, "frontier", NULL,
       .help = "also the frontier of time against node-hours: what no other configuration\n"
	       "beats in both; without a deadline the fastest is recommended");

OPTION(opt_plot, "plot", "FILE", .values = "FILE",
       .help = "draw the frontier with gnuplot: FILE.svg, .png, .pdf, or .gp for its script");

enum err_code frontier_options_read(const struct options *o, bool *wanted, struct err *e)
{
	const char *path = options_get(o, &opt_plot);

	*wanted = path || options_has(o, &opt_frontier);
	return path ? gnuplot_check(path, e) : ERR_OK;
}

/* ---- data ---- */

enum { MAX_LABELS = 12 }; /* numbers of nodes that do not run into each other */

/* Times are drawn in the unit in which the longest is below this many. */
static const struct {
	const char *name;
	double seconds, most;
} units[] = {{"s", 1, 200}, {"min", 60, 200}, {"h", 3600, 100}, {"d", 86400, INFINITY}};

static size_t unit_for(double most_s)
{
	size_t i = 0;

	while (most_s / units[i].seconds >= units[i].most)
		i++;
	return i;
}

/* What the axes have to show. */
struct frontier_range {
	double least_hours, most_hours, least_s, most_s;
};

/* The slowest and cheapest point comes first, the fastest and dearest last. fmin() and fmax() leave
 * out what there is not (NaN). */
static struct frontier_range range_of(const struct answer *answer)
{
	const struct answer_choice *choice = &answer->best;
	double deadline_s = answer->request.deadline_s;
	const struct answer_choice *first = &answer->point[0].choice;
	const struct answer_choice *last = &answer->point[answer->n_points - 1].choice;

	return (struct frontier_range){
		.least_hours = fmin(first->node_hours, choice->node_hours),
		.most_hours = fmax(last->node_hours, choice->node_hours),
		.least_s = fmin(last->lo_s, deadline_s),
		.most_s = fmax(fmax(first->hi_s, deadline_s), choice->predicted_s),
	};
}

/* node-hours (or of what is counted), time, its interval, probability in time, nodes */
static void put_point(struct strbuf *s, const struct answer_choice *choice, size_t unit)
{
	double time_s = choice->predicted_s, hours = choice->node_hours;

	/* Not every application has a column for nodes. */
	strbuf_printf(s, "%.6g %.6g %.6g %.6g %.4f %.0f\n", hours, time_s / units[unit].seconds,
		      choice->lo_s / units[unit].seconds, choice->hi_s / units[unit].seconds,
		      isnan(choice->p_meet) ? 1 : choice->p_meet, hours * 3600 / time_s);
}

static void put_data(struct strbuf *s, const struct answer *answer, size_t unit)
{
	const struct answer_point *point = answer->point;

	strbuf_printf(s,
		      "# %s, time, from, to, probability in time, %ss\n"
		      "$frontier << EOD\n",
		      advice_hours_name(answer), advice_unit_name(answer));
	for (size_t i = 0; i < answer->n_points; i++)
		put_point(s, &point[i].choice, unit);
	strbuf_puts(s, "EOD\n$knee << EOD\n");
	for (size_t i = 0; i < answer->n_points; i++) {
		if (point[i].knee)
			put_point(s, &point[i].choice, unit);
	}
	strbuf_puts(s, "EOD\n$choice << EOD\n");
	if (answer->best.given)
		put_point(s, &answer->best, unit);
	strbuf_puts(s, "EOD\n");
}

static void put_title(struct strbuf *s, const struct answer_request *request)
{
	struct strbuf title = STRBUF_INIT;

	strbuf_printf(&title, "%s on %s: ", request->app, request->machine);
	answer_put_members(&title, &request->problem);
	strbuf_puts(s, "set title ");
	gnuplot_put_text(strbuf_text(&title), s);
	strbuf_putc(s, '\n');
	s->failed |= title.failed;
	strbuf_release(&title);
}

/* An axis from the least to the most that is drawn, and a margin. Beyond half a decade it is
 * logarithmic, with a number at 1, 2 and 5 of each decade: gnuplot itself numbers only decades. */
static void put_axis(struct strbuf *s, char axis, double least, double most)
{
	static const double step[] = {1, 2, 5};
	bool logarithmic = most / least > 3;
	double margin = logarithmic ? pow(most / least, 0.05) : 1.03;
	const char *separator = "";

	strbuf_printf(s, "set %crange [%.6g:%.6g]\n", axis, least / margin, most * margin);
	if (!logarithmic)
		return;
	strbuf_printf(s, "set logscale %c\nset %ctics (", axis, axis);
	for (double decade = pow(10, floor(log10(least))); decade <= most; decade *= 10) {
		for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
			strbuf_printf(s, "%s%g", separator, step[i] * decade);
			separator = ", ";
		}
	}
	strbuf_puts(s, ")\n");
}

static void put_axes(struct strbuf *s, const struct answer *answer, const struct frontier_range *r,
		     size_t unit)
{
	put_axis(s, 'x', r->least_hours, r->most_hours);
	put_axis(s, 'y', r->least_s / units[unit].seconds, r->most_s / units[unit].seconds);
	strbuf_printf(s,
		      "set xlabel '%s (numbers: %ss)'\n"
		      "set ylabel 'time [%s]'\n"
		      "set grid\n"
		      "set bmargin 6\n"
		      "set key below\n",
		      advice_hours_name(answer), advice_unit_name(answer), units[unit].name);
}

/* Points are coloured by their probability only where there is a deadline to be met. */
static void put_plot(struct strbuf *s, const struct answer *answer, size_t unit)
{
	double deadline_s = answer->request.deadline_s;
	bool deadline = !isnan(deadline_s);

	if (deadline)
		strbuf_puts(s, "set cbrange [0:1]\n"
			       "set cblabel 'probability of being in time'\n"
			       "set palette defined (0 '#b2182b', 0.5 '#f4a582', 1 '#2166ac')\n");
	strbuf_printf(s,
		      "plot $frontier using 1:2:3:4 with yerrorbars pt 0 lc rgb '#b0b0b0' title "
		      "'%g %% interval', \\\n",
		      100 * answer->request.confidence);
	strbuf_printf(s,
		      "  $frontier using 1:2%s with points pt 7 ps 0.9 %s title 'frontier', \\\n",
		      deadline ? ":5" : "", deadline ? "lc palette" : "lc rgb '#2166ac'");
	if (deadline) {
		strbuf_printf(s, "  %.6g with lines dt 2 lc rgb '#404040' title 'deadline ",
			      deadline_s / units[unit].seconds);
		answer_put_duration(s, deadline_s);
		strbuf_puts(s, "', \\\n");
	}
	strbuf_puts(s, "  $knee using 1:2 with points pt 4 ps 2 lw 2 lc rgb 'black' title 'knee', "
		       "\\\n");
	if (answer->best.given)
		strbuf_printf(s,
			      "  $choice using 1:2 with points pt 6 ps 2 lw 2 lc rgb '#1b7837' "
			      "title '%s', \\\n",
			      answer->feasible ? "recommended" : "best effort");
	strbuf_printf(s,
		      "  $frontier using 1:2:6 every %zu with labels offset char 1.2,0.6 font ',9' "
		      "notitle\n",
		      1 + answer->n_points / MAX_LABELS);
}

/* The gnuplot script, its data included. */
static void frontier_put_script(const struct answer *answer, struct strbuf *out)
{
	struct frontier_range range = range_of(answer);
	size_t unit = unit_for(range.most_s);

	put_data(out, answer, unit);
	put_title(out, &answer->request);
	put_axes(out, answer, &range, unit);
	put_plot(out, answer, unit);
}

enum err_code frontier_draw(const struct answer *answer, const char *path, struct err *e)
{
	struct strbuf script = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	if (!path || answer->n_points == 0)
		return ERR_OK;
	frontier_put_script(answer, &script);
	rc = script.failed ? err_set(e, ERR_NOMEM, "the script of a plot")
			   : gnuplot_draw(path, strbuf_text(&script), e);
	strbuf_release(&script);
	return rc;
}
