#include "tests/unit/mining/qr_application.h"

#include "mining/run_index.h"

/* One run of each configuration of the QR application, in the order they are added. */
struct boxed {
	struct application *app;
	struct dataset *runs;
	struct kb_run_index x;
};

static void boxed_open(struct boxed *b)
{
	b->app = qr_application();
	b->runs = dataset_new(b->app);
}

static void boxed_make(struct boxed *b)
{
	size_t n = b->runs->n;

	b->x = (struct kb_run_index){.runs = b->runs,
				     .run = calloc(n, sizeof(uint32_t)),
				     .n_runs = calloc(n, sizeof(uint32_t)),
				     .n_configurations = n};
	assert_true(b->x.run && b->x.n_runs);
	for (uint32_t i = 0; i < n; i++) {
		b->x.run[i] = i;
		b->x.n_runs[i] = 1000 + i; /* to be moved along with its run */
	}
	must(run_index_make_boxes(&b->x, &err));
}

static void boxed_release(struct boxed *b)
{
	run_index_release(&b->x);
	dataset_free(b->runs);
	application_free(b->app);
}

static void check_node(const struct boxed *b, size_t i, int64_t number, size_t first, size_t n)
{
	assert_true(i < b->x.n_nodes);
	assert_int_equal(b->x.node[i].number, number);
	assert_int_equal(b->x.node[i].first, first);
	assert_int_equal(b->x.node[i].n, n);
}

static void check_side(const struct boxed *b, size_t i, const char *column, double lo, double hi)
{
	size_t at = i * b->runs->n_columns + application_column(b->app, column);

	check_abs(b->x.lo[at], lo, 0);
	check_abs(b->x.hi[at], hi, 0);
}

static void check_no_side(const struct boxed *b, size_t i, const char *column)
{
	size_t at = i * b->runs->n_columns + application_column(b->app, column);

	assert_true(isnan(b->x.lo[at]) && isnan(b->x.hi[at]));
}

/* m = 1 .. n in falling order, all else alike. */
static void add_line(struct boxed *b, int n)
{
	for (int i = n; i > 0; i--)
		qr_add(b->runs, (struct qr){i, 500, 16, 0, 4}, 1);
}

TEST(thirty_two_configurations_are_one_box)
{
	RELEASED(boxed) b;

	boxed_open(&b);
	add_line(&b, 32);
	boxed_make(&b);
	assert_int_equal(b.x.n_nodes, 1);
	check_node(&b, 0, 1, 0, 32);
	check_side(&b, 0, "m", 1, 32);
	check_side(&b, 0, "n", 500, 500);
	check_side(&b, 0, "procs", 4, 4);
	check_no_side(&b, 0, "layout");
	for (uint32_t i = 0; i < 32; i++)
		assert_int_equal(b.x.run[i], i);
}

/* 33 values are halved at the middle one, 17: that and what is below first. */
TEST(one_more_is_halved_at_the_middle_value)
{
	RELEASED(boxed) b;

	boxed_open(&b);
	add_line(&b, 33);
	boxed_make(&b);
	assert_int_equal(b.x.n_nodes, 3);
	check_node(&b, 0, 1, 0, 0);
	check_node(&b, 1, 2, 0, 17);
	check_node(&b, 2, 3, 17, 16);
	check_side(&b, 0, "m", 1, 33);
	check_side(&b, 1, "m", 1, 17);
	check_side(&b, 2, "m", 18, 33);
	for (size_t i = 0; i < 33; i++) {
		double m = dataset_row(b.runs, b.x.run[i])[application_column(b.app, "m")];

		assert_true(i < 17 ? m <= 17 : m > 17);
		assert_int_equal(b.x.n_runs[i], 1000 + b.x.run[i]);
	}
}

/* 100 in halves of 50, 50 of 25, 25: nodes in depth, 1 2 4 5 3 6 7. */
TEST(boxes_stand_before_their_halves)
{
	static const int64_t number[] = {1, 2, 4, 5, 3, 6, 7};
	static const size_t first[] = {0, 0, 0, 25, 50, 50, 75}, n[] = {0, 0, 25, 25, 0, 25, 25};
	RELEASED(boxed) b;

	boxed_open(&b);
	add_line(&b, 100);
	boxed_make(&b);
	assert_int_equal(b.x.n_nodes, 7);
	for (size_t i = 0; i < 7; i++)
		check_node(&b, i, number[i], first[i], n[i]);
	check_side(&b, 2, "m", 1, 25);
	check_side(&b, 6, "m", 76, 100);
}

/* 40 configurations from (m, n) = (m0, n0) to (m1, n1) along a line: the side that was cut is the
 * one that the first half does not reach the end of. Both are 0 .. 1 in steps of 1/39. */
