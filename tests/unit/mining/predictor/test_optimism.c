#include "tests/unit/mining/shared_qr.h"

#include "mining/predictor/cv_residuals.h"

FREEABLE(config_table)

/* Off by 1 at gap 0, by nothing far behind, in between along the line: a = 0, b = 1, exactly. The
 * mean of exp(-gap) over gaps 0, ln 2 and ln 4, each as often, is (1 + 1/2 + 1/4) / 3 = 7/12: a
 * chosen one is off by 1 - 7/12 = 5/12 more than all are, and the line leaves nothing to doubt. */
TEST(the_best_is_off_by_more_than_all_are)
{
	struct optimism_point x[12];

	for (int i = 0; i < 12; i++) {
		x[i].gap = i % 3 * log(2);
		x[i].off = exp(-x[i].gap);
	}
	check_abs(optimism_of(x, 12), 5.0 / 12, 1e-12);
	/* what all are off by is in the intervals already */
	for (int i = 0; i < 12; i++)
		x[i].off += 3;
	check_abs(optimism_of(x, 12), 5.0 / 12, 1e-12);
	assert_true(optimism_of(x, OPTIMISM_LEAST - 1) == 0);
}

/* The same with +-h, which is orthogonal to the line: the residual variance is 12 h^2 / 10, that of
 * exp(-gap) sums to 4 * ((5/12)^2 + (1/12)^2 + (4/12)^2) = 4 * 42/144 = 7/6; the standard error is
 * 5/12 sqrt(12 h^2 / 10 / (7/6)). Shrunk by 1 - (se / value)^2. */
TEST(what_is_not_well_known_counts_less)
{
	const double h = 0.5, se = 5.0 / 12 * sqrt(1.2 * h * h / (7.0 / 6)), value = 5.0 / 12;
	struct optimism_point x[12];

	for (int i = 0; i < 12; i++) {
		x[i].gap = i % 3 * log(2);
		x[i].off = exp(-x[i].gap) + (i / 3 % 2 ? h : -h);
	}
	check_abs(optimism_of(x, 12), value * (1 - se / value * (se / value)), 1e-12);
	for (int i = 0; i < 12; i++)
		x[i].off = exp(-x[i].gap) + (i / 3 % 2 ? 4 : -4);
	assert_true(optimism_of(x, 12) == 0);
}

TEST(pessimism_is_not_made_up_for)
{
	struct optimism_point x[12];

	for (int i = 0; i < 12; i++) {
		x[i].gap = i % 3 * log(2);
		x[i].off = -exp(-x[i].gap);
	}
	assert_true(optimism_of(x, 12) == 0);
	for (int i = 0; i < 12; i++)
		x[i] = (struct optimism_point){.gap = 1, .off = i};
	assert_true(optimism_of(x, 12) == 0);
}

TEST(settings_are_other_tunables_on_the_same_resources)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	struct tunable_settings s;
	double row[16], out[16];

	for (int i = 0; i < 12; i++)
		qr_add(d, (struct qr){1000 + i % 2, 100, 8 << i % 3, 0, 1 << i % 4}, 1 + i);
	must(config_table_make(d, &t, &err));
	tunable_settings_find(t, &s);
	assert_int_equal(s.n, 3);
	qr_row(app, (struct qr){5000, 300, 64, 0, 16}, row);
	for (size_t k = 0; k < s.n; k++) {
		const size_t b = application_column(app, "b");

		assert_true(tunable_settings_row(&s, k, row, out));
		assert_true(out[b] == config_table_row(t, s.config[k])[b]);
		assert_true(out[application_column(app, "m")] == 5000);
		assert_true(out[application_column(app, "procs")] == 16);
	}
}

TEST(one_setting_has_no_others)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	struct tunable_settings s;

	for (int i = 0; i < 12; i++)
		qr_add(d, (struct qr){1000 + i, 100, 8, 0, 4}, 1 + i);
	must(config_table_make(d, &t, &err));
	tunable_settings_find(t, &s);
	assert_int_equal(s.n, 0);
}

TEST_GROUP(qr_set_up, qr_tear_down)
