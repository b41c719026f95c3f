#include "tests/unit/recommend/shared_world.h"

/* ---- every configuration on as many processors as one ---- */

/* The configurations on as many processors as one, found a second time: every grid and block is
 * tried with the public functions of domain/ and mining/ only, and what a neighbour is, is said
 * again in the words of neighbours.h. */

enum { MAX_ALL_PEERS = 4000 };

struct all_peers {
	double row[MAX_ALL_PEERS][WORLD_COLUMNS];
	struct prediction at[MAX_ALL_PEERS];
	size_t n;
};

static const char *const all_peers_free[] = {"npe_i", "npe_j", "mk", "mmi"};

static double all_peers_get(const struct world *w, const struct all_peers *p, size_t i,
			    const char *name)
{
	return world_get(w, p->row[i], name);
}

static void all_peers_try(const struct world *w, const struct advice_request *q,
			  struct all_peers *p, const double *value)
{
	double *r = p->row[p->n];
	double procs = value[0] * value[1];

	assert_true(p->n + 1 < MAX_ALL_PEERS);
	memcpy(r, q->row, w->app->n_columns * sizeof *r);
	for (size_t k = 0; k < 4; k++) {
		size_t column = world_column(w, all_peers_free[k]);

		if (!isnan(r[column]) && r[column] != value[k])
			return;
		r[column] = value[k];
	}
	r[world_column(w, "nodes")] = ceil(procs / 4);
	configuration_derive(w->app, r);
	if (!configuration_legal(w->app, r, NULL) ||
	    configuration_memory_bytes_per_proc(w->app, r) * fmin(4, procs) > 0x1p30)
		return;
	predictor_predict(q->predictor, r, 1, &p->at[p->n++]);
}

/* As many processors as `like` has, and whatever the request fixes. */
static void all_peers_find(const struct world *w, const struct advice_request *q,
			   const double *like, struct all_peers *p)
{
	double procs = world_get(w, like, "procs"), kt = world_get(w, like, "kt");

	p->n = 0;
	for (double i = 1; i <= procs; i++) {
		for (double mk = 1; mk <= kt; mk++) {
			for (double mmi = 1; mmi <= 6; mmi++) {
				if (fmod(procs, i) == 0 && fmod(kt, mk) == 0 && fmod(6, mmi) == 0)
					all_peers_try(w, q, p, (double[]){i, procs / i, mk, mmi});
			}
		}
	}
}

static size_t all_peers_index(const struct world *w, const struct all_peers *p, const double *row)
{
	for (size_t i = 0; i < p->n; i++) {
		bool same = true;

		for (size_t k = 0; k < 4; k++)
			same = same && all_peers_get(w, p, i, all_peers_free[k]) ==
					       world_get(w, row, all_peers_free[k]);
		if (same)
			return i;
	}
	fail_msg("no such configuration");
	return 0;
}

/* The nearest of those that differ from i in `name` only, and for a side of the grid in the other
 * side, too; p->n: none. */
static size_t all_peers_neighbour(const struct world *w, const struct all_peers *p, size_t i,
				  const char *name, bool above)
{
	bool grid = !strcmp(name, "npe_i");
	double here = all_peers_get(w, p, i, name);
	size_t best = p->n;

	for (size_t j = 0; j < p->n; j++) {
		double there = all_peers_get(w, p, j, name);
		bool same = above ? there > here : there < here;

		for (size_t k = 0; k < 4; k++) {
			const char *other = all_peers_free[k];

			if (strcmp(other, name) != 0 && !(grid && !strcmp(other, "npe_j")))
				same = same && all_peers_get(w, p, i, other) ==
						       all_peers_get(w, p, j, other);
		}
		if (same && (best == p->n ||
			     fabs(there - here) < fabs(all_peers_get(w, p, best, name) - here)))
			best = j;
	}
	return best;
}

/* ---- the choice ---- */

