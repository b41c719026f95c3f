#include "tests/support/check.h"
#include "tests/support/shared_app.h"

#include "ingest/config_reader.h"
#include "ingest/ingest.h"

CLOSABLE(config_reader)

#define CSV "tests/fixtures/csv/"

static double value(const double *row, const char *column)
{
	return row[application_column(app, column)];
}

TEST(every_record_comes_back_in_order_with_its_text_unchanged)
{
	CLOSED(config_reader) *r;
	const char *raw, *machine, *bad;
	double row[64];

	must(config_reader_open(CSV "configurations.csv", app, &r, &err));
	assert_string_equal(config_reader_header(r),
			    "machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,\"a, b\"");

	/* A run time is ignored, whatever it says. */
	must(config_reader_next(r, &raw, row, &machine, &bad, &err));
	assert_string_equal(raw, "m1,50,50,50,2,1,2,10,3,garbage,\"x, y\"");
	assert_null(bad);
	assert_string_equal(machine, "m1");
	check_abs(value(row, "it_g"), 50, 0);
	check_abs(value(row, "nodes"), 2, 0);
	check_abs(value(row, "iterations"), 12, 0); /* the default */

	/* The number of nodes may stay open: the machine will tell. */
	must(config_reader_next(r, &raw, row, &machine, &bad, &err));
	assert_null(bad);
	assert_string_equal(machine, "m2");
	assert_true(isnan(value(row, "nodes")));

	must(config_reader_next(r, &raw, row, &machine, &bad, &err));
	assert_string_equal(raw, "m1,50,50,50,2,1,2,10,4,,");
	assert_non_null(bad);
	assert_non_null(strstr(bad, CSV "configurations.csv:5: mmi must divide the angles"));

	must(config_reader_next(r, &raw, row, &machine, &bad, &err));
	assert_null(raw);
}

TEST(a_bad_cell_is_named_with_file_line_and_column)
{
	static const char *const want[] = {":2: 9 fields where the header has 10",
					   ":3: 11 fields where the header has 10", NULL,
					   ":5: field 9 has a quote in the middle"};
	struct config_reader *r;
	const char *raw, *machine, *bad;
	double row[64];

	must(config_reader_open(CSV "ragged.csv", app, &r, &err));
	for (size_t i = 0; i < 4; i++) {
		must(config_reader_next(r, &raw, row, &machine, &bad, &err));
		assert_true(want[i] ? bad && strstr(bad, want[i]) : !bad);
	}
	config_reader_close(r);
	must(config_reader_open(CSV "both_sizes.csv", app, &r, &err));
	for (size_t i = 0; i < 3; i++)
		must(config_reader_next(r, &raw, row, &machine, &bad, &err));
	assert_string_equal(bad, CSV "both_sizes.csv:4: it: it = 25 does not fit it_g = 52 on "
				     "npe_i = 2, which give 26");
	config_reader_close(r);
}

TEST(a_missing_column_is_named)
{
	struct config_reader *r;

	must_fail(config_reader_open(CSV "one_column.csv", app, &r, &err), ERR_PARSE,
		  CSV "one_column.csv:1: no column for it_g");
}

TEST(ping_pong_files_are_read_in_bytes_and_seconds)
{
	RELEASED(kb_pingpong) rows;
	char sha256[65];

	must(pingpong_read("data/runs/pingpong_sp2like.csv", NULL, &rows, sha256, &err));
	assert_int_equal(rows.n, 84);
	check_abs(rows.message_bytes[0], 8, 0);
	check_rel(rows.roundtrip_s[0], 47.7750e-6, 1e-15);
	assert_int_equal(strlen(sha256), 64);
}

TEST(of_pairs_on_one_node_and_on_two_the_latter_are_taken)
{
	struct kb_pingpong rows;
	char sha256[65];

	must(pingpong_read(CSV "pingpong_both_kinds.csv", NULL, &rows, sha256, &err));
	assert_int_equal(rows.n, 2);
	assert_false(rows.inside_node);
	check_rel(rows.roundtrip_s[0], 10e-6, 1e-15);
	check_rel(rows.roundtrip_s[1], 20e-6, 1e-15);
	kb_pingpong_release(&rows);
	must(pingpong_read(CSV "pingpong_inside.csv", NULL, &rows, sha256, &err));
	assert_int_equal(rows.n, 2);
	assert_true(rows.inside_node);
	check_rel(rows.roundtrip_s[1], 2e-6, 1e-15);
	kb_pingpong_release(&rows);
	must_say(pingpong_read(CSV "pingpong_three_nodes.csv", NULL, &rows, sha256, &err),
		 ERR_PARSE, CSV "pingpong_three_nodes.csv:3: pair_nodes: '3' is neither 1 nor 2");
}

TEST(a_table_without_round_trips_is_refused)
{
	struct kb_pingpong rows;
	char sha256[65];

	must_fail(pingpong_read(CSV "plain.csv", NULL, &rows, sha256, &err), ERR_PARSE,
		  CSV "plain.csv:1: no column message_bytes");
	must_say(pingpong_read(CSV "pingpong_bad_value.csv", NULL, &rows, sha256, &err), ERR_PARSE,
		 CSV "pingpong_bad_value.csv:3: roundtrip_ns: 'fast' is not a "
		     "number");
}

TEST_GROUP(read_sweep3d, free_app)
