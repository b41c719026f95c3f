#include "tests/unit/recommend/shared_world.h"

#include "recommend/space/config_space.h"

/* The space against plain loops over everything, judged by domain/ itself. */

static struct advice_request request(double *row, const char *problem, const char *fixed,
				     int64_t max_nodes)
{
	struct advice_request q;

	world_row(&world, row, problem, fixed);
	q = world_request(&world, row, 3600);
	q.max_nodes = max_nodes;
	return q;
}

/* A number that no two of these configurations share. */
static double code(const struct world *w, const double *row)
{
	return world_get(w, row, "npe_i") +
	       1e3 * (world_get(w, row, "npe_j") +
		      1e3 * (world_get(w, row, "mk") + 1e3 * world_get(w, row, "mmi")));
}

struct walked {
	uint64_t n_rows, n_legal;
	double sum; /* of codes */
};

/* Derived as domain/ would, legal, on the nodes that its processors fill; returns its code. */
static double check_row(const double *row, double nodes)
{
	double fresh[WORLD_COLUMNS];

	memcpy(fresh, row, world.app->n_columns * sizeof *fresh);
	configuration_derive(world.app, fresh);
	assert_memory_equal(fresh, row, world.app->n_columns * sizeof *fresh);
	assert_true(configuration_legal(world.app, row, NULL));
	check_abs(nodes, ceil(world_get(&world, row, "procs") / 4), 0);
	check_abs(world_get(&world, row, "nodes"), nodes, 0);
	return code(&world, row);
}

/* Walk the space and check each row. */
static struct walked walk(const struct advice_request *q)
{
	struct walked out = {0};
	RELEASED(config_space) space;
	RELEASED(groups) it;
	struct group g;
	bool more;

	must(config_space_init(&space, q, &err));
	must(groups_init(&it, &space, false, &err));
	while (!groups_next(&it, &g, &more, &err) && more) {
		double rows[3 * WORLD_COLUMNS];
		size_t at = 0, n;

		out.n_legal += g.n_legal;
		while ((n = group_rows(&g, &at, rows, 3)) > 0) {
			for (size_t i = 0; i < n; i++)
				out.sum += check_row(rows + i * world.app->n_columns, g.nodes);
			out.n_rows += n;
		}
	}
	return out;
}

/* The legal blockings among all mk that divide kt and all mmi, for the grid in row. */
static void add_blockings(double *row, struct walked *out)
{
	int kt = (int)world_get(&world, row, "kt");

	for (int k = 0; k < kt * 6; k++) {
		int mk = 1 + k / 6;

		if (kt % mk != 0)
			continue;
		row[world_column(&world, "mk")] = mk;
		row[world_column(&world, "mmi")] = 1 + k % 6;
		configuration_derive(world.app, row);
		if (!configuration_legal(world.app, row, NULL))
			continue;
		out->n_rows++;
		out->sum += code(&world, row);
	}
}

/* All factor pairs of lo..hi processors. */
static struct walked by_loops(const char *problem, int lo, int hi)
{
	struct walked out = {0};
	double row[WORLD_COLUMNS];

	world_row(&world, row, problem, NULL);
	for (int i = 1; i <= hi; i++) {
		for (int j = 1; i * j <= hi; j++) {
			if (i * j < lo)
				continue;
			row[world_column(&world, "npe_i")] = i;
			row[world_column(&world, "npe_j")] = j;
			add_blockings(row, &out);
		}
	}
	return out;
}

TEST(the_space_is_what_plain_loops_find)
{
	static const char *const problem[] = {"12x9x8", "1x1x1", "1x30x7", "5x2x60"};

	for (int i = 0; i < 4; i++) {
		double row[WORLD_COLUMNS];
		struct advice_request q = request(row, problem[i], NULL, 6);
		struct walked got = walk(&q), want = by_loops(problem[i], 1, 24);

		assert_int_equal(got.n_rows, want.n_rows);
		assert_int_equal(got.n_legal, want.n_rows);
		check_abs(got.sum, want.sum, 0);
	}
}

