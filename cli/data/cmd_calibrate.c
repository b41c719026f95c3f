#include <math.h>

#include <jansson.h>

#include "api/calibration.h"
#include "base/units.h"
#include "base/whole_file.h"
#include "cli/data/measurement_plot.h"
#include "cli/data/measurement_text.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/frame/gnuplot.h"

static const struct option_spec opt_pingpong = {
	.name = "pingpong",
	.arg = "FILE",
	.values = "FILE",
	.help = "CSV with message_bytes and roundtrip_us (or _ns, _ms, _s), both\n"
		"directions, or output of osu_latency; without it, refit what the base holds",
};

static const struct option_spec opt_run = {
	.name = "run",
	.help = "measure this machine: messages between processes, and the computation\n"
		"of blocks, by the programs that come with lemnos",
};
static const struct option_spec opt_launch = {
	.name = "launch",
	.arg = "COMMAND",
	.help = "run: what starts MPI programs here, split into words as a shell\n"
		"does, nothing being expanded (default: 'mpirun -np 2')",
};
static const struct option_spec opt_out = {
	.name = "out",
	.arg = "FILE",
	.values = "FILE",
	.help = "run: write the machine's definition there, for `lemnos machines add`",
};
static const struct option_spec opt_keep = {
	.name = "keep",
	.arg = "FOLDER",
	.help = "run: leave what the programs print there: pingpong.csv, sweep_task.csv",
};
static const struct option_spec opt_plot = {
	.name = "plot",
	.arg = "FILE",
	.values = "FILE",
	.help = "run: draw points and fits with gnuplot: FILE.svg, .png, .pdf, or .gp for\n"
		"its script",
};

/* ---- output ---- */

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

static enum err_code print_json(const struct context *c, const struct machine_calibration *k,
				struct err *e)
{
	json_t *answer = machine_calibration_json(k);
	enum err_code rc = answer ? out_json(answer, c->out, e)
				  : err_set(e, ERR_NOMEM, "the calibration as JSON");

	json_decref(answer);
	return rc;
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

static enum err_code print_text(const struct context *c, const struct machine_calibration *k,
				struct err *e)
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
			"the cost jumps at %g bytes: there sends usually begin to wait for "
			"the receiver\n",
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
		rc = c->format == FORMAT_JSON  ? print_json(c, &k, e)
		     : c->format == FORMAT_CSV ? print_csv(c, &k, e)
					       : print_text(c, &k, e);
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
							     &opt_plot};

	if (options_has(&c->opt, &opt_run))
		return calibrate_here(c, e);
	for (size_t i = 0; i < sizeof only_run / sizeof only_run[0]; i++) {
		if (options_has(&c->opt, only_run[i]))
			return err_set(e, ERR_USAGE, "--%s wants --run", only_run[i]->name);
	}
	return calibrate_file(c, e);
}

static const struct option_spec *const calibrate_options[] = {
	&opt_machine, &opt_pingpong, &opt_run,	  &opt_launch, &opt_out,
	&opt_keep,    &opt_plot,     &opt_format, NULL};

static const struct action calibrate_actions[] = {
	{NULL, "--machine NAME [--pingpong FILE | --run [--launch COMMAND]]", NULL, 0, 0,
	 NEEDS_KB_WRITE, calibrate_run},
};

const struct cmd cmd_calibrate = {
	.name = "calibrate",
	.summary = "ping-pong data, from a file or measured here, to message costs of a machine",
	.description =
		"Keeps the ping-pong data as facts and fits the one-way message cost: "
		"ranges of sizes "
		"with a\n"
		"constant and a cost per byte each; the ranges are found, not assumed. L, o "
		"and G of "
		"LogGP\n"
		"follow where the data determine them. What the machine's definition gives "
		"outranks "
		"what is\n"
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
