#include "tests/support/check.h"
#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"

#include "domain/configuration.h"
#include "domain/dataset.h"

static struct application *read_sweep3d(void)
{
	struct application *a = NULL;

	must(application_read("data/applications/sweep3d.conf", &a, &err));
	return a;
}

/* n runs on 1 x (i + 1) processors that took i seconds. */
static struct dataset *make_runs(const struct application *a, size_t n)
{
	struct dataset *d = dataset_new(a);
	double row[32];

	assert_non_null(d);
	configuration_clear(a, row);
	row[application_column(a, "npe_i")] = 1;
	for (size_t i = 0; i < n; i++) {
		row[application_column(a, "npe_j")] = (double)(i + 1);
		must(dataset_add(d, row, (double)i, (int64_t)i + 100, 7, SOURCE_SIMULATED,
				 i % 2 ? RUN_TIMEOUT : RUN_OK, 3, &err));
	}
	return d;
}

TEST(ten_thousand_runs_come_back_as_they_went_in)
{
	FREED(application) *a = read_sweep3d();
	FREED(dataset) *d = make_runs(a, 10000);
	size_t i_npe_j = application_column(a, "npe_j");

	assert_int_equal(d->n, 10000);
	for (size_t i = 0; i < d->n; i++) {
		const double *row = dataset_row(d, i);

		assert_true(row[i_npe_j] == (double)(i + 1));
		assert_true(row[a->i_procs] == (double)(i + 1)); /* derived here */
		assert_true(isnan(row[a->i_nodes]));
		assert_true(d->wall_s[i] == (double)i && d->run_id[i] == (int64_t)i + 100);
		assert_int_equal(d->machine_id[i], 7);
		assert_int_equal(d->source[i], SOURCE_SIMULATED);
		assert_int_equal(d->status[i], i % 2 ? RUN_TIMEOUT : RUN_OK);
		assert_int_equal(d->n_repeats[i], 3);
	}
}

TEST(a_subset_has_the_kept_runs_in_order)
{
	FREED(application) *a = read_sweep3d();
	FREED(dataset) *d = make_runs(a, 5);
	FREED(dataset) *kept = NULL;

	must(dataset_subset(d, (const unsigned char[]){0, 1, 0, 0, 2}, &kept, &err));
	assert_int_equal(kept->n, 2);
	assert_ptr_equal(kept->app, a);
	assert_int_equal(kept->run_id[0], 101);
	assert_int_equal(kept->run_id[1], 104);
	assert_int_equal(kept->status[0], RUN_TIMEOUT);
	assert_memory_equal(dataset_row(kept, 1), dataset_row(d, 4), a->n_columns * sizeof(double));
}

TEST(an_empty_subset_is_a_dataset_that_can_grow)
{
	FREED(application) *a = read_sweep3d();
	FREED(dataset) *d = make_runs(a, 1);
	FREED(dataset) *kept = NULL;

	must(dataset_subset(d, (const unsigned char[]){0}, &kept, &err));
	assert_int_equal(kept->n, 0);
	must(dataset_add(kept, dataset_row(d, 0), 1, 1, 1, SOURCE_MEASURED, RUN_OK, 1, &err));
	assert_int_equal(kept->n, 1);
	dataset_free(NULL);
}

/* 300 runs of 30 configurations, from run `first` on in steps of `step`. */
enum { CONFIGURATIONS = 30 };

static struct dataset *make_shuffled(const struct application *a, size_t first, size_t step,
				     bool shared)
{
	enum { N = 300 };
	struct dataset *one = make_runs(a, 1), *d = dataset_new(a);
	HEAP double *row = zeroed(a->n_columns, sizeof *row);

	assert_non_null(d);
	if (shared)
		assert_int_equal(dataset_share_rows(d, NULL), ERR_OK);
	memcpy(row, dataset_row(one, 0), a->n_columns * sizeof *row);
	for (size_t i = 0; i < N; i++) {
		size_t k = (first + i * step) % N;

		row[0] = k % CONFIGURATIONS == 7 ? NAN : (double)(k % CONFIGURATIONS + 1);
		assert_int_equal(dataset_add(d, row, (double)(k % 97 + 1), (int64_t)i + 1, 1,
					     SOURCE_MEASURED, k % 41 ? RUN_OK : RUN_FAILED, 1,
					     NULL),
				 ERR_OK);
		d->flagged[i] = k % 97 == 5;
	}
	dataset_free(one);
	return d;
}

