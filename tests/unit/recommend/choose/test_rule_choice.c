#include "recommend/search/rank.h"
#include "tests/unit/recommend/made_rules.h"

/* What rules do to an answer. The configurations that predictions cannot tell apart are found a
 * second time here, by trying every grid and block with the public functions of domain/ and
 * mining/ only. */

enum { MAX_TIES = 20000 };

/* ---- ties, a second time ---- */

struct ties {
	double row[MAX_TIES][WORLD_COLUMNS];
	struct prediction at[MAX_TIES];
	size_t n;
	double within;
};
static struct ties ties;

static double get(const double *r, const char *name)
{
	return world_get(&world, r, name);
}

static void put(double *r, const char *name, double value)
{
	r[world_column(&world, name)] = value;
}

/* What the objective `time` ranks by: these problems were not measured. */
static double score_s(const struct advice_request *q, const struct prediction *at)
{
	return prediction_quantile_s(q->predictor, at, RANK_SCORE_PROB);
}

static bool is_tied(const struct advice_request *q, const struct choice *first,
		    const struct prediction *at)
{
	if (q->objective == OBJECTIVE_TIME &&
	    score_s(q, at) > score_s(q, &first->prediction) * (1 + ties.within))
		return false;
	return at->time_s <= first->prediction.time_s * (1 + ties.within) &&
	       prediction_deadline_s(q->predictor, at, q->confidence) <=
		       first->promise_s * (1 + ties.within) &&
	       at->support <= first->prediction.support &&
	       (isnan(q->deadline_s) ||
		prediction_p_meet(q->predictor, at, q->deadline_s) >= q->confidence);
}

static void try_tie(const struct advice_request *q, const struct choice *first, double npe_i,
		    double npe_j, double mk, double mmi)
{
	double *r = ties.row[ties.n];

	memcpy(r, q->row, world.app->n_columns * sizeof *r);
	put(r, "npe_i", npe_i);
	put(r, "npe_j", npe_j);
	put(r, "mk", mk);
	put(r, "mmi", mmi);
	put(r, "nodes", ceil(npe_i * npe_j / 4));
	configuration_derive(world.app, r);
	if (!configuration_legal(world.app, r, NULL) ||
	    configuration_memory_bytes_per_proc(world.app, r) * fmin(4, npe_i * npe_j) > 0x1p30)
		return;
	predictor_predict(q->predictor, r, 1, &ties.at[ties.n]);
	if (is_tied(q, first, &ties.at[ties.n]))
		assert_true(++ties.n < MAX_TIES);
}

/* All configurations with the processors of first; what the request fixes is not looked at. */
static void find_ties(const struct advice_request *q, const struct choice *first)
{
	static const double mmi[] = {1, 2, 3, 6};
	double procs = get(first->row, "procs"), kt = get(first->row, "kt");
	double q1 = prediction_quantile_s(q->predictor, &first->prediction, 0.25);
	double q3 = prediction_quantile_s(q->predictor, &first->prediction, 0.75);

	ties.n = 0;
	ties.within = fmin(fmax((q3 - q1) / 2 / first->prediction.time_s, 0.01), 0.1);
	for (double i = 1; i <= procs; i++) {
		if (fmod(procs, i) != 0)
			continue;
		for (double mk = 1; mk <= kt; mk++) {
			for (int k = 0; k < 4 && fmod(kt, mk) == 0; k++)
				try_tie(q, first, i, procs / i, mk, mmi[k]);
		}
	}
}

/* A tied configuration other than first; the k-th of them. */
static const double *other_tie(const struct choice *first, size_t k)
{
	for (size_t i = 0; i < ties.n; i++) {
		if (!same_rows(ties.row[i], first->row) && k-- == 0)
			return ties.row[i];
	}
	fail_msg("only %zu ties", ties.n);
	return NULL;
}

/* "npe_i = 2 and npe_j = 4 and mk = 10 and mmi = 3" */
static const char *exactly(const double *r)
{
	static char text[4][200];
	static int at;

	at = (at + 1) % 4;
	snprintf(text[at], sizeof text[at], "npe_i = %g and npe_j = %g and mk = %g and mmi = %g",
		 get(r, "npe_i"), get(r, "npe_j"), get(r, "mk"), get(r, "mmi"));
	return text[at];
}

