#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/configuration.h"
#include "mining/choice_cells.h"
#include "mining/rank_tests.h"
#include "mining/rule_miners.h"

/* Choices ranked over the cases, as PYTHIA-II ranks methods over a population of problems (Houstis
 * et al., ACM TOMS 26(2), 2000): Friedman rank sums, and which of them differ with all pairs
 * compared at once. That wants every choice in every case, which no log of runs has: we rank the
 * choices that were run together most often. */

/* Fewer cases than MIN_CASES rank nothing; more choices than MAX_RANKED are no help to a reader,
 * and more than MAX_CANDIDATES are not looked at. Choices of ours. */
enum { MIN_CASES = 5, MAX_RANKED = 12, MAX_CANDIDATES = 40, NO_CANDIDATE = 255 };

struct candidate {
	uint32_t choice;
	size_t n_cases;
	double excess; /* sum over its cases of log(time / fastest choice) */
};

struct field {
	const struct slowdown_table *t;
	const size_t *column; /* tunables that make a choice; borrowed */
	size_t n_columns;
	struct choice_cells cells;
	struct candidate *candidate; /* by choice, then sorted: the first n_candidates run */
	size_t n_candidates;
	unsigned char *slot;	   /* of a choice: its candidate */
	uint64_t *ran;		   /* by case: candidates that were run, as bits */
	size_t ranked[MAX_RANKED]; /* candidates */
	size_t n_ranked, n_cases;
};

static void field_release(struct field *f)
{
	choice_cells_release(&f->cells);
	free(f->candidate);
	free(f->slot);
	free(f->ran);
}

/* Tunables that vary and copy no other. The grid is no choice of its own here: which shapes there
 * are depends on the processors. */
static size_t choice_columns(const struct slowdown_table *t, size_t *column)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_columns; i++) {
		const struct column *c = &t->app->column[i];

		if (c->role == COL_TUNABLE && c->candidates != CAND_GRID && t->use[i] != USE_NONE)
			column[n++] = i;
	}
	return n;
}

static double mean_excess(const struct candidate *c)
{
	return c->excess / (double)c->n_cases;
}

/* Run in most cases first; then the faster one, so that of a complete design those are ranked that
 * somebody would want. */
static int by_cases_then_speed(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->n_cases != y->n_cases)
		return x->n_cases > y->n_cases ? -1 : 1;
	if (mean_excess(x) != mean_excess(y))
		return mean_excess(x) < mean_excess(y) ? -1 : 1;
	return (x->choice > y->choice) - (x->choice < y->choice);
}

static void count_candidates(struct field *f)
{
	const struct choice_cell *cell = f->cells.cell;

	for (size_t k = 0; k < f->cells.n_choices; k++)
		f->candidate[k].choice = (uint32_t)k;
	for (size_t from = 0, to; from < f->cells.n; from = to) {
		double fastest = INFINITY;

		for (to = from; to < f->cells.n && cell[to].stratum == cell[from].stratum; to++)
			fastest = fmin(fastest, cell[to].log_time);
		for (size_t k = from; k < to; k++) {
			f->candidate[cell[k].choice].n_cases++;
			f->candidate[cell[k].choice].excess += cell[k].log_time - fastest;
		}
	}
	qsort(f->candidate, f->cells.n_choices, sizeof *f->candidate, by_cases_then_speed);
}

static enum err_code find_candidates(struct field *f, struct err *e)
{
	size_t n = f->cells.n_choices;

	f->candidate = calloc(n + 1, sizeof *f->candidate);
	f->slot = malloc(n + 1);
	f->ran = calloc(f->t->n_strata + 1, sizeof *f->ran);
	if (!f->candidate || !f->slot || !f->ran)
		return err_set(e, ERR_NOMEM, "ranking of %zu choices", n);
	count_candidates(f);
	f->n_candidates = n < MAX_CANDIDATES ? n : MAX_CANDIDATES;
	memset(f->slot, NO_CANDIDATE, n + 1);
	for (size_t k = 0; k < f->n_candidates; k++)
		f->slot[f->candidate[k].choice] = (unsigned char)k;
	for (size_t i = 0; i < f->cells.n; i++) {
		unsigned char k = f->slot[f->cells.cell[i].choice];

		if (k != NO_CANDIDATE)
			f->ran[f->cells.cell[i].stratum] |= UINT64_C(1) << k;
	}
	return ERR_OK;
}

/* n_with[k]: cases in which candidate k was run, and all those that are ranked already. */
static void count_complete(const struct field *f, uint64_t ranked, size_t *n_with)
{
	memset(n_with, 0, MAX_CANDIDATES * sizeof *n_with);
	for (size_t s = 0; s < f->t->n_strata; s++) {
		if ((f->ran[s] & ranked) != ranked)
			continue;
		for (size_t k = 0; k < f->n_candidates; k++)
			n_with[k] += f->ran[s] >> k & 1;
	}
}

/* Greedy: always the choice that leaves most complete cases, the faster one of several, until fewer
 * are left than half of those that the first one has. */
