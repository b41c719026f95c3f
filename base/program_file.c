#include "base/program_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"

/* NULL: no launcher has started this process. */
static const char *launched_as(void)
{
	const char *note = getenv(PROGRAM_FILE_ENV);
	char *end = NULL;
	long pid;

	if (!note)
		return NULL;
	errno = 0;
	pid = strtol(note, &end, 10);
	return !errno && pid == (long)getpid() && end[0] == ':' && end[1] == '/' ? end + 1 : NULL;
}

bool program_file_is_launched(void)
{
	return launched_as() != NULL;
}

char *program_file_beside(const char *relative)
{
	char exe[4096];
	const char *program = launched_as();
	struct strbuf path = STRBUF_INIT;
	char *resolved = NULL;

	if (!program) {
		ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);

		errno = 0;
		if (len <= 0)
			return NULL;
		exe[len] = '\0';
		program = exe;
	}
	errno = 0;
	strbuf_printf(&path, "%.*s/%s", (int)(strrchr(program, '/') - program), program, relative);
	if (!path.failed)
		resolved = realpath(path.buf, NULL);
	strbuf_release(&path);
	return resolved;
}
