#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/made_application.h"
#include "tests/support/shared_app.h"

#include "mining/rules/setting_tree.h"

/* Cases made by hand: two columns that are known before choosing, `size` (its bins are ordered) and
 * `kind` (levels), and one to choose, mk. Without noise, what a split saves is a short sum. */

enum { MOST = 256, MOST_COLUMNS = 8, N_MK = 3 };

static size_t size, kind, mk;
static double low[256];
static struct column_bins bins[MOST_COLUMNS];
static enum column_use use[MOST_COLUMNS];
static unsigned char row[MOST][MOST_COLUMNS], code[MOST * MOST_COLUMNS];
static double log_slowdown[MOST];
static uint32_t stratum[MOST], block[MOST];
static struct slowdown_table table;

static int make_application(void **state)
{
	app = made_application("planted", "size,kind", "mk", "", "procs");
	size = application_column(app, "size");
	kind = application_column(app, "kind");
	mk = application_column(app, "mk");
	assert_true(app->n_columns <= MOST_COLUMNS);
	for (size_t b = 0; b < 256; b++)
		low[b] = (double)b;
	return 0;
}

static int set_up(void **state)
{
	table = (struct slowdown_table){.app = app,
					.n_columns = app->n_columns,
					.bins = bins,
					.code = code,
					.use = use,
					.log_slowdown = log_slowdown,
					.stratum = stratum,
					.block = block};
	for (size_t c = 0; c < MOST_COLUMNS; c++) {
		use[c] = USE_NONE;
		bins[c] = (struct column_bins){.exact = true, .low = low, .high = low};
	}
	use[size] = use[kind] = USE_CONTEXT;
	use[mk] = USE_CHOICE;
	bins[size].n = 6;
	bins[size].ordered = bins[mk].ordered = true;
	bins[kind].n = 4;
	bins[mk].n = N_MK;
	return 0;
}

/* A case with the log slow-down of each mk, in a block. */
static void add_in(unsigned its_size, unsigned its_kind, const double slow[N_MK],
		   uint32_t its_block)
{
	for (unsigned m = 0; m < N_MK; m++) {
		assert_true(table.n < MOST);
		row[table.n][size] = (unsigned char)its_size;
		row[table.n][kind] = (unsigned char)its_kind;
		row[table.n][mk] = (unsigned char)m;
		log_slowdown[table.n] = slow[m];
		stratum[table.n] = (uint32_t)table.n_strata;
		block[table.n++] = its_block;
	}
	table.n_strata++;
	if (its_block >= table.n_blocks)
		table.n_blocks = its_block + 1;
}

/* In a block of its own. */
static void add(unsigned its_size, unsigned its_kind, const double slow[N_MK])
{
	add_in(its_size, its_kind, slow, (uint32_t)table.n_blocks);
}

static struct setting_cases gather(void)
{
	struct setting_cases s;

	for (size_t c = 0; c < app->n_columns; c++) {
		for (size_t i = 0; i < table.n; i++)
			code[c * table.n + i] = row[i][c];
	}
	must(setting_cases_make(&table, 100, 1000, &s, &err));
	assert_int_equal(s.n_cases, table.n_strata);
	return s;
}

static enum err_code learn_from(const struct setting_cases *s, struct setting_tree *out,
				struct err *e)
{
	uint32_t which[MOST];

	for (size_t c = 0; c < s->n_cases; c++)
		which[c] = (uint32_t)c;
	return setting_tree_learn(s, which, s->n_cases, out, e);
}

static struct setting_tree learn(void)
{
	RELEASED(setting_cases) s = gather();
	struct setting_tree tree;

	must(learn_from(&s, &tree, &err));
	return tree;
}

static void check_range(const struct bin_condition *c, size_t column, unsigned lo, unsigned hi)
{
	assert_int_equal(c->column, column);
	assert_false(c->is_set);
	assert_int_equal(c->lo, lo);
	assert_int_equal(c->hi, hi);
}

static void check_levels(const struct bin_condition *c, uint64_t set)
{
	assert_int_equal(c->column, kind);
	assert_true(c->is_set);
	assert_int_equal(c->set[0], set);
	assert_int_equal(c->set[1] | c->set[2] | c->set[3], 0);
}

/* The setting of a node is that value of mk. */
static void check_mk(const struct setting_node *node, unsigned value)
{
	assert_int_equal(node->setting.n, 1);
	check_range(node->setting.of, mk, value, value);
}

/* mk 0, 1 or 2 takes 0.4 less than the others. */
static const double first[] = {0, 0.4, 0.4}, second[] = {0.4, 0, 0.4}, third[] = {0.4, 0.4, 0};

