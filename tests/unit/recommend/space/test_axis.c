#include "tests/support/made_runs.h"
#include "tests/support/shared_app.h"
#include "tests/unit/recommend/world.h"

#include "recommend/space/axis.h"

static const char definition[] =
	"application = { name = \"a\";\n"
	"  problem = ( { name = \"n\"; min = 1; } );\n"
	"  tunables = ( { name = \"d\"; min = 2; max = 50; candidates = \"divisors\"; of = \"n\"; "
	"},\n"
	"               { name = \"r\"; min = 3; candidates = \"range\"; of = \"n\"; },\n"
	"               { name = \"l\"; candidates = \"list\"; list = [ 8, 2, 2, 4 ]; },\n"
	"               { name = \"s\"; }, { name = \"t\"; } );\n"
	"  resources = ( { name = \"nodes\"; min = 1; } );\n"
	"  target = { name = \"time\"; unit = \"s\"; }; };\n";

enum { N_COLUMNS = 7 };

static int set_up(void **state)
{
	must(application_parse(definition, "test", &app, &err));
	return 0;
}

static size_t column(const char *name)
{
	return application_column(app, name);
}

static void fill(struct axis *a, const char *name, double n, double most)
{
	double row[N_COLUMNS];
	size_t c = column(name);

	configuration_clear(app, row);
	row[column("n")] = n;
	must(axis_init(a, &c, 1, &err));
	must(axis_fill(a, app, row, most, &err));
}

static void check_values(struct axis *a, const double *want, size_t n)
{
	assert_int_equal(a->n, n);
	for (size_t i = 0; i < n; i++)
		check_abs(a->value[i], want[i], 0);
	axis_release(a);
}

/* 255 = 3 * 5 * 17; 1 is below min, 51, 85 and 255 above max */
TEST(divisors_ascend_between_min_and_max)
{
	struct axis a;

	fill(&a, "d", 255, INFINITY);
	check_values(&a, (double[]){3, 5, 15, 17}, 4);
	fill(&a, "d", 36, INFINITY); /* the square root once */
	check_values(&a, (double[]){2, 3, 4, 6, 9, 12, 18, 36}, 8);
	fill(&a, "d", 7.5, INFINITY);
	check_values(&a, NULL, 0);
}

/* 2^53 = 2 * ... * 2, the largest whole number that a double counts to; and what has
 * no small factors. */
TEST(divisors_of_the_largest_numbers_are_found_at_once)
{
	struct axis a;

	fill(&a, "d", 0x1p53, INFINITY);
	check_values(&a, (double[]){2, 4, 8, 16, 32}, 5);
	fill(&a, "d", 0x1p53 - 111, INFINITY); /* the largest prime below */
	check_values(&a, NULL, 0);
	fill(&a, "d", 94906249.0 * 94906249.0, INFINITY); /* the square of a prime */
	check_values(&a, NULL, 0);
	fill(&a, "d", 7.0 * 7 * 1000003 * 1000003, INFINITY);
	check_values(&a, (double[]){7, 49}, 2);
	fill(&a, "d", 0x1p54, INFINITY); /* not every whole number up there is a double */
	check_values(&a, NULL, 0);
}

TEST(a_range_ends_at_its_column_or_the_limit)
{
	struct axis a;

	fill(&a, "r", 5, INFINITY);
	check_values(&a, (double[]){3, 4, 5}, 3);
	fill(&a, "r", 5, 4);
	check_values(&a, (double[]){3, 4}, 2);
	fill(&a, "r", 2, INFINITY);
	check_values(&a, NULL, 0);
}

TEST(a_range_without_end_is_refused)
{
	double row[N_COLUMNS];
	size_t c = column("r");
	RELEASED(axis) a;

	configuration_clear(app, row);
	must(axis_init(&a, &c, 1, &err));
	must_fail(axis_fill(&a, app, row, INFINITY, &err), ERR_ARG, "the range of r has no end");
}

