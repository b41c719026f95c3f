#include "acquire/design_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/group_by.h"
#include "base/splitmix.h"

enum {
	POINTS_PER_POLL = 4096,
	MAX_WALKED = 1 << 20, /* combinations; of more, points are drawn */
	DRAWN_PER_POINT = 100 /* combinations drawn for each legal one that is looked for */
};

void design_release(struct design *d)
{
	free(d->level);
	*d = (struct design){0};
}

enum err_code design_check_space(const struct design_space *s, struct err *e)
{
	if (s->n_factors < 1 || s->n_factors > DESIGN_MAX_FACTORS)
		return err_set(e, ERR_ARG, "a design of %zu factors: 1 to %d are possible",
			       s->n_factors, DESIGN_MAX_FACTORS);
	for (size_t f = 0; f < s->n_factors; f++) {
		if (s->n_levels[f] < 1)
			return err_set(e, ERR_ARG, "factor %zu of a design has no level", f + 1);
	}
	return ERR_OK;
}

static enum err_code poll(const struct progress *p, uint64_t done, struct err *e)
{
	if (done % POINTS_PER_POLL == 0 && !progress_step(p, "design", done, 0))
		return err_set(e, ERR_INTERRUPTED, "interrupted while making a design");
	return ERR_OK;
}

/* A double, as the product of many counts overflows a size_t. */
static double n_combinations(const struct design_space *s)
{
	double n = 1;

	for (size_t f = 0; f < s->n_factors; f++)
		n *= (double)s->n_levels[f];
	return n;
}

/* Count up; false: that was the last one. */
static bool next_combination(const struct design_space *s, size_t *level)
{
	for (size_t f = s->n_factors; f-- > 0;) {
		if (++level[f] < s->n_levels[f])
			return true;
		level[f] = 0;
	}
	return false;
}

static enum err_code append(struct design *d, size_t *cap, const size_t *level, struct err *e)
{
	if (d->n == *cap) {
		size_t wanted = *cap ? 2 * *cap : 64;
		size_t *grown = wanted <= SIZE_MAX / sizeof *grown / d->n_factors
					? realloc(d->level, wanted * d->n_factors * sizeof *grown)
					: NULL;

		if (!grown)
			return err_set(e, ERR_NOMEM, "a design of %zu points", wanted);
		d->level = grown;
		*cap = wanted;
	}
	memcpy(d->level + d->n++ * d->n_factors, level, d->n_factors * sizeof *level);
	return ERR_OK;
}

static enum err_code too_many(const struct design_space *s, size_t max_points, struct err *e)
{
	return err_set(e, ERR_ARG,
		       "there are more than %zu configurations (%s%.0f combinations): take fewer "
		       "levels, or a design that is a fraction or a Latin hypercube of them",
		       max_points, s->legal ? "the legal ones of " : "", n_combinations(s));
}

enum err_code design_full_factorial(const struct design_space *s, size_t max_points,
				    struct design *out, struct err *e)
{
	struct design d = {.n_factors = s->n_factors, .efficiency = NAN};
	size_t level[DESIGN_MAX_FACTORS] = {0}, cap = 0;
	uint64_t n_seen = 0;
	enum err_code rc = design_check_space(s, e);

	if (rc)
		return rc;
	if (!s->legal && n_combinations(s) > (double)max_points)
		return too_many(s, max_points, e);
	do {
		if ((rc = poll(s->progress, n_seen++, e)))
			break;
		if (!design_is_legal(s, level))
			continue;
		if ((rc = d.n == max_points ? too_many(s, max_points, e)
					    : append(&d, &cap, level, e)))
			break;
	} while (next_combination(s, level));
	if (!rc && d.n == 0)
		rc = err_set(e, ERR_ARG, "no combination of levels is legal");
	if (rc)
		design_release(&d);
	else
		*out = d;
	return rc;
}

/* ---- candidates ---- */

/* All are looked at; of more than `most` legal ones each stays with the same probability
 * (reservoir sampling: Vitter, ACM Trans. Math. Softw. 11(1), 1985, algorithm R). */
static enum err_code walk(const struct design_space *s, size_t most, uint64_t *random,
			  struct design *d, bool *all, struct err *e)
{
	size_t level[DESIGN_MAX_FACTORS] = {0}, cap = 0;
	uint64_t n_seen = 0, n_legal = 0;
	enum err_code rc;