#define IN_FIXTURE(name) TEST_WITH(name, set_up, NULL)

IN_FIXTURE(small_and_large_have_settings_of_their_own)
{
	struct setting_tree tree;

	for (int i = 0; i < 6; i++) {
		add(1, 0, first);
		add(4, 0, second);
	}
	tree = learn();
	assert_true(tree.node[0].split);
	assert_int_equal(tree.node[0].where.n, 0);
	/* what was not seen between them belongs to the large ones */
	assert_int_equal(tree.node[1].where.n, 1);
	check_range(tree.node[1].where.of, size, 0, 1);
	check_range(tree.node[2].where.of, size, 2, 5);
	check_mk(&tree.node[1], 0);
	check_mk(&tree.node[2], 1);
	assert_false(tree.node[1].split || tree.node[2].split);
	assert_int_equal(setting_tree_depth(&tree), 1);
}

IN_FIXTURE(the_same_setting_everywhere_is_not_split)
{
	struct setting_tree tree;

	for (int i = 0; i < 6; i++) {
		add(1, 0, first);
		add(4, 1, first);
	}
	tree = learn();
	check_mk(&tree.node[0], 0);
	assert_false(tree.node[0].split);
	assert_int_equal(setting_tree_depth(&tree), 0);
}

/* A level against all others, in the order of the levels. */
IN_FIXTURE(a_level_is_told_from_the_others)
{
	struct setting_tree tree;

	for (int i = 0; i < 5; i++) {
		add(1, 0, first);
		add(1, 2, second);
		add(1, 3, first);
	}
	tree = learn();
	assert_true(tree.node[0].split);
	check_levels(tree.node[1].where.of, 1 << 2);
	check_levels(tree.node[2].where.of, 1 << 0 | 1 << 3);
	check_mk(&tree.node[1], 1);
	check_mk(&tree.node[2], 0);
}

/* Large ones differ by kind. */
IN_FIXTURE(a_side_is_split_again)
{
	struct setting_tree tree;

	for (int i = 0; i < 6; i++) {
		add(1, i % 2 ? 0 : 3, first);
		add(4, 0, second);
		add(4, 3, third);
	}
	tree = learn();
	assert_int_equal(setting_tree_depth(&tree), 2);
	assert_true(tree.node[0].split && tree.node[2].split && !tree.node[1].split);
	check_range(tree.node[1].where.of, size, 0, 1);
	assert_int_equal(tree.node[5].where.n, 2);
	check_range(&tree.node[5].where.of[0], size, 2, 5);
	check_levels(&tree.node[5].where.of[1], 1 << 0);
	check_levels(&tree.node[6].where.of[1], 1 << 3);
	check_mk(&tree.node[1], 0);
	check_mk(&tree.node[5], 1);
	check_mk(&tree.node[6], 2);
}

/* n small cases in so many blocks among six large ones. */
static bool small_ones_split(unsigned n, unsigned n_blocks)
{
	set_up(NULL);
	for (unsigned i = 0; i < n; i++)
		add_in(1, 0, first, i % n_blocks);
	for (unsigned i = 0; i < 6; i++)
		add_in(4, 0, second, 10 + i);
	return learn().node[0].split;
}

static bool large_ones_split(unsigned n, unsigned n_blocks)
{
	set_up(NULL);
	for (unsigned i = 0; i < n; i++)
		add_in(4, 0, first, i % n_blocks);
	for (unsigned i = 0; i < 6; i++)
		add_in(1, 0, second, 10 + i);
	return learn().node[0].split;
}

/* Five cases from three blocks, on either side. */
IN_FIXTURE(a_side_has_cases_and_blocks_enough)
{
	assert_true(small_ones_split(5, 5));
	assert_false(small_ones_split(4, 4));
	assert_true(small_ones_split(6, 3));
	assert_false(small_ones_split(6, 2));
	assert_true(large_ones_split(5, 3));
	assert_false(large_ones_split(4, 3));
	assert_false(large_ones_split(6, 2));
}

/* One setting for all saves 0.2 in the small half and 0.2 - loss in the other; two save 0.2. */
static bool half_as_much_is_worth_it(double loss)
{
	const double nearly[] = {loss, 0, 0.6 - loss}, all[] = {0, 0.3, 0.3};

	set_up(NULL);
	for (int i = 0; i < 6; i++) {
		add(1, 0, all);
		add(4, 0, nearly);
	}
	return learn().node[0].split;
}

IN_FIXTURE(two_rules_save_a_hundredth_over_one)
{
	assert_true(half_as_much_is_worth_it(0.021));
	assert_false(half_as_much_is_worth_it(0.019));
}