/* The request that most tests ask, with its answer by prediction alone and the ties of that. */
static struct advice *ask_first(struct advice_request *q)
{
	struct advice *a;

	*q = request("100x100x100", "nodes=4", NAN);
	a = find_without(*q);
	assert_int_equal(a->rule_choice.n_tied, 0);
	find_ties(q, &a->best);
	assert_true(ties.n > 3);
	return a;
}

static struct advice *ask_again(struct advice_request *q)
{
	q->n_rules = n_rules;
	return world_find(q);
}

/* ---- moving the choice ---- */

TEST_WITH(a_setting_rule_moves_the_choice_to_a_tie_and_says_so, NULL, no_rules)
{
	struct advice_request q;
	FREED(advice) *first = ask_first(&q), *a;
	const double *wanted = other_tie(&first->best, 1);
	struct rule *r = add_rule(RULE_SETTING, RULE_STATE_NEW, "procs >= 2", exactly(wanted));
	struct prediction at;

	a = ask_again(&q);
	assert_true(same_rows(a->best.row, wanted));
	/* what is predicted is of the choice, not of what it was moved away from */
	predictor_predict(q.predictor, wanted, 1, &at);
	check_abs(a->best.prediction.time_s, at.time_s, 0);
	check_rel(a->best.node_hours, 4 * at.time_s / 3600, 1e-12);
	assert_true(at.time_s != first->best.prediction.time_s);
	assert_true(same_rows(a->rule_choice.instead_of.row, first->best.row));
	assert_int_equal(a->rule_choice.n_tied, ties.n);
	check_rel(a->rule_choice.within, ties.within, 1e-12);
	assert_int_equal(a->rule_choice.n_because, 1);
	assert_ptr_equal(a->rule_choice.because[0], r);
	assert_int_equal(a->rules.n, 1);
	assert_ptr_equal(a->rules.verdict[0].of->rule, r);
	assert_int_equal(a->rules.verdict[0].says, RULE_FOR);
	/* The best by prediction is the fastest still. */
	assert_string_equal(a->alternative[0].why, "fastest");
	assert_true(same_rows(a->alternative[0].row, first->best.row));
}

TEST_WITH(a_choice_rule_moves_the_choice_away, NULL, no_rules)
{
	struct advice_request q;
	FREED(advice) *first = ask_first(&q), *a;

	add_rule(RULE_CHOICE, RULE_STATE_NEW, exactly(first->best.row), NULL);
	a = ask_again(&q);
	assert_false(same_rows(a->best.row, first->best.row));
	/* Without rules about the others the fastest of them wins. */
	for (size_t i = 0; i < ties.n; i++) {
		if (!same_rows(ties.row[i], first->best.row))
			assert_true(a->best.prediction.time_s <= ties.at[i].time_s);
	}
	assert_int_equal(a->rules.n, 0);
	assert_int_equal(a->rule_choice.n_because, 1);
}

TEST_WITH(one_accepted_rule_outweighs_two_new_ones, NULL, no_rules)
{
	struct advice_request q;
	struct advice *first = ask_first(&q), *a;
	const double *by_new = other_tie(&first->best, 0),
		     *by_accepted = other_tie(&first->best, 1);
	struct rule *new_ones[2], *accepted;

	new_ones[0] = add_rule(RULE_SETTING, RULE_STATE_NEW, "", exactly(by_new));
	new_ones[1] = add_rule(RULE_SETTING, RULE_STATE_NEW, "procs > 1", exactly(by_new));
	accepted = add_rule(RULE_SETTING, RULE_STATE_ACCEPTED, "", exactly(by_accepted));
	a = ask_again(&q);
	assert_true(same_rows(a->best.row, by_accepted));
	assert_int_equal(a->rules.n_preferences, 2);
	for (int i = 0; i < 2; i++) {
		assert_ptr_equal(a->rules.preference[i].accepted, accepted);
		assert_ptr_equal(a->rules.preference[i].to, new_ones[i]);
	}
	/* Accepted ones come first in what is said. */
	assert_int_equal(a->rules.n, 3);
	assert_ptr_equal(a->rules.verdict[0].of->rule, accepted);
	assert_int_equal(a->rules.verdict[1].says, RULE_AGAINST);
	advice_free(a);
	/* Among equals the majority decides. */
	in_use[2].state = RULE_STATE_NEW;
	a = ask_again(&q);
	assert_true(same_rows(a->best.row, by_new));
	assert_int_equal(a->rules.n_preferences, 0);
	advice_free(a);
	advice_free(first);
}

