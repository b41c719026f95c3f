#include "tests/support/failing_allocations.h"
#include "tests/support/made_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/training/circumstance.h"

/* Two runs of each of five sizes on 1 to 8 processes: m^2 / procs^0.9, a little off, one of both
 * 1.5 times as long; that is the cold one. */
enum { N_RUNS = 40 };
static const double ratio = 1.5;

static bool is_cold(int i)
{
	return (i + i / 2) % 2;
}

static double size_of(int i)
{
	const int level = i / 8;

	return 100 * pow(1.5, level);
}

static double time_of(int i)
{
	return size_of(i) * size_of(i) / 100 / pow(1 << i / 2 % 4, 0.9) * (1 + 0.02 * sin(7 * i));
}

static struct dataset *sweep(void)
{
	struct dataset *d = dataset_new(app);

	for (int i = 0; i < N_RUNS; i++)
		qr_add(d, (struct qr){size_of(i), 100, 8, 0, 1 << i / 2 % 4},
		       time_of(i) * (is_cold(i) ? ratio : 1));
	return d;
}

static double number[N_RUNS];
static unsigned char word[N_RUNS];

/* A column beside the runs: words "a" and "b", or numbers 1 and 2. */
static const struct kb_run_extras *beside(const char *name, bool words, bool (*second)(int))
{
	static struct kb_extra_column column;
	static struct kb_run_extras x;

	column =
		(struct kb_extra_column){.name = (char *)(uintptr_t)name,
					 .number = number,
					 .word = word,
					 .text = {(char *)(uintptr_t) "a", (char *)(uintptr_t) "b"},
					 .n_words = words ? 2 : 0};
	for (int i = 0; i < N_RUNS; i++) {
		number[i] = words ? (double)NAN : 1 + second(i);
		word[i] = (unsigned char)(words ? 1 + second(i) : 0);
	}
	x = (struct kb_run_extras){.n_runs = N_RUNS, .n_columns = 1, .column = &column};
	return &x;
}

static const struct kb_run_dates no_dates;

static struct circumstance find(const struct kb_run_extras *x, struct dataset **adjusted)
{
	FREED(dataset) *d = sweep();
	struct circumstance c;

	must(circumstance_find(d, x, &no_dates, adjusted, &c, &err));
	return c;
}

static void check_none(const struct kb_run_extras *x)
{
	struct dataset *adjusted = NULL;
	struct circumstance c = find(x, &adjusted);

	assert_null(adjusted);
	assert_true(c.chance == 0);
}

TEST(times_count_as_of_the_fast_level)
{
	FREED(dataset) *adjusted = NULL;
	RELEASED(strbuf) text = STRBUF_INIT;
	struct circumstance c = find(beside("cache", true, is_cold), &adjusted);

	assert_non_null(adjusted);
	check_rel(c.ratio, ratio, 0.02);
	assert_true(c.chance == 0.5);
	assert_string_equal(c.slow, "b");
	assert_string_equal(c.fast, "a");
	for (int i = 0; i < N_RUNS; i++)
		check_rel(adjusted->wall_s[i], time_of(i), 0.02);
	circumstance_explain(&c, app, &text);
	assert_non_null(strstr(strbuf_text(&text), " Nobody asks for cache: runs take 1.5"));
}

TEST(numbers_count_where_configurations_met_both)
{
	FREED(dataset) *adjusted = NULL;
	struct circumstance c = find(beside("attempt", false, is_cold), &adjusted);

	assert_non_null(adjusted);
	assert_string_equal(c.column, "attempt");
	assert_string_equal(c.slow, "2");
}

static bool is_odd(int i)
{
	return i % 2;
}

static bool is_large(int i)
{
	return i / 8 > 2;
}

TEST(what_tells_nothing_or_is_the_configuration_counts_not)
{
	check_none(beside("cache", true, is_odd));
	check_none(beside("kind", true, is_large));
	/* for these see system_change.h */
	check_none(beside("Start Time", false, is_cold));
}

/* The largest size is run by "b", in half of the time that the others lead to expect. */
static bool is_largest(int i)
{
	return i / 8 == 4;
}

static struct dataset *confounded_sweep(double factor)
{
	struct dataset *d = dataset_new(app);

	for (int i = 0; i < N_RUNS; i++)
		qr_add(d, (struct qr){size_of(i), 100, 8, 0, 1 << i / 2 % 4},
		       time_of(i) * (is_largest(i) ? factor : 1));
	return d;
}

