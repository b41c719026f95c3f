#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/uniform.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/training/run_screen.h"
#include "mining/training/short_runs.h"

/* A sweep of m and procs: m^2 / procs^0.9, a little off; in the order of its content. */
enum { N_RUNS = 40, N_COLUMNS = 12 };
static const double sick_share = 0.2;

static double time_of(double m, double procs, int i)
{
	return m * m / 100 / pow(procs, 0.9) * (1 + 0.02 * sin(7 * i));
}

/* Each of N_RUNS has one of N_RUNS / 8 sizes. */
static int level_of(int i)
{
	return i / 8;
}

static struct dataset *sweep(void)
{
	struct dataset *d = dataset_new(app);

	for (int i = 0; i < N_RUNS; i++) {
		const double m = 100 * pow(1.5, level_of(i)), procs = 1 << i % 8;

		qr_add(d, (struct qr){m, 100, 8, 0, procs}, time_of(m, procs, i));
	}
	return d;
}

static bool is_sick(size_t i)
{
	return i == 11 || i == 22 || i == 27 || i == 36;
}

static struct dataset *sick_sweep(void)
{
	struct dataset *d = sweep();

	for (size_t i = 0; i < d->n; i++)
		d->wall_s[i] *= is_sick(i) ? sick_share * (1 + 0.1 * (double)(i % 3)) : 1;
	return d;
}

/* Columns beside the runs; nothing in them but what a test puts there. */
static double number[N_COLUMNS][2 * N_RUNS];
static unsigned char word[N_COLUMNS][2 * N_RUNS];
static struct kb_extra_column column[N_COLUMNS];
static const struct kb_run_extras *extras(const char *a, const char *b, const char *c)
{
	static struct kb_run_extras x;
	const char *const name[N_COLUMNS] = {a, b, c};

	x = (struct kb_run_extras){.n_runs = 2 * N_RUNS, .column = column};
	for (size_t k = 0; k < N_COLUMNS && name[k]; k++) {
		column[k] = (struct kb_extra_column){
			.name = (char *)(uintptr_t)name[k], .number = number[k], .word = word[k]};
		memset(word[k], 0, sizeof word[k]);
		for (int i = 0; i < 2 * N_RUNS; i++)
			number[k][i] = NAN;
		x.n_columns++;
	}
	return &x;
}

static void put_words(size_t k, const char *first, const char *second)
{
	column[k].text[0] = (char *)(uintptr_t)first;
	column[k].text[1] = (char *)(uintptr_t)second;
	column[k].n_words = 2;
}

static struct short_runs find(struct dataset *d, const struct kb_run_extras *x)
{
	struct short_runs s;

	must(short_runs_find(d, x, &s, &err));
	return s;
}

static void check_sick(const struct dataset *d, unsigned char flag)
{
	for (size_t i = 0; i < d->n; i++) {
		assert_int_equal(d->status[i], is_sick(i) && flag ? RUN_FAILED : RUN_OK);
		assert_int_equal(d->flagged[i], is_sick(i) ? flag : 0);
	}
}

TEST(fewer_steps_than_all_others_took_are_told)
{
	FREED(dataset) *d = sick_sweep();
	const struct kb_run_extras *x = extras("steps", NULL, NULL);
	RELEASED(strbuf) text = STRBUF_INIT;
	struct short_runs s;

	for (size_t i = 0; i < N_RUNS; i++)
		number[0][i] = is_sick(i) ? 100 + (double)i : 1000;
	s = find(d, x);
	assert_int_equal(s.n, 4);
	assert_int_equal(s.n_aside, 0);
	check_sick(d, FLAG_SHORT);
	assert_string_equal(s.column[0], "steps");
	assert_string_equal(s.usual, "1000");
	check_rel(s.run_s / s.expected_s, sick_share, 0.1);
	short_runs_explain(&s, &text);
	assert_non_null(
		strstr(strbuf_text(&text), " Did less: 4 runs (count as failed), for steps is 1"));
}

