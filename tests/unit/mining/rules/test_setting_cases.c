#include "tests/support/shared_app.h"
#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include "mining/rules/setting_cases.h"
#include "tests/unit/mining/qr_application.h"

/* Which cases and configurations settings are tried on, from tables made by hand: columns b
 * (chosen) and n (known before) of the QR application. */

enum { MOST = 1200, MOST_COLUMNS = 16 };

static size_t chosen, known;
static enum column_use use[MOST_COLUMNS];
static unsigned char code[MOST_COLUMNS * MOST], chosen_code[MOST], known_code[MOST];
static double log_slowdown[MOST];
static uint32_t stratum[MOST], block[MOST];
static struct slowdown_table table;

static int set_up(void **state)
{
	app = qr_application();
	assert_true(app->n_columns <= MOST_COLUMNS);
	for (size_t c = 0; c < MOST_COLUMNS; c++)
		use[c] = USE_NONE;
	chosen = application_column(app, "b");
	known = application_column(app, "n");
	use[chosen] = USE_CHOICE;
	use[known] = USE_CONTEXT;
	table = (struct slowdown_table){.app = app,
					.n_columns = app->n_columns,
					.code = code,
					.use = use,
					.log_slowdown = log_slowdown,
					.stratum = stratum,
					.block = block};
	return 0;
}

static void add(uint32_t its_case, uint32_t its_block, unsigned b, unsigned n, double slow)
{
	chosen_code[table.n] = (unsigned char)b;
	known_code[table.n] = (unsigned char)n;
	log_slowdown[table.n] = slow;
	stratum[table.n] = its_case;
	block[table.n++] = its_block;
	if (its_case >= table.n_strata)
		table.n_strata = its_case + 1;
}

static void lay_out(void)
{
	for (size_t i = 0; i < table.n; i++) {
		code[chosen * table.n + i] = chosen_code[i];
		code[known * table.n + i] = known_code[i];
	}
}

static struct setting_cases gather(size_t max_cases, size_t max_configs)
{
	struct setting_cases s;

	lay_out();
	must(setting_cases_make(&table, max_cases, max_configs, &s, &err));
	return s;
}

#define IN_FIXTURE(name) TEST_WITH(name, set_up, free_app)

/* Case 0 has two that can be compared, case 1 three among others of case 2, which has four. */
IN_FIXTURE(configurations_stand_side_by_side_in_their_cases)
{
	static const uint32_t config[] = {2, 4, 6, 3, 5, 7, 9};
	RELEASED(setting_cases) s;

	add(0, 9, 0, 0, 0);
	add(0, 9, 1, 0, 0.5);
	add(1, 5, 2, 1, 0.1);
	add(2, 4, 3, 7, 0);
	add(1, 5, 4, 1, 0.3);
	add(2, 4, 5, 7, 0.4);
	add(1, 5, 6, 1, 0.2);
	add(2, 4, 7, 8, 0.8);
	add(2, 4, 8, 8, NAN);
	add(2, 4, 9, 8, 0.4);
	add(0, 9, 2, 0, NAN);
	s = gather(10, 100);
	assert_int_equal(s.n_cases, 2);
	assert_int_equal(s.n, 7);
	assert_int_equal(s.first[0], 0);
	assert_int_equal(s.first[1], 3);
	assert_int_equal(s.first[2], 7);
	for (size_t i = 0; i < 7; i++) {
		assert_int_equal(s.config[i], config[i]);
		check_abs(s.slowdown[i], log_slowdown[config[i]], 0);
		assert_int_equal(s.choice_code[i], config[i]);
	}
	check_rel(s.mean[0], 0.2, 1e-12);
	check_rel(s.mean[1], 0.4, 1e-12);
	assert_int_equal(s.block[0], 5);
	assert_int_equal(s.block[1], 4);
	assert_int_equal(s.n_choices, 1);
	assert_int_equal(s.choice[0], chosen);
	assert_int_equal(s.n_contexts, 1);
	assert_int_equal(s.context[0], known);
	assert_int_equal(s.context_code[0], 1);
	assert_int_equal(s.context_code[1], 8); /* the middle one's: third of four */
}

/* n cases of three configurations each, case c in block c. */
static void add_cases(uint32_t n)
{
	for (uint32_t c = 0; c < n; c++) {
		for (unsigned k = 0; k < 3; k++)
			add(c, c, k, 0, k);
	}
}

