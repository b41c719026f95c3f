/* What doubling does, of times that are formulas: effects are known, and what runs cannot tell. */
#include "tests/support/check.h"
#include "tests/support/made_runs.h"
#include "tests/support/mining_set_up.h"
#include "tests/support/failing_allocations.h"

#include "domain/configuration.h"
#include "mining/findings/doubling_effects.h"

struct world {
	struct application *app;
	struct dataset *runs;
	struct predictor *p;
	struct doubling_effects x;
};

/* n, m: problem; tile: tunable; procs. */
static void add(struct world *w, double n, double m, double tile, double procs, double time_s)
{
	const double row[] = {n, m, procs, tile};
	const char *const name[] = {"n", "m", "procs", "tile"};
	double at[16];

	assert_true(w->app->n_columns <= 16);
	for (size_t i = 0; i < 16; i++)
		at[i] = NAN;
	for (size_t i = 0; i < 4; i++)
		at[application_column(w->app, name[i])] = row[i];
	runs_add(w->runs, at, time_s);
}

static void begin(struct world *w)
{
	*w = (struct world){.app = made_application("a", "n,m", "tile", "", "procs")};
	w->runs = dataset_new(w->app);
	assert_non_null(w->runs);
}

static void find(struct world *w)
{
	char name[] = "m";
	const struct machine machine = {.name = name};
	const struct fit_input in = {.runs = w->runs, .machine = &machine};

	must(predictor_fit(NULL, &in, &w->p, &err));
	must(doubling_effects_find(w->p, w->runs, 0.9, &w->x, &err));
}

static void world_release(struct world *w)
{
	doubling_effects_release(&w->x);
	predictor_free(w->p);
	dataset_free(w->runs);
	application_free(w->app);
}

/* The effect of exactly these columns, separated by blanks. */
static const struct doubling_effect *effect_of(const struct world *w, const char *columns)
{
	for (size_t i = 0; i < w->x.n; i++) {
		const struct doubling_effect *x = &w->x.item[i];
		char names[128] = "";

		for (size_t k = 0; k < x->n_columns; k++) {
			strcat(names, k ? " " : "");
			strcat(names, w->app->column[x->column[k]].name);
		}
		if (!strcmp(names, columns))
			return x;
	}
	fail_msg("there is no effect of %s", columns);
	return NULL;
}

static void check_holds(const struct doubling_piece *p, double truth)
{
	if (!(p->lo <= truth && truth <= p->hi))
		fail_msg("%g is not in %g .. %g", truth, p->lo, p->hi);
	assert_true(p->lo <= p->effect && p->effect <= p->hi);
}

TEST(powers_come_back_with_their_range)
{
	const struct doubling_effect *n, *procs, *tile;
	RELEASED(world) w;

	begin(&w);
	/* n^2 / procs^0.8 tile^0.1 */
	for (double a = 100; a <= 800; a *= 2) {
		for (double p = 1; p <= 64; p *= 2) {
			for (double t = 8; t <= 32; t *= 2)
				add(&w, a, 7, t, p, 1e-2 * a * a * pow(p, -0.8) * pow(t, 0.1));
		}
	}
	find(&w);
	n = effect_of(&w, "n");
	procs = effect_of(&w, "procs");
	tile = effect_of(&w, "tile");
	assert_int_equal(n->state, DOUBLING_KNOWN);
	assert_int_equal(n->n_pieces, 1);
	check_rel(n->piece[0].effect, 4.0, 0.02);
	check_rel(n->piece[0].observed, 4.0, 1e-9);
	check_holds(&n->piece[0], 4);
	check_rel(procs->piece[0].effect, pow(2, -0.8), 0.02);
	check_holds(&procs->piece[0], pow(2, -0.8));
	check_holds(&tile->piece[0], pow(2, 0.1));
	assert_true(procs->piece[0].from == 1 && procs->piece[0].to == 64);
	/* 4 * 7 * 3 configurations, 63 of which have one with n twice as large */
	assert_int_equal(n->piece[0].n_steps, 63);
	assert_int_equal(n->piece[0].n_pairs, 63);
	assert_true(n->factor == 2);
	assert_int_equal(effect_of(&w, "m")->state, DOUBLING_CONSTANT);
	assert_true(effect_of(&w, "m")->constant == 7);
}

/* 0.5 each doubling up to 16, none beyond: two pieces that meet there. */
TEST(where_it_changes_there_are_two_pieces)
{
	const struct doubling_effect *procs;
	RELEASED(world) w;

	begin(&w);
	for (double a = 100; a <= 800; a *= 2) {
		for (double p = 1; p <= 256; p *= 2)
			add(&w, a, 7, 8, p, 1e-2 * a * a / fmin(p, 16));
	}
	find(&w);
	procs = effect_of(&w, "procs");
	assert_int_equal(procs->n_pieces, 2);
	assert_true(procs->piece[0].to == 16 && procs->piece[1].from == 16);
	check_holds(&procs->piece[0], 0.5);
	check_holds(&procs->piece[1], 1);
	check_rel(procs->piece[0].observed, 0.5, 1e-9);
	check_rel(procs->piece[1].observed, 1.0, 1e-9);
	assert_true(procs->piece[0].effect < 0.6 && procs->piece[1].effect > 0.85);
}

