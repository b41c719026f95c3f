#include "tests/support/check.h"

#include "models/storage_time.h"

/* 8 targets of 100 MB/s without a cache, 1 ms a request; files on 4 of them, stripes of 1 MB; 2 ms
 * to open, links of 500 MB/s. */
static const struct file_system_shape system_of_eight = {
	.target = {.bytes_per_s = 1e8, .request_s = 1e-3},
	.targets = 8,
	.stripe_count = 4,
	.stripe_bytes = 1e6,
	.open_s = 2e-3,
	.link_bytes_per_s = 5e8,
	.layout = FILES_SHARED,
	.aggregators = 4,
};
/* 16 processes with 6.25 MB each, in 50 pieces. */
static const struct file_amount amount = {.bytes = 1e8, .procs = 16, .pieces = 50};

static struct file_system_time time_of(enum file_layout layout, const struct file_amount *a)
{
	struct file_system_shape f = system_of_eight;
	struct file_system_time t = {0};

	f.layout = layout;
	must(file_system_write_time(&f, a, &t, &err));
	return t;
}

/* 100 stripes, 25 on each of 4 targets; 16 * 50 pieces, 200 on each. Target 200 ms + 250 ms, link
 * 6.25 MB / 500 MB/s = 12.5 ms; 16 * 2 ms to open. */
TEST(shared_file_by_hand)
{
	const struct file_system_time t = time_of(FILES_SHARED, &amount);

	check_rel(t.target_bytes, 25e6, 1e-14);
	check_rel(t.target_requests, 200.0, 0);
	check_rel(t.open_s, 0.032, 1e-14);
	check_rel(t.link_s, 0.0125, 1e-14);
	check_rel(t.target_s, 0.45, 1e-14);
	check_rel(t.time_s, 0.482, 1e-14);
}

/* 4 of 16 write 25 MB each: they get 25 - 6.25 MB from the others in 37.5 ms; 25 requests and 25 MB
 * a target: 275 ms; 50 ms for the link meanwhile; 4 * 2 ms. */
TEST(collective_writes_by_hand)
{
	const struct file_system_time t = time_of(FILES_COLLECTIVE, &amount);
	struct file_amount few = amount;

	check_rel(t.target_requests, 25.0, 0);
	check_rel(t.exchange_s, 0.0375, 1e-14);
	check_rel(t.link_s, 0.05, 1e-14);
	check_rel(t.time_s, 0.008 + 0.0375 + 0.275, 1e-14);
	/* no more aggregators than processes: nothing to exchange */
	few.procs = 2;
	check_rel(time_of(FILES_COLLECTIVE, &few).exchange_s, 0.0, 0);
}

/* 16 files of 6.25 MB: 7 stripes on 4 targets, 2 MB on the first, which is dealt 16 * 4 / 8 = 8
 * parts: 16 MB. 16 * 7 stripes in all, 112 * 16 / 100 = 17.92 requests, 18. */
TEST(file_per_process_by_hand)
{
	const struct file_system_time t = time_of(FILES_PER_PROCESS, &amount);

	check_rel(t.target_bytes, 16e6, 1e-14);
	check_rel(t.target_requests, 18.0, 0);
	check_rel(t.time_s, 0.032 + 0.018 + 0.16, 1e-14);
}

/* Stripes dealt out one by one. */
static double busiest_bytes(const struct file_system_shape *f, double files, double bytes)
{
	double on[8] = {0}, most = 0;

	for (int k = 0; k < (int)files; k++) {
		double left = bytes / files;

		for (int n = 0; left > 0; n++) {
			const int at = k * (int)f->stripe_count + n % (int)f->stripe_count;

			on[at % (int)f->targets] += fmin(left, f->stripe_bytes);
			left -= f->stripe_bytes;
		}
	}
	for (int k = 0; k < 8; k++)
		most = fmax(most, on[k]);
	return most;
}

/* Where each target gets the first parts of as many files, or there is one file, the busiest target
 * is exactly that of stripes dealt out; otherwise it is no less busy. */
TEST(busiest_target_is_that_of_stripes_dealt_out)
{
	for (double stripes = 1; stripes <= 8; stripes++) {
		for (double procs = 1; procs <= 12; procs++) {
			struct file_system_shape f = system_of_eight;
			struct file_amount a = {
				.bytes = procs * 5.3e6, .procs = procs, .pieces = 1};
			struct file_system_time t = {0};
			double dealt;

			f.stripe_count = stripes;
			must(file_system_write_time(&f, &a, &t, &err));
			check_rel(t.target_bytes, busiest_bytes(&f, 1, a.bytes), 1e-12);
			f.layout = FILES_PER_PROCESS;
			must(file_system_write_time(&f, &a, &t, &err));
			dealt = busiest_bytes(&f, procs, a.bytes);
			assert_true(t.target_bytes >= dealt * (1 - 1e-12));
			if (stripes == 1)
				check_rel(t.target_bytes, dealt, 1e-12);
		}
	}
}

/* A target with a cache, one file on one target, one process: a disk behind its cache. */
TEST(one_target_is_a_disk)
{
	struct file_system_shape f = system_of_eight;
	struct file_amount a = {.bytes = 1e6, .procs = 1, .pieces = 1, .between_s = 0.005};
	struct file_system_time t = {0};

	f.targets = f.stripe_count = 1;
	f.target = (struct disk_shape){1e8, 0.01, 1e7, 1e9};
	f.open_s = 0;
	must(file_system_write_time(&f, &a, &t, &err));
	/* 0.5 / 0.9 MB at 1 GB/s, the rest at 100 MB/s */
	check_rel(t.time_s, 0.01 + 5e-4 / 0.9 + (1e6 - 5e5 / 0.9) / 1e8, 1e-12);
}

