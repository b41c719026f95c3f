#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/cases/slowdown_table.h"

FREEABLE(slowdown_table)

struct world {
	struct dataset *runs;
	struct slowdown_table *t;
};

/* n_cases problems with n_per_case block sizes each. */
static void world_open(struct world *w, int n_cases, int n_per_case)
{
	w->runs = dataset_new(app);
	for (int i = 0; i < n_cases * n_per_case; i++) {
		int problem = i / n_per_case, choice = i % n_per_case;

		qr_add(w->runs, (struct qr){1000 + problem, 500, 1 + choice, 0, 4}, 1 + choice);
	}
	must(slowdown_table_make(w->runs, NULL, &w->t, &err));
	assert_int_equal(w->t->n, n_cases * n_per_case);
}

static void world_release(struct world *w)
{
	slowdown_table_free(w->t);
	dataset_free(w->runs);
}

static struct slowdown_table *sample(const struct world *w, const unsigned char *fold,
				     unsigned which, size_t most)
{
	struct slowdown_table *out = NULL;

	must(sample_fold(w->t, fold, which, most, &out, &err));
	return out;
}

TEST(no_more_than_wanted_are_all_taken)
{
	RELEASED(world) w;
	FREED(slowdown_table) *s;

	world_open(&w, 10, 4);
	s = sample(&w, NULL, 0, 40);
	assert_int_equal(s->n, 40);
}

/* 200 cases of 4 where 400 configurations are wanted: about 100 whole ones, within four standard
 * errors of a fair coin, sqrt(200) / 2; the same again. */
TEST(of_many_cases_whole_ones_are_taken)
{
	unsigned n_of[200] = {0}, n_taken = 0;
	RELEASED(world) w;
	FREED(slowdown_table) *s, *again;

	world_open(&w, 200, 4);
	s = sample(&w, NULL, 0, 400);
	again = sample(&w, NULL, 0, 400);
	for (size_t i = 0; i < s->n; i++)
		n_of[s->stratum[i]]++;
	for (int c = 0; c < 200; c++) {
		assert_true(n_of[c] == 0 || n_of[c] == 4);
		n_taken += n_of[c] > 0;
	}
	assert_in_range(n_taken, 100 - 28, 100 + 28);
	assert_int_equal(s->n, again->n);
	assert_memory_equal(s->first_run, again->first_run, s->n * sizeof *s->first_run);
}

/* 99 cases of 8 are too few to choose among: half of the configurations, parts of cases. With 100
 * they are whole. */
TEST(of_few_cases_parts_are_taken)
{
	for (int n_cases = 99; n_cases <= 100; n_cases++) {
		unsigned n_of[100] = {0}, n_in_part = 0;
		size_t half = (size_t)n_cases * 4;
		RELEASED(world) w;
		FREED(slowdown_table) *s;

		world_open(&w, n_cases, 8);
		s = sample(&w, NULL, 0, half);
		for (size_t i = 0; i < s->n; i++)
			n_of[s->stratum[i]]++;
		for (int c = 0; c < n_cases; c++)
			n_in_part += n_of[c] > 0 && n_of[c] < 8;
		if (n_cases == 99) {
			assert_in_range(s->n, half - 57, half + 57); /* sqrt(792) / 2 each */
			assert_true(n_in_part > 50);
		} else {
			assert_int_equal(n_in_part, 0);
		}
	}
}

/* Blocks of fold 1 alone, and of these about as many as are wanted of them. */
TEST(only_blocks_of_the_fold_are_taken)
{
	unsigned char fold[200];
	RELEASED(world) w;
	struct slowdown_table *s;

	world_open(&w, 200, 4);
	assert_int_equal(w.t->n_blocks, 200);
	for (int b = 0; b < 200; b++)
		fold[b] = b % 4 == 1;
	s = sample(&w, fold, 1, 200);
	assert_int_equal(s->n, 200);
	for (size_t i = 0; i < s->n; i++)
		assert_int_equal(fold[s->block[i]], 1);
	slowdown_table_free(s);
	s = sample(&w, fold, 1, 100);
	assert_in_range(s->n, 100 - 56, 100 + 56); /* four standard errors of 50 cases of 4 */
	for (size_t i = 0; i < s->n; i++)
		assert_int_equal(fold[s->block[i]], 1);
	slowdown_table_free(s);
	s = sample(&w, fold, 2, 100); /* there is none of it */
	assert_int_equal(s->n, 0);
	slowdown_table_free(s);
}

TEST(no_sample_without_memory)
{
	FREED(slowdown_table) *s = NULL;
	RELEASED(world) w;

	world_open(&w, 5, 4);
	failing_each_allocation (sample_fold(w.t, NULL, 0, 10, &s, &err), &err)
		assert_null(s);
}

TEST_GROUP(qr_set_up, qr_tear_down)
