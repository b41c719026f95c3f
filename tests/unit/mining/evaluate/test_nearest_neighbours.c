#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/evaluate/baselines.h"

FREEABLE(config_table)
FREEABLE(nearest_neighbours)

static struct nearest_neighbours *fit(const struct dataset *d)
{
	FREED(config_table) *t = NULL;
	struct nearest_neighbours *m = NULL;

	must(config_table_make(d, &t, &err));
	must(nearest_neighbours_fit(t, NULL, &m, &err));
	return m;
}

static double time_s(const struct nearest_neighbours *m, struct qr c)
{
	double row[16];

	qr_row(app, c, row);
	return nearest_neighbours_time_s(m, row);
}

/* b of 2, 4, 8, 16 and 32, nothing else differs; times as b. */
static struct dataset *line(void)
{
	struct dataset *d = dataset_new(app);

	for (double b = 2; b <= 32; b *= 2)
		qr_add(d, (struct qr){1000, 500, b, 0, 1}, b);
	return d;
}

TEST(a_configuration_that_was_seen_is_told_by_itself)
{
	FREED(dataset) *d = line();
	FREED(nearest_neighbours) *m = fit(d);

	for (double b = 2; b <= 32; b *= 2)
		check_rel(time_s(m, (struct qr){1000, 500, b, 0, 1}), b, 1e-6);
}

/* b = 6 in steps of log 2: log2 6 = 2.585, so 8 is 0.415, 4 is 0.585 and 16 is 1.415 away (2 is
 * 1.585). Weights 1/d: 2.4094, 1.7095, 0.7067, of log2 3, 2, 4:
 * (7.2282 + 3.4190 + 2.8268) / 4.8256 = 2.79214, 2^that = 6.9266. */
TEST(the_three_nearest_count_by_the_inverse_of_their_distance)
{
	FREED(dataset) *d = line();
	FREED(nearest_neighbours) *m = fit(d);

	check_rel(time_s(m, (struct qr){1000, 500, 6, 0, 1}), 6.9266, 1e-4);
}

/* m, the first column of the application, of 2, 4, 8, 16 and 32, and nothing else differs: as with
 * b. */
TEST(the_first_column_tells_configurations_apart)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(nearest_neighbours) *m;

	for (double size = 2; size <= 32; size *= 2)
		qr_add(d, (struct qr){size, 500, 64, 0, 1}, size);
	m = fit(d);
	check_rel(time_s(m, (struct qr){8, 500, 64, 0, 1}), 8.0, 1e-6);
	check_rel(time_s(m, (struct qr){6, 500, 64, 0, 1}), 6.9266, 1e-4);
}

/* Block sizes are missing in half of the runs, which took ten times as long: what misses one is
 * told by those. */
TEST(missing_values_are_alike)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(nearest_neighbours) *m;

	for (double size = 2; size <= 64; size *= 2) {
		qr_add(d, (struct qr){size, 500, NAN, 0, 1}, 10);
		qr_add(d, (struct qr){size, 500, size, 0, 1}, 1);
	}
	m = fit(d);
	check_rel(time_s(m, (struct qr){11, 500, NAN, 0, 1}), 10.0, 1e-6);
	check_rel(time_s(m, (struct qr){11, 500, 11, 0, 1}), 1.0, 1e-6);
}

/* Halves of a design that differ in the layout, and by a factor of ten in time: a configuration
 * between two block sizes is told by those of its layout. */
TEST(another_level_is_far_away)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(nearest_neighbours) *m;

	for (double b = 2; b <= 64; b *= 2) {
		qr_add(d, (struct qr){1000, 500, b, 0, 1}, 1);
		qr_add(d, (struct qr){1000, 500, b, 1, 1}, 10);
	}
	m = fit(d);
	check_rel(time_s(m, (struct qr){1000, 500, 11, 0, 1}), 1.0, 1e-6);
	check_rel(time_s(m, (struct qr){1000, 500, 11, 1, 1}), 10.0, 1e-6);
}

/* Nothing that differs: each is told by the others, and all are alike. */
TEST(configurations_of_equal_time_leave_no_doubt)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(nearest_neighbours) *m;

	for (double b = 2; b <= 64; b *= 2)
		qr_add(d, (struct qr){1000, 500, b, 0, 1}, 3);
	m = fit(d);
	check_rel(nearest_neighbours_quantile_s(m, 3, 0.05), 3.0, 1e-9);
	check_rel(nearest_neighbours_quantile_s(m, 3, 0.95), 3.0, 1e-9);
	check_abs(nearest_neighbours_p_meet(m, 3, 2.9), 0, 0);
	check_abs(nearest_neighbours_p_meet(m, 3, 3.1), 1, 0);
}

/* Nothing larger was seen than 32: what is asked far outside is told by the last three. */
TEST(nonsense_values_still_give_a_finite_time)
{
	static const double odd[] = {0, -3, NAN, INFINITY, 1e300};
	FREED(dataset) *d = line();
	FREED(nearest_neighbours) *m = fit(d);

	for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
		double t = time_s(m, (struct qr){1000, 500, odd[i], 0, 1});

		assert_true(isfinite(t) && t >= 2 && t <= 32);
	}
}

TEST(too_few_configurations_are_refused)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	struct nearest_neighbours *m = NULL;

	qr_add(d, (struct qr){1000, 500, 16, 0, 1}, 3);
	must(config_table_make(d, &t, &err));
	must_fail(nearest_neighbours_fit(t, NULL, &m, &err), ERR_NODATA, "at least 5");
	assert_null(m);
}

/* Every configuration is compared with every other, which may take a minute. */
TEST(an_interrupt_is_obeyed)
{
	const struct progress stop = {.step = stop_at_once};
	FREED(dataset) *d = line();
	FREED(config_table) *t = NULL;
	struct nearest_neighbours *m = NULL;

	must(config_table_make(d, &t, &err));
	must_fail(nearest_neighbours_fit(t, &stop, &m, &err), ERR_INTERRUPTED, "interrupted");
	assert_null(m);
}

TEST_GROUP(qr_set_up, qr_tear_down)
