#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

/* The support for tests of other rooms, tried on code that allocates in known ways. */

enum { N_TEXTS = 10 };

struct texts {
	char *text[N_TEXTS];
	size_t n;
};

/* Not known to the compiler, which would make ten places of a loop. */
static volatile size_t n_texts = N_TEXTS;

static enum err_code copy_texts(struct texts *t, struct err *e)
{
	for (t->n = 0; t->n < n_texts; t->n++) {
		if (!(t->text[t->n] = strdup("text")))
			return err_set(e, ERR_NOMEM, "text %zu", t->n);
	}
	return ERR_OK;
}

static void texts_release(struct texts *t)
{
	while (t->n > 0)
		free(t->text[--t->n]);
}

TEST(each_allocation_fails_once_and_then_none)
{
	struct texts t;
	size_t n = 0;

	failing_each_allocation (copy_texts(&t, &err), &err) {
		assert_int_equal(t.n, n++);
		texts_release(&t);
	}
	assert_int_equal(n, N_TEXTS);
	assert_int_equal(t.n, N_TEXTS);
	texts_release(&t);
}

static enum err_code copy_twice(struct texts *t, struct texts *again, struct err *e)
{
	enum err_code rc;

	*again = (struct texts){0};
	if ((rc = copy_texts(t, e)))
		return rc;
	return copy_texts(again, e);
}

static size_t failures_of_sample(const char *seed)
{
	struct texts t, again;
	size_t n = 0;

	assert_int_equal(setenv("FAULT_SEED", seed, 1), 0);
	failing_each_place (copy_twice(&t, &again, &err), &err) {
		texts_release(&t);
		texts_release(&again);
		n++;
	}
	texts_release(&t);
	texts_release(&again);
	return n;
}

/* Of both places up to two failures each, one in all at least; the sanitizers see all four. */
TEST(a_seed_draws_what_fails)
{
	size_t least = 4, most = 0;

	assert_int_equal(unsetenv("POINTS"), 0);
	for (int i = 0; i < 100; i++) {
		char seed[8];
		size_t n;

		snprintf(seed, sizeof seed, "%d", i);
		n = failures_of_sample(seed);
		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	assert_in_range(least, 1, 4);
	assert_in_range(most, least == 4 ? 4 : least + 1, 4);
}

TEST(of_one_place_the_first_two_fail)
{
	/* Each loop is a place: texts 0 and 1 of the first, then of the second. */
	static const size_t want[][2] = {{0, 0}, {1, 0}, {N_TEXTS, 0}, {N_TEXTS, 1}};
	struct texts t, again;
	size_t n = 0;

	assert_int_equal(setenv("POINTS", "every", 1), 0);
	failing_each_place (copy_twice(&t, &again, &err), &err) {
		assert_true(n < 4);
		assert_int_equal(t.n, want[n][0]);
		assert_int_equal(again.n, want[n][1]);
		texts_release(&t);
		texts_release(&again);
		n++;
	}
	assert_int_equal(n, 4);
	texts_release(&t);
	texts_release(&again);
}

/* From two lines and so two places, below which the stacks look alike. */
static enum err_code copy_by_turns(struct texts *t, size_t i, struct err *e)
{
	enum err_code rc;

	if (i % 2)
		return copy_texts(t, e);
	rc = copy_texts(t, e);
	n_texts = N_TEXTS; /* or the compiler makes one call of both */
	return rc;
}

TEST(calls_that_take_turns_are_two_places)
{
	struct texts t;
	size_t n = 0, i = 0;

	assert_int_equal(setenv("POINTS", "every", 1), 0);
	failing_each_place (copy_by_turns(&t, i++, &err), &err) {
		assert_int_equal(t.n, n / 2);
		texts_release(&t);
		n++;
	}
	assert_int_equal(n, 4);
	texts_release(&t);
}

TEST(an_allocation_fails_by_hand_and_only_between_start_and_stop)
{
	static void *volatile p[3]; /* seen by others: the compiler may not leave them out */

	failing_allocation_start(2);
	p[0] = malloc(1);
	p[1] = calloc(1, 1);
	p[2] = realloc(NULL, 1);
	assert_true(failing_allocation_stop());
	assert_non_null(p[0]);
	assert_null(p[1]);
	assert_non_null(p[2]);
	free(p[0]);
	free(p[2]);
	failing_allocation_start(1);
	assert_false(failing_allocation_stop());
	p[0] = malloc(1);
	assert_non_null(p[0]);
	free(p[0]);
}
