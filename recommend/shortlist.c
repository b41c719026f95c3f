#include "recommend/shortlist.h"

#include <stdlib.h>
#include <string.h>

/* A slice is one job: of a cheap question a twentieth of a millisecond, long enough that handing it
 * over costs little. */
enum { FIRST_ROOM = 16, SLICE = 64, HELPERS = 3 };

enum err_code shortlist_init(struct shortlist *l, size_t n_columns, struct err *e)
{
	*l = (struct shortlist){
		.room = FIRST_ROOM,
		.n_columns = n_columns,
		.rows = calloc(SHORTLIST_MAX * n_columns + 1, sizeof *l->rows),
		.nodes = calloc(SHORTLIST_MAX, sizeof *l->nodes),
		.procs = calloc(SHORTLIST_MAX, sizeof *l->procs),
		.at = calloc(SHORTLIST_MAX, sizeof *l->at),
	};
	if (!l->rows || !l->nodes || !l->procs || !l->at) {
		shortlist_release(l);
		return err_set(e, ERR_NOMEM, "%d configurations", SHORTLIST_MAX);
	}
	return crew_new(HELPERS, &l->crew, e);
}

void shortlist_release(struct shortlist *l)
{
	crew_free(l->crew);
	free(l->rows);
	free(l->nodes);
	free(l->procs);
	free(l->at);
	*l = (struct shortlist){0};
}

/* ---- what is on it ---- */

const double *shortlist_row(const struct shortlist *l, size_t i)
{
	return l->rows + i * l->n_columns;
}

void shortlist_add(struct shortlist *l, const struct group *g, size_t *next)
{
	const size_t n = group_rows(g, next, l->rows + l->n * l->n_columns, l->room - l->n);

	for (size_t i = l->n; i < l->n + n; i++) {
		l->nodes[i] = g->nodes;
		l->procs[i] = g->procs;
	}
	l->n += n;
}

bool shortlist_is_full(const struct shortlist *l)
{
	return l->n == l->room;
}

void shortlist_clear(struct shortlist *l)
{
	l->n = 0;
	if (l->room < SHORTLIST_MAX)
		l->room *= 2;
}

void shortlist_filter(struct shortlist *l,
		      bool (*keep)(const void *arg, double nodes, const struct prediction *at),
		      const void *arg)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!keep(arg, l->nodes[i], &l->at[i]))
			continue;
		memmove(l->rows + n * l->n_columns, shortlist_row(l, i),
			l->n_columns * sizeof *l->rows);
		l->nodes[n] = l->nodes[i];
		l->procs[n] = l->procs[i];
		l->at[n++] = l->at[i];
	}
	l->n = n;
}

/* ---- side by side ---- */

struct slice {
	struct crew_job job;
	const struct predictor *predictor;
	shortlist_question *ask;
	const double *rows;
	size_t n;
	struct prediction *out;
};

static void ask_slice(void *arg)
{
	struct slice *s = arg;

	s->ask(s->predictor, s->rows, s->n, s->out);
}

void shortlist_ask(struct shortlist *l, const struct predictor *p, shortlist_question *ask)
{
	struct slice slice[SHORTLIST_MAX / SLICE];
	size_t n_slices = 0;

	for (size_t i = 0; i < l->n; i += SLICE) {
		struct slice *s = &slice[n_slices++];

		*s = (struct slice){
			.job = {.run = ask_slice, .arg = s},
			.predictor = p,
			.ask = ask,
			.rows = shortlist_row(l, i),
			.n = l->n - i < SLICE ? l->n - i : SLICE,
			.out = l->at + i,
		};
		crew_give(l->crew, &s->job);
	}
	for (size_t k = 0; k < n_slices; k++)
		crew_finish(l->crew, &slice[k].job);
}
