#include "tests/unit/recommend/shared_world.h"

#include "recommend/search/predict_batch.h"

/* A list as full as it gets: its room doubles with every clearing, and groups fill it. */
struct full_list {
	double row[WORLD_COLUMNS];
	struct advice_request request;
	struct config_space space;
	struct predict_batch list;
};

static void fill(struct full_list *f)
{
	struct groups it;
	struct group g;
	bool more;

	must(groups_init(&it, &f->space, false, &err));
	while (!groups_next(&it, &g, &more, &err) && more) {
		size_t next = 0;

		for (;;) {
			predict_batch_add(&f->list, &g, &next);
			if (!predict_batch_is_full(&f->list))
				break;
			if (f->list.n == PREDICT_BATCH_MAX) {
				groups_release(&it);
				return;
			}
			predict_batch_clear(&f->list);
		}
	}
	fail_msg("%zu configurations do not fill the list", f->list.n);
}

static void full_list_open(struct full_list *f)
{
	world_row(&world, f->row, "120x120x120", NULL);
	f->request = world_request(&world, f->row, NAN);
	must(config_space_init(&f->space, &f->request, &err));
	must(predict_batch_init(&f->list, world.app->n_columns, &err));
	fill(f);
}

static void full_list_release(struct full_list *f)
{
	predict_batch_release(&f->list);
	config_space_release(&f->space);
}

static bool is_same(const struct prediction *a, const struct prediction *b)
{
	return a->time_s == b->time_s && a->scale == b->scale && a->support == b->support;
}

static void ask_prediction(const void *predictor, const double *rows, size_t n,
			   struct prediction *out)
{
	predictor_predict(predictor, rows, n, out);
}

/* Of places that threads make known to each other as well. */
static struct correction_bound *corrections;

static void ask_bound(const void *predictor, const double *rows, size_t n, struct prediction *out)
{
	predictor_bound_complete(predictor, corrections, false, rows, n, out);
}

static void ask_without_doubt(const void *predictor, const double *rows, size_t n,
			      struct prediction *out)
{
	predictor_bound_epistemic(predictor, rows, n, out);
}

TEST(side_by_side_a_predictor_says_what_it_says_one_by_one)
{
	static predict_batch_question *const question[] = {ask_prediction, ask_bound,
							   ask_without_doubt};
	RELEASED(full_list) f;

	full_list_open(&f);
	must(correction_bound_new(world.predictor, &corrections, &err));
	for (int k = 0; k < 3; k++) {
		predict_batch_ask(&f.list, question[k], world.predictor);
		for (size_t i = 0; i < f.list.n; i++) {
			struct prediction alone = {.trend_sd = INFINITY};

			question[k](world.predictor, predict_batch_row(&f.list, i), 1, &alone);
			assert_true(is_same(&f.list.at[i], &alone));
		}
	}
	correction_bound_free(corrections);
}

static bool has_odd_nodes(const void *arg, double nodes, const struct prediction *at)
{
	(void)arg, (void)at;
	return fmod(nodes, 2) == 1;
}

TEST(a_filter_keeps_rows_with_what_belongs_to_them_in_their_order)
{
	static double row[PREDICT_BATCH_MAX][WORLD_COLUMNS];
	static struct prediction at[PREDICT_BATCH_MAX];
	const size_t size = world.app->n_columns * sizeof row[0][0];
	RELEASED(full_list) f;
	size_t n = 0;

	full_list_open(&f);
	predict_batch_ask(&f.list, ask_prediction, world.predictor);
	for (size_t i = 0; i < f.list.n; i++) {
		if (!has_odd_nodes(NULL, f.list.nodes[i], &f.list.at[i]))
			continue;
		memcpy(row[n], predict_batch_row(&f.list, i), size);
		at[n++] = f.list.at[i];
	}
	assert_in_range(n, 1, PREDICT_BATCH_MAX - 1);
	predict_batch_filter(&f.list, has_odd_nodes, NULL);
	assert_int_equal(f.list.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_memory_equal(predict_batch_row(&f.list, i), row[i], size);
		assert_true(is_same(&f.list.at[i], &at[i]));
		check_abs(f.list.nodes[i], world_get(&world, row[i], "nodes"), 0);
		check_abs(f.list.procs[i], world_get(&world, row[i], "procs"), 0);
	}
}

TEST(an_empty_list_is_asked_and_filtered)
{
	RELEASED(predict_batch) l;

	must(predict_batch_init(&l, world.app->n_columns, &err));
	predict_batch_ask(&l, ask_prediction, world.predictor);
	predict_batch_filter(&l, has_odd_nodes, NULL);
	assert_int_equal(l.n, 0);
}

TEST_GROUP(world_set_up, world_tear_down)
