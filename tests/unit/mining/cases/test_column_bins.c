#include "tests/support/check.h"

#include "base/strbuf.h"
#include "mining/cases/column_bins.h"
#include "tests/support/uniform.h"

static struct column_bins bins_of(const double *value, size_t n, bool text)
{
	struct column_bins b;

	must(column_bins_make(value, n, text, &b, &err));
	return b;
}

TEST(few_values_have_a_bin_each_in_order)
{
	const double value[] = {5, 1, 10, 5, NAN, 1, 1};
	RELEASED(column_bins) b = bins_of(value, 7, false);

	assert_int_equal(b.n, 3);
	assert_true(b.exact && b.whole && b.ordered);
	check_abs(b.low[0], 1, 0);
	check_abs(b.low[1], 5, 0);
	check_abs(b.high[2], 10, 0);
	assert_int_equal(column_bins_code(&b, 10), 2);
	assert_int_equal(column_bins_code(&b, NAN), BIN_MISSING);
	/* Never seen: with the nearer one below, or the first. */
	assert_int_equal(column_bins_code(&b, 9), 1);
	assert_int_equal(column_bins_code(&b, -3), 0);
	assert_int_equal(column_bins_code(&b, 1e9), 2);
}

TEST(minus_zero_is_zero)
{
	const double value[] = {-0.0, 1, 0.0, -1};
	RELEASED(column_bins) b = bins_of(value, 4, false);

	assert_int_equal(b.n, 3);
	assert_int_equal(column_bins_code(&b, -0.0), column_bins_code(&b, 0.0));
	assert_false(signbit(b.low[1])); /* "-0" in the text of a rule puzzles */
}

TEST(a_column_that_is_missing_everywhere_has_no_bins)
{
	const double value[] = {NAN, NAN};

	for (int text = 0; text < 2; text++) {
		struct column_bins b = bins_of(value, 2, text);

		assert_int_equal(b.n, 0);
		assert_int_equal(column_bins_code(&b, 1), BIN_MISSING);
		column_bins_release(&b);
		b = bins_of(value, 0, text);
		assert_int_equal(b.n, 0);
		column_bins_release(&b);
	}
}

/* A byte holds 255 bins and "missing". */
TEST(up_to_255_values_are_told_apart)
{
	double value[512];
	struct column_bins b;

	for (int i = 0; i < 512; i++)
		value[i] = i * 37 % 255;
	b = bins_of(value, 512, false);
	assert_int_equal(b.n, 255);
	assert_true(b.exact && b.whole);
	for (int v = 0; v < 255; v++)
		assert_int_equal(column_bins_code(&b, v), v);
	column_bins_release(&b);

	value[100] = 1000; /* one more */
	b = bins_of(value, 512, false);
	assert_false(b.exact);
	assert_false(b.whole);
	assert_true(b.n <= 64);
	column_bins_release(&b);
}

/* 64 bins: of 10 000 values each holds 156 or so. Of one value that is half of the column there is
 * one bin; it does not eat up the others. */
TEST(many_values_share_bins_of_about_equal_numbers)
{
	enum { N = 10000 };
	HEAP double *value = zeroed(N, sizeof *value);
	size_t count[64] = {0};
	struct column_bins b;
	uint64_t seed = 3;

	for (int i = 0; i < N; i++)
		value[i] = exp(uniform_draw(&seed, 0, 20)); /* of any magnitude */
	b = bins_of(value, N, false);
	assert_int_equal(b.n, 64);
	for (int i = 0; i < N; i++)
		count[column_bins_code(&b, value[i])]++;
	for (size_t k = 0; k < b.n; k++)
		assert_in_range(count[k], N / 64 - 2, N / 64 + 2);
	column_bins_release(&b);

	for (int i = 0; i < N; i += 2)
		value[i] = 7;
	b = bins_of(value, N, false);
	assert_in_range(b.n, 32, 35);
	check_abs(b.high[column_bins_code(&b, 7)], 7, 0);
	column_bins_release(&b);
}

/* Sampled values say where bins end; what the sample missed still has a bin. The first of every
 * group of four is missing: the sample, every fourth of 60 000, sees nothing else. */
TEST(what_the_sample_missed_has_a_bin)
{
	enum { N = 60000 };
	HEAP double *value = zeroed(N, sizeof *value);
	RELEASED(column_bins) b;

	for (int i = 0; i < N; i++)
		value[i] = i % 4 == 0 ? (double)NAN : (1 + i) / 8.0;
	b = bins_of(value, N, false);
	assert_int_equal(b.n, 1);
	check_abs(b.low[0], 0.25, 0);
	check_abs(b.high[0], N / 8.0, 0);
}

