#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "domain/configuration.h"
#include "mining/cases/rule_miners.h"
#include "mining/cases/slowdown_table.h"
#include "mining/findings/findings_private.h"
#include "mining/numerics/group_by.h"
#include "mining/numerics/rank_tests.h"

static bool counts(const struct slowdown_table *t, const size_t *column, size_t n_columns, size_t i)
{
	if (isnan(t->log_slowdown[i]))
		return false;
	for (size_t k = 0; k < n_columns; k++) {
		if (isnan(slowdown_row(t, i)[column[k]]))
			return false;
	}
	return true;
}

static int by_stratum_choice_time(const void *a, const void *b)
{
	const struct cell_mean *x = a, *y = b;

	if (x->stratum != y->stratum)
		return x->stratum < y->stratum ? -1 : 1;
	if (x->choice != y->choice)
		return x->choice < y->choice ? -1 : 1;
	return (x->log_time > y->log_time) - (x->log_time < y->log_time);
}

/* Configurations in order to one cell per case and choice, in place; returns how many. */
static size_t take_medians(struct cell_mean *cell, size_t n)
{
	size_t n_cells = 0;

	for (size_t from = 0, to; from < n; from = to) {
		size_t middle;

		for (to = from + 1; to < n && cell[to].stratum == cell[from].stratum &&
				    cell[to].choice == cell[from].choice;)
			to++;
		middle = from + (to - from) / 2;
		cell[n_cells] = cell[from];
		cell[n_cells++].log_time =
			(to - from) % 2 ? cell[middle].log_time
					: (cell[middle - 1].log_time + cell[middle].log_time) / 2;
	}
	return n_cells;
}

/* choice[i] of the configurations that count, and from there their cells. */
static enum err_code fill(const struct slowdown_table *t, const struct row_key *key,
			  const uint32_t *config, const uint32_t *run, size_t n, uint32_t *choice,
			  struct cell_means *c, struct err *e)
{
	uint32_t *stratum = NULL, *start = NULL, *member;
	enum err_code rc = group_by(key, run, n, choice, c->choice_run, &c->n_choices, e);

	if (rc)
		return rc;
	stratum = calloc(n + 1, sizeof *stratum);
	if (!stratum)
		return err_set(e, ERR_NOMEM, "cases of %zu configurations", n);
	for (size_t i = 0; i < n; i++)
		stratum[i] = t->stratum[config[i]];
	/* Sorted into cases by counting, so that only the few of a case are compared. */
	if (!(rc = group_members(stratum, n, t->n_strata, &start, &member, e))) {
		for (size_t k = 0; k < n; k++) {
			uint32_t i = member[k];

			c->cell[k] =
				(struct cell_mean){stratum[i], choice[i], t->log_time[config[i]]};
		}
		for (size_t s = 0; s < t->n_strata; s++)
			qsort(c->cell + start[s], start[s + 1] - start[s], sizeof *c->cell,
			      by_stratum_choice_time);
		c->n = take_medians(c->cell, n);
	}
	free(start);
	free(stratum);
	return rc;
}

void cell_means_release(struct cell_means *c)
{
	free(c->cell);
	free(c->choice_run);
	*c = (struct cell_means){0};
}

/* Configurations without a slow-down (nothing to compare with, or an absurd time) and those that
 * miss one of the columns are left out. Errors: NOMEM. */
enum err_code cell_means_make(const struct slowdown_table *t, const size_t *column,
			      size_t n_columns, struct cell_means *out, struct err *e)
{
	struct row_key key = {.x = t->runs->rows,
			      .row_of = t->runs->row_of,
			      .n_columns = t->n_columns,
			      .column = column,
			      .n_key = n_columns};
	struct cell_means c = {0};
	uint32_t *config = calloc(t->n + 1, sizeof *config);
	uint32_t *run = calloc(t->n + 1, sizeof *run);
	uint32_t *choice = calloc(t->n + 1, sizeof *choice);
	size_t n = 0;
	enum err_code rc;

	c.cell = calloc(t->n + 1, sizeof *c.cell);
	c.choice_run = calloc(t->n + 1, sizeof *c.choice_run);
	if (!config || !run || !choice || !c.cell || !c.choice_run) {
		rc = err_set(e, ERR_NOMEM, "choices in %zu configurations", t->n);
		goto done;
	}
	for (size_t i = 0; i < t->n; i++) {
		if (!counts(t, column, n_columns, i))
			continue;
		config[n] = (uint32_t)i;
		run[n++] = t->first_run[i];
	}
	rc = fill(t, &key, config, run, n, choice, &c, e);
done:
	free(config);
	free(run);
	free(choice);
	if (rc)
		cell_means_release(&c);
	else
		*out = c;
	return rc;
}

