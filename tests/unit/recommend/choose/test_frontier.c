#include "tests/unit/recommend/shared_world.h"

#include "recommend/space/config_space.h"
#include "recommend/search/rank.h"

/* ---- the set itself ---- */

enum { N_COLUMNS = 1 };

/* Time is hours * 3600 / nodes, so that what stands on it is told by hand. The row names it. */
static void offer(struct frontier *f, double nodes, double time_s, double procs, double name)
{
	const struct feasibility o = {.nodes = nodes, .time_s = time_s, .p_meet = 1};
	const struct prediction at = {.time_s = time_s, .scale = 1};

	must(frontier_offer(f, &o, &at, procs, &name, &err));
}

/* The names of its points, fastest first. */
static void check_names(const struct frontier *f, const char *want)
{
	char got[64] = "";

	for (size_t i = 0; i < f->n; i++) {
		char name[16];

		snprintf(name, sizeof name, "%s%g", i ? " " : "", f->point[i].row[0]);
		strcat(got, name);
	}
	assert_string_equal(got, want);
}

TEST(what_another_beats_in_both_is_not_on_it)
{
	RELEASED(frontier) f;

	frontier_init(&f, N_COLUMNS);
	offer(&f, 1, 100, 1, 1); /* 100 node-seconds */
	offer(&f, 2, 60, 2, 2);	 /* 120 */
	offer(&f, 4, 40, 4, 3);	 /* 160 */
	offer(&f, 2, 70, 2, 4);	 /* 140: beaten by 2 */
	offer(&f, 8, 50, 8, 5);	 /* 400: beaten by 3 */
	check_names(&f, "3 2 1");
	offer(&f, 3, 39, 3, 6); /* 117: beats 3 and 2 */
	check_names(&f, "6 1");
	offer(&f, 2, 10, 2, 7); /* 20: beats all */
	check_names(&f, "7");
}

TEST(of_equal_times_the_fewer_node_hours_and_of_equal_node_hours_the_faster)
{
	RELEASED(frontier) f;

	frontier_init(&f, N_COLUMNS);
	offer(&f, 4, 30, 4, 1);
	offer(&f, 2, 30, 2, 2); /* as fast, half the cost */
	check_names(&f, "2");
	offer(&f, 4, 30, 4, 3);
	check_names(&f, "2");
	offer(&f, 4, 15, 4, 4); /* as dear as 2, and faster */
	check_names(&f, "4");
	offer(&f, 1, 60, 1, 5); /* as dear as 4, and slower */
	check_names(&f, "4");
}

TEST(of_equal_ones_the_order_of_the_search_plays_no_part)
{
	RELEASED(frontier) f;

	frontier_init(&f, N_COLUMNS);
	offer(&f, 2, 30, 8, 5);
	offer(&f, 2, 30, 4, 9); /* fewer processors */
	offer(&f, 2, 30, 4, 7); /* smaller values */
	offer(&f, 2, 30, 4, 8);
	check_names(&f, "7");
}

TEST(there_is_room_for_what_could_be_as_good)
{
	RELEASED(frontier) f;

	frontier_init(&f, N_COLUMNS);
	assert_true(frontier_has_room(&f, 1, 1e9));
	offer(&f, 2, 60, 2, 1); /* 120 node-seconds */
	assert_true(frontier_has_room(&f, 2, 60));
	assert_true(frontier_has_room(&f, 8, 59));
	assert_true(frontier_has_room(&f, 1, 119));
	assert_false(frontier_has_room(&f, 2, 60.001));
	assert_false(frontier_has_room(&f, 3, 60));
	assert_false(frontier_has_room(&f, 1, 120));
}

/* Efficiency per time, T1 / (n T) / T, is largest where T * (n T) is least: 100 * 100,
 * 60 * 120 = 7200, 40 * 160 = 6400, 38 * 304. */
TEST(the_knee_has_the_least_time_times_node_hours)
{
	RELEASED(frontier) f;

	frontier_init(&f, N_COLUMNS);
	offer(&f, 1, 100, 1, 1);
	offer(&f, 2, 60, 2, 2);
	offer(&f, 4, 40, 4, 3);
	offer(&f, 8, 38, 8, 4);
	check_abs(f.point[frontier_knee(&f)].row[0], 3, 0);
}

/* ---- of an answer ---- */

struct point {
	double nodes, time_s;
};

