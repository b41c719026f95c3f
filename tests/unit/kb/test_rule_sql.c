#include "tests/support/made_application.h"
#include "tests/unit/kb/kb_test_applications.h"

#include <strings.h>

#include "base/strbuf.h"

FREEABLE(rule_test)

/* The printed rule is the rule: over random rules and random runs, what SQLite returns for the
 * rule's SQL, what its evaluation selects, and what its printed condition selects when it is read
 * again are the same runs. */

enum { N_RUNS = 400, N_RULES = 3000, N_MACHINES = 2 };

/* Every type; names that are keywords of SQL; derived columns: integer, real, NULL where block is
 * 0, over others, and one that takes NULL for a fact. */
static const char application_text[] =
	"application = { name = \"random-9.x\"; title = \"random runs\";\n"
	" problem = ( { name = \"n\"; }, { name = \"kind\"; type = \"text\"; } );\n"
	" workload = ( { name = \"order\"; } );\n"
	" resources = ( { name = \"nodes\"; } );\n"
	" tunables = ( { name = \"block\"; }, { name = \"omega\"; type = \"real\"; },\n"
	"              { name = \"layout\"; type = \"text\"; } );\n"
	" derived = ( { name = \"cells\"; expr = \"n * order\"; },\n"
	"   { name = \"group\"; expr = \"ceildiv(n, block)\"; },\n"
	"   { name = \"fill\"; expr = \"cells / block - omega\"; },\n"
	"   { name = \"untold\"; expr = \"omega is null or block is null\"; },\n"
	"   { name = \"odd\"; expr = \"max(group, nodes) % 3 + untold\"; } );\n"
	" target = { name = \"time_s\"; unit = \"s\"; };\n"
	"};\n";
enum { N, KIND, ORDER, NODES, BLOCK, OMEGA, LAYOUT, N_STORED, N_COLUMNS = N_STORED + 5 };

static const char *const numeric[] = {"n",     "order", "nodes", "block",  "omega",
				      "cells", "group", "fill",	 "untold", "odd"};
static const char *const text[] = {"kind", "layout"};
static const char *const level[] = {"DGZ", "dgz", "it's", "", " then ", "say \"so\"", "\xc3\xa4\n"};
static const char *const machine[N_MACHINES] = {"sp2like", "T3E"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- random numbers: xorshift64*, the same in every run ---- */

static uint64_t seed;

static unsigned below(size_t n)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return (unsigned)((seed * 2685821657736338717u) >> 33) % (unsigned)n;
}

static const char *any_of(const char *const *item, size_t n)
{
	return item[below(n)];
}

static double any_integer(void)
{
	static const double edge[] = {0, -1, 2147483648.0, 9007199254740991.0, -9007199254740991.0};

	return below(8) ? (double)below(13) : edge[below(COUNT(edge))];
}

static double any_real(void)
{
	static const double edge[] = {0, 5e-324, 1e300, -1e300, 0.1, 1.0 / 3, 2.5, 12345.678901234};

	return below(2) ? any_integer() / 4 : edge[below(COUNT(edge))];
}

/* ---- random runs, in a real base ---- */

struct world {
	struct kb *kb;
	struct application *a;
	struct dataset *runs; /* those that nobody excluded, of any status */
	sqlite3 *plain;	      /* the same file, as anybody may open it */
};

static void fill_row(struct application *a, double *row)
{
	configuration_clear(a, row);
	for (size_t i = 0; i < N_STORED; i++) {
		if (below(7) == 0)
			continue;
		if (a->column[i].type == COL_TEXT)
			row[i] = (double)levels_add(&a->column[i].levels,
						    any_of(level, COUNT(level)));
		else
			row[i] = i == OMEGA ? any_real() : any_integer();
	}
}

