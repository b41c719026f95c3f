#include "tests/support/check.h"

#include <sqlite3.h>

#include "base/strbuf.h"
#include "domain/expr.h"

FREEABLE(expr)

/* The printed condition is the condition: SQLite, given the SQL of expr_put_sql(), computes what
 * expr_eval() computes, bit for bit, NULLs and edge values included. Random expressions are made
 * as text, so that the parser is on the way too. */

enum { N_INTEGER = 3, N_REAL = 2, N_TEXT = 1, N_COLUMNS = 6, N_ROWS = 40, N_EXPRESSIONS = 10000 };

static const char *const column_name[N_COLUMNS] = {"a", "b", "order", "x", "y", "layout"};
static const bool column_integer[N_COLUMNS] = {true, true, true, false, false, false};
static char level_text[4][5] = {"DGZ", "it's", "GDZ", ""};
static char *level_name[] = {level_text[0], level_text[1], level_text[2], level_text[3]};
static const struct levels layout_levels = {.name = level_name, .n = 4};
static const struct levels *const column_levels[N_COLUMNS] = {[5] = &layout_levels};
static const struct expr_scope typed = {column_name, column_levels, N_COLUMNS, column_integer,
					false};
static const struct expr_scope untyped = {column_name, column_levels, N_COLUMNS, NULL, false};

/* ---- random numbers: xorshift64*, the same in every run ---- */

static uint64_t seed;

static unsigned below(unsigned n)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return (unsigned)((seed * 2685821657736338717u) >> 33) % n;
}

static double integer_value(void)
{
	static const double edge[] = {0,
				      1,
				      -1,
				      2,
				      -2,
				      3,
				      7,
				      4503599627370497.0,
				      9007199254740991.0,
				      9007199254740992.0,
				      -9007199254740992.0,
				      2147483648.0,
				      1000003,
				      -6};

	if (below(3) == 0)
		return edge[below(sizeof edge / sizeof edge[0])];
	return (double)below(41) - 20;
}

static double real_value(void)
{
	static const double edge[] = {0.5,    -0.5,   0.1,   2.5,	1e-300, 1e300,
				      -1e300, 1e18,   -1e19, 1e19,	1e9,	1.0 / 3,
				      5e-324, 9.3e18, 1e-7,  123456.789};

	switch (below(3)) {
	case 0:
		return edge[below(sizeof edge / sizeof edge[0])];
	case 1:
		return integer_value();
	default: /* 53 random bits: literals of 16 and 17 digits */
		return ((double)below(1u << 30) * (1 << 23) + below(1u << 23)) /
		       (double)(1ull << below(60));
	}
}

/* ---- random expressions ---- */

static void put_number_expr(struct strbuf *s, unsigned depth);
static void put_truth_expr(struct strbuf *s, unsigned depth);

static void put_leaf(struct strbuf *s)
{
	switch (below(8)) {
	case 0:
		strbuf_put_number(s, integer_value());
		break;
	case 1:
		strbuf_put_number(s, real_value());
		break;
	case 2:
		strbuf_puts(s, below(4) ? "3" : "null");
		break;
	default:
		strbuf_puts(s, column_name[below(N_INTEGER + N_REAL)]);
		break;
	}
}

static void put_arguments(struct strbuf *s, unsigned n, unsigned depth)
{
	for (unsigned i = 0; i < n; i++) {
		strbuf_puts(s, i ? ", " : "(");
		put_number_expr(s, depth);
	}
	strbuf_puts(s, ")");
}

static void put_number_expr(struct strbuf *s, unsigned depth)
{
	static const char *const infix[] = {" + ", " - ", " * ", " / ", " % "};
	static const char *const function[] = {"min", "max", "ceildiv", "floordiv"};

	if (depth == 0 || below(5) == 0) {
		put_leaf(s);
		return;
	}
	switch (below(10)) {
	case 0:
	case 1:
	case 2:
	case 3: /* without parentheses: precedence decides what this means */
		put_number_expr(s, depth - 1);
		strbuf_puts(s, infix[below(5)]);
		put_number_expr(s, depth - 1);
		break;
	case 4:
		strbuf_puts(s, "(");
		put_number_expr(s, depth - 1);
		strbuf_puts(s, ")");
		break;
	case 5:
		strbuf_puts(s, "-");
		put_number_expr(s, depth - 1);
		break;
	case 6:
		strbuf_puts(s, "abs");
		put_arguments(s, 1, depth - 1);
		break;
	case 7:
		strbuf_puts(s, "(");
		put_truth_expr(s, depth - 1);
		strbuf_puts(s, ")");
		break;
	default:
		strbuf_puts(s, function[below(4)]);
		put_arguments(s, 2, depth - 1);
		break;
	}
}