/* Four of ten: as soon as 10 / 4, 20 / 4, ... have been passed or reached. */
IN_FIXTURE(of_many_cases_evenly_taken_ones_are_looked_at)
{
	static const uint32_t want[] = {2, 4, 7, 9};
	struct setting_cases s;

	add_cases(10);
	s = gather(4, 100);
	assert_int_equal(s.n_cases, 4);
	for (size_t c = 0; c < 4; c++)
		assert_int_equal(s.block[c], want[c]);
	assert_int_equal(s.n, 12);
	setting_cases_release(&s);
	s = gather(10, 30);
	assert_int_equal(s.n_cases, 10);
	assert_int_equal(s.n, 30);
	setting_cases_release(&s);
}

/* Of 1000 configurations about 100, scattered; a small case beside it stays whole. */
IN_FIXTURE(of_large_cases_a_share_is_taken)
{
	size_t n_large, n_first_half = 0;
	struct setting_cases s;

	for (unsigned i = 0; i < 1000; i++)
		add(0, 0, i % 7, 0, i);
	for (unsigned i = 0; i < 100; i++)
		add(1, 1, i % 7, 0, i);
	s = gather(2, 200);
	n_large = s.first[1];
	/* binomial: 100 +- 9.5, a half 50 +- 5 */
	assert_true(n_large > 60 && n_large < 140);
	assert_int_equal(s.first[2] - s.first[1], 100);
	for (size_t i = 0; i < n_large; i++)
		n_first_half += s.config[i] < 500;
	assert_true(n_first_half > n_large / 4 && n_first_half < 3 * n_large / 4);
	setting_cases_release(&s);
	/* no case is cut below what can be chosen among, on average */
	s = gather(2, 2);
	assert_true(s.n >= 1 && s.n <= 16);
	setting_cases_release(&s);
}

IN_FIXTURE(without_cases_there_is_nothing)
{
	RELEASED(setting_cases) s;

	add(0, 0, 0, 0, 1);
	add(0, 0, 1, 0, 2);
	s = gather(10, 100);
	assert_int_equal(s.n_cases, 0);
	assert_int_equal(s.n, 0);
	assert_int_equal(s.n_choices, 1);
}

/* b 0 in two of four configurations, with 0.1 and 0.3; the others have 0.4 and 0.8. */
IN_FIXTURE(a_case_is_seen_by_a_setting)
{
	struct conjunction setting = {.n = 1};
	struct setting_contrast c;
	RELEASED(setting_cases) s;

	setting.of[0] = (struct bin_condition){.column = chosen, .lo = 0, .hi = 0};
	add_cases(1);
	add(1, 1, 0, 0, 0.1);
	add(1, 1, 1, 0, 0.4);
	add(1, 1, 0, 0, 0.3);
	add(1, 1, 2, 0, 0.8);
	s = gather(10, 100);
	c = setting_cases_contrast(&s, 1, &setting);
	assert_int_equal(c.n_in, 2);
	assert_int_equal(c.n_out, 2);
	check_rel(c.in, 0.2, 1e-12);
	check_rel(c.out, 0.6, 1e-12);
	setting.of[0].lo = setting.of[0].hi = 9;
	c = setting_cases_contrast(&s, 1, &setting);
	assert_int_equal(c.n_in, 0);
	assert_true(isnan(c.in));
	check_rel(c.out, 0.4, 1e-12);
	setting.n = 0;
	c = setting_cases_contrast(&s, 1, &setting);
	assert_int_equal(c.n_out, 0);
	assert_true(isnan(c.out));
	check_rel(c.in, 0.4, 1e-12);
}

IN_FIXTURE(a_choice_rests_on_itself_alone)
{
	size_t other = application_column(app, "layout");
	RELEASED(setting_cases) s;

	use[other] = USE_CHOICE;
	add_cases(2);
	s = gather(10, 100);
	assert_int_equal(s.n_choices, 2);
	assert_true(setting_cases_related(&s, 0, 0) && setting_cases_related(&s, 1, 1));
	assert_false(setting_cases_related(&s, 0, 1) || setting_cases_related(&s, 1, 0));
}

IN_FIXTURE(without_memory_there_are_no_cases)
{
	RELEASED(setting_cases) s = {.n = 0};

	add_cases(2);
	lay_out();
	failing_each_allocation (setting_cases_make(&table, 10, 100, &s, &err), &err)
		assert_int_equal(s.n, 0);
	assert_int_equal(s.n, 6);
}
