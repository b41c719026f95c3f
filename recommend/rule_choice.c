#include "recommend/rule_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "recommend/alternatives.h"

/* Below one per cent nobody minds, and beyond ten "cannot tell apart" would be an excuse. */
static const double least_within = 0.01, most_within = 0.10;

/* Blocks and grid shapes of one number of processors are a few thousand. Where they are not, this
 * many in the order of the space are enough for an answer within a tenth of a second. */
enum { MAX_CANDIDATES = 100000, GROUPS_PER_POLL = 4096 };

/* Rules for a configuration less rules against it. */
struct score {
	int accepted, others;
};

/* The search among ties under way. */
struct ties {
	const struct rule_advice *rules;
	const struct search *search;
	enum criterion criterion;
	const struct winner *first; /* the best by prediction */
	double within;
	struct winner *chosen; /* of those seen so far */
	struct score score;    /* of chosen */
	enum rule_side *side;  /* of the candidate that is looked at; [count] */
	uint64_t n_tied, n_seen;
	bool *can_follow; /* [count]: some candidate does what the rule says */
	/* How many ties rule y is not against; how many of them rule x is not against either. */
	size_t *content;      /* [count] */
	size_t *content_with; /* [x * count + y], of accepted x and other y */
};

static bool is_accepted(const struct ties *t, size_t i_rule)
{
	return rule_advice_get(t->rules, i_rule)->state == VERDICT_ACCEPTED;
}

static enum err_code ties_init(struct ties *t, struct err *e)
{
	size_t n = rule_advice_count(t->rules);

	t->side = calloc(n + 1, sizeof *t->side);
	t->can_follow = calloc(n + 1, sizeof *t->can_follow);
	t->content = calloc(n + 1, sizeof *t->content);
	t->content_with = calloc(n * n + 1, sizeof *t->content_with);
	if (!t->side || !t->can_follow || !t->content || !t->content_with)
		return err_set(e, ERR_NOMEM, "what %zu rules say", n);
	return ERR_OK;
}

static void ties_release(struct ties *t)
{
	free(t->side);
	free(t->can_follow);
	free(t->content);
	free(t->content_with);
}

/* ---- one candidate ---- */

static bool has_say(const struct ties *t, size_t i_rule)
{
	const struct rule *r = rule_advice_get(t->rules, i_rule)->rule;

	return is_accepted(t, i_rule) || r->kind != RULE_SETTING || r->within <= t->within;
}

static struct score score_of(const struct ties *t)
{
	struct score s = {0, 0};

	for (size_t i = 0; i < rule_advice_count(t->rules); i++) {
		if (is_accepted(t, i))
			s.accepted += (int)t->side[i];
		else if (has_say(t, i))
			s.others += (int)t->side[i];
	}
	return s;
}

static void count_content(struct ties *t)
{
	size_t n = rule_advice_count(t->rules);

	for (size_t y = 0; y < n; y++)
		t->content[y] += t->side[y] != RULE_AGAINST;
	/* accepted ones come first */
	for (size_t x = 0; x < n && is_accepted(t, x); x++) {
		if (t->side[x] == RULE_AGAINST)
			continue;
		for (size_t y = 0; y < n; y++)
			t->content_with[x * n + y] += t->side[y] != RULE_AGAINST;
	}
}

static void count_tie(struct ties *t, const double *row)
{
	rule_advice_ask(t->rules, row, t->side);
	count_content(t);
	t->n_tied++;
}

static bool is_tied(const struct ties *t, const struct prediction *at, const struct outlook *o)
{
	const struct prediction *best = &t->first->prediction;

	return at->time_s <= best->time_s * (1 + t->within) && at->support <= best->support &&
	       outlook_keeps_limits_of(o, &t->first->outlook);
}

