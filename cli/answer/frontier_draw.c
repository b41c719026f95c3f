#include "cli/answer/frontier_draw.h"

#include <math.h>

#include "cli/answer/answer_text.h"
#include "cli/frame/gnuplot.h"

const struct option_spec opt_frontier = {
	.name = "frontier",
	.help = "also the frontier of time against node-hours: what no other configuration\n"
		"beats in both; without a deadline the fastest is recommended",
};

const struct option_spec opt_plot = {
	.name = "plot",
	.arg = "FILE",
	.values = "FILE",
	.help = "draw the frontier with gnuplot: FILE.svg, .png, .pdf, or .gp for its script",
};

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
struct range {
	double least_hours, most_hours, least_s, most_s;
};

/* The slowest and cheapest point comes first, the fastest and dearest last. fmin() and fmax() leave
 * out what there is not (NaN). */
static struct range range_of(const struct answer *answer)
{
	const struct answer_choice *choice = &answer->best;
	double deadline_s = answer->request.deadline_s;
	const struct answer_choice *first = &answer->point[0].choice;
	const struct answer_choice *last = &answer->point[answer->n_points - 1].choice;

	return (struct range){
		.least_hours = fmin(first->node_hours, choice->node_hours),
		.most_hours = fmax(last->node_hours, choice->node_hours),
		.least_s = fmin(last->lo_s, deadline_s),
		.most_s = fmax(fmax(first->hi_s, deadline_s), choice->predicted_s),
	};
}

/* node-hours, time, its interval, probability in time, nodes */
static void put_point(struct strbuf *s, const struct answer_choice *choice, size_t unit)
{
	double time_s = choice->predicted_s, hours = choice->node_hours;

	/* Not every class has a column for nodes. */
	strbuf_printf(s, "%.6g %.6g %.6g %.6g %.4f %.0f\n", hours, time_s / units[unit].seconds,
		      choice->lo_s / units[unit].seconds, choice->hi_s / units[unit].seconds,
		      isnan(choice->p_meet) ? 1 : choice->p_meet, hours * 3600 / time_s);
}

static void put_data(struct strbuf *s, const struct answer *answer, size_t unit)
{
	const struct answer_point *point = answer->point;

	strbuf_puts(s, "# node-hours, time, from, to, probability in time, nodes\n"
		       "$frontier << EOD\n");
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

static void put_axes(struct strbuf *s, const struct range *r, size_t unit)
{
	put_axis(s, 'x', r->least_hours, r->most_hours);
	put_axis(s, 'y', r->least_s / units[unit].seconds, r->most_s / units[unit].seconds);
	strbuf_printf(s,
		      "set xlabel 'node-hours (numbers: nodes)'\n"
		      "set ylabel 'time [%s]'\n"
		      "set grid\n"
		      "set bmargin 6\n"
		      "set key below\n",
		      units[unit].name);
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

void frontier_put_script(const struct answer *answer, struct strbuf *out)
{
	struct range range = range_of(answer);
	size_t unit = unit_for(range.most_s);

	put_data(out, answer, unit);
	put_title(out, &answer->request);
	put_axes(out, &range, unit);
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
