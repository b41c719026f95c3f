#include "tune/tune_neighbourhood.h"

#include "tests/support/check.h"

/* o = 10 us and L = 40 us; a kilobyte takes a link 20 us, and the processor none of it. */
static const struct tune_network network = {
	.small_bytes = 8,
	.large_bytes = 10008,
	.post_s = {10e-6, 10e-6},
	.message_s = {50e-6, 250e-6},
};

/* 4 x 4 processes in two dimensions: two messages of 5 008 bytes up and down, 150 us each, two of
 * 8 bytes, 50 us. */
static struct neighbourhood_shape shape_of_four(void)
{
	struct neighbourhood_shape s = {.n_procs = 16, .n_messages = 4};

	s.bytes[0] = s.bytes[1] = 5008;
	s.bytes[2] = s.bytes[3] = 8;
	return s;
}

static void check_us(int pattern, int primitive, double want_us)
{
	const struct neighbourhood_shape s = shape_of_four();
	const int values[] = {pattern, DERIVED, primitive, NO_OVERLAP};

	check_rel(1e6 * neighbourhood_expected_s(&s, values, &network), want_us, 1e-12);
}

/* All at once: 100 us a large message for the link, 10 us a small one for the processor, L once:
 * 100 + 100 + 10 + 10 + 40. In turn: 150 + 150 + 50 + 50. */
TEST(two_sided_exchanges_by_hand)
{
	check_us(AAO, ISEND_IRECV, 260);
	check_us(AAO, SEND_IRECV, 260);
	check_us(PAIR, ISEND_IRECV, 400);
	check_us(PAIR, SENDRECV, 400);
	check_us(PAIR, SEND_RECV, 800);
}

/* A fence of 16 processes: 4 rounds of 50 us, twice or once more than there are messages. A get
 * asks first: L, for each message if it waits for the one before. */
TEST(fences_by_hand)
{
	check_us(AAO, FENCE_PUT, 260 + 2 * 200);
	check_us(AAO, FENCE_GET, 260 + 2 * 200 + 40);
	check_us(PAIR, FENCE_PUT, 400 + 5 * 200);
	check_us(PAIR, FENCE_GET, 400 + 5 * 200 + 4 * 40);
}

/* Four notes before and four after, 10 us each and L; or two with each message, 50 us each. */
TEST(epochs_by_hand)
{
	check_us(AAO, PS_PUT, 260 + 2 * (4 * 10 + 40));
	check_us(AAO, PS_GET, 260 + 2 * (4 * 10 + 40) + 40);
	check_us(PAIR, PS_PUT, 400 + 4 * 2 * 50);
	check_us(PAIR, PS_GET, 400 + 4 * 2 * 50 + 4 * 40);
}

/* Where there is no neighbour there is no message, but fences are everybody's. */
TEST(messages_without_a_neighbour_cost_nothing)
{
	struct neighbourhood_shape s = shape_of_four();
	const int pair[] = {PAIR, DERIVED, ISEND_IRECV, NO_OVERLAP};
	const int fence[] = {PAIR, DERIVED, FENCE_PUT, NO_OVERLAP};

	s.bytes[0] = s.bytes[2] = 0;
	check_rel(neighbourhood_expected_s(&s, pair, &network), 200e-6, 1e-12);
	check_rel(neighbourhood_expected_s(&s, fence, &network), 1200e-6, 1e-12);
}

/* Noise may make the large message the faster one: then size plays no part, and no time is below
 * that of posting. */
TEST(measured_nonsense_gives_finite_times)
{
	const struct neighbourhood_shape s = shape_of_four();
	const struct tune_network nonsense = {8, 1024, {9e-6, 1e-6}, {5e-6, 1e-6}};

	for (int primitive = ISEND_IRECV; primitive <= PS_GET; primitive++) {
		const int values[] = {PAIR, DERIVED, primitive, NO_OVERLAP};

		assert_true(neighbourhood_expected_s(&s, values, &nonsense) >= 4 * 9e-6);
		assert_true(neighbourhood_expected_s(&s, values, &nonsense) < 1e-3);
	}
}
