#include "ingest/formats/field_split.h"

#include <csv.h>

#include "base/strbuf.h"
#include "tests/support/check.h"

FREEABLE(field_split)

/* "[a][b]": the fields of a record. */
static void put_field(void *data, size_t len, void *arg)
{
	struct strbuf *out = arg;

	strbuf_printf(out, "[%.*s]", (int)len, len ? (const char *)data : "");
}

static void ignore_row(int line_end, void *arg)
{
}

static void split_by_libcsv(const char *text, char delimiter, struct strbuf *out)
{
	struct csv_parser p;

	assert_int_equal(csv_init(&p, CSV_STRICT), 0);
	csv_set_delim(&p, (unsigned char)delimiter);
	assert_int_equal(csv_parse(&p, text, strlen(text), put_field, ignore_row, out),
			 strlen(text));
	assert_int_equal(csv_parse(&p, "\n", 1, put_field, ignore_row, out), 1);
	csv_free(&p);
}

static void split_by_us(const char *text, char delimiter, struct strbuf *out)
{
	FREED(field_split) *s = field_split_new(delimiter, 1000);
	const char **field;
	size_t n;

	assert_non_null(s);
	assert_int_equal(field_split_run(s, text, strlen(text), &field, &n), SPLIT_OK);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(out, "[%s]", field[i]);
}

/* All texts of up to seven of these letters: blanks around, between and instead of fields,
 * delimiters that are blanks themselves. */
TEST(a_record_without_quotes_splits_as_libcsv_splits_it)
{
	static const char letter[] = {' ', '\t', ',', ';', 'a', 'b'};
	enum { N = sizeof letter, LENGTH = 7 };
	RELEASED(strbuf) ours = STRBUF_INIT;
	RELEASED(strbuf) theirs = STRBUF_INIT;
	long n_texts = 1;

	for (int i = 0; i < LENGTH; i++)
		n_texts *= N;
	for (long code = 0; code < n_texts; code++) {
		char text[LENGTH + 1] = "";
		long rest = code;

		for (int i = 0; i < LENGTH; i++, rest /= N)
			text[i] = letter[rest % N];
		text[code % (LENGTH + 1)] = '\0'; /* shorter ones, too */
		strbuf_clear(&ours);
		strbuf_clear(&theirs);
		split_by_us(text, code % 3 ? ',' : '\t', &ours);
		split_by_libcsv(text, code % 3 ? ',' : '\t', &theirs);
		assert_string_equal(strbuf_text(&ours), strbuf_text(&theirs));
	}
}

TEST(a_field_that_is_too_long_is_refused_with_quotes_or_without)
{
	static const char *const text[] = {"1234,12345,1", "\"1234\",\"12345\",\"1\""};

	for (size_t i = 0; i < 2; i++) {
		FREED(field_split) *s = field_split_new(',', 4);
		const char **field;
		size_t n;

		assert_non_null(s);
		assert_int_equal(field_split_run(s, text[i], strlen(text[i]), &field, &n),
				 SPLIT_FIELD_TOO_LONG);
		assert_int_equal(n, 1); /* before it */
		assert_int_equal(field_split_run(s, "1, 2", 4, &field, &n), SPLIT_OK);
		assert_int_equal(n, 2);
		assert_string_equal(field[1], "2");
	}
}