static void put_text_condition(struct strbuf *s)
{
	switch (below(5)) {
	case 0:
		strbuf_puts(s, "layout is not null");
		break;
	case 1:
		strbuf_puts(s, "layout in ('GDZ', null, '')");
		break;
	case 2:
		strbuf_puts(s, "layout not in ('DGZ', 'dgz')");
		break;
	default:
		strbuf_puts(s, below(2) ? "layout = " : "layout != ");
		strbuf_put_sql(s, below(5) ? level_name[below(4)] : "unseen");
		break;
	}
}

static void put_truth_expr(struct strbuf *s, unsigned depth)
{
	static const char *const sign[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};

	if (depth == 0) {
		put_text_condition(s);
		return;
	}
	switch (below(9)) {
	case 0:
	case 1:
		strbuf_puts(s, "(");
		put_truth_expr(s, depth - 1);
		strbuf_puts(s, below(2) ? " and " : " or ");
		put_truth_expr(s, depth - 1);
		strbuf_puts(s, ")");
		break;
	case 2:
		strbuf_puts(s, "not (");
		put_truth_expr(s, depth - 1);
		strbuf_puts(s, ")");
		break;
	case 3:
		put_number_expr(s, depth - 1);
		strbuf_puts(s, below(2) ? " in " : " not in ");
		put_arguments(s, 1 + below(4), depth - 1);
		break;
	case 4:
		put_number_expr(s, depth - 1);
		strbuf_puts(s, below(2) ? " between " : " not between ");
		put_number_expr(s, depth - 1);
		strbuf_puts(s, " and ");
		put_number_expr(s, depth - 1);
		break;
	case 5:
		put_number_expr(s, depth - 1);
		strbuf_puts(s, below(2) ? " is null" : " is not null");
		break;
	case 6:
		put_text_condition(s);
		break;
	default:
		put_number_expr(s, depth - 1);
		strbuf_puts(s, sign[below(6)]);
		put_number_expr(s, depth - 1);
		break;
	}
}

/* ---- the table, in SQLite and in memory ---- */

struct fixture {
	sqlite3 *db;
	double row[N_ROWS][N_COLUMNS];
};

static void fill_row(double *row)
{
	for (size_t i = 0; i < N_COLUMNS; i++) {
		if (below(6) == 0)
			row[i] = (double)NAN;
		else if (i < N_INTEGER)
			row[i] = integer_value();
		else if (i < N_INTEGER + N_REAL)
			row[i] = real_value();
		else
			row[i] = below(4);
	}
}

static void bind_row(sqlite3_stmt *insert, const double *row)
{
	for (int i = 0; i < N_COLUMNS; i++) {
		if (isnan(row[i]))
			sqlite3_bind_null(insert, i + 1);
		else if (i < N_INTEGER)
			sqlite3_bind_int64(insert, i + 1, (sqlite3_int64)row[i]);
		else if (i < N_INTEGER + N_REAL)
			sqlite3_bind_double(insert, i + 1, row[i]);
		else
			sqlite3_bind_text(insert, i + 1, level_name[(int)row[i]], -1,
					  SQLITE_STATIC);
	}
}

