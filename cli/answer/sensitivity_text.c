#include "cli/answer/sensitivity_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/answer/advice_table.h"
#include "cli/answer/answer_text.h"

/* ---- the step that costs most ---- */

static const struct answer_move *worst_move(const struct answer *answer)
{
	const struct answer_move *worst = NULL;

	for (size_t i = 0; i < answer->n_moves; i++) {
		const struct answer_move *move = &answer->move[i];

		if (move->ratio > 1 && (!worst || move->ratio > worst->ratio))
			worst = move;
	}
	return worst;
}

/* What a choice sets the parameter to: "10", "8x16". */
static void put_parameter(struct strbuf *s, const struct application *a, const char *parameter,
			  const struct answer_choice *choice)
{
	struct shown_column *shown = calloc(a->n_columns, sizeof *shown);
	size_t n = shown ? shown_columns(a, true, shown) : 0;

	for (size_t i = 0; i < n; i++) {
		if (!strcmp(shown[i].name, parameter))
			shown_column_put(&shown[i], choice->value, s);
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
static void put_worst(struct strbuf *s, const struct answer *answer, const struct answer_move *move)
{
	double p_meet = move->to.p_meet;

	strbuf_printf(s, "most sensitive to %s: ", move->parameter);
	put_parameter(s, answer->app, move->parameter, &move->to);
	strbuf_puts(s, " instead of ");
	put_parameter(s, answer->app, move->parameter, &answer->best);
	strbuf_puts(s, " takes ");
	put_percent(s, 100 * (move->ratio - 1));
	strbuf_puts(s, " longer (");
	answer_put_duration(s, move->to.predicted_s);
	strbuf_puts(s, ")");
	if (!isnan(p_meet)) {
		strbuf_puts(s, ", in time with probability ");
		answer_put_probability(s, p_meet, answer->request.confidence);
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
static void put_limits(struct strbuf *s, const struct answer *answer)
{
	const struct answer_node_limits *limits = &answer->node_limits;
	size_t i_nodes = answer->app->i_nodes;
	double nodes = i_nodes == SIZE_MAX ? (double)NAN : answer->best.value[i_nodes].number;
	double to_s = limits->deadline_to_s;
	char from[32];

	if (isnan(nodes))
		return;
	answer_put_count(s, nodes, "node");
	strbuf_printf(s, " %s the answer to deadlines from %s", nodes == 1 ? "is" : "are",
		      duration_format_up(limits->deadline_from_s, from, sizeof from));
	if (isnan(to_s)) {
		strbuf_puts(s, " on");
	} else {
		strbuf_puts(s, " to ");
		answer_put_duration(s, to_s);
	}
	put_confidences(s, limits->confidence_from, limits->confidence_to);
}

void sensitivity_put_worst(struct strbuf *s, const struct answer *answer)
{
	const struct answer_move *worst = worst_move(answer);

	if (worst)
		put_worst(s, answer, worst);
}

void sensitivity_put(struct strbuf *s, const struct answer *answer)
{
	sensitivity_put_worst(s, answer);
	if (answer->node_limits.given)
		put_limits(s, answer);
}

/* ---- robustness ---- */

/* "chosen among 5 tied (within 3.4 %): one step away it loses at most 3 %, 1x2, mk 15 ... 12 %" */
void tie_break_put(struct strbuf *s, const struct answer *answer)
{
	const struct answer_tie_break *choice = &answer->evidence.robust_choice;
	const struct answer_choice *before = &choice->instead_of;

	if (!choice->given)
		return;
	strbuf_printf(s, "chosen among %.0f tied (within %.2g %%): ", choice->configurations,
		      100 * choice->within);
	if (choice->neighbours > 0)
		strbuf_printf(s, "its neighbours lose at most %.2g %%", 100 * choice->loss);
	else
		strbuf_puts(s, "it has no neighbours");
	if (before->given) {
		strbuf_puts(s, ", those of ");
		answer_put_choice(s, answer->app, before);
		strbuf_puts(s, " (");
		answer_put_duration(s, before->predicted_s);
		strbuf_printf(s, ") up to %.2g %%", 100 * choice->loss_instead);
	}
	strbuf_putc(s, '\n');
}

/* ---- all steps ---- */

enum err_code sensitivity_print(const struct context *c, const struct answer *answer, struct err *e)
{
	size_t n = answer->n_moves;
	struct marked_choice *item = calloc(n + 1, sizeof *item);
	struct out_table *t = NULL;
	enum err_code rc = ERR_OK;

	if (n == 0) {
		free(item);
		return ERR_OK;
	}
	if (item) {
		for (size_t i = 0; i < n; i++)
			item[i] = (struct marked_choice){&answer->move[i].to,
							 answer->move[i].parameter};
		t = advice_marked_table(answer, item, n, "parameter");
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
