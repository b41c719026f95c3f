/* bin/lemnos of `make bundle`: runs lib/lemnos/lemnos with the loader and the libraries beside it,
 * wherever the bundle was unpacked. Linked statically, so that it needs nothing of the system: no C
 * library, no shell, no /proc. It hands over its own name and arguments, and keeps the environment
 * but for
 * - LEMNOS_PROGRAM, which leads the program to what is shipped beside it (base/program_file.h);
 * - LD_PRELOAD and LD_AUDIT, which are removed: what clusters preload is made for the system's C
 * library. LD_LIBRARY_PATH stays, for programs that this one starts; the loader prefers
 * --library-path (ld.so(8)). */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/program_file.h"

#ifndef LOADER
#define LOADER "ld-linux-x86-64.so.2"
#endif

/* Ends the process with the exit status of a fault, as err_exit_status() has it. */
static void fail(const char *what, const char *which)
{
	fprintf(stderr, "lemnos: %s%s\n", what, which);
	exit(5);
}

/* The launcher's own file, without symbolic links; empty: it cannot be found. The second way is for
 * roots without /proc: the path that was given to execve(), where nobody has changed directory
 * since. */
static void find_own_file(char path[PATH_MAX])
{
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1);
	const char *executed;

	if (len > 0) {
		path[len] = '\0';
		if (!access(path, X_OK))
			return;
	}
	executed = (const char *)getauxval(AT_EXECFN);
	if (!executed || !realpath(executed, path))
		*path = '\0';
}

/* DIRECTORY/NAME/.../FILE becomes DIRECTORY; 0: there is none. */
static int cut_last(char *path, int n_names)
{
	while (n_names-- > 0) {
		char *slash = strrchr(path, '/');

		if (!slash)
			return 0;
		*slash = '\0';
	}
	return 1;
}

/* Two texts as one, for as long as the process lives. */
static const char *join(const char *a, const char *b)
{
	char *text = malloc(strlen(a) + strlen(b) + 1);

	if (!text) {
		fail("out of memory", "");
		return "";
	}
	return strcat(strcpy(text, a), b);
}

static void set_environment(const char *own)
{
	char pid[32];

	snprintf(pid, sizeof pid, "%ld:", (long)getpid());
	if (setenv(PROGRAM_FILE_ENV, join(pid, own), 1) || unsetenv("LD_PRELOAD") ||
	    unsetenv("LD_AUDIT"))
		fail("out of memory", "");
}

int main(int argc, char **argv)
{
	char own[PATH_MAX], root[PATH_MAX];
	const char **words;
	size_t n = 0;

	find_own_file(own);
	strcpy(root, own);
	if (!cut_last(root, 2))
		fail("cannot find the folder of this program", "");
	if (strpbrk(root, ":;$")) /* separators, and names that the loader replaces */
		fail("cannot run in a folder with ':', ';' or '$' in its name: ", root);
	set_environment(own);

	words = calloc((size_t)argc + 8, sizeof *words);
	if (!words || argc < 1) {
		free(words);
		fail("out of memory", "");
		return 5;
	}
	words[n++] = join(root, "/lib/lemnos/" LOADER);
	words[n++] = "--inhibit-cache"; /* which lists the system's libraries */
	words[n++] = "--library-path";
	words[n++] = join(root, "/lib/lemnos");
	words[n++] = "--argv0";
	words[n++] = argv[0];
	words[n++] = join(root, "/lib/lemnos/lemnos");
	memcpy(words + n, argv + 1, (size_t)argc * sizeof *words); /* with the NULL at the end */
	execv(words[0], (char *const *)(uintptr_t)words);
	fail(join("cannot run ", join(words[0], ": ")), strerror(errno));
	free(words);
	return 5;
}
