#include "tests/support/shared_app.h"
#include "tests/support/check.h"

#include "domain/configuration.h"
#include "mining/structure/wavefront_time.h"
#include "mining/structure/wavefront_tunings.h"
#include "tests/support/sweep3d_formulas.h"

FREEABLE(sub_grid_map)
FREEABLE(wavefront_tunings)

static struct wavefront_time base;

/* Small deterministic generator (Numerical Recipes' 64-bit LCG): tests must not depend on libc's.
 */
static double uniform(uint64_t *state, double lo, double hi)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return lo + (hi - lo) * (double)(*state >> 11) / 9007199254740992.0;
}

static int set_up(void **state)
{
	/* a cost that drops at its threshold, as the shipped ping-pongs do */
	const struct cost_segment segment[] = {{0, 24e-6, 50e-9, 0, 0}, {4096, 10e-6, 30e-9, 0, 0}};
	double p[WP_COUNT];

	if (application_read("data/applications/sweep3d.conf", &app, &err))
		return -1;
	if (!wavefront_time_bind(app, base.column) ||
	    message_cost_from_segments(segment, 2, 4096, MESSAGE_COST_OVERHEAD_SHARE, &base.cost,
				       &err))
		return -1;
	for (int j = 0; j < WP_COUNT; j++)
		p[j] = wavefront_param_info[j].prior;
	p[WP_WG] = log(2e-8);
	base.step = 11.5;
	wavefront_time_set(&base, p);
	return 0;
}

static void put(double *row, const char *name, double value)
{
	row[application_column(app, name)] = value;
}

static void make_row(double *row, double it_g, double jt_g, double kt, double npe_i, double npe_j,
		     double mk, double mmi)
{
	configuration_clear(app, row);
	configuration_default_workload(app, row);
	put(row, "it_g", it_g);
	put(row, "jt_g", jt_g);
	put(row, "kt", kt);
	put(row, "npe_i", npe_i);
	put(row, "npe_j", npe_j);
	put(row, "mk", mk);
	put(row, "mmi", mmi);
	configuration_derive(app, row);
}

static void random_row(uint64_t *seed, double *row)
{
	double kt = floor(uniform(seed, 1, 300)), npe_i = floor(uniform(seed, 1, 20));
	double npe_j = floor(uniform(seed, 1, 20));
	const double mmi[] = {1, 2, 3, 6};
	double angles = mmi[(int)uniform(seed, 0, 4)], mk = floor(uniform(seed, 1, kt + 1));
	double jt_g = floor(uniform(seed, npe_j, 500)), it_g = floor(uniform(seed, npe_i, 500));

	make_row(row, it_g, jt_g, kt, npe_i, npe_j, mk, angles);
	put(row, "iterations", floor(uniform(seed, 1, 15)));
}

static void random_parameters(uint64_t *seed, struct wavefront_time *w)
{
	double p[WP_COUNT];

	*w = base;
	for (int j = 0; j < WP_COUNT; j++) {
		double sd = wavefront_param_info[j].prior_sd;

		p[j] = base.p[j] + (isfinite(sd) ? uniform(seed, -sd, sd) : 0);
	}
	wavefront_time_set(w, p);
}

TEST(gradient_is_that_of_the_time)
{
	uint64_t seed = 1;
	double row[64], g[WP_COUNT], p[WP_COUNT];

	for (int trial = 0; trial < 200; trial++) {
		struct wavefront_time w;

		random_parameters(&seed, &w);
		random_row(&seed, row);
		wavefront_time_at(&w, row, g, NULL);
		memcpy(p, w.p, sizeof p);
		for (int j = 0; j < WP_COUNT; j++) {
			const double h = 1e-5; /* error h^2 of the central difference: 1e-10 */
			double up, down;

			p[j] += h;
			wavefront_time_set(&w, p);
			up = log(wavefront_time_at(&w, row, NULL, NULL));
			p[j] -= 2 * h;
			wavefront_time_set(&w, p);
			down = log(wavefront_time_at(&w, row, NULL, NULL));
			p[j] += h;
			check_abs(g[j], (up - down) / (2 * h), 1e-7);
		}
	}
}

