#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/check.h"

#include "base/strbuf.h"
#include "domain/configuration.h"
#include "tests/support/mining_set_up.h"
#include "mining/rules/invariants.h"
#include "mining/rules/mine_rules.h"
#include "mining/cases/rule_miners.h"

FREEABLE(slowdown_table)

/* ---- the chance, against all permutations ---- */

enum { N = 6 };

typedef bool relation(double a, double b);

static bool equal(double a, double b)
{
	return a == b;
}

static bool at_most(double a, double b)
{
	return a <= b;
}

/* The share of the permutations of b in which the relation holds in every row. */
static double share(const double *a, const double *b, bool *used, size_t i, relation *r)
{
	double sum = 0;

	if (i == N)
		return 1;
	for (size_t j = 0; j < N; j++) {
		if (used[j] || !r(a[i], b[j]))
			continue;
		used[j] = true;
		sum += share(a, b, used, i + 1, r);
		used[j] = false;
	}
	return sum / (double)(N - i);
}

TEST(chances_are_those_of_all_permutations)
{
	static const double table[][2][N] = {
		{{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}},
		{{1, 1, 2, 2, 4, 4}, {1, 1, 2, 2, 4, 4}},
		{{8, 16, 24, 8, 8, 16}, {8, 16, 24, 24, 32, 32}},
		{{1, 1, 1, 1, 2, 3}, {5, 7, 9, 11, 2, 3}},
	};

	for (size_t k = 0; k < 4; k++) {
		bool used[N] = {false};
		double a[N], b[N], exact;

		memcpy(a, table[k][0], sizeof a);
		memcpy(b, table[k][1], sizeof b);
		exact = share(a, b, used, 0, at_most);
		check_rel(exp(log_chance_at_most(a, b, N)), exact, 1e-12);
		exact = share(a, b, used, 0, whole_divides);
		assert_true(exp(log_chance_divides(a, b, N)) >= exact * (1 - 1e-12));
		assert_true(exp(log_chance_divides(a, b, N)) <= 10 * exact);
		if (k > 1)
			continue;
		exact = share(a, b, used, 0, equal);
		check_rel(exp(log_chance_equal(a, N)), exact, 1e-12);
	}
}

TEST(powers_and_multiples_are_counted)
{
	double powers[] = {4, 1, 2, 8, 2};
	const double a[] = {1, 2, 4, 2}, b[] = {4, 4, 8, 10};

	/* 1, 2, 4, 8 of 1 to 8: one choice of 70 */
	check_rel(exp(log_chance_powers(powers, 5)), 1. / 70, 1e-12);
	/* Of 4 to 10: beside 4 stand 1 and 2, which 4 of 7 are multiples of; 2 are of 4; 4 of 2. */
	check_rel(exp(log_chance_multiples(a, b, 4)), 4. / 7 * 2 / 7 * 4 / 7, 1e-12);
	assert_true(whole_divides(3, 12));
	assert_false(whole_divides(5, 12));
	assert_false(whole_divides(0.5, 12));
	assert_false(whole_divides(3, 0));
	assert_true(is_power_of_two(1));
	assert_false(is_power_of_two(6));
	assert_false(is_power_of_two(0.5));
}

/* ---- what is mined ---- */

struct app_runs {
	struct application *app;
	struct dataset *runs;
};

/* An application on nodes; constraint may be NULL. */
static struct app_runs app_runs_of(const char *problem, const char *tunables,
				   const char *constraint)
{
	struct name_list list[3];
	const struct ad_hoc flags = {.name = "toy",
				     .target = "time",
				     .target_unit_s = 1,
				     .problem = names_of(&list[0], problem),
				     .tunable = names_of(&list[1], tunables),
				     .resource_column = names_of(&list[2], "nodes"),
				     .resource_field = list[2].name,
				     .constraint = (const char *const[]){constraint, NULL}};
	struct app_runs c = {.app = application_of_flags(&flags)};

	c.runs = dataset_new(c.app);
	assert_non_null(c.runs);
	return c;
}

static void app_runs_release(struct app_runs *c)
{
	dataset_free(c->runs);
	application_free(c->app);
}

static void add(struct app_runs *c, const char *values, enum run_status status)
{
	double row[16];

	configuration_clear(c->app, row);
	must(configuration_set(c->app, values, row, &err));
	runs_add_as(c->runs, row, 10 + (double)(c->runs->n % 7), SOURCE_MEASURED, status);
}

