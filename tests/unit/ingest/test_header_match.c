#include "tests/support/check.h"
#include "tests/support/shared_app.h"

#include "ingest/header_kin.h"
#include "ingest/header_match.h"

CLOSABLE(text_table)

TEST(names_and_aliases_match_in_any_case)
{
	static const char *const header[] = {"it_g", "NX", "i_g"};

	for (size_t i = 0; i < 3; i++) {
		struct header_match m = header_match_find(app, header[i]);

		assert_int_equal(m.kind, FIELD_COLUMN);
		assert_string_equal(app->column[m.index].name, "it_g");
	}
}

TEST(a_per_processor_size_goes_before_the_derived_column_of_its_name)
{
	struct header_match m = header_match_find(app, "it");

	assert_int_equal(m.kind, FIELD_LOCAL);
	assert_string_equal(app->local[m.index].name, "it");
	assert_int_equal(header_match_find(app, "ranks").kind, FIELD_PROCS);
	m = header_match_find(app, "efficiency");
	assert_int_equal(m.kind, FIELD_EXTRA);
	assert_true(m.derived);
}

TEST(a_run_time_is_known_with_any_unit)
{
	static const struct {
		const char *header;
		double seconds; /* that one unit is worth */
		enum match_unit from;
	} known[] = {
		{"runtime_s", 1, UNIT_OF_FIELD},
		{"Runtime_S", 1, UNIT_OF_FIELD},
		{"wall_s", 1, UNIT_IN_HEADER},
		{"time", 1, UNIT_ASSUMED},
		{"elapsed", 1, UNIT_ASSUMED},
		{"time_ms", 1e-3, UNIT_IN_HEADER},
		{"runtime [ms]", 1e-3, UNIT_IN_HEADER},
		{"runtime_(us)", 1e-6, UNIT_IN_HEADER},
		{"Time (\xc2\xb5s)", 1e-6, UNIT_IN_HEADER},
		{"time [min]", 60, UNIT_IN_HEADER},
		{"time_hours", 3600, UNIT_IN_HEADER},
		{"runtime us", 1e-6, UNIT_IN_HEADER},
		{"timeMs", 1e-3, UNIT_IN_HEADER},
		{"runtimeInSeconds", 1, UNIT_IN_HEADER},
		{"time in ms", 1e-3, UNIT_IN_HEADER},
		{"runtime / ms", 1e-3, UNIT_IN_HEADER},
		{"Time/min", 60, UNIT_IN_HEADER},
		{"wall-min", 60, UNIT_AMBIGUOUS},
		{"time_min", 60, UNIT_AMBIGUOUS},
		{"time [MB]", 0, UNIT_WRONG},
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct header_match m = header_match_find(app, known[i].header);

		if (m.kind != FIELD_TIME || m.unit_from != known[i].from)
			print_error("%s\n", known[i].header);
		assert_int_equal(m.kind, FIELD_TIME);
		assert_int_equal(m.unit_from, known[i].from);
		if (known[i].seconds > 0)
			check_rel(cell_unit_apply(m.unit, 1), known[i].seconds, 0);
	}
}

TEST(a_mean_is_a_time_of_lower_rank)
{
	static const char *const header[] = {"mean_time",     "time_mean",   "avg runtime_ms",
					     "median_wall_s", "time_s_mean", "runtime median [ms]"};

	for (size_t i = 0; i < sizeof header / sizeof header[0]; i++) {
		struct header_match m = header_match_find(app, header[i]);

		if (m.kind != FIELD_TIME)
			print_error("%s\n", header[i]);
		assert_int_equal(m.kind, FIELD_TIME);
		assert_int_equal(m.rank, RANK_AGGREGATE);
	}
}

TEST(what_no_run_has_is_nothing_we_know)
{
	static const char *const header[] = {"min_time", "time_stddev", "compiler", "mk_h",
					     "",	 "overtime"};

	for (size_t i = 0; i < sizeof header / sizeof header[0]; i++)
		assert_int_equal(header_match_find(app, header[i]).kind, FIELD_KIND_COUNT);
}

