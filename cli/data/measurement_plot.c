#include "cli/data/measurement_plot.h"

#include "cli/frame/gnuplot.h"

static const char *const colour[] = {"#2166ac", "#b2182b"};
static const char *const name[] = {"inside a node", "between nodes"};

static void put_points(const char *block, const struct message_place *p, struct strbuf *out)
{
	strbuf_printf(out, "$%s << EOD\n", block);
	for (size_t i = 0; i < p->n_point; i++) {
		const struct pingpong_point *x = &p->point[i];

		strbuf_printf(out, "%.10g %.6g %.6g %.6g\n", x->bytes, 1e6 * x->one_way_s,
			      1e6 * x->send_s, 1e6 * x->receive_s);
	}
	strbuf_puts(out, "EOD\n");
}

/* A line for each segment, over the sizes measured in it and up to where the next one begins. */
static void put_lines(const char *block, const struct message_place *p, struct strbuf *out)
{
	strbuf_printf(out, "$%s_lines << EOD\n", block);
	for (size_t i = 0; i < p->fit.n_segment && p->n_point > 0; i++) {
		const struct cost_segment *s = &p->fit.segment[i];
		double to =
			i + 1 < p->fit.n_segment ? s[1].from_bytes : p->point[p->n_point - 1].bytes;

		for (double bytes = s->from_bytes > 1 ? s->from_bytes : 1;; bytes *= 1.25) {
			if (bytes > to)
				bytes = to;
			strbuf_printf(out, "%.10g %.6g\n", bytes,
				      1e6 * (s->intercept_s + s->s_per_byte * bytes));
			if (bytes >= to)
				break;
		}
		strbuf_putc(out, '\n'); /* a gap where the cost may jump */
	}
	strbuf_puts(out, "EOD\n");
}

static void put_messages(const struct machine_measurement *m, struct strbuf *out)
{
	const struct message_place *place[] = {&m->messages.inside, &m->messages.between};
	const char *const block[] = {"inside", "between"};
	const char *separator = "plot ";

	strbuf_puts(out, "set logscale xy\nset xtics 1,100\nset xlabel 'message [bytes]'\n"
			 "set ylabel 'one way [us]'\nset format y '%g'\nset grid\n"
			 "set key top left\n");
	for (size_t i = 0; i < 2; i++) {
		if (place[i]->file.rows.n == 0)
			continue;
		strbuf_printf(out,
			      "%s$%s using 1:2 with points pt 7 ps 0.5 lc rgb '%s' title '%s', "
			      "\\\n  $%s_lines using 1:2 with lines lc rgb '%s' notitle",
			      separator, block[i], colour[i], name[i], block[i], colour[i]);
		separator = ", \\\n  ";
	}
	strbuf_putc(out, '\n');
}

static void put_blocks(struct strbuf *out)
{
	strbuf_puts(
		out,
		"unset logscale\nset xtics autofreq\nset xrange [0:*]\nset yrange [0:*]\nset xlabel 'Wg by the formula [ns]'\n"
		"set ylabel 'measured [ns]'\nset key off\n"
		"plot $wg using 1:2 with points pt 7 lc rgb '#1b7837', x with lines lc rgb "
		"'#404040'\n");
}

static void put_block_data(const struct machine_measurement *m, struct strbuf *out)
{
	strbuf_puts(out, "$wg << EOD\n");
	for (size_t i = 0; i < m->wg.n; i++) {
		const struct block_time *b = &m->block[i];

		strbuf_printf(out, "%.6g %.6g\n",
			      1e9 * block_fit_wg(&m->wg, b->it, b->jt, b->mk, b->mmi),
			      1e9 * b->wg_s);
	}
	strbuf_puts(out, "EOD\n");
}

static void put_script(const struct machine_measurement *m, struct strbuf *out)
{
	struct strbuf title = STRBUF_INIT;

	strbuf_puts(out, "# bytes, one way, send and receive call [us]\n");
	put_points("inside", &m->messages.inside, out);
	put_lines("inside", &m->messages.inside, out);
	put_points("between", &m->messages.between, out);
	put_lines("between", &m->messages.between, out);
	if (m->has_wg)
		put_block_data(m, out);
	strbuf_printf(&title, "%s, %s by %s: points measured, lines fitted",
		      m->calibration.machine->name,
		      m->messages.simulated ? "simulated" : "measured", strbuf_text(&m->launch));
	strbuf_printf(out, "set multiplot layout 1,%d title ", m->has_wg ? 2 : 1);
	gnuplot_put_text(strbuf_text(&title), out);
	strbuf_putc(out, '\n');
	put_messages(m, out);
	if (m->has_wg)
		put_blocks(out);
	strbuf_puts(out, "unset multiplot\n");
	out->failed |= title.failed;
	strbuf_release(&title);
}

enum err_code measurement_plot_draw(const struct machine_measurement *m, const char *path,
				    struct err *e)
{
	struct strbuf script = STRBUF_INIT;
	enum err_code rc;

	put_script(m, &script);
	rc = script.failed ? err_set(e, ERR_NOMEM, "a plot")
			   : gnuplot_draw(path, strbuf_text(&script), e);
	strbuf_release(&script);
	return rc;
}