TEST(breakdown_sums_to_the_time)
{
	uint64_t seed = 2;
	double row[64];

	for (int trial = 0; trial < 200; trial++) {
		struct wavefront_time w;
		struct breakdown parts;
		double t;

		random_parameters(&seed, &w);
		random_row(&seed, row);
		t = wavefront_time_at(&w, row, NULL, &parts);
		check_rel(breakdown_total_s(&parts), t, 1e-12);
	}
}

/* Every mk from 1 to kt, every mmi that divides 6. */
TEST(no_blocking_beats_the_lower_bound)
{
	uint64_t seed = 3;
	double row[64], free_row[64];

	for (int trial = 0; trial < 200; trial++) {
		struct wavefront_time w;
		double bound, kt;

		random_parameters(&seed, &w);
		random_row(&seed, row);
		memcpy(free_row, row, sizeof row);
		put(free_row, "mk", NAN);
		put(free_row, "mmi", NAN);
		bound = wavefront_time_lower_bound(&w, free_row);
		assert_true(bound > 0);
		kt = row[application_column(app, "kt")];
		for (double mk = 1; mk <= kt; mk++) {
			for (double mmi = 1; mmi <= 6; mmi += mmi == 3 ? 3 : 1) {
				put(row, "mk", mk);
				put(row, "mmi", mmi);
				assert_true(wavefront_time_at(&w, row, NULL, NULL) >= bound);
			}
		}
	}
}

/* On every grid the least over a list is that of evaluating the list. */
TEST(least_of_a_list_is_the_least_time)
{
	enum { N = 12 };
	uint64_t seed = 4;
	size_t n_columns = app->n_columns;
	HEAP double *rows = calloc(N * n_columns, sizeof *rows);
	FREED(wavefront_tunings) *t = NULL;
	struct wavefront_time w;

	random_parameters(&seed, &w);
	for (int k = 0; k < N; k++) {
		const double mk[] = {1, 5, 17, 60}, mmi[] = {1, 3, 6};

		make_row(rows + (size_t)k * n_columns, 97, 211, 60, 1, 1, mk[k / 3], mmi[k % 3]);
	}
	must(wavefront_tunings_new(&w, rows, N, n_columns, &t, &err));
	for (double npe_i = 1; npe_i <= 97; npe_i++) {
		for (double npe_j = 1; npe_j <= 211; npe_j += 7) {
			double least = INFINITY;

			for (int k = 0; k < N; k++) {
				double *row = rows + (size_t)k * n_columns;

				put(row, "npe_i", npe_i);
				put(row, "npe_j", npe_j);
				least = fmin(least, wavefront_time_at(&w, row, NULL, NULL));
			}
			check_rel(wavefront_tunings_least_s(t, rows), least, 1e-11);
		}
	}
}

/* With nothing but computation, time over the time of perfect division is the README's domain
 * efficiency. */
TEST(free_communication_leaves_the_pipeline_efficiency)
{
	const struct cost_segment nothing = {0};
	struct wavefront_time w = base;
	double row[64], p[WP_COUNT] = {0}, efficiency, t;

	must(message_cost_from_segments(&nothing, 1, 0, 0, &w.cost, &err));
	for (int j = WP_EAGER; j < WP_COUNT; j++)
		p[j] = -1000; /* exp() = 0: none of it */
	p[WP_WG] = log(1e-8);
	wavefront_time_set(&w, p);
	/* 50^3 on 2x3, mk 10, mmi 3: 88.89 % is printed by the program (sample output) */
	make_row(row, 50, 51, 50, 2, 3, 10, 3);
	t = wavefront_time_at(&w, row, NULL, NULL);
	efficiency = 12 * 1e-8 * 8 * 6 * 50 * 25 * 17 / t;
	check_abs(100 * efficiency, 88.89, 0.005);
}

TEST(one_processor_computes_and_nothing_else)
{
	struct breakdown parts;
	double row[64];

	make_row(row, 50, 50, 50, 1, 1, 50, 6);
	wavefront_time_at(&base, row, NULL, &parts);
	check_abs(parts.comm_s, 0, 0);
	check_abs(parts.fill_s, 0, 0);
	check_abs(parts.sync_s, 0, 0);
	assert_true(parts.compute_s > 0);
}

