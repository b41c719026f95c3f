#include "tests/support/made_runs.h"
#include "tests/support/shared_app.h"
#include "tests/support/check.h"

#include "base/compare.h"
#include "domain/configuration.h"
#include "mining/cases/rule_miners.h"
#include "mining/findings/findings_private.h"
#include "mining/numerics/rank_tests.h"
#include "tests/support/uniform.h"

FREEABLE(slowdown_table)

/* An application with a problem size, processors, a block size mk that matters, a layout that
 * matters, and two tunables that do nothing: `idle`, and `echo`, which copies mk where a test says
 * so. */

enum { SIZE, MK, LAYOUT, IDLE, ECHO, PROCS, N_COLUMNS };
static const char *const column_name[N_COLUMNS] = {"size", "mk", "layout", "idle", "echo", "procs"};
static size_t column[N_COLUMNS];

static int set_up(void **state)
{
	app = made_application("planted", "size", "mk,layout,idle,echo", "layout", "procs");
	for (size_t c = 0; c < N_COLUMNS; c++)
		column[c] = application_column(app, column_name[c]);
	made_levels(app, "layout", "DGZ,ZGD");
	return 0;
}

static void add(struct dataset *d, const double value[N_COLUMNS], double wall_s)
{
	double row[N_COLUMNS];

	for (size_t c = 0; c < N_COLUMNS; c++)
		row[column[c]] = value[c];
	runs_add(d, row, wall_s);
}

/* Factors on size / procs. */
static double plain(const double *v)
{
	return v[MK] > 4 ? 1.3 : 1;
}

static double layouts(const double *v)
{
	return v[LAYOUT] > 0 ? 1.2 : 1;
}

static double crossed(const double *v)
{
	bool large_is_good = v[PROCS] <= 8;

	return (v[MK] > 4) == large_is_good ? 1 : 1.5;
}

static double nothing(const double *v)
{
	return 1;
}

/* 10 sizes x 4 procs x 4 mk x 2 layouts x 3 idle, relative noise +-noise. */
static struct dataset *planted(double (*factor)(const double *), double noise, uint64_t seed)
{
	struct dataset *d = dataset_new(app);

	for (int i = 0; i < 960; i++) {
		double v[N_COLUMNS] = {0};

		v[SIZE] = 100 << i % 10;
		v[PROCS] = 2 << 2 * (i / 10 % 4);
		v[MK] = 1 << i / 40 % 4;
		v[LAYOUT] = i / 160 % 2;
		v[IDLE] = i / 320 % 3;
		add(d, v,
		    v[SIZE] / v[PROCS] * factor(v) * (1 + uniform_draw(&seed, -noise, noise)));
	}
	return d;
}

/* Frees the runs. */
static struct findings mine(struct dataset *d)
{
	FREED(slowdown_table) *t = NULL;
	struct findings f = {.n_effects = 0};

	must(slowdown_table_make(d, NULL, &t, &err));
	must(mine_effects(t, NULL, &f, &err));
	dataset_free(d);
	return f;
}

static const struct column_effect *effect_of(const struct findings *f, const char *name)
{
	for (size_t i = 0; i < f->n_effects; i++) {
		if (!strcmp(f->effect[i].column, name))
			return &f->effect[i];
	}
	return NULL;
}

TEST(a_column_that_matters_is_found_with_its_factor)
{
	RELEASED(findings) f = mine(planted(plain, 0.02, 1));
	const struct column_effect *mk = effect_of(&f, "mk"), *procs = effect_of(&f, "procs");

	assert_ptr_equal(mk, &f.effect[0]); /* what matters most comes first */
	check_rel(mk->effect, 1.3, 0.02);
	assert_true(mk->effect_lo < 1.3 && mk->effect_hi > 1.3);
	assert_true(mk->effect_lo > 1.25 && mk->effect_hi < 1.35);
	assert_string_equal(mk->worst, "mk 8");
	assert_true(mk->slow_rho > 0.5 && mk->slow_lo > 0.5 && mk->slow_p < 1e-6);
	/* time = size / procs: the more processors the less; of slow-down within a case nothing */
	assert_true(procs->time_rho < -0.4 && procs->time_hi < -0.3 && procs->time_p < 1e-3);
	assert_true(isnan(procs->slow_rho) && isnan(procs->slow_p) && isnan(procs->effect));
	assert_string_equal(procs->best, "");
}

