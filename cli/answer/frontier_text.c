#include "cli/answer/frontier_text.h"

#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "cli/answer/advice_table.h"
#include "cli/answer/answer_text.h"
#include "cli/answer/frontier_plot.h"

enum { MAX_ON_A_SCREEN = 20 };

const struct json_t *frontier_choice(const struct json_t *answer)
{
	const json_t *yes = json_object_get(answer, "recommendation");
	const json_t *no = json_object_get(answer, "best_effort");

	return json_is_object(yes) ? yes : json_is_object(no) ? no : NULL;
}

/* ---- the table ---- */

static bool is_same(const struct application *a, const json_t *x, const json_t *y)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		const char *name = a->column[i].name;
		const json_t *value = json_object_get(x, name);

		if (value && !json_equal(value, json_object_get(y, name)))
			return false;
	}
	return true;
}

/* "recommended, knee"; "" for a point like others. chosen: what the answer's choice is called;
 * NULL: it is not the choice. */
static const char *mark_of(const json_t *point, const char *chosen, double confidence)
{
	static const char *const marks[][2] = {{"", "knee"},
					       {"too late", "knee, too late"},
					       {"over budget", "knee, over budget"},
					       {"recommended", "recommended, knee"},
					       {"best effort", "best effort, knee"}};
	size_t i = 0;

	if (chosen)
		i = *chosen == 'r' ? 3 : 4;
	else if (!answer_is(point, "feasible"))
		i = answer_number(point, "p_meet") < confidence ? 1 : 2;
	return marks[i][answer_is(point, "knee")];
}

/* Of a long frontier evenly spread points: those that are the first on their place. */
static bool is_shown(size_t i, size_t n)
{
	const size_t places = MAX_ON_A_SCREEN - 1;

	return n <= MAX_ON_A_SCREEN || i == 0 || i * places / (n - 1) != (i - 1) * places / (n - 1);
}

static bool is_on(const struct application *a, const json_t *list, const json_t *choice)
{
	size_t i;
	json_t *point;

	json_array_foreach(list, i, point)
	{
		if (is_same(a, choice, point))
			return true;
	}
	return false;
}

/* The answer's choice stands among the points by its time, whether it is one of them or not. all:
 * nothing was left out. */
static size_t mark_points(const json_t *answer, const struct application *a, const json_t *list,
			  struct marked_choice *item, bool *all)
{
	const struct json_t *choice = frontier_choice(answer);
	const char *name = answer_is(answer, "feasible") ? "recommended" : "best effort";
	double confidence = answer_number(json_object_get(answer, "request"), "confidence");
	bool missing = choice && !is_on(a, list, choice);
	size_t n = 0, i;
	json_t *point;

	*all = true;
	json_array_foreach(list, i, point)
	{
		bool chosen = choice && is_same(a, choice, point);

		if (missing &&
		    answer_number(point, "predicted_s") < answer_number(choice, "predicted_s")) {
			item[n++] = (struct marked_choice){choice, name};
			missing = false;
		}
		if (chosen || answer_is(point, "knee") || is_shown(i, json_array_size(list)))
			item[n++] = (struct marked_choice){
				point, mark_of(point, chosen ? name : NULL, confidence)};
		else
			*all = false;
	}
	if (missing)
		item[n++] = (struct marked_choice){choice, name};
	return n;
}

static enum err_code print_table(const struct context *c, const json_t *answer,
				 const struct application *a, const json_t *list, struct err *e)
{
	size_t n_points = json_array_size(list);
	bool all = true;
	struct marked_choice *item = calloc(n_points + 1, sizeof *item);
	size_t n = item ? mark_points(answer, a, list, item, &all) : 0;
	struct out_table *t = item ? advice_marked_table(answer, a, item, n, "mark") : NULL;
	enum err_code rc = t ? ERR_OK : err_set(e, ERR_NOMEM, "the frontier");

	if (!rc) {
		fprintf(c->out,
			"\nfrontier: %zu configuration%s that none beats in both time and "
			"node-hours",
			n_points, n_points == 1 ? "" : "s");
		fputs(all ? "\n" : "; some of them (all: --format csv)\n", c->out);
		rc = out_table_print(t, FORMAT_TABLE, "frontier", c->out, e);
	}
	out_table_free(t);
	free(item);
	return rc;
}

/* ---- the plot ---- */

static struct plot_point plot_point_of(const struct json_t *choice, char symbol)
{
	return (struct plot_point){answer_number(choice, "node_hours"),
				   answer_number(choice, "predicted_s"), symbol};
}

/* The knee and the recommendation last, so that they are seen. */
static size_t plot_points(const json_t *answer, const json_t *list, struct plot_point *out)
{
	const struct json_t *choice = frontier_choice(answer);
	size_t n = 0, i;
	json_t *point;

	json_array_foreach(list, i, point)
	{
		out[n++] = plot_point_of(point, answer_is(point, "feasible") ? '*' : 'x');
	}
	json_array_foreach(list, i, point)
	{
		if (answer_is(point, "knee"))
			out[n++] = plot_point_of(point, 'K');
	}
	if (choice)
		out[n++] = plot_point_of(choice, answer_is(answer, "feasible") ? 'R' : 'B');
	return n;
}

static bool all_are_feasible(const json_t *list)
{
	size_t i;
	json_t *point;

	json_array_foreach(list, i, point)
	{
		if (!answer_is(point, "feasible"))
			return false;
	}
	return true;
}

static void put_legend(struct strbuf *s, const json_t *answer, const json_t *list,
		       double deadline_s, bool deadline_drawn)
{
	const json_t *request = json_object_get(answer, "request");
	bool budget = json_object_get(request, "budget_node_hours") != NULL;

	strbuf_puts(s, answer_is(answer, "feasible") ? "            R recommended, K knee"
						     : "            B best effort, K knee");
	if (budget)
		strbuf_puts(s, ", * in time and budget");
	else
		strbuf_puts(s, isnan(deadline_s) ? ", * others" : ", * in time");
	if (!all_are_feasible(list))
		strbuf_puts(s, budget ? ", x not" : ", x too late");
	if (deadline_drawn) {
		strbuf_puts(s, ", ... ");
		answer_put_duration(s, deadline_s);
	}
	strbuf_putc(s, '\n');
}

static enum err_code print_plot(const struct context *c, const json_t *answer, const json_t *list,
				struct err *e)
{
	double deadline_s = answer_number(json_object_get(answer, "request"), "deadline_s");
	struct plot_point *point = calloc(json_array_size(list) + 2, sizeof *point);
	struct strbuf s = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	if (point) {
		bool drawn =
			frontier_plot_put(point, plot_points(answer, list, point), deadline_s, &s);

		put_legend(&s, answer, list, deadline_s, drawn);
	}
	if (!point || s.failed)
		rc = err_set(e, ERR_NOMEM, "a plot");
	else
		fprintf(c->out, "\n%s", strbuf_text(&s));
	strbuf_release(&s);
	free(point);
	return rc;
}

enum err_code frontier_print(const struct context *c, const struct json_t *answer,
			     const struct application *a, struct err *e)
{
	const json_t *list = json_object_get(answer, "frontier");
	enum err_code rc;

	if (json_array_size(list) == 0)
		return ERR_OK;
	if ((rc = print_table(c, answer, a, list, e)))
		return rc;
	return print_plot(c, answer, list, e);
}
