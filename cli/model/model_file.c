#include "cli/model/model_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/answer/config_cells.h"
#include "api/config_rows.h"

/* What a model says of a row. */
static const char *const answer_columns[] = {
	"modelled_s", "compute_s", "comm_s", "fill_s", "sync_s", "other_s", "Wg_s",
};
enum { N_ANSWER = sizeof answer_columns / sizeof answer_columns[0] };

struct walk {
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
struct record {
	const char *raw, *machine, *bad;
};

static bool is_of_machine(struct walk *w, const char *machine)
{
	const char *ours = w->q->machine->name;

	if (!machine || !*machine || !strcasecmp(machine, ours))
		return true;
	strbuf_printf(&w->why, "machine: the model was asked with the message costs of %s, not %s",
		      ours, machine);
	return false;
}

static bool model_row(struct walk *w)
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

static void answer_record(struct walk *w, const struct record *r,
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

static void put_csv(const struct walk *w, const char *raw)
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

static void put_table(const struct walk *w, bool readable)
{
	config_cells_put(w->table, w->q->app, readable ? w->row : NULL);
	for (int i = 0; i < N_ANSWER; i++)
		out_real(w->table, w->answer[i]);
	out_text(w->table, w->why.len ? strbuf_text(&w->why) : NULL);
}

/* ---- the walk ---- */

static enum err_code walk_records(struct walk *w, struct config_reader *reader, struct err *e)
{
	enum { STEP = 1024 };
	struct record r;
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

static enum err_code begin_output(struct walk *w, const struct config_reader *reader,
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

static enum err_code model_records(struct walk *w, struct config_reader *reader, struct err *e)
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

enum err_code model_file_run(struct context *c, struct model_question *q, const char *path,
			     struct model_store *store, struct err *e)
{
	struct walk w = {.c = c, .q = q, .store = store};
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
