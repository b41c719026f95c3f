#include "mining/findings/complete_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More candidates than fit into the bits of a word are not looked at: a choice. */
enum { MAX_CANDIDATES = 40, NO_CANDIDATE = 255 };

struct candidate {
	uint32_t choice;
	size_t n_cases;
	double slowness; /* mean over its cases of log(time / fastest choice) */
};

struct search {
	const struct cell_means *cells;
	size_t n_strata;
	struct candidate *candidate; /* by choice, then sorted: the first n_candidates run */
	size_t n_candidates;
	unsigned char *slot; /* of a choice: its candidate */
	uint64_t *ran;	     /* by case: the candidates that were run in it, as bits */
	size_t chosen[COMMON_MAX_CHOICES];
	size_t n_chosen, n_cases;
};

static void search_release(struct search *s)
{
	free(s->candidate);
	free(s->slot);
	free(s->ran);
}

/* Those run in most cases first; then the fastest, so that of a complete design those are left
 * that somebody would want. */
static int by_cases_then_speed(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->n_cases != y->n_cases)
		return x->n_cases > y->n_cases ? -1 : 1;
	if (x->slowness != y->slowness)
		return x->slowness < y->slowness ? -1 : 1;
	return (x->choice > y->choice) - (x->choice < y->choice);
}

static void count_candidates(struct search *s)
{
	const struct cell_mean *cell = s->cells->cell;
	size_t n = s->cells->n_choices;

	for (size_t from = 0, to; from < s->cells->n; from = to) {
		double fastest = INFINITY;

		for (to = from; to < s->cells->n && cell[to].stratum == cell[from].stratum; to++)
			fastest = fmin(fastest, cell[to].log_time);
		for (size_t k = from; k < to; k++) {
			s->candidate[cell[k].choice].n_cases++;
			s->candidate[cell[k].choice].slowness += cell[k].log_time - fastest;
		}
	}
	for (size_t k = 0; k < n; k++) {
		s->candidate[k].choice = (uint32_t)k;
		s->candidate[k].slowness /= (double)s->candidate[k].n_cases;
	}
	qsort(s->candidate, n, sizeof *s->candidate, by_cases_then_speed);
	s->n_candidates = n < MAX_CANDIDATES ? n : MAX_CANDIDATES;
}

static enum err_code find_candidates(struct search *s, struct err *e)
{
	size_t n = s->cells->n_choices;

	s->candidate = calloc(n + 1, sizeof *s->candidate);
	s->slot = malloc(n + 1);
	s->ran = calloc(s->n_strata + 1, sizeof *s->ran);
	if (!s->candidate || !s->slot || !s->ran)
		return err_set(e, ERR_NOMEM, "comparison of %zu choices", n);
	count_candidates(s);
	memset(s->slot, NO_CANDIDATE, n + 1);
	for (size_t k = 0; k < s->n_candidates; k++)
		s->slot[s->candidate[k].choice] = (unsigned char)k;
	for (size_t i = 0; i < s->cells->n; i++) {
		unsigned char k = s->slot[s->cells->cell[i].choice];

		if (k != NO_CANDIDATE)
			s->ran[s->cells->cell[i].stratum] |= UINT64_C(1) << k;
	}
	return ERR_OK;
}

static double pair_slowness(const struct search *s, size_t a, size_t b)
{
	return s->candidate[a].slowness + s->candidate[b].slowness;
}

/* Not the most frequent choice first: it may have been run alone nearly everywhere, as blockings
 * on a single processor are. */
static void choose_pair(struct search *s)
{
	size_t together[MAX_CANDIDATES][MAX_CANDIDATES] = {{0}};

	for (size_t i = 0; i < s->n_strata; i++) {
		for (size_t a = 0; s->ran[i] >> a != 0; a++) {
			if (!(s->ran[i] >> a & 1))
				continue;
			for (size_t b = a + 1; b < s->n_candidates; b++)
				together[a][b] += s->ran[i] >> b & 1;
		}
	}
	for (size_t a = 0; a < s->n_candidates; a++) {
		for (size_t b = a + 1; b < s->n_candidates; b++) {
			size_t n = together[a][b];

			if (n < COMMON_MIN_CASES || n < s->n_cases ||
			    (n == s->n_cases &&
			     pair_slowness(s, a, b) >=
				     pair_slowness(s, s->chosen[0], s->chosen[1])))
				continue;
			s->n_cases = n;
			s->n_chosen = 2;
			s->chosen[0] = a;
			s->chosen[1] = b;
		}
	}
}

