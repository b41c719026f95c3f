#include "acquire/adaptive_state.h"

#include "acquire/adaptive.h"
#include "tests/unit/acquire/tile_questions.h"

/* What is known of the points of a space whose times are known, and what a run of one would tell.
 */

struct known {
	struct dataset *runs;
	struct fit_input in;
	struct adaptive_request q;
};

static void add_run(struct known *k, size_t point, enum run_status status, double time_s)
{
	must(dataset_add(k->runs, tiles.row + point * tiles.app->n_columns, time_s,
			 (int64_t)k->runs->n + 1, 1, SOURCE_MEASURED, status, 1, &err));
}

/* Every seventh point was run. */
static void know(struct known *k)
{
	*k = (struct known){.runs = dataset_new(tiles.app)};
	assert_non_null(k->runs);
	k->in = (struct fit_input){.runs = k->runs, .machine = &machine};
	k->q = (struct adaptive_request){.in = &k->in,
					 .row = tiles.row,
					 .n_points = TILE_POINTS,
					 .question = question,
					 .n_questions = n_questions,
					 .n_batch = 1,
					 .seed = 1};
	for (size_t i = 0; i < TILE_POINTS; i += 7)
		add_run(k, i, RUN_OK, tiles.time_s[i]);
}

static void known_release(struct known *k)
{
	dataset_free(k->runs);
}

static double variance_of(const struct adaptive_state *s, size_t c)
{
	size_t n = s->first[n_questions];

	for (size_t j = 0; j < n; j++) {
		if (s->alternative[j] == s->candidate[c])
			return s->covariance[c * n + j];
	}
	return NAN;
}

TEST(points_are_run_failed_under_way_barred_or_left)
{
	RELEASED(known) k;
	RELEASED(adaptive_state) s = {0};
	unsigned char runnable[TILE_POINTS], pending[TILE_POINTS] = {0};
	size_t n_ran = (TILE_POINTS + 6) / 7;

	know(&k);
	memset(runnable, 1, sizeof runnable);
	add_run(&k, 1, RUN_FAILED, (double)NAN);
	add_run(&k, 7, RUN_FAILED, (double)NAN); /* another run of it was finished */
	runnable[0] = 0;			 /* was run: that counts */
	runnable[2] = runnable[3] = 0;
	pending[3] = pending[4] = 1;
	k.q.runnable = runnable;
	k.q.pending = pending;
	must(adaptive_state_init(&s, &k.q, &err));
	assert_true(s.taken[0] && s.taken[1] && s.taken[3] && s.taken[4] && s.taken[7]);
	assert_false(s.taken[2] || s.taken[5]);
	assert_true(s.barred[2]);
	assert_false(s.barred[0] || s.barred[3] || s.barred[5]);
	assert_true(s.failed[1]);
	assert_false(s.failed[0] || s.failed[3] || s.failed[7]);
	check_rel(s.time_s[7], tiles.time_s[7], 1e-12);
	assert_true(isnan(s.time_s[1]) && isnan(s.time_s[4]));
	assert_int_equal(s.n_known, n_ran + 3);			   /* 1, 3 and 4 */
	assert_int_equal(s.n_left, TILE_POINTS - (n_ran + 3) - 1); /* 2 */
}

TEST(what_was_run_is_believed_and_less_is_doubted_of_it)
{
	RELEASED(known) k;
	RELEASED(adaptive_state) s = {0};
	double sd_run = 0, sd_other = 0;

	know(&k);
	must(adaptive_state_init(&s, &k.q, &err));
	assert_non_null(s.predictor);
	for (size_t i = 0; i < TILE_POINTS; i++) {
		if (i % 7 == 0) {
			check_rel(s.mean[i], log(tiles.time_s[i]), 1e-9);
			check_rel(s.sd[i], s.noise[i], 0.0);
		}
		assert_true(s.noise[i] >= 0.02 && s.sd[i] >= 0.02);
		*(i % 7 == 0 ? &sd_run : &sd_other) += s.sd[i];
	}
	assert_true(sd_run / 42 < sd_other / (TILE_POINTS - 42));
}