/* Of ten cases n gain by a setting of their own, the others do not care. The mean gain is n / 10 of
 * it, its standard error sqrt(n (1 - n / 10)) / 10: two of that are less for n = 3, more for 2. */
static bool few_gain(int n)
{
	static const double all[] = {0, 0.3, 0.3}, either[] = {0, 0, 0.6}, gains[] = {0.1, 0, 0.5};

	set_up(NULL);
	for (int i = 0; i < 5; i++) {
		add(1, 0, all);
		add(4, 0, i < n ? gains : either);
	}
	return learn().node[0].split;
}

IN_FIXTURE(a_split_is_sure_by_two_standard_errors)
{
	assert_true(few_gain(5));
	assert_true(few_gain(3));
	assert_false(few_gain(2));
}

/* Sixteen sizes as often make eight groups of two. Size 4 is in a group with 5: what it gains
 * decides for both. */
IN_FIXTURE(many_values_are_split_between_groups)
{
	static const double strongly_first[] = {0, 0.8, 0.8};
	struct setting_tree tree;

	for (unsigned last = 3; last <= 5; last += 2) {
		set_up(NULL);
		bins[size].n = 16;
		for (unsigned i = 0; i < 32; i++)
			add(i / 2, 0,
			    i / 2 < 4		      ? first
			    : i / 2 == 4 && last == 5 ? strongly_first
						      : second);
		tree = learn();
		check_range(tree.node[1].where.of, size, 0, last);
		check_range(tree.node[2].where.of, size, last + 1, 15);
		check_mk(&tree.node[1], 0);
		check_mk(&tree.node[2], 1);
	}
}

/* Where eight or fewer were seen, each is a group, however few runs it has. */
IN_FIXTURE(few_values_are_groups_each)
{
	struct setting_tree tree;

	bins[size].n = 100;
	for (unsigned i = 0; i < 5; i++)
		add(7, 0, first);
	for (unsigned i = 0; i < 7; i++) {
		for (int k = 0; k < (i == 6 ? 30 : 1); k++)
			add(10 * i + 9, 0, second);
	}
	tree = learn();
	check_range(tree.node[1].where.of, size, 0, 7);
	check_range(tree.node[2].where.of, size, 8, 99);
}

/* Of ten levels the first seven are a group each, and 7, 8 and 9 together. */
IN_FIXTURE(levels_left_over_are_together)
{
	struct setting_tree tree;

	bins[kind].n = 10;
	for (unsigned i = 0; i < 20; i++)
		add(1, i / 2, i / 2 < 7 ? first : second);
	tree = learn();
	check_levels(tree.node[1].where.of, 7 << 7);
	check_levels(tree.node[2].where.of, 0x7f);

	set_up(NULL);
	bins[kind].n = 10;
	for (unsigned i = 0; i < 50; i++)
		add(1, i / 5, i / 5 == 1 ? second : first);
	tree = learn();
	check_levels(tree.node[1].where.of, 1 << 1);
	check_levels(tree.node[2].where.of, 0x3fd);
}

/* Where the size is not known there is no side; the others are split as ever. */
IN_FIXTURE(missing_values_are_on_no_side)
{
	RELEASED(setting_cases) s;
	struct setting_tree tree;

	for (int i = 0; i < 6; i++) {
		add(1, 0, first);
		add(4, 0, second);
	}
	add(BIN_MISSING, 0, first);
	s = gather();
	must(learn_from(&s, &tree, &err));
	check_range(tree.node[1].where.of, size, 0, 1);
	check_range(tree.node[2].where.of, size, 2, 5);
	assert_int_equal(setting_tree_find(&tree, 1, &s, 0), 1);
	assert_int_equal(setting_tree_find(&tree, 1, &s, 1), 2);
	assert_true(setting_tree_find(&tree, 1, &s, 12) == SIZE_MAX);
	assert_int_equal(setting_tree_find(&tree, 0, &s, 12), 0);
}

/* mk 0 saves 0.2 in each of four cases, mk 2 0.25 on average, by +-d: half of d is its standard
 * error, and what it can be trusted to save is less by that. */
static unsigned trusted_mk(double d)
{
	struct setting_tree tree;

	set_up(NULL);
	for (int i = 0; i < 4; i++) {
		double saved = 0.25 + (i % 2 ? d : -d);
		const double slow[] = {0.4, 0.8 + saved, 0.6 - saved};

		add(1, 0, slow);
	}
	tree = learn();
	assert_int_equal(tree.node[0].setting.n, 1);
	assert_int_equal(tree.node[0].setting.of[0].lo, tree.node[0].setting.of[0].hi);
	return tree.node[0].setting.of[0].lo;
}

