#include "tests/support/check.h"

#include "models/formula.h"

TEST(an_input_is_found_by_its_name)
{
	assert_int_equal(formula_find_input(&formula_linpack, "p"), 0);
	assert_int_equal(formula_find_input(&formula_linpack, "alpha"), 5);
	assert_int_equal(formula_find_input(&formula_scalar_product, "alpha"),
			 formula_scalar_product.n_inputs);
}

/* bwGRiD is the default hardware: Linpack at n = 10000 as in test_cluster_speedup. */
TEST(what_is_not_given_has_its_default)
{
	double in[FORMULA_MAX_INPUTS], out[FORMULA_MAX_RESULTS];

	for (size_t i = 0; i < FORMULA_MAX_INPUTS; i++)
		in[i] = NAN;
	in[0] = 1300;
	in[1] = 10000;
	must(formula_evaluate(&formula_linpack, in, out, &err));
	check_rel(out[7], 78.125, 1e-14);
	in[2] = 16e9; /* units twice as fast are half as many at half of their peak */
	must(formula_evaluate(&formula_linpack, in, out, &err));
	check_rel(out[7], 39.0625, 1e-14);
}

/* Kinds of 1 unit of 1 GFlop/s and 1 of 2, half of 1e9 operations each: 0.5 s, kind 1 is slower. */
TEST(two_kinds_of_units)
{
	const double in[] = {1, 1e9, 1, 2e9, 0.5, 1e9, 0, 1e9};
	double out[FORMULA_MAX_RESULTS];

	must(formula_evaluate(&formula_mixed_cluster, in, out, &err));
	check_rel(out[0], 0.5, 1e-14);
	check_rel(out[3], 1.0, 0);
}

/* Half of r_inf at t0 r_inf = 46 / 0.035 bytes, where the SP2 of Liu et al. takes 92 us. */
TEST(a_message_at_half_performance)
{
	const double in[] = {46 / 0.035, 4, 46e-6, 0.035e-6};
	double out[FORMULA_MAX_RESULTS];

	must(formula_evaluate(&formula_hockney, in, out, &err));
	check_rel(out[0], 92e-6, 1e-12);
	check_rel(out[1], 184e-6, 1e-12);
	check_rel(out[2], 0.5 / 0.035e-6, 1e-12);
	check_rel(out[3], 46 / 0.035, 1e-12);
}

/* As interaction_time_by_hand() in test_application_level.c: 25 + 8 + 5 s, at most 49. */
TEST(each_result_of_a_formula_is_under_its_own_name)
{
	const double in[] = {4, 100, 1, 0.1, 2, 10, 3, 20};
	const struct want {
		const char *name;
		double value;
	} want[] = {{"time_s", 38},
		    {"compute_s", 25},
		    {"startup_s", 8},
		    {"transfer_s", 5},
		    {"speedup", 100.0 / 38},
		    {"bound_s", 49},
		    {"bound_speedup", 100.0 / 49}};
	double out[FORMULA_MAX_RESULTS];

	assert_int_equal(formula_application_level.n_results, sizeof want / sizeof *want);
	must(formula_evaluate(&formula_application_level, in, out, &err));
	for (size_t i = 0; i < formula_application_level.n_results; i++) {
		assert_string_equal(formula_application_level.result[i].name, want[i].name);
		check_rel(out[i], want[i].value, 1e-14);
	}
}

/* The scalar product of 1e7 on the default hardware: y = 3n / 64, p_1/2 = p_max = sqrt(y). */
TEST(kernels_report_what_they_compute)
{
	const double in[] = {1, 1e7, NAN, NAN, NAN, NAN};
	double out[FORMULA_MAX_RESULTS] = {0};

	must(formula_evaluate(&formula_scalar_product, in, out, &err));
	check_rel(out[0], 1.0, 1e-14); /* one unit is as fast as one unit */
	check_rel(out[3], 468750.0, 1e-13);
	check_rel(out[4], sqrt(468750), 1e-13);
	check_rel(out[5], sqrt(468750), 1e-13);
}

/* One node: (2 1 + 10 0.1) s beside the 100 s, and no broadcast. Nodes count to 1e9. */
TEST(bounds_belong_to_what_may_be_asked)
{
	double in[] = {1, 100, 1, 0.1, 2, 10, 3, 20};
	double out[FORMULA_MAX_RESULTS];

	must(formula_evaluate(&formula_application_level, in, out, &err));
	check_rel(out[0], 103.0, 1e-14);
	in[0] = 1e9;
	must(formula_evaluate(&formula_application_level, in, out, &err));
	in[0] = 1e9 + 1;
	assert_int_equal(formula_evaluate(&formula_application_level, in, out, &err), ERR_ARG);
}

TEST(a_time_beyond_all_numbers_is_an_error)
{
	const double in[] = {1, 1e9, 1, 2e9, 0.5, 1e9, 1e300, 1e-300};
	double out[FORMULA_MAX_RESULTS];

	must_say(formula_evaluate(&formula_mixed_cluster, in, out, &err), ERR_ARG,
		 "the run time is too large for a number");
}

TEST(missing_and_impossible_inputs_are_named_with_their_meaning)
{
	double in[] = {(double)NAN, 10000, 8e9, 1.5e9, 8, 1};
	double out[FORMULA_MAX_RESULTS] = {77};

	must_say(formula_evaluate(&formula_linpack, in, out, &err), ERR_ARG,
		 "p is not given (units)");
	in[0] = 0;
	must_say(formula_evaluate(&formula_linpack, in, out, &err), ERR_ARG,
		 "p = 0 must be from 1 to 1e+15 (units)");
	check_abs(out[0], 77, 0);
}
