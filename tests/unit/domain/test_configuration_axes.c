#include "tests/support/check.h"

#include "domain/configuration.h"
#include "domain/configuration_axes.h"

struct fixture {
	struct application *sweep3d;
	struct application *small;
};

static int setup(void **state)
{
	static struct fixture f;

	must(application_read("data/applications/sweep3d.conf", &f.sweep3d, &err));
	must(application_read("tests/fixtures/definitions/small.conf", &f.small, &err));
	levels_add(&f.small->column[application_column(f.small, "layout")].levels, "DGZ");
	levels_add(&f.small->column[application_column(f.small, "layout")].levels, "GDZ");
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	application_free(f->sweep3d);
	application_free(f->small);
	return 0;
}

/* The values of nodes, as "1 2 4". */
static const char *listed(const struct fixture *f, const char *text, struct err *e)
{
	static char out[512];
	struct configuration_axes axes = {.n = 0};

	*out = '\0';
	if (configuration_axes_add_column(&axes, f->sweep3d, f->sweep3d->i_nodes, text, e))
		return "refused";
	for (size_t i = 0; i < axes.axis[0].n; i++)
		snprintf(out + strlen(out), sizeof out - strlen(out), "%s%g", i ? " " : "",
			 axes.axis[0].value[i]);
	configuration_axes_release(&axes);
	return out;
}

TEST(a_range_goes_on_as_the_list_before_it)
{
	static const struct {
		const char *text, *values;
	} cases[] = {
		{"7", "7"},
		{"1,2,4,8..64", "1 2 4 8 16 32 64"},
		{"1,2,4,8..100", "1 2 4 8 16 32 64"},
		{"1,3,9..100", "1 3 9 27 81"},
		{"1,2..5", "1 2 3 4 5"},
		{"10,20..50", "10 20 30 40 50"},
		{"1,2,3..5", "1 2 3 4 5"},
		{"4..8", "4 5 6 7 8"},
		{"8..64*2", "8 16 32 64"},
		{"10..50+20", "10 30 50"},
		{"5..5", "5"},
		{"2,3,5..7", "2 3 5 6 7"},
		{"8,4..6", "8 4 5 6"},
		{" 1 , 2 ", "1 2"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_string_equal(listed(*state, cases[i].text, &err), cases[i].values);
	}
}

TEST(a_value_that_comes_again_counts_once)
{
	assert_string_equal(listed(*state, "4,4,8,2,4", &err), "4 8 2");
	assert_string_equal(listed(*state, "1..3,2..5", &err), "1 2 3 4 5");
}

TEST(what_is_no_list_is_refused_with_what_would_be)
{
	static const struct {
		const char *text, *word;
	} cases[] = {
		{"8..1", "upwards"},
		{"1..8*1", "above 1"},
		{"1..8*0.5", "above 1"},
		{"1..8+0", "FROM..TO+STEP"},
		{"1..", "FROM..TO"},
		{"..8", "FROM..TO"},
		{"1..8*", "FROM..TO"},
		{"1..8..9", "FROM..TO"},
		{"1,,2", "an empty item"},
		{"", "an empty item"},
		{"1..4*1.5", "whole number"},
		{"0..4", "less than 1"},
		{"1..1000000000", "more than 10000 values"},
		{"1..1e300*1.0000001", "more than 10000 values"},
		{"x", "x"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct err e = {0};

		assert_string_equal(listed(*state, cases[i].text, &e), "refused");
		if (!strstr(e.msg, cases[i].word))
			fail_msg("%s: \"%s\" is not in \"%s\"", cases[i].text, cases[i].word,
				 e.msg);
	}
}

TEST(what_has_no_name_goes_on_with_the_list_before)
{
	struct fixture *f = *state;
	RELEASED(configuration_axes) axes = {.n = 0};
	size_t n = 0;
	double row[64];

	must(configuration_axes_add_set(&axes, f->sweep3d, "mk=5,10,mmi=3,grid=2x4,4x4,8x2", &err));
	assert_int_equal(axes.n, 3);
	assert_int_equal(axes.axis[0].n, 2);
	assert_int_equal(axes.axis[1].n, 1);
	assert_int_equal(axes.axis[2].n, 3);
	must(configuration_axes_count(&axes, f->sweep3d, &n, &err));
	assert_int_equal(n, 6);
	assert_true(f->sweep3d->n_columns <= 64);
	configuration_clear(f->sweep3d, row);
	configuration_axis_put(&axes.axis[2], 1, row);
	assert_true(row[application_column(f->sweep3d, "npe_i")] == 4 &&
		    row[application_column(f->sweep3d, "npe_j")] == 4);
	must_fail(configuration_axes_add_set(&axes, f->sweep3d, "mk=15", &err), ERR_ARG,
		  "mk is given twice");
}

TEST(problems_and_words_have_lists_too)
{
	struct fixture *f = *state;
	struct configuration_axes axes = {.n = 0};

	must(configuration_axes_add_problem(&axes, f->sweep3d, "8x8x8,16x16x16", &err));
	assert_int_equal(axes.axis[0].n, 2);
	assert_int_equal(axes.axis[0].n_columns, 3);
	configuration_axes_release(&axes);
	must(configuration_axes_add_problem(&axes, f->sweep3d, "it_g=8..32*2,jt_g=8,kt=8,16",
					    &err));
	assert_int_equal(axes.n, 3);
	assert_int_equal(axes.axis[0].n, 3);
	assert_int_equal(axes.axis[2].n, 2);
	configuration_axes_release(&axes);
	must(configuration_axes_add_set(&axes, f->small, "layout=DGZ,GDZ", &err));
	assert_int_equal(axes.axis[0].n, 2);
	configuration_axes_release(&axes);
	assert_int_equal(configuration_axes_add_set(&axes, f->small, "layout=DGZ,ZZZ", &err),
			 ERR_ARG);
	assert_int_equal(axes.n, 0);
	configuration_axes_release(&axes);
}

TEST(millions_of_combinations_are_refused_by_name)
{
	struct fixture *f = *state;
	RELEASED(configuration_axes) axes = {.n = 0};
	size_t n = 0;

	must(configuration_axes_add_set(&axes, f->sweep3d, "mk=1..1000,mmi=1..6,nodes=1..1000",
					&err));
	must_fail(configuration_axes_count(&axes, f->sweep3d, &n, &err), ERR_ARG,
		  "6000000 combinations");
	assert_non_null(strstr(err.msg, "1000 values of nodes"));
	assert_int_equal(n, 0);
}

TEST(a_resource_is_a_flag_by_its_name)
{
	struct fixture *f = *state;

	assert_int_equal(application_flag_column(f->small, "nodes"), f->small->i_nodes);
	assert_int_equal(application_flag_column(f->sweep3d, "procs"), f->sweep3d->i_procs);
	assert_true(application_flag_column(f->small, "layout") == SIZE_MAX);
	assert_true(application_flag_column(f->sweep3d, "nnodes") == SIZE_MAX);
}

TEST_GROUP(setup, teardown)
