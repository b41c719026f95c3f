#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/units.h"
#include "cli/breakdown_output.h"
#include "cli/cmd.h"
#include "cli/config_json.h"
#include "cli/context.h"
#include "cli/model_formula.h"
#include "cli/model_question.h"
#include "cli/model_transfer.h"

static const struct option_spec opt_max_procs = {
	.name = "max-procs",
	.arg = "N",
	.help = "project: up to N processors (default 4096)",
};

/* ---- list ---- */

static const struct out_column list_columns[] = {
	{"model", NULL, OUT_TEXT},  {"title", NULL, OUT_TEXT},	{"applies_to", NULL, OUT_TEXT},
	{"source", NULL, OUT_TEXT}, {"caveat", NULL, OUT_TEXT}, {"takes", NULL, OUT_TEXT},
};

/* A line of what is said about a model, under its title. */
static void print_line(FILE *f, const char *before, const char *text)
{
	if (text && *text)
		fprintf(f, "%-16s  %s%s\n", "", before, text);
}

static void print_model(FILE *f, const struct model *m, const char *takes)
{
	fprintf(f, "%-16s  %s\n", m->name, m->title);
	print_line(f, "for ", m->applies_to);
	print_line(f, "", m->source);
	print_line(f, "", m->caveat);
	print_line(f, "takes ", takes);
}

static void put_model(struct out_table *t, const struct model *m, const char *takes)
{
	out_text(t, m->name);
	out_text(t, m->title);
	out_text(t, m->applies_to);
	out_text(t, m->source);
	out_text(t, m->caveat);
	out_text(t, *takes ? takes : NULL);
}

static enum err_code list_run(struct context *c, struct err *e)
{
	struct out_table *t =
		out_table_new(list_columns, sizeof list_columns / sizeof list_columns[0]);
	size_t n = 0;
	const struct model *m = model_list(&n);
	enum err_code rc = ERR_OK;

	if (!t)
		return err_set(e, ERR_NOMEM, "the list of models");
	for (size_t i = 0; i < n; i++) {
		struct strbuf takes = STRBUF_INIT;

		if (m[i].formula)
			model_formula_put_inputs(m[i].formula, &takes);
		if (c->format == FORMAT_TABLE) {
			fputs(i ? "\n" : "", c->out);
			print_model(c->out, &m[i], strbuf_text(&takes));
		}
		put_model(t, &m[i], strbuf_text(&takes));
		strbuf_release(&takes);
	}
	if (c->format != FORMAT_TABLE)
		rc = out_table_print(t, c->format, "models", c->out, e);
	out_table_free(t);
	return rc;
}

/* ---- run ---- */

static json_t *run_json(const struct model_question *q, const struct sweep_time *time)
{
	json_t *answer = out_json_answer(), *config = json_object();
	int failed = 0;

	for (int role = COL_PROBLEM; role < COL_DERIVED; role++)
		failed |=
			config_json_set_role(config, q->app, (enum column_role)role, q->row, true);
	failed |=
		json_object_set_new(answer, "model", json_string(q->model->name)) |
		json_object_set_new(answer, "machine", out_json_string(q->machine->name)) |
		json_object_set_new(answer, "configuration", config) |
		json_object_set_new(answer, "wg_s", out_json_real(q->input.run.Wg_s)) |
		json_object_set_new(answer, "wg_fixup_s", out_json_real(q->input.run.Wg_fixup_s)) |
		json_object_set_new(answer, "time_s", out_json_real(time->time_s)) |
		json_object_set_new(answer, "breakdown", breakdown_json(&time->parts)) |
		json_object_set_new(answer, "caveat", out_json_string(q->model->caveat));
	if (failed) {
		json_decref(answer);
		return NULL;
	}
	return answer;
}

static const struct out_column run_columns[] = {
	{"model", NULL, OUT_TEXT},     {"machine", NULL, OUT_TEXT}, {"time_s", NULL, OUT_REAL},
	{"compute_s", NULL, OUT_REAL}, {"comm_s", NULL, OUT_REAL},  {"fill_s", NULL, OUT_REAL},
	{"sync_s", NULL, OUT_REAL},    {"other_s", NULL, OUT_REAL},
};

