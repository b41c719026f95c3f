#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "api/message_studies.h"
#include "api/study_json.h"
#include "cli/frame/cmd.h"
#include "cli/frame/gnuplot.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_options.h"

/* `lemnos model message`: equations 1 to 4 over the size of a message, beside measured ping-pongs:
 * figure 3 of Sundaram-Stukel and Vernon. */

OPTION(opt_message_bytes, "bytes", "N,...",
       .help = "message: of these sizes (default: those that were measured, else\n"
	       "powers of 2 up to 1 MiB and where the cost changes)");

/* ---- sizes ---- */

static double measured_at(const struct message_study *s, double bytes)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->point[i].bytes == bytes)
			return s->point[i].measured_s;
	}
	return NAN;
}

/* --bytes: those instead. */
static enum err_code take_asked(const struct context *c, struct message_study *s, struct err *e)
{
	struct message_study asked = {.measured = s->measured};
	char **list = NULL;
	size_t n = 0;
	enum err_code rc = options_list(&c->opt, &opt_message_bytes, &list, &n, e);

	if (rc || n == 0) {
		free(list);
		return rc;
	}
	asked.point = calloc(n, sizeof *asked.point);
	if (!asked.point)
		rc = err_set(e, ERR_NOMEM, "%zu sizes of messages", n);
	for (; asked.n < n && !rc; asked.n++) {
		struct study_point *p = &asked.point[asked.n];
		struct err why = {0};

		if (size_parse(list[asked.n], &p->bytes, &why))
			rc = err_set(e, ERR_USAGE, "--bytes: %s", why.msg);
		p->measured_s = measured_at(s, p->bytes);
	}
	free(list);
	if (rc) {
		free(asked.point);
		return rc;
	}
	free(s->point);
	*s = asked;
	return ERR_OK;
}

/* ---- output ---- */

static const struct out_column columns[] = {
	{"bytes", NULL, OUT_REAL},
	{"send_s", "Send", OUT_SECONDS},
	{"receive_s", "Receive", OUT_SECONDS},
	{"total_s", "Total_Comm", OUT_SECONDS},
	{"blocks", NULL, OUT_BOOL},
	{"measured_s", "measured", OUT_SECONDS},
	{"error", NULL, OUT_PERCENT},
};

static enum err_code print_study(const struct context *c, const struct model_question *q,
				 const struct message_study *s, struct err *e)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	double worst = 0;
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the costs of messages");
	for (size_t i = 0; i < s->n; i++) {
		const struct study_point *p = &s->point[i];
		struct message_time m = message_cost_at(&q->remote, p->bytes);
		double error = m.total_s / p->measured_s - 1;

		out_real(t, p->bytes);
		out_real(t, m.send_s);
		out_real(t, m.receive_s);
		out_real(t, m.total_s);
		out_bool(t, m.blocks);
		out_real(t, p->measured_s);
		out_real(t, error);
		worst = fmax(worst, fabs(error));
	}
	rc = out_table_print(t, c->format, "messages", c->out, e);
	if (!rc && c->format == FORMAT_TABLE && s->measured)
		fprintf(c->out, "\nTotal_Comm is off by at most %.1f %%\n", 100 * worst);
	out_table_free(t);
	return rc;
}

/* As figure 3 has it: both axes logarithmic, lines by the model, points measured. */
static enum err_code draw(const char *path, const struct model_question *q,
			  const struct message_study *s, struct err *e)
{
	struct strbuf script = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&script, "$m << EOD\n");
	for (size_t i = 0; i < s->n; i++) {
		const struct study_point *p = &s->point[i];
		struct message_time m = message_cost_at(&q->remote, p->bytes);

		strbuf_printf(&script, "%.10g %.6g %.6g %.6g ", p->bytes, m.send_s * 1e6,
			      m.receive_s * 1e6, m.total_s * 1e6);
		if (isnan(p->measured_s))
			strbuf_puts(&script, "NaN\n");
		else
			strbuf_printf(&script, "%.6g\n", p->measured_s * 1e6);
	}
	strbuf_puts(&script, "EOD\nset title ");
	gnuplot_put_text(q->machine->name, &script);
	strbuf_puts(&script, "\nset logscale xy\nset xlabel 'bytes'\nset ylabel 'time [us]'\n"
			     "set key left top\nset grid\n"
			     "plot $m using 1:4 with lines lc 1 title 'Total\\_Comm', \\\n"
			     "  $m using 1:2 with lines lc 2 title 'Send', \\\n"
			     "  $m using 1:3 with lines lc 3 title 'Receive'");
	if (s->measured)
		strbuf_puts(&script,
			    ", \\\n  $m using 1:5 with points pt 7 lc 1 title 'round trip / 2'");
	strbuf_putc(&script, '\n');
	rc = script.failed ? err_set(e, ERR_NOMEM, "the picture of message costs")
			   : gnuplot_draw(path, strbuf_text(&script), e);
	strbuf_release(&script);
	return rc;
}

enum err_code model_message_run(struct context *c, struct err *e)
{
	const char *plot = options_get(&c->opt, &opt_model_plot);
	struct model_question q = {0};
	struct message_study s = {0};
	enum err_code rc;

