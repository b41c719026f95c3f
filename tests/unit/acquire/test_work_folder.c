#include "acquire/work_folder.h"

#include <sys/stat.h>

#include "tests/support/check.h"

TEST(a_temporary_folder_goes_with_everything_in_it)
{
	RELEASED(strbuf) inner = STRBUF_INIT;
	struct work_folder w;
	struct stat st;

	must(work_folder_open(NULL, &w, &err));
	assert_int_equal(w.path.buf[0], '/');
	strbuf_printf(&inner, "%s/inner", w.path.buf);
	assert_int_equal(mkdir(inner.buf, 0777), 0);
	must(work_folder_write(&w, "inner/file", "text", &err));
	strbuf_clear(&inner);
	strbuf_puts(&inner, w.path.buf);
	work_folder_close(&w);
	assert_int_equal(stat(inner.buf, &st), -1);
}

TEST(a_named_folder_stays_and_may_be_used_again)
{
	RELEASED(strbuf) name = STRBUF_INIT, text = STRBUF_INIT;
	struct work_folder parent, w;

	must(work_folder_open(NULL, &parent, &err));
	strbuf_printf(&name, "%s/it's \"here\"", parent.path.buf);
	must(work_folder_open(name.buf, &w, &err));
	must(work_folder_write(&w, "a", "first", &err));
	work_folder_close(&w);
	must(work_folder_open(name.buf, &w, &err));
	must(work_folder_read(&w, "a", 100, &text, &err));
	assert_string_equal(strbuf_text(&text), "first");
	work_folder_close(&w);
	work_folder_close(&parent);
}

TEST(of_a_long_file_the_end_is_read_and_of_none_nothing)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	struct work_folder w;

	must(work_folder_open(NULL, &w, &err));
	must(work_folder_write(&w, "a", "0123456789", &err));
	must(work_folder_read(&w, "a", 3, &text, &err));
	must(work_folder_read(&w, "no such file", 3, &text, &err));
	assert_string_equal(strbuf_text(&text), "789");
	work_folder_close(&w);
}

TEST(what_cannot_be_a_folder_is_an_error)
{
	struct work_folder w = {.temporary = true};

	must_fail(work_folder_open("/no/such/place/here", &w, &err), ERR_IO, "/no/such/place/here");
	assert_true(w.temporary);
	assert_int_equal(work_folder_open("/dev/null", &w, NULL), ERR_OK);
	assert_int_equal(work_folder_write(&w, "a", "b", NULL), ERR_IO);
	work_folder_close(&w);
}