/* Weak scaling: n grows with the processes, which says nothing of either alone. */
TEST(what_varies_together_is_told_as_one)
{
	const struct doubling_effect *both;
	RELEASED(world) w;

	begin(&w);
	for (double p = 1; p <= 256; p *= 2) {
		add(&w, 1000 * p, 7, 8, p, 600 * pow(1.02, log2(p)));
		add(&w, 1000 * p, 7, 16, p, 660 * pow(1.02, log2(p)));
	}
	find(&w);
	assert_int_equal(effect_of(&w, "n")->state, DOUBLING_TOGETHER);
	assert_int_equal(effect_of(&w, "n")->n_pieces, 0);
	assert_int_equal(effect_of(&w, "n")->n_with, 1);
	assert_int_equal(effect_of(&w, "n")->with[0], w.app->i_procs);
	assert_int_equal(effect_of(&w, "procs")->n_pieces, 0);
	both = effect_of(&w, "n procs");
	assert_int_equal(both->state, DOUBLING_KNOWN);
	check_rel(both->piece[0].effect, 1.02, 0.01);
	check_holds(&both->piece[0], 1.02);
	check_holds(&effect_of(&w, "tile")->piece[0], 1.1);
}

/* tile grows with the square of m: a step is from one pair of both that was run to the next. Along
 * goes nothing that never changes. */
TEST(columns_that_vary_together_take_the_values_of_the_runs)
{
	const struct doubling_effect *both;
	RELEASED(world) w;

	begin(&w);
	for (double a = 100; a <= 800; a *= 2) {
		for (double t = 8; t <= 32; t *= 2)
			add(&w, t, a, a * a / 10, 4, a * t);
	}
	find(&w);
	assert_int_equal(effect_of(&w, "m")->state, DOUBLING_TOGETHER);
	assert_int_equal(effect_of(&w, "m")->n_with, 1);
	assert_int_equal(effect_of(&w, "procs")->state, DOUBLING_CONSTANT);
	both = effect_of(&w, "m tile");
	assert_int_equal(both->state, DOUBLING_KNOWN);
	check_rel(both->piece[0].observed, 2.0, 1e-9);
	assert_int_equal(both->piece[0].n_steps, 9);
}

/* The correlation of logarithms is -1 however little both vary: here by a factor of 1.3. */
TEST(a_narrow_range_may_vary_together_too)
{
	RELEASED(world) w;

	begin(&w);
	for (double a = 0; a < 6; a++) {
		for (double p = 1; p <= 16; p *= 2)
			add(&w, 100 * exp(0.05 * a), 80 * exp(-0.05 * a), 8, p, exp(0.2 * a) / p);
	}
	find(&w);
	assert_int_equal(effect_of(&w, "n")->state, DOUBLING_TOGETHER);
	assert_int_equal(effect_of(&w, "n")->n_with, 1);
	assert_int_equal(effect_of(&w, "n")->with[0], application_column(w.app, "m"));
}

/* Values within a factor of two: the effect is of their ratio. */
TEST(narrow_ranges_are_not_blown_up)
{
	const struct doubling_effect *tile;
	RELEASED(world) w;

	begin(&w);
	for (double a = 100; a <= 800; a *= 2) {
		for (double t = 48; t <= 64; t += 16)
			add(&w, a, 7, t, 4, a * t);
	}
	find(&w);
	tile = effect_of(&w, "tile");
	check_rel(tile->factor, 4.0 / 3, 1e-12);
	check_holds(&tile->piece[0], 4.0 / 3);
	check_rel(tile->piece[0].observed, 4.0 / 3, 1e-9);
}

/* A grid p x q of the processes: twice as many are seen as a grid of the same shape, 1x1, 2x2, 4x4
 * or 1x4, 2x8, where n stays as it was; long grids take three times as long. A step is from 1 to 4
 * or from 4 to 16 processes, two doublings; n = 100 ... 800 with three grids that one starts from
 * make 12. Nodes of four processes go along, a part of one being one, so that of the steps those
 * from 4 processes were run as they are, and those from 1 would have been on 4 nodes: 8 pairs. */