/* Among ties the choice is the one whose slowest neighbour is the fastest. */

static struct all_peers all;
static double row[WORLD_COLUMNS];

struct around {
	double slowest_s; /* of it and its neighbours */
	double loss;
	size_t n;
};

static struct around around(size_t i)
{
	static const char *const along[] = {"npe_i", "mk", "mmi"};
	struct around a = {.slowest_s = all.at[i].time_s};

	for (int k = 0; k < 6; k++) {
		size_t j = all_peers_neighbour(&world, &all, i, along[k / 2], k % 2);

		if (j == all.n)
			continue;
		a.n++;
		a.slowest_s = fmax(a.slowest_s, all.at[j].time_s);
		a.loss = fmax(a.loss, all.at[j].time_s / all.at[i].time_s - 1);
	}
	return a;
}

static double tolerance(const struct advice_request *q, const struct choice *best)
{
	double q1 = prediction_quantile_s(q->predictor, &best->prediction, 0.25);
	double q3 = prediction_quantile_s(q->predictor, &best->prediction, 0.75);

	return fmin(fmax((q3 - q1) / 2 / best->prediction.time_s, 0.01), 0.1);
}

static bool is_tied(const struct advice_request *q, const struct choice *best, size_t i)
{
	const struct prediction *at = &all.at[i];

	return at->time_s <= best->prediction.time_s * (1 + tolerance(q, best)) &&
	       prediction_deadline_s(q->predictor, at, q->confidence) <=
		       best->promise_s * (1 + tolerance(q, best)) &&
	       at->support <= best->prediction.support &&
	       (isnan(q->deadline_s) ||
		prediction_p_meet(q->predictor, at, q->deadline_s) >= q->confidence);
}

/* The choice that the header's words describe; counts the ties. */
static size_t most_robust(const struct advice_request *q, const struct choice *best, size_t *n_tied)
{
	size_t chosen = all.n;

	*n_tied = 0;
	for (size_t i = 0; i < all.n; i++) {
		double here, there;

		if (!is_tied(q, best, i))
			continue;
		(*n_tied)++;
		here = around(i).slowest_s;
		there = chosen == all.n ? INFINITY : around(chosen).slowest_s;
		if (here < there || (here == there && all.at[i].time_s < all.at[chosen].time_s))
			chosen = i;
	}
	assert_true(chosen < all.n);
	return chosen;
}

static bool same_rows(const double *a, const double *b)
{
	return a && b && !memcmp(a, b, world.app->n_columns * sizeof *a);
}

/* Ask with and without; returns whether the choice moved. */
static bool check_request(struct advice_request *q)
{
	FREED(advice) *plain = world_find(q), *robust;
	size_t n_tied, want;
	bool moved;

	assert_int_equal(plain->robust_choice.n_tied, 0);
	q->fastest_of_ties = false;
	robust = world_find(q);
	all_peers_find(&world, q, plain->best.row, &all);
	want = most_robust(q, &plain->best, &n_tied);
	assert_int_equal(all_peers_index(&world, &all, robust->best.row), want);
	assert_int_equal(robust->robust_choice.n_tied, n_tied);
	assert_int_equal(robust->robust_choice.n_neighbours, around(want).n);
	check_abs(robust->robust_choice.loss, around(want).loss, 1e-12);
	moved = !same_rows(robust->best.row, plain->best.row);
	assert_int_equal(robust->robust_choice.instead_of.row != NULL, moved);
	if (moved) {
		size_t before = all_peers_index(&world, &all, plain->best.row);

		assert_true(same_rows(robust->robust_choice.instead_of.row, plain->best.row));
		check_abs(robust->robust_choice.loss_instead, around(before).loss, 1e-12);
		assert_true(around(want).slowest_s < around(before).slowest_s);
	}
	return moved;
}

