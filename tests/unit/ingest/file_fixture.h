#ifndef FILE_FIXTURE_H
#define FILE_FIXTURE_H
#include <unistd.h>
#include "tests/support/check.h"

/* A file to read from. */
static char path[] = "/tmp/lemnos-file-XXXXXX";

static int make_file(void **state)
{
	int fd;

	strcpy(path + strlen(path) - 6, "XXXXXX");
	fd = mkstemp(path);
	return fd < 0 || close(fd) != 0;
}

static int remove_file(void **state)
{
	return unlink(path);
}

static void put(const void *data, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

#endif
