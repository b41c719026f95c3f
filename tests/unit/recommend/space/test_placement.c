#include "tests/support/check.h"
#include "tests/support/made_runs.h"

#include "domain/configuration.h"
#include "recommend/space/placement.h"

/* All numbers by hand, on nodes of 8 cores. */

static const char with_threads[] =
	"application = { name = \"a\";\n"
	"  problem = ( { name = \"n\"; min = 1; } );\n"
	"  resources = ( { name = \"nodes\"; min = 1; }, { name = \"ppn\"; min = 1; },\n"
	"                { name = \"procs\"; min = 1; }, { name = \"threads\"; min = 1; } );\n"
	"  memory_bytes_per_proc = \"n\";\n"
	"  target = { name = \"time\"; unit = \"s\"; }; };\n";
static const char with_nodes[] = "application = { name = \"a\";\n"
				 "  problem = ( { name = \"n\"; min = 1; } );\n"
				 "  resources = ( { name = \"nodes\"; min = 1; } );\n"
				 "  target = { name = \"time\"; unit = \"s\"; }; };\n";
static const char with_nodes_and_ppn[] =
	"application = { name = \"a\";\n"
	"  problem = ( { name = \"n\"; min = 1; } );\n"
	"  resources = ( { name = \"nodes\"; min = 1; }, { name = \"ppn\"; min = 1; } );\n"
	"  target = { name = \"time\"; unit = \"s\"; }; };\n";
static const char with_processes[] =
	"application = { name = \"a\";\n"
	"  problem = ( { name = \"n\"; min = 1; } );\n"
	"  resources = ( { name = \"procs\"; min = 1; }, { name = \"threads\"; min = 1; } );\n"
	"  target = { name = \"time\"; unit = \"s\"; }; };\n";
static const char with_gpus[] = "application = { name = \"a\";\n"
				"  problem = ( { name = \"n\"; min = 1; } );\n"
				"  resources = ( { name = \"gpus\"; min = 1; } );\n"
				"  target = { name = \"time\"; unit = \"s\"; }; };\n";
static const char with_nothing[] = "application = { name = \"a\";\n"
				   "  problem = ( { name = \"n\"; min = 1; } );\n"
				   "  target = { name = \"time\"; unit = \"s\"; }; };\n";

static char machine_name[] = "m";
static const struct machine of_8_cores = {
	.name = machine_name, .nodes = 10, .cores_per_node = 8, .memory_bytes_per_node = 250};

enum { COLUMNS = 8 };

struct scene {
	struct application *app;
	struct advice_request request;
	double row[COLUMNS];
	struct placement p;
};

static void set_scene(struct scene *s, const char *text, const struct machine *machine,
		      const char *fixed)
{
	*s = (struct scene){0};
	must(application_parse(text, "test", &s->app, &err));
	assert_true(s->app->n_columns <= COLUMNS);
	configuration_clear(s->app, s->row);
	must(configuration_set_problem(s->app, "n=100", true, s->row, &err));
	if (*fixed)
		must(configuration_set(s->app, fixed, s->row, &err));
	s->request = (struct advice_request){.app = s->app, .machine = machine, .row = s->row};
}

/* A scene with its placement, which the request allows. */
static void place(struct scene *s, const char *text, const struct machine *machine,
		  const char *fixed)
{
	set_scene(s, text, machine, fixed);
	must(placement_init(&s->p, &s->request, s->row, &err));
}

static double get(const struct scene *s, const char *name)
{
	return s->row[application_column(s->app, name)];
}

static void set(struct scene *s, const char *name, double value)
{
	s->row[application_column(s->app, name)] = value;
}

static void check_refused(const char *fixed, int64_t max_procs, const char *why)
{
	struct scene s;

	set_scene(&s, with_threads, &of_8_cores, fixed);
	s.request.max_procs = max_procs;
	must_fail(placement_init(&s.p, &s.request, s.row, &err), ERR_ARG, why);
	application_free(s.app);
}

/* 3 threads: 2 processors a node (6 cores of 8), so 5 processors take 3 nodes, 2 on the fullest.
 * 9 threads are more than a node has cores, and still one processor stands on a node. */