/* Every legal configuration, one by one: nothing of the search is used. */
static size_t list_all(const struct advice_request *q, struct point **out)
{
	RELEASED(config_space) space;
	RELEASED(groups) it;
	struct group g;
	double rows[64 * WORLD_COLUMNS];
	struct prediction at[64];
	size_t n = 0, cap = 0;
	bool more;

	*out = NULL;
	must(config_space_init(&space, q, &err));
	must(groups_init(&it, &space, false, &err));
	while (!groups_next(&it, &g, &more, &err) && more) {
		size_t next = 0, k;

		while ((k = group_rows(&g, &next, rows, 64)) > 0) {
			if (n + k > cap) {
				cap = 2 * (n + k);
				*out = realloc(*out, cap * sizeof **out);
				assert_non_null(*out);
			}
			predictor_predict(q->predictor, rows, k, at);
			for (size_t i = 0; i < k; i++)
				(*out)[n++] = (struct point){g.nodes, at[i].time_s};
		}
	}
	return n;
}

static bool beats(const struct point *a, const struct point *b)
{
	double of_a = a->nodes * a->time_s, of_b = b->nodes * b->time_s;

	return a->time_s <= b->time_s && of_a <= of_b && (a->time_s < b->time_s || of_a < of_b);
}

/* By the definition: each against each. */
static size_t count_unbeaten(const struct point *p, size_t n)
{
	size_t n_unbeaten = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		/* What was listed before and is equal stands for it. */
		while (k < n && !beats(&p[k], &p[i]) &&
		       !(k < i && p[k].nodes == p[i].nodes && p[k].time_s == p[i].time_s))
			k++;
		n_unbeaten += k == n;
	}
	return n_unbeaten;
}

static void check_against_all(const struct advice_request *q, const struct advice *a)
{
	HEAP struct point *all;
	size_t n = list_all(q, &all);

	assert_int_equal(a->n_frontier, count_unbeaten(all, n));
	for (size_t i = 0; i < a->n_frontier; i++) {
		const struct choice *c = &a->frontier[i];
		const struct point p = {world_get(&world, c->row, "nodes"), c->prediction.time_s};

		for (size_t k = 0; k < n; k++)
			assert_false(beats(&all[k], &p));
		if (i > 0)
			assert_true(p.nodes > world_get(&world, a->frontier[i - 1].row, "nodes"));
	}
}

static void check_same_points(const struct advice *a, const struct advice *b)
{
	assert_int_equal(a->n_frontier, b->n_frontier);
	assert_int_equal(a->knee, b->knee);
	for (size_t i = 0; i < a->n_frontier; i++) {
		check_abs(a->frontier[i].prediction.time_s, b->frontier[i].prediction.time_s, 0);
		for (size_t k = 0; k < world.app->n_columns; k++)
			check_abs(a->frontier[i].row[k], b->frontier[i].row[k], 0);
	}
}

TEST(the_frontier_is_that_of_all_legal_configurations)
{
	static const char *const fixed[] = {"", "", "mk=7", "mmi=2", "npe_i=3", "nodes=5"};
	uint64_t seed = 3, predicted = 0, legal = 0;

	for (int i = 0; i < 30; i++) {
		FREED(advice) *pruned = NULL, *exhaustive = NULL;
		double row[WORLD_COLUMNS];
		struct advice_request q;
		char problem[64];

		world_problem(&seed, 10, 150, 10, 60, 1, problem);
		world_row(&world, row, problem, fixed[i % 6]);
		q = world_request(&world, row, i % 2 ? NAN : 0.1 * (double)i);
		q.max_nodes = world_pick(&seed, 5, 24);
		q.frontier = true;
		if (i == 0)
			q.deadline_s = 1;
		must(advice_find(&q, &pruned, &err));
		if (i < 6)
			check_against_all(&q, pruned);
		q.exhaustive = true;
		must(advice_find(&q, &exhaustive, &err));
		check_same_points(pruned, exhaustive);
		assert_true(pruned->n_frontier > 0);
		predicted += pruned->n_predicted;
		legal += pruned->n_legal;
	}
	assert_true(predicted < legal);
}

TEST(asking_for_it_does_not_change_the_answer)
{
	FREED(advice) *with = NULL, *without = NULL;
	double row[WORLD_COLUMNS];
	struct advice_request q;

	world_row(&world, row, "100x100x100", NULL);
	q = world_request(&world, row, 10);
	must(advice_find(&q, &without, &err));
	q.frontier = true;
	must(advice_find(&q, &with, &err));
	assert_int_equal(without->n_frontier, 0);
	assert_true(with->n_frontier > 0);
	for (size_t i = 0; i < world.app->n_columns; i++)
		check_abs(with->best.row[i], without->best.row[i], 0);
	assert_int_equal(with->n_alternative, without->n_alternative);
}

TEST_GROUP(world_set_up, world_tear_down)
