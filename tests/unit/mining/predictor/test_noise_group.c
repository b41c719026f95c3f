#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include <string.h>

#include "mining/predictor/noise_group.h"
#include "mining/predictor/slow_runs.h"

enum { N = 24 };

/* Four configurations of each of m = 100 to 600; column i_m of the class. */
struct scatter {
	double row[N][16];
	const double *rows[N];
	double off[N];
};

static size_t i_m(void)
{
	for (size_t c = 0; c < app->n_columns; c++) {
		if (!strcmp(app->column[c].name, "m"))
			return c;
	}
	fail();
	return 0;
}

/* Off by 0.5 to 1.5, of m <= at by `factor` times that. */
static void make(struct scatter *s, double at, double factor)
{
	uint64_t seed = 1;

	assert_true(app->n_columns <= 16);
	for (size_t i = 0; i < N; i++) {
		const double m = 100 * (double)(1 + i % 6);

		memset(s->row[i], 0, sizeof s->row[i]);
		s->row[i][i_m()] = m;
		s->rows[i] = s->row[i];
		s->off[i] = uniform_draw(&seed, 0.5, 1.5) * (m <= at ? factor : 1);
	}
}

static void the_group_that_scatters_more_is_found(void **state)
{
	struct scatter s = {.off = {0}};
	struct noise_group g;
	struct strbuf text = STRBUF_INIT;
	struct err e = {0};

	make(&s, 200, 5);
	check_ok(noise_group_find(app, s.rows, s.off, N, &g, &e), &e);
	assert_int_equal(g.column, i_m());
	assert_true(g.below);
	check_abs(g.at, 200, 0);
	assert_true(g.factor > 3.5 && g.factor < 7);
	check_abs(noise_group_factor(&g, s.row[1]), g.factor, 0); /* m = 200 */
	check_abs(noise_group_factor(&g, s.row[2]), 1, 0);
	noise_group_explain(&g, app, &text);
	assert_non_null(strstr(strbuf_text(&text), "Runs of m 200 and less scatter"));
	strbuf_release(&text);
}

static void runs_that_scatter_alike_are_no_groups(void **state)
{
	struct scatter s = {.off = {0}};
	struct noise_group g;
	struct strbuf text = STRBUF_INIT;
	struct err e = {0};

	make(&s, 0, 1);
	check_ok(noise_group_find(app, s.rows, s.off, N, &g, &e), &e);
	for (size_t i = 0; i < N; i++)
		check_abs(noise_group_factor(&g, s.row[i]), 1, 0);
	noise_group_explain(&g, app, &text);
	assert_int_equal(text.len, 0);
	strbuf_release(&text);
}

/* m 100 is off, m 200 never, by not a bit: no factor could say that. */
static void a_rest_without_any_error_is_no_measure(void **state)
{
	struct scatter s = {.off = {0}};
	struct noise_group g;
	struct err e = {0};

	make(&s, 0, 1);
	for (size_t i = 0; i < N; i++) {
		s.row[i][i_m()] = i < 10 ? 100 : 200;
		s.off[i] = i < 10 ? 1 : 0;
	}
	check_ok(noise_group_find(app, s.rows, s.off, N, &g, &e), &e);
	for (size_t i = 0; i < N; i++)
		check_abs(noise_group_factor(&g, s.row[i]), 1, 0);
}

/* Three of six configurations: too few to tell. */
static void too_few_configurations_are_no_group(void **state)
{
	struct scatter s = {.off = {0}};
	struct noise_group g;
	struct err e = {0};

	make(&s, 300, 10);
	check_ok(noise_group_find(app, s.rows, s.off, 6, &g, &e), &e);
	check_abs(noise_group_factor(&g, s.row[0]), 1, 0);
}

static void want_of_memory_is_an_error(void **state)
{
	struct scatter s = {.off = {0}};
	struct noise_group g;
	struct err e = {0};

	make(&s, 200, 5);
	failing_each_allocation (noise_group_find(app, s.rows, s.off, N, &g, &e), &e)
		;
}

/* ---- failures by chance (slow_runs.h) ---- */

