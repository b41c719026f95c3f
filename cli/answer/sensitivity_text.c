#include "cli/answer/sensitivity_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/units.h"
#include "cli/answer/advice_table.h"
#include "cli/answer/answer_text.h"
#include "cli/answer/frontier_text.h"

/* ---- the step that costs most ---- */

static const json_t *worst_move(const json_t *list)
{
	const json_t *worst = NULL;
	size_t i;
	json_t *move;

	json_array_foreach(list, i, move)
	{
		double ratio = answer_number(move, "ratio");

		if (ratio > 1 && (!worst || ratio > answer_number(worst, "ratio")))
			worst = move;
	}
	return worst;
}

/* What a choice sets the parameter to: "10", "8x16". */
static void put_parameter(struct strbuf *s, const struct application *a, const char *parameter,
			  const struct json_t *choice)
{
	struct shown_column *shown = calloc(a->n_columns, sizeof *shown);
	size_t n = shown ? shown_columns(a, true, shown) : 0;

	for (size_t i = 0; i < n; i++) {
		if (!strcmp(shown[i].name, parameter))
			shown_column_put(a, &shown[i], choice, s);
	}
	s->failed |= !shown;
	free(shown);
}

/* Two digits, and never 1.1e+02. */
static void put_percent(struct strbuf *s, double percent)
{
	strbuf_printf(s, percent >= 99.5 ? "%.0f %%" : "%.2g %%", percent);
}

/* "most sensitive to mk: 3 instead of 1 takes 5.3 % longer (49m 48s), in time with probability
 * 0.94" */
static void put_worst(struct strbuf *s, const struct application *a, const json_t *answer,
		      const json_t *move)
{
	const char *parameter = answer_text(move, "parameter");
	double p_meet = answer_number(move, "p_meet");

	strbuf_printf(s, "most sensitive to %s: ", parameter);
	put_parameter(s, a, parameter, move);
	strbuf_puts(s, " instead of ");
	put_parameter(s, a, parameter, frontier_choice(answer));
	strbuf_puts(s, " takes ");
	put_percent(s, 100 * (answer_number(move, "ratio") - 1));
	strbuf_puts(s, " longer (");
	answer_put_duration(s, answer_number(move, "predicted_s"));
	strbuf_puts(s, ")");
	if (!isnan(p_meet)) {
		strbuf_puts(s, ", in time with probability ");
		answer_put_probability(
			s, p_meet, answer_number(json_object_get(answer, "request"), "confidence"));
	}
	strbuf_putc(s, '\n');
}

/* ---- the number of nodes ---- */

/* Rounded into the range: whoever types one of the two back gets the same nodes. Below one half
 * nobody asks for confidence. */
static void put_confidences(struct strbuf *s, double from, double to)
{
	strbuf_puts(s, ", and to confidences ");
	if (from >= 0.5)
		strbuf_printf(s, "from %.4g to ", ceil(1e4 * from) / 1e4);
	else
		strbuf_puts(s, "up to ");
	strbuf_printf(s, "%.4g\n", floor(1e4 * to) / 1e4);
}

/* "2 nodes are the answer to deadlines from 46m 12s to 1h 36m, and to confidences from 0.72 to
 * 0.95" */
static void put_limits(struct strbuf *s, const struct application *a, const json_t *answer,
		       const json_t *limits)
{
	double nodes = a->i_nodes == SIZE_MAX
			       ? (double)NAN
			       : answer_number(frontier_choice(answer), a->column[a->i_nodes].name);
	double to_s = answer_number(limits, "deadline_to_s");
	char from[32];

	if (isnan(nodes))
		return;
	answer_put_count(s, nodes, "node");
	strbuf_printf(
		s, " %s the answer to deadlines from %s", nodes == 1 ? "is" : "are",
		duration_format_up(answer_number(limits, "deadline_from_s"), from, sizeof from));
	if (isnan(to_s)) {
		strbuf_puts(s, " on");
	} else {
		strbuf_puts(s, " to ");
		answer_put_duration(s, to_s);
	}
	put_confidences(s, answer_number(limits, "confidence_from"),
			answer_number(limits, "confidence_to"));
}

void sensitivity_put(struct strbuf *s, const struct application *a, const struct json_t *answer)
{
	const json_t *worst = worst_move(json_object_get(answer, "sensitivity"));
	const json_t *limits = json_object_get(answer, "node_limits");

	if (worst)
		put_worst(s, a, answer, worst);
	if (json_is_object(limits))
		put_limits(s, a, answer, limits);
}

/* ---- robustness ---- */

/* "chosen among 5 tied (within 3.4 %): one step away it loses at most 3 %, 1x2, mk 15 ... 12 %" */
void tie_break_put(struct strbuf *s, const struct application *a, const struct json_t *answer)
{
	const json_t *choice =
		json_object_get(json_object_get(answer, "evidence"), "robust_choice");
	const json_t *before = json_object_get(choice, "instead_of");

	if (!json_is_object(choice))
		return;
	strbuf_printf(s, "chosen among %.0f tied (within %.2g %%): ",
		      answer_number(choice, "configurations"),
		      100 * answer_number(choice, "within"));
	if (answer_number(choice, "neighbours") > 0)
		strbuf_printf(s, "its neighbours lose at most %.2g %%",
			      100 * answer_number(choice, "loss"));
	else
		strbuf_puts(s, "it has no neighbours");
	if (json_is_object(before)) {
		strbuf_puts(s, ", those of ");
		answer_put_choice(s, a, before);
		strbuf_puts(s, " (");
		answer_put_duration(s, answer_number(before, "predicted_s"));
		strbuf_printf(s, ") up to %.2g %%", 100 * answer_number(choice, "instead_of_loss"));
	}
	strbuf_putc(s, '\n');
}

/* ---- all steps ---- */

enum err_code sensitivity_print(const struct context *c, const struct json_t *answer,
				const struct application *a, struct err *e)
{
	const json_t *list = json_object_get(answer, "sensitivity");
	size_t n = json_array_size(list);
	struct marked_choice *item = calloc(n + 1, sizeof *item);
	struct out_table *t = NULL;
	size_t i;
	json_t *move;
	enum err_code rc = ERR_OK;

	if (n == 0) {
		free(item);
		return ERR_OK;
	}
	if (item) {
		json_array_foreach(list, i, move)
		{
			item[i] = (struct marked_choice){move, answer_text(move, "parameter")};
		}
		t = advice_marked_table(answer, a, item, n, "parameter");
	}
	if (!t) {
		rc = err_set(e, ERR_NOMEM, "the sensitivity");
	} else {
		fputs("one step away\n", c->out);
		rc = out_table_print(t, FORMAT_TABLE, "sensitivity", c->out, e);
		fputc('\n', c->out);
	}
	out_table_free(t);
	free(item);
	return rc;
}