/* The settings of the invariants, in the order of their text, joined by "; ". */
static void check_invariants(struct app_runs *c, const char *want)
{
	RELEASED(mined) m = {.rules = {.n = 0}};
	const char *text[16];
	RELEASED(strbuf) got = STRBUF_INIT;
	size_t n = 0;

	must(mine_rules(c->runs, NULL, "there", NULL, NULL, &m, &err));
	for (size_t r = 0; r < m.rules.n; r++) {
		size_t at = n;

		if (m.rules.item[r].kind != RULE_INVARIANT)
			continue;
		assert_true(n < 16);
		assert_true(m.rules.item[r].evidence.p_value < 0.01);
		for (; at > 0 && strcmp(text[at - 1], m.rules.item[r].setting) > 0; at--)
			text[at] = text[at - 1];
		text[at] = m.rules.item[r].setting;
		n++;
	}
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&got, "%s%s", i ? "; " : "", text[i]);
	assert_string_equal(strbuf_text(&got), want);
}

/* Tiles of each size are all those among 8, 12, 16 and 20 that divide it. */
static void add_tiled(struct app_runs *c)
{
	for (int s = 48; s <= 240; s += 16) {
		for (int t = 8; t <= 20; t += 4) {
			char text[60];

			for (int nodes = 1; nodes <= 3 && s % t == 0; nodes++) {
				snprintf(text, sizeof text, "size=%d,tile=%d,nodes=%d", s, t,
					 nodes);
				add(c, text, RUN_OK);
			}
		}
	}
}

TEST(a_divisor_is_found)
{
	RELEASED(app_runs) c = app_runs_of("size", "tile", NULL);

	add_tiled(&c);
	check_invariants(&c, "size % tile = 0");
}

TEST(one_run_that_breaks_it_is_enough)
{
	RELEASED(app_runs) c = app_runs_of("size", "tile", NULL);

	add_tiled(&c);
	add(&c, "size=48,tile=20,nodes=1", RUN_FAILED); /* perhaps for that reason */
	add(&c, "size=48,tile=20,nodes=1", RUN_TIMEOUT);
	check_invariants(&c, "size % tile = 0");
	add(&c, "size=48,tile=20,nodes=1", RUN_OK);
	c.runs->flagged[c.runs->n - 1] = 1; /* its time is suspicious; it ended */
	check_invariants(&c, "");
}

TEST(a_known_rule_of_legality_leaves_nothing_to_find)
{
	RELEASED(app_runs) c = app_runs_of("size", "tile", "tile <= size");

	add_tiled(&c);
	check_invariants(&c, "");
}

/* 8 divides all sizes, and 16 those it was run with; but three runs of it may be luck. */
TEST(few_runs_say_nothing)
{
	RELEASED(app_runs) c = app_runs_of("size", "tile", NULL);

	add(&c, "size=48,tile=16,nodes=1", RUN_OK);
	add(&c, "size=64,tile=16,nodes=1", RUN_OK);
	add(&c, "size=80,tile=16,nodes=2", RUN_OK);
	add(&c, "size=72,tile=8,nodes=1", RUN_OK);
	add(&c, "size=56,tile=8,nodes=2", RUN_OK);
	check_invariants(&c, "");
}

/* Of a factorial every permutation is a row of it. */
TEST(what_all_values_allow_is_no_finding)
{
	struct app_runs c = app_runs_of("size", "tile", NULL);

	for (int s = 64; s <= 512; s += 64) {
		for (int t = 8; t <= 32; t *= 2) {
			char text[60];

			snprintf(text, sizeof text, "size=%d,tile=%d,nodes=1", s, t);
			add(&c, text, RUN_OK);
		}
	}
	check_invariants(&c, "");
	app_runs_release(&c);
	/* But a tunable that is named like a part of the problem is suspected. */
	c = app_runs_of("groups", "groupsets", NULL);
	for (int s = 64; s <= 512; s += 64) {
		for (int t = 8; t <= 32; t *= 2) {
			char text[60];

			snprintf(text, sizeof text, "groups=%d,groupsets=%d,nodes=1", s, t);
			add(&c, text, RUN_OK);
		}
	}
	check_invariants(&c, "groups % groupsets = 0");
	app_runs_release(&c);
}

