#include "tests/support/check.h"
#include "tests/support/made_application.h"

#include "domain/application.h"

static void check_refused(const struct ad_hoc *spec, const char *word)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	must_fail(application_ad_hoc_text(spec, &text, &err), ERR_ARG, word);
	assert_string_equal(strbuf_text(&text), "");
}

static struct application *make(const struct ad_hoc *spec)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	struct application *a = NULL;

	must(application_ad_hoc_text(spec, &text, &err));
	must(application_parse(strbuf_text(&text), "flags", &a, &err));
	return a;
}

/* The example of the manual: --app qr --target time --problem m,n --tunable mb,nb,layout
 * --resource nodes=nodes,ppn=ppn --categorical layout. */
static const struct ad_hoc qr = {
	.name = "qr",
	.target = "time",
	.target_unit_s = 1e-3,
	.problem = (const char *const[]){"m", "n", NULL},
	.tunable = (const char *const[]){"mb", "nb", "layout", NULL},
	.categorical = (const char *const[]){"layout", NULL},
	.resource_column = (const char *const[]){"nodes", "ppn", NULL},
	.resource_field = (const char *const[]){"nodes", "ppn", NULL},
};

TEST(flags_make_the_application_that_they_describe)
{
	FREED(application) *a = make(&qr);

	assert_string_equal(a->name, "qr");
	assert_true(a->ad_hoc);
	assert_null(a->model);
	assert_string_equal(a->target, "time");
	check_rel(a->target_unit_s, 1e-3, 1e-15);
	assert_int_equal(a->n_columns, 8); /* and procs */
	assert_int_equal(a->column[application_column(a, "m")].role, COL_PROBLEM);
	assert_int_equal(a->column[application_column(a, "m")].type, COL_REAL);
	assert_int_equal(a->column[application_column(a, "nb")].role, COL_TUNABLE);
	assert_int_equal(a->column[application_column(a, "nb")].candidates, CAND_SEEN);
	assert_int_equal(a->column[application_column(a, "layout")].type, COL_TEXT);
	assert_int_equal(a->column[a->i_nodes].role, COL_RESOURCE);
	assert_int_equal(a->column[a->i_nodes].type, COL_INT);
	assert_true(a->column[a->i_ppn].min == 1);
	assert_int_equal(a->column[a->i_procs].role, COL_DERIVED); /* nodes * ppn */
}

TEST(headers_that_are_no_names_are_mangled_and_kept_as_aliases)
{
	const struct ad_hoc spec = {
		.name = "odd",
		.target = "time [ms]",
		.problem = (const char *const[]){"grid size", "grid-size", "2nd", "in", "flag",
						 "na\"me\\",
						 "gr\xc3\xb6\xc3\x9f"
						 "e",
						 NULL},
		.resource_column = (const char *const[]){"# nodes", NULL},
		.resource_field = (const char *const[]){"nodes", NULL},
	};
	FREED(application) *a = make(&spec);

	assert_string_equal(a->column[application_column(a, "grid size")].name, "grid_size");
	assert_string_equal(a->column[application_column(a, "grid-size")].name, "grid_size_2");
	assert_string_equal(a->column[application_column(a, "2nd")].name, "_2nd");
	assert_string_equal(a->column[application_column(a, "in")].name, "in_");
	assert_string_equal(a->column[application_column(a, "flag")].name, "flag_");
	assert_string_equal(a->column[application_column(a, "na\"me\\")].name, "na_me_");
	assert_string_equal(a->column[application_column(a, "gr\xc3\xb6\xc3\x9f"
							    "e")]
				    .name,
			    "gr____e"); /* two bytes each */
	assert_int_equal(application_column(a, "# nodes"), a->i_nodes);
	assert_string_equal(a->target, "time [ms]");
}

TEST(the_same_flags_give_the_same_text)
{
	RELEASED(strbuf) one = STRBUF_INIT;
	RELEASED(strbuf) two = STRBUF_INIT;

	must(application_ad_hoc_text(&qr, &one, &err));
	must(application_ad_hoc_text(&qr, &two, &err));
	assert_string_equal(strbuf_text(&one), strbuf_text(&two));
}

TEST(contradicting_flags_are_refused)
{
	struct ad_hoc spec = qr;

	spec.target = NULL;
	check_refused(&spec, "wants --target COLUMN");
	spec.target = "m";
	check_refused(&spec, "'m' is the target; it cannot be a problem too");
	spec = qr;
	spec.target_unit_s = 0.7;
	check_refused(&spec, "no unit of time");
	spec = qr;
	spec.tunable = (const char *const[]){"M", NULL};
	spec.categorical = NULL;
	check_refused(&spec, "column 'M' is named twice: as problem and as tunable");
	spec = qr;
	spec.tunable = NULL;
	check_refused(&spec, "categorical column 'layout' is neither problem nor tunable");
	spec = qr;
	spec.problem = (const char *const[]){"machine", NULL};
	check_refused(&spec, "import reads a column of that name itself");
	spec.problem = (const char *const[]){"Threads", NULL};
	check_refused(&spec, "'Threads' is a resource, no problem: name it with --resource");
	spec.problem = (const char *const[]){"", NULL};
	check_refused(&spec, "has no name");
	spec = qr;
	spec.resource_field = (const char *const[]){"nodes", "cores", NULL};
	check_refused(&spec,
		      "'cores' is no resource; there are nodes, ppn, procs, threads and gpus");
	spec.resource_field = (const char *const[]){"nodes", "nodes", NULL};
	check_refused(&spec, "two columns for the resource 'nodes'");
	spec = qr;
	spec.categorical = (const char *const[]){"ppn", NULL};
	check_refused(&spec, "cannot be categorical");
	spec = qr;
	spec.name = "a b";
	check_refused(&spec, "the application's name 'a b' wants a letter or digit, then");
	spec.name = "";
	check_refused(&spec, "the application's name '' wants");
	spec = (struct ad_hoc){.name = "qr", .target = "time"};
	check_refused(&spec, "has no columns");
}
