#include "acquire/design.h"

#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

static const size_t two[16] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
static const size_t three[4] = {3, 3, 3, 3};

static struct design_space space_of(size_t n_factors, const size_t *n_levels)
{
	return (struct design_space){.n_factors = n_factors, .n_levels = n_levels};
}

/* Half of a square: 0 + 1 + ... of n * n. */
static bool not_above_the_diagonal(void *arg, const size_t *level)
{
	return level[1] <= level[0];
}

static bool nothing(void *arg, const size_t *level)
{
	return false;
}

static bool together(void *arg, const size_t *level)
{
	return level[0] == level[1];
}

static size_t n_with(const struct design *d, size_t factor, size_t level)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		n += design_point(d, i)[factor] == level;
	return n;
}

static size_t n_with_both(const struct design *d, size_t f, size_t l, size_t g, size_t m)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		n += design_point(d, i)[f] == l && design_point(d, i)[g] == m;
	return n;
}

static void check_no_point_twice(const struct design *d)
{
	for (size_t i = 0; i < d->n; i++) {
		for (size_t j = 0; j < i; j++)
			assert_memory_not_equal(design_point(d, i), design_point(d, j),
						d->n_factors * sizeof(size_t));
	}
}

/* Each pair of levels of each two factors equally often: strength 2. */
static void check_orthogonal_array(const struct design *d, const size_t *n_levels)
{
	for (size_t f = 0; f < d->n_factors; f++) {
		for (size_t g = 0; g < f; g++) {
			for (size_t l = 0; l < n_levels[f] * n_levels[g]; l++)
				assert_int_equal(
					n_with_both(d, f, l % n_levels[f], g, l / n_levels[f]),
					d->n / (n_levels[f] * n_levels[g]));
		}
	}
}

/* ---- full ---- */

TEST(a_full_factorial_has_each_combination_with_the_last_factor_fastest)
{
	static const size_t n_levels[] = {2, 3};
	static const size_t want[] = {0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2};
	struct design_space s = space_of(2, n_levels);
	RELEASED(design) d;

	must(design_full_factorial(&s, 6, &d, &err));
	assert_int_equal(d.n, 6);
	assert_memory_equal(d.level, want, sizeof want);
}

TEST(a_full_factorial_beyond_the_cap_is_refused_with_its_size)
{
	struct design_space s = space_of(4, three);
	RELEASED(design) d = {.n = 77};

	must_fail(design_full_factorial(&s, 80, &d, &err), ERR_ARG,
		  "more than 80 configurations (81 combinations)");
	s.legal = not_above_the_diagonal; /* 6 * 9 = 54 are legal */
	must_fail(design_full_factorial(&s, 53, &d, &err), ERR_ARG,
		  "more than 53 configurations (the legal ones of 81 combinations)");
	assert_int_equal(d.n, 77);
	must(design_full_factorial(&s, 54, &d, &err));
	assert_int_equal(d.n, 54);
}

TEST(a_space_without_a_legal_combination_has_no_design)
{
	struct design_space s = space_of(4, three);
	struct design d;
	struct err e[4] = {{0}};

	s.legal = nothing;
	assert_int_equal(design_full_factorial(&s, 100, &d, &e[0]), ERR_ARG);
	assert_int_equal(design_fraction(&s, 10, 1, &d, &e[1]), ERR_ARG);
	assert_int_equal(design_latin_hypercube(&s, 10, 1, &d, &e[2]), ERR_ARG);
	for (int i = 0; i < 3; i++)
		assert_string_equal(e[i].msg, "no combination of levels is legal");
	s.n_factors = 0;
	assert_int_equal(design_full_factorial(&s, 100, &d, &e[3]), ERR_ARG);
	assert_non_null(strstr(e[3].msg, "0 factors: 1 to 64"));
}

/* ---- fractions ---- */

/* Resolutions: Montgomery, "Design and analysis of experiments", table 8.14; the same as those of
 * Box, Hunter and Hunter, "Statistics for experimenters", table 12.15. */