IN_FIXTURE(a_setting_is_trusted_less_by_its_standard_error)
{
	assert_int_equal(trusted_mk(0.2), 0);
	assert_int_equal(trusted_mk(0.12), 0);
	assert_int_equal(trusted_mk(0.06), 2);
}

/* mk 1 is slower than mk 0 by so much: up to 3 % of what mk 0 saves both are named. */
static unsigned widest_mk(double slower)
{
	const double slow[] = {0, slower, 0.6};
	struct setting_tree tree;

	set_up(NULL);
	for (int i = 0; i < 4; i++)
		add(1, 0, slow);
	tree = learn();
	assert_int_equal(tree.node[0].setting.of[0].lo, 0);
	return tree.node[0].setting.of[0].hi;
}

IN_FIXTURE(of_ranges_about_as_good_the_widest_is_taken)
{
	assert_int_equal(widest_mk(0), 1);
	assert_int_equal(widest_mk(0.011), 1);
	assert_int_equal(widest_mk(0.014), 0);
}

/* It has to save a hundredth to be worth a condition. */
IN_FIXTURE(a_setting_that_saves_too_little_is_none)
{
	static const double less[] = {0, 0.0145, 0.0145}, more[] = {0, 0.0155, 0.0155};

	for (int i = 0; i < 4; i++)
		add(1, 0, less);
	assert_int_equal(learn().node[0].setting.n, 0);
	set_up(NULL);
	for (int i = 0; i < 4; i++)
		add(1, 0, more);
	assert_int_equal(learn().node[0].setting.n, 1);
}

/* A tree that is split at the root and on its second side:
 *   0: 1 (size 0..1), 2 (size 2..5): 5 (and kind 0), 6 (and kind 3) */
static struct setting_tree by_hand(void)
{
	struct setting_tree tree;

	memset(&tree, 0, sizeof tree);
	tree.node[0].split = tree.node[2].split = true;
	tree.node[1].where.n = tree.node[2].where.n = 1;
	tree.node[1].where.of[0] = (struct bin_condition){.column = size, .hi = 1};
	tree.node[2].where.of[0] = (struct bin_condition){.column = size, .lo = 2, .hi = 5};
	for (size_t k = 5; k <= 6; k++) {
		tree.node[k].where = tree.node[2].where;
		tree.node[k].where.of[1] = (struct bin_condition){
			.column = kind, .is_set = true, .set = {k == 5 ? 1 << 0 : 1 << 3}};
		tree.node[k].where.n = 2;
	}
	return tree;
}

IN_FIXTURE(a_case_belongs_to_an_end)
{
	struct setting_tree tree = by_hand();
	static const size_t want[][3] = {{0, 1, 1}, {0, 2, 5}, {0, 2, 6}, {0, 2, SIZE_MAX}};
	RELEASED(setting_cases) s;

	add(0, 3, first);
	add(2, 0, first);
	add(5, 3, first);
	add(3, 1, first);
	s = gather();
	for (size_t c = 0; c < 4; c++) {
		for (unsigned depth = 0; depth <= TREE_DEPTH; depth++)
			assert_true(setting_tree_find(&tree, depth, &s, c) == want[c][depth]);
	}
}

IN_FIXTURE(ends_are_where_the_tree_ends)
{
	static const bool want[TREE_DEPTH + 1][TREE_NODES] = {
		{true}, {false, true, true}, {false, true, false, false, false, true, true}};
	struct setting_tree tree = by_hand();

	for (unsigned depth = 0; depth <= TREE_DEPTH; depth++) {
		for (size_t at = 0; at < TREE_NODES; at++)
			assert_int_equal(setting_tree_is_end(&tree, depth, at), want[depth][at]);
	}
	assert_int_equal(setting_tree_depth(&tree), 2);
	tree.node[2].split = false;
	assert_int_equal(setting_tree_depth(&tree), 1);
	tree.node[0].split = false;
	assert_int_equal(setting_tree_depth(&tree), 0);
}

IN_FIXTURE(without_memory_nothing_is_learned)
{
	struct setting_tree tree;
	RELEASED(setting_cases) s;

	for (int i = 0; i < 6; i++) {
		add(1, 0, first);
		add(4, 0, second);
	}
	s = gather();
	memset(&tree, 0, sizeof tree);
	failing_each_allocation (learn_from(&s, &tree, &err), &err)
		assert_false(tree.node[0].split);
	assert_true(tree.node[0].split);
}

TEST_GROUP(make_application, free_app)
