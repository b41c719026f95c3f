#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include <math.h>
#include <string.h>

#include "mining/predictor/system_change.h"
#include "tests/support/uniform.h"

/* A run a day from 2026-01-01 on, in an order that has nothing to do with what is run, each on its
 * own configuration or its own repeat of one; from some days on times are multiplied. */
struct plan {
	int n_runs;
	int day[2]; /* of the changes; 0: none */
	double ratio[2];
	double days_apart; /* 0: all dates are one */
};

static double work_and_messages(struct qr c)
{
	return qr_power_law(c) + 0.02 * pow(c.n, 0.5);
}

#define FIRST_DAY_S 1767225600.0 /* date -u -d 2026-01-01 +%s */
#define DAY_S 86400.0

struct found {
	struct dataset *runs, *adjusted;
	struct kb_run_dates dates;
	struct system_changes changes;
};

static struct found found(const struct plan *p)
{
	struct found f = {.runs = dataset_new(app)};
	uint64_t seed = 7;

	f.dates.item = calloc((size_t)p->n_runs, sizeof *f.dates.item);
	for (int i = 0; i < p->n_runs; i++) {
		const struct qr c = qr_design(7 * i % QR_DESIGN_N);
		double time_s = work_and_messages(c) * uniform_draw(&seed, 0.97, 1.03);

		for (int k = 0; k < 2; k++) {
			if (p->day[k] > 0 && i >= p->day[k])
				time_s *= p->ratio[k];
		}
		qr_add(f.runs, c, time_s);
		f.dates.item[f.dates.n++] = (struct kb_run_date){
			f.runs->run_id[f.runs->n - 1], FIRST_DAY_S + i * p->days_apart * DAY_S};
	}
	must(system_changes_find(&(struct fit_input){.runs = f.runs}, &f.dates, &f.adjusted,
				 &f.changes, &err));
	return f;
}

static void release(struct found *f)
{
	dataset_free(f->runs);
	dataset_free(f->adjusted);
	kb_run_dates_release(&f->dates);
}

/* Older times become what they would be now, to the noise of the means: 0.03 / sqrt(3) over 20
 * runs and more, twice, three deviations of it. */
TEST(an_upgrade_is_told_by_its_date)
{
	const struct plan p = {60, {40}, {1.5}, 1};
	struct found f = found(&p);

	assert_int_equal(f.changes.n, 1);
	assert_true(f.changes.item[0].since_s == FIRST_DAY_S + 40 * DAY_S);
	check_rel(f.changes.item[0].ratio, 1.5, 0.017);
	assert_int_equal(f.changes.item[0].n_before, 40);
	assert_int_equal(f.changes.item[0].n_after, 20);
	for (int i = 0; i < p.n_runs; i++) {
		const double factor = i < 40 ? f.changes.item[0].ratio : 1;

		check_rel(f.adjusted->wall_s[i], factor * f.runs->wall_s[i], 1e-12);
		check_rel(system_changes_factor(&f.changes, &f.dates, f.runs->run_id[i]), factor,
			  1e-12);
	}
	release(&f);
}

TEST(of_two_changes_each_is_told)
{
	const struct plan p = {90, {30, 60}, {2, 0.7}, 1};
	struct found f = found(&p);

	assert_int_equal(f.changes.n, 2);
	assert_true(f.changes.item[0].since_s == FIRST_DAY_S + 30 * DAY_S);
	assert_true(f.changes.item[1].since_s == FIRST_DAY_S + 60 * DAY_S);
	check_rel(f.changes.item[0].ratio, 2.0, 0.03);
	check_rel(f.changes.item[1].ratio, 0.7, 0.03);
	assert_int_equal(f.changes.item[0].n_after, 30);
	assert_int_equal(f.changes.item[1].n_before, 30);
	check_rel(system_changes_factor(&f.changes, &f.dates, f.runs->run_id[0]),
		  f.changes.item[0].ratio * f.changes.item[1].ratio, 1e-12);
	check_abs(system_changes_factor(&f.changes, &f.dates, -1), 1, 0); /* it has no date */
	release(&f);
}

TEST(where_nothing_changed_nothing_is_told)
{
	static const struct plan plans[] = {
		{60, {0}, {1}, 1},     /* one system */
		{60, {40}, {1.02}, 1}, /* no more than noise */
		{60, {40}, {1.5}, 0},  /* all on one day */
		{60, {55}, {1.5}, 1},  /* five runs are too few */
		{14, {7}, {1.5}, 1},
	};

	for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
		struct found f = found(&plans[i]);

		assert_int_equal(f.changes.n, 0);
		assert_null(f.adjusted);
		check_abs(system_changes_factor(&f.changes, &f.dates, f.runs->run_id[0]), 1, 0);
		release(&f);
	}
}