TEST(milliseconds_divide_so_that_both_files_hold_the_same_run)
{
	/* 9 * 0.001 is one bit off 0.009; 9 / 1000 is not. */
	check_abs(cell_unit_apply(cell_unit_of_ratio(cell_unit_seconds("ms")), 9), 0.009, 0);
}

/* ---- other words ---- */

TEST(other_words_find_the_only_column_they_can_mean)
{
	static const struct {
		const char *header;
		const char *column;
	} known[] = {{"niter", "iterations"}, {"N_ITERS", "iterations"}, {"nsteps", "timesteps"},
		     {"node_count", "nodes"}, {"num nodes", "nodes"},	 {"n_groups", "groups"}};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct header_match m = header_kin_find(app, known[i].header);

		assert_int_equal(m.kind, FIELD_COLUMN);
		assert_string_equal(app->column[m.index].name, known[i].column);
	}
	assert_int_equal(header_kin_find(app, "n_ranks").kind, FIELD_PROCS);
	assert_int_equal(header_kin_find(app, "ranks_per_node").kind, FIELD_PPN);
}

TEST(what_may_number_something_else_is_not_taken)
{
	static const char *const header[] = {"iter",	"step",	   "cores",    "total", "ngpus",
					     "threads", "niter_s", "iterated", ""};

	for (size_t i = 0; i < sizeof header / sizeof header[0]; i++)
		assert_int_equal(header_kin_find(app, header[i]).kind, FIELD_KIND_COUNT);
}

TEST(a_run_time_by_another_word_keeps_its_unit)
{
	struct header_match m = header_kin_find(app, "wall time [min]");

	assert_int_equal(m.kind, FIELD_TIME);
	assert_int_equal(m.unit_from, UNIT_IN_HEADER);
	check_rel(cell_unit_apply(m.unit, 2), 120.0, 0);
	assert_int_equal(header_kin_find(app, "duration_min").unit_from, UNIT_AMBIGUOUS);
	assert_int_equal(header_kin_find(app, "duration [MB]").unit_from, UNIT_WRONG);
	assert_int_equal(header_kin_find(app, "duration").unit_from, UNIT_ASSUMED);
	assert_int_equal(header_kin_find(app, "mean_duration").rank, RANK_AGGREGATE);
}

/* Of the last column of a table with all that app wants. */
static const char *suggested_for(const char *header)
{
	static const char *const needed[] = {"it_g",  "jt_g", "kt",  "npe_i",	 "npe_j",
					     "nodes", "mk",   "mmi", "runtime_s"};
	struct mapping_request q = {.app = app, .machine_given = true};
	RELEASED(column_mapping) m;
	struct byte_source *source = NULL;
	CLOSED(text_table) *t = NULL;
	RELEASED(strbuf) text = STRBUF_INIT;
	const char *field;
	size_t i_column;

	for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
		strbuf_printf(&text, "%s,", needed[i]);
	strbuf_printf(&text, "%s\n", header);
	must(byte_source_open_text(text.buf, text.len, "t.csv", &source, &err));
	must(text_table_open_source(source, 0, &t, &err));
	must(column_mapping_make(t, &q, &m, &err));
	field = header_kin_suggest(&m, text_table_n_columns(t) - 1, &i_column);
	return field;
}

TEST(a_header_close_to_a_free_field_is_told)
{
	assert_string_equal(suggested_for("iteratons"), "iterations");
	assert_string_equal(suggested_for("Itertaions"), "iterations"); /* swapped */
	assert_string_equal(suggested_for("iter"), "iterations");
	assert_string_equal(suggested_for("group"), "groups");
	assert_string_equal(suggested_for("stauts"), "status");
	assert_null(suggested_for("compiler"));
	assert_null(suggested_for("mkk")); /* mk is filled, and two letters are no word */
	assert_null(suggested_for("nodez"));
}

TEST(a_parameter_of_hyperfine_is_what_it_was_called)
{
	struct header_name h;

	assert_string_equal(header_kin_resource("parameter_threads", true), "threads");
	assert_true(header_name_read_plain("parameter_grid size", &h));
	assert_string_equal(h.stem, "grid_size");
	assert_true(header_name_read_plain("parameter_", &h));
	assert_string_equal(h.stem, "parameter_");
}

TEST_GROUP(read_sweep3d, free_app)
