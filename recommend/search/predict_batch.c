#include "recommend/search/predict_batch.h"

#include <stdlib.h>
#include <string.h>

/* A slice is one job: of a cheap question a twentieth of a millisecond, long enough that handing it
 * over costs little. */
enum { FIRST_ROOM = 16, SLICE = 64, HELPERS = 3 };

enum err_code predict_batch_init(struct predict_batch *l, size_t n_columns, struct err *e)
{
	*l = (struct predict_batch){
		.room = FIRST_ROOM,
		.n_columns = n_columns,
		.rows = calloc(PREDICT_BATCH_MAX * n_columns + 1, sizeof *l->rows),
		.nodes = calloc(PREDICT_BATCH_MAX, sizeof *l->nodes),
		.procs = calloc(PREDICT_BATCH_MAX, sizeof *l->procs),
		.at = calloc(PREDICT_BATCH_MAX, sizeof *l->at),
	};
	if (!l->rows || !l->nodes || !l->procs || !l->at) {
		predict_batch_release(l);
		return err_set(e, ERR_NOMEM, "%d configurations", PREDICT_BATCH_MAX);
	}
	return thread_pool_new(HELPERS, &l->pool, e);
}

void predict_batch_release(struct predict_batch *l)
{
	thread_pool_free(l->pool);
	free(l->rows);
	free(l->nodes);
	free(l->procs);
	free(l->at);
	*l = (struct predict_batch){0};
}

/* ---- what is on it ---- */

const double *predict_batch_row(const struct predict_batch *l, size_t i)
{
	return l->rows + i * l->n_columns;
}

void predict_batch_add(struct predict_batch *l, const struct group *g, size_t *next)
{
	const size_t n = group_rows(g, next, l->rows + l->n * l->n_columns, l->room - l->n);

	for (size_t i = l->n; i < l->n + n; i++) {
		l->nodes[i] = g->nodes;
		l->procs[i] = g->procs;
	}
	l->n += n;
}

void predict_batch_add_row(struct predict_batch *l, const double *row, double nodes, double procs)
{
	memcpy(l->rows + l->n * l->n_columns, row, l->n_columns * sizeof *row);
	l->nodes[l->n] = nodes;
	l->procs[l->n++] = procs;
}

bool predict_batch_is_full(const struct predict_batch *l)
{
	return l->n == l->room;
}

void predict_batch_clear(struct predict_batch *l)
{
	l->n = 0;
	if (l->room < PREDICT_BATCH_MAX)
		l->room *= 2;
}

void predict_batch_filter(struct predict_batch *l,
			  bool (*keep)(const void *arg, double nodes, const struct prediction *at),
			  const void *arg)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!keep(arg, l->nodes[i], &l->at[i]))
			continue;
		memmove(l->rows + n * l->n_columns, predict_batch_row(l, i),
			l->n_columns * sizeof *l->rows);
		l->nodes[n] = l->nodes[i];
		l->procs[n] = l->procs[i];
		l->at[n++] = l->at[i];
	}
	l->n = n;
}

/* ---- side by side ---- */

struct slice {
	struct thread_pool_job job;
	const struct predictor *predictor;
	predict_batch_question *ask;
	const double *rows;
	size_t n;
	struct prediction *out;
};

static void ask_slice(void *arg)
{
	struct slice *s = arg;

	s->ask(s->predictor, s->rows, s->n, s->out);
}

void predict_batch_ask(struct predict_batch *l, const struct predictor *p,
		       predict_batch_question *ask)
{
	struct slice slice[PREDICT_BATCH_MAX / SLICE];
	size_t n_slices = 0;

	for (size_t i = 0; i < l->n; i += SLICE) {
		struct slice *s = &slice[n_slices++];

		*s = (struct slice){
			.job = {.run = ask_slice, .arg = s},
			.predictor = p,
			.ask = ask,
			.rows = predict_batch_row(l, i),
			.n = l->n - i < SLICE ? l->n - i : SLICE,
			.out = l->at + i,
		};
		thread_pool_submit(l->pool, &s->job);
	}
	for (size_t k = 0; k < n_slices; k++)
		thread_pool_wait(l->pool, &slice[k].job);
}
