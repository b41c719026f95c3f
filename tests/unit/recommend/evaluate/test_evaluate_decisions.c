#include "tests/unit/mining/shared_qr.h"

#include "mining/evaluate/baselines.h"
#include "recommend/evaluate/decide.h"
#include "recommend/evaluate/evaluate_decisions.h"

/* The application has processors and no nodes, so processors are what is paid for. */
static const struct machine machine = {.name = (char *)(uintptr_t) "m"};
static const char *const neighbours[] = {"nearest-neighbours"};

/* One problem on 1, 2, 4 and 8 processors:
 *
 *	processors    times [s]      median   node-hours x 3600
 *	1             40 40 40       40       40
 *	2             22 24 26       24       48
 *	4             14 14 20       14       56
 *	8             12 12 12       12       96
 *
 * Another problem, of one configuration, plays no part. */
static struct dataset *four_choices(void)
{
	static const double procs[] = {1, 2, 4, 8};
	static const double time_s[4][3] = {{40, 40, 40}, {22, 24, 26}, {14, 14, 20}, {12, 12, 12}};
	struct dataset *d = dataset_new(app);

	for (int r = 0; r < 3; r++) {
		for (int i = 0; i < 4; i++)
			qr_add(d, (struct qr){1000, 500, 16, 0, procs[i]}, time_s[i][r]);
	}
	qr_add(d, (struct qr){9000, 500, 16, 0, 1}, 1);
	return d;
}

static size_t with_procs(const struct measured_problems *m, double procs)
{
	for (size_t i = 0; i < m->configs->n; i++) {
		if (config_table_row(m->configs, i)[application_column(app, "procs")] == procs)
			return i;
	}
	fail_msg("no configuration on %g processors", procs);
	return 0;
}

TEST(the_truth_of_a_tiny_table_is_found_in_hindsight)
{
	FREED(dataset) *d = four_choices();
	RELEASED(measured_problems) m;
	struct decision_case q = {.problems = &m, .deadline_s = NAN, .confidence = 0.9};

	must(measured_problems_make(d, &m, &err));
	assert_int_equal(m.n, 2);
	assert_int_equal(measured_problems_size(&m, 0), 4);
	/* no deadline: the fastest */
	assert_int_equal(decide_in_hindsight(&q), with_procs(&m, 8));
	/* in 15 s: 4 processors cost 56, 8 cost 96 */
	q.deadline_s = 15;
	assert_int_equal(decide_in_hindsight(&q), with_procs(&m, 4));
	check_rel(decision_node_hours(&q, with_procs(&m, 4)), 56.0 / 3600, 1e-12);
	/* two of its three runs ended in time */
	check_rel(decision_hit(&q, with_procs(&m, 4)), 2.0 / 3, 1e-12);
	/* in 13 s only 8 can; 12 s is in time, 11 s is not possible */
	q.deadline_s = 13;
	assert_int_equal(decide_in_hindsight(&q), with_procs(&m, 8));
	q.deadline_s = 12;
	assert_int_equal(decide_in_hindsight(&q), with_procs(&m, 8));
	q.deadline_s = 11;
	assert_int_equal(decide_in_hindsight(&q), SIZE_MAX);
}

TEST(what_is_barred_is_not_chosen)
{
	FREED(dataset) *d = four_choices();
	RELEASED(measured_problems) m;
	unsigned char barred[5] = {0};
	struct decision_case q = {
		.problems = &m, .barred = barred, .deadline_s = 15, .confidence = 0.9};

	must(measured_problems_make(d, &m, &err));
	barred[with_procs(&m, 4)] = 1;
	assert_int_equal(decide_in_hindsight(&q), with_procs(&m, 8));
}