/* More candidates than fit into the bits of a word are not looked at: a choice. */
enum { MAX_CANDIDATES = 40, NO_CANDIDATE = 255 };

struct block_candidate {
	uint32_t choice;
	size_t n_cases;
	double slowness; /* mean over its cases of log(time / fastest choice) */
};

struct block_search {
	const struct cell_means *cells;
	size_t n_strata;
	struct block_candidate *candidate; /* by choice, then sorted: the first n_candidates run */
	size_t n_candidates;
	unsigned char *slot; /* of a choice: its candidate */
	uint64_t *ran;	     /* by case: the candidates that were run in it, as bits */
	size_t chosen[COMMON_MAX_CHOICES];
	size_t n_chosen, n_cases;
};

/* Those run in most cases first; then the fastest, so that of a complete design those are left
 * that somebody would want. */
static int by_cases_then_speed(const void *a, const void *b)
{
	const struct block_candidate *x = a, *y = b;

	if (x->n_cases != y->n_cases)
		return x->n_cases > y->n_cases ? -1 : 1;
	if (x->slowness != y->slowness)
		return x->slowness < y->slowness ? -1 : 1;
	return (x->choice > y->choice) - (x->choice < y->choice);
}

static void count_candidates(struct block_search *s)
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

static void search_release(struct block_search *s)
{
	free(s->candidate);
	free(s->slot);
	free(s->ran);
}

static enum err_code find_candidates(struct block_search *s, struct err *e)
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

static double pair_slowness(const struct block_search *s, size_t a, size_t b)
{
	return s->candidate[a].slowness + s->candidate[b].slowness;
}

/* Not the most frequent choice first: it may have been run alone nearly everywhere, as blockings
 * on a single processor are. */
static void choose_pair(struct block_search *s)
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
static void count_complete(const struct block_search *s, uint64_t chosen, size_t *n_with)
{
	memset(n_with, 0, MAX_CANDIDATES * sizeof *n_with);
	for (size_t i = 0; i < s->n_strata; i++) {
		if ((s->ran[i] & chosen) != chosen)
			continue;
		for (size_t k = 0; k < s->n_candidates; k++)
			n_with[k] += s->ran[i] >> k & 1;
	}
}

static uint64_t chosen_bits(const struct block_search *s)
{
	uint64_t bits = 0;

	for (size_t j = 0; j < s->n_chosen; j++)
		bits |= UINT64_C(1) << s->chosen[j];
	return bits;
}

static void choose_others(struct block_search *s)
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
static void fill_times(const struct block_search *s, double *log_time)
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

void complete_block_release(struct complete_block *c)
{
	free(c->log_time);
	*c = (struct complete_block){0};
}

/* n_strata: cases are numbered 0..n_strata-1. Errors: NOMEM. */
enum err_code complete_block_find(const struct cell_means *cells, size_t n_strata,
				  struct complete_block *out, struct err *e)
{
	struct block_search s = {.cells = cells, .n_strata = n_strata};
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

/* Choices ranked over the cases, as PYTHIA-II ranks methods over a population of problems (Houstis
 * et al., ACM TOMS 26(2), 2000): Friedman rank sums, and which of them differ with all pairs
 * compared at once. */

/* What a choice is: the tunables that vary and copy no other. The grid is none, as which shapes
 * there are depends on the processors. */
struct choice_columns {
	const struct slowdown_table *t;
	size_t *column;
	size_t n;
};

static void list_columns(struct choice_columns *q)
{
	for (size_t i = 0; i < q->t->n_columns; i++) {
		const struct column *c = &q->t->app->column[i];

		if (c->role == COL_TUNABLE && c->candidates != CAND_GRID &&
		    q->t->use[i] != USE_NONE)
			q->column[q->n++] = i;
	}
}

/* "mk=10,mmi=3" */
static char *choice_text(const struct choice_columns *q, const double *row)
{
	const struct application *a = q->t->app;
	struct strbuf text = STRBUF_INIT;
	char *copy;

	for (size_t k = 0; k < q->n; k++) {
		strbuf_printf(&text, "%s%s=", k > 0 ? "," : "", a->column[q->column[k]].name);
		configuration_put_value(a, q->column[k], row[q->column[k]], &text);
	}
	copy = text.failed ? NULL : strdup(strbuf_text(&text));
	strbuf_release(&text);
	return copy;
}

static int by_rank(const void *a, const void *b)
{
	const struct ranked_choice *x = a, *y = b;

	if (x->rank_sum != y->rank_sum)
		return x->rank_sum < y->rank_sum ? -1 : 1;
	return strcmp(x->choice, y->choice);
}

/* Letters, best first: one for every longest run of choices of which the first and the last are not
 * told apart. */
static enum err_code put_letters(struct ranked_choice *choice, size_t n, double difference,
				 struct err *e)
{
	size_t reached = 0; /* all choices before this one have a letter */
	char letter = 'a';

