#include "cli/answer/campaign_text.h"

#include <inttypes.h>
#include <math.h>

#include "cli/answer/answer_text.h"
#include "cli/frame/fold.h"

static const struct out_column columns[] = {
	{"runs", NULL, OUT_INT},
	{"not_predicted", NULL, OUT_INT},
	{"confidence", NULL, OUT_REAL},
	{"node_hours", NULL, OUT_REAL},
	{"node_hours_lo", NULL, OUT_REAL},
	{"node_hours_hi", NULL, OUT_REAL},
	{"node_hours_enough", NULL, OUT_REAL},
	{"core_hours", NULL, OUT_REAL},
	{"core_hours_lo", NULL, OUT_REAL},
	{"core_hours_hi", NULL, OUT_REAL},
	{"core_hours_enough", NULL, OUT_REAL},
	{"longest_line", NULL, OUT_INT},
	{"longest_s", NULL, OUT_SECONDS},
	{"longest_lo_s", NULL, OUT_SECONDS},
	{"longest_hi_s", NULL, OUT_SECONDS},
	{"longest_enough_s", NULL, OUT_SECONDS},
	{"inside", NULL, OUT_INT},
	{"edge", NULL, OUT_INT},
	{"outside", NULL, OUT_INT},
	{"outside_node_hours", NULL, OUT_REAL},
	{"outside_core_hours", NULL, OUT_REAL},
	{"without_nodes", NULL, OUT_INT},
	{"without_cores", NULL, OUT_INT},
};

static void add_cost(struct out_table *table, const struct campaign_cost *cost)
{
	out_real(table, cost->middle);
	out_real(table, cost->lo);
	out_real(table, cost->hi);
	out_real(table, cost->enough);
}

static enum err_code print_record(const struct context *c, const struct campaign_total *t,
				  struct err *e)
{
	const struct campaign_cost nodes = campaign_node_hours(t), cores = campaign_core_hours(t);
	struct out_table *table = out_table_new(columns, sizeof columns / sizeof columns[0]);
	const bool any = t->longest_line > 0;
	enum err_code rc;

	if (!table)
		return err_set(e, ERR_NOMEM, "the cost of a campaign");
	out_int(table, (int64_t)t->n);
	out_int(table, (int64_t)t->n_bad);
	out_real(table, t->confidence);
	add_cost(table, &nodes);
	add_cost(table, &cores);
	if (any)
		out_int(table, (int64_t)t->longest_line);
	else
		out_null(table);
	out_real(table, any ? t->longest.prediction.time_s : (double)NAN);
	out_real(table, any ? t->longest.lo_s : (double)NAN);
	out_real(table, any ? t->longest.hi_s : (double)NAN);
	out_real(table, any ? t->longest_enough_s : (double)NAN);
	for (int s = 0; s < 3; s++)
		out_int(table, (int64_t)t->n_of[s]);
	out_real(table, isnan(nodes.middle) ? (double)NAN : t->outside_node_hours);
	out_real(table, isnan(cores.middle) ? (double)NAN : t->outside_core_hours);
	out_int(table, (int64_t)t->n_no_nodes);
	out_int(table, (int64_t)t->n_no_cores);
	rc = out_record_print(table, c->format, "total", c->out, e);
	out_table_free(table);
	return rc;
}

/* ---- for people ---- */

/* Four digits, or all before the point. */
static void put_hours(struct strbuf *s, double hours)
{
	strbuf_printf(s, hours >= 1000 ? "%.0f" : "%.4g", hours);
}

/* Rounded up: who asks for so much asks for no less. */
static void put_hours_up(struct strbuf *s, double hours)
{
	const double unit = hours > 0 ? pow(10, fmin(floor(log10(hours)) - 3, 0)) : 1;

	put_hours(s, ceil(hours / unit - 1e-9) * unit);
}