/* One processor whose blocks divide the problem, without work outside the sweeps: all time is Wg of
 * 8 octants, 6 angles and the cells, in as many iterations; fix-ups from the 8th on are a part. */
TEST(wg_is_the_time_of_a_cell_and_angle)
{
	static const double iterations[] = {1, 7, 8, 12, 100};
	struct wavefront_time w = base;
	double row[64], p[WP_COUNT];

	memcpy(p, base.p, sizeof p);
	p[WP_SOURCE] = -1000; /* exp() = 0 */
	wavefront_time_set(&w, p);
	for (size_t i = 0; i < 5; i++) {
		double n = iterations[i], time_s;

		make_row(row, 20, 30, 40, 1, 1, 10, 3);
		put(row, "iterations", n);
		time_s = wavefront_time_at(&w, row, NULL, NULL);
		time_s /= row[application_column(app, "groups")] *
			  row[application_column(app, "timesteps")];
		check_rel(wavefront_time_wg(&w, row), time_s / (n * 8 * 6 * 20 * 30 * 40), 1e-12);
		/* of this blocking, and of any */
		check_rel(wavefront_time_least_wg(&w, row), wavefront_time_wg(&w, row), 1e-12);
	}
}

TEST(long_inner_loops_start_more_slowly)
{
	double row[64], below, above;

	/* per cell: 11 and 12 cells along i, the step lies between them */
	make_row(row, 11, 11, 10, 1, 1, 10, 6);
	below = wavefront_time_at(&base, row, NULL, NULL) / 11;
	make_row(row, 12, 11, 10, 1, 1, 10, 6);
	above = wavefront_time_at(&base, row, NULL, NULL) / 12;
	/* factors by hand from the priors: line e^1.1 = 3.004, long e^1.6 = 4.953 cells:
	 * (1 + (3.004 + 4.953)/12) / (1 + 3.004/11) = 1.3064 */
	check_rel(above / below, 1.3064, 1e-4);
}

static double at(const double *row, const char *name)
{
	return row[application_column(app, name)];
}

static double above(double x, double knot)
{
	return fmax(x - knot, 0);
}

/* log Wg, of docs/models.md: linear in logarithms and hinges of them. */
static double log_wg(const struct wavefront_time *w, double it, double jt, double kt, double mk,
		     double mmi)
{
	const double *p = w->p, cells = log(it * jt * kt), block = log(it * jt * mk);
	double sum = p[WP_WG] + p[WP_IT] * log(it) + p[WP_JT] * log(jt) + p[WP_MK] * log(mk) +
		     p[WP_MMI] * log(mmi) + p[WP_BLOCK_1] * above(block, 8) +
		     p[WP_BLOCK_2] * above(block, 10);

	for (int k = 0; k < 3; k++)
		sum += (p[WP_GRID_1 + k] + p[WP_STREAM_1 + k] / mmi) *
		       above(cells, (16 + 2 * k) * log(2));
	return sum;
}

static double start(const struct wavefront_time *w, double it)
{
	return exp(w->p[WP_LINE]) + (it > w->step ? exp(w->p[WP_LONG]) : 0);
}

/* The formula as docs/models.md has it. */
static double time_by_formula(const struct wavefront_time *w, const double *row)
{
	const double n = at(row, "npe_i"), m = at(row, "npe_j"), mk = at(row, "mk"),
		     mmi = at(row, "mmi"), kt = at(row, "kt"), it = ceil(at(row, "it_g") / n),
		     jt = ceil(at(row, "jt_g") / m), iterations = at(row, "iterations");
	const double wg = exp(log_wg(w, it, jt, kt, mk, mmi)), a_fill = exp(w->p[WP_FILL]);
	const double B = 8 * ceil(kt / mk) * (at(row, "mm") / mmi), Fi = 2 * (n - 1),
		     Fj = 4 * (m - 1), E = iterations + exp(w->p[WP_FIX]) * fmax(iterations - 7, 0),
		     W = wg * (it + start(w, it)) * jt * mk * mmi,
		     V = wg * (at(row, "it_g") / n + start(w, it)) * (at(row, "jt_g") / m) * mk *
			 mmi;
	const struct message_time ew = message_cost_at(&w->cost, 8 * jt * mk * mmi),
				  ns = message_cost_at(&w->cost, 8 * it * mk * mmi);
	const double u_ew = n > 1 ? exp(w->p[ew.blocks ? WP_BLOCK : WP_EAGER]) : 0,
		     u_ns = m > 1 ? exp(w->p[ns.blocks ? WP_BLOCK : WP_EAGER]) : 0;

	return at(row, "groups") * at(row, "timesteps") *
	       (E * (B * W + Fi * (V + a_fill * ew.total_s) + Fj * (V + a_fill * ns.total_s)) +
		iterations * (B * (u_ew * ew.total_s + u_ns * ns.total_s) +
			      exp(w->p[WP_SOURCE]) * wg * 48 * (it + start(w, it)) * jt * kt +
			      exp(w->p[WP_REDUCE]) * log2(n * m) *
				      message_cost_at(&w->cost, 8).total_s));
}