static void add_runs(struct world *w, const char *application_name)
{
	int64_t app_id = 0;
	FREED(application) *a = get_application(w->kb, application_name, &app_id);
	struct kb_import imp = import_of("random");
	struct kb_run_writer *writer = NULL;
	double row[N_COLUMNS];

	imp.application = a->name;
	must(kb_begin(w->kb, &err));
	must(kb_run_writer_open(w->kb, a, app_id, &imp, &writer, &err));
	for (int i = 0; i < N_RUNS; i++) {
		struct kb_run run = {.row = row,
				     .wall_s = 1 + below(1000),
				     .machine_id = 1 + below(N_MACHINES),
				     .source = (enum run_source)below(SOURCE_COUNT),
				     .status = below(6) ? RUN_OK
							: (enum run_status)below(RUN_STATUS_COUNT),
				     .n_repeats = 1 + below(3),
				     .repeat = i,
				     .line = i + 2,
				     .flag = below(12) ? NULL : "odd"};

		fill_row(a, row);
		if (run.status == RUN_FAILED && below(2))
			run.wall_s = (double)NAN;
		must(kb_run_writer_add(writer, &run, &err));
	}
	must(kb_run_writer_finish(writer, &imp, NULL, &err));
	kb_run_writer_free(writer);
	must(kb_commit(w->kb, &err));
	for (int i = 0; i < N_RUNS / 15; i++)
		must(kb_exclude_run(w->kb, 1 + below(N_RUNS), "me", "it was noisy", &err));
}

