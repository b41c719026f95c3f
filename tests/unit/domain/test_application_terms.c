#include "tests/support/check.h"
#include "tests/support/made_application.h"

#include "domain/application.h"
#include "domain/configuration.h"
#include "tests/support/failing_allocations.h"

/* The keys let, compute and communication of a definition: what they mean, and what is wrong. */

static void put_application(const char *keys, struct strbuf *out)
{
	strbuf_printf(
		out,
		"application = {\n"
		"name = \"t\";\n"
		"problem = ( { name = \"n\"; min = 2; }, { name = \"kind\"; type = \"text\"; } );\n"
		"resources = ( { name = \"nodes\"; min = 1; max = 1024; } );\n"
		"derived = ( { name = \"part\"; expr = \"n / nodes\"; } );\n"
		"legality = ( { rule = \"nodes <= n\"; why = \"each node has a row\"; } );\n"
		"target = { name = \"time\"; unit = \"s\"; };\n"
		"%s\n"
		"};\n",
		keys);
}

static struct application *application_of(const char *keys)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	struct application *a = NULL;

	put_application(keys, &text);
	must(application_parse(strbuf_text(&text), "f.conf", &a, &err));
	return a;
}

/* Refused at that place, with those words. */
static void check_refused(const char *keys, const char *place, const char *words)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	struct application *a = NULL;
	struct err e = {0};

	put_application(keys, &text);
	if (application_parse(strbuf_text(&text), "f.conf", &a, &e) != ERR_PARSE)
		fail_msg("this was taken: %s", keys);
	if (strncmp(e.msg, place, strlen(place)) != 0 || !strstr(e.msg, words))
		fail_msg("\"%s\" does not begin with \"%s\" and say \"%s\"", e.msg, place, words);
	assert_null(a);
}

static void put_row(const struct application *a, double n, double nodes, double *row)
{
	configuration_clear(a, row);
	row[application_column(a, "n")] = n;
	row[application_column(a, "nodes")] = nodes;
	configuration_derive(a, row);
}

TEST(terms_are_told_from_columns_and_names_above)
{
	FREED(application) *a = application_of(
		"let = ( { name = \"grid\"; expr = \"pow(2, floor(log2(nodes) / 2))\"; },\n"
		"        { name = \"side\"; expr = \"ceil(sqrt(part) / grid)\"; } );\n"
		"compute = [ \"part * n\", \"side\" ]; communication = [ \"log2(nodes)\" ];");
	double row[8], phi[APPLICATION_MAX_TERMS];

	assert_int_equal(a->terms.n, 3);
	assert_int_equal(a->terms.n_let, 2);
	assert_string_equal(a->terms.term[1].text, "side");
	assert_false(a->terms.term[1].communication);
	assert_true(a->terms.term[2].communication);
	put_row(a, 400, 8, row);
	assert_true(application_terms_at(a, row, phi));
	check_rel(phi[0], 20000.0, 1e-15); /* 400 / 8 * 400 */
	check_rel(phi[1], 4.0, 1e-15);	   /* 2^floor(3 / 2) = 2, sqrt(50) / 2 = 3.54 */
	check_rel(phi[2], 3.0, 1e-15);
}

TEST(columns_are_used_by_way_of_names_and_derived_ones)
{
	FREED(application) *a = application_of("let = ( { name = \"x\"; expr = \"part + 1\"; } );\n"
					       "compute = [ \"x\" ];");

	assert_true(application_terms_use(a, application_column(a, "part")));
	assert_true(application_terms_use(a, application_column(a, "n")));
	assert_true(application_terms_use(a, application_column(a, "nodes")));
	assert_false(application_terms_use(a, application_column(a, "kind")));
}

TEST(a_row_on_which_a_term_is_no_cost_is_told_from_others)
{
	FREED(application) *a =
		application_of("compute = [ \"n\" ]; communication = [ \"nodes - 1\" ];");
	double row[8], phi[APPLICATION_MAX_TERMS];

	put_row(a, 400, 1, row);
	assert_true(application_terms_at(a, row, phi));
	put_row(a, 400, 0, row); /* nobody checked that it is legal */
	assert_false(application_terms_at(a, row, phi));
	put_row(a, (double)NAN, 1, row);
	assert_false(application_terms_at(a, row, phi));
	put_row(a, 0, 1, row); /* no time at all */
	assert_false(application_terms_at(a, row, phi));
}

