#include "mining/training/config_table.h"

#include <stdlib.h>
#include <string.h>

/* Some of the configurations of a table, as a table of their own or as a list. */

static bool keeps_cut(const struct config_table *t, const unsigned char *keep,
		      const unsigned char *keep_cut, size_t k)
{
	if (keep_cut)
		return keep_cut[k];
	return t->cut[k].config == SIZE_MAX || keep[t->cut[k].config];
}

/* new_place[i]: of configuration i in s, SIZE_MAX if it is not there. */
static void copy_configs(const struct config_table *t, const unsigned char *keep,
			 struct config_table *s, size_t *new_place)
{
	for (size_t i = 0; i < t->n; i++) {
		size_t c = s->n;

		new_place[i] = keep[i] ? c : SIZE_MAX;
		if (!keep[i])
			continue;
		memcpy(s->x + c * s->n_columns, config_table_row(t, i),
		       s->n_columns * sizeof *s->x);
		s->time_s[c] = t->time_s[i];
		s->n_repeats[c] = t->n_repeats[i];
		s->source[c] = t->source[i];
		memcpy(s->run_s + s->first[c], t->run_s + t->first[i],
		       t->n_repeats[i] * sizeof *s->run_s);
		s->first[c + 1] = s->first[c] + t->n_repeats[i];
		s->n++;
	}
}

static void copy_cut(const struct config_table *t, const unsigned char *keep,
		     const unsigned char *keep_cut, const size_t *new_place, struct config_table *s)
{
	for (size_t k = 0; k < t->n_cut; k++) {
		struct cut_run cut = t->cut[k];

		if (!keeps_cut(t, keep, keep_cut, k))
			continue;
		memcpy(s->cut_x + s->n_cut * s->n_columns, config_table_cut_row(t, k),
		       s->n_columns * sizeof *s->cut_x);
		if (cut.config != SIZE_MAX)
			cut.config = new_place[cut.config];
		s->cut[s->n_cut++] = cut;
	}
}

enum err_code config_table_split(const struct config_table *t, const unsigned char *keep,
				 const unsigned char *keep_cut, struct config_table **out,
				 struct err *e)
{
	size_t *new_place = calloc(t->n + 1, sizeof *new_place);
	struct config_table *s;
	size_t n = 0, n_runs = 0;

	if (!new_place)
		return err_set(e, ERR_NOMEM, "part of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++) {
		if (keep[i]) {
			n++;
			n_runs += t->n_repeats[i];
		}
	}
	if (n == 0) {
		free(new_place);
		return err_set(e, ERR_NODATA, "no configuration is left of %zu", t->n);
	}
	s = config_table_alloc(t->app, n, n_runs, t->n_cut);
	if (!s) {
		free(new_place);
		return err_set(e, ERR_NOMEM, "table of %zu configurations", n);
	}
	s->noise = t->noise;
	memcpy(s->weight, t->weight, sizeof s->weight);
	copy_configs(t, keep, s, new_place);
	copy_cut(t, keep, keep_cut, new_place, s);
	free(new_place);
	*out = s;
	return ERR_OK;
}

enum err_code config_table_subset(const struct config_table *t, const unsigned char *keep,
				  struct config_table **out, struct err *e)
{
	return config_table_split(t, keep, NULL, out, e);
}

enum run_source config_table_best_source(const struct config_table *t, size_t *n_of)
{
	size_t n[SOURCE_COUNT] = {0};
	int best = 0;

	for (size_t i = 0; i < t->n; i++)
		n[t->source[i]]++;
	while (best + 1 < SOURCE_COUNT && n[best] == 0)
		best++;
	if (n_of)
		memcpy(n_of, n, sizeof n);
	return (enum run_source)best;
}

size_t config_table_pick(const struct config_table *t, size_t most, size_t *pick)
{
	size_t n_of[SOURCE_COUNT], seen[SOURCE_COUNT] = {0}, taken[SOURCE_COUNT] = {0};
	size_t share[SOURCE_COUNT], n = 0;

	config_table_best_source(t, n_of);
	for (int s = 0; s < SOURCE_COUNT; s++) {
		share[s] = n_of[s] < most ? n_of[s] : most;
		most -= share[s];
	}
	for (size_t i = 0; i < t->n; i++) {
		unsigned char s = t->source[i];

		/* the k-th of share is number floor(k n_of / share) of its source */
		if (taken[s] < share[s] &&
		    seen[s] == (size_t)((double)taken[s] * (double)n_of[s] / (double)share[s])) {
			pick[n++] = i;
			taken[s]++;
		}
		seen[s]++;
	}
	return n;
}