/* Two nodes of four cores are filled by 5 to 8 processors. */
TEST(fixed_nodes_take_the_processors_that_fill_them)
{
	double row[WORLD_COLUMNS];
	struct advice_request q = request(row, "12x9x8", "nodes=2", 6);
	struct walked got = walk(&q), want = by_loops("12x9x8", 5, 8);

	assert_int_equal(got.n_rows, want.n_rows);
	check_abs(got.sum, want.sum, 0);
}

TEST(fewer_processors_are_a_limit_of_their_own)
{
	double row[WORLD_COLUMNS];
	struct advice_request q = request(row, "12x9x8", NULL, 6);
	struct walked got, want = by_loops("12x9x8", 1, 10);

	q.max_procs = 10;
	got = walk(&q);
	assert_int_equal(got.n_rows, want.n_rows);
	check_abs(got.sum, want.sum, 0);
}

/* 1x1: the program forces mk = kt, mmi = mm. */
TEST(one_processor_has_one_configuration)
{
	double row[WORLD_COLUMNS];
	struct advice_request q = request(row, "50x50x50", "npe_i=1,npe_j=1", 6);
	struct walked got = walk(&q);

	assert_int_equal(got.n_rows, 1);
	check_abs(got.sum, 1 + 1e3 * (1 + 1e3 * (50 + 1e3 * 6)), 0);
}

/* mk = 7 is legal and no divisor of 8: sides of 2 to 24 processors, 4 values of mmi. */
TEST(a_fixed_value_need_not_be_a_candidate)
{
	double row[WORLD_COLUMNS];
	struct advice_request q = request(row, "24x1x8", "mk=7", 6);
	struct walked got = walk(&q);

	assert_int_equal(got.n_rows, 23 * 4);
}

/* An application of p x r processors, 4 at most, whose definition goes on with `more`; block
 * divides p. */
static struct application *p_times_r(const char *more)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	struct application *app = NULL;

	strbuf_printf(&text,
		      "application = { name = \"a\";\n"
		      "  problem = ( { name = \"n\"; min = 1; } );\n"
		      "  resources = ( { name = \"p\"; min = 1; candidates = \"grid\"; },\n"
		      "                { name = \"r\"; min = 1; candidates = \"grid\"; },\n"
		      "                { name = \"nodes\"; min = 1; } );\n"
		      "  tunables = ( { name = \"block\"; min = 1; candidates = \"divisors\";\n"
		      "                 of = \"p\"; } );\n"
		      "  derived = ( { name = \"procs\"; expr = \"p * r\"; } );\n"
		      "  groups = ( { flag = \"grid\"; columns = [ \"p\", \"r\" ]; } );\n"
		      "  %s\n"
		      "  target = { name = \"time\"; unit = \"s\"; }; };\n",
		      more);
	must(application_parse(strbuf_text(&text), "test", &app, &err));
	return app;
}

/* The groups of such an application for n = 12, as "p x r: number of blocks", and the number of
 * blocks. */
static void check_groups(const char *more, const char *want)
{
	FREED(application) *app = p_times_r(more);
	RELEASED(strbuf) got = STRBUF_INIT;
	double row[8], rows[8 * 8];
	struct advice_request q;
	RELEASED(config_space) space;
	RELEASED(groups) it;
	struct group g;
	bool more_groups;

	configuration_clear(app, row);
	must(configuration_set_problem(app, "n=12", true, row, &err));
	q = (struct advice_request){
		.app = app, .machine = &world.machine, .row = row, .max_nodes = 1};
	must(config_space_init(&space, &q, &err));
	must(groups_init(&it, &space, false, &err));
	while (!groups_next(&it, &g, &more_groups, &err) && more_groups) {
		size_t at = 0, n = group_rows(&g, &at, rows, 8);

		assert_int_equal(g.n_legal, n);
		strbuf_printf(&got, "%s%gx%g: %zu", got.len ? ", " : "",
			      g.row[application_column(app, "p")],
			      g.row[application_column(app, "r")], n);
	}
	assert_string_equal(strbuf_text(&got), want);
}