/* As many as the problem has, which 200 of 1000 is not. */
TEST(steps_as_asked_depend_on_the_problem)
{
	FREED(dataset) *d = sick_sweep();
	const struct kb_run_extras *x = extras("steps", NULL, NULL);

	for (size_t i = 0; i < N_RUNS; i++)
		number[0][i] = (1000 + level_of((int)i) * 400.0) * (is_sick(i) ? 0.2 : 1);
	assert_int_equal(find(d, x).n, 4);
	check_sick(d, FLAG_SHORT);
}

/* Iterations of a solver, a few more or less with each number of processors. */
TEST(iterations_agree_nearly)
{
	FREED(dataset) *d = sick_sweep();
	const struct kb_run_extras *x = extras("iterations", NULL, NULL);

	for (size_t i = 0; i < N_RUNS; i++)
		number[0][i] =
			(300 + level_of((int)i) * 90.0 + (double)(i % 8)) * (is_sick(i) ? 0.1 : 1);
	for (size_t i = 0; i < N_RUNS; i++)
		number[0][i] = floor(number[0][i]);
	assert_int_equal(find(d, x).n, 4);
	check_sick(d, FLAG_SHORT);
}

TEST(a_residual_beyond_all_others_or_none_is_told)
{
	FREED(dataset) *d = sick_sweep();
	const struct kb_run_extras *x = extras("residual", NULL, NULL);
	struct short_runs s;

	put_words(0, "NaN", "n/a");
	for (size_t i = 0; i < N_RUNS; i++)
		number[0][i] = is_sick(i) ? 1e30 : 1e-9 * (double)(1 + 13 * i % 90);
	number[0][22] = INFINITY;
	number[0][27] = NAN;
	word[0][27] = 1;
	number[0][3] = NAN; /* nobody wrote it down */
	word[0][3] = 2;
	s = find(d, x);
	assert_int_equal(s.n, 4);
	check_sick(d, FLAG_SHORT);
}

TEST(words_and_flags_are_told)
{
	FREED(dataset) *d = sick_sweep();
	const struct kb_run_extras *x = extras("fit", "left", "note");
	struct short_runs s;

	put_words(0, "no", "yes");
	put_words(2, "left the domain", "well");
	for (size_t i = 0; i < N_RUNS; i++) {
		word[0][i] = is_sick(i) ? 1 : 2;
		number[1][i] = is_sick(i);
		word[2][i] = is_sick(i) ? 1 : 2;
	}
	s = find(d, x);
	assert_int_equal(s.n, 4);
	assert_int_equal(s.n_columns, 3);
	assert_string_equal(s.said, "no");
	assert_string_equal(s.usual, "yes");
	check_sick(d, FLAG_SHORT);
}

/* All columns as above, and no time is short. */
TEST(what_takes_its_time_did_all)
{
	FREED(dataset) *d = sweep();
	const struct kb_run_extras *x = extras("steps", "residual", "fit");

	put_words(2, "no", "yes");
	for (size_t i = 0; i < N_RUNS; i++) {
		number[0][i] = is_sick(i) ? 100 : 1000;
		number[1][i] = is_sick(i) ? 1e30 : 1e-9;
		word[2][i] = is_sick(i) ? 1 : 2;
	}
	assert_int_equal(find(d, x).n, 0);
	for (size_t i = 0; i < d->n; i++)
		assert_int_equal(d->status[i], RUN_OK);
}

/* A fifth shorter is no shortage, however sure. */
TEST(a_little_less_is_not_told)
{
	FREED(dataset) *d = sweep();
	const struct kb_run_extras *x = extras("fit", NULL, NULL);

	put_words(0, "no", "yes");
	for (size_t i = 0; i < N_RUNS; i++) {
		word[0][i] = is_sick(i) ? 1 : 2;
		d->wall_s[i] *= is_sick(i) ? 0.8 : 1;
	}
	assert_int_equal(find(d, x).n, 0);
}

/* From 100 to 1000, in proportion: somebody asked for so many. */
TEST(a_workload_of_many_levels_is_none)
{
	FREED(dataset) *d = sweep();
	const struct kb_run_extras *x = extras("steps", NULL, NULL);

	for (size_t i = 0; i < N_RUNS; i++) {
		number[0][i] = (double)(100 + 37 * i % 10 * 100);
		d->wall_s[i] *= number[0][i] / 1000;
	}
	assert_int_equal(find(d, x).n, 0);
}