/* x = y = z, and each divides size and is at most as large as it: said once. */
TEST(what_others_imply_is_left_out)
{
	RELEASED(app_runs) c = app_runs_of("size", "x,y,z", NULL);

	for (int s = 12; s <= 96; s += 6) {
		for (int x = 2; x <= 12; x++) {
			char text[80];

			for (int nodes = 1; nodes <= 3 && s % x == 0; nodes++) {
				snprintf(text, sizeof text, "size=%d,x=%d,y=%d,z=%d,nodes=%d", s, x,
					 x, x, nodes);
				add(&c, text, RUN_OK);
			}
		}
	}
	check_invariants(&c, "size % x = 0; x = y; x = z");
}

TEST(an_order_is_found)
{
	RELEASED(app_runs) c = app_runs_of("size", "depth,tile", NULL);

	for (int t = 3; t <= 15; t += 2) {
		for (int d = 2; d <= t; d += 3) {
			char text[80];

			for (int nodes = 1; nodes <= 3; nodes++) {
				snprintf(text, sizeof text, "size=%d,depth=%d,tile=%d,nodes=%d",
					 1000 + 10 * (t * d % 7), d, t, nodes);
				add(&c, text, RUN_OK);
			}
		}
	}
	check_invariants(&c, "depth <= tile");
}

/* Every grid of the processes, nodes being those; and tiles of powers of two. */
TEST(a_product_and_powers_of_two_are_found)
{
	static const int grid[][2] = {{1, 2}, {2, 1}, {2, 3}, {3, 2}, {1, 6}, {6, 1},
				      {2, 5}, {5, 2}, {3, 3}, {4, 5}, {5, 4}, {2, 7}};
	RELEASED(app_runs) c = app_runs_of("size", "p,q,tile", NULL);

	for (int k = 0; k < 12; k++) {
		for (int t = 8; t <= 512; t *= 2) {
			char text[80];

			snprintf(text, sizeof text, "size=%d,p=%d,q=%d,tile=%d,nodes=%d",
				 1000 + 10 * (t * k % 7), grid[k][0], grid[k][1], t,
				 grid[k][0] * grid[k][1]);
			add(&c, text, RUN_OK);
		}
	}
	check_invariants(&c, "1073741824 % tile = 0; p * q = nodes");
}

TEST(the_order_of_runs_does_not_matter)
{
	RELEASED(app_runs) c = app_runs_of("size", "tile", NULL);
	struct mined m[2] = {{.rules = {.n = 0}}};

	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < 9000; i++) {
			int k = pass ? 8999 - i : i, t = 1 + k % 12;
			char text[60];

			snprintf(text, sizeof text, "size=%d,tile=%d,nodes=%d", t * (1 + k / 12), t,
				 1 + k % 5);
			add(&c, text, RUN_OK);
		}
		must(mine_rules(c.runs, NULL, "there", NULL, NULL, &m[pass], &err));
		c.runs->n = 0;
	}
	for (size_t r = 0; r < m[0].rules.n; r++) {
		if (m[0].rules.item[r].kind != RULE_INVARIANT)
			continue;
		assert_string_equal(m[0].rules.item[r].setting, "size % tile = 0");
		assert_int_equal(m[0].rules.n, m[1].rules.n);
		check_abs(m[0].rules.item[r].evidence.p_value, m[1].rules.item[r].evidence.p_value,
			  0);
	}
	mined_release(&m[0]);
	mined_release(&m[1]);
}

/* ---- with which p ---- */

static enum err_code invariants(const struct app_runs *c, const struct progress *p,
				struct rule_list *out, struct err *e)
{
	FREED(slowdown_table) *t = NULL;
	enum err_code rc = slowdown_table_make(c->runs, NULL, &t, e);

	if (!rc)
		rc = mine_invariants(c->runs, NULL, t, p, out, e);
	return rc;
}

/* The column in all runs, which differ from each other. */
static size_t values(const struct app_runs *c, const char *column, double *out)
{
	for (size_t i = 0; i < c->runs->n; i++)
		out[i] = dataset_row(c->runs, i)[application_column(c->app, column)];
	return c->runs->n;
}

static double p_of(const struct app_runs *c, const char *setting)
{
	RELEASED(rule_list) l = {0};
	double p = NAN;

	must(invariants(c, NULL, &l, &err));
	for (size_t r = 0; r < l.n; r++) {
		assert_int_equal(l.item[r].kind, RULE_INVARIANT);
		assert_string_equal(l.item[r].condition, "");
		if (!strcmp(l.item[r].setting, setting))
			p = l.item[r].evidence.p_value;
	}
	return p;
}

/* Of three columns, tile, nodes and size, 6 ordered pairs may divide or be at most each other, 3 be
 * equal, 3 products of two be the third; tile may be powers of two, nodes are no surprise if they
 * are: 19 hypotheses, in the half of the level that is theirs. */