static enum err_code print_run_csv(const struct context *c, const struct model_question *q,
				   const struct sweep_time *time, struct err *e)
{
	const struct breakdown *b = &time->parts;
	const double part[] = {time->time_s, b->compute_s, b->comm_s,
			       b->fill_s,    b->sync_s,	   b->other_s};
	struct out_table *t =
		out_table_new(run_columns, sizeof run_columns / sizeof run_columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the answer of a model");
	out_text(t, q->model->name);
	out_text(t, q->machine->name);
	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
		out_real(t, part[i]);
	rc = out_table_print(t, FORMAT_CSV, "model", c->out, e);
	out_table_free(t);
	return rc;
}

static enum err_code print_run(const struct context *c, const struct model_question *q,
			       const struct sweep_time *time, struct err *e)
{
	char text[32];
	json_t *answer;
	enum err_code rc;

	if (c->format == FORMAT_CSV) {
		model_note_caveat(c, q->model);
		return print_run_csv(c, q, time, e);
	}
	if (c->format == FORMAT_TABLE) {
		fprintf(c->out, "%s by model %s (%s)\n",
			duration_format(time->time_s, text, sizeof text), q->model->name,
			q->model->source);
		if (q->model->caveat)
			fprintf(c->out, "%s\n", q->model->caveat);
		fputc('\n', c->out);
		return breakdown_print(&time->parts, c->out, e);
	}
	answer = run_json(q, time);
	if (!answer)
		return err_set(e, ERR_NOMEM, "the answer of a model");
	rc = out_json(answer, c->out, e);
	json_decref(answer);
	return rc;
}

static enum err_code run_wavefront(struct context *c, struct err *e)
{
	struct model_question q;
	struct sweep_time time;
	enum err_code rc;

	if (!(rc = model_question_read(c, c->operand[0], &q, e)) &&
	    !(rc = model_question_configure(&q, q.row, e)) &&
	    !(rc = model_run(q.model, &q.input, &time, e)))
		rc = print_run(c, &q, &time, e);
	model_question_release(&q);
	return rc;
}

static enum err_code run_run(struct context *c, struct err *e)
{
	const struct model *m;
	enum err_code rc = model_find(c->operand[0], &m, e);

	if (rc)
		return rc;
	return m->formula ? model_formula_run(c, m, e) : run_wavefront(c, e);
}

/* ---- project ---- */

static const struct out_column project_columns[] = {
	{"procs", NULL, OUT_INT},
	{"npe_i", NULL, OUT_INT},
	{"npe_j", NULL, OUT_INT},
	{"time_s", "time", OUT_SECONDS},
	{"speedup", "speed-up", OUT_REAL},
	{"efficiency", NULL, OUT_PERCENT},
	{"compute_s", "compute", OUT_SECONDS},
	{"comm_s", "communication", OUT_SECONDS},
	{"fill_s", "fill", OUT_SECONDS},
	{"sync_s", "synchronisation", OUT_SECONDS},
};

static void put_projection(struct out_table *t, const struct sweep *s,
			   const struct sweep_time *time, double one_s)
{
	double procs = (double)(s->npe_i * s->npe_j);
	const struct breakdown *b = &time->parts;

	out_int(t, s->npe_i * s->npe_j);
	out_int(t, s->npe_i);
	out_int(t, s->npe_j);
	out_real(t, time->time_s);
	out_real(t, one_s / time->time_s);
	out_real(t, one_s / time->time_s / procs);
	out_real(t, b->compute_s);
	out_real(t, b->comm_s);
	out_real(t, b->fill_s);
	out_real(t, b->sync_s);
}

/* q->row on so many processors. On one, the program itself makes a single block of everything. */
static enum err_code set_procs(struct model_question *q, int64_t procs, double *row, struct err *e)
{
	struct model_columns c = model_question_columns(q);
	int64_t npe_i, npe_j;
	enum err_code rc = model_square_grid(procs, &npe_i, &npe_j, e);

	if (rc)
		return rc;
	memcpy(row, q->row, q->app->n_columns * sizeof *row);
	row[c.npe_i] = (double)npe_i;
	row[c.npe_j] = (double)npe_j;
	if (procs == 1) {
		row[c.mk] = row[c.kt];
		row[c.mmi] = row[c.mm];
	}
	return model_question_configure(q, row, e);
}

static enum err_code project(struct context *c, struct model_question *q, int64_t max_procs,
			     struct out_table *t, struct err *e)
{
	double *row = calloc(q->app->n_columns, sizeof *row);
	struct sweep_time time;
	struct err why = {0};
	double one_s = 0;
	enum err_code rc = row ? ERR_OK : err_set(e, ERR_NOMEM, "a configuration");

	for (int64_t procs = 1; procs <= max_procs && !rc; procs *= 2) {
		if (!progress_step(c->progress, "processors", (uint64_t)procs,
				   (uint64_t)max_procs)) {
			rc = err_set(e, ERR_INTERRUPTED, "interrupted");
		} else if ((rc = set_procs(q, procs, row, &why)) ||
			   (rc = model_run(q->model, &q->input, &time, &why))) {
			/* A problem ends somewhere; what was found before that is an answer. */
			if (procs > 1 && rc == ERR_ARG)
				break;
			err_set(e, rc, "%s", why.msg);
		} else {
			one_s = procs == 1 ? time.time_s : one_s;
			put_projection(t, &q->input.sweep, &time, one_s);
		}
	}
	free(row);
	if (rc == ERR_ARG && out_table_rows(t) > 0) {
		context_note(c, "not further: %s", why.msg);
		rc = ERR_OK;
	}
	return rc;
}

static enum err_code refuse_grid(const struct model_question *q, struct err *e)
{
	struct model_columns c = model_question_columns(q);

	if (!isnan(q->row[c.npe_i]) || !isnan(q->row[c.npe_j]))
		return err_set(e, ERR_USAGE,
			       "a projection takes the most nearly square grid of each processor "
			       "count; leave the grid out");
	return ERR_OK;
}

static enum err_code project_wavefront(struct context *c, long long max_procs, struct err *e)
{
	struct out_table *t =
		out_table_new(project_columns, sizeof project_columns / sizeof project_columns[0]);
	struct model_question q = {0};
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "a projection");
	if ((rc = model_question_read(c, c->operand[0], &q, e)) || (rc = refuse_grid(&q, e)) ||
	    (rc = project(c, &q, max_procs, t, e)))
		goto done;
	progress_bar_clear(&c->bar);
	model_note_caveat(c, q.model);
	rc = out_table_print(t, c->format, "projection", c->out, e);
done:
	out_table_free(t);
	model_question_release(&q);
	return rc;
}

