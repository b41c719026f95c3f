#include "recommend/space/tunings.h"

#include <math.h>
#include <stdlib.h>

static bool depends_on_choice(const struct partial_evaluation *l, const struct axis *a)
{
	size_t of = l->app->column[a->column[0]].of;

	return a->n_columns == 1 && of != SIZE_MAX && (l->of[of] & LAYER_GROUP);
}

/* The columns of the list: the tunables, then what is derived from them alone. */
static enum err_code init_list(struct tunings *t, struct err *e)
{
	const struct partial_evaluation *l = t->layers;
	size_t *column = calloc(l->app->n_columns, sizeof *column);
	size_t n = 0;
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "tunings of %zu columns", l->app->n_columns);
	for (size_t i = 0; i < t->n_axes; i++) {
		for (size_t k = 0; k < t->axis[i].n_columns; k++)
			column[n++] = t->axis[i].column[k];
	}
	for (size_t i = 0; i < l->n_derived[LAYER_TUNING]; i++)
		column[n++] = l->derived[LAYER_TUNING][i];
	rc = axis_init(&t->list, column, n, e);
	free(column);
	return rc;
}

enum err_code tunings_init(struct tunings *t, const struct partial_evaluation *l,
			   const struct progress *progress, struct axis *axis, size_t n_axes,
			   struct err *e)
{
	enum err_code rc;

	*t = (struct tunings){.layers = l, .progress = progress, .axis = axis, .n_axes = n_axes};
	for (size_t i = 0; i < n_axes; i++)
		t->varies = t->varies || depends_on_choice(l, &axis[i]);
	if ((rc = init_list(t, e)))
		tunings_release(t);
	return rc;
}

void tunings_release(struct tunings *t)
{
	for (size_t i = 0; i < t->n_axes; i++)
		axis_release(&t->axis[i]);
	free(t->axis);
	axis_release(&t->list);
	*t = (struct tunings){0};
}

/* Judging so many takes about a minute, in which nothing else is done. */
static const uint64_t max_judged = UINT64_C(1000000000);
enum { JUDGED_PER_POLL = 1 << 16 };

/* "a (1000 candidates), b (1000) and c (12)" */
static void put_axes(const struct tunings *t, struct strbuf *out)
{
	const struct application *app = t->layers->app;
	size_t n_named = 0;

	for (size_t i = 0; i < t->n_axes; i++) {
		const struct axis *a = &t->axis[i];

		for (size_t k = 0; k < a->n_columns && a->n > 1; k++) {
			strbuf_printf(out, "%s%s (%zu%s)", n_named > 0 ? ", " : "",
				      app->column[a->column[k]].name, a->n,
				      n_named == 0 ? " candidates" : "");
			n_named++;
		}
	}
}

static enum err_code refuse_size(const struct tunings *t, struct err *e)
{
	struct strbuf axes = STRBUF_INIT;
	enum err_code rc;

	put_axes(t, &axes);
	rc = err_set(e, ERR_ARG,
		     "the tunables have more combinations than are searched (%d legal ones): %s; "
		     "give some of them a value, or narrower ranges or rules of legality in the "
		     "definition",
		     MAX_TUNINGS_LISTED, strbuf_text(&axes));
	strbuf_release(&axes);
	return rc;
}

static enum err_code check_size(struct tunings *t, struct err *e)
{
	if (++t->n_judged % JUDGED_PER_POLL == 0 && !progress_step(t->progress, "search", 0, 0))
		return err_set(e, ERR_INTERRUPTED, "interrupted while listing configurations");
	return t->list.n >= MAX_TUNINGS_LISTED || t->n_judged > max_judged ? refuse_size(t, e)
									   : ERR_OK;
}

static enum err_code add_if_legal(struct tunings *t, double *row, double *work,
				  const struct legality **refusal, struct err *e)
{
	partial_evaluation_derive(t->layers, LAYER_TUNING, row);
	if (partial_evaluation_judge(t->layers, LAYER_TUNING, row, refusal) == VERDICT_ILLEGAL)
		return ERR_OK;
	for (size_t k = 0; k < t->list.n_columns; k++)
		work[k] = row[t->list.column[k]];
	return axis_add(&t->list, work, e);
}

/* Set axis i_axis and all after it. Candidates are listed here because they may depend on tunables
 * that stand before; combinations seen in runs are listed already. */
static enum err_code combine(struct tunings *t, size_t i_axis, double *row, double *work,
			     const struct legality **refusal, struct err *e)
{
	struct axis *a;
	enum err_code rc = ERR_OK;

	if (i_axis == t->n_axes)
		return (rc = check_size(t, e)) ? rc : add_if_legal(t, row, work, refusal, e);
	a = &t->axis[i_axis];
	if (t->layers->app->column[a->column[0]].candidates != CAND_SEEN) {
		partial_evaluation_derive(t->layers, LAYER_TUNING, row);
		if ((rc = axis_fill(a, t->layers->app, row, INFINITY, e)))
			return rc;
	}
	for (size_t i = 0; i < a->n && !rc; i++) {
		axis_put(a, i, row);
		rc = combine(t, i_axis + 1, row, work, refusal, e);
	}
	for (size_t k = 0; k < a->n_columns; k++)
		row[a->column[k]] = NAN;
	return rc;
}

enum err_code tunings_list(struct tunings *t, double *row, const struct legality **refusal,
			   struct err *e)
{
	double *work = calloc(t->list.n_columns + 1, sizeof *work); /* + 1: calloc(0) may be NULL */
	enum err_code rc;

	if (!work)
		return err_set(e, ERR_NOMEM, "tunings of %zu columns", t->list.n_columns);
	t->list.n = 0;
	t->n_judged = 0;
	rc = combine(t, 0, row, work, refusal, e);
	partial_evaluation_derive(t->layers, LAYER_TUNING, row); /* NaN again */
	free(work);
	return rc;
}
