#include "tests/support/shared_runs.h"
#include "tests/unit/recommend/world.h"

#include "tests/support/failing_allocations.h"
#include "recommend/space/failed_runs.h"

static const char definition[] =
	"application = { name = \"a\";\n"
	"  problem = ( { name = \"n\"; min = 1; }, { name = \"m\"; min = 1; } );\n"
	"  tunables = ( { name = \"tile\"; min = 1; } );\n"
	"  resources = ( { name = \"nodes\"; min = 1; }, { name = \"ppn\"; min = 1; } );\n"
	"  target = { name = \"time\"; unit = \"s\"; }; };\n";

static int set_up(void **state)
{
	must(application_parse(definition, "test", &app, &err));
	runs = dataset_new(app);
	return runs ? 0 : -1;
}

static void put_row(double *row, double n, double m, double tile, double nodes, double ppn)
{
	configuration_clear(app, row);
	row[application_column(app, "n")] = n;
	row[application_column(app, "m")] = m;
	row[application_column(app, "tile")] = tile;
	row[application_column(app, "nodes")] = nodes;
	row[application_column(app, "ppn")] = ppn;
	configuration_derive(app, row);
}

static void add(int64_t id, enum run_status status, double n, double m, double tile, double nodes,
		double ppn)
{
	double row[WORLD_COLUMNS];

	put_row(row, n, m, tile, nodes, ppn);
	must(dataset_add(runs, row, status == RUN_FAILED ? (double)NAN : 7, id, 1, SOURCE_MEASURED,
			 status, 1, &err));
}

/* What was learned of them, NULL: nothing. */
static const struct failing_demands *learned;

/* What is said against n x m with a tile on nodes of ppn processes. */
static struct warning warning_of(double n, double m, double tile, double nodes, double ppn)
{
	double row[WORLD_COLUMNS];
	const struct advice_request q = {.app = app, .runs = runs, .demands = learned, .row = row};
	RELEASED(failed_runs) f;
	struct warning w;

	put_row(row, n, m, tile, nodes, ppn);
	must(failed_runs_find(&q, &f, &err));
	w = failed_runs_judge(&f, row);
	return w;
}

/* 0: nothing is said against it, > 0: the run that
 * failed with it, < 0: minus the run that puts it at risk. */
static int judge(double n, double m, double tile, double nodes, double ppn)
{
	const struct warning w = warning_of(n, m, tile, nodes, ppn);

	return w.risk == RISK_NONE ? 0 : w.risk == RISK_FAILED ? (int)w.run_id : -(int)w.run_id;
}

#define IN_FIXTURE(name) TEST_WITH(name, set_up, free_runs)

IN_FIXTURE(a_failure_tells_against_larger_problems_on_no_more_nodes)
{
	add(5, RUN_FAILED, 100, 50, 8, 2, 4);
	assert_int_equal(judge(100, 50, 8, 2, 4), 5);
	assert_int_equal(judge(101, 50, 8, 2, 4), -5);
	assert_int_equal(judge(101, 50, 8, 2, 1), -5); /* larger: fewer processes are no proof */
	assert_int_equal(judge(100, 50, 8, 1, 1), -5);
	assert_int_equal(judge(100, 50, 8, 2, 8), -5);
	assert_int_equal(judge(100, 50, 8, 2, 3), -5); /* one process less is no relief */
	assert_int_equal(judge(100, 50, 8, 2, 2), 0);  /* what one does about it */
	assert_int_equal(judge(100, 50, 16, 2, 4), 0); /* another tunable */
	assert_int_equal(judge(100, 50, 8, 4, 4), 0);  /* half the memory on a node */
	assert_int_equal(judge(50, 50, 8, 2, 4), 0);   /* at least in proportion, so half */
}

/* Two columns: memory grows with the square of each at most, and in proportion at least. */
IN_FIXTURE(what_no_run_shows_to_fit_is_at_risk)
{
	add(5, RUN_FAILED, 100, 50, 8, 2, 4);
	assert_int_equal(judge(100, 50, 8, 3, 4), -5); /* two thirds of what failed */
	assert_int_equal(judge(60, 50, 8, 2, 4), -5);  /* 0.6 */
	assert_int_equal(judge(200, 50, 8, 15, 4), -5);
	assert_int_equal(judge(200, 50, 8, 16, 4), 0); /* 4 / 8 of it */
	assert_int_equal(judge(200, 10, 8, 3, 4), -5); /* 4 / 5 / 1.5 */
	add(6, RUN_OK, 50, 50, 8, 1, 4);
	assert_int_equal(judge(60, 50, 8, 2, 4), 0);  /* 1.44 times that, on twice the nodes */
	assert_int_equal(judge(80, 50, 8, 2, 4), -5); /* 2.56 times */
	assert_int_equal(judge(80, 50, 8, 3, 4), 0);
	assert_int_equal(judge(100, 50, 8, 3, 4), -5); /* 4 times: on 4 */
	assert_int_equal(judge(100, 50, 8, 3, 2), 0);  /* what one does about it */
}