/* "node-hours: 412 (90 %: 380 to 455); 440 are enough with a probability of 90 %" */
static void put_cost(struct strbuf *s, const struct campaign_total *t,
		     const struct campaign_cost *cost, const char *what)
{
	if (isnan(cost->middle))
		return;
	strbuf_printf(s, "%s: ", what);
	put_hours(s, cost->middle);
	strbuf_printf(s, " (%g %%: ", 100 * t->confidence);
	put_hours(s, cost->lo);
	strbuf_puts(s, " to ");
	put_hours(s, cost->hi);
	strbuf_puts(s, "); ");
	if (isnan(cost->enough)) {
		strbuf_printf(s, "the runs bear no promise above %.3g %%\n",
			      100 * t->max_confidence);
		return;
	}
	put_hours_up(s, cost->enough);
	strbuf_printf(s, " are enough with a probability of %g %%\n", 100 * t->confidence);
}

static void put_longest(struct strbuf *s, const struct campaign_total *t)
{
	if (t->longest_line == 0)
		return;
	strbuf_printf(s, "longest run: line %" PRIu64 ", ", t->longest_line);
	answer_put_duration(s, t->longest.prediction.time_s);
	strbuf_printf(s, " (%g %%: ", 100 * t->confidence);
	answer_put_duration(s, t->longest.lo_s);
	strbuf_puts(s, " to ");
	answer_put_duration(s, t->longest.hi_s);
	strbuf_printf(s, "), support %s\n", support_name(t->longest.prediction.support));
}

static void put_support(struct strbuf *s, const struct campaign_total *t,
			const struct campaign_cost *nodes, const struct campaign_cost *cores)
{
	strbuf_printf(s, "support: %zu inside, %zu edge, %zu outside", t->n_of[SUPPORT_INSIDE],
		      t->n_of[SUPPORT_EDGE], t->n_of[SUPPORT_OUTSIDE]);
	if (t->n_of[SUPPORT_OUTSIDE] > 0 && !isnan(nodes->middle))
		strbuf_printf(s, " (extrapolated: %.0f %% of the node-hours)",
			      100 * t->outside_node_hours / nodes->middle);
	else if (t->n_of[SUPPORT_OUTSIDE] > 0 && !isnan(cores->middle))
		strbuf_printf(s, " (extrapolated: %.0f %% of the core-hours)",
			      100 * t->outside_core_hours / cores->middle);
	strbuf_putc(s, '\n');
}

static void put_left_out(struct strbuf *s, const struct campaign_total *t)
{
	if (t->n_bad > 0)
		strbuf_printf(s, "NOT in the sums: %zu of %zu rows, which cannot be predicted\n",
			      t->n_bad, t->n + t->n_bad);
	if (t->n_no_nodes > 0)
		strbuf_printf(s, "NOT in the node-hours: %zu rows, which have no nodes\n",
			      t->n_no_nodes);
	if (t->n_no_cores > 0)
		strbuf_printf(s, "NOT in the core-hours: %zu rows, of which no cores are known\n",
			      t->n_no_cores);
	if (t->cores_of_nodes || t->cores_of_procs)
		strbuf_printf(s, "core-hours: of %s\n",
			      !t->cores_of_procs ? "whole nodes"
			      : t->cores_of_nodes
				      ? "whole nodes, or of the processes where the machine does "
					"not say how many cores a node has"
				      : "the processes; how many cores a node has is not known");
}

static enum err_code print_text(const struct context *c, const struct campaign_total *t,
				const char *file, struct err *e)
{
	const struct campaign_cost nodes = campaign_node_hours(t), cores = campaign_core_hours(t);
	struct strbuf s = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	text_put_safe(&s, file, false);
	strbuf_printf(&s, ": %zu run%s\n", t->n, t->n == 1 ? "" : "s");
	put_cost(&s, t, &nodes, "node-hours");
	put_cost(&s, t, &cores, "core-hours");
	put_longest(&s, t);
	if (t->n > 0)
		put_support(&s, t, &nodes, &cores);
	put_left_out(&s, t);
	if (t->n > 1)
		strbuf_puts(&s, "intervals: what the predictor does not know is taken to be off "
				"the same way in all rows,\n"
				"noise from run to run as independent\n");
	if (s.failed)
		rc = err_set(e, ERR_NOMEM, "the cost of a campaign");
	else
		fold_print(strbuf_text(&s), c->out);
	strbuf_release(&s);
	return rc;
}

enum err_code campaign_print(const struct context *c, const struct campaign_total *t,
			     const char *file, struct err *e)
{
	return c->format == FORMAT_TABLE ? print_text(c, t, file, e) : print_record(c, t, e);
}
