#include "mining/evaluate/single_best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/group_by.h"

void single_best_release(struct single_best *f)
{
	free(f->row);
	f->row = NULL;
}

bool single_best_holds(const struct single_best *f, const double *row)
{
	if (!f->row)
		return false;
	for (size_t c = 0; c < f->app->n_columns; c++) {
		if (f->app->column[c].role == COL_TUNABLE && row[c] != f->row[c] &&
		    !(isnan(row[c]) && isnan(f->row[c])))
			return false;
	}
	return true;
}

/* Of one setting: its cases, and the mean over them of its mean log slow-down in each. */
struct setting_mean {
	size_t n_cases;
	double mean;
};

/* sum[], n[]: by case, zero, and left so. */
static struct setting_mean average(const struct slowdown_table *t, const uint32_t *config,
				   const uint32_t *member, size_t n_members, double *sum, size_t *n)
{
	struct setting_mean out = {0};

	for (size_t k = 0; k < n_members; k++) {
		uint32_t i = config[member[k]];

		sum[t->stratum[i]] += t->log_slowdown[i];
		n[t->stratum[i]]++;
	}
	for (size_t k = 0; k < n_members; k++) {
		uint32_t s = t->stratum[config[member[k]]];

		if (n[s] == 0)
			continue;
		out.mean += sum[s] / (double)n[s];
		out.n_cases++;
		sum[s] = 0;
		n[s] = 0;
	}
	out.mean /= (double)out.n_cases;
	return out;
}

static size_t best_setting(const struct setting_mean *of, size_t n)
{
	size_t most = 0, best = 0;

	for (size_t g = 0; g < n; g++)
		most = of[g].n_cases > most ? of[g].n_cases : most;
	for (size_t g = 0; g < n; g++) {
		bool common = 2 * of[g].n_cases >= most;

		if (common && (2 * of[best].n_cases < most || of[g].mean < of[best].mean))
			best = g;
	}
	return best;
}

struct settings {
	/* configurations that can be compared, a run of each, its setting; a run of each setting */
	uint32_t *config, *run, *group, *first;
	size_t n, n_groups;
};

static void list_configurations(const struct slowdown_table *t, struct settings *s)
{
	for (size_t i = 0; i < t->n; i++) {
		if (isnan(t->log_slowdown[i]))
			continue;
		s->config[s->n] = (uint32_t)i;
		s->run[s->n++] = t->first_run[i];
	}
}

/* Agreement in all tunables makes a setting. */
static enum err_code group_settings(const struct slowdown_table *t, struct settings *s,
				    struct err *e)
{
	size_t *column = calloc(t->n_columns + 1, sizeof *column);
	struct row_key key = {.x = t->runs->x, .n_columns = t->n_columns, .column = column};
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "tunables of %s", t->app->name);
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->app->column[c].role == COL_TUNABLE)
			column[key.n_key++] = c;
	}
	rc = group_by(&key, s->run, s->n, s->group, s->first, &s->n_groups, e);
	free(column);
	return rc;
}

static enum err_code compare_settings(const struct slowdown_table *t, const struct settings *s,
				      size_t *best, struct err *e)
{
	uint32_t *start = NULL, *member;
	double *sum = calloc(t->n_strata + 1, sizeof *sum);
	size_t *n = calloc(t->n_strata + 1, sizeof *n);
	struct setting_mean *mean = calloc(s->n_groups + 1, sizeof *mean);
	enum err_code rc;

	if (!sum || !n || !mean) {
		rc = err_set(e, ERR_NOMEM, "%zu settings", s->n_groups);
		goto done;
	}
	if ((rc = group_members(s->group, s->n, s->n_groups, &start, &member, e)))
		goto done;
	for (size_t g = 0; g < s->n_groups; g++)
		mean[g] = average(t, s->config, member + start[g], start[g + 1] - start[g], sum, n);
	*best = best_setting(mean, s->n_groups);
done:
	free(start);
	free(sum);
	free(n);
	free(mean);
	return rc;
}

enum err_code single_best_find(const struct slowdown_table *t, struct single_best *out,
			       struct err *e)
{
	uint32_t *own = malloc(4 * t->n * sizeof *own + 1);
	double *row = calloc(t->n_columns + 1, sizeof *row);
	struct settings s = {0};
	struct single_best found = {.app = t->app};
	size_t best = 0;
	enum err_code rc = ERR_OK;

	if (!own || !row) {
		rc = err_set(e, ERR_NOMEM, "settings of %zu configurations", t->n);
		goto done;
	}
	s = (struct settings){own, own + t->n, own + 2 * t->n, own + 3 * t->n, 0, 0};
	list_configurations(t, &s);
	if (s.n > 0) {
		if ((rc = group_settings(t, &s, e)) || (rc = compare_settings(t, &s, &best, e)))
			goto done;
		memcpy(row, dataset_row(t->runs, s.first[best]), t->n_columns * sizeof *row);
		found.row = row;
		row = NULL;
	}
	*out = found;
done:
	free(own);
	free(row);
	return rc;
}
