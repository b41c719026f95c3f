#include "models/disk_cache.h"

#include <math.h>
#include <string.h>

#include "tests/support/check.h"

/* 100 MB/s, a cache of 1 GB at 1 GB/s, 10 ms a request. */
static const struct disk_shape disk = {
	.bytes_per_s = 1e8, .request_s = 0.01, .cache_bytes = 1e9, .cache_bytes_per_s = 1e9};

static double write_s(const struct disk_shape *d, double bytes, double between_s)
{
	struct err e = {0};
	double time_s = -1;

	check_ok(disk_write_time(d, bytes, between_s, &time_s, &e), &e);
	return time_s;
}

/* Room for what the disk empties in 5 s, 500 MB: 500 / 0.9 MB go at 1 GB/s. */
static void write_fills_the_room_and_waits_for_the_disk(void **state)
{
	(void)state;
	check_rel(write_s(&disk, 2e8, 5), 0.01 + 0.2, 1e-14);
	check_rel(write_s(&disk, 1e9, 5), 0.01 + 0.5 / 0.9 + (1 - 0.5 / 0.9) * 10, 1e-14);
	/* never more room than the cache has */
	check_rel(write_s(&disk, 2e9, 1e6), 0.01 + 1 / 0.9 + (2 - 1 / 0.9) * 10, 1e-14);
	check_rel(write_s(&disk, 0, 5), 0.01, 1e-14);
}

static void without_room_the_disk_sets_the_pace(void **state)
{
	struct disk_shape d = disk;

	(void)state;
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

static void steady_state_is_that_of_the_cache_followed(void **state)
{
	const double bytes[] = {1e8, 4e8, 9e8, 1.5e9}, between_s[] = {0.5, 3, 8, 20};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k < 4; k++)
			check_rel(followed_s(&disk, bytes[i], between_s[k]),
				  write_s(&disk, bytes[i], between_s[k]), 0.01);
	}
}

static void refused(enum err_code rc, const char *says, struct err *e)
{
	assert_int_equal(rc, ERR_ARG);
	assert_non_null(strstr(e->msg, says));
	*e = (struct err){0};
}

static void numbers_that_are_no_disk_are_refused(void **state)
{
	struct disk_shape d = disk;
	struct err e = {0};
	double t = 7;

	(void)state;
	d.bytes_per_s = 0;
	refused(disk_write_time(&d, 1, 1, &t, &e), "bytes_per_s is a number > 0", &e);
	d = disk;
	d.cache_bytes = -1;
	refused(disk_write_time(&d, 1, 1, &t, &e), "cache_bytes is a number >= 0", &e);
	refused(disk_write_time(&disk, NAN, 1, &t, &e), "bytes is a number", &e);
	refused(disk_write_time(&disk, 1, -1, &t, &e), "between_s is a number", &e);
	check_rel(t, 7.0, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(write_fills_the_room_and_waits_for_the_disk),
	cmocka_unit_test(without_room_the_disk_sets_the_pace),
	cmocka_unit_test(steady_state_is_that_of_the_cache_followed),
	cmocka_unit_test(numbers_that_are_no_disk_are_refused),
};
CHECK_MAIN(tests)