static bool is_preferred(const struct ties *t, const struct score *s, const struct rank_key *key,
			 const struct outlook *o, double procs, const double *row)
{
	if (s->accepted != t->score.accepted)
		return s->accepted > t->score.accepted;
	if (s->others != t->score.others)
		return s->others > t->score.others;
	return winner_is_beaten(t->chosen, key, o, procs, row, t->search->request->app->n_columns);
}

static void note_followed(struct ties *t, const double *row)
{
	rule_advice_ask(t->rules, row, t->side);
	for (size_t i = 0; i < rule_advice_count(t->rules); i++)
		t->can_follow[i] |= t->side[i] == RULE_FOR;
}

static void consider(struct ties *t, const struct group *g, const double *row,
		     const struct prediction *at)
{
	const struct advice_request *q = t->search->request;
	struct outlook o = search_outlook(q, g->nodes, at);
	struct rank_key key = rank_key(t->criterion, &o);
	struct score score;

	if (!is_tied(t, at, &o) || rows_are_equal(row, t->first->row, q->app->n_columns))
		return;
	count_tie(t, row);
	score = score_of(t);
	if (!is_preferred(t, &score, &key, &o, g->procs, row))
		return;
	t->score = score;
	t->chosen->key = key;
	t->chosen->outlook = o;
	t->chosen->prediction = *at;
	memcpy(t->chosen->row, row, q->app->n_columns * sizeof *row);
}

/* ---- all candidates ---- */

static void consider_group(struct ties *t, const struct group *g)
{
	const struct search *s = t->search;
	struct prediction at[SEARCH_BATCH];
	size_t next = 0, n;

	while (t->n_seen < MAX_CANDIDATES &&
	       (n = group_rows(g, &next, s->rows, SEARCH_BATCH)) > 0) {
		predictor_predict(s->request->predictor, s->rows, n, at);
		t->n_seen += n;
		for (size_t i = 0; i < n; i++) {
			const double *row = s->rows + i * s->request->app->n_columns;

			note_followed(t, row);
			consider(t, g, row, &at[i]);
		}
	}
}

static enum err_code walk(struct ties *t, struct err *e)
{
	const struct search *s = t->search;
	uint64_t n_groups = 0;
	struct groups it;
	struct group g;
	bool more;
	enum err_code rc = groups_init(&it, s->space, false, e);

	if (rc)
		return rc;
	it.least_procs = it.most_procs = t->first->procs;
	while (t->n_seen < MAX_CANDIDATES && !(rc = groups_next(&it, &g, &more, e)) && more) {
		if (n_groups++ % GROUPS_PER_POLL == 0 &&
		    !progress_step(s->request->progress, "rules", n_groups, 0)) {
			rc = err_set(e, ERR_INTERRUPTED, "interrupted while asking rules");
			break;
		}
		if (g.procs == t->first->procs && g.nodes == t->first->outlook.nodes)
			consider_group(t, &g);
	}
	groups_release(&it);
	return rc;
}

/* ---- what came of it ---- */

/* Half the central 50 % interval of the best, as a share of its time. */
static double tolerance(const struct predictor *p, const struct prediction *best)
{
	double width_s =
		prediction_quantile_s(p, best, 0.75) - prediction_quantile_s(p, best, 0.25);

	return fmin(fmax(width_s / (2 * best->time_s), least_within), most_within);
}

/* The rules that make the difference between the choice and the best by prediction. */
static enum err_code name_reasons(const struct ties *t, struct rule_choice *out, struct err *e)
{
	size_t n = rule_advice_count(t->rules);
	enum rule_side *of_first = calloc(n + 1, sizeof *of_first);

	out->because = calloc(n + 1, sizeof *out->because);
	if (!of_first || !out->because) {
		free(of_first);
		return err_set(e, ERR_NOMEM, "reasons of %zu rules", n);
	}
	rule_advice_ask(t->rules, t->first->row, of_first);
	rule_advice_ask(t->rules, t->chosen->row, t->side);
	for (size_t i = 0; i < n; i++) {
		if (t->side[i] > of_first[i] && has_say(t, i))
			out->because[out->n_because++] = rule_advice_get(t->rules, i)->rule;
	}
	free(of_first);
	return ERR_OK;
}

