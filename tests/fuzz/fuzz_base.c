#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "domain/configuration.h"
#include "kb/kb.h"
#include "tests/fuzz/small_base.h"

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

static bool count_row(void *arg, size_t n_columns, const char *const *value)
{
	size_t *n = arg;

	for (size_t j = 0; j < n_columns; j++)
		*n += value[j] ? strlen(value[j]) : 0;
	return true;
}

/* Reads that stand for themselves: each fails or not. */
static void read_lists(struct kb *kb)
{
	struct kb_names names = {0};
	struct kb_imports imports = {0};
	struct kb_decisions decisions = {0};
	struct kb_advice_list advice = {0};
	struct kb_fit *fits = NULL;
	size_t n_fits = 0;
	char *machine = NULL;

	kb_list_applications(kb, &names, NULL);
	kb_names_release(&names);
	kb_list_machines(kb, 0, &names, NULL);
	kb_names_release(&names);
	kb_list_imports(kb, &imports, NULL);
	kb_imports_release(&imports);
	kb_list_decisions(kb, "sweep3d", &decisions, NULL);
	kb_decisions_release(&decisions);
	kb_list_advice(kb, &advice, NULL);
	kb_advice_list_release(&advice);
	kb_list_fits(kb, &fits, &n_fits, NULL);
	for (size_t i = 0; i < n_fits; i++)
		kb_fit_release(&fits[i]);
	free(fits);
	kb_get_default(kb, "machine", &machine, NULL);
	free(machine);
}

static void read_facts(struct kb *kb, const struct application *a, int64_t machine_id)
{
	const struct kb_filter slow = {.where = "wall_s > 0.1 and mk in (1, 5)", .limit = 5};
	struct dataset *runs = NULL;
	struct kb_pingpong pingpong = {0};
	struct kb_advice advice = {0};
	struct kb_outcomes outcomes = {0};
	struct kb_changes changes = {0};
	double *row = calloc(a->n_columns, sizeof *row);
	int64_t n_runs = 0;
	size_t n = 0;

	fuzz_require(row != NULL, NULL);
	kb_load_runs(kb, a, NULL, NULL, &runs, NULL);
	dataset_free(runs);
	kb_walk_runs(kb, a, &slow, count_row, &n, NULL);
	kb_count_runs(kb, a, NULL, &n_runs, NULL);
	kb_load_pingpong(kb, machine_id, &pingpong, NULL);
	kb_pingpong_release(&pingpong);
	configuration_clear(a, row);
	if (!kb_get_advice(kb, small_base_advice, &advice, NULL)) {
		kb_find_outcomes(kb, a, machine_id, row, &advice, &outcomes, NULL);
		kb_changes_since(kb, a, machine_id, 0, &advice, &changes, NULL);
	}
	kb_changes_release(&changes);
	kb_outcomes_release(&outcomes);
	kb_advice_release(&advice);
	free(row);
}

static void read_knowledge(struct kb *kb, int64_t app_id, int64_t machine_id)
{
	struct kb_fit fit = {0};
	struct cost_segment *segment = NULL;
	size_t n = 0;
	struct kb_rules rules = {0};
	char snapshot[65];

	if (!kb_get_fit(kb, app_id, machine_id, &fit, NULL))
		kb_fit_release(&fit);
	kb_get_message_cost(kb, machine_id, &segment, &n, NULL);
	free(segment);
	if (!kb_get_rules(kb, app_id, machine_id, &rules, NULL))
		kb_rules_release(&rules);
	kb_snapshot(kb, app_id, machine_id, snapshot, NULL);
	kb_snapshot_all(kb, app_id, snapshot, NULL);
}

static void check(struct kb *kb)
{
	struct strbuf report = STRBUF_INIT;
	int n_found = 0;

	kb_check(kb, &report, &n_found, NULL);
	strbuf_release(&report);
}

static void read_all(struct kb *kb, bool checked)
{
	struct application *a = NULL;
	struct machine *m = NULL;
	int64_t app_id = 0, machine_id = 0;

	if (checked)
		check(kb);
	read_lists(kb);
	kb_get_machine(kb, "box", &m, &machine_id, NULL);
	if (!kb_get_application(kb, "sweep3d", &a, &app_id, NULL)) {
		read_facts(kb, a, machine_id);
		read_knowledge(kb, app_id, machine_id);
	}
	application_free(a);
	machine_free(m);
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
	if (kb)
		read_all(kb, size > 0 && data[0] % 2 == 0);
	kb_close(kb);
	if (size > 0 && data[0] % 3 == 0)
		write_some(path);
	return 0;
}
