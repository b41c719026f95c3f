#include "acquire/adaptive.h"

#include "tests/support/failing_allocations.h"
#include "tests/unit/acquire/tile_questions.h"

/* A campaign under way. */
struct campaign {
	struct dataset *runs;
	struct fit_input in;
	struct adaptive_request q;
	unsigned char ran[TILE_POINTS];
	size_t n;
};

static void begin(struct campaign *c, uint64_t seed)
{
	*c = (struct campaign){.runs = dataset_new(tiles.app)};
	assert_non_null(c->runs);
	c->in = (struct fit_input){.runs = c->runs, .machine = &machine};
	c->q = (struct adaptive_request){.in = &c->in,
					 .row = tiles.row,
					 .n_points = TILE_POINTS,
					 .question = question,
					 .n_questions = n_questions,
					 .n_batch = 8,
					 .seed = seed};
}

static void campaign_release(struct campaign *c)
{
	dataset_free(c->runs);
}

static void make_run(struct campaign *c, size_t point, enum run_status status)
{
	assert_false(c->ran[point]); /* nothing is named twice */
	c->ran[point] = 1;
	must(dataset_add(c->runs, tiles.row + point * tiles.app->n_columns,
			 status == RUN_FAILED ? (double)NAN : tiles.time_s[point], (int64_t)++c->n,
			 1, SOURCE_MEASURED, status, 1, &err));
}

static void choose(const struct campaign *c, struct adaptive_choice *out)
{
	must(adaptive_choose(&c->q, out, &err));
}

/* Batches until so many runs are made. */
static void run_until(struct campaign *c, size_t n)
{
	while (c->n < n) {
		RELEASED(adaptive_choice) choice;

		choose(c, &choice);
		assert_int_equal(choice.n, 8);
		for (size_t k = 0; k < choice.n; k++)
			make_run(c, choice.run[k].point, RUN_OK);
	}
}

/* The truth: mean of time / least - 1. */
static double loss(const size_t *recommended)
{
	double sum = 0;

	for (size_t k = 0; k < n_questions; k++) {
		double least = INFINITY;

		for (size_t j = 0; j < question[k].n; j++)
			least = fmin(least, tiles.time_s[question[k].point[j]]);
		assert_true(recommended[k] != SIZE_MAX);
		sum += tiles.time_s[recommended[k]] / least - 1;
	}
	return sum / (double)n_questions;
}

TEST(the_space_asks_each_problem_for_its_fastest)
{
	struct adaptive_question *q = NULL;
	size_t n = 77;

	assert_int_equal(n_questions, TILE_SIZES);
	for (size_t k = 0; k < n_questions; k++) {
		assert_int_equal(question[k].n, TILE_POINTS / TILE_SIZES);
		assert_true(isinf(question[k].deadline_s));
		for (size_t j = 0; j < question[k].n; j++)
			assert_int_equal(question[k].point[j] % TILE_SIZES, k);
	}
	/* four problems with one configuration each */
	assert_int_equal(
		adaptive_questions_of_space(tiles.app, tiles.row, TILE_SIZES, &q, &n, &err),
		ERR_ARG);
	assert_int_equal(n, 77);
}

TEST(a_campaign_begins_with_points_that_are_spread)
{
	RELEASED(campaign) c;
	RELEASED(adaptive_choice) choice;
	size_t n_of[TILE_SIZES] = {0};

	begin(&c, 1);
	/* four columns vary: 5, but 8 at least */
	assert_int_equal(adaptive_default_start(tiles.app, tiles.row, TILE_POINTS), 8);
	choose(&c, &choice);
	assert_int_equal(choice.n, 8);
	assert_true(isnan(choice.loss));
	for (size_t k = 0; k < choice.n; k++) {
		assert_int_equal(choice.run[k].reason, ADAPTIVE_START);
		assert_true(isnan(choice.run[k].gain));
		n_of[choice.run[k].point % TILE_SIZES]++;
	}
	for (size_t k = 0; k < TILE_SIZES; k++)
		assert_int_equal(n_of[k], 2);
	for (size_t k = 0; k < n_questions; k++)
		assert_true(choice.recommended[k] == SIZE_MAX);
}

/* 288 configurations: a sixth of them is enough for the best answers to all, and what is expected
 * to be lost falls with what is. */
TEST(few_runs_lead_to_the_best_answers)
{
	RELEASED(campaign) c;
	RELEASED(adaptive_choice) early, late;

	begin(&c, 1);
	run_until(&c, 16);
	choose(&c, &early);
	run_until(&c, 48);
	choose(&c, &late);
	/* 16 runs of four columns leave much to doubt: they fear more than they lose. */
	assert_true(early.loss > loss(early.recommended));
	assert_true(late.loss < 0.5 * early.loss);
	assert_true(loss(late.recommended) <= 0.01);
	assert_true(late.loss < 0.05);
}

