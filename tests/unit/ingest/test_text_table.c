#include "tests/support/check.h"

#include <unistd.h>

#include "base/strbuf.h"
#include "ingest/record_reader.h"
#include "ingest/text_table.h"
#include "tests/unit/ingest/file_fixture.h"

CLOSABLE(text_table)

/* The table as "line:field|field;": what the reader makes of the text. A bad record is
 * "line:!kind;". */
static enum err_code render(const char *text, size_t n, struct strbuf *out, struct err *e)
{
	struct text_table *t;
	struct table_record rec;
	enum err_code rc;

	put(text, n);
	if ((rc = text_table_open(path, 0, &t, e)))
		return rc;
	while (!(rc = text_table_next(t, &rec, e)) && rec.raw) {
		strbuf_printf(out, "%llu:", (unsigned long long)rec.line);
		if (rec.bad)
			strbuf_printf(out, "!%s", rec.bad_kind);
		for (size_t i = 0; !rec.bad && i < rec.n_fields; i++)
			strbuf_printf(out, "%s%s", i ? "|" : "", rec.field[i]);
		strbuf_putc(out, ';');
	}
	text_table_close(t);
	return rc;
}

static void check_table(const char *text, const char *want)
{
	RELEASED(strbuf) got = STRBUF_INIT;

	must(render(text, strlen(text), &got, &err));
	assert_string_equal(strbuf_text(&got), want);
}

static void check_text_error(const char *text, size_t n, const char *message)
{
	RELEASED(strbuf) got = STRBUF_INIT;

	must_fail(render(text, n, &got, &err), ERR_PARSE, "");
	if (strncmp(err.msg, path, strlen(path)) != 0 || !strstr(err.msg, message)) {
		print_error("'%s' does not contain '%s'\n", err.msg, message);
		fail();
	}
}

#define IN_FIXTURE(name) TEST_WITH(name, make_file, remove_file)

IN_FIXTURE(lines_are_those_of_an_editor)
{
	check_table("a,b\n1,2\n", "2:1|2;");
	check_table("a,b\r\n1,2\r\n", "2:1|2;");
	check_table("a,b\n1,2", "2:1|2;");
	check_table("\n\n# c\na,b\n\n  \n1,2\n#\n3,4\n", "7:1|2;9:3|4;");
	check_table("a,b\n\"1\n1\",2\n3,4\n", "2:1\n1|2;4:3|4;");
	check_table("\"a\nb\",c\n1,2\n", "3:1|2;");
}

IN_FIXTURE(quotes_are_those_of_rfc_4180)
{
	check_table("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n", "2:x,y|say \"hi\";");
	check_table("a,b\n\"\",\n", "2:|;");
	check_table("a,b\n 1 , \" 2 \" \n", "2:1| 2 ;");
	check_table("a,b\n\"# no comment\",1\n", "2:# no comment|1;");
	check_table("a,b\n# a \"comment\n1,2\n", "3:1|2;");
}

IN_FIXTURE(delimiters_are_found_outside_quotes)
{
	check_table("a\tb\n1\t2\n", "2:1|2;");
	check_table("a\tb\n\t2\n", "2:|2;");
	check_table("\"a,b,c\";d\n1;2\n", "2:1|2;");
	check_table("a\n1\n", "2:1;");
	check_text_error("a,b;c\n", 6, ":1: the header has as many ',' as ';'");
}

IN_FIXTURE(a_bad_record_does_not_spoil_the_next)
{
	check_table("a,b\n1\n1,2,3\n1,2\n", "2:!another number of fields than the header;"
					    "3:!another number of fields than the header;4:1|2;");
	check_table("a,b\n5\" disk,1\n1,2\n", "2:!a quote in the middle of a field;3:1|2;");
	check_table("a,b\n\"5\"x,1\n1,2\n", "2:!a quote in the middle of a field;3:1|2;");
	check_table("a,b\n1\r2,1\n1,2\n", "2:!a carriage return in the middle of a line;3:1|2;");
	check_table("a,b\n\xc0\xaf,1\n1,2\n", "2:!not valid UTF-8;3:1|2;");
}

