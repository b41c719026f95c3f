#ifndef FILE_FIXTURE_H
#define FILE_FIXTURE_H
#include "tests/support/folder.h"

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
	write_bytes(path, data, n);
}

#endif
