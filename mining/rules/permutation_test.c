#include "mining/rules/permutation_test.h"

#include <stdlib.h>
#include <string.h>

#include "mining/rules/setting_search.h"
#include "mining/rules/single_conditions.h"

enum {
	DEALS = 99,
	/* So many that seem as good settle that it may be luck (Besag and Clifford, Biometrika 78,
	 * 1991): at most 5 % of deals must. */
	ENOUGH_LUCK = 5,
	MAX_CASES = 100, /* a part of them says as much, and is dealt sooner */
	MAX_CONFIGS = 1500
};

static uint64_t next_random(uint64_t *state) /* splitmix64: Steele et al., OOPSLA 2014 */
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static void shuffle(double *x, size_t n, uint64_t *state)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)(next_random(state) % i);
		double swap = x[i - 1];

		x[i - 1] = x[j];
		x[j] = swap;
	}
}

static enum err_code best_single(const struct setting_cases *s, const uint32_t *which, size_t n,
				 double *score, struct err *e)
{
	struct single_conditions q;
	enum err_code rc = single_conditions_make(s, which, n, &q, e);

	if (rc)
		return rc;
	*score = setting_search_single(&q);
	single_conditions_release(&q);
	return ERR_OK;
}

/* part[] of which[], evenly; returns how many. */
static size_t take_part(const struct setting_cases *s, const uint32_t *which, size_t n,
			uint32_t *part)
{
	size_t n_configs = 0, n_part;

	for (size_t i = 0; i < n; i++)
		n_configs += s->first[which[i] + 1] - s->first[which[i]];
	n_part = n_configs > MAX_CONFIGS ? n * MAX_CONFIGS / n_configs : n;
	if (n_part > MAX_CASES)
		n_part = MAX_CASES;
	for (size_t i = 0; i < n_part; i++)
		part[i] = which[i * n / n_part];
	return n_part;
}

enum err_code permutation_test(const struct setting_cases *s, const uint32_t *which, size_t n,
			       double *p, struct err *e)
{
	struct setting_cases dealt = *s;
	uint32_t *part = malloc((n + 1) * sizeof *part);
	uint64_t state = 1;
	size_t n_part, n_deals = 0, n_lucky = 0;
	double seen = 0, score;
	enum err_code rc = ERR_OK;

	dealt.slowdown = malloc((s->n + 1) * sizeof *dealt.slowdown);
	if (!part || !dealt.slowdown) {
		rc = err_set(e, ERR_NOMEM, "permutations of %zu slow-downs", s->n);
		goto done;
	}
	memcpy(dealt.slowdown, s->slowdown, s->n * sizeof *dealt.slowdown);
	n_part = take_part(s, which, n, part);
	rc = best_single(s, part, n_part, &seen, e);
	for (; n_deals < DEALS && n_lucky < ENOUGH_LUCK && !rc; n_deals++) {
		for (size_t i = 0; i < n_part; i++) {
			size_t first = s->first[part[i]];

			shuffle(dealt.slowdown + first, s->first[part[i] + 1] - first, &state);
		}
		if (!(rc = best_single(&dealt, part, n_part, &score, e)))
			n_lucky += score >= seen;
	}
	*p = (double)(n_lucky + 1) / (double)(n_deals + 1);
done:
	free(part);
	free(dealt.slowdown);
	return rc;
}