	do {
		if ((rc = poll(s->progress, n_seen++, e)))
			return rc;
		if (!design_is_legal(s, level))
			continue;
		n_legal++;
		if (d->n < most) {
			if ((rc = append(d, &cap, level, e)))
				return rc;
		} else {
			uint64_t at = splitmix_next(random) % n_legal;

			if (at < most)
				memcpy(d->level + at * d->n_factors, level,
				       d->n_factors * sizeof *level);
		}
	} while (next_combination(s, level));
	*all = n_legal <= most;
	return ERR_OK;
}

/* Keep the first of equal points. */
static enum err_code drop_repeated(struct design *d, struct err *e)
{
	size_t n_cells = d->n * d->n_factors, n = 0, column[DESIGN_MAX_FACTORS], n_groups = 0;
	double *x = calloc(n_cells + 1, sizeof *x);
	uint32_t *group = calloc(d->n + 1, sizeof *group), *first = calloc(d->n + 1, sizeof *first);
	struct row_key key = {
		.x = x, .n_columns = d->n_factors, .column = column, .n_key = d->n_factors};
	enum err_code rc = ERR_OK;

	if (d->n == 0)
		goto done;
	if (!x || !group || !first) {
		rc = err_set(e, ERR_NOMEM, "a design of %zu points", d->n);
		goto done;
	}
	for (size_t i = 0; i < n_cells; i++)
		x[i] = (double)d->level[i];
	for (size_t f = 0; f < d->n_factors; f++)
		column[f] = f;
	if ((rc = group_by(&key, NULL, d->n, group, first, &n_groups, e)))
		goto done;
	for (; n < n_groups; n++) /* first[n] >= n, and they ascend */
		memmove(d->level + n * d->n_factors, d->level + first[n] * d->n_factors,
			d->n_factors * sizeof *d->level);
	d->n = n;
done:
	free(x);
	free(group);
	free(first);
	return rc;
}

static enum err_code draw(const struct design_space *s, size_t most, uint64_t *random,
			  struct design *d, struct err *e)
{
	size_t level[DESIGN_MAX_FACTORS], cap = 0;
	enum err_code rc = ERR_OK;

	for (uint64_t i = 0; i < (uint64_t)most * DRAWN_PER_POINT && d->n < most && !rc; i++) {
		if ((rc = poll(s->progress, i, e)))
			return rc;
		for (size_t f = 0; f < s->n_factors; f++)
			level[f] = (size_t)(splitmix_uniform(random) * (double)s->n_levels[f]);
		if (design_is_legal(s, level))
			rc = append(d, &cap, level, e);
	}
	return rc ? rc : drop_repeated(d, e);
}

enum err_code design_candidates(const struct design_space *s, size_t most, uint64_t *random,
				struct design *out, bool *all, struct err *e)
{
	struct design d = {.n_factors = s->n_factors, .efficiency = NAN};
	bool walked = n_combinations(s) <= MAX_WALKED, complete = false;
	enum err_code rc =
		walked ? walk(s, most, random, &d, &complete, e) : draw(s, most, random, &d, e);

	if (!rc && d.n == 0)
		rc = err_set(e, ERR_ARG,
			     walked ? "no combination of levels is legal"
				    : "no legal combination of levels was found among %.0f drawn",
			     (double)most * DRAWN_PER_POINT);
	if (rc) {
		design_release(&d);
		return rc;
	}
	*all = complete;
	*out = d;
	return ERR_OK;
}

double design_level_distance(const size_t *n_levels, const unsigned char *nominal, size_t factor,
			     size_t a, size_t b)
{
	if (a == b)
		return 0;
	if (nominal && nominal[factor])
		return 1;
	return fabs((double)a - (double)b) / (double)(n_levels[factor] - 1);
}

/* ---- order ---- */

void design_shuffle(size_t *item, size_t n, uint64_t *random)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = (size_t)(splitmix_next(random) % (i + 1));

		item[i] = item[k];
		item[k] = i;
	}
}

void design_run_order(size_t n_points, size_t n_repeats, uint64_t seed, struct design_run *run)
{
	for (size_t r = 0; r < n_repeats; r++) {
		struct design_run *block = run + r * n_points;

		/* Fisher and Yates, inside out */
		for (size_t i = 0; i < n_points; i++) {
			size_t k = (size_t)(splitmix_next(&seed) % (i + 1));

			block[i] = block[k];
			block[k] = (struct design_run){i, r};
		}
	}
}