TEST_WITH(rules_that_can_be_heeded_together_are_not_called_a_conflict, NULL, no_rules)
{
	struct advice_request q;
	FREED(advice) *first = ask_first(&q), *a;
	const double *wanted = other_tie(&first->best, 2);
	char mk[40];

	snprintf(mk, sizeof mk, "mk = %g", get(wanted, "mk"));
	add_rule(RULE_SETTING, RULE_STATE_NEW, "", exactly(wanted));
	add_rule(RULE_SETTING, RULE_STATE_ACCEPTED, "", mk);
	a = ask_again(&q);
	assert_true(same_rows(a->best.row, wanted));
	assert_int_equal(a->rules.n_preferences, 0);
}

/* Two accepted rules that can be heeded together, and a new one that can be heeded together with
 * the second of them only: it gave way to the first. */
TEST_WITH(what_could_be_heeded_with_one_accepted_rule_gives_way_to_the_other, NULL, no_rules)
{
	struct advice_request q;
	struct advice *first = ask_first(&q), *a;
	const double *wanted = ties.row[0], *other = wanted;
	struct rule *accepted, *against;
	char mk[40];

	for (size_t i = 0; i < ties.n && other == wanted; i++) {
		for (size_t k = 0; k < ties.n && other == wanted; k++) {
			if (get(ties.row[i], "mk") != get(ties.row[k], "mk") ||
			    get(ties.row[i], "mmi") == get(ties.row[k], "mmi"))
				continue;
			wanted = ties.row[i];
			other = ties.row[k];
		}
	}
	assert_true(other != wanted);
	snprintf(mk, sizeof mk, "mk = %g", get(wanted, "mk"));
	accepted = add_rule(RULE_SETTING, RULE_STATE_ACCEPTED, "", exactly(wanted));
	add_rule(RULE_SETTING, RULE_STATE_ACCEPTED, "", mk);
	against = add_rule(RULE_SETTING, RULE_STATE_NEW, "", exactly(other));
	a = ask_again(&q);
	assert_true(same_rows(a->best.row, wanted));
	assert_int_equal(a->rules.n_preferences, 1);
	assert_ptr_equal(a->rules.preference[0].accepted, accepted);
	assert_ptr_equal(a->rules.preference[0].to, against);
	advice_free(a);
	advice_free(first);
}

/* ---- what must not move it ---- */

TEST_WITH(a_refused_rule_has_no_influence, NULL, no_rules)
{
	struct advice_request q;
	FREED(advice) *first = ask_first(&q), *a;

	add_rule(RULE_SETTING, RULE_STATE_REFUSED, "", exactly(other_tie(&first->best, 0)));
	add_rule(RULE_CHOICE, RULE_STATE_REFUSED, exactly(first->best.row), NULL);
	a = ask_again(&q);
	check_same_choice(a, first);
	assert_int_equal(a->rules.n, 0);
	assert_null(a->rule_choice.instead_of.row);
}

TEST_WITH(rules_that_hold_nowhere_change_nothing, NULL, no_rules)
{
	struct advice_request q;
	FREED(advice) *first = ask_first(&q), *a;

	add_rule(RULE_SETTING, RULE_STATE_ACCEPTED, "procs > 1e6", "mk = 1");
	add_rule(RULE_CHOICE, RULE_STATE_ACCEPTED, "k_blocks > 1e6", NULL);
	a = ask_again(&q);
	check_same_choice(a, first);
	assert_int_equal(a->rules.n, 0);
	assert_int_equal(a->rule_choice.n_tied, ties.n);
}

