#include "cli/predict_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/row_memo.h"
#include "cli/mined_machine.h"
#include "cli/predict_row.h"
#include "cli/prediction_table.h"
#include "ingest/ingest.h"

/* ---- the machines of a file ---- */

/* A machine by the name that the file gives it; "" stands for the one of --machine. */
struct named_machine {
	char *name;
	struct mined_machine mined;
};

struct machines {
	struct named_machine *item;
	size_t n;
	size_t last; /* rows of a machine mostly stand together */
	/* The name that failed last, so that a file of a million such rows asks the base once. */
	char *failed;
	struct err why;
};

static void machines_release(struct machines *m)
{
	for (size_t i = 0; i < m->n; i++) {
		mined_machine_release(&m->item[i].mined);
		free(m->item[i].name);
	}
	free(m->item);
	free(m->failed);
}

static const struct mined_machine *find_machine(struct machines *m, const char *name)
{
	if (m->last < m->n && !strcmp(m->item[m->last].name, name))
		return &m->item[m->last].mined;
	for (size_t i = 0; i < m->n; i++) {
		if (!strcmp(m->item[i].name, name)) {
			m->last = i;
			return &m->item[i].mined;
		}
	}
	return NULL;
}

/* ---- the walk over the rows ---- */

struct walk {
	struct context *c;
	const struct application *app;
	int64_t app_id;
	double confidence;
	struct machines machines;
	double *row, *asked;		   /* as completed, and as it was read */
	const struct mined_machine *mined; /* the row's; NULL: there is none */
	struct strbuf why;		   /* why the row is invalid; empty: it is not */
	struct strbuf line;		   /* CSV */
	struct strbuf cells;		   /* what comes behind a row */
	char delimiter;
	bool on_terminal;
	/* Files repeat configurations. What comes behind rows as they are read; only for CSV, as
	 * tables show rows completed. */
	struct row_memo *memo;
	struct out_table *table; /* NULL: CSV */
	int64_t n, n_bad;
};

static enum err_code add_machine(struct walk *w, const char *name, struct err *e)
{
	struct machines *m = &w->machines;
	struct named_machine *longer = realloc(m->item, (m->n + 1) * sizeof *longer);
	struct named_machine *new_one;
	enum err_code rc;

	if (!longer)
		return err_set(e, ERR_NOMEM, "%zu machines", m->n + 1);
	m->item = longer;
	new_one = &m->item[m->n];
	new_one->name = strdup(name);
	if (!new_one->name)
		return err_set(e, ERR_NOMEM, "%zu machines", m->n + 1);
	rc = mined_machine_load(w->c, w->app, w->app_id, *name ? name : NULL, &new_one->mined, e);
	if (rc) {
		free(new_one->name);
		return rc;
	}
	if (new_one->mined.stale)
		context_warn(w->c, "facts about %s changed since this was mined; run `lemnos mine`",
			     new_one->mined.machine->name);
	m->last = m->n++;
	return ERR_OK;
}

/* A machine that a row names and the base does not know makes the row invalid; that no machine is
 * named at all, or nothing was ever mined, is the command's error. */
static bool is_about_the_row(enum err_code rc, const char *name)
{
	return *name && (rc == ERR_NOTFOUND || rc == ERR_NOTMINED || rc == ERR_ARG);
}

static enum err_code machine_of_row(struct walk *w, const char *name,
				    const struct mined_machine **out, struct err *e)
{
	struct machines *m = &w->machines;
	enum err_code rc;

	*out = find_machine(m, name);
	if (*out)
		return ERR_OK;
	if (!m->failed || strcmp(m->failed, name) != 0) {
		m->why = (struct err){0};
		rc = add_machine(w, name, &m->why);
		if (!rc) {
			*out = find_machine(m, name);
			return ERR_OK;
		}
		if (!is_about_the_row(rc, name))
			return err_set(e, rc, "%s", m->why.msg);
		free(m->failed);
		m->failed = strdup(name);
		if (!m->failed)
			return err_set(e, ERR_NOMEM, "the name of a machine");
	}
	strbuf_printf(&w->why, "machine: %s", m->why.msg);
	return ERR_OK;
}

/* The cells of a forecast (NULL: empty ones), with the delimiter before each. */
static void put_cells(struct walk *w, const struct forecast *f)
{
	char number[REAL_TEXT_SIZE];
	const double value[] = {f ? f->prediction.time_s : 0, f ? f->lo_s : 0, f ? f->hi_s : 0};

	strbuf_clear(&w->cells);
	for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
		strbuf_putc(&w->cells, w->delimiter);
		strbuf_puts(&w->cells, f ? real_text(value[i], number) : "");
	}
	strbuf_putc(&w->cells, w->delimiter);
	strbuf_puts(&w->cells, f ? support_name(f->prediction.support) : "");
}

static void put_csv(struct walk *w, const char *raw, const char *cells)
{
	strbuf_clear(&w->line);
	strbuf_puts(&w->line, raw);
	strbuf_puts(&w->line, cells);
	strbuf_putc(&w->line, '\n');
	if (w->on_terminal)
		out_exact(strbuf_text(&w->line), w->c->out);
	else
		fputs(strbuf_text(&w->line), w->c->out);
}

/* One record. raw is its text, machine the name in its machine column (may be NULL). */
struct record {
	const char *raw;
	const char *machine;
	const char *bad; /* the reader's reason against it, with file and line; NULL: none */
};