/* p = 1, 2, 2, 3 and 4 have 1, 2, 2, 2 and 3 divisors. */
TEST(candidates_may_depend_on_the_grid)
{
	check_groups("", "1x1: 1, 1x2: 1, 1x3: 1, 1x4: 1, 2x1: 2, 2x2: 2, 3x1: 2, 4x1: 3");
}

/* One about a side, one about both, one about a block as well; the first is about the problem,
 * which is the first column of the application. */
TEST(rules_keep_groups_and_blocks_out)
{
	check_groups("legality = ( { rule = \"n >= 4 * p\"; why = \"no room\"; } );",
		     "1x1: 1, 1x2: 1, 1x3: 1, 1x4: 1, 2x1: 2, 2x2: 2, 3x1: 2");
	check_groups("legality = ( { rule = \"p >= r\"; why = \"flat\"; } );",
		     "1x1: 1, 2x1: 2, 2x2: 2, 3x1: 2, 4x1: 3");
	check_groups("legality = ( { rule = \"block < p or r > 1\"; why = \"whole\"; } );",
		     "1x2: 1, 1x3: 1, 1x4: 1, 2x1: 1, 2x2: 2, 3x1: 1, 4x1: 2");
}

/* 1 GiB for the processors of one node: by the grid alone 2x2 need 4 * 0.3e9 bytes, 3x1 3 * 0.45e9;
 * by the block as well 4x1 need 4 * 0.15e9 with a block of 1, twice as much with one of 2. */
TEST(memory_keeps_groups_and_blocks_out)
{
	check_groups("memory_bytes_per_proc = \"p * 150000000\";",
		     "1x1: 1, 1x2: 1, 1x3: 1, 1x4: 1, 2x1: 2");
	check_groups("memory_bytes_per_proc = \"block * 150000000\";",
		     "1x1: 1, 1x2: 1, 1x3: 1, 1x4: 1, 2x1: 2, 2x2: 1, 3x1: 1, 4x1: 1");
}

/* The limit is known before anything is listed, and what cannot be searched is refused. */
TEST(nodes_without_number_take_no_time)
{
	double row[WORLD_COLUMNS];
	struct advice_request q = request(row, "12x9x8", NULL, 1000000000);
	struct config_space space;

	must(config_space_init(&space, &q, &err));
	for (size_t i = 0; i < space.n_axes; i++)
		assert_true(space.axis[i].n == 12 || space.axis[i].n == 9);
	config_space_release(&space);
	q = request(row, "1000000x1000000x8", NULL, 1000000000);
	must_fail(config_space_init(&space, &q, &err), ERR_ARG, "--max-nodes");
}

static bool stop_at_the_third(void *arg, const char *what, uint64_t done, uint64_t total)
{
	return ++*(int *)arg < 3;
}

TEST(a_walk_is_interrupted_inside_a_group_too)
{
	double row[WORLD_COLUMNS], rows[WORLD_COLUMNS];
	struct advice_request q = request(row, "40x40x5040", "npe_i=4,npe_j=4", 16);
	int n_asked = 0;
	const struct progress stop = {stop_at_the_third, &n_asked};
	RELEASED(config_space) space;
	RELEASED(groups) it;
	struct group g;
	bool more;
	size_t at = 0;

	must(config_space_init(&space, &q, &err));
	q.progress = &stop;
	must(groups_init(&it, &space, false, &err));
	must(groups_next(&it, &g, &more, &err));
	assert_true(more);
	/* the rows of one group again and again: a poll comes every few thousand of them */
	for (int i = 0; i < 100 && !space.stopped; i++) {
		at = 0;
		while (group_rows(&g, &at, rows, 1) > 0)
			;
	}
	assert_true(space.stopped);
	assert_int_equal(groups_next(&it, &g, &more, &err), ERR_INTERRUPTED);
}

TEST_GROUP(world_set_up, world_tear_down)