TEST(regular_fractions_have_the_resolution_of_the_tables)
{
	static const struct {
		size_t k, n;
		int resolution;
	} want[] = {{3, 4, 3},	{4, 8, 4},  {5, 16, 5}, {5, 8, 3},   {6, 32, 6}, {6, 16, 4},
		    {6, 8, 3},	{7, 64, 7}, {7, 32, 4}, {7, 16, 4},  {7, 8, 3},	 {8, 64, 5},
		    {8, 16, 4}, {9, 32, 4}, {9, 16, 3}, {11, 16, 3}, {15, 16, 3}};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct design_space s = space_of(want[i].k, two);
		RELEASED(design) d;

		must(design_fraction(&s, want[i].n, 1 + i, &d, &err));
		assert_int_equal(d.n, want[i].n);
		assert_int_equal(d.resolution, want[i].resolution);
		check_abs(d.efficiency, 1, 0);
		check_orthogonal_array(&d, two);
		check_no_point_twice(&d);
	}
}

/* The half fraction of four factors of least aberration has the word ABCD: in all runs an even
 * number of factors is high, or in all an odd one. */
TEST(the_half_fraction_of_four_factors_is_that_of_the_word_of_all)
{
	struct design_space s = space_of(4, two);
	RELEASED(design) d;
	size_t n_odd = 0;

	must(design_fraction(&s, 8, 3, &d, &err));
	for (size_t i = 0; i < d.n; i++) {
		const size_t *p = design_point(&d, i);

		n_odd += (p[0] + p[1] + p[2] + p[3]) % 2;
	}
	assert_true(n_odd == 0 || n_odd == 8);
}

/* Taguchi's L9, and the design of Plackett and Burman (Biometrika 33, 1946) for eleven factors. */
TEST(known_orthogonal_arrays_are_found_by_exchange)
{
	struct design_space nine = space_of(4, three), twelve = space_of(11, two);
	struct design d;

	must(design_fraction(&nine, 9, 1, &d, &err));
	check_rel(d.efficiency, 1.0, 1e-9);
	assert_int_equal(d.resolution, 0);
	check_orthogonal_array(&d, three);
	design_release(&d);
	must(design_fraction(&twelve, 12, 1, &d, &err));
	check_rel(d.efficiency, 1.0, 1e-9);
	check_orthogonal_array(&d, two);
	design_release(&d);
}

/* Three of the four runs of 2 x 2: |X'X| = |4 I - x x'| = 4^3 (1 - 3/4) = 16, whichever is left
 * out. */
TEST(efficiency_is_that_of_a_hand_calculation)
{
	struct design_space s = space_of(2, two);
	RELEASED(design) d;

	assert_int_equal(design_fraction_least(&s), 3);
	must(design_fraction(&s, 3, 1, &d, &err));
	check_rel(d.efficiency, cbrt(16) / 3, 1e-12);
}

TEST(a_mixed_fraction_obeys_what_is_legal_and_takes_every_level)
{
	static const size_t n_levels[] = {4, 4, 3, 2};
	struct design_space s = space_of(4, n_levels);
	RELEASED(design) d;

	s.legal = not_above_the_diagonal;
	must(design_fraction(&s, 14, 5, &d, &err));
	assert_int_equal(d.n, 14);
	check_no_point_twice(&d);
	for (size_t i = 0; i < d.n; i++)
		assert_true(s.legal(NULL, design_point(&d, i)));
	for (size_t f = 0; f < 4; f++) {
		for (size_t l = 0; l < n_levels[f]; l++)
			assert_true(n_with(&d, f, l) > 0);
	}
	assert_true(d.efficiency > 0 && d.efficiency < 1);
}

TEST(a_fraction_that_cannot_be_says_why)
{
	struct design_space s = space_of(4, three);
	struct design d;
	struct err e[3] = {{0}};

	assert_int_equal(design_fraction(&s, 8, 1, &d, &e[0]), ERR_ARG);
	assert_non_null(strstr(e[0].msg, "at least 9 runs"));
	assert_int_equal(design_fraction(&s, 82, 1, &d, &e[1]), ERR_ARG);
	assert_non_null(strstr(e[1].msg, "only 81 legal combinations of levels exist"));
	s.legal = together;
	assert_int_equal(design_fraction(&s, 12, 1, &d, &e[2]), ERR_ARG);
	assert_non_null(strstr(e[2].msg, "always move together"));
}

/* ---- Latin hypercubes ---- */

TEST(every_level_of_a_latin_hypercube_is_taken_equally_often)
{
	static const size_t n_levels[] = {5, 5, 3, 7};
	struct design_space s = space_of(4, n_levels);

	for (size_t n = 1; n <= 40; n += 3) {
		RELEASED(design) d;

		must(design_latin_hypercube(&s, n, n, &d, &err));
		assert_int_equal(d.n, n);
		check_no_point_twice(&d);
		for (size_t f = 0; f < 4; f++) {
			for (size_t l = 0; l < n_levels[f]; l++)
				assert_in_range(n_with(&d, f, l), n / n_levels[f],
						(n + n_levels[f] - 1) / n_levels[f]);
		}
	}
}