TEST(an_application_without_terms_has_none)
{
	FREED(application) *a = application_of("");
	double row[8], phi[APPLICATION_MAX_TERMS];

	assert_int_equal(a->terms.n, 0);
	put_row(a, 400, 8, row);
	assert_false(application_terms_at(a, row, phi));
	assert_false(application_terms_use(a, application_column(a, "n")));
}

TEST(what_is_wrong_is_named_with_its_line)
{
	check_refused("compute = [ \"m * n\" ];", "f.conf:8: ", "unknown column 'm'");
	check_refused("\ncompute = [ \"n\", \"n +\" ];", "f.conf:9: ", "a number");
	check_refused("compute = [ \"kind\" ];", "f.conf:8: ", "a text is no condition");
	check_refused("compute = [ \"cbrt(n)\" ];",
		      "f.conf:8: ", "ceil, floor, sqrt, log2 and pow");
	check_refused("compute = \"n\";", "f.conf:8: ", "compute");
	check_refused("let = ( { name = \"x\"; expr = \"n\"; } );",
		      "f.conf:8: ", "no terms: compute = [");
	check_refused("compute = [];", "f.conf:8: ", "no terms: compute = [");
	check_refused("let = ( { name = \"n\"; expr = \"1\"; } ); compute = [ \"n\" ];",
		      "f.conf:8: ", "'n' is a column");
	check_refused("let = ( { name = \"a b\"; expr = \"1\"; } ); compute = [ \"n\" ];",
		      "f.conf:8: ", "wants a letter");
	check_refused(
		"let = ( { name = \"x\"; expr = \"1\"; },\n{ name = \"X\"; expr = \"1\"; } ); "
		"compute = [ \"n\" ];",
		"f.conf:9: ", "'X' is declared twice");
	check_refused("let = ( { name = \"x\"; expr = \"y\"; }, { name = \"y\"; expr = \"1\"; } ); "
		      "compute = [ \"n\" ];",
		      "f.conf:8: ", "unknown column 'y'");
	check_refused("let = ( { nam = \"x\"; } ); compute = [ \"n\" ];",
		      "f.conf:8: ", "known here: name, expr");
	check_refused("model = \"wavefront\"; compute = [ \"n\" ];",
		      "f.conf:8: ", "it takes no terms beside it");
}

TEST(a_term_that_is_no_cost_at_legal_values_is_refused_with_them)
{
	check_refused("compute = [ \"n\", \"4 - nodes\" ];",
		      "f.conf:8: ", "the term '4 - nodes' is negative where nodes = ");
	check_refused("communication = [ \"n / (nodes - 1)\" ];",
		      "f.conf:8: ", "is no number where n = ");
	check_refused("compute = [ \"n\" ];\ncommunication = [ \"log2(nodes - 1)\" ];",
		      "f.conf:9: ", "is no number where nodes = 1: ");
	check_refused("compute = [ \"n * 1e308\" ];", "f.conf:8: ", "is infinite where n = ");
	/* legal are at most n nodes, so this is never negative */
	application_free(application_of("compute = [ \"n - nodes\" ];"));
	/* of texts nobody knows the levels yet */
	application_free(application_of("compute = [ \"n * (kind = 'big')\" ];"));
}

TEST(more_terms_than_there_is_room_for_are_refused)
{
	RELEASED(strbuf) keys = STRBUF_INIT;

	strbuf_puts(&keys, "compute = [ \"1\"");
	for (int k = 0; k < APPLICATION_MAX_TERMS; k++)
		strbuf_puts(&keys, ", \"n\"");
	strbuf_puts(&keys, " ];");
	check_refused(strbuf_text(&keys), "f.conf:8: ", "33 terms are too many: at most 32");
	strbuf_clear(&keys);
	strbuf_puts(&keys, "let = ( { name = \"x\"; expr = \"1\"; }");
	for (int k = 0; k < APPLICATION_MAX_TERM_VALUES; k++)
		strbuf_printf(&keys, ", { name = \"x%d\"; expr = \"1\"; }", k);
	strbuf_puts(&keys, " ); compute = [ \"n\" ];");
	check_refused(strbuf_text(&keys), "f.conf:8: ",
		      "4 columns and 193 names of 'let' are too many: at most 192 together");
}

