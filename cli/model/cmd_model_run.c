#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "api/model_json.h"
#include "api/import_runs.h"
#include "cli/frame/cmd.h"
#include "cli/frame/options.h"
#include "cli/answer/answer_text.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_formula.h"
#include "cli/model/model_options.h"

/* Modelled runs of a question to a wavefront model (--store): with each run the model and the times
 * per cell and angle that it was given are kept. */
struct model_store {
	const struct model_question *question;
	struct generated_runs runs;
	struct strbuf origin;
};

/* ---- --store ---- */

/* Kept with each run. */
static const char *const extra[] = {"model", "Wg_s", "Wg_fixup_s"};

/* The parameters as they were typed: what a list of imports is to show. */
static void put_option(const struct context *c, const struct option_spec *o, struct strbuf *out)
{
	const char *value = options_get(&c->opt, o);

	if (value)
		strbuf_printf(out, " %s=%s", o->name, value);
}

static void put_origin(const struct context *c, const struct model_question *q, struct strbuf *out)
{
	static const struct option_spec *const parameter[] = {
		&opt_wg,       &opt_wg_fixup, &opt_wg_pre, &opt_nonwavefront,
		&opt_w_before, &opt_w_after,  &opt_tile,   &opt_model_from,
	};

	strbuf_printf(out, "model %s", q->model->name);
	if (q->wg_is_mined)
		strbuf_puts(out, " wg=mined");
	for (size_t i = 0; i < sizeof parameter / sizeof *parameter; i++)
		put_option(c, parameter[i], out);
	strbuf_printf(out, " machine=%s", q->machine->name);
}

/* Errors: ARG (the times of this model are another code's than the application's), NOMEM. */
static enum err_code model_store_begin(struct context *c, const struct model_question *q,
				       struct model_store *out, struct err *e)
{
	if (q->model->code && !application_is(q->app, q->model->code))
		return err_set(e, ERR_ARG,
			       "--store: model %s gives times of %s, which would be false ones of "
			       "%s: give --app of an application for that code",
			       q->model->name, q->model->code, q->app->name);
	*out = (struct model_store){.question = q};
	put_origin(c, q, &out->origin);
	if (out->origin.failed)
		return err_set(e, ERR_NOMEM, "modelled runs");
	out->runs = (struct generated_runs){
		.app = q->app,
		.machine = q->machine,
		.source = SOURCE_MODELLED,
		.origin = strbuf_text(&out->origin),
		.extra = extra,
		.n_extra = sizeof extra / sizeof *extra,
	};
	return ERR_OK;
}

/* The answer of q->model to what q was last configured with, by this row. */
static void model_store_add(struct model_store *s, const double *row, const struct sweep_time *time)
{
	const struct sweep_run *run = &s->question->input.run;
	char Wg_s[REAL_TEXT_SIZE], Wg_fixup_s[REAL_TEXT_SIZE];
	const char *value[] = {s->question->model->name, real_text(run->Wg_s, Wg_s),
			       real_text(run->Wg_fixup_s, Wg_fixup_s)};

	generated_runs_add(&s->runs, row, time->time_s, value);
}

/* ---- --from ---- */

/* What a model says of a row. */
static const char *const answer_columns[] = {
	"modelled_s", "compute_s", "comm_s", "fill_s", "sync_s", "other_s", "Wg_s",
};
enum { N_ANSWER = sizeof answer_columns / sizeof answer_columns[0] };

struct model_walk {
	struct context *c;
	struct model_question *q;
	struct model_store *store;
	double *row;
	double answer[N_ANSWER]; /* NaN: the row could not be modelled */
	struct strbuf why;	 /* why it could not */
	char delimiter;
	struct out_table *table; /* NULL: CSV */
	int64_t n, n_bad;
};

/* ---- one row ---- */

/* One record. raw is its text, machine the name in its machine column (may be NULL), bad the
 * reader's reason against it, with file and line (NULL: none). */
struct model_record {
	const char *raw, *machine, *bad;
};

static bool is_of_machine(struct model_walk *w, const char *machine)
{
	const char *ours = w->q->machine->name;

	if (!machine || !*machine || !strcasecmp(machine, ours))
		return true;
	strbuf_printf(&w->why, "machine: the model was asked with the message costs of %s, not %s",
		      ours, machine);
	return false;
}

static bool model_row(struct model_walk *w)
{
	struct model_question *q = w->q;
	struct sweep_time time;
	struct err why = {0};

	if (model_question_configure(q, w->row, &why) ||
	    model_run(q->model, &q->input, &time, &why)) {
		strbuf_puts(&w->why, why.msg);
		return false;
	}
	w->answer[0] = time.time_s;
	w->answer[1] = time.parts.compute_s;
	w->answer[2] = time.parts.comm_s;
	w->answer[3] = time.parts.fill_s;
	w->answer[4] = time.parts.sync_s;
	w->answer[5] = time.parts.other_s;
	w->answer[6] = q->input.run.Wg_s;
	if (w->store)
		model_store_add(w->store, w->row, &time);
	return true;
}

static void answer_record(struct model_walk *w, const struct model_record *r,
			  const struct config_reader *reader)
{
	strbuf_clear(&w->why);
	for (int i = 0; i < N_ANSWER; i++)
		w->answer[i] = NAN;
	w->n++;
	if (r->bad)
		strbuf_puts(&w->why, r->bad);
	else if (is_of_machine(w, r->machine) && model_row(w))
		return;
	w->n_bad++;
	if (r->bad)
		context_warn(w->c, "%s", r->bad);
	else
		context_warn(w->c, "%s:%" PRIu64 ": %s", config_reader_name(reader),
			     config_reader_line(reader), strbuf_text(&w->why));
}

