#include "tests/unit/mining/choice_class.h"

#include <string.h>

#include "mining/rules/subgroup_search.h"
#include "tests/support/planted.h"

static struct subgroup best_of(const struct slowdown_table *t, size_t min_in)
{
	struct case_contrast c = {0};
	struct subgroup found = {.score = 77};
	struct err e = {0};

	check_ok(case_contrast_make(t, &c, &e), &e);
	check_ok(subgroup_find(&c, min_in, &found, &e), &e);
	case_contrast_release(&c);
	return found;
}

/* beta * sqrt(variance), from the definition. */
static double score_of(const struct slowdown_table *t, const struct conjunction *what, size_t *n_in)
{
	struct case_contrast c = {0};
	struct contrast measured;
	unsigned char *in;
	struct err e = {0};

	check_ok(case_contrast_make(t, &c, &e), &e);
	in = calloc(c.n + 1, 1);
	assert_non_null(in);
	for (size_t k = 0; k < c.n; k++)
		in[k] = conjunction_holds(what, t, c.item[k]);
	check_ok(case_contrast_measure(&c, in, &measured, &e), &e);
	*n_in = measured.n_in;
	free(in);
	case_contrast_release(&c);
	return measured.variance > 0 ? measured.beta * sqrt(measured.variance) : 0;
}

/* The best single condition by trying every threshold of every ordered column, from above and from
 * below. */
static double best_single_score(const struct slowdown_table *t, size_t min_in)
{
	double best = 0;

	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->use[c] == USE_NONE || !t->bins[c].ordered)
			continue;
		for (size_t k = 0; k + 1 < t->bins[c].n; k++) {
			unsigned char code = (unsigned char)k,
				      last = (unsigned char)(t->bins[c].n - 1);
			struct conjunction low = {.n = 1, .of = {{.column = c, .hi = code}}};
			struct conjunction high = {
				.n = 1,
				.of = {{.column = c, .lo = (unsigned char)(code + 1), .hi = last}}};
			size_t n_in;
			double score = score_of(t, &low, &n_in);

			if (n_in >= min_in && score > best)
				best = score;
			score = score_of(t, &high, &n_in);
			if (n_in >= min_in && score > best)
				best = score;
		}
	}
	return best;
}

static void the_score_is_that_of_the_contrast_and_no_single_condition_is_better(void **state)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct planted_design design = {.seed = seed,
						.n_rules = seed % 4,
						.n_problems = 6,
						.n_per_case = 8 + 3 * (seed % 3),
						.min_factor = 1.1,
						.max_factor = 2,
						.noise = 0.05};
		struct planted p;
		struct slowdown_table *t = NULL;
		struct subgroup found;
		struct err e = {0};
		size_t n_in;

		assert_int_equal(planted_make(&design, &p), 0);
		check_ok(slowdown_table_make(p.runs, NULL, &t, &e), &e);
		found = best_of(t, 10);
		assert_in_range(found.what.n, 1, 3);
		check_rel(found.score, score_of(t, &found.what, &n_in), 1e-9);
		assert_true(n_in >= 10);
		assert_true(found.score >= best_single_score(t, 10) * (1 - 1e-12));
		slowdown_table_free(t);
		planted_release(&p);
	}
}

/* ---- small landscapes without noise ---- */

struct landscape {
	struct application *app;
	struct dataset *runs;
	struct slowdown_table *t;
};

/* Problems m = 1..6 with every a = 1..5, b = 1..4 and layout, in times of time_s. */
static struct landscape landscape(double (*time_s)(double m, double a, double b, double layout))
{
	static const char *const problem[] = {"m", NULL},
				 *const tunable[] = {"a", "b", "lay", NULL},
				 *const categorical[] = {"lay", NULL};
	static const char *const level[] = {"row", "column", "tiled"};
	struct landscape l = {.app = choice_class(problem, tunable, categorical)};
	struct err e = {0};

