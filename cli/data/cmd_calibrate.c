#include <math.h>

#include "api/calibration.h"
#include "api/machine_measurement.h"
#include "base/units.h"
#include "base/whole_file.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/frame/gnuplot.h"

/* ---- what was measured, drawn ---- */

static const char *const colour[] = {"#2166ac", "#b2182b"};
static const char *const place_name[] = {"inside a node", "between nodes"};

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
			      separator, block[i], colour[i], place_name[i], block[i], colour[i]);
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
		"plot $wg using 1:2 with points pt 7 lc rgb '#1b7837', x with lines lc rgb '#404040'\n");
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

/* What messages cost over their size, measured as points and fitted as lines, inside a node and
 * between nodes; and, where it was measured, Wg of the blocks as measured over what its formula
 * says. */
static enum err_code measurement_plot_draw(const struct machine_measurement *m, const char *path,
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

/* ---- what was measured, as text: messages ---- */

static const struct out_column columns[] = {
	{"pairs", NULL, OUT_TEXT},
	{"from_bytes", "from bytes", OUT_REAL},
	{"to_bytes", "to bytes", OUT_REAL},
	{"intercept_s", "constant", OUT_SECONDS},
	{"se_intercept_s", "+-", OUT_SECONDS},
	{"s_per_byte", "s per byte", OUT_REAL},
	{"se_s_per_byte", "+-", OUT_REAL},
};

static void put_segments(struct out_table *t, const char *pairs, const struct message_place *p)
{
	if (p->file.rows.n == 0)
		return;
	for (size_t i = 0; i < p->fit.n_segment; i++) {
		const struct cost_segment *s = &p->fit.segment[i];

		out_text(t, pairs);
		out_real(t, s->from_bytes);
		out_real(t, i + 1 < p->fit.n_segment ? s[1].from_bytes : (double)NAN);
		out_real(t, s->intercept_s);
		out_real(t, s->se_intercept_s);
		out_real(t, s->s_per_byte);
		out_real(t, s->se_s_per_byte);
	}
}

static enum err_code print_segments(const struct context *c, const struct machine_measurement *m,
				    struct err *e)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the costs of messages");
	put_segments(t, "inside a node", &m->messages.inside);
	put_segments(t, "between nodes", &m->messages.between);
	rc = out_table_print(t, c->format, "segments", c->out, e);
	out_table_free(t);
	return rc;
}

static void print_estimate(const struct context *c, const char *name,
			   const struct overhead_estimate *o)
{
	char value[32], error[32];

	if (o->known)
		fprintf(c->out, "%s %s +- %s", name,
			duration_format(o->value_s, value, sizeof value),
			duration_format(o->std_error_s, error, sizeof error));
	else
		fprintf(c->out, "%s not identifiable", name);
}

static void print_place(const struct context *c, const char *pairs, const struct message_place *p)
{
	const struct overhead_fit *k = &p->calls;

	if (p->file.rows.n == 0) {
		fprintf(c->out, "%s: unknown, as no such pair of processes was measured\n", pairs);
		return;
	}
	fprintf(c->out, "%s: ", pairs);
	print_estimate(c, "L", &k->L);
	print_estimate(c, ", o", &k->o);
	print_estimate(c, " (sending", &k->send);
	print_estimate(c, ", receiving", &k->receive);
	fputs(")\n", c->out);
	if (*k->why_not)
		fprintf(c->out, "  %s\n", k->why_not);
	if (k->blocking_bytes > 0)
		fprintf(c->out, "  sends of %g bytes and more wait for the receiver\n",
			k->blocking_bytes);
	else
		fputs("  no send waits for the receiver\n", c->out);
	fprintf(c->out, "  %zu round trips of %zu sizes, %.2g %% about the lines", p->file.rows.n,
		p->fit.n_size, 100 * p->fit.relative_error);
	if (p->fit.n_disturbed > 0)
		fprintf(c->out, "; %zu disturbed sizes left out", p->fit.n_disturbed);
	fputc('\n', c->out);
}

/* ---- Wg and the node ---- */

