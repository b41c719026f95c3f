#include "tests/support/check.h"
#include <locale.h>
#include "base/strbuf.h"

TEST(an_untouched_buffer_reads_as_the_empty_text)
{
	struct strbuf s = STRBUF_INIT;

	assert_string_equal(strbuf_text(&s), "");
	strbuf_clear(&s);
	strbuf_release(&s);
	assert_string_equal(strbuf_text(&s), "");
}

TEST(appending_a_megabyte_keeps_every_byte)
{
	RELEASED(strbuf) s = STRBUF_INIT;

	for (int i = 0; i < 1 << 20; i++)
		strbuf_putc(&s, (char)('a' + i % 26));
	assert_false(s.failed);
	assert_int_equal(s.len, 1 << 20);
	for (int i = 0; i < 1 << 20; i++)
		assert_int_equal(s.buf[i], 'a' + i % 26);
	assert_int_equal(s.buf[s.len], 0);
}

TEST(printf_appends_a_text_longer_than_the_buffer)
{
	RELEASED(strbuf) s = STRBUF_INIT;

	strbuf_puts(&s, "x=");
	strbuf_printf(&s, "%0500d", 7);
	assert_int_equal(s.len, 502);
	assert_string_equal(s.buf + 499, "007");
}

TEST(sql_text_and_names_double_their_quotes)
{
	RELEASED(strbuf) s = STRBUF_INIT;

	strbuf_put_sql(&s, "it's");
	strbuf_putc(&s, ' ');
	strbuf_put_sql_name(&s, "a \"name\"");
	assert_string_equal(strbuf_text(&s), "'it''s' \"a \"\"name\"\"\"");
}

TEST(a_failed_buffer_ignores_appends_until_cleared)
{
	RELEASED(strbuf) s = STRBUF_INIT;

	strbuf_puts(&s, "kept");
	s.failed = true; /* as a failed allocation leaves it */
	strbuf_puts(&s, "lost");
	strbuf_printf(&s, "%d", 1);
	assert_string_equal(strbuf_text(&s), "kept");
	strbuf_clear(&s);
	strbuf_puts(&s, "again");
	assert_string_equal(strbuf_text(&s), "again");
}

TEST(a_size_that_cannot_be_is_a_failure_not_an_overflow)
{
	RELEASED(strbuf) s = STRBUF_INIT;

	strbuf_add(&s, "x", SIZE_MAX);
	assert_true(s.failed);
}

static void check_number(double value, const char *want)
{
	RELEASED(strbuf) s = STRBUF_INIT;

	strbuf_put_number(&s, value);
	assert_string_equal(strbuf_text(&s), want);
}

TEST(numbers_are_short_and_exact)
{
	check_number(280, "280");
	check_number(-0.0, "0");
	check_number(0.1, "0.1");
	check_number(1.0 / 3, "0.3333333333333333");	/* 16 digits suffice */
	check_number(0.1 + 0.2, "0.30000000000000004"); /* 17 are needed */
	check_number(9007199254740991.0, "9007199254740991");
	check_number(1e300, "1e+300");
	check_number(5e-324, "4.94065645841247e-324"); /* the smallest double */
	check_number((double)NAN, "nan");
	check_number(-INFINITY, "-inf");
}

TEST(every_number_reads_back_as_itself)
{
	uint64_t bits = 88172645463325252u;
	RELEASED(strbuf) s = STRBUF_INIT;

	for (int i = 0; i < 20000; i++) {
		double value;

		bits ^= bits << 13; /* xorshift64 */
		bits ^= bits >> 7;
		bits ^= bits << 17;
		memcpy(&value, &bits, sizeof value);
		if (!isfinite(value))
			continue;
		strbuf_clear(&s);
		strbuf_put_number(&s, value);
		assert_true(strtod(strbuf_text(&s), NULL) == value);
	}
}

TEST(the_locale_does_not_change_the_point)
{
	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
		skip();
	check_number(0.5, "0.5");
	setlocale(LC_ALL, "C");
}
