#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

/* libconfig forgets what it has of a text in which it meets an error. The name is the sanitizer's.
 */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void)
/* NOLINTEND(bugprone-reserved-identifier) */
{
	return "leak:libconfig.so";
}

void fuzz_fail(const char *what, const struct err *e, const char *file, int line)
{
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
	if (e && e->msg[0])
		fprintf(stderr, "  %s\n", e->msg);
	abort();
}

char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	fuzz_require(text != NULL, NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

static const char *in_folder(const char *name)
{
	static char path[2][300];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
	return path[turn];
}

static void remove_folder(void)
{
	static const char *const name[] = {"input", "base.kb", "base.kb-wal", "base.kb-shm",
					   "base.kb-journal"};

	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
		unlink(in_folder(name[i]));
	rmdir(folder);
}

static void make_folder(void)
{
	const char *tmp = getenv("TMPDIR");

	if (folder[0])
		return;
	snprintf(folder, sizeof folder, "%s/lemnos-fuzz-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	fuzz_require(mkdtemp(folder) != NULL, NULL);
	atexit(remove_folder);
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
	static char path[300];
	FILE *f;

	make_folder();
	strcpy(path, in_folder("input"));
	f = fopen(path, "wb");
	fuzz_require(f && fwrite(data, 1, size, f) == size, NULL);
	fclose(f);
	return path;
}

const char *fuzz_path(void)
{
	static char path[300];

	make_folder();
	strcpy(path, in_folder("base.kb"));
	return path;
}

void fuzz_check_error(enum err_code rc, const struct err *e)
{
	fuzz_require(rc == e->code, e);
	fuzz_require((rc != ERR_OK) == (e->msg[0] != '\0'), e);
}

struct application *fuzz_application(void)
{
	struct application *a = NULL;
	struct err e = {0};

	fuzz_require(!application_read("data/applications/sweep3d.conf", &a, &e), &e);
	return a;
}