/* Another clock, and node-hours, of runs that one kind of node made twice as fast. */
TEST(what_measures_the_time_again_is_none)
{
	FREED(dataset) *d = sick_sweep();
	const struct kb_run_extras *x = extras("job_s", "charged", "node_type");

	put_words(2, "fast", "plain");
	for (size_t i = 0; i < N_RUNS; i++) {
		const double procs = dataset_row(d, i)[application_column(app, "procs")];

		number[0][i] = floor(10 * d->wall_s[i]);
		number[1][i] = floor(10 * d->wall_s[i] * procs);
		word[2][i] = is_sick(i) ? 1 : 2;
	}
	assert_int_equal(find(d, x).n, 0);
}

/* Each configuration in full, and a third of them with a tenth of the steps as well. */
TEST(what_was_chosen_to_be_short_is_set_aside_only)
{
	struct dataset *d = dataset_new(app);
	const struct kb_run_extras *x = extras("steps", NULL, NULL);
	struct short_runs s;
	size_t n = 0;

	for (int i = 0; i < N_RUNS; i++) {
		const double m = 100 * pow(1.5, level_of(i)), procs = 1 << i % 8;

		number[0][n++] = 1000;
		qr_add(d, (struct qr){m, 100, 8, 0, procs}, time_of(m, procs, i));
		if (i % 3)
			continue;
		number[0][n++] = 100;
		qr_add(d, (struct qr){m, 100, 8, 0, procs}, time_of(m, procs, i) / 10);
	}
	s = find(d, x);
	assert_int_equal(s.n, 0);
	assert_int_equal(s.n_aside, 14);
	for (size_t i = 0; i < d->n; i++)
		assert_int_equal(d->flagged[i], number[0][i] < 1000 ? FLAG_SCREENED : 0);
	dataset_free(d);
}

/* Times that a power law misses by a factor of 1.3 here and there, and columns that say nothing. */
TEST(chance_is_rare)
{
	uint64_t u = 1;
	int n_found = 0;

	for (int k = 0; k < 300; k++) {
		struct dataset *d = sweep();
		const struct kb_run_extras *x = extras("a", "b", "c");

		put_words(0, "no", "yes");
		put_words(2, "one", "two");
		for (size_t i = 0; i < N_RUNS; i++) {
			d->wall_s[i] *=
				exp(0.5 * (uniform_draw(&u, 0, 1) + uniform_draw(&u, 0, 1) - 1));
			word[0][i] = uniform_draw(&u, 0, 1) < 0.15 ? 1 : 2;
			number[1][i] = uniform_draw(&u, 0, 1) < 0.2
					       ? 40 + floor(50 * uniform_draw(&u, 0, 1))
					       : 100;
			word[2][i] = uniform_draw(&u, 0, 1) < 0.1 ? 1 : 2;
		}
		n_found += find(d, x).n > 0;
		dataset_free(d);
	}
	assert_int_equal(n_found, 0);
}

TEST(too_few_runs_and_no_columns_tell_nothing)
{
	FREED(dataset) *d = dataset_new(app);
	const struct kb_run_extras none = {.n_runs = 0};
	const struct kb_run_extras *x = extras("steps", NULL, NULL);

	for (int i = 0; i < 7; i++) {
		qr_add(d, (struct qr){100, 100, 8, 0, 1 << i}, i == 3 ? 1 : 100);
		number[0][i] = i == 3 ? 10 : 100;
	}
	assert_int_equal(find(d, x).n, 0);
	assert_int_equal(find(d, &none).n, 0);
}

/* One column tells of which runs it is, as a solver that needs fewer iterations than the others,
 * which all end at 500. */
TEST(what_a_column_explains_is_no_failure)
{
	FREED(dataset) *d = sweep();
	const struct kb_run_extras *x = extras("iters", "mode", NULL);

	put_words(1, "single", "double");
	for (size_t i = 0; i < N_RUNS; i++) {
		number[0][i] = i < 8 ? (double)(70 + i % 3) : 500;
		word[1][i] = i < 8 ? 1 : 2;
		d->wall_s[i] *= i < 8 ? 0.3 : 1;
	}
	assert_int_equal(find(d, x).n, 0);
	for (size_t i = 0; i < N_RUNS; i++)
		assert_int_equal(d->flagged[i], 0);
}

