#include "cli/answer/predict_lot.h"

#include <stdlib.h>
#include <string.h>

#include "cli/frame/output.h"

static void predict_all(void *arg);

enum err_code prediction_batch_init(struct prediction_batch *l, const struct application *app,
				    double confidence, char delimiter, struct err *e)
{
	const size_t n = PREDICTION_BATCH_ROWS * app->n_columns;

	*l = (struct prediction_batch){
		.job = {.run = predict_all, .arg = l},
		.app = app,
		.confidence = confidence,
		.delimiter = delimiter,
		.record = calloc(PREDICTION_BATCH_ROWS, sizeof *l->record),
		.asked = calloc(n + 1, sizeof *l->asked),
		.row = calloc(n + 1, sizeof *l->row),
	};
	if (l->record && l->asked && l->row)
		return ERR_OK;
	prediction_batch_release(l);
	return err_set(e, ERR_NOMEM, "%d configurations", PREDICTION_BATCH_ROWS);
}

void prediction_batch_release(struct prediction_batch *l)
{
	free(l->record);
	free(l->asked);
	free(l->row);
	strbuf_release(&l->text);
	strbuf_release(&l->why);
	*l = (struct prediction_batch){0};
}

/* ---- its rows ---- */

void prediction_batch_clear(struct prediction_batch *l)
{
	l->n = 0;
	strbuf_clear(&l->text);
	strbuf_putc(&l->text, '\0'); /* so that no text is at place 0 */
}

size_t prediction_batch_keep(struct prediction_batch *l, const char *text)
{
	const size_t place = l->text.len;

	strbuf_add(&l->text, text, strlen(text) + 1);
	return place;
}

const char *prediction_batch_text(const struct prediction_batch *l, size_t place)
{
	return place > 0 ? l->text.buf + place : NULL;
}

bool prediction_batch_failed(const struct prediction_batch *l)
{
	return l->text.failed || l->why.failed;
}

const double *prediction_batch_asked(const struct prediction_batch *l, size_t i)
{
	return l->asked + i * l->app->n_columns;
}

double *prediction_batch_row(const struct prediction_batch *l, size_t i)
{
	return l->row + i * l->app->n_columns;
}

struct lot_record *prediction_batch_add(struct prediction_batch *l, const char *raw,
					const double *row)
{
	const size_t size = l->app->n_columns * sizeof *row;
	struct lot_record *r = &l->record[l->n];

	*r = (struct lot_record){.raw = prediction_batch_keep(l, raw)};
	memcpy(l->asked + l->n * l->app->n_columns, row, size);
	memcpy(l->row + l->n * l->app->n_columns, row, size);
	l->n++;
	return r;
}

/* ---- the job ---- */

/* The cells of a forecast, with the delimiter before each. */
static size_t put_cells(struct prediction_batch *l, const struct row_prediction *f)
{
	const double value[] = {f->prediction.time_s, f->lo_s, f->hi_s};
	const size_t place = l->text.len;
	char number[REAL_TEXT_SIZE];

	for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
		strbuf_putc(&l->text, l->delimiter);
		strbuf_puts(&l->text, real_text(value[i], number));
	}
	strbuf_putc(&l->text, l->delimiter);
	strbuf_puts(&l->text, support_name(f->prediction.support));
	strbuf_putc(&l->text, '\0');
	return place;
}

static void predict_one(struct prediction_batch *l, size_t i)
{
	struct lot_record *r = &l->record[i];
	double *row = prediction_batch_row(l, i);

	strbuf_clear(&l->why);
	predictor_fill_constants(r->mined->predictor, row);
	if (!predict_row_complete(l->app, r->mined->cores_per_node, row, &l->why)) {
		r->why = prediction_batch_keep(l, strbuf_text(&l->why));
		return;
	}
	r->forecast = predict_row(r->mined->predictor, row, l->confidence);
	if (l->delimiter)
		r->cells = put_cells(l, &r->forecast);
}

static void predict_all(void *arg)
{
	struct prediction_batch *l = arg;

	for (size_t i = 0; i < l->n && !prediction_batch_failed(l); i++) {
		if (l->record[i].why == 0 && !l->record[i].is_known)
			predict_one(l, i);
	}
}
