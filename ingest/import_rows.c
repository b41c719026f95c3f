#include "ingest/import_rows.h"

#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread_pool.h"
#include "base/strbuf.h"
#include "base/text_form.h"
#include "ingest/header_kin.h"
#include "ingest/row_queue.h"

enum {
	N_LOTS = 4,		/* one is filled, one is stored, two even out */
	ALONE_MAX = 256 * 1024, /* bytes of a table that one thread reads and stores */
};

/* ---- reading ---- */

/* Then "20.000" may have been 20000 in the rows before. */
static enum err_code points_between_thousands(const struct import_rows *r, const struct reject *why,
					      struct err *e)
{
	return err_set(e, ERR_PARSE,
		       "%s:%llu: %s: %s. Is 20.000 in this file 20 or 20000? Say --decimal . (this "
		       "row is then refused) or --decimal ,",
		       text_table_name(r->table), (unsigned long long)r->record.line, why->column,
		       strbuf_text(&why->reason));
}

/* The next row of those that are only looked at; nothing is put meanwhile, so whether anybody waits
 * for it is asked now and then. */
static enum err_code next_ahead(struct import_rows *r, struct table_record *rec, struct err *e)
{
	enum { ROWS_BETWEEN = 1024 }; /* a millisecond or so */
	struct row_queue *q = r->row.machines->consumer;

	if (q && r->n_ahead++ % ROWS_BETWEEN == 0 && row_queue_is_stopped(q))
		return err_set(e, ERR_INTERRUPTED, "stopped");
	return text_table_next(r->table, rec, e);
}

/* Rows without a time are judged by all. */
static enum err_code weigh_all(struct import_rows *r, struct err *e)
{
	const struct column_mapping *m = r->row.values.m;
	struct missing_times *missing = &r->row.missing;
	struct table_record rec;
	enum err_code rc;

	missing_times_release(missing);
	if ((rc = missing_times_init(missing, m->app, e)) || (rc = text_table_rewind(r->table, e)))
		return rc;
	while (!rc && r->row.waits != ROW_WAITS_FOR_LABELS && !(rc = next_ahead(r, &rec, e)) &&
	       rec.raw)
		rc = run_row_weigh(&r->row, &rec, e);
	if (rc || r->row.waits == ROW_WAITS_FOR_LABELS)
		return rc;
	return missing_times_decide(missing, text_table_name(r->table),
				    text_table_column(r->table, m->of_kind[FIELD_TIME]), e);
}

/* Read all rows for what only all of them can say, and come back to the one at hand. Only a table
 * that has such a row is read more than once. */
static enum err_code look_ahead(struct import_rows *r, struct err *e)
{
	const uint64_t line = r->record.line;
	enum err_code rc = r->row.waits == ROW_WAITS_FOR_TIMES ? weigh_all(r, e) : ERR_OK;

	if (!rc && r->row.waits == ROW_WAITS_FOR_LABELS)
		rc = statistic_labels_survey(&r->row.labels, r->table, e);
	if (!rc)
		rc = text_table_rewind(r->table, e);
	while (!rc && !(rc = next_ahead(r, &r->record, e)) && r->record.raw &&
	       r->record.line != line)
		;
	return rc;
}

static enum err_code read_row(struct import_rows *r, struct kb_run_batch *batch, struct reject *why,
			      struct err *e)
{
	struct kb_run run;
	enum err_code rc;
	bool taken;

	r->n_rows++; /* first: an error leaves counts that agree */
	do
		rc = run_row_read(&r->row, &r->record, &run, &taken, why, e);
	while (!rc && r->row.waits && !(rc = look_ahead(r, e)));
	if (rc)
		return rc;
	if (!taken && why->ends_import)
		return points_between_thousands(r, why, e);
	if (!taken) {
		r->n_refused++;
		return reject_log_add(r->log, &r->record, why, e);
	}
	r->n_aggregates += run.n_repeats > 1;
	r->n_finished += run.status == RUN_OK;
	if (!isnan(run.wall_s)) {
		r->n_timed++;
		r->sum_s += r->last_s = run.wall_s;
		r->last_line = (uint64_t)run.line;
	}
	return kb_run_writer_pack(r->writer, &run, batch, e);
}

/* Until the batch is full, for a while if few rows are taken, or until the table ends. */
static enum err_code read_rows(struct import_rows *r, struct kb_run_batch *batch, struct err *e)
{
	enum { ROWS_MAX = 4096 };
	struct reject why = {0};
	enum err_code rc = ERR_OK;