TEST(the_time_is_that_of_the_formula)
{
	uint64_t seed = 6;
	double row[64];

	for (int trial = 0; trial < 400; trial++) {
		struct wavefront_time w;

		random_parameters(&seed, &w);
		random_row(&seed, row);
		put(row, "groups", 3);
		put(row, "timesteps", 2);
		check_rel(wavefront_time_at(&w, row, NULL, NULL), time_by_formula(&w, row), 1e-12);
	}
}

/* Where the blocking is given and divides the problem, no message is dearer than a larger one and
 * shares are the same whether messages block or not, nothing is left for a bound to be below. */
TEST(the_bound_of_what_is_given_is_its_time)
{
	const struct cost_segment line = {0, 24e-6, 50e-9, 0, 0};
	static const double mk[] = {1, 4, 10, 20}, mmi[] = {1, 2, 3, 6};
	uint64_t seed = 7;
	double row[64], p[WP_COUNT];

	for (int trial = 0; trial < 200; trial++) {
		struct wavefront_time w;
		const double npe_i = floor(uniform(&seed, 1, 9)),
			     npe_j = floor(uniform(&seed, 1, 9));

		random_parameters(&seed, &w);
		memcpy(p, w.p, sizeof p);
		p[WP_BLOCK] = p[WP_EAGER];
		wavefront_time_set(&w, p);
		must(message_cost_from_segments(&line, 1, 2000, 0.2, &w.cost, &err));
		make_row(row, 97, 211, 20, npe_i, npe_j, mk[trial % 4], mmi[trial / 4 % 4]);
		put(row, "iterations", 1 + trial % 12);
		check_rel(wavefront_time_lower_bound(&w, row),
			  wavefront_time_at(&w, row, NULL, NULL), 2e-12);
		/* on one processor, without work outside the sweeps, all is computation */
		p[WP_SOURCE] = -1000;
		wavefront_time_set(&w, p);
		make_row(row, 97, 211, 20, 1, 1, mk[trial % 4], mmi[trial / 4 % 4]);
		check_rel(wavefront_time_least_compute_s(&w, row),
			  wavefront_time_at(&w, row, NULL, NULL), 2e-12);
	}
}

/* Where mk and mmi are free, each term of log Wg is the least that it can be: at an end, or where
 * a hinge begins; blocks of e^8 and e^10 cells. */
TEST(the_least_wg_has_the_least_of_each_term)
{
	uint64_t seed = 8;
	double row[64];

	for (int trial = 0; trial < 400; trial++) {
		struct wavefront_time w;
		double kt, it, jt, knots[4], block = INFINITY, least, cells, stream = 0, fix;

		random_parameters(&seed, &w);
		random_row(&seed, row);
		kt = at(row, "kt");
		it = ceil(at(row, "it_g") / at(row, "npe_i"));
		jt = ceil(at(row, "jt_g") / at(row, "npe_j"));
		put(row, "mk", NAN);
		put(row, "mmi", NAN);
		knots[0] = 1;
		knots[1] = kt;
		knots[2] = exp(8) / (it * jt);
		knots[3] = exp(10) / (it * jt);
		for (int k = 0; k < 4; k++) {
			if (knots[k] >= 1 && knots[k] <= kt)
				block = fmin(block,
					     w.p[WP_BLOCK_1] * above(log(it * jt * knots[k]), 8) +
						     w.p[WP_BLOCK_2] *
							     above(log(it * jt * knots[k]), 10));
		}
		cells = log(it * jt * kt);
		least = w.p[WP_WG] + w.p[WP_IT] * log(it) + w.p[WP_JT] * log(jt) +
			fmin(0, w.p[WP_MK] * log(kt)) + fmin(0, w.p[WP_MMI] * log(6)) + block;
		for (int k = 0; k < 3; k++) {
			least += w.p[WP_GRID_1 + k] * above(cells, (16 + 2 * k) * log(2));
			stream += w.p[WP_STREAM_1 + k] * above(cells, (16 + 2 * k) * log(2));
		}
		least += fmin(stream, stream / 6);
		fix = 1 +
		      exp(w.p[WP_FIX]) * fmax(at(row, "iterations") - 7, 0) / at(row, "iterations");
		check_rel(wavefront_time_least_wg(&w, row),
			  exp(least) * (it + start(&w, it)) / it * fix, 1e-11);
	}
}