TEST(processors_stand_on_as_few_nodes_as_their_threads_allow)
{
	struct scene s;

	place(&s, with_threads, &of_8_cores, "threads=3");
	assert_true(placement_put(&s.p, 5, s.row));
	check_abs(get(&s, "nodes"), 3, 0);
	check_abs(get(&s, "ppn"), 2, 0);
	check_abs(get(&s, "procs"), 5, 0);
	set(&s, "threads", 9);
	assert_true(placement_put(&s.p, 5, s.row));
	check_abs(get(&s, "nodes"), 5, 0);
	check_abs(get(&s, "ppn"), 1, 0);
	set(&s, "threads", 2); /* 4 a node */
	assert_true(placement_put(&s.p, 5, s.row));
	check_abs(get(&s, "nodes"), 2, 0);
	set(&s, "threads", 1);
	assert_true(placement_put(&s.p, 8, s.row));
	check_abs(get(&s, "nodes"), 1, 0);
	assert_true(placement_put(&s.p, 9, s.row));
	check_abs(get(&s, "nodes"), 2, 0);
	check_abs(get(&s, "ppn"), 5, 0);
	application_free(s.app);
}

TEST(fixed_processors_a_node_say_how_many_nodes)
{
	struct scene s;

	place(&s, with_threads, &of_8_cores, "ppn=4,threads=8");
	assert_true(placement_put(&s.p, 9, s.row));
	check_abs(get(&s, "nodes"), 3, 0);
	check_abs(get(&s, "ppn"), 4, 0);
	check_abs(placement_procs_on(&s.p, 5), 20, 0);
	application_free(s.app);
}

/* 5 to 8 processors need one node; 4 nodes are only partly empty for who fixed both numbers. */
TEST(fixed_nodes_are_filled_unless_the_processors_are_fixed_too)
{
	struct scene s;

	place(&s, with_threads, &of_8_cores, "nodes=4");
	assert_false(placement_put(&s.p, 5, s.row));
	assert_true(placement_put(&s.p, 25, s.row));
	check_abs(get(&s, "ppn"), 7, 0); /* 25 on 4 nodes */
	assert_false(placement_put(&s.p, 33, s.row));
	application_free(s.app);

	place(&s, with_threads, &of_8_cores, "nodes=4,procs=5");
	assert_true(placement_put(&s.p, 5, s.row));
	check_abs(get(&s, "nodes"), 4, 0);
	check_abs(get(&s, "ppn"), 2, 0);
	set(&s, "threads", 8); /* now 5 processors need 5 nodes */
	assert_false(placement_put(&s.p, 5, s.row));
	application_free(s.app);
}

TEST(where_cores_are_not_known_a_processor_has_a_node)
{
	const struct machine unknown = {.name = machine_name, .nodes = 10};
	struct scene s;

	place(&s, with_threads, &unknown, "");
	assert_true(placement_put(&s.p, 7, s.row));
	check_abs(get(&s, "nodes"), 7, 0);
	check_abs(get(&s, "ppn"), 1, 0);
	check_abs(placement_procs_on(&s.p, 7), 7, 0);
	application_free(s.app);
	/* 5 on 2 nodes may fit: nobody knows */
	place(&s, with_threads, &unknown, "nodes=2,procs=5");
	assert_true(placement_put(&s.p, 5, s.row));
	check_abs(get(&s, "ppn"), 3, 0);
	application_free(s.app);
}

/* 48 processors with 2 threads on 3 nodes: 32 cores each. What failed may have been too many. */
TEST(the_fullest_run_tells_the_cores_of_an_unknown_machine)
{
	const struct machine unknown = {.name = machine_name, .nodes = 10};
	const double used[][4] = {
		{6, 1, 2, RUN_OK}, {48, 2, 3, RUN_TIMEOUT}, {512, 1, 1, RUN_FAILED}};
	struct scene s;
	FREED(dataset) *runs;

	set_scene(&s, with_threads, &unknown, "");
	runs = dataset_new(s.app);
	assert_non_null(runs);
	check_abs(placement_cores_seen(runs), 0, 0);
	for (size_t i = 0; i < 3; i++) {
		double row[COLUMNS];

		memcpy(row, s.row, s.app->n_columns * sizeof *row);
		row[s.app->i_procs] = used[i][0];
		row[s.app->i_threads] = used[i][1];
		row[s.app->i_nodes] = used[i][2];
		runs_add_as(runs, row, 1, SOURCE_MEASURED, (enum run_status)used[i][3]);
	}
	s.request.runs = runs;
	must(placement_init(&s.p, &s.request, s.row, &err));
	check_abs(s.p.cores, 32, 0);
	assert_true(s.p.cores_seen_only);
	check_abs(placement_procs_on(&s.p, 3), 96, 0);
	application_free(s.app);
}