/* w->mined, or w->why says why there is none. */
static enum err_code find_mined(struct walk *w, const struct record *r, struct err *e)
{
	strbuf_clear(&w->why);
	w->mined = NULL;
	if (!r->bad)
		return machine_of_row(w, r->machine ? r->machine : "", &w->mined, e);
	strbuf_puts(&w->why, r->bad);
	return ERR_OK;
}

/* Complete, judge and predict w->row; false: w->why says why not. */
static bool predict_record(struct walk *w, struct forecast *f)
{
	if (!w->mined || !predict_row_complete(w->app, w->mined->machine, w->row, &w->why))
		return false;
	*f = predict_row(w->mined->predictor, w->row, w->confidence);
	return true;
}

static void complain(struct walk *w, const struct record *r)
{
	w->n_bad++;
	if (r->bad)
		context_warn(w->c, "%s", r->bad);
	else
		context_warn(w->c, "row %" PRId64 ": %s", w->n, strbuf_text(&w->why));
}

static void answer_in_table(struct walk *w, const struct record *r)
{
	struct forecast f;
	const bool good = predict_record(w, &f);

	if (!good)
		complain(w, r);
	prediction_table_add(w->table, w->app, w->mined ? w->mined->machine->name : r->machine,
			     r->bad ? NULL : w->row, good ? &f : NULL, strbuf_text(&w->why));
}

static void answer_in_csv(struct walk *w, const struct record *r)
{
	const void *whose = w->mined ? w->mined->predictor : NULL;
	const char *cells = whose ? row_memo_find(w->memo, w->row, whose) : NULL;
	struct forecast f;

	if (!cells) {
		memcpy(w->asked, w->row, w->app->n_columns * sizeof *w->row);
		if (predict_record(w, &f)) {
			put_cells(w, &f);
			row_memo_put(w->memo, w->asked, whose, strbuf_text(&w->cells));
		} else {
			complain(w, r);
			put_cells(w, NULL);
		}
		cells = strbuf_text(&w->cells);
	}
	put_csv(w, r->raw, cells);
}

static enum err_code do_record(struct walk *w, const struct record *r, struct err *e)
{
	enum err_code rc;

	if ((rc = find_mined(w, r, e)))
		return rc;
	w->n++;
	if (w->table)
		answer_in_table(w, r);
	else
		answer_in_csv(w, r);
	return w->why.failed || w->line.failed || w->cells.failed
		       ? err_set(e, ERR_NOMEM, "row %" PRId64, w->n)
		       : ERR_OK;
}

static void put_csv_header(struct walk *w, const char *header)
{
	char d = w->delimiter;

	out_exact(header, w->c->out);
	fprintf(w->c->out, "%cpredicted_s%clo_s%chi_s%csupport\n", d, d, d, d);
}

static enum err_code walk_records(struct walk *w, struct config_reader *reader, struct err *e)
{
	enum { STEP = 4096 };
	struct record r;
	enum err_code rc;

	while (!(rc = config_reader_next(reader, &r.raw, w->row, &r.machine, &r.bad, e)) && r.raw) {
		if ((rc = do_record(w, &r, e)))
			return rc;
		if (ferror(w->c->out))
			return ERR_OK; /* main says so, unless the reader of the output left */
		if (w->n % STEP == 0 && !progress_step(w->c->progress, "rows", (uint64_t)w->n, 0))
			return err_set(e, ERR_INTERRUPTED, "interrupted after %" PRId64 " rows",
				       w->n);
	}
	return rc;
}

static enum err_code predict_records(struct walk *w, struct config_reader *reader, struct err *e)
{
	enum out_format format = context_format_or(w->c, FORMAT_CSV);
	enum err_code rc;

	if (format == FORMAT_CSV) {
		if ((rc = row_memo_new(w->app->n_columns, &w->memo, e)))
			return rc;
		w->on_terminal = isatty(fileno(w->c->out));
		w->delimiter = config_reader_delimiter(reader);
		put_csv_header(w, config_reader_header(reader));
	} else if (!(w->table = prediction_table_new(w->app))) {
		return err_set(e, ERR_NOMEM, "the predictions");
	}
	rc = walk_records(w, reader, e);
	progress_bar_clear(&w->c->bar);
	if (!rc && w->table)
		rc = out_table_print(w->table, format, "predictions", w->c->out, e);
	if (!rc && w->n_bad > 0)
		rc = err_set(e, ERR_PARSE,
			     "%" PRId64 " of %" PRId64 " rows could not be predicted; their cells "
			     "are empty",
			     w->n_bad, w->n);
	return rc;
}

enum err_code predict_file(struct context *c, const struct application *app, int64_t app_id,
			   const char *path, double confidence, struct err *e)
{
	struct walk w = {.c = c, .app = app, .app_id = app_id, .confidence = confidence};
	struct config_reader *reader = NULL;
	enum err_code rc;

	w.row = calloc(app->n_columns, sizeof *w.row);
	w.asked = calloc(app->n_columns, sizeof *w.asked);
	if (!w.row || !w.asked)
		rc = err_set(e, ERR_NOMEM, "a configuration");
	else if (!(rc = config_reader_open(path, app, &reader, e)))
		rc = predict_records(&w, reader, e);
	config_reader_close(reader);
	machines_release(&w.machines);
	out_table_free(w.table);
	strbuf_release(&w.why);
	strbuf_release(&w.line);
	strbuf_release(&w.cells);
	row_memo_free(w.memo);
	free(w.row);
	free(w.asked);
	return rc;
}