	for (size_t k = 0; k < n; k++) {
		choice[k].ties = calloc(COMMON_MAX_CHOICES + 1, 1);
		if (!choice[k].ties)
			return err_set(e, ERR_NOMEM, "ranking of %zu choices", n);
	}
	for (size_t from = 0; from < n && reached < n; from++) {
		size_t to = from + 1;

		while (to < n && choice[to].rank_sum - choice[from].rank_sum < difference)
			to++;
		if (to <= reached)
			continue; /* within the run before */
		for (size_t k = from; k < to; k++)
			choice[k].ties[strlen(choice[k].ties)] = letter;
		letter++;
		reached = to;
	}
	return ERR_OK;
}

static void ranking_release(struct ranking *r)
{
	for (size_t k = 0; k < r->n_choices; k++) {
		free(r->choice[k].choice);
		free(r->choice[k].ties);
	}
	free(r->choice);
	*r = (struct ranking){0};
}

/* The choices in order of their ranks; choice_run[c]: a run of choice c. */
static enum err_code name_ranked(const struct choice_columns *q, const struct complete_block *in,
				 const uint32_t *choice_run, const double *rank_sum,
				 struct ranking *r, struct err *e)
{
	r->choice = calloc(in->n, sizeof *r->choice);
	if (!r->choice)
		return err_set(e, ERR_NOMEM, "ranking of %zu choices", in->n);
	r->n_choices = in->n;
	for (size_t j = 0; j < in->n; j++) {
		struct ranked_choice *c = &r->choice[j];

		c->choice = choice_text(q, dataset_row(q->t->runs, choice_run[in->choice[j]]));
		c->rank_sum = rank_sum[j];
		c->mean_rank = rank_sum[j] / (double)in->n_cases;
		if (!c->choice)
			return err_set(e, ERR_NOMEM, "ranking of %zu choices", in->n);
	}
	qsort(r->choice, r->n_choices, sizeof *r->choice, by_rank);
	return ERR_OK;
}

static enum err_code rank_choices(const struct choice_columns *q, const struct complete_block *in,
				  const uint32_t *choice_run, double alpha, struct ranking *out,
				  struct err *e)
{
	double rank_sum[COMMON_MAX_CHOICES];
	struct ranking r = {.n_cases = (int64_t)in->n_cases, .alpha = alpha};
	struct friedman test = {0};
	enum err_code rc;

	if (!(rc = friedman_test(in->log_time, in->n_cases, in->n, alpha, rank_sum, &test, e)) &&
	    !(rc = name_ranked(q, in, choice_run, rank_sum, &r, e)))
		rc = put_letters(r.choice, r.n_choices, test.difference, e);
	r.chi2 = test.chi2;
	r.p = test.p;
	if (rc)
		ranking_release(&r);
	else
		*out = r;
	return rc;
}

enum err_code mine_ranking(const struct slowdown_table *t, double alpha, struct findings *out,
			   struct err *e)
{
	struct choice_columns q = {.t = t};
	struct cell_means cells = {0};
	struct complete_block common = {0};
	enum err_code rc = ERR_OK;

	q.column = calloc(t->n_columns + 1, sizeof *q.column);
	if (!q.column)
		return err_set(e, ERR_NOMEM, "ranking over %zu columns", t->n_columns);
	list_columns(&q);
	out->ranking = (struct ranking){.p = NAN, .alpha = alpha};
	if (q.n > 0 && !(rc = cell_means_make(t, q.column, q.n, &cells, e)) &&
	    !(rc = complete_block_find(&cells, t->n_strata, &common, e)) && common.n > 0)
		rc = rank_choices(&q, &common, cells.choice_run, alpha, &out->ranking, e);
	complete_block_release(&common);
	cell_means_release(&cells);
	free(q.column);
	return rc;
}