/* Each run has a problem of its own: that this tells of each explains nothing. */
TEST(problems_that_were_run_once_explain_nothing)
{
	FREED(dataset) *d = dataset_new(app);
	const struct kb_run_extras *x = extras("iters", NULL, NULL);

	for (int i = 0; i < N_RUNS; i++) {
		const double m = 100 * pow(1.5, level_of(i)) + i % 8, procs = 1 << i % 8;

		qr_add(d, (struct qr){m, 100, 8, 0, procs},
		       time_of(m, procs, i) * (is_sick((size_t)i) ? 0.2 : 1));
		number[0][i] = is_sick((size_t)i) ? 70 + i % 3 : 500;
	}
	assert_int_equal(find(d, x).n, 4);
	check_sick(d, FLAG_SHORT);
}

/* A word that says no is heeded whatever runs it is of. */
TEST(what_says_no_is_a_failure_of_all_runs_of_a_problem)
{
	FREED(dataset) *d = sweep();
	const struct kb_run_extras *x = extras("iters", "fit", NULL);

	put_words(1, "no", "yes");
	for (size_t i = 0; i < N_RUNS; i++) {
		number[0][i] = i < 8 ? (double)(70 + i % 3) : 500;
		word[1][i] = i < 8 ? 1 : 2;
		d->wall_s[i] *= i < 8 ? 0.1 : 1;
	}
	assert_int_equal(find(d, x).n, 8);
}

TEST(what_converged_has_not_failed)
{
	FREED(dataset) *d = sick_sweep();
	const struct kb_run_extras *x = extras("iters", "converged", NULL);

	put_words(1, "yes", "n/a");
	for (size_t i = 0; i < N_RUNS; i++) {
		number[0][i] = is_sick(i) ? 70 + (double)(i % 3) : 500;
		word[1][i] = 1;
	}
	assert_int_equal(find(d, x).n, 0);
	check_sick(d, 0);
}

/* Single precision, a flag, no output, restarts after which the clock began anew. */
TEST(a_feature_that_is_not_declared_is_set_aside)
{
	for (int k = 0; k < 4; k++) {
		FREED(dataset) *d = sick_sweep();
		const struct kb_run_extras *x = extras("a", NULL, NULL);
		struct short_runs s;

		put_words(0, "single", "double");
		for (size_t i = 0; i < N_RUNS; i++) {
			word[0][i] = k > 0 ? 0 : is_sick(i) ? 1 : 2;
			number[0][i] = k == 0	? (double)NAN
				       : k == 1 ? (double)is_sick(i)
				       : k == 2 ? 10 * (double)!is_sick(i)
						: (double)(is_sick(i) ? 1 + i % 3 : 0);
		}
		s = find(d, x);
		assert_int_equal(s.n, 0);
		assert_int_equal(s.n_aside, 4);
		check_sick(d, FLAG_SCREENED);
	}
}

TEST(a_flag_whose_name_says_no_is_a_failure)
{
	FREED(dataset) *d = sick_sweep();
	const struct kb_run_extras *x = extras("diverged", NULL, NULL);

	for (size_t i = 0; i < N_RUNS; i++)
		number[0][i] = is_sick(i);
	assert_int_equal(find(d, x).n, 4);
	check_sick(d, FLAG_SHORT);
}

/* It diverges at the same step each time, and was never run in full. */
TEST(one_configuration_that_is_repeated_was_not_chosen)
{
	FREED(dataset) *d = sweep();
	const struct kb_run_extras *x = extras("steps", NULL, NULL);

	for (int i = 0; i < 5; i++)
		qr_add(d, (struct qr){1000, 100, 8, 0, 8}, 0.1 * time_of(1000, 8, i));
	for (size_t i = 0; i < d->n; i++)
		number[0][i] = i < N_RUNS ? 1000 : 40;
	assert_int_equal(find(d, x).n, 5);
}