/* ---- what is printed ---- */

static void put_csv(const struct model_walk *w, const char *raw)
{
	char number[REAL_TEXT_SIZE];

	out_exact(raw, w->c->out);
	for (int i = 0; i < N_ANSWER; i++)
		fprintf(w->c->out, "%c%s", w->delimiter,
			isnan(w->answer[i]) ? "" : real_text(w->answer[i], number));
	fputc('\n', w->c->out);
}

static struct out_table *new_table(const struct application *a)
{
	struct out_column *column = calloc(a->n_columns + N_ANSWER + 1, sizeof *column);
	struct out_table *t = NULL;
	size_t n;

	if (!column)
		return NULL;
	n = config_cells_columns(a, column);
	for (int i = 0; i < N_ANSWER; i++)
		column[n++] = (struct out_column){answer_columns[i], NULL, OUT_REAL};
	column[n++] = (struct out_column){"error", NULL, OUT_TEXT};
	t = out_table_new(column, n);
	free(column);
	return t;
}

static void put_table(const struct model_walk *w, bool readable)
{
	config_cells_put(w->table, w->q->app, readable ? w->row : NULL);
	for (int i = 0; i < N_ANSWER; i++)
		out_real(w->table, w->answer[i]);
	out_text(w->table, w->why.len ? strbuf_text(&w->why) : NULL);
}

/* ---- the walk ---- */

static enum err_code walk_records(struct model_walk *w, struct config_reader *reader, struct err *e)
{
	enum { STEP = 1024 };
	struct model_record r;
	enum err_code rc;

	while (!(rc = config_reader_next(reader, &r.raw, w->row, &r.machine, &r.bad, e)) && r.raw) {
		answer_record(w, &r, reader);
		if (w->table)
			put_table(w, !r.bad);
		else
			put_csv(w, r.raw);
		if (ferror(w->c->out))
			return ERR_OK; /* main says so, unless the reader of the output left */
		if (w->n % STEP == 0 &&
		    !progress_step(w->c->session.progress, "rows", (uint64_t)w->n, 0))
			return err_set(e, ERR_INTERRUPTED, "interrupted after %" PRId64 " rows",
				       w->n);
	}
	return rc;
}

static enum err_code begin_output(struct model_walk *w, const struct config_reader *reader,
				  enum out_format format, struct err *e)
{
	if (format != FORMAT_CSV) {
		w->table = new_table(w->q->app);
		return w->table ? ERR_OK : err_set(e, ERR_NOMEM, "the modelled rows");
	}
	w->delimiter = config_reader_delimiter(reader);
	out_exact(config_reader_header(reader), w->c->out);
	for (int i = 0; i < N_ANSWER; i++)
		fprintf(w->c->out, "%c%s", w->delimiter, answer_columns[i]);
	fputc('\n', w->c->out);
	return ERR_OK;
}

static enum err_code model_records(struct model_walk *w, struct config_reader *reader,
				   struct err *e)
{
	enum out_format format = context_format_or(w->c, FORMAT_CSV);
	enum err_code rc;

	if ((rc = begin_output(w, reader, format, e)) || (rc = walk_records(w, reader, e)))
		return rc;
	progress_bar_clear(&w->c->bar);
	if (w->table && (rc = out_table_print(w->table, format, "rows", w->c->out, e)))
		return rc;
	if (w->n_bad > 0)
		return err_set(e, ERR_PARSE,
			       "%" PRId64 " of %" PRId64 " rows could not be modelled; their cells "
			       "are empty",
			       w->n_bad, w->n);
	return ERR_OK;
}

/* `lemnos model run NAME --from FILE`: every row of a file of configurations comes back in order,
 * its text unchanged, with the model's time, its parts and Wg behind it (CSV unless --format says
 * otherwise). The costs are those of q's machine; a row that names another, or cannot be modelled,
 * has empty cells there and its reason on stderr.
 * store NULL: nothing is kept; else the modelled rows are added to it. Errors: PARSE (some row
 * could not be modelled: after the last row), those of config_reader_open(). */
static enum err_code model_file_run(struct context *c, struct model_question *q, const char *path,
				    struct model_store *store, struct err *e)
{
	struct model_walk w = {.c = c, .q = q, .store = store};
	struct config_reader *reader = NULL;
	enum err_code rc;

	w.row = calloc(q->app->n_columns, sizeof *w.row);
	if (!w.row)
		return err_set(e, ERR_NOMEM, "a configuration");
	if (!(rc = config_reader_open(path, q->app, &reader, e)))
		rc = model_records(&w, reader, e);
	config_reader_close(reader);
	out_table_free(w.table);
	strbuf_release(&w.why);
	free(w.row);
	return rc;
}

/* ---- the action ---- */

OPTION(opt_store, "store", NULL,
       .help = "run, compose: put the time into the knowledge base as a\n"
	       "modelled run, of smpi as a simulated one");
OPTION(opt_model_from, "from", "FILE", .values = "FILE",
       .help = "run: model every row of a CSV file (- is stdin); the row comes\n"
	       "back with the time and its parts behind it");

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
	struct json_t *answer;

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
	answer = model_time_json(q, time);
	return out_answer(!answer, answer, "the answer of a model", c->out, e);
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
		stored = generated_runs_store(&c->session, &store->runs, e);
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
	generated_runs_release(&store.runs);
	strbuf_release(&store.origin);
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
