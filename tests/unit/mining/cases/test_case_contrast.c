#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/cases/case_contrast.h"

/* Cases are problems m of the QR application, choices its block sizes b. */

/* A slow-down of exp(log_slowdown) where another choice of the case has 0. */
static void add(struct dataset *d, double m, double b, double log_slowdown)
{
	qr_add(d, (struct qr){m, 100, b, 0, 4}, m * exp(log_slowdown));
}

struct fixture {
	struct dataset *runs;
	struct slowdown_table *t;
	struct case_contrast c;
	unsigned char *in;
};

/* Takes the runs. in[]: b >= least_b. */
static struct fixture contrast_of(struct dataset *runs, double least_b)
{
	struct fixture f = {.runs = runs};

	must(slowdown_table_make(runs, NULL, &f.t, &err));
	must(case_contrast_make(f.t, &f.c, &err));
	f.in = calloc(f.c.n + 1, 1);
	assert_non_null(f.in);
	for (size_t k = 0; k < f.c.n; k++)
		f.in[k] = slowdown_row(f.t, f.c.item[k])[application_column(app, "b")] >= least_b;
	return f;
}

static struct contrast measure(const struct fixture *f)
{
	struct contrast out;

	must(case_contrast_measure(&f->c, f->in, &out, &err));
	return out;
}

static void fixture_release(struct fixture *f)
{
	free(f->in);
	case_contrast_release(&f->c);
	slowdown_table_free(f->t);
	dataset_free(f->runs);
}

/* By hand, R = {b = 32}. Case 1: y = 0, 0.3, 0.6, centred -0.3, 0, 0.3; x - mean x = -1/3, -1/3,
 * 2/3: products sum to 0.3, squares to 2/3. Case 2: y = 0, 0.2, centred -0.1, 0.1; x - mean x =
 * -1/2, 1/2: 0.1 and 1/2. beta = 0.4 / (7 / 6). Case 1 is a block, each half of case 2 another:
 * they weigh as (7/6)^2 / (4/9 + 1/16 + 1/16) = 2.4 equal blocks, too few for a test. */
TEST(the_contrast_is_that_of_a_regression_with_a_constant_per_case)
{
	struct dataset *d = dataset_new(app);
	RELEASED(fixture) f;
	struct contrast c;

	add(d, 1, 8, 0);
	add(d, 1, 16, 0.3);
	add(d, 1, 32, 0.6);
	add(d, 2, 8, 0);
	add(d, 2, 32, 0.2);
	f = contrast_of(d, 32);
	assert_int_equal(f.c.n, 5);
	assert_int_equal(f.c.n_strata, 2);
	for (size_t i = 0; i < 5; i++)
		f.t->block[i] = i < 3 ? 0 : (uint32_t)i - 2;
	f.t->n_blocks = 3;
	c = measure(&f);
	check_rel(c.beta, 12.0 / 35, 1e-12);
	check_rel(c.variance, 7.0 / 6, 1e-12);
	assert_int_equal(c.n_in, 2);
	assert_int_equal(c.n_blocks, 3);
	check_abs(c.p, 1, 0);
}

/* Differences of 0.1, 0.2, 0.3 in three problems: the paired t test, as any book has it, gives
 * mean 0.2, standard error 0.1 / sqrt(3), t = 2 sqrt(3) with 2 degrees of freedom, and
 * P(T > t) = (1 - t / sqrt(2 + t^2)) / 2 = (1 - sqrt(12 / 14)) / 2. */
TEST(of_pairs_the_test_is_the_paired_t_test)
{
	struct dataset *d = dataset_new(app);
	RELEASED(fixture) f;
	struct contrast c;

	for (int m = 1; m <= 3; m++) {
		add(d, m, 8, 0);
		add(d, m, 32, 0.1 * m);
	}
	f = contrast_of(d, 32);
	memcpy(f.t->block, f.t->stratum, f.t->n * sizeof *f.t->block);
	f.t->n_blocks = 3;
	c = measure(&f);
	check_rel(c.beta, 0.2, 1e-12);
	check_rel(c.p, (1 - sqrt(12.0 / 14)) / 2, 1e-9);

	/* The faster ones of the pairs: the same test from the other side. */
	for (size_t k = 0; k < f.c.n; k++)
		f.in[k] = !f.in[k];
	c = measure(&f);
	check_rel(c.beta, -0.2, 1e-12);
	check_rel(c.p, (1 + sqrt(12.0 / 14)) / 2, 1e-9);
}

/* Case 1: 64 choices, half of them slower by 0.5: each weighs 1/2, so that variance is 64 / 4 / 2
 * = 8 and the score 8 * 0.5. Case 2: a pair with 0.1: 1/2 and 0.05. beta = 4.05 / 8.5; without
 * the cap it were 8.05 / 16.5. */
TEST(a_case_that_was_searched_for_long_is_capped)
{
	struct dataset *d = dataset_new(app);
	RELEASED(fixture) f;

	for (int b = 1; b <= 64; b++)
		add(d, 1, b, b > 32 ? 0.5 : 0);
	add(d, 2, 8, 0);
	add(d, 2, 40, 0.1);
	f = contrast_of(d, 33);
	check_rel(measure(&f).beta, 4.05 / 8.5, 1e-12);
}

