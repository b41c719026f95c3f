#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/units.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "api/pingpong_import.h"
#include "mining/messages/message_fit.h"

static const struct option_spec opt_pingpong = {
	.name = "pingpong",
	.arg = "FILE",
	.values = "FILE",
	.help = "CSV with message_bytes and roundtrip_us (or _ns, _ms, _s), both\n"
		"directions; without it, refit what the base holds",
};

/* A machine, its ping-pong facts and what they say. */
struct calibration {
	struct machine *machine;
	int64_t machine_id;
	bool new_machine;
	struct pingpong_import import; /* n_rows 0: no file was given */
	size_t n_rows;		       /* all that the base holds now */
	struct message_fit fit;
};

/* ---- from a file to costs; inside one transaction ---- */

/* As ingest does: a machine that is not known yet is made, and that is said. */
static enum err_code make_machine(struct context *c, const char *name, struct calibration *k,
				  struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	if (!(rc = machine_unknown_text(name, &text, e)) &&
	    !(rc = machine_parse(strbuf_text(&text), name, &k->machine, e)))
		rc = kb_put_machine(c->session.kb, k->machine, &k->machine_id, e);
	k->new_machine = true;
	strbuf_release(&text);
	return rc;
}

static enum err_code find_machine(struct context *c, struct calibration *k, struct err *e)
{
	const char *name = options_get(&c->opt, &opt_machine);
	struct err why = {0};
	enum err_code rc = context_machine(c, 0, &k->machine, &k->machine_id, &why);

