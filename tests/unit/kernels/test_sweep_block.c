#include "kernels/sweep_block.h"

#include "kernels/transport.h"
#include "tests/support/check.h"

enum { IT = 3, JT = 4, KT = 5, CELLS = IT * JT * KT };

/* One block of everything, with the faces of one octant. */
struct box {
	struct sweep_angles angles;
	struct sweep_cells cells;
	double source[CELLS], flux[CELLS];
	double face_i[SWEEP_MAX_ANGLES * KT * JT];
	double face_j[SWEEP_MAX_ANGLES * KT * IT];
	double face_k[SWEEP_MAX_ANGLES * JT * IT];
};

static void fill(double *x, size_t n, double value)
{
	for (size_t i = 0; i < n; i++)
		x[i] = value;
}

static void box_init(struct box *b, double source, double inflow)
{
	memset(b, 0, sizeof *b);
	assert_true(sweep_angles_set(6, &b->angles));
	b->cells = (struct sweep_cells){.it = IT,
					.jt = JT,
					.kt = KT,
					.dx = 0.3,
					.dy = 0.2,
					.dz = 0.1,
					.sigma = 2,
					.source = b->source,
					.flux = b->flux};
	fill(b->source, CELLS, source);
	fill(b->face_i, sizeof b->face_i / sizeof *b->face_i, inflow);
	fill(b->face_j, sizeof b->face_j / sizeof *b->face_j, inflow);
	fill(b->face_k, sizeof b->face_k / sizeof *b->face_k, inflow);
}

static long box_sweep(struct box *b, int octant, bool fixup)
{
	struct sweep_task task = {.n_k = KT, .n_angle = b->angles.n, .fixup = fixup};

	sweep_task_octant(octant, &task);
	return sweep_block_do(&b->cells, &b->angles, &task, b->face_i, b->face_j, b->face_k);
}

TEST(weights_of_an_octant_sum_to_an_eighth_and_cosines_to_one)
{
	struct sweep_angles a;

	for (int n = 3; n <= 6; n += 3) {
		double sum = 0;

		assert_true(sweep_angles_set(n, &a));
		for (int m = 0; m < n; m++) {
			sum += a.weight[m];
			/* seven digits in the source */
			check_rel(a.mu[m] * a.mu[m] + a.eta[m] * a.eta[m] + a.xi[m] * a.xi[m], 1.0,
				  5e-7);
		}
		check_rel(sum, 0.125, 1e-6);
	}
	assert_false(sweep_angles_set(4, &a));
}

/* With q = sigma psi and inflow psi, psi stays what it is: 3 = 6 / 2 in all cells. */
TEST(an_infinite_medium_stays_as_it_is)
{
	struct box b;

	for (int octant = 0; octant < SWEEP_OCTANTS; octant++) {
		box_init(&b, 6, 3);
		assert_int_equal(box_sweep(&b, octant, true), 0);
		for (int c = 0; c < CELLS; c++)
			check_rel(b.flux[c], 3.0 / 8, 1e-6); /* the weights sum to 1/8 */
		check_rel(b.face_i[0], 3.0, 1e-12);
		check_rel(b.face_k[IT * JT - 1], 3.0, 1e-12);
	}
}

/* One cell by hand: mu = 0.9261808, eta = xi = 0.2666355, dx, dy, dz = 0.3, 0.2, 0.1, sigma = 2, q
 * = 1, inflow 1, 0, 0. c = 6.174538667, 2.666355, 5.33271; psi = (1 + 6.174538667) / 16.173603667
 * = 0.443595551; outflow in j: 2 psi, in i: 2 psi - 1 < 0. */
TEST(one_cell_is_the_hand_calculation)
{
	struct box b;
	struct sweep_task task = {
		.i_up = true, .j_up = true, .k_up = true, .n_k = 1, .angle_first = 2, .n_angle = 1};

	box_init(&b, 1, 0);
	b.cells.it = b.cells.jt = b.cells.kt = 1;
	b.face_i[0] = 1;
	assert_int_equal(sweep_block_do(&b.cells, &b.angles, &task, b.face_i, b.face_j, b.face_k),
			 0);
	check_rel(b.flux[0], 0.443595551 * 0.1761263 / 8, 1e-8);
	check_rel(b.face_i[0], 2 * 0.443595551 - 1, 1e-7);
	check_rel(b.face_j[0], 2 * 0.443595551, 1e-8);
}