TEST(of_ties_the_one_wins_whose_slowest_neighbour_is_the_fastest)
{
	static const char *const fixed[] = {"nodes=4", "nodes=3", "npe_i=4,npe_j=4", "nodes=6,mk=4",
					    "nodes=5,mmi=2"};
	uint64_t seed = 11;
	int n_moved = 0, n = 40;

	for (int i = 0; i < n; i++) {
		struct advice_request q;
		char problem[64];

		world_problem(&seed, 20, 120, 5, 30, 4, problem);
		world_row(&world, row, problem, fixed[i % 5]);
		q = world_request(&world, row, NAN);
		q.objective = OBJECTIVE_NODE_HOURS;
		n_moved += check_request(&q);
	}
	/* It does something, and not always. */
	assert_in_range(n_moved, 1, n - 1);
}

TEST(a_tie_that_is_too_late_is_none)
{
	struct advice_request q;
	struct advice *a;

	world_row(&world, row, "100x100x100", "nodes=4");
	q = world_request(&world, row, NAN);
	a = world_find(&q);
	/* Just enough for the fastest. */
	q.deadline_s = a->feasible_deadline_s;
	q.objective = OBJECTIVE_NODES;
	advice_free(a);
	check_request(&q);
}

TEST(rules_decide_first)
{
	struct rule r = {
		.kind = RULE_SETTING, .within = 0.01, .coefficient = 1, .min = 1, .max = 1};
	const struct active_rule in_use = {&r, RULE_STATE_ACCEPTED};
	struct advice_request q;
	struct advice *robust, *ruled;
	char setting[100];

	world_row(&world, row, "100x100x100", "nodes=4");
	q = world_request(&world, row, NAN);
	q.objective = OBJECTIVE_NODE_HOURS;
	q.fastest_of_ties = false;
	robust = world_find(&q);
	all_peers_find(&world, &q, robust->best.row, &all);
	/* A rule for one tie that robustness would not choose. */
	for (size_t i = 0; i < all.n; i++) {
		if (same_rows(all.row[i], robust->best.row) ||
		    all.at[i].time_s > robust->best.prediction.time_s ||
		    all.at[i].support > robust->best.prediction.support)
			continue;
		snprintf(setting, sizeof setting, "npe_i = %g and mk = %g and mmi = %g",
			 all_peers_get(&world, &all, i, "npe_i"),
			 all_peers_get(&world, &all, i, "mk"),
			 all_peers_get(&world, &all, i, "mmi"));
	}
	r.condition = strdup("procs > 1");
	r.setting = strdup(setting);
	must(rule_identify(world.app, &r, &err));
	q.rules = &in_use;
	q.n_rules = 1;
	ruled = world_find(&q);
	assert_false(same_rows(ruled->best.row, robust->best.row));
	assert_int_equal(ruled->rules.verdict[0].says, RULE_FOR);
	assert_int_equal(ruled->robust_choice.n_tied, 1);
	assert_null(ruled->robust_choice.instead_of.row);
	advice_free(robust);
	advice_free(ruled);
	free(r.condition);
	free(r.setting);
}

TEST(with_nothing_free_there_is_nothing_to_choose)
{
	struct advice_request q;
	FREED(advice) *a;

	world_row(&world, row, "100x100x100", "npe_i=2,npe_j=4,mk=10,mmi=3,nodes=2");
	q = world_request(&world, row, NAN);
	q.objective = OBJECTIVE_NODE_HOURS;
	q.fastest_of_ties = false;
	a = world_find(&q);
	assert_int_equal(a->robust_choice.n_tied, 1);
	assert_int_equal(a->robust_choice.n_neighbours, 0);
	check_abs(a->robust_choice.loss, 0, 0);
}