TEST(a_divisor_is_told_with_its_chance)
{
	RELEASED(app_runs) c = app_runs_of("size", "tile", NULL);
	double a[256], b[256];
	size_t n;

	add_tiled(&c);
	n = values(&c, "tile", a);
	values(&c, "size", b);
	check_rel(p_of(&c, "size % tile = 0"), 2 * 19 * exp(log_chance_divides(a, b, n)), 1e-9);
}

static int by_size(const void *x, const void *y)
{
	const double *a = x, *b = y;

	return a[1] != b[1] ? (a[1] > b[1]) - (a[1] < b[1]) : (a[0] > b[0]) - (a[0] < b[0]);
}

/* A tunable with the first three letters of a part of the problem: one hypothesis of its own. Each
 * size is split by one tile, which says less against all values than against multiples. */
TEST(a_part_by_its_name_is_suspected_beforehand)
{
	RELEASED(app_runs) c = app_runs_of("tiles", "tilt", NULL);
	double pair[64][2], a[64], b[64], p;
	size_t n = 0;

	for (int s = 5; s <= 24; s++) {
		char text[60];

		snprintf(text, sizeof text, "tiles=%d,tilt=%d,nodes=%d", 12 * s, s % 2 ? 12 : 6,
			 1 + s % 3);
		add(&c, text, RUN_OK);
		pair[n][0] = s % 2 ? 12 : 6;
		pair[n++][1] = 12 * s;
	}
	qsort(pair, n, sizeof *pair, by_size);
	for (size_t i = 0; i < n; i++) {
		a[i] = pair[i][0];
		b[i] = pair[i][1];
	}
	p = exp(log_chance_multiples(a, b, n));
	p = fmin(p, 19 * exp(log_chance_divides(a, b, n)));
	assert_true(p < 1e-6);
	check_rel(p_of(&c, "tiles % tilt = 0"), 2 * p, 1e-9);
}

/* Five columns, p, q, tile, nodes and size: 5 - 1 powers of two of what is chosen, less nodes, 10
 * pairs that may be equal, 20 that divide, 20 that are at most, and of 10 pairs and 3 others 30
 * products: 83. */
TEST(products_and_powers_are_told_with_their_chance)
{
	static const int grid[][2] = {{1, 2}, {2, 1}, {2, 3}, {3, 2}, {1, 6}, {6, 1},
				      {2, 5}, {5, 2}, {3, 3}, {4, 5}, {5, 4}, {2, 7}};
	RELEASED(app_runs) c = app_runs_of("size", "p,q,tile", NULL);
	double a[128];
	size_t n;

	for (int k = 0; k < 12; k++) {
		for (int t = 8; t <= 512; t *= 2) {
			char text[80];

			snprintf(text, sizeof text, "size=%d,p=%d,q=%d,tile=%d,nodes=%d",
				 1000 + 10 * (t * k % 7), grid[k][0], grid[k][1], t,
				 grid[k][0] * grid[k][1]);
			add(&c, text, RUN_OK);
		}
	}
	n = values(&c, "tile", a);
	check_rel(p_of(&c, "1073741824 % tile = 0"), 2 * 83 * exp(log_chance_powers(a, n)), 1e-9);
	values(&c, "nodes", a);
	check_rel(p_of(&c, "p * q = nodes"),
		  2 * (c.app->i_procs == SIZE_MAX ? 83 : 1) * exp(log_chance_equal(a, n)), 1e-9);
}

/* Runs without a tile break nothing and tell nothing; neither does one that failed, but that what
 * failed is asked as well, in a third family of hypotheses; nor do repeats. */
TEST(only_what_is_known_counts)
{
	RELEASED(app_runs) c = app_runs_of("size", "tile", NULL);
	double a[512], b[512], p;
	size_t n;

	add_tiled(&c);
	n = values(&c, "tile", a);
	values(&c, "size", b);
	p = 2 * 19 * exp(log_chance_divides(a, b, n));
	add_tiled(&c);
	add(&c, "size=77,nodes=2", RUN_OK);
	add(&c, "size=77,tile=8,nodes=2", RUN_TIMEOUT);
	check_rel(p_of(&c, "size % tile = 0"), p, 1e-9);
	add(&c, "size=77,tile=8,nodes=2", RUN_FAILED);
	check_rel(p_of(&c, "size % tile = 0"), 3 * p / 2, 1e-9);
	add(&c, "size=77,tile=8,nodes=2", RUN_OK);
	assert_true(isnan(p_of(&c, "size % tile = 0")));
}