TEST(a_limit_may_be_reached_and_not_passed)
{
	struct scene s;

	set_scene(&s, with_threads, &of_8_cores, "");
	s.request.max_nodes = 2;
	s.request.max_procs = 12;
	must(placement_init(&s.p, &s.request, s.row, &err));
	check_abs(placement_most_procs(&s.p), 12, 0);
	check_abs(placement_least_procs(&s.p), 1, 0);
	assert_true(placement_put(&s.p, 12, s.row));
	assert_true(placement_within(&s.p, s.row));
	assert_false(placement_put(&s.p, 13, s.row));
	set(&s, "procs", 13);
	assert_false(placement_within(&s.p, s.row));
	set(&s, "procs", 12);
	set(&s, "nodes", 3);
	assert_false(placement_within(&s.p, s.row));
	set(&s, "threads", 8); /* then 2 nodes hold 2 processors */
	assert_true(placement_put(&s.p, 2, s.row));
	assert_false(placement_put(&s.p, 3, s.row));
	application_free(s.app);
}

/* Two nodes of 8 are filled by 9 to 16; threads may fill them with fewer. */
TEST(nodes_bound_the_processors)
{
	struct scene s;

	place(&s, with_nodes, &of_8_cores, "nodes=2");
	check_abs(placement_least_procs(&s.p), 9, 0);
	check_abs(placement_most_procs(&s.p), 16, 0);
	application_free(s.app);
	place(&s, with_threads, &of_8_cores, "nodes=2");
	check_abs(placement_least_procs(&s.p), 1, 0);
	application_free(s.app);
	place(&s, with_nodes, &of_8_cores, "");
	check_abs(placement_least_procs(&s.p), 1, 0);
	check_abs(placement_most_procs(&s.p), 80, 0);
	application_free(s.app);
	place(&s, with_threads, &of_8_cores, "procs=6");
	check_abs(placement_least_procs(&s.p), 6, 0);
	check_abs(placement_most_procs(&s.p), 6, 0);
	application_free(s.app);
}

TEST(threads_and_gpus_are_paid_for_where_nobody_knows_of_nodes)
{
	static const struct machine unknown = {.name = machine_name, .nodes = 1000};
	struct scene s;

	place(&s, with_processes, &unknown, "procs=5,threads=4");
	check_abs(placement_nodes(&s.p, s.row), 5, 0);
	check_abs(placement_paid(&s.p, s.row), 20, 0);
	set(&s, "procs", (double)NAN);
	check_abs(placement_paid(&s.p, s.row), 4, 0);
	application_free(s.app);
	place(&s, with_gpus, &unknown, "gpus=4");
	check_abs(placement_paid(&s.p, s.row), 4, 0);
	application_free(s.app);
	place(&s, with_threads, &of_8_cores, "nodes=2,ppn=3,threads=2,procs=5");
	check_abs(placement_paid(&s.p, s.row), 2, 0);
	application_free(s.app);
	place(&s, with_nothing, &of_8_cores, "");
	check_abs(placement_paid(&s.p, s.row), 1, 0);
	application_free(s.app);
}