/* 1/10 ten times is not 1 in floating point; what remains must not pass for a variance. */
TEST(what_takes_in_whole_cases_has_no_contrast)
{
	struct dataset *d = dataset_new(app);
	RELEASED(fixture) f;
	struct contrast c;

	for (int i = 0; i < 8 * 10; i++) {
		int problem = 1 + i / 10;

		add(d, problem, i / 10 < 4 ? 8 + i % 10 : 32 + i % 10, 0.1 * (i * 7 % 10));
	}
	f = contrast_of(d, 32);
	c = measure(&f);
	assert_int_equal(c.n_in, 40);
	check_abs(c.variance, 0, 0);
	assert_true(isnan(c.beta));
	assert_int_equal(c.n_blocks, 0);
	check_abs(c.p, 1, 0);
}

/* Least squares: sum w y^2 = what the contrast explains, beta^2 variance, plus what is left. */
TEST(what_was_removed_is_gone_and_the_squares_add_up)
{
	struct dataset *d = dataset_new(app);
	RELEASED(fixture) f;
	struct contrast c;
	double before;

	for (int i = 0; i < 8 * 7; i++) {
		int problem = 1 + i / 7;

		add(d, problem, 8 * (1 + i % 7), 0.05 * (i * 5 % 11) + (i % 7 > 3 ? 0.4 : 0));
	}
	f = contrast_of(d, 40);
	before = case_contrast_squares(&f.c);
	c = measure(&f);
	must(case_contrast_remove(&f.c, f.in, c.beta, &err));
	check_rel(case_contrast_squares(&f.c), before - c.beta * c.beta * c.variance, 1e-12);
	check_abs(measure(&f).beta, 0, 1e-12);
}

/* A choice alone in its case and one that has no slow-down have nothing to be compared with. */
TEST(only_what_can_be_compared_is_an_item)
{
	struct dataset *d = dataset_new(app);
	RELEASED(fixture) f;

	add(d, 1, 8, 0);
	add(d, 2, 8, 0);
	add(d, 2, 16, 0.1);
	add(d, 2, 32, 0.2);
	add(d, 3, 8, 0);
	add(d, 3, 16, 0.1);
	f = contrast_of(d, 32);
	case_contrast_release(&f.c);
	f.t->log_slowdown[3] = NAN; /* m = 2, b = 32 */
	f.t->log_slowdown[4] = NAN; /* m = 3, b = 8: b = 16 is left alone */
	check_ok(case_contrast_make(f.t, &f.c, NULL), &(struct err){0});
	assert_int_equal(f.c.n, 2);
	assert_int_equal(f.c.n_strata, 1);
	assert_int_equal(f.c.item[0], 1);
	assert_int_equal(f.c.item[1], 2);
}

/* Pairs that differ by 0.2: y = -0.1, 0.1; half the degrees of freedom went into the means. */
TEST(the_spread_counts_what_centring_took)
{
	struct dataset *d = dataset_new(app);
	struct fixture f;
	double spread;

	for (int i = 0; i < 12; i++) {
		int problem = 1 + i / 2;

		add(d, problem, 8 << i % 2, 0.2 * (i % 2));
	}
	f = contrast_of(d, 32);
	check_ok(case_contrast_spread(&f.c, &spread, NULL), &(struct err){0});
	check_rel(spread, 1.4826 * 0.1 * sqrt(2), 1e-12);
	fixture_release(&f);

	d = dataset_new(app);
	add(d, 1, 8, 0);
	f = contrast_of(d, 32); /* nothing to compare at all */
	check_ok(case_contrast_spread(&f.c, &spread, NULL), &(struct err){0});
	check_abs(spread, 0, 0);
	assert_true(isnan(measure(&f).beta));
	fixture_release(&f);
}

TEST(nothing_is_contrasted_without_memory)
{
	struct dataset *d = dataset_new(app);
	struct case_contrast c = {.n = 77};
	struct contrast out = {.n_in = 77};
	RELEASED(fixture) f;
	double spread = 77, y;

	for (int i = 0; i < 12; i++) {
		int problem = 1 + i / 3;

		add(d, problem, 8 << i % 3, 0.1 * (i % 3));
	}
	f = contrast_of(d, 32);
	failing_each_allocation (case_contrast_make(f.t, &c, &err), &err)
		case_contrast_release(&c);
	assert_int_equal(c.n, 12);
	case_contrast_release(&c);
	failing_each_allocation (case_contrast_measure(&f.c, f.in, &out, &err), &err)
		;
	assert_int_equal(out.n_in, 4);
	y = f.c.y[0];
	failing_each_allocation (case_contrast_remove(&f.c, f.in, 0.3, &err), &err)
		check_abs(f.c.y[0], y, 0);
	check_abs(f.c.y[0], y + 0.1, 1e-12); /* not in R, a third of its case is */
	failing_each_allocation (case_contrast_spread(&f.c, &spread, &err), &err)
		check_abs(spread, 77, 0);
}

TEST_GROUP(qr_set_up, qr_tear_down)