static int make_world(void **state)
{
	static struct world w;
	static const struct kb_filter any_status = {.all_status = true};

	seed = 0x2545f4914f6cdd1dULL;
	if (make_base_folder(state) != 0)
		return -1;
	w.kb = open_base(KB_CREATE);
	put_application(w.kb, application_text);
	for (int64_t i = 0; i < N_MACHINES; i++)
		assert_int_equal(put_machine(w.kb, machine[i]), i + 1);
	add_runs(&w, "random-9.x");
	w.a = get_application(w.kb, "random-9.x", &(int64_t){0});
	assert_int_equal(w.a->n_columns, N_COLUMNS);
	must(kb_load_runs(w.kb, w.a, &any_status, NULL, &w.runs, &err));
	assert_in_range(w.runs->n, N_RUNS / 2, N_RUNS - 1);
	assert_int_equal(sqlite3_open_v2(path, &w.plain, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	*state = &w;
	return 0;
}

static int drop_world(void **state)
{
	struct world *w = *state;

	dataset_free(w->runs);
	application_free(w->a);
	sqlite3_close(w->plain);
	kb_close(w->kb);
	return remove_folder(state);
}

/* ---- random rules ---- */

static void put_any_number(struct strbuf *s)
{
	strbuf_put_number(s, below(3) ? any_integer() : any_real());
}

static void put_any_text(struct strbuf *s)
{
	strbuf_put_sql(s, below(9) ? any_of(level, COUNT(level)) : "unseen");
}

static void put_list(struct strbuf *s, void (*put_item)(struct strbuf *s))
{
	strbuf_puts(s, below(3) ? " in (" : " not in (");
	for (unsigned i = 0, n = 1 + below(4); i < n; i++) {
		strbuf_puts(s, i ? ", " : "");
		if (below(15))
			put_item(s);
		else
			strbuf_puts(s, "null");
	}
	strbuf_putc(s, ')');
}

static void put_any_value(struct strbuf *s)
{
	static const char *const infix[] = {" + ", " - ", " * ", " / ", " % "};

	strbuf_puts(s, any_of(numeric, COUNT(numeric)));
	if (below(6) == 0) {
		strbuf_puts(s, any_of(infix, COUNT(infix)));
		strbuf_puts(s, any_of(numeric, COUNT(numeric)));
	}
}

/* What miners write most of: ranges and sets of one column. */
static void put_simple_part(struct strbuf *s)
{
	static const char *const sign[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};

	switch (below(8)) {
	case 0:
		strbuf_puts(s, any_of(text, COUNT(text)));
		put_list(s, put_any_text);
		break;
	case 1:
		strbuf_puts(s, any_of(text, COUNT(text)));
		strbuf_puts(s, any_of(sign, 2));
		put_any_text(s);
		break;
	case 2:
		put_any_value(s);
		put_list(s, put_any_number);
		break;
	case 3:
		put_any_value(s);
		strbuf_puts(s, below(4) ? " between " : " not between ");
		strbuf_put_number(s, below(5));
		strbuf_puts(s, " and ");
		strbuf_put_number(s, 4 + below(9));
		break;
	case 4:
		strbuf_puts(s,
			    below(3) ? any_of(numeric, COUNT(numeric)) : any_of(text, COUNT(text)));
		strbuf_puts(s, below(2) ? " is null" : " is not null");
		break;
	default:
		put_any_value(s);
		strbuf_puts(s, any_of(sign, COUNT(sign)));
		put_any_number(s);
		break;
	}
}

static void put_part(struct strbuf *s)
{
	static const char *const form[][3] = {{"(", " or ", ")"},
					      {"not (", " and ", ")"},
					      {"not (", " or ", ")"},
					      {"(", " and ", ")"}};
	const char *const *f = form[below(COUNT(form))];

	if (below(4)) {
		put_simple_part(s);
		return;
	}
	strbuf_puts(s, f[0]);
	put_simple_part(s);
	strbuf_puts(s, f[1]);
	put_simple_part(s);
	strbuf_puts(s, f[2]);
}

static char *any_condition(unsigned max_parts)
{
	struct strbuf s = STRBUF_INIT;

	strbuf_puts(&s, "");
	for (unsigned i = 0, n = below(max_parts + 1); i < n; i++) {
		strbuf_puts(&s, i ? " and " : "");
		put_part(&s);
	}
	assert_false(s.failed);
	return s.buf;
}

/* On a machine, in any case of letters; on all; on one that is not there. */
static char *any_machine(void)
{
	static const char *const name[] = {"sp2like", "SP2Like", "t3e", "T3E", "it's \"gone\""};

	return below(3) ? strdup(any_of(name, COUNT(name))) : NULL;
}

static struct rule any_rule(const struct application *a)
{
	struct rule r = {.kind = (enum rule_kind)below(RULE_KIND_COUNT),
			 .machine = any_machine(),
			 .condition = any_condition(3)};

	r.evidence.effect = r.evidence.lo = r.evidence.hi = 2;
	if (r.kind == RULE_SETTING || r.kind == RULE_INVARIANT)
		r.setting = strdup("block between 2 and 5 and layout = 'it''s'");
	if (r.kind == RULE_TIME)
		must(rule_add_term(&r, any_of(numeric, COUNT(numeric)), 0.5, &err));
	must(rule_identify(a, &r, &err));
	return r;
}

/* ---- the comparison ---- */

static bool of_machine(const struct rule *r, int64_t machine_id)
{
	return !r->machine || strcasecmp(r->machine, machine[machine_id - 1]) == 0;
}

/* The runs that evaluation selects, as keep[runs->n]; how many. */
static size_t evaluate(const struct world *w, const struct rule *r, bool *keep)
{
	FREED(rule_test) *t = NULL;
	size_t n = 0;

	must(rule_test_new(w->a, r, &t, &err));
	for (size_t i = 0; i < w->runs->n; i++) {
		keep[i] = rule_counts_run(w->runs, i) && of_machine(r, w->runs->machine_id[i]) &&
			  rule_condition_holds(t, dataset_row(w->runs, i));
		n += keep[i];
	}
	return n;
}

/* SQLite returns exactly the runs of keep[]. */
static void check_sql(const struct world *w, const struct rule *r, const bool *keep)
{
	RELEASED(strbuf) sql = STRBUF_INIT;
	sqlite3_stmt *select = NULL;
	bool got[N_RUNS + 1] = {false};

	must(rule_put_sql(w->a, r, &sql, &err));
	if (sqlite3_prepare_v2(w->plain, strbuf_text(&sql), -1, &select, NULL) != SQLITE_OK)
		fail_msg("%s\n%s", sqlite3_errmsg(w->plain), strbuf_text(&sql));
	assert_string_equal(sqlite3_column_name(select, 0), "run_id");
	while (sqlite3_step(select) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(select, 0);

		assert_in_range(id, 1, N_RUNS);
		assert_false(got[id]);
		got[id] = true;
	}
	assert_int_equal(sqlite3_finalize(select), SQLITE_OK);
	for (size_t i = 0; i < w->runs->n; i++) {
		int64_t id = w->runs->run_id[i];

		if (got[id] != keep[i])
			fail_msg("run %lld: SQLite %d, evaluation %d\n%s", (long long)id, got[id],
				 keep[i], strbuf_text(&sql));
		got[id] = false;
	}
	for (size_t id = 1; id <= N_RUNS; id++) {
		if (got[id])
			fail_msg("run %zu is excluded\n%s", id, strbuf_text(&sql));
	}
}

/* The condition as it stands in the printed rule, between "if" and the statement. */
static char *printed_condition(const struct rule *r)
{
	RELEASED(strbuf) rule_text = STRBUF_INIT;
	RELEASED(strbuf) statement = STRBUF_INIT;
	const char *printed;
	char *condition;
	size_t len;

	rule_put_text(r, &rule_text);
	rule_put_statement(r, &statement);
	printed = strbuf_text(&rule_text);
	assert_true(rule_text.len > statement.len);
	len = rule_text.len - statement.len;
	assert_string_equal(printed + len, strbuf_text(&statement));
	if (strncmp(printed, "always: ", len) == 0) {
		condition = strdup("");
	} else {
		assert_int_equal(strncmp(printed, "if ", 3), 0);
		assert_int_equal(strncmp(printed + len - 6, " then ", 6), 0);
		condition = strndup(printed + 3, len - 3 - 6);
	}
	return condition;
}

static void check_text(const struct world *w, const struct rule *r, const bool *keep)
{
	struct rule again = *r;
	bool keep_again[N_RUNS];

	again.condition = printed_condition(r);
	evaluate(w, &again, keep_again);
	if (memcmp(keep, keep_again, w->runs->n * sizeof *keep) != 0)
		fail_msg("selects other runs when read again: %s", again.condition);
	free(again.condition);
}

/* Forget some columns of runs that the condition holds for: it is still possible. */
static void check_possible(const struct world *w, const struct rule *r)
{
	FREED(rule_test) *t = NULL;

	must(rule_test_new(w->a, r, &t, &err));
	for (size_t i = 0; i < w->runs->n; i++) {
		double row[N_COLUMNS];

		if (!rule_condition_holds(t, dataset_row(w->runs, i)))
			continue;
		memcpy(row, dataset_row(w->runs, i), sizeof row);
		if (!rule_condition_possible(t, row))
			fail_msg("holds but is not possible: %s", r->condition);
		for (size_t c = 0; c < N_STORED; c++) {
			if (below(2))
				row[c] = (double)NAN;
		}
		configuration_derive(w->a, row);
		if (!rule_condition_possible(t, row))
			fail_msg("run %lld makes it true: %s", (long long)w->runs->run_id[i],
				 r->condition);
	}
}

TEST(text_sql_and_evaluation_of_random_rules_select_the_same_runs)
{
	const struct world *w = *state;
	bool keep[N_RUNS];
	size_t n_some = 0;

	for (int i = 0; i < N_RULES; i++) {
		RELEASED(rule) r = any_rule(w->a);
		size_t n = evaluate(w, &r, keep);

		n_some += n > 0 && n < w->runs->n / 2;
		check_sql(w, &r, keep);
		check_text(w, &r, keep);
		check_possible(w, &r);
	}
	assert_true(n_some > N_RULES / 3); /* the rules were not all trivial */
}

/* Counted by hand in SQL over the view that people look at. */
TEST(failed_flagged_and_excluded_runs_are_left_out)
{
	const struct world *w = *state;
	RELEASED(rule) r = {.kind = RULE_CHOICE};
	bool keep[N_RUNS];
	int64_t n;

	must(rule_identify(w->a, &r, &err));
	n = raw_int(path, "SELECT count(*) FROM run WHERE status = 'ok' AND NOT excluded AND "
			  "flag IS NULL");
	assert_in_range(n, 1, N_RUNS - 1);
	assert_int_equal(evaluate(w, &r, keep), n);
	check_sql(w, &r, keep);
}

TEST(the_sql_shows_columns_whose_names_are_keywords)
{
	const struct world *w = *state;
	RELEASED(rule) r = {.kind = RULE_CHOICE, .condition = strdup("\"Group\">1 and order < 9")};
	RELEASED(strbuf) sql = STRBUF_INIT;
	sqlite3_stmt *select = NULL;

	must(rule_identify(w->a, &r, &err));
	must(rule_put_sql(w->a, &r, &sql, &err));
	assert_int_equal(sqlite3_prepare_v2(w->plain, strbuf_text(&sql), -1, &select, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_column_count(select), 4);
	assert_string_equal(sqlite3_column_name(select, 1), "order");
	assert_string_equal(sqlite3_column_name(select, 2), "group");
	assert_string_equal(sqlite3_column_name(select, 3), "wall_s");
	assert_int_equal(sqlite3_step(select), SQLITE_ROW);
	assert_true(sqlite3_column_double(select, 2) > 1);
	sqlite3_finalize(select);
}

TEST_GROUP(make_world, drop_world)