TEST(a_share_is_drawn_from_each_problem_but_never_less_than_asked)
{
	FREED(dataset) *d = dataset_new(app);
	RELEASED(measured_problems) m;
	unsigned char seen[45], again[45];

	/* problems of 40, 4 and 1 configurations */
	for (int b = 1; b <= 40; b++)
		qr_add(d, (struct qr){1000, 500, b, 0, 1}, b);
	for (int b = 1; b <= 4; b++)
		qr_add(d, (struct qr){2000, 500, b, 0, 1}, b);
	qr_add(d, (struct qr){3000, 500, 1, 0, 1}, 1);
	must(measured_problems_make(d, &m, &err));
	must(measured_problems_draw(&m, 0.1, 3, 1, seen, &err));
	for (size_t p = 0; p < 3; p++) {
		static const int expected[] = {4, 3, 1};
		int n = 0;

		for (size_t k = m.start[p]; k < m.start[p + 1]; k++)
			n += seen[m.member[k]];
		assert_int_equal(n, expected[p]);
	}
	must(measured_problems_draw(&m, 0.1, 3, 1, again, &err));
	assert_memory_equal(seen, again, sizeof seen);
	must(measured_problems_draw(&m, 0.1, 3, 2, again, &err));
	assert_memory_not_equal(seen, again, sizeof seen);
}

/* Costs of 1, 1.5 and 2 over the best: mean and median 1.5, the 90th percentile at 1.8 between 1.5
 * and 2: 1.9. Hits of 1, 0.5 and 1: 0.8333, its error sqrt(0.8333 * 0.1667 / 3) = 0.2152. The
 * fourth found nothing, the fifth could not. */
TEST(scores_are_those_of_a_hand_calculation)
{
	static const struct decision d[] = {
		{true, true, 1, 1.5},	 {true, true, 0.5, 1},	   {true, true, 1, 2},
		{true, false, NAN, NAN}, {false, false, NAN, NAN},
	};
	RELEASED(decision_list) l = {0};
	struct decision_scores s;

	for (size_t i = 0; i < sizeof d / sizeof d[0]; i++)
		must(decision_list_add(&l, d[i], &err));
	must(decision_list_summarise(&l, &s, &err));
	assert_int_equal(s.n_cases, 5);
	assert_int_equal(s.n_possible, 4);
	assert_int_equal(s.n_answered, 3);
	check_rel(s.hit, 2.5 / 3, 1e-12);
	check_rel(s.hit_error, 0.21516574145596756, 1e-12);
	check_rel(s.over_mean, 1.5, 1e-12);
	check_rel(s.over_median, 1.5, 1e-12);
	check_rel(s.over_p90, 1.9, 1e-12);
}

TEST(nothing_answered_has_no_score)
{
	RELEASED(decision_list) l = {0};
	struct decision_scores s;

	must(decision_list_add(&l, (struct decision){true, false, NAN, NAN}, &err));
	must(decision_list_summarise(&l, &s, &err));
	assert_true(isnan(s.hit) && isnan(s.hit_error) && isnan(s.over_mean));
}

/* ---- the whole ---- */

/* Two problems, ten block sizes each. */
static struct dataset *runs_of(double (*time_s)(double b))
{
	struct dataset *d = dataset_new(app);

	for (int m = 1000; m <= 2000; m += 1000) {
		for (int b = 1; b <= 10; b++)
			qr_add(d, (struct qr){m, 500, b, 0, 1}, time_s(b) * m / 1000);
	}
	return d;
}

static double always_2(double b)
{
	return 2;
}

static double as_b(double b)
{
	return b;
}

static const struct decision_evaluation *find(const struct decision_evaluation *v, size_t n,
					      enum decision_question question, const char *seen,
					      const char *method)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].question == question && !strcmp(v[i].seen, seen) &&
		    !strcmp(v[i].method, method))
			return &v[i];
	}
	fail_msg("no row for question %d, %s, %s", question, seen, method);
	return NULL;
}

static size_t run(const struct dataset *d, struct decision_evaluation v[DECISION_ROWS_MAX])
{
	struct fit_input in = {.runs = d, .machine = &machine};
	struct decision_request q = {
		.in = &in, .predictor = neighbours, .n_predictors = 1, .seed = 1};
	size_t n = 0;

	must(evaluate_decisions(&q, v, &n, &err));
	return n;
}