/* Most runs are in one set or another, so each has a law of its own. */
TEST(an_example_is_of_the_law_of_its_set)
{
	FREED(dataset) *d = sweep();
	const struct kb_run_extras *x = extras("steps", "zfit", NULL);
	struct short_runs s;

	put_words(1, "no", "yes");
	for (size_t i = 0; i < N_RUNS; i++) {
		const bool less = i % 3 == 1;

		number[0][i] = less ? 100 + (double)i : 1000;
		word[1][i] = i % 3 == 2 ? 1 : 2;
		d->wall_s[i] *= less ? 0.1 : 1;
	}
	s = find(d, x);
	assert_int_equal(s.n, 13);
	assert_string_equal(s.column[0], "steps");
	check_rel(s.run_s / s.expected_s, 0.1, 0.15);
}

/* More words than there is room for, in columns that come first. */
TEST(words_leave_room_for_numbers)
{
	static const char *const text[] = {"a", "b", "c", "d", "e", "f", "g",
					   "h", "i", "j", "k", "l", "m", "x"};
	FREED(dataset) *d = sick_sweep();
	struct kb_run_extras x = *extras("b", "c", "d");

	for (size_t c = 0; c < N_COLUMNS; c++) {
		column[c] = column[0];
		column[c].number = number[c];
		column[c].word = word[c];
		column[c].n_words = c < N_COLUMNS - 1 ? 14 : 0;
		memcpy(column[c].text, text, sizeof text);
		for (size_t i = 0; i < N_RUNS; i++) {
			word[c][i] = c == N_COLUMNS - 1 ? 0 : i < 13 ? (unsigned char)(i + 1) : 14;
			number[c][i] = (double)NAN;
		}
	}
	for (size_t i = 0; i < N_RUNS; i++)
		number[N_COLUMNS - 1][i] = is_sick(i) ? 100 + (double)i : 1000;
	column[N_COLUMNS - 1].name = (char *)(uintptr_t) "steps";
	x.n_columns = N_COLUMNS;
	assert_int_equal(find(d, &x).n, 4);
	check_sick(d, FLAG_SHORT);
}

TEST(what_did_less_is_moved_to_the_failures)
{
	struct dataset *d = sick_sweep();
	FREED(dataset) *failures = dataset_new(app);
	const struct kb_run_extras *x = extras("fit", NULL, NULL);

	put_words(0, "no", "yes");
	for (size_t i = 0; i < N_RUNS; i++)
		word[0][i] = is_sick(i) ? 1 : 2;
	find(d, x);
	must(short_runs_move(&d, failures, &err));
	assert_int_equal(d->n, N_RUNS - 4);
	assert_int_equal(failures->n, 4);
	assert_int_equal(failures->run_id[0], 12);
	assert_int_equal(failures->status[3], RUN_FAILED);
	assert_int_equal(failures->flagged[3], FLAG_SHORT);
	dataset_free(d);
}

static enum err_code find_and_move(const struct dataset *all, const struct kb_run_extras *x,
				   struct err *e)
{
	unsigned char keep[N_RUNS];
	struct dataset *d = NULL, *failures = dataset_new(app);
	struct short_runs s = {.n = 4};
	enum err_code rc = failures ? ERR_OK : err_set(e, ERR_NOMEM, "out of memory: failures");

	memset(keep, 1, sizeof keep);
	if (!rc && !(rc = dataset_subset(all, keep, &d, e)) && !(rc = short_runs_find(d, x, &s, e)))
		rc = short_runs_move(&d, failures, e);
	assert_true(rc || (s.n == 4 && d->n == N_RUNS - 4));
	dataset_free(d);
	dataset_free(failures);
	return rc;
}

TEST(want_of_memory_is_an_error)
{
	FREED(dataset) *d = sick_sweep();
	const struct kb_run_extras *x = extras("steps", "fit", NULL);

	put_words(1, "no", "yes");
	for (size_t i = 0; i < N_RUNS; i++) {
		number[0][i] = is_sick(i) ? 100 : 1000;
		word[1][i] = is_sick(i) ? 1 : 2;
	}
	failing_each_place (find_and_move(d, x, &err), &err)
		;
}

TEST_GROUP(qr_set_up, qr_tear_down)