/* Blocks of one plane and one angle cost several times as much here: no accepted rule helps. */
TEST_WITH(nothing_moves_beyond_the_tolerance, NULL, no_rules)
{
	struct advice_request q;
	FREED(advice) *first = ask_first(&q), *a;

	for (size_t i = 0; i < ties.n; i++)
		assert_false(get(ties.row[i], "mk") == 1 && get(ties.row[i], "mmi") == 1);
	add_rule(RULE_SETTING, RULE_STATE_ACCEPTED, "", "mk = 1 and mmi = 1");
	a = ask_again(&q);
	check_same_choice(a, first);
	assert_int_equal(a->rules.n, 1);
	assert_int_equal(a->rules.verdict[0].says, RULE_AGAINST);
}

/* 7 planes do not divide 100, 10 do. */
TEST_WITH(a_setting_that_nothing_has_is_no_reproach, NULL, no_rules)
{
	struct advice_request q;
	struct advice *first = ask_first(&q), *a;

	add_rule(RULE_SETTING, RULE_STATE_ACCEPTED, "", "mk = 7");
	add_rule(RULE_SETTING, RULE_STATE_NEW, "", "mk = 10");
	a = ask_again(&q);
	assert_int_equal(a->rules.n, 1);
	assert_ptr_equal(a->rules.verdict[0].of->rule, rule[1]);
	advice_free(a);
	advice_free(first);
}

/* "Within 20 % of the best" is no news among configurations within a few per cent; unless a person
 * stands behind it. */
TEST_WITH(a_loose_promise_has_a_say_only_if_it_was_accepted, NULL, no_rules)
{
	struct advice_request q;
	struct advice *first = ask_first(&q), *a;
	const double *wanted = other_tie(&first->best, 1);

	assert_true(ties.within < 0.2);
	add_rule(RULE_SETTING, RULE_STATE_NEW, "", exactly(wanted))->within = 0.2;
	a = ask_again(&q);
	check_same_choice(a, first);
	assert_int_equal(a->rules.verdict[0].says, RULE_AGAINST);
	advice_free(a);
	in_use[0].state = RULE_STATE_ACCEPTED;
	/* another loose one, to the same end: it is no reason */
	add_rule(RULE_SETTING, RULE_STATE_NEW, "procs > 1", exactly(wanted))->within = 0.2;
	a = ask_again(&q);
	assert_true(same_rows(a->best.row, wanted));
	assert_int_equal(a->rule_choice.n_because, 1);
	assert_ptr_equal(a->rule_choice.because[0], rule[0]);
	advice_free(a);
	advice_free(first);
}

TEST_WITH(what_the_request_fixes_stays, NULL, no_rules)
{
	struct advice_request q;
	FREED(advice) *a;

	add_rule(RULE_SETTING, RULE_STATE_ACCEPTED, "", "mk = 10 and npe_i = 2");
	q = request("100x100x100", "mk=5,npe_i=4,npe_j=4", NAN);
	a = world_find(&q);
	check_abs(get(a->best.row, "mk"), 5, 0);
	check_abs(get(a->best.row, "npe_i"), 4, 0);
	assert_int_equal(a->rules.verdict[0].says, RULE_AGAINST);
}

/* ---- the rule of choosing, over many requests ---- */

/* Rules for a row less rules against it, by the text of the header. */
static int score(const double *r, enum kb_rule_state state)
{
	int sum = 0;

	for (size_t i = 0; i < n_rules; i++) {
		struct rule_test *t = NULL;

		if (in_use[i].state != state || rule[i]->kind == RULE_TIME)
			continue;
		if (state == RULE_STATE_NEW && rule[i]->kind == RULE_SETTING &&
		    rule[i]->within > ties.within)
			continue;
		assert_int_equal(rule_test_new(world.app, rule[i], &t, NULL), ERR_OK);
		if (rule_condition_holds(t, r))
			sum += rule[i]->kind == RULE_SETTING && rule_setting_holds(t, r) ? 1 : -1;
		rule_test_free(t);
	}
	return sum;
}