TEST(a_column_that_does_nothing_is_not_found)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		RELEASED(findings) f = mine(planted(plain, 0.05, seed));
		const struct column_effect *idle = effect_of(&f, "idle");

		assert_true(idle->slow_p > 0.01 && idle->time_p > 0.01);
		assert_true(idle->effect_lo < 1 && idle->effect_hi > 1);
		assert_true(fabs(idle->slow_rho) < 0.2);
		assert_int_equal(f.n_interactions, 0);
	}
}

TEST(levels_of_a_text_column_are_compared_not_ranked)
{
	RELEASED(findings) f = mine(planted(layouts, 0.02, 2));
	const struct column_effect *layout = effect_of(&f, "layout");

	assert_true(isnan(layout->time_rho) && isnan(layout->slow_rho) && isnan(layout->slow_p));
	check_rel(layout->effect, 1.2, 0.01);
	assert_string_equal(layout->best, "layout DGZ");
	assert_string_equal(layout->worst, "layout ZGD");
}

TEST(a_best_value_that_depends_on_processors_is_an_interaction)
{
	RELEASED(findings) f = mine(planted(crossed, 0.05, 3));
	const struct column_interaction *i;

	assert_int_equal(f.n_interactions, 1);
	i = f.interaction;
	assert_string_equal(i->a, "mk");
	assert_string_equal(i->b, "procs");
	/* 10 problems: all signs agree with a chance of 2^-9; adjusted for 9 pairs of columns */
	check_rel(i->p, 9 * 0x1p-9, 1e-9);
	/* the log factor is 0 or log 1.5, and means of a and of b alone say nothing of it: all of
	 * its variance log(1.5)^2 / 4 is beyond them; noise adds 0.05^2 / 3 */
	check_rel(i->share, 0.0411 / (0.0411 + 0.00083), 0.03);
	assert_string_equal(i->text, "best mk: 8 where procs <= 8, 1 where procs >= 32");
}

/* mk 1 is best everywhere, and 8 slowest: 1.2 times on few processors, 1.8 times on many. */
static double more_on_many(const double *v)
{
	return pow(v[PROCS] <= 8 ? 1.2 : 1.8, log2(v[MK]) / 3);
}

TEST(a_best_value_may_matter_more_here_than_there)
{
	RELEASED(findings) f = mine(planted(more_on_many, 0.001, 3));

	assert_int_equal(f.n_interactions, 1);
	assert_string_equal(f.interaction[0].text,
			    "mk 1 is best throughout, and matters 1.2x where procs 2, 1.2x where "
			    "procs 8, 1.8x where procs 32, 1.8x where procs 128");
}

TEST(without_any_effect_nothing_is_claimed)
{
	size_t n_claimed = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		RELEASED(findings) f = mine(planted(nothing, 0.1, seed));

		for (size_t i = 0; i < f.n_effects; i++)
			n_claimed += f.effect[i].slow_p <= 0.05;
		n_claimed += f.n_interactions;
	}
	/* two families of a false discovery rate of 5 %, 20 times: 2 expected; more than 6 have a
	 * chance below 0.5 % (Poisson) */
	assert_true(n_claimed <= 6);
}

/* The same_number problem effect in each of 10 problems by chance of their own: 960 runs are not
 * 960 witnesses. In half of the problems mk > 4 is fast, in the others slow. */
static double by_problem(const double *v)
{
	bool odd = (int)log2(v[SIZE] / 100) % 2 == 1;

	return (v[MK] > 4) == odd ? 1 : 1.3;
}

TEST(problems_that_disagree_widen_the_interval)
{
	RELEASED(findings) f = mine(planted(by_problem, 0.02, 4));
	const struct column_effect *mk = effect_of(&f, "mk");

	assert_true(mk->effect_lo < 1 && mk->effect_hi > 1);
	assert_true(mk->slow_p > 0.05);
}

