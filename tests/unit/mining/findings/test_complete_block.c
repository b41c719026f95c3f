#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include "mining/findings/findings_private.h"

/* Which choices are compared with which, where not all were run in all cases: cells made by hand.
 */

enum { MOST = 400 };

static struct cell_mean cell[MOST];
static struct cell_means cells;
static uint32_t n_strata;

static int set_up(void **state)
{
	cells = (struct cell_means){.cell = cell};
	n_strata = 0;
	return 0;
}

static void add(uint32_t choice, double log_time)
{
	cell[cells.n++] = (struct cell_mean){n_strata - 1, choice, log_time};
	if (choice >= cells.n_choices)
		cells.n_choices = choice + 1;
}

/* n cases in which the choices of a text were run, "013": choice k takes 1 + k / 8 plus the number
 * of the case. */
static void add_cases(size_t n, const char *choices)
{
	for (size_t i = 0; i < n; i++) {
		n_strata++;
		for (const char *c = choices; *c; c++)
			add((uint32_t)(*c - '0'), n_strata + 1 + (*c - '0') / 8.0);
	}
}

static struct complete_block find(void)
{
	struct complete_block out;

	must(complete_block_find(&cells, n_strata, &out, &err));
	return out;
}

/* The choices in a text, in their order, and how many cases they have in common. */
static void check_block(const char *want, size_t n_cases)
{
	RELEASED(complete_block) c = find();
	size_t n = 0;

	for (; want[n]; n++)
		assert_true(n < c.n && c.choice[n] == (uint32_t)(want[n] - '0'));
	assert_int_equal(c.n, n);
	assert_int_equal(c.n_cases, n_cases);
}

#define IN_FIXTURE(name) TEST_WITH(name, set_up, NULL)

/* Choices are met in the order of how many cases they have, and then of their speed. */
IN_FIXTURE(of_a_complete_design_all_are_taken)
{
	RELEASED(complete_block) c;

	add_cases(5, "012");
	check_block("012", 5);
	c = find();
	for (size_t i = 0; i < 5; i++) {
		for (size_t j = 0; j < 3; j++)
			check_abs(c.log_time[3 * i + j], (double)(i + 2) + (double)j / 8, 1e-12);
	}
}

IN_FIXTURE(fewer_than_five_common_cases_are_no_comparison)
{
	add_cases(4, "01");
	add_cases(9, "0");
	add_cases(9, "1");
	check_block("", 0);
	add_cases(1, "01");
	check_block("01", 5);
}

/* 0 was run nearly everywhere, but alone; 1 and 2 have most cases in common. */
IN_FIXTURE(the_pair_with_most_common_cases_is_first)
{
	RELEASED(complete_block) c;

	add_cases(20, "0");
	add_cases(5, "01");
	add_cases(6, "12");
	check_block("12", 6);
	c = find();
	for (size_t i = 0; i < 6; i++) {
		check_abs(c.log_time[2 * i], (double)(i + 26) + 1 + 1 / 8.0, 1e-12);
		check_abs(c.log_time[2 * i + 1], (double)(i + 26) + 1 + 2 / 8.0, 1e-12);
	}
}

/* As often together: the pair that is faster against the fastest of its cases, else the first. */
IN_FIXTURE(of_pairs_as_frequent_the_fastest_is_first)
{
	add_cases(6, "34");
	add_cases(6, "01");
	check_block("01", 6);
	set_up(NULL);
	add_cases(6, "02");
	add_cases(6, "34");
	check_block("34", 6);
}

/* A third choice may cost half of the cases: of 11, 6 are enough and 5 are not. */
IN_FIXTURE(others_join_while_half_of_the_cases_are_left)
{
	add_cases(5, "01");
	add_cases(6, "012");
	check_block("012", 6);
	set_up(NULL);
	add_cases(6, "01");
	add_cases(5, "012");
	check_block("01", 11);
	set_up(NULL);
	add_cases(2, "01"); /* never less than five */
	add_cases(4, "012");
	check_block("01", 6);
}

/* Of 2 and 3 that which leaves more cases is taken first, and of 3 and 4 with as many the faster.
 */
IN_FIXTURE(the_one_that_leaves_most_cases_joins_first)
{
	add_cases(1, "01");
	add_cases(2, "013");
	add_cases(7, "0123");
	check_block("0132", 7);
	set_up(NULL);
	add_cases(1, "01");
	add_cases(7, "0134");
	check_block("0134", 7);
}

/* Fourteen choices, two of which are too many: the slowest. */
IN_FIXTURE(no_more_than_twelve_are_compared)
{
	RELEASED(complete_block) c;

	for (int i = 0; i < 5; i++) {
		n_strata++;
		for (uint32_t k = 0; k < 14; k++)
			add(k, 20 - k);
	}
	c = find();
	assert_int_equal(c.n, COMMON_MAX_CHOICES);
	for (size_t j = 0; j < c.n; j++)
		assert_int_equal(c.choice[j], 13 - j);
}

IN_FIXTURE(without_memory_nothing_is_compared)
{
	RELEASED(complete_block) c = {.n = 0};

	add_cases(5, "012");
	failing_each_allocation (complete_block_find(&cells, n_strata, &c, &err), &err)
		assert_int_equal(c.n, 0);
	assert_int_equal(c.n, 3);
}
