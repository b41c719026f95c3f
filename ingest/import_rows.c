#include "ingest/import_rows.h"

#include <pthread.h>

#include "base/helper_thread.h"
#include "ingest/row_queue.h"

enum {
	N_LOTS = 4,		/* one is filled, one is stored, two even out */
	ALONE_MAX = 256 * 1024, /* bytes of a table that one thread reads and stores */
};

/* ---- reading ---- */

/* Then "20.000" may have been 20000 in the rows before. */
static enum err_code points_between_thousands(const struct import_rows *r,
					      const struct refusal *why, struct err *e)
{
	return err_set(e, ERR_PARSE,
		       "%s:%llu: %s: %s. Is 20.000 in this file 20 or 20000? Say --decimal . (this "
		       "row is then refused) or --decimal ,",
		       text_table_name(r->table), (unsigned long long)r->record.line, why->column,
		       strbuf_text(&why->reason));
}

static enum err_code read_row(struct import_rows *r, struct kb_run_batch *batch,
			      struct refusal *why, struct err *e)
{
	struct kb_run run;
	enum err_code rc;
	bool taken;

	r->n_rows++; /* first: an error leaves counts that agree */
	if ((rc = run_row_read(&r->row, &r->record, &run, &taken, why, e)))
		return rc;
	if (!taken && why->ends_import)
		return points_between_thousands(r, why, e);
	if (!taken) {
		r->n_refused++;
		return refusal_log_add(r->log, &r->record, why, e);
	}
	r->n_aggregates += run.n_repeats > 1;
	return kb_run_writer_pack(r->writer, &run, batch, e);
}

/* Until the batch is full, for a while if few rows are taken, or until the table ends. */
static enum err_code read_rows(struct import_rows *r, struct kb_run_batch *batch, struct err *e)
{
	enum { ROWS_MAX = 4096 };
	struct refusal why = {0};
	enum err_code rc = ERR_OK;

	for (int n = 0; !rc && r->record.raw && n < ROWS_MAX && !kb_run_batch_is_full(batch); n++) {
		rc = read_row(r, batch, &why, e);
		if (!rc)
			rc = text_table_next(r->table, &r->record, e);
	}
	refusal_release(&why);
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
struct reader {
	struct import_rows *rows;
	struct row_queue *queue;
	enum err_code rc;
	struct err error;
};

/* What was packed before an error is put, too: if that cannot be stored, it comes first. */
static void *read_all(void *arg)
{
	struct reader *reader = arg;
	struct import_rows *r = reader->rows;
	struct row_lot *lot;

	while (!reader->rc && r->record.raw && (lot = row_queue_empty_lot(reader->queue))) {
		reader->rc = read_rows(r, lot->batch, &reader->error);
		lot->bytes_done = bytes_done(r);
		row_queue_put(reader->queue, lot);
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
		struct row_lot *lot = row_queue_take(q, &ended);

		if (lot) {
			done = lot->bytes_done;
			rc = kb_run_writer_store(r->writer, lot->batch, e);
			row_queue_give_back(q, lot);
		}
		if (!rc)
			rc = step(r, done, e);
	}
	return rc;
}

static enum err_code run_side_by_side(struct import_rows *r, struct row_queue *q, struct err *e)
{
	struct reader reader = {.rows = r, .queue = q};
	pthread_t thread;
	enum err_code rc;

	r->row.machines->keeper = q;
	if (!helper_thread_start(&thread, read_all, &reader)) { /* it takes longer, that is all */
		r->row.machines->keeper = NULL;
		return run_alone(r, e);
	}
	rc = store_all(r, q, e);
	row_queue_stop(q);
	pthread_join(thread, NULL);
	r->row.machines->keeper = NULL;
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
	return rc ? rc : refusal_log_flush(r->log, e);
}