/* An accepted rule was preferred to another that is against the choice, if the other could have
 * been heeded, but never together with the accepted one. */
static enum err_code name_preferences(struct ties *t, struct rule_report *report, struct err *e)
{
	size_t n = rule_advice_count(t->rules);
	enum err_code rc = ERR_OK;

	rule_advice_ask(t->rules, t->chosen->row, t->side);
	for (size_t y = 0; y < n; y++) {
		if (is_accepted(t, y) || t->side[y] != RULE_AGAINST || t->content[y] == 0)
			continue;
		for (size_t x = 0; x < n && is_accepted(t, x) && !rc; x++) {
			if (t->side[x] != RULE_AGAINST && t->content_with[x * n + y] == 0)
				rc = rule_report_add_preference(
					report, rule_advice_get(t->rules, x)->rule,
					rule_advice_get(t->rules, y)->rule, e);
		}
	}
	return rc;
}

/* A setting that no legal configuration of these processors has is no reproach to the choice. */
static void drop_impossible(const struct ties *t, struct rule_report *report)
{
	size_t kept = 0;

	for (size_t k = 0; k < report->n; k++) {
		const struct rule_opinion *o = &report->opinion[k];
		bool possible = o->stand != STANDS_AGAINST || o->of->rule->kind != RULE_SETTING;

		for (size_t i = 0; i < rule_advice_count(t->rules) && !possible; i++)
			possible = rule_advice_get(t->rules, i) == o->of && t->can_follow[i];
		if (possible)
			report->opinion[kept++] = *o;
	}
	report->n = kept;
}

static enum err_code describe(struct ties *t, struct rule_choice *out, struct rule_report *report,
			      struct err *e)
{
	const struct advice_request *q = t->search->request;
	const struct winner *first = t->first;
	enum err_code rc;

	out->n_tied = t->n_tied;
	out->within = t->within;
	drop_impossible(t, report);
	if ((rc = name_preferences(t, report, e)) ||
	    rows_are_equal(first->row, t->chosen->row, q->app->n_columns))
		return rc;
	if ((rc = choice_make(q, first->row, &first->outlook, &first->prediction, NULL,
			      &out->instead_of, e)))
		return rc;
	return name_reasons(t, out, e);
}

/* Time rules have no say among ties: the predictor has followed them already. */
static bool may_choose(const struct rule_advice *rules)
{
	for (size_t i = 0; i < rule_advice_count(rules); i++) {
		if (rule_advice_get(rules, i)->rule->kind != RULE_TIME)
			return true;
	}
	return false;
}

enum err_code rule_choice_make(const struct rule_advice *rules, const struct search *s,
			       enum criterion c, struct winner *best, struct rule_choice *out,
			       struct rule_report *report, struct err *e)
{
	struct winner first = *best;
	struct ties t = {.rules = rules,
			 .search = s,
			 .criterion = c,
			 .first = &first,
			 .within = tolerance(s->request->predictor, &best->prediction),
			 .chosen = best};
	enum err_code rc;

	if (!may_choose(rules))
		return rule_advice_report(rules, best->row, &best->prediction, report, e);
	first.row = s->winner[c].row;
	if ((rc = ties_init(&t, e)))
		goto done;
	count_tie(&t, first.row);
	t.score = score_of(&t);
	if (!(rc = walk(&t, e)) &&
	    !(rc = rule_advice_report(rules, best->row, &best->prediction, report, e)))
		rc = describe(&t, out, report, e);
done:
	ties_release(&t);
	return rc;
}

void rule_choice_release(struct rule_choice *c)
{
	free(c->instead_of.row);
	free(c->because);
	*c = (struct rule_choice){0};
}
