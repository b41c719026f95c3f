#include "tests/support/read_base.h"

#include <stdlib.h>
#include <string.h>

#include "domain/configuration.h"
#include "kb/kb_run_index.h"

static bool count_row(void *arg, size_t n_columns, const char *const *value)
{
	size_t *n = arg; /* bytes of all values */

	for (size_t j = 0; j < n_columns; j++)
		*n += value[j] ? strlen(value[j]) : 0;
	return true;
}

/* Reads that stand for themselves: each fails or not. */
static void read_lists(struct kb *kb, const char *application)
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
	kb_list_decisions(kb, application, &decisions, NULL);
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

static void read_facts(struct kb *kb, const struct application *a, int64_t machine_id,
		       const char *advice_id)
{
	const struct kb_filter slow = {.where = "wall_s > 0.1 and source = 'measured'", .limit = 5};
	struct dataset *runs = NULL;
	struct kb_pingpong pingpong = {0};
	struct kb_advice advice = {0};
	struct kb_outcomes outcomes = {0};
	struct kb_changes changes = {0};
	double *row = calloc(a->n_columns, sizeof *row);
	int64_t n_runs = 0;
	size_t n = 0;

	if (!row)
		return;
	kb_load_runs(kb, a, NULL, NULL, &runs, NULL);
	dataset_free(runs);
	kb_walk_runs(kb, a, &slow, count_row, &n, NULL);
	kb_count_runs(kb, a, NULL, &n_runs, NULL);
	kb_load_pingpong(kb, machine_id, &pingpong, NULL);
	kb_pingpong_release(&pingpong);
	configuration_clear(a, row);
	if (!kb_get_advice(kb, advice_id, &advice, NULL)) {
		kb_find_outcomes(kb, a, machine_id, row, &advice, &outcomes, NULL);
		kb_changes_since(kb, a, machine_id, 0, &advice, &changes, NULL);
	}
	kb_changes_release(&changes);
	kb_outcomes_release(&outcomes);
	kb_advice_release(&advice);
	free(row);
}

static void read_knowledge(struct kb *kb, const struct application *a, int64_t app_id,
			   int64_t machine_id)
{
	struct kb_fit fit = {0};
	struct cost_segment *segment = NULL;
	size_t n = 0;
	struct kb_rules rules = {0};
	struct dataset *sample = NULL;
	bool found;
	char snapshot[65];

	kb_load_run_sample(kb, a, app_id, machine_id, &sample, NULL);
	dataset_free(sample);
	kb_check_run_index(kb, a, app_id, machine_id, &found, NULL);
	if (!kb_get_fit(kb, app_id, machine_id, &fit, NULL))
		kb_fit_release(&fit);
	kb_get_message_cost(kb, machine_id, &segment, &n, NULL);
	free(segment);
	if (!kb_get_rules(kb, app_id, machine_id, &rules, NULL))
		kb_rules_release(&rules);
	kb_snapshot(kb, app_id, machine_id, snapshot, NULL);
	kb_snapshot_all(kb, app_id, snapshot, NULL);
}

void read_base(struct kb *kb, const char *application, const char *machine, const char *advice)
{
	struct application *a = NULL;
	struct machine *m = NULL;
	int64_t app_id = 0, machine_id = 0;

	read_lists(kb, application);
	kb_get_machine(kb, machine, &m, &machine_id, NULL);
	if (!kb_get_application(kb, application, &a, &app_id, NULL)) {
		read_facts(kb, a, machine_id, advice);
		read_knowledge(kb, a, app_id, machine_id);
	}
	application_free(a);
	machine_free(m);
}