TEST(nothing_to_write_takes_opening)
{
	const struct file_amount nothing = {.procs = 16, .pieces = 1};

	for (int layout = 0; layout < FILES_LAYOUTS; layout++) {
		const struct file_system_time t = time_of((enum file_layout)layout, &nothing);

		check_rel(t.time_s, t.open_s, 0);
		assert_true(t.open_s > 0);
	}
}

static void refused(const struct file_system_shape *f, const struct file_amount *a,
		    const char *says)
{
	struct file_system_time t = {.time_s = 7};

	must_fail(file_system_write_time(f, a, &t, &err), ERR_ARG, says);
	check_rel(t.time_s, 7.0, 0);
}

TEST(numbers_that_are_no_file_system_are_refused)
{
	struct file_system_shape f = system_of_eight;
	struct file_amount a = amount;

	f.targets = 2.5;
	refused(&f, &a, "targets is a whole number >= 1, not 2.5");
	f = system_of_eight;
	f.stripe_count = 9;
	refused(&f, &a, "a file on 9 targets of 8");
	f = system_of_eight;
	f.stripe_bytes = 0;
	refused(&f, &a, "numbers > 0, not 0");
	f = system_of_eight;
	f.layout = FILES_COLLECTIVE;
	f.aggregators = 0;
	refused(&f, &a, "aggregators are a whole number >= 1, not 0");
	f = system_of_eight;
	f.target.bytes_per_s = -1;
	refused(&f, &a, "bytes_per_s is a number > 0");
	f = system_of_eight;
	a.bytes = NAN;
	refused(&f, &a, "bytes is a number >= 0");
	a = amount;
	a.bytes = 1e308;
	f.link_bytes_per_s = 1e-300;
	refused(&f, &a, "too large for a number");
}

/* ---- one disk ---- */

/* 100 MB/s, a cache of 1 GB at 1 GB/s, 10 ms a request. */
static const struct disk_shape disk = {
	.bytes_per_s = 1e8, .request_s = 0.01, .cache_bytes = 1e9, .cache_bytes_per_s = 1e9};

static double write_s(const struct disk_shape *d, double bytes, double between_s)
{
	double time_s = -1;

	must(disk_write_time(d, bytes, between_s, &time_s, &err));
	return time_s;
}

/* Room for what the disk empties in 5 s, 500 MB: 500 / 0.9 MB go at 1 GB/s. */
TEST(write_fills_the_room_and_waits_for_the_disk)
{
	check_rel(write_s(&disk, 2e8, 5), 0.01 + 0.2, 1e-14);
	check_rel(write_s(&disk, 1e9, 5), 0.01 + 0.5 / 0.9 + (1 - 0.5 / 0.9) * 10, 1e-14);
	/* never more room than the cache has */
	check_rel(write_s(&disk, 2e9, 1e6), 0.01 + 1 / 0.9 + (2 - 1 / 0.9) * 10, 1e-14);
	check_rel(write_s(&disk, 0, 5), 0.01, 1e-14);
}

TEST(without_room_the_disk_sets_the_pace)
{
	struct disk_shape d = disk;

	check_rel(write_s(&disk, 1e9, 0), 0.01 + 10, 1e-14);
	d.cache_bytes = 0;
	check_rel(write_s(&d, 1e9, 100), 0.01 + 10, 1e-14);
	d = disk;
	d.cache_bytes_per_s = 1e8; /* no faster than the disk */
	check_rel(write_s(&d, 1e9, 100), 0.01 + 10, 1e-14);
}

/* The cache followed byte by byte, in steps of dt, over many writes: the last one counts. */
static double followed_s(const struct disk_shape *d, double bytes, double between_s)
{
	const double dt = 1e-4;
	double dirty = 0, last_s = 0;

	for (int n = 0; n < 30; n++) {
		double left = bytes;

		for (last_s = 0; left > 0; last_s += dt) {
			const double room = d->cache_bytes - dirty + d->bytes_per_s * dt;
			const double takes = fmin(left, fmin(d->cache_bytes_per_s * dt, room));

			left -= takes;
			dirty = fmax(0, dirty + takes - d->bytes_per_s * dt);
		}
		dirty = fmax(0, dirty - d->bytes_per_s * between_s);
	}
	return last_s + d->request_s;
}

TEST(steady_state_is_that_of_the_cache_followed)
{
	const double bytes[] = {1e8, 4e8, 9e8, 1.5e9}, between_s[] = {0.5, 3, 8, 20};

	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k < 4; k++)
			check_rel(followed_s(&disk, bytes[i], between_s[k]),
				  write_s(&disk, bytes[i], between_s[k]), 0.01);
	}
}

static void disk_refused(enum err_code rc, const char *says, struct err *e)
{
	assert_int_equal(rc, ERR_ARG);
	assert_non_null(strstr(e->msg, says));
	*e = (struct err){0};
}

TEST(numbers_that_are_no_disk_are_refused)
{
	struct disk_shape d = disk;
	double t = 7;

	d.bytes_per_s = 0;
	disk_refused(disk_write_time(&d, 1, 1, &t, &err), "bytes_per_s is a number > 0", &err);
	d = disk;
	d.cache_bytes = -1;
	disk_refused(disk_write_time(&d, 1, 1, &t, &err), "cache_bytes is a number >= 0", &err);
	disk_refused(disk_write_time(&disk, NAN, 1, &t, &err), "bytes is a number", &err);
	disk_refused(disk_write_time(&disk, 1, -1, &t, &err), "between_s is a number", &err);
	check_rel(t, 7.0, 0);
}
