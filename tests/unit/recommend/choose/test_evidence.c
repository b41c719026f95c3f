#include "tests/support/shared_runs.h"
#include "tests/support/made_runs.h"
#include "tests/unit/recommend/world.h"

#include "recommend/choose/evidence.h"

static int set_up(void **state)
{
	must(application_read("data/applications/sweep3d.conf", &app, &err));
	runs = dataset_new(app);
	return runs ? 0 : -1;
}

static void fill_row(double *row, const char *fixed)
{
	configuration_clear(app, row);
	configuration_default_workload(app, row);
	must(configuration_set(app, fixed, row, &err));
	configuration_derive(app, row);
}

static void add(const char *fixed, double wall_s, enum run_status status)
{
	double row[WORLD_COLUMNS];

	fill_row(row, fixed);
	runs_add_as(runs, row, wall_s, SOURCE_MEASURED, status);
}

#define PROBLEM "it_g=50,jt_g=50,kt=50,npe_i=2,npe_j=2,nodes=4,mmi=3"

TEST(nearest_configurations_come_first_by_their_median_run)
{
	double row[WORLD_COLUMNS];
	struct nearest_run *near = NULL;
	size_t n = 0;

	add(PROBLEM ",mk=20", 9, RUN_OK);
	add(PROBLEM ",mk=10", 3, RUN_OK);
	add(PROBLEM ",mk=10", 50, RUN_OK); /* disturbed */
	add(PROBLEM ",mk=10", 2, RUN_OK);
	add(PROBLEM ",mk=10", 1, RUN_FAILED);
	add(PROBLEM ",mk=10,iterations=24", 6, RUN_OK);
	add(PROBLEM ",mk=40", 7, RUN_OK);
	fill_row(row, PROBLEM ",mk=10");
	must(evidence_nearest_runs(runs, row, 3, &near, &n, &err));
	assert_int_equal(n, 3);

	assert_int_equal(near[0].run_id, 2); /* 3 s of 2, 3, 50 */
	check_abs(near[0].distance, 0, 0);
	check_abs(near[0].wall_s, 3, 0);
	assert_int_equal(near[0].n_repeats, 3);
	/* A factor of two in the iterations is as far as one in mk: fewer iterations first. */
	assert_int_equal(near[1].run_id, 1);
	assert_int_equal(near[2].run_id, 6);
	check_rel(near[1].distance, log(2), 1e-15);
	check_rel(near[2].distance, log(2), 1e-15);
	check_abs(near[2].row[application_column(app, "iterations")], 24, 0);
	nearest_runs_free(near, n);
}

TEST(without_runs_there_is_no_evidence)
{
	FREED(dataset) *none = dataset_new(app);
	double row[WORLD_COLUMNS];
	struct nearest_run *near = (struct nearest_run *)row;
	size_t n = 7;

	fill_row(row, PROBLEM ",mk=10");
	must(evidence_nearest_runs(none, row, 3, &near, &n, &err));
	assert_null(near);
	assert_int_equal(n, 0);
}

TEST_GROUP(set_up, free_runs)