TEST(what_goes_with_a_size_may_tell_the_time)
{
	FREED(dataset) *d = confounded_sweep(0.5), *slower = confounded_sweep(2);
	const struct kb_run_extras *x = beside("user", true, is_largest);
	struct dataset *adjusted = NULL;
	struct circumstance c, loaded;
	RELEASED(kb_fit) stored = {0};
	RELEASED(strbuf) text = STRBUF_INIT;
	double row[16];

	must(circumstance_find(d, x, &no_dates, &adjusted, &c, &err));
	assert_null(adjusted);
	check_rel(c.ratio, 2.0, 0.05);
	assert_string_equal(c.slow, "a");
	assert_string_equal(c.fast, "b");
	check_rel(c.above, size_of(31), 1e-12);
	circumstance_explain(&c, app, &text);
	assert_non_null(strstr(strbuf_text(&text), "all runs with m above 337.5 are of b"));
	must(circumstance_store(&c, app, &stored, &err));
	circumstance_load(&stored, app, &loaded);
	for (int i = 0; i < N_RUNS; i++) {
		qr_row(app, (struct qr){size_of(i), 100, 8, 0, 4}, row);
		assert_true(circumstance_chance_at(&c, row) == (is_largest(i) ? 0.5 : 0));
		assert_true(circumstance_chance_at(&loaded, row) == (is_largest(i) ? 0.5 : 0));
	}
	/* a jump of the times with the size would be as well */
	must(circumstance_find(slower, x, &no_dates, &adjusted, &c, &err));
	assert_true(c.chance == 0);
}

static bool is_rare(int i)
{
	return i == 7 || i == 20;
}

TEST(two_runs_are_too_few)
{
	check_none(beside("cache", true, is_rare));
}

/* Monday 2025-03-03, at 13:30 the cold ones and at 22:30 the others; or the former on Saturdays. */
static double at_hours(int i)
{
	return 1740960000 + 86400.0 * (i % 5) + (is_cold(i) ? 13.5 : 22.5) * 3600;
}

static double on_days(int i)
{
	return 1740960000 + 86400.0 * (is_cold(i) ? 5 : i % 5);
}

static struct circumstance find_dates(double (*at_s)(int), struct dataset **adjusted)
{
	static const struct kb_run_extras none;
	static struct kb_run_date date[N_RUNS];
	const struct kb_run_dates dates = {.n = N_RUNS, .item = date};
	FREED(dataset) *d = sweep();
	struct circumstance c;

	for (int i = 0; i < N_RUNS; i++)
		date[i] = (struct kb_run_date){d->run_id[i], at_s(i)};
	must(circumstance_find(d, &none, &dates, adjusted, &c, &err));
	return c;
}

TEST(hours_and_days_are_columns_too)
{
	FREED(dataset) *hours = NULL, *days = NULL;
	struct circumstance c = find_dates(at_hours, &hours);

	assert_non_null(hours);
	assert_string_equal(c.column, "the hour of the day");
	assert_string_equal(c.slow, "02:00 to 14:00"); /* the first half that parts them */
	assert_string_equal(c.fast, "14:00 to 02:00");
	check_rel(c.ratio, ratio, 0.02);
	c = find_dates(on_days, &days);
	assert_non_null(days);
	assert_string_equal(c.column, "the day of the week");
	assert_string_equal(c.slow, "Saturday and Sunday");
	check_rel(c.ratio, ratio, 0.02);
}

/* Of nothing but days: hours are 0 in all. */
static double at_midnight(int i)
{
	return 1740960000 + 86400.0 * (i % 5);
}

TEST(dates_that_tell_nothing_count_not)
{
	struct dataset *adjusted = NULL;

	assert_true(find_dates(at_midnight, &adjusted).chance == 0);
	assert_null(adjusted);
}

TEST(without_memory_there_is_an_error)
{
	FREED(dataset) *d = sweep();
	const struct kb_run_extras *x = beside("cache", true, is_cold);
	struct dataset *adjusted = NULL;
	struct circumstance c;

	failing_each_place (circumstance_find(d, x, &no_dates, &adjusted, &c, &err), &err)
		assert_null(adjusted);
	assert_non_null(adjusted);
	dataset_free(adjusted);
}

TEST_GROUP(qr_set_up, qr_tear_down)
