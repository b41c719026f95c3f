#include "tests/support/check.h"

#include "mining/messages/message_points.h"

static double noise_of(const struct message_point *p, size_t n)
{
	double noise = -1;
	struct err e = {0};

	check_ok(message_points_noise(p, n, &noise, &e), &e);
	return noise;
}

/* At 20 bytes, a third of the way from 10 to 40, the chord from 1 to 4 s is at 2 s, and the point
 * at 2.2 s. In shares of its cost: before (2/3) 1 / 2.2 = 0.3030, after (1/3) 4 / 2.2 = 0.6061;
 * |1 - 0.9091| / sqrt(1 + 0.3030^2 + 0.6061^2) = 0.07526, which is 0.43073 standard deviations
 * (a third of |Z| is below that). */
static void a_point_off_its_chord_tells_the_noise(void **state)
{
	static const struct message_point p[] = {{.bytes = 10, .cost_s = 1},
						 {.bytes = 20, .cost_s = 2.2},
						 {.bytes = 40, .cost_s = 4}};

	check_rel(noise_of(p, 3), 0.17472575, 1e-7);
}

static void points_on_a_line_have_no_noise(void **state)
{
	static const struct message_point p[] = {{.bytes = 10, .cost_s = 3},
						 {.bytes = 20, .cost_s = 4},
						 {.bytes = 50, .cost_s = 7},
						 {.bytes = 90, .cost_s = 11}};

	check_abs(noise_of(p, 4), 0, 1e-12);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_point_off_its_chord_tells_the_noise),
	cmocka_unit_test(points_on_a_line_have_no_noise),
};

CHECK_MAIN(tests)