/* Fewer processes on a node may be why it ended. */
IN_FIXTURE(a_run_with_fewer_processes_shows_nothing_of_more)
{
	add(5, RUN_FAILED, 100, 50, 8, 2, 31);
	add(6, RUN_OK, 100, 50, 8, 1, 16);
	assert_int_equal(judge(110, 50, 8, 2, 31), -5);
	assert_int_equal(judge(100, 50, 8, 2, 31), 5);
	add(7, RUN_OK, 100, 50, 8, 1, 32);
	assert_int_equal(judge(110, 50, 8, 2, 31), -5); /* no lack of memory: 62 are too many? */
	add(8, RUN_OK, 90, 50, 8, 2, 31);
	assert_int_equal(judge(110, 50, 8, 2, 31), 0);
}

IN_FIXTURE(what_fails_more_often_than_not_is_at_risk)
{
	add(5, RUN_FAILED, 100, 50, 8, 2, 4);
	add(6, RUN_FAILED, 100, 50, 8, 2, 4);
	assert_int_equal(judge(100, 50, 8, 2, 4), 5);
	add(7, RUN_OK, 100, 50, 8, 2, 4);
	assert_int_equal(judge(100, 50, 8, 2, 4), -5);
	add(8, RUN_OK, 100, 50, 8, 2, 4);
	assert_int_equal(judge(100, 50, 8, 2, 4), 0);
}

/* (failed + 1) / (failed + ended + 2) */
IN_FIXTURE(the_next_run_fails_as_often_as_runs_like_it)
{
	add(5, RUN_FAILED, 100, 50, 8, 2, 4);
	check_rel(warning_of(110, 50, 8, 2, 4).fail_p, 2 / 3.0, 1e-12);
	assert_true(warning_of(100, 50, 8, 4, 4).fail_p == 0);
	add(6, RUN_FAILED, 105, 50, 8, 2, 4);
	check_rel(warning_of(110, 50, 8, 2, 4).fail_p, 3 / 4.0, 1e-12);
	add(7, RUN_FAILED, 100, 50, 8, 2, 4);
	add(8, RUN_OK, 100, 50, 8, 2, 4);
	check_rel(warning_of(100, 50, 8, 2, 4).fail_p, 3 / 5.0, 1e-12);
}

IN_FIXTURE(a_run_that_ended_takes_a_failure_back)
{
	add(5, RUN_FAILED, 100, 50, 8, 2, 4);
	add(6, RUN_OK, 110, 50, 8, 2, 4); /* larger, as many nodes */
	assert_int_equal(judge(100, 50, 8, 2, 4), 5);
	assert_int_equal(judge(120, 50, 8, 2, 4), 0);
	add(7, RUN_TIMEOUT, 100, 50, 8, 2, 4); /* it had memory enough */
	assert_int_equal(judge(100, 50, 8, 2, 4), 0);
}

IN_FIXTURE(a_run_that_needed_less_takes_nothing_back)
{
	add(5, RUN_FAILED, 100, 50, 8, 2, 4);
	add(6, RUN_OK, 90, 50, 8, 2, 4);
	add(7, RUN_OK, 100, 50, 8, 2, 2);
	add(8, RUN_OK, 100, 50, 8, 4, 4);
	add(9, RUN_OK, 100, 50, 16, 2, 4);
	assert_int_equal(judge(100, 50, 8, 2, 4), 5);
	assert_int_equal(judge(101, 50, 8, 2, 4), -5);
}

