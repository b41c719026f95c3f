#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "cli/frame/cmd.h"
#include "cli/frame/gnuplot.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_options.h"
#include "ingest/ingest.h"

/* `lemnos model message`: equations 1 to 4 over the size of a message, beside measured ping-pongs:
 * figure 3 of Sundaram-Stukel and Vernon. */

const struct option_spec opt_message_bytes = {
	.name = "bytes",
	.arg = "N,...",
	.help = "message: of these sizes (default: those that were measured, else\n"
		"powers of 2 up to 1 MiB and where the cost changes)",
};

/* One size; measured_s NaN where it was not measured. */
struct message_point {
	double bytes, measured_s;
	size_t n; /* measurements, of which the median is taken */
};

struct message_study {
	struct message_point *point; /* by ascending size, each once */
	size_t n;
	bool measured;
};

/* ---- sizes ---- */

static int by_size(const void *a, const void *b)
{
	const struct message_point *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? 1 : -1;
	return (x->measured_s > y->measured_s) - (x->measured_s < y->measured_s);
}

/* Points sorted by size and time: one of each size is left, with the median time. */
static size_t join_repeats(struct message_point *p, size_t n)
{
	size_t n_left = 0;

	for (size_t i = 0, end; i < n; i = end) {
		double lower, upper;

		for (end = i; end < n && p[end].bytes == p[i].bytes;)
			end++;
		lower = p[i + (end - i - 1) / 2].measured_s;
		upper = p[i + (end - i) / 2].measured_s;
		p[n_left++] = (struct message_point){p[i].bytes, (lower + upper) / 2, end - i};
	}
	return n_left;
}

static enum err_code take_measured(const struct kb_pingpong *rows, struct message_study *s,
				   struct err *e)
{
	s->point = calloc(rows->n, sizeof *s->point);
	if (!s->point)
		return err_set(e, ERR_NOMEM, "%zu sizes of messages", rows->n);
	for (size_t i = 0; i < rows->n; i++)
		s->point[i] =
			(struct message_point){rows->message_bytes[i], rows->roundtrip_s[i] / 2, 1};
	qsort(s->point, rows->n, sizeof *s->point, by_size);
	s->n = join_repeats(s->point, rows->n);
	s->measured = true;
	return ERR_OK;
}

/* Powers of 2, and of each range of the cost its first byte and the last one before it. */
static enum err_code take_usual(const struct message_cost *c, struct message_study *s,
				struct err *e)
{
	enum { POWERS = 21 };
	size_t n = 0;

	s->point = calloc(POWERS + 2 * c->n_range, sizeof *s->point);
	if (!s->point)
		return err_set(e, ERR_NOMEM, "sizes of messages");
	for (int k = 0; k < POWERS; k++)
		s->point[n++].bytes = (double)(1 << k);
	for (size_t i = 1; i < c->n_range; i++) {
		double first = ceil(c->range[i].from_bytes);

		s->point[n++].bytes = first;
		s->point[n++].bytes = first - 1;
	}
	for (size_t i = 0; i < n; i++)
		s->point[i].measured_s = NAN;
	qsort(s->point, n, sizeof *s->point, by_size);
	s->n = join_repeats(s->point, n);
	return ERR_OK;
}

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
		struct message_point *p = &asked.point[asked.n];
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

/* From the file, else what the base knows of the machine. */
static enum err_code read_study(struct context *c, const struct model_question *q,
				struct message_study *s, struct err *e)
{
	struct kb_pingpong rows = {0};
	char sha256[65];
	enum err_code rc = ERR_OK;

	if (c->n_operands > 0)
		rc = pingpong_read(c->operand[0], &rows, sha256, e);
	else if (c->session.kb && q->machine_id)
		rc = kb_load_pingpong(c->session.kb, q->machine_id, &rows, e);
	if (!rc)
		rc = rows.n > 0 ? take_measured(&rows, s, e) : take_usual(&q->remote, s, e);
	kb_pingpong_release(&rows);
	return rc ? rc : take_asked(c, s, e);
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
		const struct message_point *p = &s->point[i];
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
		const struct message_point *p = &s->point[i];
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
	    !(rc = model_question_read_untimed(c, &q, e)) && !(rc = read_study(c, &q, &s, e)) &&
	    !(rc = print_study(c, &q, &s, e)) && plot)
		rc = draw(plot, &q, &s, e);
	free(s.point);
	model_question_release(&q);
	return rc;
}