TEST(a_row_tells_its_processors_by_what_it_has)
{
	struct scene s;

	place(&s, with_threads, &of_8_cores, "nodes=2,ppn=3,procs=5");
	check_abs(placement_procs(&s.p, s.row), 5, 0);
	application_free(s.app);
	place(&s, with_nodes_and_ppn, &of_8_cores, "nodes=2,ppn=3");
	check_abs(placement_procs(&s.p, s.row), 6, 0);
	check_abs(placement_nodes(&s.p, s.row), 2, 0);
	application_free(s.app);
	place(&s, with_nodes, &of_8_cores, "nodes=2");
	check_abs(placement_procs(&s.p, s.row), 2, 0);
	application_free(s.app);
	place(&s, with_nothing, &of_8_cores, "");
	check_abs(placement_procs(&s.p, s.row), 1, 0);
	check_abs(placement_nodes(&s.p, s.row), 1, 0);
	assert_true(placement_put(&s.p, 1, s.row));
	application_free(s.app);
}

/* 100 bytes a processor, 250 a node. */
TEST(memory_is_asked_for_on_the_fullest_node)
{
	const struct machine unknown = {.name = machine_name, .nodes = 10, .cores_per_node = 8};
	struct scene s;

	place(&s, with_threads, &of_8_cores, "");
	set(&s, "nodes", 2);
	set(&s, "procs", 3); /* 2 and 1 */
	check_abs(placement_memory_bytes(&s.p, s.row), 200, 0);
	assert_true(placement_fits_memory(&s.p, s.row));
	set(&s, "ppn", 3);
	check_abs(placement_memory_bytes(&s.p, s.row), 300, 0);
	assert_false(placement_fits_memory(&s.p, s.row));
	application_free(s.app);
	place(&s, with_threads, &unknown, "nodes=1,procs=8");
	assert_true(placement_fits_memory(&s.p, s.row));
	application_free(s.app);
	place(&s, with_nodes, &of_8_cores, "nodes=1"); /* says nothing about its memory */
	assert_true(placement_fits_memory(&s.p, s.row));
	application_free(s.app);
}

TEST(what_cannot_be_placed_is_refused_with_its_numbers)
{
	check_refused("nodes=11", 0, "11 nodes are asked for, and the limit is 10 nodes");
	check_refused("procs=81", 0,
		      "81 processors need 11 nodes of 8 processors, and the limit is 10 nodes "
		      "(the machine's size)");
	check_refused("nodes=1,procs=9", 0,
		      "9 processors do not fit on 1 node of m: 8 processors a node");
	check_refused("procs=9", 8, "need 9 processors, and the limit is 8");
	check_refused("procs=11,ppn=1", 0, "11 processors need 11 nodes of 1 processor, and");
}

/* One core a node is known, unlike none. */
TEST(a_node_of_one_core_holds_one_processor)
{
	const struct machine small = {.name = machine_name, .nodes = 10, .cores_per_node = 1};
	struct scene s;

	set_scene(&s, with_threads, &small, "nodes=2,procs=3");
	must_fail(placement_init(&s.p, &s.request, s.row, &err), ERR_ARG,
		  "3 processors do not fit on 2 nodes of m: 1 processor");
	application_free(s.app);
}

TEST(one_processor_may_be_the_limit)
{
	struct scene s;

	set_scene(&s, with_threads, &of_8_cores, "");
	s.request.max_procs = 1;
	must(placement_init(&s.p, &s.request, s.row, &err));
	check_abs(placement_most_procs(&s.p), 1, 0);
	assert_true(placement_put(&s.p, 1, s.row));
	assert_false(placement_put(&s.p, 2, s.row));
	application_free(s.app);
}

/* Runs on 7, 3 and 5 nodes; a machine that says nothing. */
TEST(the_most_nodes_of_any_run_are_the_limit_of_an_unknown_machine)
{
	static const double nodes[] = {7, 3, 5};
	const struct machine unknown = {.name = machine_name};
	struct dataset *runs;
	struct scene s;

	set_scene(&s, with_nodes, &unknown, "");
	runs = dataset_new(s.app);
	assert_non_null(runs);
	for (int i = 0; i < 3; i++) {
		double row[COLUMNS];

		memcpy(row, s.row, sizeof row);
		row[application_column(s.app, "nodes")] = nodes[i];
		runs_add(runs, row, 1);
	}
	s.request.runs = runs;
	must(placement_init(&s.p, &s.request, s.row, &err));
	assert_int_equal(s.p.max_nodes, 7);
	assert_string_equal(s.p.max_nodes_origin, "the most nodes seen in runs");
	dataset_free(runs);
	application_free(s.app);
}