TEST(a_copy_is_not_judged_twice)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	for (int i = 0; i < 64; i++) {
		double v[N_COLUMNS] = {0};

		v[SIZE] = 100 << i % 8;
		v[PROCS] = 4;
		v[MK] = v[ECHO] = 1 << i / 8;
		add(d, v, v[SIZE] * (1 + 0.1 * v[MK]));
	}
	f = mine(d);
	assert_int_equal(f.n_effects, 2); /* size and mk; all else is constant */
	assert_non_null(effect_of(&f, "mk"));
	assert_null(effect_of(&f, "echo"));
	check_abs(effect_of(&f, "mk")->slow_rho, 1, 1e-12);
}

TEST(missing_values_are_left_out)
{
	struct dataset *d = planted(plain, 0.02, 5);
	RELEASED(findings) f;

	for (size_t i = 0; i < d->n; i += 7)
		d->rows[i * d->n_columns + column[MK]] = NAN;
	f = mine(d);
	check_rel(effect_of(&f, "mk")->effect, 1.3, 0.02);
	assert_true(effect_of(&f, "mk")->slow_p < 1e-6);
}

TEST(one_case_is_judged_by_its_configurations)
{
	struct dataset *d = dataset_new(app);
	const struct column_effect *mk;
	uint64_t seed = 6;
	RELEASED(findings) f;

	for (int i = 0; i < 60; i++) {
		double v[N_COLUMNS] = {0};

		v[SIZE] = 100;
		v[PROCS] = 4;
		v[MK] = 1 + i % 2;
		v[IDLE] = i;
		add(d, v, (i % 2 ? 1.5 : 1) * (1 + uniform_draw(&seed, -0.05, 0.05)));
	}
	f = mine(d);
	mk = effect_of(&f, "mk");
	check_rel(mk->effect, 1.5, 0.03);
	/* Student's t of 58 degrees of freedom, 2.002, times sd 0.05 / sqrt(3) times the root of
	 * 1/30 + 1/30 */
	check_rel(log(mk->effect_hi / mk->effect_lo) / 2, 2.002 * 0.0289 * 0.2582, 0.2);
	check_rel(mk->effect_hi * mk->effect_lo, mk->effect * mk->effect, 1e-9);
	assert_string_equal(mk->best, "mk 1");
	assert_true(effect_of(&f, "idle")->slow_p > 0.05);
}

/* Checked by another way: spearman() on the very values, which bins stand for exactly. */
TEST(correlation_with_time_is_spearmans)
{
	struct dataset *d = planted(crossed, 0.3, 8);
	double mk[960], procs[960], wall_s[960];
	struct rank_correlation r;
	RELEASED(findings) f;

	for (size_t i = 0; i < d->n; i++) {
		mk[i] = dataset_row(d, i)[column[MK]];
		procs[i] = dataset_row(d, i)[column[PROCS]];
		wall_s[i] = d->wall_s[i];
	}
	f = mine(d);
	must(spearman(mk, wall_s, 960, &r, &err));
	check_abs(effect_of(&f, "mk")->time_rho, r.rho, 1e-12);
	must(spearman(procs, wall_s, 960, &r, &err));
	check_abs(effect_of(&f, "procs")->time_rho, r.rho, 1e-12);
}

/* One problem on six numbers of processors; both values of mk were run on two of them only. */
TEST(two_witnesses_give_no_interval)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	for (int i = 0; i < 24; i++) {
		double v[N_COLUMNS] = {0};
		int which = i / 4;

		v[SIZE] = 100;
		v[PROCS] = 1 << which;
		v[IDLE] = i % 4;
		v[MK] = which < 2 ? 1 + i % 2 : 1;
		add(d, v, (1 + 0.01 * i) * v[MK]);
	}
	f = mine(d);
	assert_true(effect_of(&f, "mk")->effect > 1.5);
	assert_true(isnan(effect_of(&f, "mk")->effect_lo) && isnan(effect_of(&f, "mk")->effect_hi));
}

TEST(one_run_has_no_effects)
{
	struct dataset *d = dataset_new(app);
	double v[N_COLUMNS] = {100, 1, 0, 0, 0, 4};
	RELEASED(findings) f;

	add(d, v, 1);
	f = mine(d);
	assert_int_equal(f.n_effects, 0);
	assert_int_equal(f.n_interactions, 0);
}