static void print_wg(const struct context *c, const struct machine_measurement *m)
{
	const struct block_fit *w = &m->wg;
	const struct block_time *worst;
	const char *separator = "";
	char value[32], error[32];

	if (!m->has_wg) {
		fputs("Wg: unknown, as computation is not simulated\n", c->out);
		return;
	}
	fputs("Wg(it, jt, mk, mmi) = ", c->out);
	for (int t = 0; t < BLOCK_TERMS; t++) {
		if (!w->known[t])
			continue;
		fprintf(c->out, "%s(%s +- %s)%s", separator,
			duration_format(w->value_s[t], value, sizeof value),
			duration_format(w->std_error_s[t], error, sizeof error),
			block_term_divisor((enum block_term)t));
		separator = " + ";
	}
	worst = &m->block[w->i_worst];
	fprintf(c->out,
		"\n  %zu blocks, %.2g %% about it; at most %.2g %%, for it %g, jt %g, mk %g, mmi %g\n",
		w->n, 100 * w->relative_error, 100 * w->worst, worst->it, worst->jt, worst->mk,
		worst->mmi);
	separator = "  not identifiable: ";
	for (int t = 0; t < BLOCK_TERMS; t++) {
		if (w->known[t])
			continue;
		fprintf(c->out, "%sa cost of each %s", separator,
			block_term_name((enum block_term)t));
		separator = ", ";
	}
	if (*separator == ',')
		fputc('\n', c->out);
}

static void print_node(const struct context *c, const struct pingpong_measured *m)
{
	const double memory = m->memory_bytes / size_unit_bytes("GiB");

	if (m->cores > 0 && memory > 0)
		fprintf(c->out, "a node has %lld cores and %.3g GiB of memory\n",
			(long long)m->cores, memory);
	else if (m->cores > 0)
		fprintf(c->out, "a node has %lld cores; its memory is not known\n",
			(long long)m->cores);
	else if (memory > 0)
		fprintf(c->out, "a node has %.3g GiB of memory; its cores are not known\n", memory);
	else
		fputs("cores and memory of a node are not known\n", c->out);
}

/* ---- all of it ---- */

static enum err_code print_measurement_text(const struct context *c,
					    const struct machine_measurement *m, struct err *e)
{
	enum err_code rc;

	context_print(c, "one-way message cost of %s, %s by %s\n\n", m->calibration.machine->name,
		      m->messages.simulated ? "simulated" : "measured", strbuf_text(&m->launch));
	if ((rc = print_segments(c, m, e)))
		return rc;
	fputc('\n', c->out);
	print_place(c, "inside a node", &m->messages.inside);
	print_place(c, "between nodes", &m->messages.between);
	print_wg(c, m);
	print_node(c, &m->messages);
	return ERR_OK;
}

static enum err_code measurement_print(const struct context *c, const struct machine_measurement *m,
				       struct err *e)
{
	struct json_t *answer;

	if (c->format == FORMAT_TABLE)
		return print_measurement_text(c, m, e);
	if (c->format == FORMAT_CSV)
		return print_segments(c, m, e);
	answer = machine_measurement_json(m);
	return out_answer(!answer, answer, "the measurement as JSON", c->out, e);
}

static OPTION(
	opt_pingpong, "pingpong", "FILE", .values = "FILE",
	.help = "CSV with message_bytes and roundtrip_us (or _ns, _ms, _s), both\n"
		"directions, or output of osu_latency; without it, refit what the base holds");

static OPTION(opt_run, "run", NULL,
	      .help = "measure this machine: messages between processes, and the computation\n"
		      "of blocks, by the programs that come with lemnos");
static OPTION(opt_launch, "launch", "COMMAND",
	      .help = "run: what starts MPI programs here, split into words as a shell\n"
		      "does, nothing being expanded (default: 'mpirun -np 2')");
static OPTION(opt_out, "out", "FILE", .values = "FILE",
	      .help = "run: write the machine's definition there, for `lemnos machines add`");
static OPTION(opt_keep, "keep", "FOLDER",
	      .help = "run: leave what the programs print there: pingpong.csv, sweep_task.csv");
static OPTION(opt_busy, "busy", NULL,
	      .help = "run: also where others compute; messages are then as slow as waiting for\n"
		      "processors makes them");
static OPTION(opt_plot, "plot", "FILE", .values = "FILE",
	      .help = "run: draw points and fits with gnuplot: FILE.svg, .png, .pdf, or .gp for\n"
		      "its script");

/* ---- what the base holds ---- */

static const struct out_column segment_columns[] = {
	{"from_bytes", "from bytes", OUT_REAL},	  {"to_bytes", "to bytes", OUT_REAL},
	{"intercept_s", "constant", OUT_SECONDS}, {"se_intercept_s", "+-", OUT_SECONDS},
	{"s_per_byte", "s per byte", OUT_REAL},	  {"se_s_per_byte", "+-", OUT_REAL},
};

static struct out_table *segment_table(const struct machine_calibration *k)
{
	struct out_table *t =
		out_table_new(segment_columns, sizeof segment_columns / sizeof segment_columns[0]);

