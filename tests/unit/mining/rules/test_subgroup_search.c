#include "tests/support/made_runs.h"

#include "base/compare.h"
#include "mining/cases/rule_miners.h"
#include "mining/numerics/rank_tests.h"
#include "mining/rules/subgroup_search.h"
#include "tests/support/planted.h"

FREEABLE(rule_test)
FREEABLE(slowdown_table)

static struct subgroup best_of(const struct slowdown_table *t, size_t min_in)
{
	RELEASED(case_contrast) c = {0};
	struct subgroup found = {.score = 77};

	must(case_contrast_make(t, &c, &err));
	must(subgroup_find(&c, min_in, &found, &err));
	return found;
}

/* beta * sqrt(variance), from the definition. */
static double score_of(const struct slowdown_table *t, const struct conjunction *what, size_t *n_in)
{
	struct case_contrast c = {0};
	struct contrast measured;
	unsigned char *in;

	must(case_contrast_make(t, &c, &err));
	in = zeroed(c.n + 1, 1);
	for (size_t k = 0; k < c.n; k++)
		in[k] = conjunction_holds(what, t, c.item[k]);
	must(case_contrast_measure(&c, in, &measured, &err));
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

TEST(the_score_is_that_of_the_contrast_and_no_single_condition_is_better)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct planted_design design = {.seed = seed,
						.n_rules = seed % 4,
						.n_problems = 6,
						.n_per_case = 8 + 3 * (seed % 3),
						.min_factor = 1.1,
						.max_factor = 2,
						.noise = 0.05};
		RELEASED(planted) p;
		FREED(slowdown_table) *t = NULL;
		struct subgroup found;
		size_t n_in;

		assert_int_equal(planted_make(&design, &p), 0);
		must(slowdown_table_make(p.runs, NULL, &t, &err));
		found = best_of(t, 10);
		assert_in_range(found.what.n, 1, 3);
		check_rel(found.score, score_of(t, &found.what, &n_in), 1e-9);
		assert_true(n_in >= 10);
		assert_true(found.score >= best_single_score(t, 10) * (1 - 1e-12));
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
	struct landscape l = {.app = made_application("choices", "m", "a,b,lay", "lay", "procs")};

	made_levels(l.app, "lay", "row,column,tiled");
	l.runs = dataset_new(l.app);
	for (int i = 0; i < 6 * 5 * 4 * 3; i++) {
		int size = 1 + i / 60, u = 1 + i / 12 % 5, v = 1 + i / 3 % 4;
		double m = size, a = u, b = v, layout = i % 3, row[8];

		row[application_column(l.app, "m")] = m;
		row[application_column(l.app, "a")] = a;
		row[application_column(l.app, "b")] = b;
		row[application_column(l.app, "lay")] = layout;
		row[application_column(l.app, "procs")] = 4;
		runs_add(l.runs, row, m * time_s(m, a, b, layout));
	}
	must(slowdown_table_make(l.runs, NULL, &l.t, &err));
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

TEST(conditions_are_found_as_they_are)
{
	check_finds(slow_from_a_4, "a >= 4");
	check_finds(slow_in_the_middle_of_a, "a between 2 and 3");
	check_finds(slow_in_two_layouts, "lay in ('row', 'tiled')");
	check_finds(slow_corner, "lay = 'tiled' and a >= 3 and b <= 2");
	check_finds(flat, "");
}

TEST(a_choice_that_is_good_here_and_bad_there_is_found)
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

TEST(no_subgroup_is_smaller_than_asked_for)
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

/* ---- rules of subgroups ---- */

/* What the rule says of these configurations: the mean log slow-down of its choices by case, of
 * those by problem, and of those over all; in how many cases they are slower than the others.
 * n_runs: those that it speaks of. */
static struct rule_evidence evidence_on(const struct slowdown_table *t, const struct rule *r)
{
	struct rule_evidence v = {0};
	FREED(rule_test) *test = NULL;
	RELEASED(case_contrast) c = {0};
	struct contrast versus;
	struct mean_test over;
	HEAP double *in = calloc(t->n_strata, sizeof *in),
		    *n_in = calloc(t->n_strata, sizeof *n_in);
	HEAP double *out = calloc(t->n_strata, sizeof *out),
		    *n_out = calloc(t->n_strata, sizeof *n_out);
	HEAP double *block = calloc(t->n_blocks, sizeof *block),
		    *n = calloc(t->n_blocks, sizeof *n);
	HEAP size_t *block_of = calloc(t->n_strata, sizeof *block_of);
	HEAP unsigned char *mark = calloc(t->n + 1, 1);
	size_t n_blocks = 0, n_true = 0, n_compared = 0;

	assert_true(in && n_in && out && n_out && block && n && block_of && mark);
	must(rule_test_new(t->app, r, &test, &err));
	must(case_contrast_make(t, &c, &err));
	for (size_t k = 0; k < c.n; k++) {
		const size_t i = c.item[k], s = t->stratum[i];

		block_of[s] = t->block[i];
		mark[k] = rule_condition_holds(test, slowdown_row(t, i));
		(mark[k] ? in : out)[s] += t->log_slowdown[i];
		(mark[k] ? n_in : n_out)[s]++;
	}
	for (size_t s = 0; s < t->n_strata; s++) {
		if (n_in[s] == 0)
			continue;
		v.n_cases++;
		block[block_of[s]] += in[s] / n_in[s];
		n[block_of[s]]++;
		if (n_out[s] == 0)
			continue;
		n_compared++;
		n_true += in[s] / n_in[s] > out[s] / n_out[s];
	}
	for (size_t b = 0; b < t->n_blocks; b++) {
		if (n[b] > 0)
			block[n_blocks++] = block[b] / n[b];
	}
	mean_t_test(block, n_blocks, 0.9, &over);
	v.n_problems = (int64_t)n_blocks;
	v.effect = exp(over.mean);
	v.lo = exp(over.lo);
	v.hi = exp(over.hi);
	v.confidence = (double)n_true / (double)n_compared;
	for (size_t b = 0; b < n_blocks; b++)
		block[b] = fabs(block[b] - over.mean);
	qsort(block, n_blocks, sizeof *block, compare_doubles);
	v.held_out_error = block[n_blocks / 2];
	must(case_contrast_measure(&c, mark, &versus, &err));
	v.versus_others = exp(versus.beta);
	v.n_runs = (int64_t)versus.n_in;
	v.usefulness = versus.beta * versus.beta * versus.variance / case_contrast_squares(&c);
	return v;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static bool agree(const struct rule_evidence *a, const struct rule_evidence *b)
{
	return a->n_cases == b->n_cases && a->n_problems == b->n_problems &&
	       is_near(a->effect, b->effect) && is_near(a->lo, b->lo) && is_near(a->hi, b->hi) &&
	       is_near(a->confidence, b->confidence) &&
	       is_near(a->held_out_error, b->held_out_error) &&
	       is_near(a->versus_others, b->versus_others);
}

/* A rule was found on one half of the problems and is told with what the other says; the first one
 * with what it takes of the squares of all. */
TEST(a_choice_rule_is_told_with_what_the_other_half_says)
{
	static const struct planted_design design = {.seed = 11,
						     .n_rules = 3,
						     .n_problems = 13,
						     .n_per_case = 25,
						     .min_factor = 1.3,
						     .max_factor = 2,
						     .noise = 0.05};
	RELEASED(planted) p = {0};
	struct slowdown_table *t = NULL, *half[2] = {NULL, NULL};
	struct rule_list rules = {0};
	struct rule_evidence all;
	HEAP unsigned char *fold;
	double last = INFINITY;

	assert_int_equal(planted_make(&design, &p), 0);
	must(slowdown_table_make(p.runs, NULL, &t, &err));
	must(mine_choice_rules(t, NULL, &rules, &err));
	assert_true(rules.n >= 2);
	fold = zeroed(t->n_blocks, 1);
	must(slowdown_folds(t, 2, fold, &err));
	for (unsigned h = 0; h < 2; h++)
		must(sample_fold(t, fold, h, 40000, &half[h], &err));
	for (size_t k = 0; k < rules.n; k++) {
		const struct rule *r = &rules.item[k];
		const struct rule_evidence a = evidence_on(half[0], r), b = evidence_on(half[1], r);
		const struct rule_evidence *told = agree(&r->evidence, &a) ? &a : &b;
		const double contribution = log(told->versus_others) * (double)told->n_runs;

		assert_int_equal(r->kind, RULE_CHOICE);
		assert_true(agree(&r->evidence, told));
		assert_true(r->evidence.p_value <= RULE_FALSE_DISCOVERY);
		assert_true(contribution <= last); /* what slows most down comes first */
		last = contribution;
	}
	all = evidence_on(t, &rules.item[0]);
	check_rel(rules.item[0].evidence.usefulness, all.usefulness, 1e-9);
	rule_list_release(&rules);
	slowdown_table_free(half[0]);
	slowdown_table_free(half[1]);
	slowdown_table_free(t);
}