TEST(a_range_too_long_to_list_is_refused_at_once)
{
	double row[N_COLUMNS];
	size_t c = column("r");
	RELEASED(axis) a;

	configuration_clear(app, row);
	row[column("n")] = 5e6;
	must(axis_init(&a, &c, 1, &err));
	must_fail(axis_fill(&a, app, row, INFINITY, &err), ERR_ARG,
		  "r may be any of 4999998 numbers");
	assert_int_equal(a.cap, 0); /* nothing was listed first */
}

TEST(a_list_is_sorted_and_each_value_comes_once)
{
	struct axis a;

	fill(&a, "l", 1, INFINITY);
	check_values(&a, (double[]){2, 4, 8}, 3);
}

/* s, t, nodes of five runs; the last failed */
static struct dataset *seen_runs(void)
{
	static const double seen[][3] = {{2, 1, 4}, {1, 9, 4}, {2, 1, 4}, {1, 5, 8}, {7, 7, 7}};
	struct dataset *runs = dataset_new(app);

	assert_non_null(runs);
	for (int i = 0; i < 5; i++) {
		double row[N_COLUMNS];

		configuration_clear(app, row);
		row[column("s")] = seen[i][0];
		row[column("t")] = seen[i][1];
		row[column("nodes")] = seen[i][2];
		runs_add_as(runs, row, 1, SOURCE_MEASURED, i < 4 ? RUN_OK : RUN_FAILED);
	}
	return runs;
}

static void fill_seen(struct axis *a, const struct dataset *runs, double nodes)
{
	size_t c[] = {column("s"), column("t")};
	double given[N_COLUMNS];
	bool agree[N_COLUMNS] = {false};

	configuration_clear(app, given);
	given[column("nodes")] = nodes;
	agree[column("nodes")] = !isnan(nodes);
	must(axis_init(a, c, 2, &err));
	must(axis_fill_seen(a, runs, given, agree, &err));
}

TEST(combinations_of_good_runs_are_sorted_and_come_once)
{
	FREED(dataset) *runs = seen_runs();
	RELEASED(axis) a;

	fill_seen(&a, runs, NAN);
	assert_int_equal(a.n, 3);
	assert_memory_equal(a.value, ((double[]){1, 5, 1, 9, 2, 1}), 6 * sizeof *a.value);
}

TEST(a_fixed_value_selects_runs_unless_none_has_it)
{
	FREED(dataset) *runs = seen_runs();
	struct axis a;

	fill_seen(&a, runs, 4);
	assert_int_equal(a.n, 2);
	assert_memory_equal(a.value, ((double[]){1, 9, 2, 1}), 4 * sizeof *a.value);
	axis_release(&a);
	fill_seen(&a, runs, 5);
	assert_int_equal(a.n, 3);
	axis_release(&a);
}

TEST(candidates_replace_those_there_were)
{
	struct dataset *runs = seen_runs();
	double given[N_COLUMNS], row[N_COLUMNS];
	bool agree[N_COLUMNS] = {false};
	struct axis a;

	fill_seen(&a, runs, 4);
	configuration_clear(app, given);
	must(axis_fill_seen(&a, runs, given, agree, &err));
	assert_int_equal(a.n, 3);
	axis_release(&a);
	dataset_free(runs);

	fill(&a, "l", 1, INFINITY);
	configuration_clear(app, row);
	must(axis_fill(&a, app, row, 4, &err));
	check_values(&a, (double[]){2, 4}, 2);
}

TEST(a_neighbour_differs_in_one_column)
{
	FREED(dataset) *runs = seen_runs();
	double row[N_COLUMNS];
	RELEASED(axis) a;

	fill_seen(&a, runs, NAN); /* (1, 5) (1, 9) (2, 1) */
	configuration_clear(app, row);
	axis_put(&a, 0, row);
	check_abs(axis_neighbour(&a, row, column("t"), true), 9, 0);
	assert_true(isnan(axis_neighbour(&a, row, column("t"), false)));
	assert_true(isnan(axis_neighbour(&a, row, column("s"), true)));
}

/* ---- more than are searched ---- */