/* Whoever asks for the least time is not given more of it for the sake of neighbours. */
TEST(the_fastest_is_not_swapped_for_a_robust_one)
{
	struct advice_request q;
	FREED(advice) *a, *b;

	world_row(&world, row, "100x100x100", "nodes=4");
	q = world_request(&world, row, NAN);
	a = world_find(&q);
	q.fastest_of_ties = false;
	b = world_find(&q);
	assert_true(same_rows(a->best.row, b->best.row));
	assert_int_equal(b->robust_choice.n_tied, 0);
}

/* What would change the answer, held against other ways to world_find it out: neighbours by trying
 * all configurations, limits by asking again beyond them. */

static struct advice_request request(const char *problem, const char *fixed, double deadline_s)
{
	struct advice_request q;

	world_row(&world, row, problem, fixed);
	q = world_request(&world, row, deadline_s);
	q.sensitivity = true;
	return q;
}

static const struct move *move_to(const struct advice *a, size_t i)
{
	for (size_t k = 0; k < a->sensitivity.n; k++) {
		if (all_peers_index(&world, &all, a->sensitivity.move[k].to.row) == i)
			return &a->sensitivity.move[k];
	}
	fail_msg("a step is missing");
	return NULL;
}

TEST(each_parameter_is_moved_one_step_both_ways)
{
	static const struct {
		const char *column, *parameter;
	} along[] = {{"npe_i", "grid"}, {"mk", "mk"}, {"mmi", "mmi"}};
	struct advice_request q = request("60x90x60", NULL, 1);
	FREED(advice) *a = world_find(&q);
	size_t here, n = 0;

	all_peers_find(&world, &q, a->best.row, &all);
	here = all_peers_index(&world, &all, a->best.row);
	for (size_t k = 0; k < 6; k++) {
		size_t there = all_peers_neighbour(&world, &all, here, along[k / 2].column, k % 2);
		const struct move *m;

		if (there == all.n)
			continue;
		n++;
		m = move_to(a, there);
		assert_string_equal(m->parameter, along[k / 2].parameter);
		check_abs(m->to.prediction.time_s, all.at[there].time_s, 0);
		check_rel(m->ratio, all.at[there].time_s / all.at[here].time_s, 1e-15);
		check_abs(m->to.p_meet, prediction_p_meet(q.predictor, &all.at[there], 1), 0);
	}
	assert_true(n > 2);
	assert_int_equal(a->sensitivity.n, n);
}

TEST(what_the_request_fixes_is_not_moved)
{
	struct advice_request q = request("60x90x60", "mk=10,npe_i=2", 1);
	FREED(advice) *a = world_find(&q);

	assert_true(a->sensitivity.n > 0);
	for (size_t i = 0; i < a->sensitivity.n; i++)
		assert_string_equal(a->sensitivity.move[i].parameter, "mmi");
}

TEST(who_does_not_ask_is_not_told)
{
	struct advice_request q = request("60x90x60", NULL, 1);
	FREED(advice) *a;

	q.sensitivity = false;
	a = world_find(&q);
	assert_int_equal(a->sensitivity.n, 0);
	assert_false(a->node_limits.known);
}

/* ---- limits ---- */

/* The nodes of the answer to another deadline or confidence; 0: none. */
static double nodes_at(struct advice_request q, double deadline_s, double confidence)
{
	FREED(advice) *a;
	double nodes;

	q.deadline_s = deadline_s;
	q.confidence = confidence;
	a = world_find(&q);
	nodes = a->feasible ? world_get(&world, a->best.row, "nodes") : INFINITY;
	return nodes;
}