/* Of two copies the first one speaks. */
TEST(a_copy_is_named_once_and_its_relations_not_again)
{
	RELEASED(app_runs) c = app_runs_of("size", "tile,same", NULL);

	for (int s = 48; s <= 240; s += 16) {
		for (int t = 8; t <= 20; t += 4) {
			char text[80];

			for (int nodes = 1; nodes <= 3 && s % t == 0; nodes++) {
				snprintf(text, sizeof text, "size=%d,tile=%d,same=%d,nodes=%d", s,
					 t, t, nodes);
				add(&c, text, RUN_OK);
			}
		}
	}
	check_invariants(&c, "size % tile = 0; tile = same");
}

/* Every grid of the processes, and a copy of each side: no product is told of a copy. */
TEST(a_product_is_not_told_again_of_copies)
{
	static const int grid[][2] = {{1, 2}, {2, 1}, {2, 3}, {3, 2}, {1, 6}, {6, 1},
				      {2, 5}, {5, 2}, {3, 3}, {4, 5}, {5, 4}, {2, 7}};
	RELEASED(app_runs) c = app_runs_of("size", "p,q,pp,qq", NULL);

	for (int k = 0; k < 12 * 7; k++) {
		const int *g = grid[k % 12];
		char text[80];

		snprintf(text, sizeof text, "size=%d,p=%d,q=%d,pp=%d,qq=%d,nodes=%d",
			 1000 + 10 * (k / 12 * (k % 12) % 7), g[0], g[1], g[0], g[1], g[0] * g[1]);
		add(&c, text, RUN_OK);
	}
	check_invariants(&c, "p * q = nodes; p = pp; q = qq");
}

/* A sample of 2048 is looked at first, which takes one configuration in three: behind a first run
 * whose tile does not divide its size stand 6000 whose does; in the last case it is such a run. */
TEST(the_first_of_many_runs_can_break_it)
{
	static const double tile[] = {5, 7, 11}, broken[] = {101, 103, 107, 109};
	const struct slowdown_table none = {.n_strata = 1};

	for (size_t k = 0; k <= 4; k++) {
		RELEASED(app_runs) c = app_runs_of("size", "tile", NULL);
		RELEASED(rule_list) l = {0};
		bool told = false;

		for (size_t i = 0; i <= 6000; i++) {
			double row[16];

			configuration_clear(c.app, row);
			row[application_column(c.app, "tile")] = tile[i % 3];
			row[application_column(c.app, "nodes")] = (double)(1 + i % 5);
			row[application_column(c.app, "size")] = i > 0	 ? (double)i * tile[i % 3]
								 : k < 4 ? broken[k]
									 : 35;
			runs_add(c.runs, row, 1);
		}
		must(mine_invariants(c.runs, NULL, &none, NULL, &l, &err));
		for (size_t r = 0; r < l.n; r++)
			told = told || !strcmp(l.item[r].setting, "size % tile = 0");
		assert_int_equal(told, k == 4);
	}
}

/* ---- what failed ---- */

/* Sizes of 100, 200, 400 and 800 on 1, 2 and 4 nodes; a run of a tile that does not divide its size
 * fails. Of tiles 1, 2 and 4, which divide them all, chance would have said so as well. n_more that
 * divide fail besides. */
static struct app_runs with_tiles(const int *tile, int n_tiles, int n_more)
{
	struct app_runs c = app_runs_of("size", "tile", NULL);

	for (int n = 100; n <= 800; n *= 2) {
		for (int k = 0; k < n_tiles; k++) {
			for (int nodes = 1; nodes <= 4; nodes *= 2) {
				char text[60];

				snprintf(text, sizeof text, "size=%d,tile=%d,nodes=%d", n, tile[k],
					 nodes);
				add(&c, text, n % tile[k] ? RUN_FAILED : RUN_OK);
			}
		}
	}
	for (int k = 0; k < n_more; k++) {
		char text[60];

		snprintf(text, sizeof text, "size=800,tile=%d,nodes=%d", 1 + k % 2, 8 + k);
		add(&c, text, RUN_FAILED);
	}
	return c;
}

/* Of F failures among N all B that break it: C(F, B) / C(N, B). */
static double log_all_failed(double n_failed, double n, double n_broken)
{
	return lgamma(n_failed + 1) - lgamma(n_failed - n_broken + 1) - lgamma(n + 1) +
	       lgamma(n - n_broken + 1);
}