/* A run a day: twelve of layout "column", then, from day_of_other on, twelve of the other; the last
 * of them may be of "column" again. b is 16 in a third of both. */
static struct found found_layouts(int day_of_other, bool first_has_date, bool last_is_column)
{
	struct found f = {.runs = dataset_new(app)};

	f.dates.item = calloc(64, sizeof *f.dates.item);
	for (int i = 0; i < 24; i++) {
		struct qr c = qr_design(i);
		const double day = i < 12 ? i : day_of_other + i - 12;

		c.layout = i < 12;
		c.b = i % 3 == 0 ? 16 : 64;
		if (i == 23 && last_is_column)
			c.layout = 1;
		qr_add(f.runs, c, work_and_messages(c));
		if (i > 0 || first_has_date)
			f.dates.item[f.dates.n++] = (struct kb_run_date){
				f.runs->run_id[f.runs->n - 1], FIRST_DAY_S + day * DAY_S};
	}
	must(system_changes_find(&(struct fit_input){.runs = f.runs}, &f.dates, &f.adjusted,
				 &f.changes, &err));
	return f;
}

/* Day 11 is the last of one layout, day 101 the first of the other: 90 days, so the chance of a
 * change is 1 - exp(-1), of a slower system half of that. */
TEST(of_levels_run_one_after_the_other_a_change_may_be_unseen)
{
	const size_t layout = application_column(app, "layout");
	struct found f = found_layouts(101, true, false);
	const struct confounded_level *level = NULL;
	double row[16];

	assert_int_equal(f.changes.n_confounded, 1);
	assert_int_equal(f.changes.confounded[0].column, layout);
	assert_true(f.changes.confounded[0].value == 1);
	assert_true(f.changes.confounded[0].last_s == FIRST_DAY_S + 11 * DAY_S);
	assert_true(f.changes.confounded[0].next_s == FIRST_DAY_S + 101 * DAY_S);
	check_rel(f.changes.confounded[0].chance, 1 - exp(-1), 1e-12);

	memcpy(row, dataset_row(f.runs, 0), app->n_columns * sizeof *row);
	check_rel(system_changes_unseen(&f.changes, row, &level), (1 - exp(-1)) / 2, 1e-12);
	assert_ptr_equal(level, &f.changes.confounded[0]);
	row[layout] = 0;
	check_abs(system_changes_unseen(&f.changes, row, NULL), 0, 0);
	release(&f);
}

TEST(a_level_run_before_and_after_tells_of_the_system)
{
	struct found without_a_date, again, next_day;

	again = found_layouts(101, true, true);
	assert_int_equal(again.changes.n_confounded, 0);
	release(&again);
	without_a_date = found_layouts(101, false, false); /* it may be the newest of all */
	assert_int_equal(without_a_date.changes.n_confounded, 0);
	release(&without_a_date);
	next_day = found_layouts(12, true, false);
	assert_true(system_changes_unseen(&next_day.changes, dataset_row(next_day.runs, 0), NULL) <
		    0.01);
	release(&next_day);
}

/* A run a day of a power law, and n_again of the first again, from `day` on, all on that day. */
static struct found found_again(int n_again, int day, double ratio)
{
	struct found f = {.runs = dataset_new(app)};
	const int n = 24;

	f.dates.item = calloc((size_t)n + (size_t)n_again, sizeof *f.dates.item);
	for (int i = 0; i < n + n_again; i++) {
		const bool again = i >= n;
		const struct qr c = qr_design(7 * (again ? i - n : i));

		qr_add(f.runs, c, qr_power_law(c) * (again ? ratio : 1));
		f.dates.item[f.dates.n++] = (struct kb_run_date){
			f.runs->run_id[f.runs->n - 1], FIRST_DAY_S + (again ? day : i) * DAY_S};
	}
	must(system_changes_find(&(struct fit_input){.runs = f.runs}, &f.dates, &f.adjusted,
				 &f.changes, &err));
	return f;
}

/* The chance of a change where one rerun, so many days after the only run before, is off by x: its
 * odds are summed over all sizes that it may have, in steps of s / 8. s is the least that counts,
 * 0.01, of two runs. */
static double chance_by_sums(double x, double days)
{
	const double s = 0.01 * sqrt(2), disturbed = 0.05 / 0.4 * exp(-x / 0.2),
		     p = -expm1(-days / 90);
	double changed = 0, odds;

	for (double c = x - 8 * s; c < x + 8 * s; c += s / 8)
		changed += s / 8 * exp(-c * c / 2 / (0.35 * 0.35)) / (0.35 * sqrt(2 * M_PI)) *
			   0.95 * exp(-(x - c) * (x - c) / 2 / (s * s)) / (s * sqrt(2 * M_PI));
	odds = p / (1 - p) * (changed + disturbed) /
	       (0.95 * exp(-x * x / 2 / (s * s)) / (s * sqrt(2 * M_PI)) + disturbed);
	return odds / (1 + odds);
}