static void make_random_rules(uint64_t *seed)
{
	static const char *const condition[] = {
		"",	    "procs >= 16", "npe_i > npe_j",	      "k_blocks <= 10",
		"jt >= 20", "mmi = 6",	   "cells_per_proc <= 40000", "mk between 2 and 5"};
	static const char *const setting[] = {"mk between 2 and 5", "mk >= 10", "mmi = 3",
					      "mmi in (2, 6)",	    "mk <= 2",	"npe_i <= npe_j"};

	drop_rules();
	for (int i = 0; i < 6; i++) {
		enum rule_kind kind = world_uniform(seed) < 0.6 ? RULE_SETTING : RULE_CHOICE;
		enum kb_rule_state state = (enum kb_rule_state)world_pick(seed, 0, 2);
		double within = world_uniform(seed) < 0.7 ? 0.01 : 0.2;
		const char *set = kind == RULE_SETTING ? setting[world_pick(seed, 0, 5)] : NULL;

		add_rule(kind, state, condition[world_pick(seed, 0, 7)], set)->within = within;
	}
}

/* What ranks on the same nodes [s]. */
static double rank_s(const struct advice_request *q, const struct prediction *at)
{
	return q->objective == OBJECTIVE_TIME
		       ? score_s(q, at)
		       : prediction_deadline_s(q->predictor, at, q->confidence);
}

/* No tie is better by accepted rules, then new ones, then the objective; and the choice is a tie.
 */
static void check_best_of_ties(const struct advice_request *q, const struct advice *a)
{
	int accepted = score(a->best.row, RULE_STATE_ACCEPTED),
	    others = score(a->best.row, RULE_STATE_NEW);
	bool found = false;

	for (size_t i = 0; i < ties.n; i++) {
		int s = score(ties.row[i], RULE_STATE_ACCEPTED),
		    t = score(ties.row[i], RULE_STATE_NEW);

		assert_true(s <= accepted);
		assert_true(s < accepted || t <= others);
		assert_true(s < accepted || t < others ||
			    rank_s(q, &ties.at[i]) >= rank_s(q, &a->best.prediction));
		found = found || same_rows(ties.row[i], a->best.row);
	}
	assert_true(found);
	assert_int_equal(a->rule_choice.n_tied, ties.n);
}

TEST_WITH(the_choice_is_the_best_of_the_ties_by_rules_and_support_is_never_worse, NULL, no_rules)
{
	static const enum objective objective[] = {OBJECTIVE_NODES, OBJECTIVE_NODE_HOURS,
						   OBJECTIVE_TIME};
	uint64_t seed = 7;
	int n_moved = 0;

	skip_under_valgrind("thousands of predictions; the other tests walk the same code");
	for (int k = 0; k < 60; k++) {
		struct advice_request q;
		struct advice *first, *a, *all;
		char problem[64];

		world_problem(&seed, 20, 120, 10, 120, 1, problem);
		make_random_rules(&seed);
		q = request(problem, "", NAN);
		q.max_nodes = world_pick(&seed, 2, 24);
		first = find_without(q);
		q.deadline_s = first->feasible_deadline_s * (1 + world_uniform(&seed));
		q.objective = objective[k % 3];
		advice_free(first);
		first = find_without(q);
		assert_true(first->feasible);
		find_ties(&q, &first->best);
		a = world_find(&q);
		check_best_of_ties(&q, a);
		assert_true(a->feasible && a->best.p_meet >= q.confidence);
		assert_true(a->best.prediction.support <= first->best.prediction.support);
		check_abs(get(a->best.row, "nodes"), get(first->best.row, "nodes"), 0);
		n_moved += !same_rows(a->best.row, first->best.row);
		q.exhaustive = true;
		all = world_find(&q);
		check_same_choice(a, all);
		assert_int_equal(all->rule_choice.n_tied, a->rule_choice.n_tied);
		advice_free(all);
		advice_free(a);
		advice_free(first);
	}
	assert_true(n_moved > 10); /* or the test tells nothing */
}

TEST_WITH(best_effort_follows_rules_too, NULL, no_rules)
{
	struct advice_request q = request("100x100x100", "nodes=4", 1e-3);
	FREED(advice) *first = find_without(q), *a;

	assert_false(first->feasible);
	add_rule(RULE_CHOICE, RULE_STATE_ACCEPTED, exactly(first->best.row), NULL);
	a = ask_again(&q);
	assert_false(a->feasible);
	assert_true(same_rows(a->rule_choice.instead_of.row, first->best.row));
	assert_false(same_rows(a->best.row, first->best.row));
	check_abs(a->feasible_deadline_s, first->feasible_deadline_s, 0);
}

TEST_GROUP(world_set_up, world_tear_down)