static int make_table(void **state)
{
	static struct fixture f;
	sqlite3_stmt *insert = NULL;

	seed = 0x2545f4914f6cdd1dULL;
	assert_int_equal(sqlite3_open(":memory:", &f.db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(f.db,
				      "CREATE TABLE t(a INTEGER, b INTEGER, \"order\" INTEGER, "
				      "x REAL, y REAL, layout TEXT) STRICT",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(f.db, "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", -1,
					    &insert, NULL),
			 SQLITE_OK);
	for (int r = 0; r < N_ROWS; r++) {
		fill_row(f.row[r]);
		bind_row(insert, f.row[r]);
		assert_int_equal(sqlite3_step(insert), SQLITE_DONE);
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
	*state = &f;
	return 0;
}

static int drop_table(void **state)
{
	const struct fixture *f = *state;

	return sqlite3_close(f->db);
}

/* ---- the comparison ---- */

static bool same_value(sqlite3_stmt *select, int i_column, double want)
{
	switch (sqlite3_column_type(select, i_column)) {
	case SQLITE_NULL:
		return isnan(want);
	case SQLITE_INTEGER: /* within 2^53, or a comparison in SQL could go another way */
		return (double)sqlite3_column_int64(select, i_column) == want &&
		       (sqlite3_int64)want == sqlite3_column_int64(select, i_column);
	case SQLITE_FLOAT:
		return sqlite3_column_double(select, i_column) == want;
	default:
		return false;
	}
}

/* The canonical text is the same expression: it has the same values and the same SQL. */
static void check_canonical_text(const struct fixture *f, const struct expr_scope *scope,
				 const struct expr *x)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	RELEASED(strbuf) sql = STRBUF_INIT;
	RELEASED(strbuf) sql_again = STRBUF_INIT;
	FREED(expr) *again = NULL;

	expr_put_text(x, &text);
	must(expr_parse(strbuf_text(&text), scope, &again, &err));
	expr_put_sql(x, &sql);
	expr_put_sql(again, &sql_again);
	assert_string_equal(strbuf_text(&sql_again), strbuf_text(&sql));
	for (int r = 0; r < N_ROWS; r++) {
		double want = expr_eval(x, f->row[r]);
		double got = expr_eval(again, f->row[r]);

		assert_true(isnan(want) ? isnan(got) : got == want);
	}
}

static void check_expression(const struct fixture *f, const struct expr_scope *scope,
			     const char *text)
{
	RELEASED(strbuf) query = STRBUF_INIT;
	FREED(expr) *x = NULL;
	sqlite3_stmt *select = NULL;

	must(expr_parse(text, scope, &x, &err));
	check_canonical_text(f, scope, x);
	strbuf_puts(&query, "SELECT ");
	expr_put_sql(x, &query);
	strbuf_puts(&query, ", rowid IN (SELECT rowid FROM t WHERE ");
	expr_put_sql(x, &query);
	strbuf_puts(&query, ") FROM t ORDER BY rowid");
	if (sqlite3_prepare_v2(f->db, strbuf_text(&query), -1, &select, NULL) != SQLITE_OK)
		fail_msg("%s: %s\n%s", sqlite3_errmsg(f->db), text, strbuf_text(&query));
	for (int r = 0; r < N_ROWS; r++) {
		double want = expr_eval(x, f->row[r]);

		assert_int_equal(sqlite3_step(select), SQLITE_ROW);
		if (!same_value(select, 0, want) ||
		    sqlite3_column_int(select, 1) != expr_holds(x, f->row[r]))
			fail_msg("%s\nin SQL %s\nrow %d: SQLite has %s (selected: %d), we have "
				 "%.17g",
				 text, strbuf_text(&query), r,
				 (const char *)sqlite3_column_text(select, 0),
				 sqlite3_column_int(select, 1), want);
	}
	sqlite3_finalize(select);
}

TEST(ten_thousand_random_expressions_have_the_same_values_in_sqlite)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	for (int i = 0; i < N_EXPRESSIONS; i++) {
		strbuf_clear(&text);
		if (below(2))
			put_truth_expr(&text, 1 + below(3));
		else
			put_number_expr(&text, 1 + below(3));
		check_expression(*state, i % 2 ? &typed : &untyped, strbuf_text(&text));
	}
}

TEST(the_corners_have_the_same_values_in_sqlite)
{
	static const char *const corner[] = {
		"a / 0",
		"a % 0",
		"0 / 0",
		"x % -1",
		"-9223372036854775808 / -1",
		"floordiv(-9223372036854775808, -1)",
		"ceildiv(-7, 2)",
		"ceildiv(7, -2)",
		"floordiv(7, -2)",
		"floordiv(-7, -2)",
		"ceildiv(1e19, 3)",
		"floordiv(-1e19, 7.9)",
		"ceildiv(x, y)",
		"a * b * order * order",
		"9007199254740992 + 1 = 9007199254740993",
		"- - -a",
		"a - -5 - -b",
		"not not a",
		"0.5 or null",
		"null and 0",
		"null or 0",
		"null in (1)",
		"1 in (null, 1)",
		"1 in (null, 2)",
		"1 not in (null, 2)",
		"min(1, null)",
		"max(a, b, order, x, y)",
		"1e308 * 10 - 1e308 * 10", /* inf - inf is NULL in SQL */
		"abs(-1e308 * 10) % 7",
		"(a < b) = (b < a)",
		"(a < b) + (x < y) >= 1",
		"0.30000000000000004 = 0.1 + 0.2",
		"2.2250738585072014e-308",
		"5e-324",
		"1.7976931348623157e308",
		"123456789012345.678",
		"layout is null or layout = 'it''s'",
		"'DGZ' = layout",
		"layout in (null)",
	};

	for (size_t i = 0; i < sizeof corner / sizeof corner[0]; i++) {
		check_expression(*state, &typed, corner[i]);
		check_expression(*state, &untyped, corner[i]);
	}
}

/* Wrap "a" in as many layers as the parser takes, then let SQLite read the result. */
static void check_deepest(const struct fixture *f, const char *before, const char *after)
{
	RELEASED(strbuf) deepest = STRBUF_INIT;
	RELEASED(strbuf) text = STRBUF_INIT;
	int depth = 0;

	for (;; depth++) {
		struct expr *x = NULL;

		strbuf_clear(&text);
		for (int i = 0; i < depth; i++)
			strbuf_puts(&text, before);
		strbuf_puts(&text, "a");
		for (int i = 0; i < depth; i++)
			strbuf_puts(&text, after);
		if (expr_parse(strbuf_text(&text), &untyped, &x, NULL) != ERR_OK)
			break;
		expr_free(x);
		strbuf_clear(&deepest);
		strbuf_puts(&deepest, strbuf_text(&text));
	}
	assert_in_range(depth, 3, 300);
	check_expression(f, &untyped, strbuf_text(&deepest));
}

TEST(what_the_parser_takes_is_not_too_deep_for_sqlite)
{
	check_deepest(*state, "(", ")");
	check_deepest(*state, "b - (", ")");
	check_deepest(*state, "(", " + b) * x");
	check_deepest(*state, "", " + b");
	check_deepest(*state, "-", "");
	check_deepest(*state, "not ", "");
	check_deepest(*state, "not (b or not (", " and b))");
	check_deepest(*state, "b or b and b = (b + b * -(", "))");
	check_deepest(*state, "min(b, ", ")");
	check_deepest(*state, "abs(", ")");
	check_deepest(*state, "ceildiv(", ", x)");
	check_deepest(*state, "floordiv(x, ", ")");
	check_deepest(*state, "x + ceildiv(b, 2 - ", ")");
	check_deepest(*state, "(b in (1, 2, ", "))");
	check_deepest(*state, "(b between 1 and (", "))");
	check_deepest(*state, "((", ") is null)");
	check_deepest(*state, "(", " % b) * order");
}

/* Second opinion on our list of keywords: SQLite's own. */
TEST(every_keyword_of_sqlite_is_quoted)
{
	for (int i = 0; i < sqlite3_keyword_count(); i++) {
		RELEASED(strbuf) name = STRBUF_INIT;
		const char *keyword = NULL;
		int len = 0;

		assert_int_equal(sqlite3_keyword_name(i, &keyword, &len), SQLITE_OK);
		strbuf_add(&name, keyword, (size_t)len);
		if (!sql_name_needs_quotes(strbuf_text(&name)))
			fail_msg("%s would not be quoted", strbuf_text(&name));
	}
	assert_true(sql_name_needs_quotes("a b") && sql_name_needs_quotes("1a") &&
		    sql_name_needs_quotes(""));
	assert_false(sql_name_needs_quotes("it_g") || sql_name_needs_quotes("_x"));
}

TEST_GROUP(make_table, drop_table)