/* The same cell with a fix-up: the outflow in i is held at zero, half of c_i leaves the numerator
 * and all of it the denominator: psi = (1 + 3.087269333) / (2 + 2.666355 + 5.33271) = 0.408765... ;
 * and the balance holds: sum of c/2 (out - in) + sigma psi = q. */
TEST(a_negative_outflow_is_held_at_zero_and_the_cell_balances)
{
	struct box b;
	struct sweep_task task = {.i_up = true,
				  .j_up = true,
				  .k_up = true,
				  .n_k = 1,
				  .angle_first = 2,
				  .n_angle = 1,
				  .fixup = true};
	const double ci = 6.174538666666667, cj = 2.666355, ck = 5.33271;
	double psi = (1 + ci / 2) / (2 + cj + ck);

	box_init(&b, 1, 0);
	b.cells.it = b.cells.jt = b.cells.kt = 1;
	b.face_i[0] = 1;
	assert_int_equal(sweep_block_do(&b.cells, &b.angles, &task, b.face_i, b.face_j, b.face_k),
			 1);
	check_rel(b.flux[0], psi * 0.1761263 / 8, 1e-12);
	check_abs(b.face_i[0], 0, 0);
	check_rel(ci / 2 * (b.face_i[0] - 1) + cj / 2 * b.face_j[0] + ck / 2 * b.face_k[0] +
			  2 * psi,
		  1.0, 1e-12);
}

/* What is swept towards low i, j, k is what is swept towards high ones, seen in a mirror. */
TEST(opposite_octants_mirror_each_other)
{
	struct box up, down;

	box_init(&up, 1, 0);
	box_init(&down, 1, 0);
	for (int c = 0; c < CELLS; c++)
		up.source[c] = down.source[CELLS - 1 - c] = 1.0 / (1 + c);
	box_sweep(&up, 7, false);
	box_sweep(&down, 0, false);
	for (int c = 0; c < CELLS; c++)
		assert_true(up.flux[c] == down.flux[CELLS - 1 - c]);
}

TEST(blocks_give_the_bits_of_the_whole)
{
	struct box whole, parts;

	box_init(&whole, 1, 0.5);
	box_init(&parts, 1, 0.5);
	box_sweep(&whole, 5, true);
	for (int angle = 0; angle < 6; angle += 2) {
		fill(parts.face_k, sizeof parts.face_k / sizeof *parts.face_k, 0.5);
		for (int k = 0; k < KT; k += 2) {
			struct sweep_task task = {.k_first = k,
						  .n_k = k + 2 > KT ? KT - k : 2,
						  .angle_first = angle,
						  .n_angle = 2,
						  .fixup = true};

			sweep_task_octant(5, &task);
			fill(parts.face_i, sizeof parts.face_i / sizeof *parts.face_i, 0.5);
			fill(parts.face_j, sizeof parts.face_j / sizeof *parts.face_j, 0.5);
			sweep_block_do(&parts.cells, &parts.angles, &task, parts.face_i,
				       parts.face_j, parts.face_k);
		}
	}
	assert_memory_equal(whole.flux, parts.flux, sizeof whole.flux);
}

TEST(checksums_of_parts_add_up_and_tell_cells_apart)
{
	RELEASED(transport) whole = {.cells = {.it = 4, .jt = 1, .kt = 1}, .it_g = 4, .jt_g = 1};
	RELEASED(transport) part = {.cells = {.it = 2, .jt = 1, .kt = 1}, .it_g = 4, .jt_g = 1};
	uint64_t sum = 0, before;

	assert_true(transport_init(&whole, 1, 1));
	assert_true(transport_init(&part, 1, 1));
	for (int c = 0; c < 4; c++)
		whole.flux[c] = c + 0.5;
	for (part.i_first = 0; part.i_first < 4; part.i_first += 2) {
		memcpy(part.flux, whole.flux + part.i_first, 2 * sizeof *part.flux);
		sum += transport_checksum(&part);
	}
	before = transport_checksum(&whole);
	assert_true(sum == before);
	whole.flux[1] = 2.5;
	whole.flux[2] = 1.5;
	assert_false(transport_checksum(&whole) == before);
}
