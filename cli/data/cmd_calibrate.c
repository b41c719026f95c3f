#include <math.h>

#include <jansson.h>

#include "api/calibration.h"
#include "base/units.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"

static const struct option_spec opt_pingpong = {
	.name = "pingpong",
	.arg = "FILE",
	.values = "FILE",
	.help = "CSV with message_bytes and roundtrip_us (or _ns, _ms, _s), both\n"
		"directions, or output of osu_latency; without it, refit what the base holds",
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

static enum err_code calibrate_run(struct context *c, struct err *e)
{
	struct machine_calibration k = {0};
	struct err why = {0};
	enum err_code rc = calibrate_machine(&c->session, options_get(&c->opt, &opt_machine),
					     options_get(&c->opt, &opt_pingpong), &k, &why);

	if (rc)
		rc = err_set(e, rc, "%s%s", why.msg,
			     k.nothing_measured ? "; give a file with --pingpong FILE" : "");
	else
		rc = c->format == FORMAT_JSON  ? print_json(c, &k, e)
		     : c->format == FORMAT_CSV ? print_csv(c, &k, e)
					       : print_text(c, &k, e);
	if (!rc)
		print_notes(c, &k);
	machine_calibration_release(&k);
	return rc;
}

static const struct option_spec *const calibrate_options[] = {&opt_machine, &opt_pingpong,
							      &opt_format, NULL};

static const struct action calibrate_actions[] = {
	{NULL, "--machine NAME [--pingpong FILE]", NULL, 0, 0, NEEDS_KB_WRITE, calibrate_run},
};

const struct cmd cmd_calibrate = {
	.name = "calibrate",
	.summary = "ping-pong data to message costs of a machine",
	.description = "Keeps the ping-pong data as facts and fits the one-way message cost: "
		       "ranges of sizes "
		       "with a\n"
		       "constant and a cost per byte each; the ranges are found, not assumed. L, o "
		       "and G of "
		       "LogGP\n"
		       "follow where the data determine them. What the machine's definition gives "
		       "outranks "
		       "what is\n"
		       "fitted. Without a file, the data in the base are fitted again.",
	.examples = "  lemnos calibrate --machine mycluster --pingpong pingpong.csv\n"
		    "  lemnos calibrate --machine sp2like --format json",
	.options = calibrate_options,
	.action = calibrate_actions,
	.n_actions = 1,
};
