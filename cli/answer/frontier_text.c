#include "cli/answer/frontier_text.h"

#include <math.h>
#include <stdlib.h>

#include "cli/answer/advice_table.h"
#include "cli/answer/answer_text.h"
#include "cli/answer/frontier_plot.h"
#include "cli/frame/fold.h"

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
			      "node-hours%s\n",
			      n_points, n_points == 1 ? "" : "s",
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
