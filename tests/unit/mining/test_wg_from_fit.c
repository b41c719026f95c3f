#include "tests/support/check.h"

#include "mining/block_fit.h"
#include "mining/numerics/mining_init.h"
#include "tests/support/synthetic_runs.h"

static struct synthetic s;
static struct predictor *p;

/* Noiseless runs of a formula whose Wg is known. */
static int set_up(void **state)
{
	struct dataset *runs;
	enum err_code rc;

	mining_init();
	if (synthetic_open(&s) || !(runs = synthetic_runs(&s, 64, 1, 0, 0, 1)))
		return -1;
	rc = predictor_fit(
		"wavefront",
		&(struct fit_input){
			.runs = runs, .machine = &s.machine, .segment = s.segment, .n_segment = 1},
		&p, &err);
	dataset_free(runs);
	return rc != ERR_OK;
}

static int tear_down(void **state)
{
	predictor_free(p);
	synthetic_close(&s);
	return 0;
}

static double *new_row(double cube, double npe, double mk, double mmi)
{
	double *row = zeroed(s.app->n_columns, sizeof *row);

	synthetic_row(&s, row, cube, npe, npe, mk, mmi);
	return row;
}

TEST(wg_from_fit_is_the_computation_by_the_cells_and_angles)
{
	double *row = new_row(100, 4, 10, 3), Wg_s = 0;
	struct breakdown parts;
	bool known;

	must(wg_from_fit(p, s.app, row, &Wg_s, &err));
	predictor_breakdown(p, row, &parts, &known);
	/* 12 iterations, 8 octants, 10 k blocks, 2 angle groups of 3 x 10 x 25 x 25 cells and
	 * angles */
	check_rel(Wg_s * 12 * 8 * 10 * 2 * (3 * 10 * 25 * 25), parts.compute_s, 1e-12);
	free(row);
}

TEST(wg_from_fit_is_near_that_of_the_program_that_ran)
{
	double *row = new_row(100, 4, 10, 3), Wg_s = 0;
	struct breakdown truth;

	wavefront_time_at(&s.truth, row, NULL, &truth);
	must(wg_from_fit(p, s.app, row, &Wg_s, &err));
	check_rel(Wg_s * 12 * 8 * 10 * 2 * (3 * 10 * 25 * 25), truth.compute_s, 0.05);
	free(row);
}

TEST(what_is_no_sweep_has_no_wg)
{
	double *row = new_row(100, 4, 10, 3), Wg_s = 7;

	row[application_column(s.app, "mk")] = NAN;
	must_fail(wg_from_fit(p, s.app, row, &Wg_s, &err), ERR_ARG, "mk");
	row[application_column(s.app, "mk")] = 1e12;
	must_fail(wg_from_fit(p, s.app, row, &Wg_s, &err), ERR_ARG, "");
	row[application_column(s.app, "mk")] = 10;
	row[application_column(s.app, "mmi")] = 4;
	must_say(wg_from_fit(p, s.app, row, &Wg_s, &err), ERR_ARG, "mmi = 4 must divide mm = 6");
	check_rel(Wg_s, 7.0, 0);
	free(row);
}

TEST_GROUP(set_up, tear_down)
