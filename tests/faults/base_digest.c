#include "tests/faults/base_digest.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <sqlite3.h>

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static void put(uint64_t *h, const void *bytes, int n)
{
	const unsigned char *p = bytes;

	for (int i = 0; i < n; i++)
		*h = (*h ^ p[i]) * 0x100000001b3u;
}

static void put_value(uint64_t *h, sqlite3_stmt *s, int column)
{
	int type = sqlite3_column_type(s, column);
	const void *bytes = sqlite3_column_blob(s, column); /* numbers become their text */
	int n = sqlite3_column_bytes(s, column);

	put(h, &type, sizeof type);
	put(h, &n, sizeof n);
	if (bytes)
		put(h, bytes, n);
}

static bool put_rows(sqlite3 *db, const char *sql, uint64_t *h)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);

	while (rc == SQLITE_OK || rc == SQLITE_ROW) {
		rc = sqlite3_step(s);
		for (int i = 0; rc == SQLITE_ROW && i < sqlite3_column_count(s); i++)
			put_value(h, s, i);
	}
	sqlite3_finalize(s);
	return rc == SQLITE_DONE;
}

static bool put_tables(sqlite3 *db, uint64_t *h)
{
	sqlite3_stmt *s = NULL;
	bool ok =
		sqlite3_prepare_v2(db,
				   "SELECT format('SELECT * FROM \"%w\"', name) FROM sqlite_schema"
				   " WHERE type = 'table' ORDER BY name",
				   -1, &s, NULL) == SQLITE_OK;

	while (ok && sqlite3_step(s) == SQLITE_ROW)
		ok = put_rows(db, (const char *)sqlite3_column_text(s, 0), h);
	sqlite3_finalize(s);
	return ok;
}

static bool text_of(sqlite3 *db, const char *sql, char *text, int size)
{
	sqlite3_stmt *s = NULL;
	bool ok = sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK;
	int rc = ok ? sqlite3_step(s) : SQLITE_ERROR;

	*text = '\0';
	if (rc == SQLITE_ROW && sqlite3_column_text(s, 0))
		snprintf(text, (size_t)size, "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	return rc == SQLITE_ROW || rc == SQLITE_DONE;
}

static bool is_sound(sqlite3 *db)
{
	char text[200];

	return text_of(db, "PRAGMA integrity_check", text, sizeof text) && !strcmp(text, "ok") &&
	       text_of(db, "PRAGMA foreign_key_check", text, sizeof text) && !*text;
}

bool base_digest(const char *path, uint64_t *digest, const char **why)
{
	static char message[300];
	struct stat st;
	sqlite3 *db = NULL;
	uint64_t h = 0xcbf29ce484222325u;
	bool ok;

	*digest = 0;
	*why = message;
	if (stat(path, &st) != 0 || st.st_size == 0)
		return true;
	ok = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
	if (!ok)
		snprintf(message, sizeof message, "cannot be opened: %s", sqlite3_errmsg(db));
	if (ok && !(ok = is_sound(db)))
		snprintf(message, sizeof message, "is not sound: %s", sqlite3_errmsg(db));
	if (ok &&
	    !(ok = put_rows(db, "SELECT * FROM pragma_user_version", &h) &&
		   put_rows(db, "SELECT type, name, sql FROM sqlite_schema ORDER BY name", &h) &&
		   put_tables(db, &h)))
		snprintf(message, sizeof message, "cannot be read: %s", sqlite3_errmsg(db));
	if (ok && text_of(db, "SELECT count(*) FROM sqlite_schema", message, sizeof message) &&
	    strcmp(message, "0") != 0)
		*digest = h;
	sqlite3_close(db);
	return ok;
}

bool base_text(const char *path, const char *sql, char *text, int size)
{
	sqlite3 *db = NULL;
	bool ok = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
		  text_of(db, sql, text, size);

	sqlite3_close(db);
	return ok;
}