static enum err_code project_run(struct context *c, struct err *e)
{
	const struct model *m;
	long long max_procs = 4096;
	enum err_code rc;

	if ((rc = options_integer(&c->opt, &opt_max_procs, 1, SWEEP_MAX_COUNT, &max_procs, e)) ||
	    (rc = model_find(c->operand[0], &m, e)))
		return rc;
	return m->formula ? model_formula_project(c, m, max_procs, e)
			  : project_wavefront(c, max_procs, e);
}

/* ---- the command ---- */

static const struct option_spec *const model_options[] = {
	&opt_problem, &opt_machine,	 &opt_app,  &opt_set,	    &opt_wg,	      &opt_wg_fixup,
	&opt_wg_pre,  &opt_nonwavefront, &opt_tile, &opt_max_procs, &opt_ideal_share, &opt_format,
	NULL};

static const struct action model_actions[] = {
	{"list", "", "the models, with their sources (the default)", 0, 0, NEEDS_NOTHING, list_run},
	{"run", "NAME", "the time of one configuration and where it goes", 1, 1, NEEDS_NOTHING,
	 run_run},
	{"project", "NAME", "time and speed-up on 1, 2, 4, ... processors", 1, 1, NEEDS_NOTHING,
	 project_run},
	{"transfer", "FILE", "transfer states of a network, from a ping-pong", 1, 1, NEEDS_NOTHING,
	 model_transfer_run},
};

const struct cmd cmd_model = {
	.name = "model",
	.summary = "the analytic models by themselves: list, run, project, transfer states",
	.description =
		"The models alone, without anything mined. A wavefront model takes the "
		"computation time per\n"
		"cell and angle (--wg) and a machine with message costs. No knowledge base is "
		"needed; without\n"
		"one, the definitions that ship are used. The other models are formulas: they "
		"take numbers by\n"
		"name (--set), which list shows. A projection takes the most nearly square "
		"processor grid of\n"
		"each count.",
	.examples =
		"  lemnos model\n"
		"  lemnos model run loggp --machine sp2 --problem 150x150x150 --grid 4x4 --mk 10 "
		"--mmi 3 --wg 0.35us\n"
		"  lemnos model project loggp --machine sp2 --problem 1000x1000x1000 --mk 10 --mmi "
		"3 "
		"--wg 0.35us\n"
		"  lemnos model run kredel-linpack --set n=10000,p=1300\n"
		"  lemnos model transfer pingpong.csv",
	.options = model_options,
	.action = model_actions,
	.n_actions = sizeof model_actions / sizeof model_actions[0],
	.app_flags = true,
};