	if (rc == ERR_NOTFOUND && name && options_has(&c->opt, &opt_pingpong))
		return make_machine(c, name, k, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static enum err_code fit_costs(struct context *c, struct calibration *k, struct err *e)
{
	struct kb_pingpong rows = {0};
	enum err_code rc = kb_load_pingpong(c->session.kb, k->machine_id, &rows, e);

	if (!rc && rows.n == 0)
		rc = err_set(e, ERR_NODATA,
			     "there are no ping-pong data of %s; give a file with --pingpong FILE",
			     k->machine->name);
	if (!rc)
		rc = message_fit(rows.message_bytes, rows.roundtrip_s, rows.n, &k->fit, e);
	k->n_rows = rows.n;
	kb_pingpong_release(&rows);
	return rc;
}

static enum err_code calibrate(struct context *c, struct calibration *k, struct err *e)
{
	const char *path = options_get(&c->opt, &opt_pingpong);
	enum err_code rc;

	if ((rc = find_machine(c, k, e)) ||
	    (path && (rc = pingpong_import_file(c->session.kb, path, k->machine_id,
						k->machine->name, &k->import, e))) ||
	    (rc = fit_costs(c, k, e)))
		return rc;
	return kb_put_message_cost(c->session.kb, k->machine_id, k->fit.segment, k->fit.n_segment,
				   e);
}

/* All or nothing: a file that cannot be fitted leaves no machine and no facts behind. */
static enum err_code calibrate_at_once(struct context *c, struct calibration *k, struct err *e)
{
	enum err_code rc = kb_begin(c->session.kb, e);

	if (!rc && ((rc = calibrate(c, k, e)) || (rc = kb_commit(c->session.kb, e))))
		kb_rollback(c->session.kb);
	return rc;
}

/* ---- output ---- */

static const struct out_column segment_columns[] = {
	{"from_bytes", "from bytes", OUT_REAL},	  {"to_bytes", "to bytes", OUT_REAL},
	{"intercept_s", "constant", OUT_SECONDS}, {"se_intercept_s", "+-", OUT_SECONDS},
	{"s_per_byte", "s per byte", OUT_REAL},	  {"se_s_per_byte", "+-", OUT_REAL},
};

static struct out_table *segment_table(const struct message_fit *fit)
{
	struct out_table *t =
		out_table_new(segment_columns, sizeof segment_columns / sizeof segment_columns[0]);

	for (size_t i = 0; t && i < fit->n_segment; i++) {
		const struct cost_segment *s = &fit->segment[i];

		out_real(t, s->from_bytes);
		out_real(t, i + 1 < fit->n_segment ? s[1].from_bytes : (double)NAN);
		out_real(t, s->intercept_s);
		out_real(t, s->se_intercept_s);
		out_real(t, s->s_per_byte);
		out_real(t, s->se_s_per_byte);
	}
	return t;
}

/* The parameters of Table 1 of Sundaram-Stukel and Vernon 1999, by name. */
static const struct loggp_name {
	const char *name; /* as message_loggp.identifiable has it */
	const char *key;
	size_t offset;
} loggp_names[] = {
	{"L", "L_s", offsetof(struct loggp, L_s)},
	{"o_small", "o_s", offsetof(struct loggp, o_small_s)},
	{"o_large", "o_large_s", offsetof(struct loggp, o_large_s)},
	{"G_small", "G_s_per_byte", offsetof(struct loggp, G_small_s_per_byte)},
	{"G_large", "G_large_s_per_byte", offsetof(struct loggp, G_large_s_per_byte)},
};
enum { N_LOGGP = sizeof loggp_names / sizeof loggp_names[0] };

static bool is_identifiable(const struct message_loggp *p, const char *name)
{
	for (size_t i = 0; i < p->n_identifiable; i++) {
		if (!strcmp(p->identifiable[i], name))
			return true;
	}
	return false;
}

static double loggp_value(const struct loggp *p, const struct loggp_name *n)
{
	return *(const double *)(const void *)((const char *)p + n->offset);
}

static int set_loggp(json_t *answer, const struct message_loggp *p)
{
	json_t *names = json_array();
	int failed = 0;

	for (size_t i = 0; i < N_LOGGP; i++) {
		const struct loggp_name *n = &loggp_names[i];
		bool known = is_identifiable(p, n->name);

		failed |= json_object_set_new(answer, n->key,
					      known ? out_json_real(loggp_value(&p->value, n))
						    : json_null());
		if (known)
			failed |= json_array_append_new(names, json_string(n->name));
	}
	return failed | json_object_set_new(answer, "identifiable", names) |
	       json_object_set_new(answer, "why_not", out_json_string(p->why_not));
}

static enum err_code print_json(const struct context *c, const struct calibration *k, struct err *e)
{
	struct out_table *t = segment_table(&k->fit);
	json_t *answer = out_json_answer();
	enum err_code rc;

	if (!t ||
	    json_object_set_new(answer, "machine", out_json_string(k->machine->name)) |
		    json_object_set_new(answer, "segments", out_table_json(t)) |
		    set_loggp(answer, &k->fit.loggp) |
		    json_object_set_new(answer, "threshold_bytes",
					k->fit.threshold_bytes > 0
						? out_json_real(k->fit.threshold_bytes)
						: json_null()) |
		    json_object_set_new(answer, "rows", json_integer((json_int_t)k->n_rows)) |
		    json_object_set_new(answer, "sizes", json_integer((json_int_t)k->fit.n_size)) |
		    json_object_set_new(answer, "disturbed",
					json_integer((json_int_t)k->fit.n_disturbed)) |
		    json_object_set_new(answer, "relative_error",
					out_json_real(k->fit.relative_error)))
		rc = err_set(e, ERR_NOMEM, "the calibration as JSON");
	else
		rc = out_json(answer, c->out, e);
	json_decref(answer);
	out_table_free(t);
	return rc;
}

static void print_loggp(const struct context *c, const struct message_loggp *p)
{
	char value[32], error[32];

	for (size_t i = 0; i < N_LOGGP; i++) {
		const struct loggp_name *n = &loggp_names[i];
		double x = loggp_value(&p->value, n), se = loggp_value(&p->std_error, n);

		if (!is_identifiable(p, n->name))
			continue;
		if (n->name[0] == 'G')
			fprintf(c->out, "%s %.3g s per byte +- %.2g\n", n->name, x, se);
		else
			fprintf(c->out, "%s %s +- %s\n", n->name,
				duration_format(x, value, sizeof value),
				duration_format(se, error, sizeof error));
	}
	if (!p->has_overheads)
		fprintf(c->out, "L and o: %s\n", p->why_not);
}

static enum err_code print_text(const struct context *c, const struct calibration *k, struct err *e)
{
	struct out_table *t = segment_table(&k->fit);
	const struct message_fit *fit = &k->fit;
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the calibration");
	context_print(c,
		      "one-way message cost of %s, fitted to %zu round trips of %zu sizes (%.2g %% "
		      "about the lines",
		      k->machine->name, k->n_rows, fit->n_size, 100 * fit->relative_error);
	if (fit->n_disturbed > 0)
		fprintf(c->out, "; %zu disturbed sizes left out", fit->n_disturbed);
	fputs(")\n\n", c->out);
	rc = out_table_print(t, FORMAT_TABLE, "segments", c->out, e);
	out_table_free(t);
	if (rc)
		return rc;
	fputc('\n', c->out);
	if (fit->threshold_bytes > 0)
		fprintf(c->out,
			"the cost jumps at %g bytes: there sends usually begin to wait for "
			"the receiver\n",
			fit->threshold_bytes);
	print_loggp(c, &fit->loggp);
	return ERR_OK;
}

static void print_notes(const struct context *c, const struct calibration *k)
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

static enum err_code print_csv(const struct context *c, const struct calibration *k, struct err *e)
{
	struct out_table *t = segment_table(&k->fit);
	enum err_code rc = t ? out_table_print(t, FORMAT_CSV, "segments", c->out, e)
			     : err_set(e, ERR_NOMEM, "the calibration");

	out_table_free(t);
	return rc;
}

static enum err_code calibrate_run(struct context *c, struct err *e)
{
	struct calibration k = {0};
	enum err_code rc = calibrate_at_once(c, &k, e);

	if (!rc)
		rc = c->format == FORMAT_JSON  ? print_json(c, &k, e)
		     : c->format == FORMAT_CSV ? print_csv(c, &k, e)
					       : print_text(c, &k, e);
	if (!rc)
		print_notes(c, &k);
	machine_free(k.machine);
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
