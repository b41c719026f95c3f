#include "tests/support/check.h"

#include "base/prediction_cache.h"

FREEABLE(prediction_cache)

static struct prediction_cache *make(size_t n_columns)
{
	struct prediction_cache *m = NULL;

	must(prediction_cache_new(n_columns, &m, &err));
	return m;
}

TEST(a_row_is_found_by_its_bits_and_by_whose_it_is)
{
	const double row[] = {1, NAN, 3}, like[] = {1, NAN, 3}, other[] = {1, NAN, 3.5};
	const double zero[] = {0, 0, 0}, minus[] = {0, -0.0, 0};
	FREED(prediction_cache) *m = make(3);

	assert_null(prediction_cache_find(m, row, NULL));
	assert_null(prediction_cache_find(m, zero, NULL));
	prediction_cache_put(m, row, row, "first");
	prediction_cache_put(m, row, other, "second");
	prediction_cache_put(m, zero, NULL, "");
	assert_string_equal(prediction_cache_find(m, like, row), "first");
	assert_string_equal(prediction_cache_find(m, like, other), "second");
	assert_string_equal(prediction_cache_find(m, zero, NULL), "");
	assert_null(prediction_cache_find(m, like, NULL));
	assert_null(prediction_cache_find(m, other, row));
	assert_null(prediction_cache_find(m, minus, NULL));
}

TEST(a_text_that_is_too_long_is_not_kept)
{
	char text[PREDICTION_CACHE_TEXT + 2];
	const double row[] = {4};
	FREED(prediction_cache) *m = make(1);

	memset(text, 'x', sizeof text);
	text[PREDICTION_CACHE_TEXT + 1] = '\0';
	prediction_cache_put(m, row, NULL, text);
	assert_null(prediction_cache_find(m, row, NULL));
	text[PREDICTION_CACHE_TEXT] = '\0';
	prediction_cache_put(m, row, NULL, text);
	assert_string_equal(prediction_cache_find(m, row, NULL), text);
}

/* Of 1e5 rows only some can be kept; what is found is right, and 2000 rows that come again and
 * again are nearly all found. */
TEST(many_rows_drive_each_other_out_and_a_few_thousand_do_not)
{
	FREED(prediction_cache) *m = make(2);
	char text[32];
	int found = 0;

	for (int i = 0; i < 102000; i++) {
		const double row[] = {i % 317, i};

		snprintf(text, sizeof text, "answer %d", i);
		prediction_cache_put(m, row, NULL, text);
	}
	for (int i = 0; i < 102000; i++) {
		const double row[] = {i % 317, i};
		const char *answer = prediction_cache_find(m, row, NULL);

		snprintf(text, sizeof text, "answer %d", i);
		if (answer)
			assert_string_equal(answer, text);
		found += answer && i >= 100000;
	}
	assert_in_range(found, 1990, 2000);
}