TEST(constant_times_have_no_effects)
{
	struct dataset *d = planted(nothing, 0, 1);
	RELEASED(findings) f;

	for (size_t i = 0; i < d->n; i++)
		d->wall_s[i] = 3.2;
	f = mine(d);
	for (size_t i = 0; i < f.n_effects; i++) {
		assert_true(isnan(f.effect[i].time_rho) && isnan(f.effect[i].slow_rho));
		assert_true(isnan(f.effect[i].effect) || f.effect[i].effect == 1);
	}
	assert_int_equal(f.n_interactions, 0);
}

TEST(an_interrupt_is_heeded)
{
	FREED(dataset) *d = planted(plain, 0.02, 1);
	const struct progress p = {.step = stop_at_once};
	FREED(slowdown_table) *t = NULL;
	RELEASED(findings) f = {.n_effects = 0};

	must(slowdown_table_make(d, NULL, &t, &err));
	assert_int_equal(mine_effects(t, &p, &f, &err), ERR_INTERRUPTED);
}

static void check_correlation(const struct rank_strata *s, size_t c, bool told, double rho,
			      double lo, double hi, double *p)
{
	struct rank_correlation want = {NAN, NAN, NAN, NAN};

	if (told)
		must(rank_strata_correlate(s, c, &want, &err));
	assert_true(same_number(rho, want.rho) && same_number(lo, want.lo) &&
		    same_number(hi, want.hi));
	*p = want.p;
}

/* What its correlations, groups and contrasts say of each column; p values are adjusted over all
 * columns, those of time and those of slow-down each; the largest effect comes first, of equal ones
 * what goes more with time. */
TEST(each_column_is_told_as_its_parts_say)
{
	FREED(dataset) *d = planted(layouts, 0.1, 4);
	FREED(slowdown_table) *t = NULL;
	RELEASED(rank_strata) time = {0}, slow = {0};
	RELEASED(findings) f = {.n_effects = 0};
	double time_p[N_COLUMNS], slow_p[N_COLUMNS];
	size_t n = 0;

	must(slowdown_table_make(d, NULL, &t, &err));
	must(mine_effects(t, NULL, &f, &err));
	must(rank_strata_of_time(t, &time, &err));
	must(rank_strata_of_slowdown(t, &slow, &err));
	assert_int_equal(f.n_effects, 5); /* echo never varied */
	for (size_t i = 0; i < f.n_effects; i++) {
		const struct column_effect *x = &f.effect[i];
		const size_t c = application_column(app, x->column);
		const bool choice = t->use[c] == USE_CHOICE, ordered = c != column[LAYOUT];
		struct group_contrast contrast = {.effect = NAN, .lo = NAN, .hi = NAN};
		RELEASED(strbuf) best = STRBUF_INIT, worst = STRBUF_INIT;
		struct column_groups g;

		check_correlation(&time, c, ordered, x->time_rho, x->time_lo, x->time_hi,
				  &time_p[n]);
		check_correlation(&slow, c, ordered && choice, x->slow_rho, x->slow_lo, x->slow_hi,
				  &slow_p[n++]);
		column_groups_make(t, c, GROUPS_MAX, &g);
		if (choice) {
			must(group_contrast(&slow, c, &g, &contrast, &err));
			column_groups_put(t, c, &g, contrast.best, &best);
			column_groups_put(t, c, &g, contrast.worst, &worst);
		}
		assert_true(same_number(x->effect, contrast.effect) &&
			    same_number(x->effect_lo, contrast.lo) &&
			    same_number(x->effect_hi, contrast.hi));
		assert_string_equal(x->best, strbuf_text(&best));
		assert_string_equal(x->worst, strbuf_text(&worst));
	}
	must(benjamini_hochberg(time_p, n, &err));
	must(benjamini_hochberg(slow_p, n, &err));
	for (size_t i = 0; i < f.n_effects; i++) {
		const struct column_effect *x = &f.effect[i], *before = &f.effect[i ? i - 1 : 0];

		assert_true(same_number(x->time_p, time_p[i]) && same_number(x->slow_p, slow_p[i]));
		if (isnan(x->effect) && isnan(before->effect))
			assert_true(fabs(x->time_rho) <= fabs(before->time_rho));
		else if (!isnan(x->effect))
			assert_true(x->effect <= before->effect);
	}
	assert_string_equal(f.effect[0].column, "layout");
	assert_true(isnan(f.effect[3].effect) && isnan(f.effect[4].effect)); /* size, procs */
}

TEST_GROUP(set_up, free_app)