TEST(after_the_start_runs_are_for_gain_and_each_fifth_explores)
{
	RELEASED(campaign) c;
	RELEASED(adaptive_choice) choice;

	begin(&c, 2);
	run_until(&c, 16);
	choose(&c, &choice);
	for (size_t k = 0; k < choice.n; k++) {
		const struct adaptive_run *r = &choice.run[k];

		if ((c.n + k + 1) % 5 == 0) {
			assert_int_equal(r->reason, ADAPTIVE_EXPLORE);
			assert_true(isnan(r->gain));
		} else if (r->reason == ADAPTIVE_GAIN) {
			assert_true(r->gain > 0);
		}
	}
	assert_int_equal(choice.run[0].reason, ADAPTIVE_GAIN);
}

TEST(what_may_not_run_or_is_under_way_is_not_named)
{
	unsigned char runnable[TILE_POINTS], pending[TILE_POINTS] = {0};
	RELEASED(campaign) c;
	struct adaptive_choice choice;

	begin(&c, 3);
	run_until(&c, 16);
	for (size_t i = 0; i < TILE_POINTS; i++)
		runnable[i] = i % 3 != 0;
	choose(&c, &choice);
	for (size_t k = 0; k < choice.n; k++)
		pending[choice.run[k].point] = 1;
	adaptive_choice_release(&choice);
	c.q.runnable = runnable;
	c.q.pending = pending;
	choose(&c, &choice);
	assert_int_equal(choice.n, 8);
	for (size_t k = 0; k < choice.n; k++) {
		assert_true(runnable[choice.run[k].point]);
		assert_false(pending[choice.run[k].point]);
		assert_false(c.ran[choice.run[k].point]);
	}
	adaptive_choice_release(&choice);
	/* fewer are left than are asked for */
	memset(runnable, 0, sizeof runnable);
	for (size_t i = 0, n = 0; i < TILE_POINTS && n < 3; i++) {
		if (!c.ran[i] && !pending[i])
			runnable[i] = ++n > 0;
	}
	choose(&c, &choice);
	assert_int_equal(choice.n, 3);
	adaptive_choice_release(&choice);
}

TEST(what_failed_is_neither_answered_nor_run_again)
{
	RELEASED(campaign) c, d;
	struct adaptive_choice choice;
	size_t best;

	begin(&c, 1);
	run_until(&c, 48);
	choose(&c, &choice);
	best = choice.recommended[TILE_SIZES - 1];
	adaptive_choice_release(&choice);
	/* the campaign again, in which that one fails */
	begin(&d, 1);
	for (size_t i = 0; i < TILE_POINTS; i++) {
		if (c.ran[i] || i == best)
			make_run(&d, i, i == best ? RUN_FAILED : RUN_OK);
	}
	choose(&d, &choice);
	for (size_t k = 0; k < n_questions; k++)
		assert_true(choice.recommended[k] != best);
	for (size_t k = 0; k < choice.n; k++)
		assert_true(choice.run[k].point != best);
	adaptive_choice_release(&choice);
}

static double nodes_of(size_t point)
{
	return tiles.row[point * tiles.app->n_columns + application_column(tiles.app, "nodes")];
}

static double node_s(size_t point)
{
	return tiles.time_s[point] * nodes_of(point);
}

static double time_of(size_t point)
{
	return tiles.time_s[point];
}

/* What was chosen is nearly the least by its objective of what meets the deadline, and meets it. */
static void check_answer(const struct campaign *c, const struct adaptive_question *q,
			 double (*cost)(size_t point))
{
	RELEASED(adaptive_choice) choice;
	double least = INFINITY;

	choose(c, &choice);
	for (size_t j = 0; j < q->n; j++) {
		if (tiles.time_s[q->point[j]] <= q->deadline_s)
			least = fmin(least, cost(q->point[j]));
	}
	assert_true(choice.recommended[0] != SIZE_MAX);
	assert_true(tiles.time_s[choice.recommended[0]] <= q->deadline_s);
	assert_true(cost(choice.recommended[0]) <= 1.05 * least);
	assert_true(choice.loss >= 0 && choice.loss < 1);
	assert_int_equal(choice.n, 8);
}

