#include <string.h>

#include <jansson.h>

#include "base/units.h"
#include "cli/answer/breakdown_output.h"
#include "cli/frame/cmd.h"
#include "api/config_json.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_file.h"
#include "cli/model/model_formula.h"
#include "cli/model/model_options.h"
#include "cli/model/model_store.h"

const struct option_spec opt_store = {
	.name = "store",
	.help = "run, compose: put the time into the knowledge base as a\n"
		"modelled run, of smpi as a simulated one",
};
const struct option_spec opt_model_from = {
	.name = "from",
	.arg = "FILE",
	.values = "FILE",
	.help = "run: model every row of a CSV file (- is stdin); the row comes\n"
		"back with the time and its parts behind it",
};

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
		if (q->wg_is_mined)
			context_print(c, "Wg %s, as mined from the runs on %s\n",
				      duration_format(q->input.run.Wg_s, text, sizeof text),
				      q->machine->name);
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

static enum err_code run_one(struct context *c, struct model_question *q, struct model_store *store,
			     struct err *e)
{
	struct sweep_time time;
	enum err_code rc;

	if ((rc = model_question_read_row(c, q, e)) ||
	    (rc = model_question_configure(q, q->row, e)) ||
	    (rc = model_run(q->model, &q->input, &time, e)) || (rc = print_run(c, q, &time, e)))
		return rc;
	if (store)
		model_store_add(store, q->row, &time);
	return ERR_OK;
}

/* What could be modelled of a file is kept, whatever became of its other rows. */
static enum err_code run_and_store(struct context *c, struct model_question *q,
				   struct model_store *store, struct err *e)
{
	const char *from = options_get(&c->opt, &opt_model_from);
	struct err why = {0};
	enum err_code rc = from ? model_file_run(c, q, from, store, &why)
				: run_one(c, q, store, &why),
		      stored = ERR_OK;

	if (store && store->runs.n > 0 && (!rc || rc == ERR_PARSE))
		stored = model_store_finish(c, store, e);
	if (stored)
		return stored;
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static enum err_code run_wavefront(struct context *c, struct err *e)
{
	struct model_question q;
	struct model_store store = {0};
	bool kept = options_has(&c->opt, &opt_store);
	enum err_code rc;

	if (options_has(&c->opt, &opt_model_from) && (rc = context_refuse_configuration(c, e)))
		return rc;
	if (!(rc = model_question_read(c, c->operand[0], &q, e)) &&
	    !(kept && (rc = model_store_begin(c, &q, &store, e))))
		rc = run_and_store(c, &q, kept ? &store : NULL, e);
	model_store_release(&store);
	model_question_release(&q);
	return rc;
}

enum err_code model_run_run(struct context *c, struct err *e)
{
	const struct model *m;
	struct err unknown = {0};
	enum err_code rc;

	if (!strcmp(c->operand[0], model_smpi.name))
		return model_smpi_run(c, e);
	if ((rc = model_find(c->operand[0], &m, &unknown)))
		return err_set(e, rc, "%s, %s", unknown.msg, model_smpi.name);
	if (options_has(&c->opt, &opt_units))
		return model_units_run(c, m, e);
	return m->formula ? model_formula_run(c, m, e) : run_wavefront(c, e);
}