/* Times of 1, 2, ..., 10: a random choice takes 5.5 in the mean, 5.5 times the best. The best of
 * three drawn ones is 1 in 3 of 10 cases: its expected value is 11/4 (the minimum of a sample of
 * three without replacement), its standard deviation sqrt(3 * 11 * 7 / (16 * 5)) = 1.7; over five
 * draws of two problems 0.54. */
TEST(choosing_blindly_costs_what_chance_says)
{
	FREED(dataset) *d = runs_of(as_b);
	struct decision_evaluation v[DECISION_ROWS_MAX];
	size_t n = run(d, v);
	const struct decision_scores *s =
		&find(v, n, ASK_FASTEST, "a tenth", "random choice")->scores;

	assert_int_equal(s->n_cases, 10);
	check_rel(s->over_mean, 5.5, 1e-12);
	s = &find(v, n, ASK_FASTEST, "a tenth", "best seen")->scores;
	check_abs(s->over_mean, 2.75, 4 * 0.54);
}

TEST(times_all_alike_cost_nothing_to_choose_from)
{
	FREED(dataset) *d = runs_of(always_2);
	struct decision_evaluation v[DECISION_ROWS_MAX];
	size_t n = run(d, v);

	for (size_t i = 0; i < n; i++) {
		const struct decision_scores *s = &v[i].scores;

		if (s->n_answered > 0 && !isnan(s->over_mean))
			check_rel(s->over_mean, 1.0, 1e-12);
		if (!isnan(s->hit))
			check_rel(s->hit, 1.0, 1e-12);
	}
	/* half seen: two problems, three deadlines, two draws of two halves */
	assert_int_equal(find(v, n, ASK_DEADLINES, "half", neighbours[0])->scores.n_cases, 24);
	assert_int_equal(find(v, n, ASK_DEADLINE_25, "half", neighbours[0])->scores.n_cases, 8);
}

TEST(a_problem_of_few_configurations_is_no_question)
{
	FREED(dataset) *d = four_choices();
	struct fit_input in = {.runs = d, .machine = &machine};
	struct decision_request q = {
		.in = &in, .predictor = neighbours, .n_predictors = 1, .seed = 1};
	struct decision_evaluation v[DECISION_ROWS_MAX];
	size_t n = 77;

	must_fail(evaluate_decisions(&q, v, &n, &err), ERR_NODATA, "10 configurations");
	assert_int_equal(n, 77);
}

/* Whether or not there is anything to ask. */
TEST(a_predictor_that_there_is_not_is_refused_first)
{
	static const char *const unknown[] = {"nearest-neighbours", "oracle"};
	FREED(dataset) *d = four_choices();
	struct fit_input in = {.runs = d, .machine = &machine};
	struct decision_request q = {.in = &in, .predictor = unknown, .n_predictors = 2, .seed = 1};
	struct decision_evaluation v[DECISION_ROWS_MAX];
	size_t n = 77;

	must_fail(evaluate_decisions(&q, v, &n, &err), ERR_ARG, "oracle");
	assert_int_equal(n, 77);
}

static bool stop(void *arg, const char *what, uint64_t done, uint64_t total)
{
	return done < total / 2;
}

TEST(it_can_be_interrupted)
{
	FREED(dataset) *d = runs_of(as_b);
	struct progress progress = {stop, NULL};
	struct fit_input in = {.runs = d, .machine = &machine, .progress = &progress};
	struct decision_request q = {
		.in = &in, .predictor = neighbours, .n_predictors = 1, .seed = 1};
	struct decision_evaluation v[DECISION_ROWS_MAX];
	size_t n = 77;

	assert_int_equal(evaluate_decisions(&q, v, &n, &err), ERR_INTERRUPTED);
	assert_int_equal(n, 77);
}

TEST_GROUP(qr_set_up, qr_tear_down)