TEST(what_breaks_a_relation_fails)
{
	static const int tile[] = {1, 2, 4, 3, 6};
	RELEASED(app_runs) ended = with_tiles(tile, 3, 0), of_one = with_tiles(tile, 4, 0),
			   c = with_tiles(tile, 5, 0), more = with_tiles(tile, 5, 6);

	check_invariants(&ended, "");
	/* tile 3 alone may be what is wrong */
	check_invariants(&of_one, "");
	/* the tiles that ended are powers of two besides: both may be the reason */
	check_invariants(&c, "1073741824 % tile = 0; size % tile = 0");
	check_invariants(&more, "1073741824 % tile = 0; size % tile = 0");
	/* 36 runs ended, 24 failed, all for that; then 30 */
	check_rel(log(p_of(&more, "size % tile = 0") / p_of(&c, "size % tile = 0")),
		  log_all_failed(30, 66, 24) - log_all_failed(24, 60, 24), 1e-9);
}

/* Sizes of 96 to 768 on 1 to 5 nodes and tiles of 8 to 24; what may_end() refuses fails. */
static struct app_runs with_shares(bool (*may_end)(int size, int nodes, int tile))
{
	struct app_runs c = app_runs_of("size", "tile", NULL);

	for (int size = 96; size <= 768; size *= 2) {
		for (int nodes = 1; nodes <= 5; nodes++) {
			for (int tile = 8; tile <= 24; tile += 4) {
				char text[60];

				snprintf(text, sizeof text, "size=%d,tile=%d,nodes=%d", size, tile,
					 nodes);
				add(&c, text, may_end(size, nodes, tile) ? RUN_OK : RUN_FAILED);
			}
		}
	}
	return c;
}

static bool in_equal_parts(int size, int nodes, int tile)
{
	return size % (nodes * tile) == 0;
}

static bool in_whole_shares(int size, int nodes, int tile)
{
	return size / nodes % tile == 0;
}

/* That nodes and tiles divide the size says no more. 766 / 5 is 153 = 9 * 17, rounded down; the
 * whole tiles of a size are a multiple of the nodes then, too, where a tile is larger than these.
 */
TEST(what_each_node_has_is_a_multiple)
{
	RELEASED(app_runs) parts = with_shares(in_equal_parts),
			   shares = with_shares(in_whole_shares);
	double n_failed = 0;

	check_invariants(&parts, "size % (nodes * tile) = 0");
	for (size_t i = 0; i < parts.runs->n; i++)
		n_failed += parts.runs->status[i] == RUN_FAILED;
	/* All that failed break it. Of 22 relations, in three families: 1 of powers of two, 3 that
	 * two are equal, 6 that one divides another, 6 that it is no more, 3 products, 3 of parts.
	 */
	check_rel(log(p_of(&parts, "size % (nodes * tile) = 0")),
		  log_all_failed(n_failed, (double)parts.runs->n, n_failed) + log(3 * 22), 1e-9);
	add(&shares, "size=766,tile=17,nodes=5", RUN_OK);
	check_invariants(&shares, "floordiv(size, nodes) % tile = 0; "
				  "floordiv(size, tile) % nodes = 0");
}

/* One that breaks it and ended: it is no law. */
TEST(a_law_that_somebody_broke_is_none)
{
	static const int tile[] = {1, 2, 4, 3, 6};
	RELEASED(app_runs) c = with_tiles(tile, 5, 0);

	add(&c, "size=200,tile=6,nodes=8", RUN_OK);
	check_invariants(&c, "");
}

TEST(the_miner_can_be_stopped_or_be_without_memory)
{
	RELEASED(app_runs) c = app_runs_of("size", "tiles", NULL);
	const struct progress no = {stop_at_once, NULL};
	struct rule_list l = {0};

	for (int s = 1; s <= 9; s++) {
		char text[60];

		snprintf(text, sizeof text, "size=%d,tiles=%d,nodes=%d", s, s, 1 + s % 3);
		add(&c, text, RUN_OK);
	}
	assert_int_equal(invariants(&c, &no, &l, &err), ERR_INTERRUPTED);
	assert_int_equal(l.n, 0);
	failing_each_allocation (invariants(&c, NULL, &l, &err), &err)
		rule_list_release(&l);
	assert_true(l.n > 0);
	rule_list_release(&l);
}

TEST_GROUP(mining_set_up, NULL)