/* Two runs of each of qr_design(): of those that fails() picks none, one or both failed. */
static void make_failures(bool (*fails)(struct qr c), bool always, struct dataset **ended,
			  struct dataset **failed)
{
	*ended = dataset_new(app);
	*failed = dataset_new(app);
	for (int i = 0; i < QR_DESIGN_N; i++) {
		const struct qr c = qr_design(i);

		for (int k = 0; k < 2; k++) {
			if (fails(c) && (always || (i >> k & 1)))
				qr_add_as(*failed, c, (double)NAN, RUN_FAILED);
			else
				qr_add(*ended, c, qr_power_law(c));
		}
	}
}

static double chance_of(const struct chance_failures *m, struct qr c)
{
	double row[16];

	qr_row(app, c, row);
	return chance_failures_at(m, app, row);
}

static void learn_failures(bool (*fails)(struct qr c), bool always, struct chance_failures *m)
{
	struct dataset *ended, *failed;
	struct err e = {0};

	make_failures(fails, always, &ended, &failed);
	check_ok(chance_failures_make(ended, failed, m, &e), &e);
	dataset_free(ended);
	dataset_free(failed);
}

static bool on_16(struct qr c)
{
	return c.procs == 16;
}

static bool in_columns(struct qr c)
{
	return c.layout == 1;
}

static bool is_large(struct qr c)
{
	return c.m == 16000 && c.n == 2000;
}

static bool never(struct qr c)
{
	return !(c.m > 0);
}

/* Half of the runs on 16 processes failed, whatever was chosen. */
static void what_failed_by_chance_may_fail_again(void **state)
{
	struct chance_failures m, back;
	struct kb_fit fit = {0};
	struct err e = {0};

	learn_failures(on_16, false, &m);
	assert_in_range(1000 * chance_of(&m, (struct qr){4000, 1000, 64, 0, 16}), 400, 600);
	assert_in_range(1000 * chance_of(&m, (struct qr){8000, 3000, 99, 0, 16}), 400, 600);
	assert_in_range(1000 * chance_of(&m, (struct qr){4000, 1000, 64, 0, 4}), 0, 20);
	check_ok(chance_failures_store(&m, &fit, &e), &e);
	check_ok(chance_failures_load(&fit, &back, &e), &e);
	for (int i = 0; i < QR_DESIGN_N; i++)
		check_abs(chance_of(&back, qr_design(i)), chance_of(&m, qr_design(i)), 0);
	chance_failures_release(&back);
	chance_failures_release(&m);
	kb_fit_release(&fit);
}

static void chance_goes_with_what_was_chosen(void **state)
{
	struct chance_failures m;

	learn_failures(in_columns, false, &m);
	assert_in_range(1000 * chance_of(&m, (struct qr){4000, 1000, 64, 1, 16}), 400, 600);
	assert_in_range(1000 * chance_of(&m, (struct qr){4000, 1000, 64, 0, 16}), 0, 20);
	chance_failures_release(&m);
}

/* No run of what failed ended: there may be a reason. */
static void what_failed_always_is_no_chance(void **state)
{
	struct chance_failures m;

	learn_failures(is_large, true, &m);
	check_abs(chance_of(&m, (struct qr){16000, 2000, 64, 0, 16}), 0, 0);
	check_abs(chance_of(&m, (struct qr){4000, 1000, 64, 0, 16}), 0, 0);
	chance_failures_release(&m);
	learn_failures(never, false, &m);
	check_abs(chance_of(&m, (struct qr){4000, 1000, 64, 0, 16}), 0, 0);
	chance_failures_release(&m);
}

static void want_of_memory_for_failures_is_an_error(void **state)
{
	struct chance_failures m = {0};
	struct dataset *ended, *failed;
	struct err e = {0};

	make_failures(on_16, false, &ended, &failed);
	failing_each_allocation (chance_failures_make(ended, failed, &m, &e), &e)
		;
	chance_failures_release(&m);
	dataset_free(ended);
	dataset_free(failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_group_that_scatters_more_is_found),
		cmocka_unit_test(runs_that_scatter_alike_are_no_groups),
		cmocka_unit_test(a_rest_without_any_error_is_no_measure),
		cmocka_unit_test(too_few_configurations_are_no_group),
		cmocka_unit_test(want_of_memory_is_an_error),
		cmocka_unit_test(what_failed_by_chance_may_fail_again),
		cmocka_unit_test(chance_goes_with_what_was_chosen),
		cmocka_unit_test(what_failed_always_is_no_chance),
		cmocka_unit_test(want_of_memory_for_failures_is_an_error),
	};

	return cmocka_run_group_tests(tests, qr_set_up, qr_tear_down);
}