/* The first run was made on day 0. The likeliest size stands for all of them, to 2 %. */
TEST(one_slower_rerun_may_tell_of_the_system)
{
	struct found f = found_again(1, 25, 1.3);

	assert_int_equal(f.changes.n, 0);
	assert_null(f.adjusted);
	assert_int_equal(f.changes.suspected.n_reruns, 1);
	check_rel(f.changes.suspected.ratio, 1.3, 1e-3);
	check_rel(f.changes.suspected.chance, chance_by_sums(log(1.3), 25), 0.02);
	assert_true(f.changes.suspected.since_s == FIRST_DAY_S + 25 * DAY_S);
	release(&f);
}

TEST(reruns_tell_of_the_system_the_surer_the_more_or_the_later_they_are)
{
	static const struct {
		int n_again, day;
		double ratio;
		int n_changes;
	} rerun[] = {
		{1, 200, 1.3, 1},		     /* half a year later */
		{3, 40, 1.3, 1},  {1, 200, 0.7, 0},  /* faster: of one nothing is promised */
		{3, 40, 0.7, 1},  {3, 200, 1.05, 0}, /* as near as runs of other days are */
		{3, 200, 1, 0},
	};

	for (size_t i = 0; i < sizeof rerun / sizeof rerun[0]; i++) {
		struct found f = found_again(rerun[i].n_again, rerun[i].day, rerun[i].ratio);

		assert_int_equal(f.changes.n, rerun[i].n_changes);
		check_abs(f.changes.suspected.chance, 0, 0);
		if (f.changes.n > 0) {
			check_rel(f.changes.item[0].ratio, rerun[i].ratio, 1e-3);
			assert_true(f.changes.item[0].since_s ==
				    FIRST_DAY_S + rerun[i].day * DAY_S);
			check_rel(f.adjusted->wall_s[0], rerun[i].ratio * f.runs->wall_s[0], 1e-3);
		}
		release(&f);
	}
}

TEST(changes_are_kept_with_the_fit)
{
	const size_t b = application_column(app, "b");
	const size_t layout = application_column(app, "layout");
	const struct system_changes c = {
		2,
		{{FIRST_DAY_S, 1.5, 40, 20}, {FIRST_DAY_S + DAY_S, 0.75, 20, 10}},
		{0.5, 1.5, FIRST_DAY_S, 2},
		2,
		{{b, 16, FIRST_DAY_S, FIRST_DAY_S + 90 * DAY_S, 0.5},
		 {layout, 1, FIRST_DAY_S, FIRST_DAY_S + DAY_S, 0.25}}};
	struct system_changes back;
	struct strbuf text = STRBUF_INIT;
	struct kb_fit stored = {0};

	must(system_changes_store(&c, app, &stored, &err));
	system_changes_load(&stored, app, &back);
	assert_int_equal(back.n, 2);
	for (int i = 0; i < 2; i++) {
		assert_true(back.item[i].since_s == c.item[i].since_s);
		assert_true(back.item[i].ratio == c.item[i].ratio);
	}
	assert_true(back.suspected.chance == 0.5 && back.suspected.ratio == 1.5);
	assert_int_equal(back.n_confounded, 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(back.confounded[i].column, c.confounded[i].column);
		assert_true(back.confounded[i].value == c.confounded[i].value);
		assert_true(back.confounded[i].last_s == c.confounded[i].last_s);
		assert_true(back.confounded[i].next_s == c.confounded[i].next_s);
		assert_true(back.confounded[i].chance == c.confounded[i].chance);
	}
	assert_string_equal(kb_fit_find(&stored, "system_change_1")->meaning, "2026-01-02");
	assert_string_equal(kb_fit_find(&stored, "confounded_level_1")->meaning, "column");
	system_changes_explain(&c, app, &text);
	assert_non_null(strstr(strbuf_text(&text),
			       " From 2026-01-01 on (20 runs) like runs take 1.50 times as long as "
			       "before (40 runs)"));
	assert_non_null(strstr(strbuf_text(&text),
			       " Rerun since 2026-01-01: 2 configurations take 1.50 times as long "
			       "as before; with a chance of 0.50 the system changed"));
	assert_non_null(strstr(strbuf_text(&text),
			       " b 16 was last run on 2026-01-01 and others only from 2026-04-01 "
			       "on: a change of the system between would not show"));
	assert_non_null(strstr(strbuf_text(&text), " layout column was last run on 2026-01-01 "));
	strbuf_release(&text);
	kb_fit_release(&stored);
}

TEST_GROUP(qr_set_up, qr_tear_down)
