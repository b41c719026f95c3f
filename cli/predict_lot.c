#include "cli/predict_lot.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output.h"

static void predict_all(void *arg);

enum err_code predict_lot_init(struct predict_lot *l, const struct application *app,
			       double confidence, char delimiter, struct err *e)
{
	const size_t n = PREDICT_LOT_ROWS * app->n_columns;

	*l = (struct predict_lot){
		.job = {.run = predict_all, .arg = l},
		.app = app,
		.confidence = confidence,
		.delimiter = delimiter,
		.record = calloc(PREDICT_LOT_ROWS, sizeof *l->record),
		.asked = calloc(n + 1, sizeof *l->asked),
		.row = calloc(n + 1, sizeof *l->row),
	};
	if (l->record && l->asked && l->row)
		return ERR_OK;
	predict_lot_release(l);
	return err_set(e, ERR_NOMEM, "%d configurations", PREDICT_LOT_ROWS);
}

void predict_lot_release(struct predict_lot *l)
{
	free(l->record);
	free(l->asked);
	free(l->row);
	strbuf_release(&l->text);
	strbuf_release(&l->why);
	*l = (struct predict_lot){0};
}

/* ---- its rows ---- */

void predict_lot_clear(struct predict_lot *l)
{
	l->n = 0;
	strbuf_clear(&l->text);
	strbuf_putc(&l->text, '\0'); /* so that no text is at place 0 */
}

size_t predict_lot_keep(struct predict_lot *l, const char *text)
{
	const size_t place = l->text.len;

	strbuf_add(&l->text, text, strlen(text) + 1);
	return place;
}

const char *predict_lot_text(const struct predict_lot *l, size_t place)
{
	return place > 0 ? l->text.buf + place : NULL;
}

bool predict_lot_failed(const struct predict_lot *l)
{
	return l->text.failed || l->why.failed;
}

const double *predict_lot_asked(const struct predict_lot *l, size_t i)
{
	return l->asked + i * l->app->n_columns;
}

double *predict_lot_row(const struct predict_lot *l, size_t i)
{
	return l->row + i * l->app->n_columns;
}

struct lot_record *predict_lot_add(struct predict_lot *l, const char *raw, const double *row)
{
	const size_t size = l->app->n_columns * sizeof *row;
	struct lot_record *r = &l->record[l->n];

	*r = (struct lot_record){.raw = predict_lot_keep(l, raw)};
	memcpy(l->asked + l->n * l->app->n_columns, row, size);
	memcpy(l->row + l->n * l->app->n_columns, row, size);
	l->n++;
	return r;
}

/* ---- the job ---- */

/* The cells of a forecast, with the delimiter before each. */
static size_t put_cells(struct predict_lot *l, const struct forecast *f)
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

static void predict_one(struct predict_lot *l, size_t i)
{
	struct lot_record *r = &l->record[i];
	double *row = predict_lot_row(l, i);

	strbuf_clear(&l->why);
	if (!predict_row_complete(l->app, r->mined->machine, row, &l->why)) {
		r->why = predict_lot_keep(l, strbuf_text(&l->why));
		return;
	}
	r->forecast = predict_row(r->mined->predictor, row, l->confidence);
	if (l->delimiter)
		r->cells = put_cells(l, &r->forecast);
}

static void predict_all(void *arg)
{
	struct predict_lot *l = arg;

	for (size_t i = 0; i < l->n && !predict_lot_failed(l); i++) {
		if (l->record[i].why == 0 && !l->record[i].is_known)
			predict_one(l, i);
	}
}