/* Run 5 failed on 8 processes, a larger problem did not: 100 rows were too few for 8. */
IN_FIXTURE(problem_too_small_for_so_many_processes_is_at_risk)
{
	add(5, RUN_FAILED, 100, 50, 8, 2, 4);
	add(6, RUN_OK, 200, 100, 8, 2, 4);
	assert_int_equal(judge(90, 50, 8, 2, 4), -5);
	assert_int_equal(judge(100, 50, 8, 4, 4), -5);
	assert_int_equal(judge(150, 60, 8, 2, 4), -5); /* 1.5 * 1.2 of what failed */
	assert_int_equal(judge(150, 70, 8, 2, 4), 0);  /* 2.1 of it */
	assert_int_equal(judge(150, 70, 8, 4, 4), -5); /* shared by twice as many */
	assert_int_equal(judge(200, 100, 8, 2, 4), 0);
	assert_int_equal(judge(90, 50, 8, 1, 4), 0);  /* twice as much for each */
	assert_int_equal(judge(90, 50, 16, 2, 4), 0); /* another tunable */
	add(7, RUN_OK, 120, 50, 8, 2, 4);
	assert_int_equal(judge(130, 55, 8, 2, 4), 0); /* 7 went on as many */
	assert_int_equal(judge(110, 55, 8, 2, 4), -5);
	add(8, RUN_OK, 90, 50, 8, 4, 4); /* it was not that */
	assert_int_equal(judge(100, 50, 8, 4, 4), 0);
}

IN_FIXTURE(the_order_of_runs_plays_no_part)
{
	for (int turn = 0; turn < 2; turn++) {
		for (int i = 0; i < 4; i++) {
			int k = turn ? 3 - i : i;
			int nodes = 4 - k / 2;

			add(10 + k, RUN_FAILED, 100 - 10 * (k % 2), 50, 8, nodes, 4);
		}
		/* 10: 100 on 4; 11: 90 on 4; 12: 100 on 3; 13: 90 on 3 */
		assert_int_equal(judge(100, 50, 8, 4, 4), 10);
		assert_int_equal(judge(95, 50, 8, 4, 4), -10); /* 11 says so as well */
		assert_int_equal(judge(100, 50, 8, 2, 4), -10);
		dataset_free(runs);
		runs = dataset_new(app);
		assert_non_null(runs);
	}
}

IN_FIXTURE(a_run_that_does_not_say_its_nodes_puts_nobody_at_risk)
{
	add(5, RUN_FAILED, 100, 50, 8, (double)NAN, (double)NAN);
	assert_int_equal(judge(200, 50, 8, 1, 4), 0);
}

/* n is the width of a cell. */
IN_FIXTURE(of_a_width_less_is_more)
{
	const struct failing_demands width = {
		.falling = {.n = 1, .column = {application_column(app, "n")}, .exponent = {2}}};

	learned = &width;
	add(5, RUN_FAILED, 100, 50, 8, 2, 4);
	assert_int_equal(judge(99, 50, 8, 2, 4), -5);
	assert_int_equal(judge(50, 50, 8, 7, 4), -5); /* 4 / 3.5 of it */
	assert_int_equal(judge(50, 50, 8, 16, 4), 0);
	assert_int_equal(judge(200, 50, 8, 2, 4), 0); /* half of it */
	assert_int_equal(judge(120, 50, 8, 2, 4), -5);
	add(6, RUN_OK, 110, 50, 8, 2, 4); /* it asks less */
	assert_int_equal(judge(120, 50, 8, 2, 4), 0);
	assert_int_equal(judge(99, 50, 8, 2, 4), -5);
	learned = NULL;
}

/* Learned was that 100 x 50 fails on any nodes. */
IN_FIXTURE(more_nodes_are_no_relief_of_what_failed_on_all)
{
	struct failing_demand any = {.scope = {.column = SIZE_MAX},
				     .nodes = 8,
				     .ppn = 4,
				     .any_nodes = true,
				     .size = {100, 50},
				     .room = 1};
	const struct failing_demands all = {
		.n = 1,
		.n_sizes = 2,
		.n_powers = 1,
		.column = {application_column(app, "n"), application_column(app, "m")},
		.item = &any};

	any.room_by_power[0] = (double)NAN;
	add(5, RUN_FAILED, 100, 50, 8, 2, 4);
	assert_int_equal(judge(100, 50, 8, 64, 4), 0);
	learned = &all;
	assert_int_equal(judge(100, 50, 8, 64, 4), -5);
	assert_int_equal(judge(110, 50, 8, 1024, 3), -5);
	assert_int_equal(judge(100, 50, 8, 64, 2), 0); /* half of the processes */
	assert_int_equal(judge(90, 50, 8, 64, 4), 0);
	learned = NULL;
}

IN_FIXTURE(no_memory_is_an_error)
{
	double row[WORLD_COLUMNS];
	const struct advice_request q = {.app = app, .runs = runs, .row = row};
	RELEASED(failed_runs) f = {0};

	add(5, RUN_FAILED, 100, 50, 8, 2, 4);
	put_row(row, 100, 50, 8, 2, 4);
	failing_each_allocation (failed_runs_find(&q, &f, &err), &err)
		assert_null(f.item);
	assert_int_equal(f.n, 1);
}
