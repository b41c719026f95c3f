#include "tests/support/check.h"

/* More than any file has. */
#define MAX_TESTS 128

static struct CMUnitTest tests[MAX_TESTS];
static int line_of[MAX_TESTS];
static size_t n_tests;
static CMFixtureFunction group_set_up, group_tear_down;

/* Compilers need not keep the order of constructors. */
void test_add(const struct CMUnitTest *test, int line)
{
	size_t i = n_tests++;

	if (i == MAX_TESTS)
		abort();
	for (; i > 0 && line_of[i - 1] > line; i--) {
		tests[i] = tests[i - 1];
		line_of[i] = line_of[i - 1];
	}
	tests[i] = *test;
	line_of[i] = line;
}

void test_group(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
	group_set_up = set_up;
	group_tear_down = tear_down;
}

/* One binary, one group, one exit status: cmocka's count may wrap to 0 at 256. */
int main(void)
{
	return _cmocka_run_group_tests("tests", tests, n_tests, group_set_up, group_tear_down) != 0;
}