TEST(an_answer_is_the_least_by_its_objective)
{
	struct adaptive_question q = question[TILE_SIZES - 1];
	RELEASED(campaign) c;
	RELEASED(adaptive_choice) choice;

	begin(&c, 1);
	run_until(&c, 40);
	c.q.question = &q;
	c.q.n_questions = 1;
	q.deadline_s = 5; /* 16 s on one node, a little above 4 s on four */
	q.objective = OBJECTIVE_NODE_HOURS;
	check_answer(&c, &q, node_s);
	q.objective = OBJECTIVE_NODES;
	check_answer(&c, &q, nodes_of);
	q.objective = OBJECTIVE_TIME;
	check_answer(&c, &q, time_of);
	q.deadline_s = INFINITY;
	check_answer(&c, &q, time_of);
	q.objective = OBJECTIVE_NODE_HOURS;
	check_answer(&c, &q, node_s);
	q.deadline_s = 0.1; /* 2 s on all nodes */
	choose(&c, &choice);
	assert_true(choice.recommended[0] == SIZE_MAX);
	assert_int_equal(choice.n, 8);
}

/* Of the first run, which is for gain. */
static double cost_of(const struct adaptive_choice *choice)
{
	assert_int_equal(choice->run[0].reason, ADAPTIVE_GAIN);
	return node_s(choice->run[0].point);
}

/* Never for a dearer one; for the same where that is cheap and tells most. */
TEST(gain_per_node_hour_asks_for_cheaper_runs)
{
	int n_cheaper = 0;

	for (uint64_t seed = 1; seed <= 3; seed++) {
		RELEASED(campaign) c;
		RELEASED(adaptive_choice) by_run, by_hour;

		begin(&c, seed);
		run_until(&c, 16);
		choose(&c, &by_run);
		c.q.per_node_hour = true;
		choose(&c, &by_hour);
		assert_true(cost_of(&by_hour) <= cost_of(&by_run));
		n_cheaper += cost_of(&by_hour) < cost_of(&by_run);
	}
	assert_true(n_cheaper >= 2);
}

TEST(one_request_gets_one_answer)
{
	RELEASED(campaign) c;
	RELEASED(adaptive_choice) a, b;

	begin(&c, 5);
	run_until(&c, 16);
	choose(&c, &a);
	choose(&c, &b);
	assert_int_equal(a.n, b.n);
	check_abs(a.loss, b.loss, 0);
	for (size_t k = 0; k < a.n; k++)
		assert_int_equal(a.run[k].point, b.run[k].point);
}

TEST(the_loss_alone_can_be_asked_for)
{
	RELEASED(campaign) c;
	struct adaptive_choice choice;

	begin(&c, 5);
	run_until(&c, 16);
	c.q.n_batch = 0;
	choose(&c, &choice);
	assert_int_equal(choice.n, 0);
	assert_true(choice.loss > 0);
	adaptive_choice_release(&choice);
	c.q.n_questions = 0;
	assert_int_equal(adaptive_choose(&c.q, &choice, &err), ERR_ARG);
}

TEST(a_choice_can_be_interrupted)
{
	static const struct progress p = {stop_at_once, NULL};
	RELEASED(campaign) c;
	struct adaptive_choice choice = {.n = 77};

	begin(&c, 5);
	run_until(&c, 16);
	c.in.progress = &p;
	assert_int_equal(adaptive_choose(&c.q, &choice, &err), ERR_INTERRUPTED);
	assert_int_equal(choice.n, 77);
}

static size_t point[4];

static enum err_code choose_four(const struct campaign *c, struct err *e)
{
	struct adaptive_choice choice;
	enum err_code rc = adaptive_choose(&c->q, &choice, e);

	if (rc)
		return rc;
	for (size_t k = 0; k < 4; k++)
		point[k] = choice.run[k].point;
	adaptive_choice_release(&choice);
	return ERR_OK;
}

/* A predictor may do without what it allocates for a message: then the choice is the right one. */
static void check_choice(const struct campaign *c)
{
	size_t want[4];

	must(choose_four(c, &err));
	memcpy(want, point, sizeof want);
	failing_each_place_repeated_tolerated(choose_four(c, &err), &err)
	{
		if (err.code == ERR_OK)
			assert_memory_equal(point, want, sizeof want);
	}
}

static enum err_code ask_once(struct err *e)
{
	struct adaptive_question *q;
	size_t n;
	enum err_code rc =
		adaptive_questions_of_space(tiles.app, tiles.row, TILE_POINTS, &q, &n, e);

	if (!rc)
		free(q);
	return rc;
}

TEST(without_memory_there_is_an_error)
{
	RELEASED(campaign) c;

	begin(&c, 5);
	c.q.n_batch = 4;
	check_choice(&c);
	c.q.n_batch = 8;
	run_until(&c, 16);
	c.q.n_batch = 4;
	check_choice(&c);
	failing_each_allocation (ask_once(&err), &err)
		;
}

TEST_GROUP(make_tile_questions, free_tile_questions)