TEST(of_more_levels_than_points_one_of_each_part_is_taken)
{
	static const size_t n_levels[] = {9, 90};
	struct design_space s = space_of(2, n_levels);
	RELEASED(design) d;

	must(design_latin_hypercube(&s, 3, 2, &d, &err));
	for (size_t f = 0; f < 2; f++) {
		size_t in_part[3] = {0};

		for (size_t i = 0; i < 3; i++)
			in_part[design_point(&d, i)[f] * 3 / n_levels[f]]++;
		for (size_t part = 0; part < 3; part++)
			assert_int_equal(in_part[part], 1);
	}
}

TEST(as_many_points_as_combinations_are_all_of_them)
{
	struct design_space s = space_of(3, two);
	struct design d;

	must(design_latin_hypercube(&s, 8, 1, &d, &err));
	check_no_point_twice(&d);
	design_release(&d);
	must_fail(design_latin_hypercube(&s, 9, 1, &d, &err), ERR_ARG,
		  "only 8 combinations of levels are legal");
}

static double least_distance2(const struct design *d, const size_t *n_levels)
{
	double least = INFINITY;

	for (size_t i = 0; i < d->n; i++) {
		for (size_t j = 0; j < i; j++) {
			double sum = 0;

			for (size_t f = 0; f < d->n_factors; f++) {
				double x = (double)design_point(d, i)[f] -
					   (double)design_point(d, j)[f];

				x /= (double)(n_levels[f] - 1);
				sum += x * x;
			}
			least = fmin(least, sum);
		}
	}
	return least;
}

/* Four points on 4 x 4: the maximin Latin square has steps of (1, 2), distance^2 5 / 9 (van Dam et
 * al., "Maximin Latin hypercube designs in two dimensions", Oper. Res. 55, 2007). */
TEST(points_of_a_latin_hypercube_are_far_apart)
{
	static const size_t n_levels[] = {4, 4};
	struct design_space s = space_of(2, n_levels);

	for (uint64_t seed = 1; seed <= 5; seed++) {
		RELEASED(design) d;

		must(design_latin_hypercube(&s, 4, seed, &d, &err));
		check_rel(least_distance2(&d, n_levels), 5.0 / 9, 1e-12);
	}
}

/* Of the legal half level l of the first factor has l + 1 of 45 combinations, so that of 18 points
 * its share is 0.4 (l + 1). */
TEST(a_constrained_latin_hypercube_is_legal_and_takes_levels_by_their_share)
{
	static const size_t n_levels[] = {9, 9};
	struct design_space s = space_of(2, n_levels);
	struct design d;

	s.legal = not_above_the_diagonal;
	must(design_latin_hypercube(&s, 18, 4, &d, &err));
	check_no_point_twice(&d);
	for (size_t i = 0; i < d.n; i++)
		assert_true(s.legal(NULL, design_point(&d, i)));
	for (size_t l = 0; l < 9; l++)
		check_abs((double)n_with(&d, 0, l), 0.4 * (double)(l + 1), 1.7);
	design_release(&d);
	must_fail(design_latin_hypercube(&s, 46, 4, &d, &err), ERR_ARG, "only 45 combinations");
}

static bool first_and_last_are_small(void *arg, const size_t *level)
{
	return level[0] + level[11] <= 4;
}

/* 4^12 combinations are more than are walked through. */
TEST(a_large_space_is_drawn_from)
{
	static const size_t n_levels[12] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
	struct design_space s = space_of(12, n_levels);
	struct design d;

	s.legal = first_and_last_are_small;
	must(design_latin_hypercube(&s, 16, 4, &d, &err));
	check_no_point_twice(&d);
	for (size_t i = 0; i < d.n; i++)
		assert_true(s.legal(NULL, design_point(&d, i)));
	design_release(&d);
	must(design_fraction(&s, 40, 4, &d, &err));
	for (size_t i = 0; i < d.n; i++)
		assert_true(s.legal(NULL, design_point(&d, i)));
	design_release(&d);
	s.legal = nothing;
	must_fail(design_fraction(&s, 40, 4, &d, &err), ERR_ARG,
		  "no legal combination of levels was found");
}

