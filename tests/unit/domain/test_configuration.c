#include "tests/support/check.h"

#include "domain/configuration.h"

enum { MAX_COLUMNS = 32 };

struct fixture {
	struct application *sweep3d;
	struct application *small;
	double row[MAX_COLUMNS];
};

static int setup(void **state)
{
	static struct fixture f;

	must(application_read("data/applications/sweep3d.conf", &f.sweep3d, &err));
	must(application_read("tests/fixtures/definitions/small.conf", &f.small, &err));
	assert_true(f.sweep3d->n_columns <= MAX_COLUMNS && f.small->n_columns <= MAX_COLUMNS);
	levels_add(&f.small->column[application_column(f.small, "layout")].levels, "DGZ");
	levels_add(&f.small->column[application_column(f.small, "layout")].levels, "GDZ");
	configuration_clear(f.sweep3d, f.row);
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

static double *value(struct fixture *f, const char *name)
{
	return &f->row[application_column(f->sweep3d, name)];
}

/* The call fails with ARG and that message, and leaves the row alone. */
#define check_refused(f, call, word)                                              \
	do {                                                                      \
		struct err refused = {0};                                         \
		double before_[MAX_COLUMNS];                                      \
		memcpy(before_, (f)->row, sizeof before_);                        \
		assert_int_equal((call), ERR_ARG);                                \
		if (!strstr(refused.msg, (word)))                                 \
			fail_msg("\"%s\" is not in \"%s\"", (word), refused.msg); \
		assert_memory_equal(before_, (f)->row, sizeof before_);           \
	} while (0)

#define IN_FIXTURE(test) TEST_WITH(test, setup, teardown)

IN_FIXTURE(a_problem_is_a_product_or_named_values)
{
	struct fixture *f = *state;

	must(configuration_set_problem(f->sweep3d, "280x281x255", true, f->row, &err));
	assert_true(*value(f, "it_g") == 280 && *value(f, "jt_g") == 281 && *value(f, "kt") == 255);
	must(configuration_set_problem(f->sweep3d, " 8 X 9 x 10 ", true, f->row, &err));
	assert_true(*value(f, "it_g") == 8 && *value(f, "jt_g") == 9 && *value(f, "kt") == 10);
	must(configuration_set_problem(f->sweep3d, "320^3", true, f->row, &err));
	assert_true(*value(f, "it_g") == 320 && *value(f, "jt_g") == 320 && *value(f, "kt") == 320);
	must(configuration_set_problem(f->sweep3d, "64 ^2 * 10", true, f->row, &err));
	assert_true(*value(f, "it_g") == 64 && *value(f, "jt_g") == 64 && *value(f, "kt") == 10);
	must(configuration_set_problem(f->sweep3d, "ny=7, nx=6", true, f->row, &err));
	assert_true(*value(f, "it_g") == 6 && *value(f, "jt_g") == 7 && *value(f, "kt") == 10);
	configuration_clear(f->sweep3d, f->row);
	must(configuration_set_problem(f->sweep3d, "kt=5", false, f->row, &err));
	assert_true(*value(f, "kt") == 5 && isnan(*value(f, "it_g")));
}

IN_FIXTURE(a_problem_that_is_not_whole_says_the_form)
{
	struct fixture *f = *state;
	const struct application *a = f->sweep3d;
	const char *form = "sweep3d wants it_g x jt_g x kt, for example 280x280x255";

	check_refused(f, configuration_set_problem(a, "280x280", true, f->row, &refused), form);
	check_refused(f, configuration_set_problem(a, "280x280", false, f->row, &refused), form);
	check_refused(f, configuration_set_problem(a, "1x2x3x4", true, f->row, &refused), form);
	check_refused(f, configuration_set_problem(a, "280xx255", true, f->row, &refused), form);
	check_refused(f, configuration_set_problem(a, "280^2", true, f->row, &refused), form);
	check_refused(f, configuration_set_problem(a, "280x255^3", true, f->row, &refused), form);
	check_refused(f, configuration_set_problem(a, "^3", true, f->row, &refused), form);
	check_refused(f, configuration_set_problem(a, "320^33", true, f->row, &refused), "320^33");
	check_refused(f, configuration_set_problem(a, "320^0", true, f->row, &refused), "320^0");
	check_refused(f, configuration_set_problem(a, "x280x255", true, f->row, &refused), form);
	check_refused(f, configuration_set_problem(a, "", true, f->row, &refused), form);
	check_refused(f, configuration_set_problem(a, "nx=8,ny=32", true, f->row, &refused),
		      "sweep3d wants it_g=...,jt_g=...,kt=... (kt is missing)");
	check_refused(f, configuration_set_problem(a, "nx=8,nz", false, f->row, &refused),
		      "'nz': NAME=VALUE is wanted");
	check_refused(f, configuration_set_problem(a, "mk=8", false, f->row, &refused),
		      "no problem column 'mk'; there are it_g, jt_g, kt");
	check_refused(f, configuration_set_problem(a, "nx=8,it_g=9", false, f->row, &refused),
		      "it_g is given twice");
}

IN_FIXTURE(values_out_of_range_are_refused)
{
	struct fixture *f = *state;
	const struct application *a = f->sweep3d;

	check_refused(f, configuration_set_problem(a, "0x1x1", true, f->row, &refused),
		      "it_g = 0 is less than 1 (global grid, i direction (east-west))");
	check_refused(f, configuration_set_problem(a, "1x-1x1", true, f->row, &refused),
		      "jt_g = -1 is less than 1");
	check_refused(f,
		      configuration_set_problem(a, "280x280x99999999999999999999", true, f->row,
						&refused),
		      "kt: '99999999999999999999' is outside");
	check_refused(f,
		      configuration_set_problem(a, "1x1x9007199254740993", true, f->row, &refused),
		      "outside -9007199254740992..9007199254740992"); /* 2^53 + 1 */
	check_refused(f, configuration_set_problem(a, "1,000x1x1", true, f->row, &refused),
		      "without thousands separators");
	check_refused(f, configuration_set_problem(a, "1.5x1x1", true, f->row, &refused),
		      "it_g: '1.5' is not a whole number");
	check_refused(f, configuration_set_problem(a, "nanx1x1", true, f->row, &refused),
		      "whole number");
	check_refused(
		f, configuration_set_problem(f->small, "n=1001,layout=DGZ", true, f->row, &refused),
		"n = 1001 is greater than 1000 (cells)");
}

IN_FIXTURE(a_problem_with_texts_is_given_by_name)
{
	struct fixture *f = *state;
	struct strbuf text = STRBUF_INIT;
	double row[MAX_COLUMNS];

	configuration_clear(f->small, row);
	must(configuration_set_problem(f->small, "n=8,layout=GDZ", true, row, &err));
	configuration_put_problem(f->small, row, &text);
	assert_string_equal(strbuf_text(&text), "n=8,layout=GDZ");
	strbuf_release(&text);
	check_refused(f, configuration_set_problem(f->small, "8xGDZ", true, f->row, &refused),
		      "small wants n=...,layout=...");
	check_refused(f,
		      configuration_set_problem(f->small, "n=8,layout=gdz", true, f->row, &refused),
		      "layout = 'gdz' was never seen; there are DGZ, GDZ");
}

IN_FIXTURE(any_column_but_derived_ones_can_be_set)
{
	struct fixture *f = *state;
	const struct application *a = f->sweep3d;

	must(configuration_set(a, "mk=10, grid=8x16 ,angle_block=3", f->row, &err));
	assert_true(*value(f, "mk") == 10 && *value(f, "mmi") == 3);
	assert_true(*value(f, "npe_i") == 8 && *value(f, "npe_j") == 16);
	check_refused(f, configuration_set(a, "mk=5,procs=64", f->row, &refused),
		      "procs is derived: it follows from the other columns");
	check_refused(f, configuration_set(a, "mk=5,np=64", f->row, &refused), "procs is derived");
	check_refused(f, configuration_set(a, "mk=5,foo=64", f->row, &refused),
		      "sweep3d has no column 'foo'; there are it_g, jt_g");
	check_refused(f, configuration_set(a, "mk", f->row, &refused),
		      "'mk': NAME=VALUE is wanted");
	check_refused(f, configuration_set(a, "mk=", f->row, &refused), "mk: empty");
	check_refused(f, configuration_set(a, "mk=1,,mmi=2", f->row, &refused), "NAME=VALUE");
	check_refused(f, configuration_set(a, "mk=1,k_block=2", f->row, &refused),
		      "mk is given twice");
	check_refused(f, configuration_set_group(a, application_grid(a), "8", f->row, &refused),
		      "'8': grid wants npe_i x npe_j, for example 8x16");
	check_refused(f, configuration_set_group(a, application_grid(a), "8x0", f->row, &refused),
		      "npe_j = 0 is less than 1");
}

IN_FIXTURE(reals_take_decimals_within_their_range)
{
	struct fixture *f = *state;
	size_t damping = application_column(f->small, "damping");
	double row[MAX_COLUMNS];

	configuration_clear(f->small, row);
	must(configuration_set_value(f->small, damping, "0.25", row, &err));
	assert_true(row[damping] == 0.25);
	check_refused(f, configuration_set_value(f->small, damping, "1.5", f->row, &refused),
		      "damping = 1.5 is greater than 1");
	check_refused(f, configuration_set_value(f->small, damping, "half", f->row, &refused),
		      "damping: 'half' is not a number");
}

/* 280x280x255 on 8x16, mk = 10, mmi = 3; the numbers by hand:
 * it = 280/8 = 35, jt = ceil(17.5) = 18, k_blocks = ceil(25.5) = 26, angle groups = 6/3 = 2,
 * blocks = 8 * 26 * 2 = 416, fill = 2 * 7 + 4 * 15 = 74, efficiency = 416 / 490. */
IN_FIXTURE(derived_columns_follow_from_the_others)
{
	struct fixture *f = *state;
	const struct application *a = f->sweep3d;

	must(configuration_set_problem(a, "280x280x255", true, f->row, &err));
	must(configuration_set(a, "grid=8x16,mk=10,mmi=3", f->row, &err));
	configuration_default_workload(a, f->row);
	assert_true(*value(f, "mm") == 6 && *value(f, "iterations") == 12);
	configuration_derive(a, f->row);
	assert_true(*value(f, "procs") == 128);
	assert_true(*value(f, "it") == 35 && *value(f, "jt") == 18);
	assert_true(*value(f, "cells_per_proc") == 160650); /* 35 * 18 * 255 */
	assert_true(*value(f, "blocks") == 416 && *value(f, "fill_blocks") == 74);
	check_rel(*value(f, "efficiency"), 416.0 / 490, 1e-15);
	assert_true(*value(f, "ew_bytes") == 4320); /* 8 * 18 * 10 * 3 */
	/* 8 * (160650 * 13 + 3 * 36 * 19 * 256) bytes */
	check_rel(configuration_memory_bytes_per_proc(a, f->row), 20910096.0, 1e-15);
}

IN_FIXTURE(what_cannot_be_derived_yet_is_missing)
{
	struct fixture *f = *state;

	configuration_clear(f->sweep3d, f->row);
	*value(f, "npe_i") = 2;
	*value(f, "it_g") = 9;
	*value(f, "efficiency") = 77; /* left over from another configuration */
	configuration_derive(f->sweep3d, f->row);
	assert_true(*value(f, "it") == 5);
	assert_true(isnan(*value(f, "procs")) && isnan(*value(f, "efficiency")));
	assert_true(isnan(configuration_memory_bytes_per_proc(f->sweep3d, f->row)));
	assert_true(configuration_legal(f->sweep3d, f->row, NULL)); /* nothing speaks against it */
}

IN_FIXTURE(workload_that_was_given_keeps_its_value)
{
	struct fixture *f = *state;

	configuration_clear(f->sweep3d, f->row);
	*value(f, "iterations") = 5;
	configuration_default_workload(f->sweep3d, f->row);
	assert_true(*value(f, "iterations") == 5 && *value(f, "groups") == 1);
}

static void check_illegal(struct fixture *f, const char *settings, const char *why)
{
	RELEASED(strbuf) said = STRBUF_INIT;

	configuration_clear(f->sweep3d, f->row);
	must(configuration_set_problem(f->sweep3d, "28x28x20", true, f->row, &err));
	must(configuration_set(f->sweep3d, settings, f->row, &err));
	configuration_default_workload(f->sweep3d, f->row);
	configuration_derive(f->sweep3d, f->row);
	assert_int_equal(configuration_legal(f->sweep3d, f->row, NULL), why == NULL);
	configuration_legal(f->sweep3d, f->row, &said);
	assert_string_equal(strbuf_text(&said), why ? why : "");
}

IN_FIXTURE(an_illegal_configuration_says_why_with_its_values)
{
	check_illegal(
		*state, "grid=2x2,mk=5,mmi=4",
		"mmi must divide the angles per octant, or the program stops (mm = 6, mmi = 4)");
	check_illegal(*state, "grid=2x2,mk=21,mmi=3",
		      "a block has at most kt planes: mk must not exceed kt (kt = 20, mk = 21)");
	check_illegal(*state, "grid=29x1,mk=5,mmi=3",
		      "a processor column needs at least one cell: npe_i must not exceed it_g "
		      "(it_g = 28, npe_i = 29)");
	check_illegal(*state, "grid=1x1,mk=5,mmi=6",
		      "on one processor the program itself forces mk = kt and mmi = mm (kt = 20, "
		      "mm = 6, mk = 5, mmi = 6, procs = 1)");
	check_illegal(*state, "grid=1x1,mk=20,mmi=6", NULL);
	check_illegal(*state, "grid=2x2,mk=7,mmi=3", NULL); /* mk need not divide kt */
}

IN_FIXTURE(values_are_written_as_people_read_them)
{
	struct fixture *f = *state;
	RELEASED(strbuf) text = STRBUF_INIT;
	size_t layout = application_column(f->small, "layout");

	configuration_put_value(f->small, layout, 1, &text);
	strbuf_putc(&text, ' ');
	configuration_put_value(f->small, layout, (double)NAN, &text);
	configuration_put_value(f->small, application_column(f->small, "n"), 280, &text);
	strbuf_putc(&text, ' ');
	configuration_put_value(f->small, application_column(f->small, "share"), 0.125, &text);
	assert_string_equal(strbuf_text(&text), "GDZ 280 0.125");
	strbuf_clear(&text);
	configuration_clear(f->sweep3d, f->row);
	*value(f, "it_g") = 8;
	configuration_put_problem(f->sweep3d, f->row, &text);
	assert_string_equal(strbuf_text(&text), "8x?x?");
}
