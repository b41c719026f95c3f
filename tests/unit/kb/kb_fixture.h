#ifndef KB_FIXTURE_H
#define KB_FIXTURE_H
/* A folder of its own for each test, and raw access to the files in it. */
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <sqlite3.h>

#include "kb/kb.h"

CLOSABLE(kb)

static char path[128]; /* of the base */

static inline int make_base_folder(void **state)
{
	if (make_folder(state))
		return -1;
	snprintf(path, sizeof path, "%s/test.kb", folder);
	return 0;
}

static inline struct kb *open_base(enum kb_mode mode)
{
	struct kb *kb = NULL;

	must(kb_open(path, mode, NULL, &kb, &err));
	return kb;
}

/* Run SQL on a file as another program would. */
static inline void raw_sql(const char *file, const char *sql)
{
	sqlite3 *db = NULL;
	char *why = NULL;

	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	sqlite3_busy_timeout(db, 5000);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) {
		print_error("%s: %s\n", sql, why);
		fail();
	}
	sqlite3_close(db);
}

/* The first column of the first row, as text in a buffer of the function; "" for NULL. */
static inline const char *raw_text(const char *file, const char *sql)
{
	static char buf[4096];
	sqlite3 *db = NULL;
	sqlite3_stmt *s = NULL;

	buf[0] = '\0';
	assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	sqlite3_busy_timeout(db, 5000);
	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) {
		print_error("%s: %s\n", sql, sqlite3_errmsg(db));
		fail();
	}
	if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0))
		snprintf(buf, sizeof buf, "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	sqlite3_close(db);
	return buf;
}

static inline int64_t raw_int(const char *file, const char *sql)
{
	return strtoll(raw_text(file, sql), NULL, 10);
}

#define KB_TEST(f) TEST_WITH(f, make_base_folder, remove_folder)

#endif