	for (size_t i = 0; t && i < k->n_segment; i++) {
		const struct cost_segment *s = &k->segment[i];

		out_real(t, s->from_bytes);
		out_real(t, i + 1 < k->n_segment ? s[1].from_bytes : (double)NAN);
		out_real(t, s->intercept_s);
		out_real(t, s->se_intercept_s);
		out_real(t, s->s_per_byte);
		out_real(t, s->se_s_per_byte);
	}
	return t;
}

static enum err_code print_calibration_json(const struct context *c,
					    const struct machine_calibration *k, struct err *e)
{
	struct json_t *answer = machine_calibration_json(k);

	return out_answer(!answer, answer, "the calibration as JSON", c->out, e);
}

static void print_loggp(const struct context *c, const struct machine_calibration *k)
{
	char value[32], error[32];

	for (size_t i = 0; i < CALIBRATION_LOGGP; i++) {
		const struct calibration_loggp *p = &k->loggp[i];

		if (!p->known)
			continue;
		if (p->name[0] == 'G')
			fprintf(c->out, "%s %.3g s per byte +- %.2g\n", p->name, p->value,
				p->std_error);
		else
			fprintf(c->out, "%s %s +- %s\n", p->name,
				duration_format(p->value, value, sizeof value),
				duration_format(p->std_error, error, sizeof error));
	}
	if (!k->has_overheads)
		fprintf(c->out, "L and o: %s\n", k->why_not);
}

static enum err_code print_calibration_text(const struct context *c,
					    const struct machine_calibration *k, struct err *e)
{
	struct out_table *t = segment_table(k);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the calibration");
	context_print(c,
		      "one-way message cost of %s, fitted to %zu round trips of %zu sizes (%.2g %% "
		      "about the lines",
		      k->machine->name, k->n_rows, k->n_size, 100 * k->relative_error);
	if (k->n_disturbed > 0)
		fprintf(c->out, "; %zu disturbed sizes left out", k->n_disturbed);
	fputs(")\n\n", c->out);
	rc = out_table_print(t, FORMAT_TABLE, "segments", c->out, e);
	out_table_free(t);
	if (rc)
		return rc;
	fputc('\n', c->out);
	if (k->threshold_bytes > 0)
		fprintf(c->out,
			"the cost jumps at %g bytes: there sends usually begin to wait for the receiver\n",
			k->threshold_bytes);
	print_loggp(c, k);
	return ERR_OK;
}

static void print_notes(const struct context *c, const struct machine_calibration *k)
{
	const struct machine *m = k->machine;

	if (k->new_machine)
		context_note(c, "new machine: %s; nothing is known of it but its messages",
			     m->name);
	if (k->import.known)
		context_note(c, "that file was imported before (import %lld); nothing was added",
			     (long long)k->import.import_id);
	if (m->has_loggp || m->n_segment > 0)
		context_note(c,
			     "the definition of %s gives message costs itself, and those outrank "
			     "fitted ones",
			     m->name);
	if (k->import.n_rows > 0 && !k->import.known)
		context_note(c, "next: lemnos mine");
}

static enum err_code print_csv(const struct context *c, const struct machine_calibration *k,
			       struct err *e)
{
	struct out_table *t = segment_table(k);
	enum err_code rc = t ? out_table_print(t, FORMAT_CSV, "segments", c->out, e)
			     : err_set(e, ERR_NOMEM, "the calibration");

	out_table_free(t);
	return rc;
}

static enum err_code calibrate_file(struct context *c, struct err *e)
{
	struct machine_calibration k = {0};
	struct err why = {0};
	enum err_code rc = calibrate_machine(&c->session, options_get(&c->opt, &opt_machine),
					     options_get(&c->opt, &opt_pingpong), &k, &why);

	if (rc)
		rc = err_set(e, rc, "%s%s", why.msg,
			     k.nothing_measured ? "; give a file with --pingpong FILE, or --run"
						: "");
	else
		rc = c->format == FORMAT_JSON  ? print_calibration_json(c, &k, e)
		     : c->format == FORMAT_CSV ? print_csv(c, &k, e)
					       : print_calibration_text(c, &k, e);
	if (!rc)
		print_notes(c, &k);
	machine_calibration_release(&k);
	return rc;
}

/* ---- measuring ---- */