	for (size_t k = 0; k < 3; k++)
		levels_add(&l.app->column[application_column(l.app, "lay")].levels, level[k]);
	l.runs = dataset_new(l.app);
	for (int i = 0; i < 6 * 5 * 4 * 3; i++) {
		int size = 1 + i / 60, u = 1 + i / 12 % 5, v = 1 + i / 3 % 4;
		double m = size, a = u, b = v, layout = i % 3, row[8];

		row[application_column(l.app, "m")] = m;
		row[application_column(l.app, "a")] = a;
		row[application_column(l.app, "b")] = b;
		row[application_column(l.app, "lay")] = layout;
		row[application_column(l.app, "procs")] = 4;
		choice_add(l.runs, row, m * time_s(m, a, b, layout));
	}
	check_ok(slowdown_table_make(l.runs, NULL, &l.t, &e), &e);
	return l;
}

static void check_finds(double (*time_s)(double m, double a, double b, double layout),
			const char *want)
{
	struct landscape l = landscape(time_s);
	struct subgroup found = best_of(l.t, 4);
	struct strbuf text = STRBUF_INIT;

	conjunction_put_text(&found.what, l.t, &text);
	assert_string_equal(strbuf_text(&text), want);
	strbuf_release(&text);
	slowdown_table_free(l.t);
	dataset_free(l.runs);
	application_free(l.app);
}

static double slow_from_a_4(double m, double a, double b, double layout)
{
	(void)m, (void)b, (void)layout;
	return a >= 4 ? 2 : 1;
}

static double slow_in_the_middle_of_a(double m, double a, double b, double layout)
{
	(void)m, (void)b, (void)layout;
	return a >= 2 && a <= 3 ? 2 : 1;
}

static double slow_in_two_layouts(double m, double a, double b, double layout)
{
	(void)m, (void)a, (void)b;
	return layout != 1 ? 2 : 1;
}

static double slow_corner(double m, double a, double b, double layout)
{
	(void)m;
	return a >= 3 && b <= 2 && layout == 2 ? 3 : 1;
}

/* Good for small problems, bad for large ones: over all problems b makes no difference. */
static double it_depends(double m, double a, double b, double layout)
{
	(void)a, (void)layout;
	return m <= 3 ? (b <= 2 ? 2 : 1) : (b <= 2 ? 1 : 2);
}

static double flat(double m, double a, double b, double layout)
{
	(void)m, (void)a, (void)b, (void)layout;
	return 1;
}

static void conditions_are_found_as_they_are(void **state)
{
	check_finds(slow_from_a_4, "a >= 4");
	check_finds(slow_in_the_middle_of_a, "a between 2 and 3");
	check_finds(slow_in_two_layouts, "lay in ('row', 'tiled')");
	check_finds(slow_corner, "lay = 'tiled' and a >= 3 and b <= 2");
	check_finds(flat, "");
}

static void a_choice_that_is_good_here_and_bad_there_is_found(void **state)
{
	struct landscape l = landscape(it_depends);
	struct subgroup found = best_of(l.t, 4);
	size_t m = application_column(l.app, "m"), b = application_column(l.app, "b");

	assert_int_equal(found.what.n, 2);
	assert_true(found.what.of[0].column == m || found.what.of[1].column == m);
	assert_true(found.what.of[0].column == b || found.what.of[1].column == b);
	/* Half of the 60 items of 3 cases, each of weight 32 / 60: beta = log 2, variance 3 * 60 /
	 * 4
	 * * 32 / 60 = 24. */
	check_rel(found.score, log(2) * sqrt(24), 1e-12);
	slowdown_table_free(l.t);
	dataset_free(l.runs);
	application_free(l.app);
}

static void no_subgroup_is_smaller_than_asked_for(void **state)
{
	struct landscape l = landscape(slow_corner); /* 6 * 3 * 2 configurations */
	struct subgroup found = best_of(l.t, 37);
	size_t n_in;

	score_of(l.t, &found.what, &n_in);
	assert_true(found.what.n >= 1 && n_in >= 37);
	slowdown_table_free(l.t);
	dataset_free(l.runs);
	application_free(l.app);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_score_is_that_of_the_contrast_and_no_single_condition_is_better),
	cmocka_unit_test(conditions_are_found_as_they_are),
	cmocka_unit_test(a_choice_that_is_good_here_and_bad_there_is_found),
	cmocka_unit_test(no_subgroup_is_smaller_than_asked_for),
};

CHECK_MAIN(tests)