	for (int n = 0; !rc && r->record.raw && n < ROWS_MAX && !kb_run_batch_is_full(batch); n++) {
		rc = read_row(r, batch, &why, e);
		if (!rc)
			rc = text_table_next(r->table, &r->record, e);
	}
	reject_release(&why);
	return rc;
}

static uint64_t bytes_done(const struct import_rows *r)
{
	return byte_source_done(text_table_source(r->table));
}

/* ---- storing ---- */

static enum err_code step(const struct import_rows *r, uint64_t done, struct err *e)
{
	uint64_t total = byte_source_total(text_table_source(r->table));

	if (progress_step(r->progress, "reading", done, total))
		return ERR_OK;
	return err_set(e, ERR_INTERRUPTED, "%s: interrupted, nothing was imported",
		       text_table_name(r->table));
}

static enum err_code run_alone(struct import_rows *r, struct err *e)
{
	struct kb_run_batch *batch = kb_run_batch_new(r->writer);
	enum err_code rc = batch ? step(r, bytes_done(r), e) : ERR_OK;

	if (!batch)
		return err_set(e, ERR_NOMEM, "%s: a batch of rows", text_table_name(r->table));
	while (!rc && r->record.raw) {
		if (!(rc = read_rows(r, batch, e)) &&
		    !(rc = kb_run_writer_store(r->writer, batch, e)))
			rc = step(r, bytes_done(r), e);
	}
	kb_run_batch_free(batch);
	return rc;
}

/* ---- side by side ---- */

/* The reader's end. */
struct row_reader {
	struct import_rows *rows;
	struct row_queue *queue;
	enum err_code rc;
	struct err error;
};

/* What was packed before an error is put, too: if that cannot be stored, it comes first. */
static void *read_all(void *arg)
{
	struct row_reader *reader = arg;
	struct import_rows *r = reader->rows;
	struct row_batch *batch;

	while (!reader->rc && r->record.raw && (batch = row_queue_empty_batch(reader->queue))) {
		reader->rc = read_rows(r, batch->runs, &reader->error);
		batch->bytes_done = bytes_done(r);
		row_queue_put(reader->queue, batch);
	}
	row_queue_end(reader->queue);
	return NULL;
}

static enum err_code store_all(struct import_rows *r, struct row_queue *q, struct err *e)
{
	uint64_t done = 0;
	bool ended = false;
	enum err_code rc = step(r, done, e);

	while (!rc && !ended) {
		struct row_batch *batch = row_queue_take(q, &ended);

		if (batch) {
			done = batch->bytes_done;
			rc = kb_run_writer_store(r->writer, batch->runs, e);
			row_queue_give_back(q, batch);
		}
		if (!rc)
			rc = step(r, done, e);
	}
	return rc;
}

static enum err_code run_side_by_side(struct import_rows *r, struct row_queue *q, struct err *e)
{
	struct row_reader reader = {.rows = r, .queue = q};
	pthread_t thread;
	enum err_code rc;

	r->row.machines->consumer = q;
	if (!helper_thread_start(&thread, read_all, &reader)) { /* it takes longer, that is all */
		r->row.machines->consumer = NULL;
		return run_alone(r, e);
	}
	rc = store_all(r, q, e);
	row_queue_stop(q);
	pthread_join(thread, NULL);
	r->row.machines->consumer = NULL;
	if (!rc && reader.rc)
		rc = err_set(e, reader.rc, "%s", reader.error.msg);
	return rc;
}

enum err_code import_rows_run(struct import_rows *r, struct err *e)
{
	struct row_queue *q = NULL;
	enum err_code rc;

	if (byte_source_content_bytes(text_table_source(r->table)) <= ALONE_MAX) {
		rc = run_alone(r, e);
	} else if (!(rc = row_queue_new(r->writer, N_LOTS, &q, e))) {
		rc = run_side_by_side(r, q, e);
		row_queue_free(q);
	}
	return rc ? rc : reject_log_commit(r->log, e);
}

/* ---- in words ---- */

/* "time: 'OOM' in line 14 is a failed run, and so are 2 more rows" */
static void put_mark(const struct import_rows *r, const struct time_mark *m, const char *what,
		     struct strbuf *notes)
{
	if (m->n == 0)
		return;
	text_put_safe(notes, text_table_column(r->table, r->row.values.m->of_kind[FIELD_TIME]),
		      false);
	strbuf_puts(notes, ": '");
	text_put_safe(notes, m->text, false);
	strbuf_printf(notes, "' in line %llu %s", (unsigned long long)m->line, what);
	if (m->n > 1)
		strbuf_printf(notes, ", and so %s %lld more row%s", m->n == 2 ? "is" : "are",
			      (long long)m->n - 1, m->n == 2 ? "" : "s");
	strbuf_putc(notes, '\n');
}

