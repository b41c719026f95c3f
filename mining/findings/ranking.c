#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/configuration.h"
#include "mining/findings/cell_means.h"
#include "mining/findings/complete_block.h"
#include "mining/numerics/rank_tests.h"
#include "mining/cases/rule_miners.h"

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
