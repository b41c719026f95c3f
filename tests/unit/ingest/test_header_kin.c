#include "tests/support/check.h"
#include "tests/support/shared_app.h"

#include "ingest/header_kin.h"

CLOSABLE(text_table)

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

TEST_GROUP(read_sweep3d, free_app)