/* Exit codes or states that were misread would leave nothing to learn from. */
static void note_none_finished(const struct import_rows *r, struct strbuf *notes)
{
	const size_t *of_kind = r->row.values.m->of_kind;
	const size_t i =
		of_kind[FIELD_STATUS] != SIZE_MAX ? of_kind[FIELD_STATUS] : of_kind[FIELD_EXIT];

	if (r->n_finished > 0 || r->n_rows == r->n_refused || i == SIZE_MAX)
		return;
	text_put_safe(notes, text_table_column(r->table, i), false);
	strbuf_puts(notes, ": says of no run that it ended well; without such runs no time "
			   "can be predicted (");
	header_kin_put_map(text_table_column(r->table, i), "extra", notes);
	strbuf_puts(notes, " if it says something else)\n");
}

static void note_timeouts(const struct import_rows *r, struct strbuf *notes)
{
	const struct run_row *row = &r->row;

	put_mark(r, &row->longer, "is a timeout, of a run that took longer", notes);
	put_mark(r, &row->late, "is a timeout", notes);
	put_mark(r, &row->failed, "is a failed run", notes);
	missing_times_put_note(&row->missing,
			       text_table_column(r->table, row->values.m->of_kind[FIELD_TIME]),
			       notes);

	if (row->n_at_limit > 0)
		strbuf_printf(notes,
			      "%lld run%s met the limit and %s no time: the limit is its lower "
			      "bound\n",
			      (long long)row->n_at_limit, row->n_at_limit == 1 ? "" : "s",
			      row->n_at_limit == 1 ? "has" : "have");
	if (row->n_without_limit > 0)
		strbuf_printf(notes,
			      "%lld timeout%s without a time or a limit: kept as failed (--map "
			      "COLUMN=limit_s names the limit)\n",
			      (long long)row->n_without_limit,
			      row->n_without_limit == 1 ? "" : "s");
}

/* Spreadsheets end with the sums of their columns. */
static void note_total(const struct import_rows *r, struct strbuf *notes)
{
	enum { LEAST_SUMMED = 3 };
	const double above_s = r->sum_s - r->last_s;

	if (r->n_timed <= LEAST_SUMMED || fabs(above_s - r->last_s) > 1e-3 * r->last_s)
		return;
	strbuf_printf(
		notes,
		"line %llu: the time of the last row is the sum of those above: a total? Take "
		"the import back (lemnos imports undo) and the row out\n",
		(unsigned long long)r->last_line);
}

/* The next letter that counts: capitals, blanks and marks do not. */
static int next_letter(const char **text)
{
	*text += strspn(*text, " \t_-.");
	return tolower((unsigned char)*(*text)++);
}

/* 0: they are alike. */
static int compare_letters(const char *a, const char *b)
{
	int x, y;

	do {
		x = next_letter(&a);
		y = next_letter(&b);
	} while (x == y && x);
	return (x > y) - (x < y);
}

static int by_letters(const void *a, const void *b)
{
	const char *const x = *(char *const *)a, *const y = *(char *const *)b;
	const int order = compare_letters(x, y);

	return order ? order : strcmp(x, y);
}

/* "UCX" and "ucx" */
static void note_words_alike(const struct import_rows *r, struct strbuf *notes)
{
	enum { MOST_SAID = 3 };
	const struct application *a = r->row.values.m->app;
	int n_said = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		const size_t n = a->column[i].levels.n;
		char **word = calloc(n + 1, sizeof *word);

		if (!word) {
			strbuf_fail(notes);
			return;
		}
		if (n > 0)
			memcpy(word, a->column[i].levels.name, n * sizeof *word);
		qsort(word, n, sizeof *word, by_letters);
		for (size_t k = 1; k < n && n_said < MOST_SAID; k++) {
			if (compare_letters(word[k - 1], word[k]) != 0)
				continue;
			n_said++;
			strbuf_printf(notes, "%s: '", a->column[i].name);
			text_put_safe(notes, word[k - 1], false);
			strbuf_puts(notes, "' and '");
			text_put_safe(notes, word[k], false);
			strbuf_puts(notes, "' are two words: where they mean the same, write one "
					   "of them\n");
		}
		free(word);
	}
}

void import_rows_put_notes(const struct import_rows *r, struct strbuf *notes)
{
	note_timeouts(r, notes);
	note_none_finished(r, notes);
	note_total(r, notes);
	note_words_alike(r, notes);
}