TEST(terms_are_whole_or_there_is_no_application)
{
	FREED(application) *a = NULL;

	failing_each_allocation (application_read("data/classes/template.conf", &a, &err), &err)
		assert_null(a);
	assert_int_equal(a->terms.n, 7);
}

/* What ships is well defined, and has terms. */
TEST(every_shipped_application_has_terms)
{
	static const char *const name[] = {"halo",    "hpl",  "kripke",	  "multigrid", "particles",
					   "pdgeqrf", "snap", "stencil7", "template"};

	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		FREED(application) *a = NULL;
		char path[80];

		snprintf(path, sizeof path, "data/classes/%s.conf", name[i]);
		must(application_read(path, &a, &err));
		must(application_check_candidates(a, &err));
		assert_true(a->terms.n >= 5);
	}
}

/* SNAP on 4 nodes of 32 processes, 2 threads: npey = 2^floor(7 / 2) = 8, npez = 16, ly = 4, lz = 2,
 * nc = 32 / 4 = 8, fill = 22, g = ceil(39 / 2) = 20, w = 4 * 4 * 2 * 64 = 2048,
 * m = 4 * 64 * 6 = 1536. */
TEST(snaps_terms_are_those_of_its_process_grid)
{
	static const double want[] = {20 * 2 * 8 * 2048.0,  22 * 2048.0,
				      8 * 20 * 4 * 2 * 9.0, 20 * 2 * 8 * 2048.0 * 9,
				      16 * 20 * 4 * 2.0,    20 * 2 * 8,
				      20 * 2 * 8 * 1536.0,  22,
				      22 * 1536.0,	    7};
	static const struct {
		const char *name;
		double value;
	} at[] = {{"nx", 32}, {"ny", 32},   {"nz", 32},	 {"nmom", 3},	 {"nang", 64},
		  {"ng", 39}, {"nodes", 4}, {"ppn", 32}, {"threads", 2}, {"ichunk", 4}};
	FREED(application) *a = NULL;
	double row[16], phi[APPLICATION_MAX_TERMS];

	must(application_read("data/classes/snap.conf", &a, &err));
	configuration_clear(a, row);
	for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
		row[application_column(a, at[i].name)] = at[i].value;
	configuration_derive(a, row);
	assert_true(application_terms_at(a, row, phi));
	assert_int_equal(a->terms.n, sizeof want / sizeof want[0]);
	for (size_t k = 0; k < a->terms.n; k++)
		check_rel(phi[k], want[k], 1e-15);
}

/* kernels/halo on 2 nodes of 16, a grid of 4 x 2 x 4: 4 processes along k, 2 along j and floor(16 /
 * 8) = 2 along i share a node, so half of the faces along i leave it and no others. Parts of 24 x
 * 48 x 24 cells; faces of 48 * 24, 24 * 24 and 24 * 48; what leaves is 48 * 24 / 2 for each of 16
 * processes. */
TEST(halos_terms_know_what_leaves_a_node)
{
	static const double want[] = {10 * 27648.0,
				      10 * 27648.0 * 2,
				      10,
				      10 * 2 * (48 * 24 + 24 * 24 + 24 * 48.0),
				      10 * 16 * 2 * 576.0,
				      10 * 3,
				      10,
				      0,
				      0,
				      10 * 5,
				      10 * 32,
				      10 * 5,
				      10 * 32};
	static const struct {
		const char *name;
		double value;
	} at[] = {{"it_g", 96}, {"jt_g", 96}, {"kt_g", 96}, {"width", 2}, {"iterations", 10},
		  {"npe_i", 4}, {"npe_j", 2}, {"npe_k", 4}, {"nodes", 2}, {"overlap", 0}};
	FREED(application) *a = NULL;
	double row[32], phi[APPLICATION_MAX_TERMS];

	must(application_read("data/classes/halo.conf", &a, &err));
	assert_true(a->n_columns <= sizeof row / sizeof row[0]);
	levels_add(&a->column[application_column(a, "method")].levels, "cg");
	levels_add(&a->column[application_column(a, "function")].levels, "WinfencePut_aao");
	configuration_clear(a, row);
	for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
		row[application_column(a, at[i].name)] = at[i].value;
	row[application_column(a, "method")] = row[application_column(a, "function")] = 0;
	configuration_derive(a, row);
	assert_true(application_terms_at(a, row, phi));
	assert_int_equal(a->terms.n, sizeof want / sizeof want[0]);
	for (size_t k = 0; k < a->terms.n; k++)
		check_rel(phi[k], want[k], 1e-15);
}