TEST(a_question_takes_each_count_by_its_name)
{
	const struct application other = {.name = (char *)(uintptr_t) "other"};
	struct sweep s = {0};
	struct sweep_run run = {.iterations = 0};
	double row[64];

	make_row(row, 11, 12, 13, 2, 3, 5, 6);
	put(row, "mm", 18);
	put(row, "iterations", 7);
	put(row, "groups", 8);
	put(row, "timesteps", 9);
	must(wavefront_question(app, row, &s, &run, &err));
	assert_true(s.it_g == 11 && s.jt_g == 12 && s.kt == 13 && s.npe_i == 2 && s.npe_j == 3);
	assert_true(s.mk == 5 && s.mmi == 6 && s.mm == 18);
	assert_true(run.iterations == 7 && run.groups == 8 && run.timesteps == 9);
	put(row, "kt", (double)SWEEP_MAX_COUNT);
	put(row, "mk", 1);
	must(wavefront_question(app, row, &s, &run, &err));
	put(row, "kt", 2 * (double)SWEEP_MAX_COUNT);
	must_fail(wavefront_question(app, row, &s, &run, &err), ERR_ARG, "kt = ");
	put(row, "kt", 13);
	put(row, "groups", NAN);
	must_fail(wavefront_question(app, row, &s, &run, &err), ERR_ARG, "groups = ");
	put(row, "groups", 0.5);
	must_fail(wavefront_question(app, row, &s, &run, &err), ERR_ARG, "groups = 0.5");
	must_fail(wavefront_question(&other, row, &s, &run, &err), ERR_ARG,
		  "other is no wavefront application");
}

TEST(what_was_added_is_found_and_nothing_else)
{
	FREED(sub_grid_map) *m = sub_grid_map_new();
	double *added = sub_grid_map_add(m, 8, 16, 3);

	assert_ptr_equal(sub_grid_map_find(m, 8, 16), added);
	assert_null(sub_grid_map_find(m, 16, 8)); /* 8 x 16 is not 16 x 8 */
	assert_null(sub_grid_map_find(m, 8, 17));
	assert_null(sub_grid_map_find(m, 9, 16));
}

TEST(new_numbers_are_zero)
{
	FREED(sub_grid_map) *m = sub_grid_map_new();
	const double *number = sub_grid_map_add(m, 1, 1, 5);

	for (size_t i = 0; i < 5; i++)
		assert_true(number[i] == 0);
}

/* 100 x 100 sub-grids are many times what the map has room for at first. */
TEST(ten_thousand_sub_grids_are_kept_apart)
{
	FREED(sub_grid_map) *m = sub_grid_map_new();

	for (int it = 1; it <= 100; it++) {
		for (int jt = 1; jt <= 100; jt++) {
			assert_null(sub_grid_map_find(m, it, jt));
			sub_grid_map_add(m, it, jt, 1)[0] = 1000 * it + jt;
		}
	}
	for (int it = 1; it <= 100; it++) {
		for (int jt = 1; jt <= 100; jt++)
			assert_true(sub_grid_map_find(m, it, jt)[0] == 1000 * it + jt);
	}
	assert_null(sub_grid_map_find(m, 101, 1));
}

TEST(no_map_is_freed_as_well)
{
	sub_grid_map_free(NULL);
}

TEST_GROUP(set_up, free_app)