TEST(a_grid_keeps_its_shape_and_all_else)
{
	static const char *const name[] = {"n", NULL}, *const side[] = {"p", "q", NULL},
				 *const nodes[] = {"nodes", NULL};
	static const double grid[][2] = {{1, 1}, {1, 4}, {2, 2}, {2, 8}, {4, 4}};
	const struct ad_hoc spec = {.name = "a",
				    .target = "time",
				    .target_unit_s = 1,
				    .problem = name,
				    .grid = side,
				    .resource_column = nodes,
				    .resource_field = nodes};
	const struct doubling_effect *x;
	RELEASED(world) w = {.app = application_of_flags(&spec)};

	w.runs = dataset_new(w.app);
	assert_non_null(w.runs);
	for (double n = 100; n <= 800; n *= 2) {
		for (size_t g = 0; g < 5; g++) {
			const double p = grid[g][0], q = grid[g][1];
			double row[16];

			configuration_clear(w.app, row);
			row[application_column(w.app, "n")] = n;
			row[application_column(w.app, "p")] = p;
			row[application_column(w.app, "q")] = q;
			row[application_column(w.app, "nodes")] = ceil(p * q / 4);
			configuration_derive(w.app, row);
			runs_add(w.runs, row, n * n / (p * q) * (q > p ? 3 : 1));
		}
	}
	find(&w);
	x = effect_of(&w, "procs");
	assert_int_equal(x->state, DOUBLING_KNOWN);
	assert_int_equal(x->n_pieces, 1);
	assert_int_equal(x->piece[0].n_steps, 12);
	assert_int_equal(x->piece[0].n_pairs, 8);
	check_rel(x->piece[0].observed, 0.5, 1e-9);
	check_rel(x->piece[0].effect, 0.5, 0.02);
	assert_true(x->piece[0].from == 1 && x->piece[0].to == 16);
	check_rel(effect_of(&w, "n")->piece[0].observed, 4.0, 1e-9);
}

/* n = 100 was run once each, n = 200 twice: 4 times as long, and 1.21 times that, which makes 4.4
 * in the mean of logarithms. */
TEST(repeats_count_by_the_mean_of_their_logarithms)
{
	const struct doubling_effect *n;
	RELEASED(world) w;

	begin(&w);
	for (double p = 1; p <= 16; p *= 2) {
		for (double t = 8; t <= 32; t *= 2) {
			add(&w, 100, 7, t, p, 10 * t / p);
			add(&w, 200, 7, t, p, 40 * t / p);
			add(&w, 200, 7, t, p, 40 * t / p * 1.21);
		}
	}
	find(&w);
	n = effect_of(&w, "n");
	assert_int_equal(n->piece[0].n_pairs, 15);
	check_rel(n->piece[0].observed, 4.4, 1e-12);
	check_rel(effect_of(&w, "tile")->piece[0].observed, 2.0, 1e-12);
}

/* n^2 / procs of 4 * 5 * 3 configurations, but for one amidst (200 on 4, 16) and with a smaller one
 * (50 on 1, 8). Steps of n start from 45 - 1 of the first and the one below; the one to where
 * nothing was run is no pair, nor is any from there. */
TEST(a_step_to_what_was_not_run_is_no_pair)
{
	const struct doubling_effect *n;
	RELEASED(world) w;

	begin(&w);
	for (double a = 100; a <= 800; a *= 2) {
		for (double p = 1; p <= 16; p *= 2) {
			for (double t = 8; t <= 32; t *= 2) {
				if (a != 200 || p != 4 || t != 16)
					add(&w, a, 7, t, p, 1e-2 * a * a / p);
			}
		}
	}
	add(&w, 50, 7, 8, 1, 25);
	find(&w);
	n = effect_of(&w, "n");
	assert_int_equal(n->n_pieces, 1);
	assert_int_equal(n->piece[0].n_steps, 45);
	assert_int_equal(n->piece[0].n_pairs, 44);
	check_rel(n->piece[0].observed, 4.0, 1e-9);
	assert_true(n->piece[0].from == 50 && n->piece[0].to == 800);
}

static enum err_code find_again(const struct world *w, struct err *e)
{
	struct doubling_effects x = {.n = 77};
	enum err_code rc = doubling_effects_find(w->p, w->runs, 0.9, &x, e);

	assert_int_equal(x.n == 77, rc != ERR_OK);
	if (!rc)
		doubling_effects_release(&x);
	return rc;
}

/* n and m together, then the others, in two repeats each. */
TEST(effects_need_memory)
{
	RELEASED(world) w;

	begin(&w);
	for (double a = 100; a <= 800; a *= 2) {
		for (double t = 8; t <= 32; t *= 2) {
			add(&w, a, 10 * a, t, 4, a * t);
			add(&w, a, 10 * a, t, 8, a * t / 2);
			add(&w, a, 10 * a, t, 8, a * t / 2);
		}
	}
	find(&w);
	failing_each_place_repeated(find_again(&w, &err), &err);
	assert_int_equal(effect_of(&w, "n m")->state, DOUBLING_KNOWN);
	assert_int_equal(effect_of(&w, "tile")->piece[0].n_steps, 16);
	assert_int_equal(effect_of(&w, "procs")->piece[0].n_steps, 12);
}

TEST_GROUP(mining_set_up, NULL)