/* ---- terms as text ---- */

/* The text of a definition with other terms. */

static const char keys[] = "  compute = [ \"n / nodes\" ]; #: new\n";

#define HEAD                                                                    \
	"# compute = [ \"no\" ]; is a comment\n"                                \
	"application = {\n"                                                     \
	"  name = \"t\"; title = \"let = (; } \\\" compute = [\";\n"            \
	"  problem = ( { name = \"n\"; min = 1; doc = \"compute\"; } ); // }\n" \
	"  resources = ( { name = \"nodes\"; min = 1; } ); /* let = ( */\n"

static struct application *parsed(const char *text)
{
	struct application *a = NULL;

	must(application_parse(text, "t.conf", &a, &err));
	return a;
}

static void check_replaced(const char *text, const char *want)
{
	struct application *a = parsed(text);
	RELEASED(strbuf) out = STRBUF_INIT;

	must(application_replace_terms(a, keys, &out, &err));
	assert_string_equal(strbuf_text(&out), want);
	application_free(a);
	/* it is a definition, with the one term, and replaced once more it is the same */
	a = parsed(strbuf_text(&out));
	assert_int_equal(a->terms.n, 1);
	assert_string_equal(a->terms.term[0].text, "n / nodes");
	strbuf_clear(&out);
	must(application_replace_terms(a, keys, &out, &err));
	assert_string_equal(strbuf_text(&out), want);
	application_free(a);
}

TEST(terms_come_before_the_brace_that_ends_the_group)
{
	check_replaced(HEAD "  target = { name = \"time\"; unit = \"s\"; };\n};\n# end\n",
		       HEAD "  target = { name = \"time\"; unit = \"s\"; };\n"
			    "  compute = [ \"n / nodes\" ]; #: new\n};\n# end\n");
}

TEST(earlier_terms_and_their_comments_go_and_all_else_stays)
{
	check_replaced(HEAD "  let = ( { name = \"m\"; expr = \"n * (n)\"; } );\n"
			    "  target = { name = \"time\"; unit = \"s\"; };\n"
			    "  #: an earlier proposal\n"
			    "  compute = [ \"m\", # ] kept by nobody\n"
			    "    \"n\" ]; # stays\n"
			    "  communication = [ \"log2(nodes)\" ]\n"
			    "}\n",
		       HEAD "  target = { name = \"time\"; unit = \"s\"; }; # stays\n"
			    "  compute = [ \"n / nodes\" ]; #: new\n}\n");
}

TEST(a_group_on_one_line_will_do)
{
	check_replaced("application = { name = \"t\"; problem = ( { name = \"n\"; min = 1; } ); "
		       "resources = ( { name = \"nodes\"; min = 1; } ); "
		       "target = { name = \"time\"; unit = \"s\"; }; };",
		       "application = { name = \"t\"; problem = ( { name = \"n\"; min = 1; } ); "
		       "resources = ( { name = \"nodes\"; min = 1; } ); "
		       "target = { name = \"time\"; unit = \"s\"; };\n"
		       "  compute = [ \"n / nodes\" ]; #: new\n};");
}

static enum err_code replace(const struct application *a, struct err *e)
{
	RELEASED(strbuf) out = STRBUF_INIT;

	return application_replace_terms(a, keys, &out, e);
}

TEST(it_is_replaced_or_there_is_no_memory)
{
	FREED(application) *a = parsed(HEAD "  target = { name = \"time\"; unit = \"s\"; };\n};\n");

	failing_each_allocation (replace(a, &err), &err)
		;
}