static void cut(struct boxed *b, double m0, double m1, double n0, double n1)
{
	boxed_open(b);
	for (int i = 0; i < 40; i++) {
		int k = 7 * i % 40; /* n goes another way than m */

		qr_add(b->runs,
		       (struct qr){m0 + (m1 - m0) * i / 39, n0 + (n1 - n0) * k / 39, 16, 0, 4}, 1);
	}
	boxed_make(b);
	assert_int_equal(b->x.n_nodes, 3);
}

/* 1000 to 2000 is a factor of two, 1 to 3 one of three, though shorter in itself. */
TEST(the_longest_side_is_that_of_the_largest_ratio)
{
	struct boxed b;

	cut(&b, 1000, 2000, 1, 3);
	check_side(&b, 1, "n", 1, 1 + 2 * 19.0 / 39);
	boxed_release(&b);
	cut(&b, 1000, 3500, 1, 3);
	check_side(&b, 1, "m", 1000, 1000 + 2500 * 19.0 / 39);
	boxed_release(&b);
}

/* 0 to 1000 counts as 1 to 2: longer than 100 to 190, shorter than 100 to 210; so does -1 to 1. */
TEST(a_side_that_begins_at_zero_or_below_counts_as_a_factor_of_two)
{
	struct boxed b;

	cut(&b, 0, 1000, 100, 190);
	check_side(&b, 1, "m", 0, 1000 * 19.0 / 39);
	boxed_release(&b);
	cut(&b, 0, 1000, 100, 210);
	check_side(&b, 1, "n", 100, 100 + 110 * 19.0 / 39);
	boxed_release(&b);
	cut(&b, 100, 190, -1, 1);
	check_side(&b, 1, "n", -1, -1 + 2 * 19.0 / 39);
	boxed_release(&b);
}

/* All but three have m = 100, so the middle value is the largest: the cut goes below it, behind the
 * largest of the others. Their n are within a factor of 1.1. */
TEST(where_most_have_the_largest_value_the_others_are_cut_off)
{
	static const double few[] = {3, 9, 5};
	RELEASED(boxed) b;

	boxed_open(&b);
	for (int i = 0; i < 35; i++)
		qr_add(b.runs, (struct qr){i % 10 == 5 ? few[i / 10 % 3] : 100, 500 + i, 16, 0, 4},
		       1);
	boxed_make(&b);
	check_node(&b, 1, 2, 0, 3);
	check_side(&b, 1, "m", 3, 9);
	check_side(&b, 2, "m", 100, 100);
}

/* n, 1 and 1000, is cut first. Where it is 1, only m is left to be cut, else only b. */
TEST(each_half_is_cut_along_its_own_longest_side)
{
	static const int64_t number[] = {1, 2, 4, 5, 3, 6, 7};
	RELEASED(boxed) b;

	boxed_open(&b);
	for (int i = 0; i < 40; i++) {
		qr_add(b.runs, (struct qr){100, 1000, 1 + i, 0, 4}, 1);
		qr_add(b.runs, (struct qr){100 + i, 1, 16, 0, 4}, 1);
	}
	boxed_make(&b);
	assert_int_equal(b.x.n_nodes, 7);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(b.x.node[i].number, number[i]);
	check_side(&b, 1, "n", 1, 1);
	check_side(&b, 2, "m", 100, 119);
	check_side(&b, 3, "m", 120, 139);
	check_side(&b, 5, "b", 1, 20);
	check_side(&b, 6, "b", 21, 40);
}

/* 510 values 1 .. 510: every second of them is looked at, 1, 3, ..., 509, of which the middle one
 * is the 128th, 255. Of 512 in the same way 1 + floor(127 * 512 / 255) = 255 again; and of 254 all.
 */
TEST(the_middle_of_many_is_that_of_255_of_them)
{
	static const struct {
		int n;
		double half;
	} want[] = {{510, 255}, {512, 255}, {254, 127}};

	for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
		RELEASED(boxed) b;

		boxed_open(&b);
		for (int i = 0; i < want[k].n; i++)
			qr_add(b.runs, (struct qr){i + 1, 500, 16, 0, 4}, 1);
		boxed_make(&b);
		check_side(&b, 0, "m", 1, want[k].n);
		assert_int_equal(b.x.node[1].number, 2);
		check_side(&b, 1, "m", 1, want[k].half);
	}
}

/* Text has no sides, nor has a column that one of them lacks. */
TEST(what_cannot_be_measured_stays_in_one_large_box)
{
	RELEASED(boxed) b;

	boxed_open(&b);
	for (int i = 0; i < 40; i++)
		qr_add(b.runs, (struct qr){i == 20 ? (double)NAN : 1 + i, 500, 16, i % 3, 4}, 1);
	boxed_make(&b);
	assert_int_equal(b.x.n_nodes, 1);
	check_node(&b, 0, 1, 0, 40);
	check_no_side(&b, 0, "m");
	check_no_side(&b, 0, "layout");
}