static void choose_ranked(struct field *f)
{
	size_t n_with[MAX_CANDIDATES];
	size_t least = f->n_candidates > 0 ? (f->candidate[0].n_cases + 1) / 2 : 0;
	uint64_t ranked = 0;

	if (least < MIN_CASES)
		least = MIN_CASES;
	while (f->n_ranked < MAX_RANKED) {
		size_t best = NO_CANDIDATE;

		count_complete(f, ranked, n_with);
		for (size_t k = 0; k < f->n_candidates; k++) {
			if (ranked >> k & 1)
				continue;
			if (best == NO_CANDIDATE || n_with[k] > n_with[best] ||
			    (n_with[k] == n_with[best] &&
			     mean_excess(&f->candidate[k]) < mean_excess(&f->candidate[best])))
				best = k;
		}
		if (best == NO_CANDIDATE || n_with[best] < least)
			break;
		ranked |= UINT64_C(1) << best;
		f->ranked[f->n_ranked++] = best;
		f->n_cases = n_with[best];
	}
}

/* x[n_cases * n_ranked] of the complete cases. */
static void fill_times(const struct field *f, double *x)
{
	size_t position[MAX_CANDIDATES];
	uint64_t ranked = 0;
	uint32_t stratum = UINT32_MAX;
	size_t row = SIZE_MAX;

	for (size_t j = 0; j < f->n_ranked; j++) {
		ranked |= UINT64_C(1) << f->ranked[j];
		position[f->ranked[j]] = j;
	}
	for (size_t i = 0; i < f->cells.n; i++) {
		const struct choice_cell *c = &f->cells.cell[i];
		unsigned char k = f->slot[c->choice];

		if ((f->ran[c->stratum] & ranked) != ranked)
			continue;
		if (c->stratum != stratum)
			row++;
		stratum = c->stratum;
		if (k != NO_CANDIDATE && ranked >> k & 1)
			x[row * f->n_ranked + position[k]] = c->log_time;
	}
}

/* "mk=10,mmi=3" */
static char *choice_text(const struct field *f, size_t candidate)
{
	const struct application *a = f->t->app;
	uint32_t run = f->cells.choice_run[f->candidate[candidate].choice];
	const double *row = dataset_row(f->t->runs, run);
	struct strbuf text = STRBUF_INIT;
	char *copy;

	for (size_t k = 0; k < f->n_columns; k++) {
		strbuf_printf(&text, "%s%s=", k > 0 ? "," : "", a->column[f->column[k]].name);
		configuration_put_value(a, f->column[k], row[f->column[k]], &text);
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
		choice[k].ties = calloc(MAX_RANKED + 1, 1);
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

static enum err_code name_ranked(const struct field *f, const double *rank_sum, struct ranking *r,
				 struct err *e)
{
	r->choice = calloc(f->n_ranked, sizeof *r->choice);
	if (!r->choice)
		return err_set(e, ERR_NOMEM, "ranking of %zu choices", f->n_ranked);
	r->n_choices = f->n_ranked;
	for (size_t j = 0; j < f->n_ranked; j++) {
		struct ranked_choice *c = &r->choice[j];

		c->choice = choice_text(f, f->ranked[j]);
		c->rank_sum = rank_sum[j];
		c->mean_rank = rank_sum[j] / (double)f->n_cases;
		if (!c->choice)
			return err_set(e, ERR_NOMEM, "ranking of %zu choices", f->n_ranked);
	}
	qsort(r->choice, r->n_choices, sizeof *r->choice, by_rank);
	return ERR_OK;
}

static enum err_code rank_field(const struct field *f, double alpha, struct ranking *out,
				struct err *e)
{
	double rank_sum[MAX_RANKED];
	double *x = calloc(f->n_cases * f->n_ranked, sizeof *x);
	struct ranking r = {.n_cases = (int64_t)f->n_cases, .alpha = alpha};
	struct friedman test = {0};
	enum err_code rc;

	if (!x)
		return err_set(e, ERR_NOMEM, "ranking in %zu cases", f->n_cases);
	fill_times(f, x);
	if (!(rc = friedman_test(x, f->n_cases, f->n_ranked, alpha, rank_sum, &test, e)) &&
	    !(rc = name_ranked(f, rank_sum, &r, e)))
		rc = put_letters(r.choice, r.n_choices, test.difference, e);
	r.chi2 = test.chi2;
	r.p = test.p;
	if (rc)
		ranking_release(&r);
	else
		*out = r;
	free(x);
	return rc;
}

enum err_code mine_ranking(const struct slowdown_table *t, double alpha, struct findings *out,
			   struct err *e)
{
	size_t *column = calloc(t->n_columns + 1, sizeof *column);
	struct field f = {.t = t, .column = column};
	enum err_code rc = ERR_OK;

	if (!column)
		return err_set(e, ERR_NOMEM, "ranking over %zu columns", t->n_columns);
	out->ranking = (struct ranking){.p = NAN, .alpha = alpha};
	f.n_columns = choice_columns(t, column);
	if (f.n_columns == 0)
		goto done;
	if ((rc = choice_cells_make(t, column, f.n_columns, &f.cells, e)) ||
	    (rc = find_candidates(&f, e)))
		goto done;
	choose_ranked(&f);
	if (f.n_ranked > 1)
		rc = rank_field(&f, alpha, &out->ranking, e);
done:
	field_release(&f);
	free(column);
	return rc;
}
