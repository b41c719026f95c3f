#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include "mining/predictor/noise_group.h"

enum { N = 24 };

/* Four configurations of each of m = 100 to 600; column i_m of the application. */
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

TEST(the_group_that_scatters_more_is_found)
{
	struct scatter s = {.off = {0}};
	struct noise_group g;
	RELEASED(strbuf) text = STRBUF_INIT;

	make(&s, 200, 5);
	must(noise_group_find(app, s.rows, s.off, N, &g, &err));
	assert_int_equal(g.column, i_m());
	assert_true(g.below);
	check_abs(g.at, 200, 0);
	assert_true(g.factor > 3.5 && g.factor < 7);
	check_abs(noise_group_factor(&g, s.row[1]), g.factor, 0); /* m = 200 */
	check_abs(noise_group_factor(&g, s.row[2]), 1, 0);
	noise_group_explain(&g, app, &text);
	assert_non_null(strstr(strbuf_text(&text), "Runs of m 200 and less scatter"));
}

TEST(runs_that_scatter_alike_are_no_groups)
{
	struct scatter s = {.off = {0}};
	struct noise_group g;
	RELEASED(strbuf) text = STRBUF_INIT;

	make(&s, 0, 1);
	must(noise_group_find(app, s.rows, s.off, N, &g, &err));
	for (size_t i = 0; i < N; i++)
		check_abs(noise_group_factor(&g, s.row[i]), 1, 0);
	noise_group_explain(&g, app, &text);
	assert_int_equal(text.len, 0);
}

/* m 100 is off, m 200 never, by not a bit: no factor could say that. */
TEST(a_rest_without_any_error_is_no_measure)
{
	struct scatter s = {.off = {0}};
	struct noise_group g;

	make(&s, 0, 1);
	for (size_t i = 0; i < N; i++) {
		s.row[i][i_m()] = i < 10 ? 100 : 200;
		s.off[i] = i < 10 ? 1 : 0;
	}
	must(noise_group_find(app, s.rows, s.off, N, &g, &err));
	for (size_t i = 0; i < N; i++)
		check_abs(noise_group_factor(&g, s.row[i]), 1, 0);
}

/* Three of six configurations: too few to tell. */
TEST(too_few_configurations_are_no_group)
{
	struct scatter s = {.off = {0}};
	struct noise_group g;

	make(&s, 300, 10);
	must(noise_group_find(app, s.rows, s.off, 6, &g, &err));
	check_abs(noise_group_factor(&g, s.row[0]), 1, 0);
}

TEST(want_of_memory_is_an_error)
{
	struct scatter s = {.off = {0}};
	struct noise_group g;

	make(&s, 200, 5);
	failing_each_allocation (noise_group_find(app, s.rows, s.off, N, &g, &err), &err)
		;
}

TEST_GROUP(qr_set_up, qr_tear_down)