TEST(ordered_by_content_shuffled_runs_are_the_same_data_set)
{
	static const size_t shuffle[][2] = {{0, 1}, {299, 299}, {17, 7}, {5, 77}, {250, 143}};
	FREED(application) *a = read_sweep3d();
	FREED(dataset) *want = make_shuffled(a, 0, 1, false);
	size_t n_moved = 0;

	must(dataset_order_by_content(want, &err));
	for (size_t i = 0; i < want->n; i++)
		n_moved += want->run_id[i] != (int64_t)i + 1;
	assert_true(n_moved > want->n / 2);
	for (size_t s = 0; s < sizeof shuffle / sizeof *shuffle; s++) {
		FREED(dataset) *d = make_shuffled(a, shuffle[s][0], shuffle[s][1], s % 2);
		HEAP unsigned char *seen = zeroed(d->n + 1, 1);

		must(dataset_order_by_content(d, &err));
		assert_int_equal(d->n, want->n);
		for (size_t i = 0; i < d->n; i++) {
			for (size_t c = 0; c < a->n_columns; c++) {
				double x = dataset_row(d, i)[c], y = dataset_row(want, i)[c];

				assert_true(x == y || (isnan(x) && isnan(y)));
			}
			check_abs(d->wall_s[i], want->wall_s[i], 0);
			assert_int_equal(d->status[i], want->status[i]);
			assert_int_equal(d->flagged[i], want->flagged[i]);
			assert_false(seen[d->run_id[i]]++); /* each once */
		}
	}
}

TEST(runs_of_one_configuration_share_a_row)
{
	FREED(application) *a = read_sweep3d();
	FREED(dataset) *d = make_shuffled(a, 17, 7, true), *apart = make_shuffled(a, 17, 7, false);
	FREED(dataset) *some = NULL;
	HEAP unsigned char *keep = zeroed(d->n, 1);

	assert_int_equal(apart->n_rows, apart->n);
	for (int ordered = 0; ordered < 2; ordered++) {
		assert_int_equal(d->n_rows, CONFIGURATIONS);
		for (size_t i = 0; i < d->n; i++)
			assert_memory_equal(dataset_row(d, i), dataset_row(apart, i),
					    a->n_columns * sizeof(double));
		must(dataset_order_by_content(d, &err));
		must(dataset_order_by_content(apart, &err));
	}
	/* in the order of the runs: the same whatever came first */
	assert_int_equal(d->row_of[0], 0);
	/* of a part only the rows of its runs are kept */
	for (size_t i = 0; i < d->n; i++)
		keep[i] = d->row_of[i] == 4 || d->row_of[i] == 9;
	must(dataset_subset(d, keep, &some, &err));
	assert_int_equal(some->n, 2 * 300 / CONFIGURATIONS);
	assert_int_equal(some->n_rows, 2);
	assert_memory_equal(dataset_row(some, some->n - 1), d->rows + 9 * a->n_columns,
			    a->n_columns * sizeof(double));
}

/* Negative zero is another row: how a value is written must not depend on which run came first. */
TEST(rows_are_shared_only_if_every_bit_is_the_same)
{
	FREED(application) *a = read_sweep3d();
	FREED(dataset) *one = make_runs(a, 1), *d = NULL;
	HEAP double *row = zeroed(a->n_columns, sizeof *row);
	struct err e = {0};

	d = dataset_new(a);
	assert_non_null(d);
	failing_each_allocation (dataset_share_rows(d, &e), &e)
		assert_null(d->shared);
	check_ok(e.code, &e);
	memcpy(row, dataset_row(one, 0), a->n_columns * sizeof *row);
	for (int i = 0; i < 6; i++) {
		row[0] = i % 3 == 2 ? NAN : i % 3 == 1 ? -0.0 : 0.0;
		check_ok(dataset_add(d, row, 1, i + 1, 1, SOURCE_MEASURED, RUN_OK, 1, &e), &e);
	}
	assert_int_equal(d->n, 6);
	assert_int_equal(d->n_rows, 3);
	assert_false(signbit(dataset_row(d, 3)[0]));
	assert_true(signbit(dataset_row(d, 4)[0]));
}

TEST(order_of_none_and_of_one)
{
	FREED(application) *a = read_sweep3d();
	FREED(dataset) *none = dataset_new(a), *one = make_runs(a, 1);

	assert_non_null(none);
	must(dataset_order_by_content(none, &err));
	must(dataset_order_by_content(one, &err));
	assert_int_equal(none->n, 0);
	assert_int_equal(one->run_id[0], 100);
}

TEST(without_memory_the_order_stays)
{
	FREED(application) *a = read_sweep3d();
	FREED(dataset) *d = make_runs(a, 50);
	struct err e = {0};

	failing_each_allocation (dataset_order_by_content(d, &e), &e) {
		for (size_t i = 0; i < d->n; i++)
			assert_int_equal(d->run_id[i], 100 + (int64_t)i);
	}
	check_ok(e.code, &e);
}

TEST(sources_and_statuses_have_names)
{
	for (int s = 0; s < SOURCE_COUNT; s++)
		assert_int_equal(run_source_from(run_source_name((enum run_source)s)), s);
	for (int s = 0; s < RUN_STATUS_COUNT; s++)
		assert_int_equal(run_status_from(run_status_name((enum run_status)s)), s);
	assert_int_equal(run_source_from("Measured"), -1);
	assert_int_equal(run_status_from(""), -1);
	assert_string_equal(run_source_name(SOURCE_COUNT), "unknown");
	assert_string_equal(run_status_name(RUN_STATUS_COUNT), "unknown");
}