TEST(one_seed_is_one_design_and_another_is_another)
{
	static const size_t n_levels[] = {5, 5, 3, 7};
	struct design_space s = space_of(4, n_levels);
	struct design a, b, c;

	must(design_latin_hypercube(&s, 12, 1, &a, &err));
	must(design_latin_hypercube(&s, 12, 1, &b, &err));
	must(design_latin_hypercube(&s, 12, 2, &c, &err));
	assert_memory_equal(a.level, b.level, 12 * 4 * sizeof *a.level);
	assert_memory_not_equal(a.level, c.level, 12 * 4 * sizeof *a.level);
	design_release(&a);
	design_release(&b);
	design_release(&c);
	must(design_fraction(&s, 20, 1, &a, &err));
	must(design_fraction(&s, 20, 1, &b, &err));
	assert_memory_equal(a.level, b.level, 20 * 4 * sizeof *a.level);
	design_release(&a);
	design_release(&b);
}

/* ---- a choice from a list ---- */

/* A line of seven points of which both ends are taken: the middle is farthest; it may not be
 * chosen: then one beside it. */
TEST(a_choice_goes_where_nothing_was_taken_and_passes_over_what_is_barred)
{
	static const size_t level[] = {0, 1, 2, 3, 4, 5, 6}, n_levels[] = {7};
	static const unsigned char taken[] = {1, 0, 0, 0, 0, 0, 1},
				   barred[] = {0, 0, 0, 1, 0, 0, 0};
	struct design_list l = {
		.n_points = 7, .n_factors = 1, .n_levels = n_levels, .level = level};
	size_t chosen[7] = {99, 99, 99, 99, 99, 99, 99};

	must(design_choose(&l, taken, 1, 1, chosen, &err));
	assert_int_equal(chosen[0], 3);
	l.barred = barred;
	must(design_choose(&l, taken, 1, 1, chosen, &err));
	assert_true(chosen[0] == 2 || chosen[0] == 4);
	must_fail(design_choose(&l, taken, 5, 1, chosen, &err), ERR_ARG,
		  "5 runs of 4 combinations that are left");
	assert_int_equal(chosen[1], 99);
}

/* ---- order ---- */

TEST(every_block_runs_every_point_once_in_an_order_of_its_own)
{
	enum { POINTS = 20, REPEATS = 3 };
	struct design_run run[POINTS * REPEATS];
	bool same = true;

	design_run_order(POINTS, REPEATS, 7, run);
	for (size_t r = 0; r < REPEATS; r++) {
		size_t n[POINTS] = {0};

		for (size_t i = 0; i < POINTS; i++) {
			assert_int_equal(run[r * POINTS + i].repeat, r);
			n[run[r * POINTS + i].point]++;
		}
		for (size_t i = 0; i < POINTS; i++)
			assert_int_equal(n[i], 1);
	}
	for (size_t i = 0; i < POINTS; i++)
		same = same && run[i].point == run[POINTS + i].point;
	assert_false(same);
}

/* ---- when something fails ---- */

TEST(a_design_can_be_interrupted)
{
	static const struct progress p = {stop_at_once, NULL};
	struct design_space s = space_of(4, three), t = space_of(5, two);
	struct design d = {.n = 77};

	s.progress = t.progress = &p;
	assert_int_equal(design_full_factorial(&s, 100, &d, &err), ERR_INTERRUPTED);
	assert_int_equal(design_fraction(&s, 9, 1, &d, &err), ERR_INTERRUPTED);
	assert_int_equal(design_fraction(&t, 8, 1, &d, &err), ERR_INTERRUPTED);
	assert_int_equal(design_latin_hypercube(&s, 9, 1, &d, &err), ERR_INTERRUPTED);
	assert_int_equal(d.n, 77);
}

static enum err_code make_all(struct err *e)
{
	static const size_t n_levels[] = {4, 4, 3};
	struct design_space s = space_of(3, n_levels), t = space_of(4, two);
	struct design d[4] = {{0}};
	enum err_code rc;

	s.legal = not_above_the_diagonal;
	if (!(rc = design_full_factorial(&s, 100, &d[0], e)) &&
	    !(rc = design_fraction(&s, 10, 1, &d[1], e)) &&
	    !(rc = design_fraction(&t, 8, 1, &d[2], e)))
		rc = design_latin_hypercube(&s, 6, 1, &d[3], e);
	for (int i = 0; i < 4; i++)
		design_release(&d[i]);
	return rc;
}

TEST(without_memory_there_is_an_error)
{
	failing_each_place (make_all(&err), &err)
		;
}
