#include "api/system_ranking.h"

#include <stdlib.h>

#include "ingest/number_table.h"
#include "models/cluster_speedup.h"

enum { RANK, RMAX, NMAX, CORES, ACCELERATOR, N_COLUMNS };

static enum err_code read_table(const char *path, struct number_table *out, struct err *e)
{
	static const char *const rank[] = {"rank", NULL};
	static const char *const rmax[] = {"rmax", "r_max", NULL};
	static const char *const nmax[] = {"nmax", "n_max", NULL};
	static const char *const cores[] = {"cores", "total cores", "processors", "total_cores",
					    NULL};
	static const char *const accelerator[] = {"accelerator_cores",
						  "accelerator/co-processor cores",
						  "accelerator cores", "accelerators", NULL};
	static const struct number_column column[N_COLUMNS] = {
		[RANK] = {.names = rank, .least = 1},
		[RMAX] = {.names = rmax, .kind = NUMBER_FLOPS, .least = 1},
		[NMAX] = {.names = nmax, .may_be_empty = true},
		[CORES] = {.names = cores, .may_be_empty = true},
		[ACCELERATOR] = {.names = accelerator, .optional = true, .may_be_empty = true},
	};

	return number_table_read(path, column, N_COLUMNS, out, e);
}

static int by_rank(const void *a, const void *b)
{
	const struct ranked_system *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The slides leave out systems with accelerators and those that tell no N_max. */
static enum err_code take(const double *cell, double w_bytes, struct system_ranking *r,
			  struct err *e)
{
	struct ranked_system *at = &r->row[r->n];
	enum err_code rc;

	r->n_there++;
	if (cell[ACCELERATOR] > 0) {
		r->n_accelerated++;
		return ERR_OK;
	}
	if (!(cell[NMAX] > 0) || !(cell[CORES] > 0)) {
		r->n_incomplete++;
		return ERR_OK;
	}
	*at = (struct ranked_system){.rank = cell[RANK],
				     .rmax_flops = cell[RMAX],
				     .nmax = cell[NMAX],
				     .cores = cell[CORES],
				     .core_flops = cell[RMAX] / cell[CORES]};
	rc = cluster_effective_bandwidth(at->rmax_flops, at->nmax, w_bytes, &at->b_eff_bytes_per_s,
					 e);
	r->n += !rc;
	return rc;
}

/* A good parameter is large where the rank is small. */
static enum err_code correlate(struct system_ranking *r, struct err *e)
{
	double *x = calloc(r->n, 3 * sizeof *x), *b_eff, *core;
	enum err_code rc;

	if (!x)
		return err_set(e, ERR_NOMEM, "%zu systems", r->n);
	b_eff = x + r->n;
	core = b_eff + r->n;
	for (size_t i = 0; i < r->n; i++) {
		x[i] = r->row[i].rank;
		b_eff[i] = -r->row[i].b_eff_bytes_per_s;
		core[i] = -r->row[i].core_flops;
	}
	if (!(rc = spearman(x, b_eff, r->n, &r->b_eff, e)))
		rc = spearman(x, core, r->n, &r->core, e);
	free(x);
	return rc;
}

static enum err_code rank_systems(const struct number_table *t, double first,
				  struct system_ranking *r, struct err *e)
{
	enum err_code rc = ERR_OK;

	r->row = calloc(t->n_rows, sizeof *r->row);
	if (!r->row)
		return err_set(e, ERR_NOMEM, "%zu systems", t->n_rows);
	for (size_t i = 0; i < t->n_rows && !rc; i++) {
		const double *cell = t->cell + i * N_COLUMNS;

		if (cell[RANK] <= first)
			rc = take(cell, 8, r, e);
	}
	if (rc)
		return rc;
	if (r->n < 3)
		return err_set(e, ERR_NODATA,
			       "%zu of %zu systems tell R_max, N_max and cores and have no "
			       "accelerators: a ranking takes 3",
			       r->n, r->n_there);
	qsort(r->row, r->n, sizeof *r->row, by_rank);
	return correlate(r, e);
}

enum err_code system_ranking_read(const char *path, size_t first, struct system_ranking *out,
				  struct err *e)
{
	struct number_table table = {0};
	struct system_ranking r = {0};
	enum err_code rc = read_table(path, &table, e);

	if (!rc)
		rc = rank_systems(&table, (double)first, &r, e);
	number_table_release(&table);
	if (rc)
		system_ranking_release(&r);
	else
		*out = r;
	return rc;
}

void system_ranking_release(struct system_ranking *r)
{
	free(r->row);
	*r = (struct system_ranking){0};
}
