#include "tests/support/check.h"

#include "tests/support/sweep3d_formulas.h"

/* What the six sample outputs of the Sweep3D 2.2b distribution print (LANL LA-CC-97-5; machine not
 * named), with the half unit of the last printed digit as tolerance. */
struct printed {
	struct sweep s; /* it_g, jt_g, kt, npe_i, npe_j, mk, mmi, mm */
	double elapsed_s;
	double grind_us, grind_digit;
	double efficiency_pct;
	double messages;
	double memory_mb;
};
static const struct printed printed[] = {
	{{50, 50, 50, 1, 1, 50, 6, 6}, 82.12971794605255, 1.14, 0.01, 100.0, 0, 16.2},
	{{50, 50, 50, 2, 3, 10, 3, 6}, 32.72492003440857, 0.455, 0.001, 88.89, 560, 2.8},
	{{50, 50, 50, 2, 3, 10, 3, 6}, 31.332946062088013, 0.435, 0.001, 88.89, 560, 2.8},
	{{150, 150, 150, 1, 1, 150, 6, 6}, 2434.989100933075, 1.25, 0.01, 100.0, 0, 433.6},
	{{150, 150, 150, 2, 3, 30, 2, 6}, 437.8121569156647, 0.225, 0.001, 92.31, 840, 72.5},
	{{150, 150, 150, 2, 3, 30, 2, 6}, 991.7475810050964, 0.51, 0.001, 92.31, 840, 72.5},
};
enum { N_PRINTED = sizeof printed / sizeof *printed };

TEST(the_printed_runs_come_out_to_the_last_digit)
{
	for (size_t i = 0; i < N_PRINTED; i++) {
		const struct printed *p = &printed[i];
		double x;

		must(sweep3d_efficiency(&p->s, &x, &err));
		check_abs(100 * x, p->efficiency_pct, 0.005);
		must(sweep3d_messages_per_iteration(&p->s, &x, &err));
		check_abs(x, p->messages, 0);
		must(sweep3d_memory_bytes_per_domain(&p->s, 4, 1, &x, &err));
		check_abs(x * 1e-6, p->memory_mb, 0.05);
		must(sweep3d_grind_s(&p->s, 12, p->elapsed_s, &x, &err));
		check_abs(x * 1e6, p->grind_us, p->grind_digit / 2);
	}
}

TEST(a_partial_k_block_counts_as_a_block)
{
	/* ceil(50/7) = 8 blocks of 2 angle groups: 8*8*2 * (1*3 + 2*2) = 896 messages. */
	const struct sweep s = {50, 50, 50, 2, 3, 7, 3, 6};
	double x;

	must(sweep3d_messages_per_iteration(&s, &x, &err));
	check_abs(x, 896, 0);
}

TEST(what_the_program_would_refuse_is_an_error)
{
	const struct sweep good = {50, 50, 50, 2, 3, 10, 3, 6};
	struct sweep s = good;
	double x = 77;

	s.mmi = 4;
	assert_int_equal(sweep3d_efficiency(&s, &x, &err), ERR_ARG);
	assert_int_equal(sweep3d_messages_per_iteration(&s, &x, &err), ERR_ARG);
	assert_int_equal(sweep3d_memory_bytes_per_domain(&s, 4, 1, &x, &err), ERR_ARG);
	assert_int_equal(sweep3d_grind_s(&s, 12, 1, &x, &err), ERR_ARG);
	assert_int_equal(sweep3d_memory_bytes_per_domain(&good, 0, 1, &x, &err), ERR_ARG);
	assert_int_equal(sweep3d_grind_s(&good, 0, 1, &x, &err), ERR_ARG);
	assert_int_equal(sweep3d_grind_s(&good, 12, 0, &x, &err), ERR_ARG);
	assert_int_equal(sweep3d_grind_s(&good, 12, INFINITY, &x, &err), ERR_ARG);
	check_abs(x, 77, 0);
}