static const char *const coupled =
	"application = { name = \"c\";\n"
	"  problem = ( { name = \"n\"; min = 1; } );\n"
	"  tunables = ( { name = \"a\"; min = 1; max = 100; candidates = \"range\"; },\n"
	"               { name = \"b\"; min = 1; max = 100; candidates = \"range\"; } );\n"
	"  resources = ( { name = \"nodes\"; min = 1; } );\n"
	"  legality = ( { rule = \"%s\"; why = \"it has to fit\"; } );\n"
	"  target = { name = \"time\"; unit = \"s\"; }; };\n";

/* List a and b, at most `most`, as (a, b). *n_legal, *n_searched: what the tunings say of it. */
static void list_tunings(const char *rule, size_t most, struct axis *out, size_t *n_legal,
			 size_t *n_searched)
{
	enum layer of[N_COLUMNS] = {LAYER_GIVEN};
	FREED(application) *toy;
	RELEASED(partial_evaluation) layers;
	const struct legality *refusal = NULL;
	RELEASED(tunings) t;
	struct axis *axis = zeroed(2, sizeof *axis);
	double row[N_COLUMNS];
	char text[1000];

	snprintf(text, sizeof text, coupled, rule);
	must(application_parse(text, "test", &toy, &err));
	of[application_column(toy, "nodes")] = LAYER_GROUP;
	of[application_column(toy, "a")] = of[application_column(toy, "b")] = LAYER_TUNING;
	must(partial_evaluation_init(&layers, toy, of, &err));
	for (size_t i = 0; i < 2; i++) {
		size_t c = application_column(toy, i == 0 ? "a" : "b");

		must(axis_init(&axis[i], &c, 1, &err));
	}
	configuration_clear(toy, row);
	must(tunings_init(&t, &layers, NULL, axis, 2, most, &err));
	must(tunings_list(&t, row, &refusal, &err));
	*n_legal = t.n_legal;
	*n_searched = t.n_searched;
	*out = t.list;
	t.list = (struct axis){0};
}

TEST(what_there_is_room_for_is_listed_as_it_is)
{
	size_t n_legal, n_searched;
	RELEASED(axis) list;

	list_tunings("b = 1", 100, &list, &n_legal, &n_searched);
	assert_int_equal(list.n, 100);
	assert_int_equal(n_legal, 0);
	assert_int_equal(n_searched, 0);
}

/* Powers of two and both ends; then every half power, rounded up. */
TEST(a_range_is_thinned_to_a_ladder_of_equal_ratios)
{
	static const double coarse[] = {1, 2, 4, 8, 16, 32, 64, 100};
	static const double fine[] = {1, 2, 3, 4, 6, 8, 12, 16, 23, 32, 46, 64, 91, 100};
	size_t n_legal, n_searched;
	struct axis list;

	list_tunings("b = 1", 13, &list, &n_legal, &n_searched);
	assert_int_equal(list.n, 8);
	for (size_t i = 0; i < 8; i++)
		check_abs(list.value[2 * i], coarse[i], 0);
	assert_int_equal(n_legal, 100);
	assert_int_equal(n_searched, 8);
	axis_release(&list);

	list_tunings("b = 1", 14, &list, &n_legal, &n_searched);
	assert_int_equal(list.n, 14);
	for (size_t i = 0; i < 14; i++)
		check_abs(list.value[2 * i], fine[i], 0);
	axis_release(&list);
}

/* One range gets finer before the other where both do not fit. */
TEST(ranges_take_turns_in_getting_finer)
{
	size_t n_legal, n_searched;
	RELEASED(axis) list;

	list_tunings("a > 0", 8 * 14, &list, &n_legal, &n_searched);
	assert_int_equal(list.n, 8 * 14);
	assert_int_equal(n_legal, 10000);
}

/* a + b = 100 is on the ladders of both for few combinations only. */
TEST(what_rules_couple_is_thinned_evenly)
{
	size_t n_legal, n_searched;
	RELEASED(axis) list;

	list_tunings("a + b = 100", 50, &list, &n_legal, &n_searched);
	assert_int_equal(n_legal, 99);
	assert_in_range(list.n, 25, 50);
	for (size_t i = 0; i < list.n; i++) {
		check_abs(list.value[2 * i] + list.value[2 * i + 1], 100, 0);
		assert_true(i == 0 || list.value[2 * i] > list.value[2 * i - 2]);
	}
}

TEST_GROUP(set_up, free_app)
