#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/cases/collinear_columns.h"

FREEABLE(slowdown_table)

static size_t column(const char *name)
{
	return application_column(app, name);
}

/* twin[5] of the runs, which it frees. */
static void find_twins(struct dataset *d, struct collinear_column twin[5])
{
	FREED(slowdown_table) *t = NULL;

	assert_int_equal(app->n_columns, 5);
	must(slowdown_table_make(d, NULL, &t, &err));
	must(collinear_columns(t, twin, &err));
	dataset_free(d);
}

TEST(a_weak_scaled_problem_moves_with_its_processors)
{
	struct dataset *d = dataset_new(app);
	RELEASED(strbuf) text = STRBUF_INIT;
	struct collinear_column twin[5];

	for (int i = 0; i < 12; i++)
		qr_add(d, (struct qr){100 << i / 3, 100, 8 << i % 3, 0, 1 << i / 3}, 1 + i);
	find_twins(d, twin);
	assert_int_equal(twin[column("m")].column, column("procs"));
	assert_int_equal(twin[column("procs")].column, column("m"));
	assert_false(twin[column("m")].of_product);
	check_abs(twin[column("m")].rho, 1, 0);
	assert_int_equal(twin[column("n")].column, SIZE_MAX);
	assert_int_equal(twin[column("b")].column, SIZE_MAX);

	collinear_column_put_text(app, column("procs"), &twin[column("procs")], &text);
	assert_string_equal(strbuf_text(&text),
			    "m and procs move together in these runs (rank correlation 1): what "
			    "either does to time cannot be told apart");
}

/* 16 (m, n) in a square, procs = m n / 10^4: rho(m n, procs) = 1, and of m alone far less. */
TEST(a_problem_that_grows_in_every_direction_moves_as_a_product)
{
	struct dataset *d = dataset_new(app);
	RELEASED(strbuf) text = STRBUF_INIT;
	struct collinear_column twin[5];

	for (int i = 0; i < 16; i++) {
		double m = 100 << i % 4, n = 100 << i / 4;

		qr_add(d, (struct qr){m, n, 8, 0, m * n / 1e4}, 1 + i);
	}
	find_twins(d, twin);
	assert_int_equal(twin[column("m")].column, column("procs"));
	assert_int_equal(twin[column("n")].column, column("procs"));
	assert_int_equal(twin[column("procs")].column, column("m"));
	assert_true(twin[column("m")].of_product && twin[column("procs")].of_product);
	collinear_column_put_text(app, column("n"), &twin[column("n")], &text);
	assert_non_null(strstr(strbuf_text(&text), "m * n and procs move together"));
}

TEST(a_crossed_design_has_no_twins)
{
	struct collinear_column twin[5];

	find_twins(qr_runs(app, qr_power_law, 0), twin);
	for (size_t c = 0; c < 5; c++)
		assert_int_equal(twin[c].column, SIZE_MAX);
}

TEST(two_combinations_tell_nothing)
{
	struct dataset *d = dataset_new(app);
	struct collinear_column twin[5];

	qr_add(d, (struct qr){100, 100, 8, 0, 1}, 1);
	qr_add(d, (struct qr){200, 100, 8, 0, 2}, 1);
	find_twins(d, twin);
	for (size_t c = 0; c < 5; c++)
		assert_int_equal(twin[c].column, SIZE_MAX);
}

/* jt and npe_j are linked by definition; npe_j and jt_g need not be. */
TEST(what_follows_from_the_definition_is_known_by_its_roots)
{
	FREED(application) *sweep = NULL;
	HEAP unsigned char *roots = NULL;

	must(application_read("data/applications/sweep3d.conf", &sweep, &err));
	must(column_roots(sweep, &roots, &err));
	assert_true(columns_share_roots(sweep, roots, application_column(sweep, "jt"),
					application_column(sweep, "npe_j")));
	assert_true(columns_share_roots(sweep, roots, application_column(sweep, "efficiency"),
					application_column(sweep, "mk")));
	assert_false(columns_share_roots(sweep, roots, application_column(sweep, "procs"),
					 application_column(sweep, "mk")));
	assert_false(columns_share_roots(sweep, roots, application_column(sweep, "jt_g"),
					 application_column(sweep, "npe_j")));
}

TEST_GROUP(qr_set_up, qr_tear_down)