TEST(the_run_of_the_largest_gain_is_no_longer_wanted_when_it_is_taken)
{
	RELEASED(known) k;
	RELEASED(adaptive_state) s = {0};
	size_t recommended[TILE_SIZES], point = SIZE_MAX, again = SIZE_MAX, n_less = 0;
	double loss, gain = 0, gain_again = 0, *before;

	know(&k);
	must(adaptive_state_init(&s, &k.q, &err));
	must(adaptive_state_answer(&s, recommended, &loss, &err));
	assert_true(loss > 0 && loss < 1);
	must(adaptive_state_best(&s, &point, &gain, &err));
	assert_true(point < TILE_POINTS && !s.taken[point]);
	assert_true(gain > 0 && gain <= loss);
	before = calloc(s.n_candidates, sizeof *before);
	assert_non_null(before);
	for (size_t c = 0; c < s.n_candidates; c++)
		before[c] = variance_of(&s, c);
	must(adaptive_state_take(&s, point, &err));
	assert_true(s.taken[point]);
	/* what it will tell is known: nowhere is more doubted, here it is at most the noise */
	for (size_t c = 0; c < s.n_candidates; c++) {
		double now = variance_of(&s, c);

		if (isnan(now))
			continue;
		assert_true(now <= before[c] * (1 + 1e-9) && now >= -1e-12);
		n_less += now < before[c] * (1 - 1e-6);
		if (s.candidate[c] == point)
			check_rel(now, 1 / (1 / before[c] + 1 / (s.noise[point] * s.noise[point])),
				  1e-6);
	}
	assert_true(n_less > 0);
	free(before);
	must(adaptive_state_best(&s, &again, &gain_again, &err));
	assert_true(again != point);
	assert_true(gain_again <= gain * (1 + 1e-9));
}

/* nodes times the time that is believed in */
static double hours(const struct adaptive_state *s, size_t i)
{
	const double *row = tiles.row + i * tiles.app->n_columns;

	return row[tiles.app->i_nodes] * exp(s->mean[i]) / 3600;
}

TEST(among_runs_of_much_gain_price_decides_where_it_is_asked_for)
{
	RELEASED(known) k;
	RELEASED(adaptive_state) s = {0};
	size_t recommended[TILE_SIZES], dear = SIZE_MAX, cheap = SIZE_MAX;
	double loss, most = 0, gain = 0;

	know(&k);
	must(adaptive_state_init(&s, &k.q, &err));
	must(adaptive_state_answer(&s, recommended, &loss, &err));
	must(adaptive_state_best(&s, &dear, &most, &err));
	k.q.per_node_hour = true;
	must(adaptive_state_best(&s, &cheap, &gain, &err));
	assert_true(cheap != dear);
	assert_true(gain < most && gain >= 0.25 * most);
	assert_true(gain / hours(&s, cheap) > most / hours(&s, dear));
}

TEST(the_answer_that_is_known_least_is_tried_by_weight)
{
	struct adaptive_question q[4];
	struct adaptive_request request = {.question = q, .n_questions = 4};
	size_t recommended[] = {0, 1, 2, SIZE_MAX};
	unsigned char taken[3] = {0}, barred[3] = {0};
	double sd[] = {0.3, 0.2, 0.1};
	struct adaptive_state s = {.request = &request,
				   .recommended = recommended,
				   .taken = taken,
				   .barred = barred,
				   .sd = sd};

	for (size_t k = 0; k < 4; k++)
		q[k] = (struct adaptive_question){.weight = 1};
	assert_int_equal(adaptive_state_untried(&s), 0);
	q[2].weight = 4; /* 0.4 */
	assert_int_equal(adaptive_state_untried(&s), 2);
	taken[2] = 1;
	barred[0] = 1;
	assert_int_equal(adaptive_state_untried(&s), 1);
	taken[1] = 1;
	assert_true(adaptive_state_untried(&s) == SIZE_MAX);
}

TEST_GROUP(make_tile_questions, free_tile_questions)
