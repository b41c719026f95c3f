#ifndef SUPPORT_FOLDER_H
#define SUPPORT_FOLDER_H
#include "tests/support/check.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of its own for each test, or for a file of them: TEST_WITH(f, make_folder,
 * remove_folder). */
static char folder[64];

static inline int make_folder(void **state)
{
	strcpy(folder, "/tmp/lemnos-test-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_one(const char *name, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(name);
}

static inline int remove_folder(void **state)
{
	chmod(folder, 0700);
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* A file of the folder; the result is good until the next call but one. */
static inline const char *in_folder(const char *name)
{
	static char buf[2][256];
	static int turn;

	turn = !turn;
	snprintf(buf[turn], sizeof buf[turn], "%s/%s", folder, name);
	return buf[turn];
}

/* ---- whole files ---- */

static inline void write_bytes(const char *file, const void *bytes, size_t n)
{
	FILE *f = fopen(file, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static inline void write_file(const char *file, const char *text)
{
	write_bytes(file, text, strlen(text));
}

/* All bytes of a file and a NUL; free it. */
static inline char *read_all(const char *file, size_t *n)
{
	FILE *f = fopen(file, "rb");
	char *bytes;

	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	*n = (size_t)ftell(f);
	rewind(f);
	bytes = malloc(*n + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *n, f), *n);
	bytes[*n] = '\0';
	fclose(f);
	return bytes;
}

/* The file still has these n bytes and no more. */
static inline void check_unchanged(const char *file, const char *bytes, size_t n)
{
	size_t n_now;
	HEAP char *now = read_all(file, &n_now);

	assert_int_equal(n_now, n);
	assert_memory_equal(now, bytes, n);
}

static inline char *read_text(const char *file)
{
	size_t n;

	return read_all(file, &n);
}

#endif
