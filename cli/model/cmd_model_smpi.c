#include <string.h>

#include "base/units.h"
#include "cli/frame/cmd.h"
#include "api/import_runs.h"
#include "api/model_json.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_options.h"

const struct model model_smpi = {
	.name = "smpi",
	.title = "the MPI program itself, executed on a simulated machine",
	.source = "SimGrid's SMPI (Debian: libsimgrid-dev), in the place of MPI-SIM of the POEMS "
		  "project; the program is kernels/wavefront, or --program",
	.applies_to = "wavefronts in Sweep3D's loop structure; with --program any MPI program",
};

/* What was simulated. */
struct simulated {
	struct model_question q;
	struct simulation simulation;
	double time_s;
};

/* ---- output ---- */

/* Line by line. */
static void print_remarks(const struct context *c, const struct strbuf *remarks)
{
	const char *line = strbuf_text(remarks);

	while (*line) {
		size_t length = strcspn(line, "\n");

		context_note(c, "%.*s", (int)length, line);
		line += length + (line[length] == '\n');
	}
}

static void print_text(const struct context *c, const struct simulated *s)
{
	char text[32];

	context_print(c, "%s by smpi: %s on a simulated %s\n",
		      duration_format(s->time_s, text, sizeof text),
		      simulation_program_name(&s->simulation), s->q.machine->name);
	if (simulation_measures(&s->simulation))
		context_print(c, "its computation measured here, times %g\n",
			      s->simulation.cpu_scale);
	else
		context_print(c, "its computation %s a cell and angle%s\n",
			      duration_format(s->q.input.run.Wg_s, text, sizeof text),
			      s->q.wg_is_mined ? ", as mined" : "");
}

static enum err_code print_csv(const struct context *c, const struct simulated *s, struct err *e)
{
	static const struct out_column columns[] = {
		{"model", NULL, OUT_TEXT}, {"machine", NULL, OUT_TEXT}, {"time_s", NULL, OUT_REAL}};
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the answer of a simulation");
	out_text(t, model_smpi.name);
	out_text(t, s->q.machine->name);
	out_real(t, s->time_s);
	rc = out_table_print(t, FORMAT_CSV, "model", c->out, e);
	out_table_free(t);
	return rc;
}

static enum err_code print_simulated(const struct context *c, const struct simulated *s,
				     struct err *e)
{
	if (c->format == FORMAT_JSON) {
		struct json_t *answer =
			simulated_time_json(model_smpi.name, &s->q, &s->simulation, s->time_s);

		return out_answer(!answer, answer, "the answer of a simulation", c->out, e);
	}
	print_remarks(c, &s->simulation.remarks);
	if (c->format == FORMAT_CSV)
		return print_csv(c, s, e);
	print_text(c, s);
	return ERR_OK;
}

/* ---- into the base ---- */

static enum err_code store(struct context *c, const struct simulated *s, struct err *e)
{
	static const char *const extra[] = {"model", "Wg_s", "cpu_scale"};
	char Wg_s[REAL_TEXT_SIZE], cpu_scale[REAL_TEXT_SIZE];
	bool measured = simulation_measures(&s->simulation);
	const char *value[] = {model_smpi.name,
			       measured ? NULL : real_text(s->q.input.run.Wg_s, Wg_s),
			       measured ? real_text(s->simulation.cpu_scale, cpu_scale) : NULL};
	struct strbuf origin = STRBUF_INIT;
	struct generated_runs runs = {.app = s->q.app,
				      .machine = s->q.machine,
				      .source = SOURCE_SIMULATED,
				      .extra = extra,
				      .n_extra = sizeof extra / sizeof *extra};
	enum err_code rc;

	strbuf_printf(&origin, "model smpi %s=%s program=%s machine=%s",
		      measured ? "cpu-scale" : "wg", measured ? value[2] : value[1],
		      simulation_program_name(&s->simulation), s->q.machine->name);
	runs.origin = strbuf_text(&origin);
	generated_runs_add(&runs, s->q.row, s->time_s, value);
	rc = origin.failed ? err_set(e, ERR_NOMEM, "a simulated run")
			   : generated_runs_store(&c->session, &runs, e);
	generated_runs_release(&runs);
	strbuf_release(&origin);
	return rc;
}

/* ---- the action ---- */

static enum err_code simulate(struct context *c, struct simulated *s, struct err *e)
{
	struct model_question *q = &s->q;
	enum err_code rc;

	if ((rc = simulation_open(c, &s->simulation, e)) ||
	    (rc = simulation_takes_wg(c) ? model_question_read(c, "pipeline", q, e)
					 : model_question_read_untimed(c, q, e)) ||
	    (rc = model_question_read_row(c, q, e)) ||
	    (rc = model_question_configure(q, q->row, e)))
		return rc;
	rc = simulation_run(&c->session, &s->simulation, q, q->row, &s->time_s, e);
	progress_bar_clear(&c->bar);
	return rc;
}

enum err_code model_smpi_run(struct context *c, struct err *e)
{
	struct simulated s = {0};
	enum err_code rc;

	if (options_has(&c->opt, &opt_model_from))
		return err_set(e, ERR_USAGE,
			       "smpi runs one configuration at a time, without --from");
	rc = simulate(c, &s, e);
	if (!rc)
		rc = print_simulated(c, &s, e);
	if (!rc && options_has(&c->opt, &opt_store))
		rc = store(c, &s, e);
	simulation_release(&s.simulation);
	model_question_release(&s.q);
	return rc;
}