/* n_with[k]: cases in which candidate k was run, and all those that are chosen already. */
static void count_complete(const struct search *s, uint64_t chosen, size_t *n_with)
{
	memset(n_with, 0, MAX_CANDIDATES * sizeof *n_with);
	for (size_t i = 0; i < s->n_strata; i++) {
		if ((s->ran[i] & chosen) != chosen)
			continue;
		for (size_t k = 0; k < s->n_candidates; k++)
			n_with[k] += s->ran[i] >> k & 1;
	}
}

static uint64_t chosen_bits(const struct search *s)
{
	uint64_t bits = 0;

	for (size_t j = 0; j < s->n_chosen; j++)
		bits |= UINT64_C(1) << s->chosen[j];
	return bits;
}

static void choose_others(struct search *s)
{
	size_t n_with[MAX_CANDIDATES];
	size_t least = (s->n_cases + 1) / 2;

	if (least < COMMON_MIN_CASES)
		least = COMMON_MIN_CASES;
	while (s->n_chosen < COMMON_MAX_CHOICES) {
		uint64_t chosen = chosen_bits(s);
		size_t best = NO_CANDIDATE;

		count_complete(s, chosen, n_with);
		for (size_t k = 0; k < s->n_candidates; k++) {
			if (chosen >> k & 1 || n_with[k] < least)
				continue;
			if (best == NO_CANDIDATE || n_with[k] > n_with[best] ||
			    (n_with[k] == n_with[best] &&
			     s->candidate[k].slowness < s->candidate[best].slowness))
				best = k;
		}
		if (best == NO_CANDIDATE)
			return;
		s->chosen[s->n_chosen++] = best;
		s->n_cases = n_with[best];
	}
}

/* The cells of the complete cases come case by case. */
static void fill_times(const struct search *s, double *log_time)
{
	uint64_t chosen = chosen_bits(s);
	size_t position[MAX_CANDIDATES] = {0};
	size_t n_rows = 0;
	uint32_t stratum = UINT32_MAX;

	for (size_t j = 0; j < s->n_chosen; j++)
		position[s->chosen[j]] = j;
	for (size_t i = 0; i < s->cells->n; i++) {
		const struct cell_mean *c = &s->cells->cell[i];
		unsigned char k = s->slot[c->choice];

		if ((s->ran[c->stratum] & chosen) != chosen)
			continue;
		n_rows += c->stratum != stratum;
		stratum = c->stratum;
		if (k != NO_CANDIDATE && chosen >> k & 1)
			log_time[(n_rows - 1) * s->n_chosen + position[k]] = c->log_time;
	}
}

enum err_code complete_block_find(const struct cell_means *cells, size_t n_strata,
				  struct complete_block *out, struct err *e)
{
	struct search s = {.cells = cells, .n_strata = n_strata};
	struct complete_block c = {0};
	enum err_code rc;

	if ((rc = find_candidates(&s, e)))
		goto done;
	choose_pair(&s);
	if (s.n_chosen > 0)
		choose_others(&s);
	c.log_time = calloc(s.n_cases * s.n_chosen + 1, sizeof *c.log_time);
	if (!c.log_time) {
		rc = err_set(e, ERR_NOMEM, "comparison in %zu cases", s.n_cases);
		goto done;
	}
	fill_times(&s, c.log_time);
	c.n = s.n_chosen;
	c.n_cases = s.n_cases;
	for (size_t j = 0; j < c.n; j++)
		c.choice[j] = s.candidate[s.chosen[j]].choice;
	*out = c;
done:
	search_release(&s);
	return rc;
}

void complete_block_release(struct complete_block *c)
{
	free(c->log_time);
	*c = (struct complete_block){0};
}