static void check_limits(const struct advice_request *q, const struct advice *a)
{
	const struct node_limits *l = &a->node_limits;
	double nodes = world_get(&world, a->best.row, "nodes");
	double c = q->confidence, d = q->deadline_s, eps = 1e-9;

	assert_true(l->known);
	check_abs(nodes_at(*q, l->deadline_from_s * (1 + eps), c), nodes, 0);
	assert_true(nodes_at(*q, l->deadline_from_s * (1 - eps), c) > nodes);
	if (nodes == 1) {
		assert_true(isnan(l->deadline_to_s));
	} else {
		check_abs(nodes_at(*q, l->deadline_to_s * (1 - eps), c), nodes, 0);
		assert_true(nodes_at(*q, l->deadline_to_s * (1 + eps), c) < nodes);
	}
	if (l->confidence_to < 1 - eps) {
		check_abs(nodes_at(*q, d, l->confidence_to - eps), nodes, 0);
		assert_true(nodes_at(*q, d, l->confidence_to + eps) > nodes);
	}
	if (l->confidence_from > eps) {
		check_abs(nodes_at(*q, d, l->confidence_from + eps), nodes, 0);
		assert_true(nodes_at(*q, d, l->confidence_from - eps) < nodes);
	}
}

TEST(beyond_its_limits_another_number_of_nodes_is_the_answer)
{
	static const char *const fixed[] = {"", "mk=5", "npe_i=3", "mmi=6"};
	uint64_t seed = 5;
	int n_feasible = 0;

	for (int i = 0; i < 24; i++) {
		struct advice_request q;
		FREED(advice) *a;
		char problem[64];

		world_problem(&seed, 20, 120, 4, 20, 5, problem);
		q = request(problem, fixed[i % 4], 0.2 * exp(3 * world_uniform(&seed)));
		q.max_nodes = 24;
		a = world_find(&q);
		n_feasible += a->feasible;
		if (a->feasible)
			check_limits(&q, a);
		else
			assert_false(a->node_limits.known);
	}
	assert_in_range(n_feasible, 8, 24);
}

/* Of one kind of support fewer runs were held out than of another (here 432 and 792), and nothing
 * of that kind is promised with 0.999, by whatever deadline. */
TEST(the_deadline_asked_for_lies_within_its_limits)
{
	static const char *const problem[] = {"20x20x20", "50x50x50", "40x80x100", "60x60x60"};
	int n_feasible = 0;

	for (int i = 0; i < 4; i++) {
		for (double deadline_s = 0.25; deadline_s < 1e7; deadline_s *= 8) {
			struct advice_request q = request(problem[i], "mk=5,mmi=3", deadline_s);
			FREED(advice) *a;

			q.confidence = 0.999;
			a = world_find(&q);
			n_feasible += a->feasible;
			if (a->feasible) {
				const struct node_limits *l = &a->node_limits;

				assert_true(l->deadline_from_s <= deadline_s);
				assert_true(isnan(l->deadline_to_s) ||
					    l->deadline_to_s > deadline_s);
			}
		}
	}
	assert_true(n_feasible >= 6);
}

TEST(limits_of_nodes_are_for_those_who_ask_for_few_nodes)
{
	struct advice_request q = request("60x90x60", NULL, 1);
	struct advice *a;

	q.objective = OBJECTIVE_TIME;
	a = world_find(&q);
	assert_false(a->node_limits.known);
	advice_free(a);
	q = request("60x90x60", "nodes=4", 1);
	a = world_find(&q);
	assert_false(a->node_limits.known);
	advice_free(a);
	q = request("60x90x60", NULL, 1);
	q.budget_node_hours = 0.9; /* plenty */
	a = world_find(&q);
	assert_true(a->feasible);
	assert_false(a->node_limits.known);
	advice_free(a);
}

static bool stop_at_limits(void *arg, const char *what, uint64_t done, uint64_t total)
{
	return !what || strcmp(what, "limits") != 0;
}

/* 1x1 cells have room for one processor: one choice of resources. */
TEST(an_interrupt_ends_the_look_for_limits)
{
	struct advice_request q = request("1x1x10", NULL, 1);
	struct progress progress = {stop_at_limits, NULL};
	struct advice *a = NULL;

	q.progress = &progress;
	assert_int_equal(advice_find(&q, &a, &err), ERR_INTERRUPTED);
	assert_null(a);
}

TEST_GROUP(world_set_up, world_tear_down)
