#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kb/kb.h"
#include "tests/fuzz/small_base.h"
#include "tests/support/read_base.h"

/* A damaged knowledge base: everything that kb/ reads is read, with an error or without one. The
 * input is a list of patches to a sound base, 4 bytes each: where (24 bits) and what stands there.
 * Further, the first byte: even, the base is checked as well; a multiple of 3, it is written to. */

static uint8_t *sound;
static size_t sound_size;

static void slurp(const char *path)
{
	FILE *f = fopen(path, "rb");

	fuzz_require(f && !fseek(f, 0, SEEK_END), NULL);
	sound_size = (size_t)ftell(f);
	rewind(f);
	sound = malloc(sound_size);
	fuzz_require(sound && fread(sound, 1, sound_size, f) == sound_size, NULL);
	fclose(f);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	small_base_make(fuzz_path());
	slurp(fuzz_path());
	return 0;
}

static const char *damaged_file(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(sound_size);
	const char *path;

	fuzz_require(copy != NULL, NULL);
	memcpy(copy, sound, sound_size);
	for (size_t i = 0; i + 4 <= size; i += 4) {
		size_t at = (size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2];

		copy[at % sound_size] = data[i + 3];
	}
	path = fuzz_file(copy, sound_size);
	free(copy);
	return path;
}

static void check(struct kb *kb)
{
	struct strbuf report = STRBUF_INIT;
	int n_found = 0;

	kb_check(kb, &report, &n_found, NULL);
	strbuf_release(&report);
}

static void write_some(const char *path)
{
	struct kb *kb = NULL;

	if (kb_open(path, KB_WRITE, NULL, &kb, NULL))
		return;
	kb_exclude_run(kb, 2, "fuzzer", "because", NULL);
	kb_undo_import(kb, 1, NULL, NULL);
	kb_remove_machine(kb, "box", NULL);
	kb_close(kb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = damaged_file(data, size);
	struct kb *kb = NULL;
	struct err e = {0};

	fuzz_check_error(kb_open(path, KB_READ, NULL, &kb, &e), &e);
	if (kb && size > 0 && data[0] % 2 == 0)
		check(kb);
	if (kb)
		read_base(kb, "sweep3d", "box", small_base_advice);
	kb_close(kb);
	if (size > 0 && data[0] % 3 == 0)
		write_some(path);
	return 0;
}