TEST(texts_are_coded_by_their_level)
{
	const double value[] = {2, 0, NAN, 254, 255, 300, 2};
	RELEASED(column_bins) b = bins_of(value, 7, true);

	assert_false(b.ordered);
	assert_int_equal(b.n, 255);
	assert_int_equal(column_bins_code(&b, 0), 0);
	assert_int_equal(column_bins_code(&b, 254), 254);
	assert_int_equal(column_bins_code(&b, 255), BIN_MISSING); /* more than a byte can tell */
	assert_int_equal(column_bins_code(&b, 300), BIN_MISSING);
	assert_int_equal(column_bins_code(&b, NAN), BIN_MISSING);
}

TEST(whole_numbers_end_at_themselves_others_in_the_gap)
{
	const double whole[] = {1, 5, 1024}, real[] = {0.1234, 0.5678, 3.14159},
		     close[] = {0.1, 0.1 + 0x1p-56, 7.5};
	struct column_bins b = bins_of(whole, 3, false);

	check_abs(column_bins_edge(&b, 0), 1, 0);
	check_abs(column_bins_edge(&b, 2), 1024, 0);
	column_bins_release(&b);

	b = bins_of(real, 3, false);
	assert_false(b.whole);
	check_abs(column_bins_edge(&b, 0), 0.3, 0); /* the middle, 0.3456, to one digit */
	check_abs(column_bins_edge(&b, 1), 2, 0);   /* 1.85 */
	check_abs(column_bins_edge(&b, 2), 3.14159, 0);
	column_bins_release(&b);

	/* Neighbours in floating point leave no number between: the lower one is the edge. */
	b = bins_of(close, 3, false);
	assert_int_equal(b.n, 3);
	check_abs(column_bins_edge(&b, 0), 0.1, 0);
	column_bins_release(&b);
}

/* ---- whatever the values ---- */

static double random_value(uint64_t *seed, int kind)
{
	double u = uniform_draw(seed, 0, 1);

	switch (kind) {
	case 0: /* few whole numbers */
		return floor(20 * u) - 10;
	case 1: /* many */
		return floor(1e6 * u);
	case 2: /* reals around 0 */
		return u - 0.5;
	case 3: /* of any magnitude */
		return exp(200 * u - 100);
	case 4: /* heaps */
		return u < 0.7 ? 3 : floor(1e4 * u) / 7;
	default: /* many that differ in the last bits only */
		return 1 + floor(1000 * u) * 0x1p-52;
	}
}

static void check_bins(const struct column_bins *b, const double *value, size_t n)
{
	assert_true(b->n <= MAX_BINS);
	for (size_t k = 0; k < b->n; k++) {
		double edge = column_bins_edge(b, k);

		assert_true(b->low[k] <= b->high[k]);
		assert_true(k == 0 || b->low[k] > b->high[k - 1]);
		assert_int_equal(column_bins_code(b, b->low[k]), k);
		assert_int_equal(column_bins_code(b, b->high[k]), k);
		assert_true(edge >= b->high[k]);
		assert_true(k + 1 == b->n || edge < b->low[k + 1]);
	}
	for (size_t i = 0; i < n; i++) {
		size_t k = column_bins_code(b, value[i]);

		if (isnan(value[i]))
			assert_int_equal(k, BIN_MISSING);
		else
			assert_true(k < b->n && value[i] >= b->low[k] && value[i] <= b->high[k]);
	}
}

TEST(every_value_lies_within_its_bin)
{
	enum { N = 3000 };
	HEAP double *value = zeroed(N, sizeof *value);
	uint64_t seed = 11;

	for (int round = 0; round < 300; round++) {
		size_t n = 1 + (size_t)uniform_draw(&seed, 0, N);
		double missing = uniform_draw(&seed, 0, 1) * (round % 2);
		RELEASED(column_bins) b;

		for (size_t i = 0; i < n; i++)
			value[i] = uniform_draw(&seed, 0, 1) < missing
					   ? (double)NAN
					   : random_value(&seed, round % 6);
		b = bins_of(value, n, false);
		check_bins(&b, value, n);
	}
}

/* Between a and 2a lies a number of one digit; the edge needs no more. */
TEST(edges_are_as_short_as_the_gap_allows)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	uint64_t seed = 17;

	for (int round = 0; round < 1000; round++) {
		double a = exp(uniform_draw(&seed, -10, 10)), value[2] = {a, 2 * a};
		RELEASED(column_bins) b = bins_of(value, 2, false);
		size_t n_digits = 0;

		strbuf_clear(&text);
		strbuf_put_number(&text, column_bins_edge(&b, 0));
		for (const char *c = strbuf_text(&text); *c && *c != 'e'; c++)
			n_digits += *c >= '1' && *c <= '9';
		assert_int_equal(n_digits, 1);
	}
}
