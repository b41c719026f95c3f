/* What doubling does, asked of a base: of one machine, of all, of one that is not there. */
#include "tests/support/check.h"

#include <math.h>
#include <string.h>

#include "api/scaling_answer.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/scaled_base.h"

static const struct doubling_effect *effect_of(const struct scaled_base *b,
					       const struct scaling_rules *s, const char *column)
{
	for (size_t i = 0; i < s->item[0].effects.n; i++) {
		const struct doubling_effect *x = &s->item[0].effects.item[i];

		if (!strcmp(b->app->column[x->column[0]].name, column))
			return x;
	}
	fail_msg("nothing is said of %s", column);
	return NULL;
}

static void a_base_tells_what_doubling_does(void **state)
{
	struct scaled_base *b = *state;
	struct scaling_rules s = {0};
	const struct doubling_piece *nodes, *n;
	struct err e = {0};

	check_ok(scaling_rules_find(&b->session, b->app, b->app_id, NULL, 0.9, &s, &e), &e);
	assert_int_equal(s.n, 1);
	assert_string_equal(s.item[0].machine, "m");
	assert_int_equal(s.item[0].n_runs, 66);
	assert_false(s.item[0].stale);
	nodes = effect_of(b, &s, "nodes")->piece;
	n = effect_of(b, &s, "n")->piece;
	check_rel(nodes->effect, 0.5, 0.02);
	assert_true(nodes->lo <= 0.5 && nodes->hi >= 0.5 && nodes->from == 1 && nodes->to == 8);
	check_rel(n->effect, 4.0, 0.02);
	assert_true(n->from == 1000 && n->to == 4000 && n->n_pairs > 0);
	scaling_rules_release(&s);
}

static void a_machine_that_is_not_there_is_an_error(void **state)
{
	struct scaled_base *b = *state;
	struct scaling_rules s = {0};
	struct err e = {0};

	assert_int_equal(scaling_rules_find(&b->session, b->app, b->app_id, "x", 0.9, &s, &e),
			 ERR_NOTFOUND);
	assert_int_equal(s.n, 0);
}

static enum err_code count(struct scaled_base *b, size_t *n, struct err *e)
{
	struct scaling_rules s = {0};
	enum err_code rc = scaling_rules_find(&b->session, b->app, b->app_id, NULL, 0.9, &s, e);

	*n = rc ? 0 : s.item[0].effects.n;
	scaling_rules_release(&s);
	return rc;
}

static void they_are_all_there_or_there_is_an_error(void **state)
{
	size_t want = 0, got = 0;
	struct err e = {0};

	check_ok(count(*state, &want, &e), &e);
	failing_each_place_tolerated (count(*state, &got, &e), &e) {
		if (e.code == ERR_OK)
			assert_int_equal(got, want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_base_tells_what_doubling_does),
		cmocka_unit_test(a_machine_that_is_not_there_is_an_error),
		cmocka_unit_test(they_are_all_there_or_there_is_an_error),
	};

	session_init_process();
	return cmocka_run_group_tests(tests, scaled_base_setup, scaled_base_teardown);
}