static void print_measurement_notes(const struct context *c, const struct machine_measurement *m)
{
	const struct machine_calibration *k = &m->calibration;

	if (m->messages.between.file.rows.n == 0 && k->inside_node)
		context_note(
			c,
			"all pairs of processes were on one node; until pairs on two nodes are "
			"measured, the base takes their cost for all messages of %s",
			k->machine->name);
	if (k->new_machine)
		context_note(c, "new machine: %s", k->machine->name);
	else
		context_note(c,
			     "the definition of %s stays as it is; --out FILE and `lemnos machines "
			     "add FILE` replace it",
			     k->machine->name);
	context_note(c, "next: lemnos mine");
}

/* out: the open file of --out, or NULL; it is closed here. */
static enum err_code print_measurement(const struct context *c, const struct machine_measurement *m,
				       struct whole_file *out, struct err *e)
{
	const char *plot = options_get(&c->opt, &opt_plot);
	enum err_code rc = measurement_print(c, m, e);

	if (!rc)
		print_measurement_notes(c, m);
	if (rc || !out) {
		whole_file_abandon(out);
	} else {
		fputs(strbuf_text(&m->definition), whole_file_stream(out));
		rc = whole_file_commit(out, e);
	}
	return rc || !plot ? rc : measurement_plot_draw(m, plot, e);
}

/* Names of files are looked at before minutes of measuring. */
static enum err_code calibrate_here(struct context *c, struct err *e)
{
	const struct measurement_question q = {
		.machine = options_get(&c->opt, &opt_machine),
		.launch = options_get(&c->opt, &opt_launch),
		.keep = options_get(&c->opt, &opt_keep),
		.busy = options_has(&c->opt, &opt_busy),
	};
	const char *out = options_get(&c->opt, &opt_out), *plot = options_get(&c->opt, &opt_plot);
	struct machine_measurement m = {0};
	struct whole_file *file = NULL;
	enum err_code rc;

	if (!q.machine)
		return err_set(e, ERR_USAGE,
			       "--run measures this machine: name it with --machine NAME");
	if (options_has(&c->opt, &opt_pingpong))
		return err_set(e, ERR_USAGE,
			       "--pingpong and --run are two ways to measure; take one");
	if ((plot && (rc = gnuplot_check(plot, e))) ||
	    (out && (rc = whole_file_open(out, WHOLE_FILE_REPLACES, &file, e))))
		return rc;
	rc = machine_measure(&c->session, &q, &m, e);
	if (rc)
		whole_file_abandon(file);
	else
		rc = print_measurement(c, &m, file, e);
	machine_measurement_release(&m);
	return rc;
}

static enum err_code calibrate_run(struct context *c, struct err *e)
{
	static const struct option_spec *const only_run[] = {&opt_launch, &opt_out, &opt_keep,
							     &opt_busy, &opt_plot};

	if (options_has(&c->opt, &opt_run))
		return calibrate_here(c, e);
	for (size_t i = 0; i < sizeof only_run / sizeof only_run[0]; i++) {
		if (options_has(&c->opt, only_run[i]))
			return err_set(e, ERR_USAGE, "--%s wants --run", only_run[i]->name);
	}
	return calibrate_file(c, e);
}

static const struct option_spec *const calibrate_options[] = {
	&opt_machine, &opt_pingpong, &opt_run,	&opt_launch, &opt_out,
	&opt_keep,    &opt_busy,     &opt_plot, &opt_format, NULL};

static const struct action calibrate_actions[] = {
	{NULL, "--machine NAME [--pingpong FILE | --run [--launch COMMAND]]", NULL, 0, 0,
	 NEEDS_KB_WRITE, calibrate_run},
};

const struct cmd cmd_calibrate = {
	.name = "calibrate",
	.summary = "ping-pong data, from a file or measured here, to message costs of a machine",
	.description =
		"Keeps the ping-pong data as facts and fits the one-way message cost: ranges of sizes with a\n"
		"constant and a cost per byte each; the ranges are found, not assumed. L, o and G of LogGP\n"
		"follow where the data determine them. What the machine's definition gives outranks what is\n"
		"fitted. Without a file, the data in the base are fitted again.\n"
		"\n"
		"With --run the data are measured here, inside a node and between nodes, with the\n"
		"processors' share of a message, and with the computation of a wavefront's block,\n"
		"Wg(it, jt, mk, mmi).",
	.examples =
		"  lemnos calibrate --machine mycluster --pingpong pingpong.csv\n"
		"  lemnos calibrate --machine mycluster --run --launch 'srun -N 2 -n 4' --out mycluster.conf\n"
		"  lemnos calibrate --machine sp2like --format json",
	.options = calibrate_options,
	.action = calibrate_actions,
	.n_actions = 1,
};