	if (!(plot && (rc = gnuplot_check(plot, e))) &&
	    !(rc = model_question_read_untimed(c, &q, e)) &&
	    !(rc = message_study_read(&c->session, &q, c->n_operands > 0 ? c->operand[0] : NULL, &s,
				      e)) &&
	    !(rc = take_asked(c, &s, e)) && !(rc = print_study(c, &q, &s, e)) && plot)
		rc = draw(plot, &q, &s, e);
	message_study_release(&s);
	model_question_release(&q);
	return rc;
}

/* ---- collective ---- */

/* `lemnos model collective FILE`: t0(n) and r(n) of a collective operation from its times. */

static const struct out_column line_columns[] = {
	{"nodes", NULL, OUT_INT},
	{"measurements", NULL, OUT_INT},
	{"t0_s", "t0(n)", OUT_SECONDS},
	{"s_per_byte", "1 / r(n)", OUT_SECONDS},
	{"bytes_per_s", "r(n) [bytes/s]", OUT_REAL},
	{"misfit", "largest misfit", OUT_PERCENT},
};

static struct out_table *make_table(const struct collective_fit *f)
{
	struct out_table *t =
		out_table_new(line_columns, sizeof line_columns / sizeof line_columns[0]);

	for (size_t i = 0; t && i < f->n_lines; i++) {
		const struct collective_line *line = &f->line[i];

		out_int(t, (int64_t)line->nodes);
		out_int(t, (int64_t)line->n);
		out_real(t, line->t0_s);
		out_real(t, line->s_per_byte);
		out_real(t, collective_line_rate(line));
		out_real(t, line->misfit);
	}
	return t;
}

/* Ready for `run liu-collective --set`. */
static void print_law(const struct context *c, const struct collective_fit *f)
{
	const struct collective_cost *law = &f->law;

	if (isnan(law->t0_s)) {
		fputs("\nno law over the nodes: it takes two sizes on two numbers of nodes\n",
		      c->out);
		return;
	}
	fprintf(c->out,
		"\nt0(n) = t0_s + t0_stage_s log2 n, 1 / r(n) = s_per_byte + stage_s_per_byte log2 n:\n"
		"--set t0_s=%.4g,t0_stage_s=%.4g,s_per_byte=%.4g,stage_s_per_byte=%.4g\n"
		"largest misfit %.1f %%\n",
		law->t0_s, law->t0_stage_s, law->s_per_byte, law->stage_s_per_byte,
		100 * f->law_misfit);
}

static enum err_code print_json(const struct context *c, const struct collective_fit *f,
				struct err *e)
{
	struct json_t *answer = collective_fit_json(f);

	return out_answer(!answer, answer, "the fit of a collective operation", c->out, e);
}

static enum err_code print_fit(const struct context *c, const struct collective_fit *f,
			       struct err *e)
{
	struct out_table *t;
	enum err_code rc;

	if (c->format == FORMAT_JSON)
		return print_json(c, f, e);
	t = make_table(f);
	if (!t)
		return err_set(e, ERR_NOMEM, "the fit of a collective operation");
	rc = out_table_print(t, c->format, "collective", c->out, e);
	if (c->format == FORMAT_TABLE && !rc)
		print_law(c, f);
	out_table_free(t);
	return rc;
}

enum err_code model_collective_run(struct context *c, struct err *e)
{
	struct collective_fit fit = {0};
	enum err_code rc = collective_fit_read(c->operand[0], &fit, e);

	if (!rc)
		rc = print_fit(c, &fit, e);
	collective_fit_release(&fit);
	return rc;
}

/* ---- transfer ---- */

OPTION(opt_ideal_share, "ideal-share", "F",
       .help = "transfer: ideal is at least this share of the best bandwidth\n(default 0.5)");

static const struct out_column range_columns[] = {
	{"state", NULL, OUT_TEXT},
	{"from_bytes", "from bytes", OUT_REAL},
	{"to_bytes", "to bytes", OUT_REAL},
	{"best_bytes", "best at", OUT_REAL},
	{"best_bytes_per_s", "bytes per s", OUT_REAL},
};

static enum err_code print_states(const struct context *c, const struct transfer_states *s,
				  struct err *e)
{
	struct out_table *t =
		out_table_new(range_columns, sizeof range_columns / sizeof range_columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the states of a network");
	for (size_t i = 0; i < s->n; i++) {
		const struct transfer_range *r = &s->range[i];

		out_text(t, transfer_state_name(r->state));
		out_real(t, r->from_bytes);
		out_real(t, r->to_bytes);
		out_real(t, r->best_bytes);
		out_real(t, r->best_bytes_per_s);
	}
	rc = out_table_print(t, c->format, "states", c->out, e);
	out_table_free(t);
	return rc;
}

enum err_code model_transfer_run(struct context *c, struct err *e)
{
	struct transfer_states states = {0};
	double share = TRANSFER_IDEAL_SHARE;
	enum err_code rc;

	if ((rc = options_number(&c->opt, &opt_ideal_share, 0.01, 0.99, &share, e)) ||
	    (rc = transfer_states_read(c->operand[0], share, c->session.progress, &states, e)))
		return rc;
	rc = print_states(c, &states, e);
	transfer_states_release(&states);
	return rc;
}
