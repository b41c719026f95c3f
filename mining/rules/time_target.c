#include "mining/rules/time_target.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

#include "mining/cases/slowdown_table.h"

void time_target_release(struct time_target *g)
{
	slowdown_table_free(g->table);
	free(g->y);
	free(g->log_base);
	free(g->factor);
	free(g->log_x);
	*g = (struct time_target){0};
}

static enum err_code add_base(struct time_target *g, const struct predictor *base, struct err *e)
{
	g->on_model = predictor_is_structural(base);
	g->log_base = malloc(g->table->n * sizeof *g->log_base + 1);
	if (!g->log_base)
		return err_set(e, ERR_NOMEM, "%zu predictions", g->table->n);
	for (size_t i = 0; i < g->table->n; i++) {
		struct prediction at;

		predictor_predict(base, slowdown_row(g->table, i), 1, &at);
		g->log_base[i] =
			at.time_s > 0 && isfinite(at.time_s) ? log(at.time_s) : (double)NAN;
		if (g->on_model)
			g->y[i] -= g->log_base[i];
	}
	return ERR_OK;
}

static enum err_code put_typical(struct time_target *g, struct err *e)
{
	double *work = malloc(g->table->n * sizeof *work + 1);

	if (!work)
		return err_set(e, ERR_NOMEM, "%zu times", g->table->n);
	for (size_t i = 0; i < g->table->n; i++)
		work[i] = g->y[i];
	g->typical = gsl_stats_median(work, 1, g->table->n);
	free(work);
	return ERR_OK;
}

enum err_code time_target_make(const struct slowdown_table *t, const struct predictor *base,
			       size_t most, struct time_target *out, struct err *e)
{
	struct time_target g = {0};
	enum err_code rc;

	if ((rc = sample_fold(t, NULL, 0, most, &g.table, e)))
		return rc;
	g.y = malloc(g.table->n * sizeof *g.y + 1);
	if (!g.y) {
		rc = err_set(e, ERR_NOMEM, "%zu times", g.table->n);
		goto done;
	}
	for (size_t i = 0; i < g.table->n; i++)
		g.y[i] = g.table->log_time[i];
	if ((base && (rc = add_base(&g, base, e))) || (!g.on_model && (rc = put_typical(&g, e))))
		goto done;
	*out = g;
	return ERR_OK;
done:
	time_target_release(&g);
	return rc;
}

/* A number that is positive wherever it was seen, and varies. */
static bool may_enter(const struct slowdown_table *t, size_t column)
{
	const struct column_bins *b = &t->bins[column];

	return t->use[column] != USE_NONE && b->ordered && b->n > 1 && b->low[0] > 0;
}

enum err_code time_target_add_factors(struct time_target *g, struct err *e)
{
	const struct slowdown_table *t = g->table;
	size_t n = 0;

	g->factor = calloc(t->n_columns + 1, sizeof *g->factor);
	for (size_t c = 0; g->factor && c < t->n_columns; c++) {
		if (may_enter(t, c))
			g->factor[n++] = c;
	}
	g->log_x = malloc(n * t->n * sizeof *g->log_x + 1);
	if (!g->factor || !g->log_x)
		return err_set(e, ERR_NOMEM, "%zu columns of %zu configurations", n, t->n);
	for (size_t i = 0; i < t->n; i++) {
		const double *row = slowdown_row(t, i);

		for (size_t k = 0; k < n; k++) {
			double x = row[g->factor[k]];

			g->log_x[k * t->n + i] = x > 0 && isfinite(x) ? log(x) : (double)NAN;
		}
	}
	g->data = (struct power_data){t->n, g->y, n, g->factor, g->log_x};
	return ERR_OK;
}