IN_FIXTURE(raw_text_is_the_records_own)
{
	static const char text[] = "a, b\r\n \"x\ny\" ,2\r\n";
	CLOSED(text_table) *t;
	struct table_record rec;

	put(text, strlen(text));
	must(text_table_open(path, 0, &t, &err));
	assert_string_equal(text_table_header_raw(t), "a, b");
	must(text_table_next(t, &rec, &err));
	assert_int_equal(rec.raw_len, strlen(" \"x\ny\" ,2"));
	assert_memory_equal(rec.raw, " \"x\ny\" ,2", rec.raw_len);
}

IN_FIXTURE(columns_of_sizes_are_split_and_joined_again)
{
	static const char text[] = "n,grid,t\n1,4x8,2\n1,NA,2\n1,4,2\n1,2\n";
	static const char *const part[] = {"p", "q"};
	CLOSED(text_table) *t;
	struct table_record rec;

	put(text, strlen(text));
	must(text_table_open(path, 0, &t, &err));
	must(text_table_split(t, 1, part, 2, &err));
	assert_int_equal(text_table_n_columns(t), 4);
	assert_int_equal(text_table_find(t, "q"), 2);
	assert_int_equal(text_table_find(t, "grid"), SIZE_MAX);
	must(text_table_next(t, &rec, &err));
	assert_string_equal(rec.field[1], "4");
	assert_string_equal(rec.field[2], "8");
	assert_string_equal(rec.field[3], "2");
	must(text_table_next(t, &rec, &err));
	assert_string_equal(rec.field[1], "");
	assert_string_equal(rec.field[2], "");
	must(text_table_next(t, &rec, &err));
	assert_string_equal(rec.bad, "grid: '4' is not 2 sizes, such as 256x256");
	must(text_table_next(t, &rec, &err));
	assert_string_equal(rec.bad, "2 fields where the header has 3");
	text_table_unsplit(t);
	assert_int_equal(text_table_n_columns(t), 3);
	assert_int_equal(text_table_find(t, "grid"), 1);
	must_fail(text_table_split(t, 1, (const char *[]){"n", "q"}, 2, &err), ERR_PARSE,
		  "two columns are called 'n'");
}

IN_FIXTURE(an_open_quote_is_reported_where_it_opens)
{
	static const char one[] = "a,b\n1,2\n3,\"4\n5,6\n";
	static const char later[] = "a,b\n\"1\n\n\",\"4\n5,6\n";

	check_text_error(one, strlen(one), ":3: the quote that opens here is never closed");
	/* The record begins on line 2, the open quote stands on line 4. */
	check_text_error(later, strlen(later), ":4: the quote that opens here is never closed");
}

IN_FIXTURE(nul_bytes_are_refused_with_their_line)
{
	check_text_error("a,b\n1,2\n1,\0\n", 12, ":3: a NUL byte: this is not a text file");
	check_text_error("a\0,b\n", 5, ":1: a NUL byte");
	check_text_error("\0\0\0\0", 4, "no text: it begins with NUL bytes");
}

IN_FIXTURE(limits_are_errors_not_crashes)
{
	RELEASED(strbuf) s = STRBUF_INIT;

	for (int i = 0; i <= TABLE_COLUMNS_MAX; i++)
		strbuf_printf(&s, "%sc%d", i ? "," : "", i);
	strbuf_putc(&s, '\n');
	check_text_error(s.buf, s.len, ":1: 10001 columns, at most 10000 are taken");
	strbuf_clear(&s);
	strbuf_puts(&s, "a,b\n\"");
	for (int i = 0; i < RECORD_MAX / 1024 + 1024; i++)
		for (int k = 0; k < 128; k++)
			strbuf_puts(&s, "1234567\n");
	check_text_error(s.buf, s.len, ":2: the quote that opens here is not closed within 16 MiB");
	memset(s.buf + 4, 'x', s.len - 4);
	check_text_error(s.buf, s.len, ":2: a line of more than 16 MiB is no record of a table");
	s.len = 4 + TABLE_FIELD_MAX + 1;
	s.buf[s.len] = '\0';
	check_table(s.buf, "2:!a field that is too long;");
}
