#include "tests/support/check.h"

#include "domain/expr.h"

FREEABLE(expr)

/* What the language means. That SQLite agrees is tested in tests/unit/kb/test_expr_sql.c. */

enum { A, B, C, X, LAYOUT, N_COLUMNS };
static const char *const name[N_COLUMNS] = {"a", "b", "c", "x", "layout"};
static char dgz[] = "DGZ";
static char gdz[] = "GDZ";
static char *seen[] = {dgz, gdz};
static struct levels layouts = {.name = seen, .n = 2};
static const struct levels *const levels[N_COLUMNS] = {[LAYOUT] = &layouts};
static const bool integer[N_COLUMNS] = {true, true, true, false, false};
static const struct expr_scope scope = {name, levels, N_COLUMNS, integer, false};

/* a = 7, b = -2, c is NULL, x = 2.5, layout = 'GDZ' */
static const double row[N_COLUMNS] = {7, -2, (double)NAN, 2.5, 1};

static struct expr *parse(const char *text)
{
	struct expr *x = NULL;

	must(expr_parse(text, &scope, &x, &err));
	return x;
}

static void check_value(const char *text, double want)
{
	FREED(expr) *x = parse(text);
	double got = expr_eval(x, row);

	if (isnan(want) ? !isnan(got) : got != want)
		fail_msg("%s = %.17g, want %.17g", text, got, want);
	assert_int_equal(expr_holds(x, row), !isnan(want) && want != 0);
}

static void check_refused(const char *text, const char *word)
{
	struct expr *x = (struct expr *)name; /* any pointer: it must stay */
	struct err e = {0};

	if (expr_parse(text, &scope, &x, &e) != ERR_PARSE)
		fail_msg("'%s' was taken", text);
	if (!strstr(e.msg, word))
		fail_msg("\"%s\" is not in \"%s\"", word, e.msg);
	assert_ptr_equal(x, (struct expr *)name);
}

TEST(arithmetic_has_the_usual_precedence)
{
	check_value("1 + 2 * 3", 7);
	check_value("(1 + 2) * 3", 9);
	check_value("10 - 4 - 3", 3);
	check_value("16 / 4 / 2", 2);
	check_value("-a + 1", -6);
	check_value("- - 3", 3);
	check_value("2 * -3", -6);
	check_value("7 / 2", 3.5); /* real division, also of integers */
	check_value("1e-3 * 1000", 1);
	check_value(".5 + .5", 1);
	check_value("A + B", 5); /* names in any case */
	check_value("\"a\" + 1", 8);
}

TEST(comparisons_and_logic_give_1_and_0)
{
	check_value("a = 7", 1);
	check_value("a == 7", 1);
	check_value("a <> 7", 0);
	check_value("a != 8", 1);
	check_value("a < 7 or a >= 7 and not a = 7", 0); /* and binds tighter than or */
	check_value("not a = 8 and b < 0", 1);
	check_value("a between 1 and 7", 1);
	check_value("a not between 1 and 7", 0);
	check_value("a between 8 and 1", 0);
	check_value("a in (1, 7)", 1);
	check_value("a not in (1, 7)", 0);
	check_value("c is null", 1);
	check_value("a is not null", 1);
	check_value("a + 1 = 8 AND b IN (-2)", 1);
	check_value("(a > b) + (a > 0)", 2);
	check_value("0.5 and 1", 1); /* any number but 0 is true, as in SQL */
}

/* The truth tables of SQL, with c as the unknown. */
TEST(null_makes_logic_three_valued)
{
	const double unknown = (double)NAN;

	check_value("c = 1", unknown);
	check_value("c = c", unknown);
	check_value("not c", unknown);
	check_value("c and 1", unknown);
	check_value("1 and c", unknown);
	check_value("c and 0", 0);
	check_value("0 and c", 0);
	check_value("c or 1", 1);
	check_value("1 or c", 1);
	check_value("c or 0", unknown);
	check_value("0 or c", unknown);
	check_value("c and c", unknown);
	check_value("a in (7, c)", 1);
	check_value("a in (8, c)", unknown);
	check_value("a not in (8, c)", unknown);
	check_value("a not in (7, c)", 0);
	check_value("c in (1)", unknown);
	check_value("a in (8, null)", unknown);
	check_value("a between c and 1", 0); /* 7 <= 1 is false, whatever c is */
	check_value("a between c and 9", unknown);
	check_value("a + c", unknown);
	check_value("min(a, c)", unknown);
	check_value("max(c, a)", unknown);
	check_value("abs(c)", unknown);
	check_value("ceildiv(a, c)", unknown);
	check_value("null is null", 1);
}

TEST(division_by_zero_is_null)
{
	check_value("a / 0", (double)NAN);
	check_value("a % 0", (double)NAN);
	check_value("a % 0.5", (double)NAN); /* 0.5 is cut to 0 */
	check_value("ceildiv(a, 0)", (double)NAN);
	check_value("floordiv(0, 0)", (double)NAN);
}

TEST(integer_division_rounds_the_right_way_for_all_signs)
{
	check_value("ceildiv(7, 2)", 4); /* 3.5 */
	check_value("ceildiv(-7, 2)", -3);
	check_value("ceildiv(7, -2)", -3);
	check_value("ceildiv(-7, -2)", 4);
	check_value("floordiv(7, 2)", 3);
	check_value("floordiv(-7, 2)", -4);
	check_value("floordiv(7, -2)", -4);
	check_value("floordiv(-7, -2)", 3);
	check_value("ceildiv(6, 2)", 3);
	check_value("floordiv(-6, 2)", -3);
	check_value("ceildiv(7.9, 2.9)", 4);				  /* 7 and 2 */
	check_value("floordiv(9007199254740991, 2)", 4503599627370495.0); /* (2^53 - 1) / 2 */
	check_value("7 % 4", 3);
	check_value("-7 % 4", -3); /* the sign of the left operand */
	check_value("7 % -4", 3);
	check_value("7.9 % 4.9", 3);
	check_value("a % -1", 0);
	check_value("1e19 % 10", 7); /* cut to 2^63 - 1 = 9223372036854775807 */
}

TEST(functions_take_the_arguments_they_need)
{
	check_value("min(3, 1, 2)", 1);
	check_value("max(a, b, x)", 7);
	check_value("abs(b)", 2);
	check_value("MAX(1, 2)", 2);
	check_refused("min(1)", "write min(a, b, ...)");
	check_refused("abs(1, 2)", "write abs(a)");
	check_refused("ceildiv(1)", "write ceildiv(a, b)");
	check_refused("cbrt(1)", "the functions are min, max, abs, ceildiv and floordiv");
	check_refused("ceil(1)",
		      "it stands in 'let', 'compute' and 'communication' of a definition "
		      "only: the functions here are min, max, abs, ceildiv and floordiv");
}

static void check_math(const char *text, double want)
{
	const struct expr_scope math = {name, levels, N_COLUMNS, integer, true};
	RELEASED(strbuf) again = STRBUF_INIT;
	FREED(expr) *x = NULL;
	double got;

	must(expr_parse(text, &math, &x, &err));
	got = expr_eval(x, row);
	if (isnan(want) ? !isnan(got) : got != want)
		fail_msg("%s = %.17g, want %.17g", text, got, want);
	expr_put_text(x, &again);
	assert_string_equal(strbuf_text(&again), text);
}

TEST(functions_of_terms_have_a_scope_of_their_own)
{
	static const bool whole[N_COLUMNS];
	const struct expr_scope math = {name, levels, N_COLUMNS, integer, true};
	struct expr *x = NULL;

	check_math("ceil(2.1) + ceil(-2.1)", 1); /* 3 - 2 */
	check_math("floor(2.9) + floor(-2.9)", -1);
	check_math("log2(8)", 3);
	check_math("pow(2, 10)", 1024);
	check_math("sqrt(49)", 7);
	check_math("log2(0)", (double)NAN);
	check_math("log2(-1)", (double)NAN);
	check_math("sqrt(-1)", (double)NAN);
	check_math("pow(10, 400)", (double)NAN);
	check_math("pow(-1, 0.5)", (double)NAN);
	check_math("floor(null)", (double)NAN);
	must_fail(expr_parse("pow(2)", &math, &x, &err), ERR_PARSE, "write pow(a, b)");
	must(expr_parse("ceil(2.5)", &math, &x, &err));
	assert_true(expr_is_integer(x, whole));
	expr_free(x);
	must(expr_parse("pow(2, 3)", &math, &x, &err));
	assert_false(expr_is_integer(x, whole));
	expr_free(x);
	check_refused("log2(8)", "a function of terms");
	check_refused("2 ^ 3", "terms of a definition have pow(a, b)");
}

TEST(text_columns_compare_with_texts_only)
{
	check_value("layout = 'GDZ'", 1);
	check_value("'GDZ' = layout", 1);
	check_value("layout != 'GDZ'", 0);
	check_value("layout = 'gdz'", 0); /* as in SQL */
	check_value("layout in ('x', 'GDZ')", 1);
	check_value("layout not in ('x', 'y')", 1);
	check_value("layout not in ('x', null)", (double)NAN);
	check_value("layout is not null", 1);
	check_refused("layout < 'GDZ'", "text columns take =, !=, in and is null");
	check_refused("layout = 1", "layout = 'text'");
	check_refused("layout in ('x', 1)", "layout = 'text'");
	check_refused("layout + 1", "wants numbers");
	check_refused("a = 'x'", "x is text");
	check_refused("layout", "no condition");
	check_refused("'x'", "no condition");
	check_refused("layout and a", "wants numbers");
	check_refused("max(layout, 'x')", "wants numbers");
}

TEST(a_level_that_appears_later_is_found)
{
	RELEASED(levels) growing = {0};
	const struct levels *const list[] = {&growing};
	const char *const column[] = {"layout"};
	const struct expr_scope later = {column, list, 1, NULL, false};
	FREED(expr) *x = NULL;
	double code;

	must(expr_parse("layout = 'ZGD'", &later, &x, &err));
	code = 0;
	assert_true(isnan(expr_eval(x, &code))); /* a code without a level is no value */
	for (int i = 0; i < 100; i++) {
		char text[16];

		snprintf(text, sizeof text, "L%d", i);
		assert_int_equal(levels_add(&growing, text), i);
	}
	code = (double)levels_add(&growing, "ZGD");
	assert_int_equal(levels_add(&growing, "ZGD"), 100);
	assert_int_equal(levels_find(&growing, "L7"), 7);
	assert_true(levels_find(&growing, "none") == SIZE_MAX);
	assert_true(expr_holds(x, &code));
	code = 3;
	assert_false(expr_holds(x, &code));
}

TEST(errors_name_the_place_and_what_would_be_right)
{
	check_refused("a % foo = 0", "unknown column 'foo' at character 5 of \"a % foo = 0\": the "
				     "columns are a, b, c, x, layout");
	check_refused("layout = DGZ", "unknown column 'DGZ' at character 10 of \"layout = DGZ\": a "
				      "text stands in quotes, 'DGZ'; the columns are a, b, c, x");
	check_refused("", "unexpected end at character 1");
	check_refused("a +", "unexpected end at character 4");
	check_refused("(a = 1", "write ')'");
	check_refused("a = 1)", "unexpected ')' at character 6");
	check_refused("a 1", "unexpected '1' at character 3");
	check_refused("a && b", "write 'and'");
	check_refused("a || b", "write 'or'");
	check_refused("!a", "write 'not'");
	check_refused("a ** 2", "x * x");
	check_refused("1 < a < 7", "do not chain; write a < b and b < c");
	check_refused("a = b = 1", "do not chain");
	check_refused("a in (1) in (1)", "do not chain");
	check_refused("a in 1", "write in (a, b)");
	check_refused("a in ()", "unexpected ')'");
	check_refused("a between 1", "write between a and b");
	check_refused("a is 1", "write is null");
	check_refused("'' is null", "a text is never null; write column is null");
	check_refused("'DGZ' is not null", "a text is never null; write column is null");
	check_refused("a not 1", "write not in (...)");
	check_refused("layout = 'x", "a closing quote is missing");
	check_refused("12abc", "not a number");
	check_refused("1.2.3", "not a number");
	check_refused("1e999", "not a number");
	check_refused("+1", "leave it out");
	check_refused("a = and", "unexpected 'and'");
	check_refused("a; drop table t", "no such sign");
	check_refused("a = \xc3\xa9", "no such sign");
}

static void check_text(const char *text, const char *want)
{
	RELEASED(strbuf) first = STRBUF_INIT;
	RELEASED(strbuf) second = STRBUF_INIT;
	FREED(expr) *x = parse(text);
	FREED(expr) *again;

	expr_put_text(x, &first);
	assert_string_equal(strbuf_text(&first), want);
	again = parse(strbuf_text(&first)); /* the canonical text is its own canonical text */
	expr_put_text(again, &second);
	assert_string_equal(strbuf_text(&second), want);
}

TEST(the_text_has_the_parentheses_it_needs_and_no_others)
{
	check_text("((a))+(b*(c))", "a + b * c");
	check_text("(a+b)*c", "(a + b) * c");
	check_text("a-(b-c)", "a - (b - c)");
	check_text("a+(b+c)", "a + (b + c)"); /* doubles are not associative */
	check_text("a*(b/c)%2", "a * (b / c) % 2");
	check_text("-(a+b)", "-(a + b)");
	check_text("--a", "--a");
	check_text("-(-5)", "5");
	check_text("a- -5", "a - -5");
	check_text("NOT(a=1)AND(b=2 OR c=3)", "not a = 1 and (b = 2 or c = 3)");
	check_text("a=1 or b=2 and c=3", "a = 1 or b = 2 and c = 3");
	check_text("(a<b)=(b<c)", "(a < b) = (b < c)");
	check_text("(a=1) is null", "(a = 1) is null");
	check_text("a not between 1 and 2+3", "a not between 1 and 2 + 3");
	check_text("(not a) + 1", "(not a) + 1");
	check_text("layout IN('DGZ','it''s')", "layout in ('DGZ', 'it''s')");
	check_text("'DGZ'<>layout", "layout != 'DGZ'");
	check_text("CEILDIV(a,b)%MIN(1,2,0.1)", "ceildiv(a, b) % min(1, 2, 0.1)");
	check_text("a = NULL", "a = null");
}

static void check_sql(const char *text, const char *want)
{
	RELEASED(strbuf) sql = STRBUF_INIT;

	must(expr_text_to_sql(text, &scope, &sql, &err));
	assert_string_equal(strbuf_text(&sql), want);
}

TEST(the_sql_is_what_a_person_would_write_where_that_is_exact)
{
	check_sql("a % b = 0", "a % b = 0");
	check_sql("a >= 64 and layout = 'DGZ'", "a >= 64 AND layout = 'DGZ'");
	check_sql("a in (1, 2) or x is not null", "a IN (1, 2) OR x IS NOT NULL");
	check_sql("a * b", "1.0 * a * b");
	check_sql("2 * (a - 1)", "2.0 * (a - 1.0)");
	check_sql("a / b / c", "1.0 * a / b / c");
	check_sql("--a", "-(-a)"); /* "--" is a comment in SQL */
	check_sql("ceildiv(a, b)", "(a / b + (a % b * b > 0))");
	check_sql("floordiv(a, 4)", "(a / 4 - (a % 4 * 4 < 0))");
	check_sql("ceildiv(x, a)",
		  "(1.0 * (CAST(x AS INTEGER) / a + (CAST(x AS INTEGER) % a * a > 0)))");
	check_sql("x < 0.1", "x < 0.1");
	/* 0.1 + 0.2 = 5404319552844596 / 2^54: 17 digits, which old versions misread */
	check_sql("x = 0.30000000000000004", "x = (5404319552844596.0 / 18014398509481984.0)");
}

TEST(only_names_that_sql_would_misread_are_quoted)
{
	static const char *const column[] = {"order", "Group", "value", "kt"};
	const struct expr_scope odd = {column, NULL, 4, NULL, false};
	struct strbuf sql = STRBUF_INIT;

	must(expr_text_to_sql("order = 1 and group = 2 and value = 3 and kt = 4", &odd, &sql,
			      &err));
	assert_string_equal(strbuf_text(&sql),
			    "\"order\" = 1 AND \"Group\" = 2 AND value = 3 AND kt = 4");
	strbuf_release(&sql);
	assert_true(expr_is_name("order") && expr_is_name("_x1"));
	assert_false(expr_is_name("and") || expr_is_name("Null") || expr_is_name("1a") ||
		     expr_is_name("a b") || expr_is_name("") || expr_is_name("\"a\"") ||
		     expr_is_name(" a"));
}

/* before, repeated, "a", after, repeated */
static enum err_code parse_nested(const char *before, const char *after, int n, struct err *e)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	struct expr *x = NULL;
	enum err_code rc;

	for (int i = 0; i < n; i++)
		strbuf_puts(&text, before);
	strbuf_puts(&text, "a");
	for (int i = 0; i < n; i++)
		strbuf_puts(&text, after);
	rc = expr_parse(strbuf_text(&text), &scope, &x, e);
	if (rc == ERR_OK)
		expr_free(x);
	return rc;
}

TEST(nesting_has_a_limit_and_no_crash)
{
	static const struct {
		const char *before;
		const char *after;
	} shape[] = {{"(", ")"},	   {"-", ""},	    {"not ", ""},      {"", " + 1"},
		     {"1 - (", ")"},	   {"abs(", ")"},   {"", " or b"},     {"min(1, ", ")"},
		     {"ceildiv(", ", 2)"}, {"a in (", ")"}, {"(", ") is null"}};

	for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
		must(parse_nested(shape[i].before, shape[i].after, 4, &err));
		must_fail(parse_nested(shape[i].before, shape[i].after, 100000, &err), ERR_PARSE,
			  "too deeply nested");
	}
}

TEST(an_argument_list_has_a_limit)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	FREED(expr) *x = NULL;

	strbuf_puts(&text, "a in (1");
	for (int i = 1; i < 1000; i++)
		strbuf_puts(&text, ", 1");
	strbuf_puts(&text, ", 7)");
	check_refused(strbuf_text(&text), "1000 items at most");
	text.len -= strlen(", 7)");
	strbuf_puts(&text, ")");
	x = parse(strbuf_text(&text));
	assert_false(expr_holds(x, row));
}

TEST(an_expression_knows_its_columns_and_whether_it_is_whole)
{
	static const struct {
		const char *text;
		bool whole;
	} kind[] = {
		{"a * b - 1", true},	   {"a / b", false},	{"a * x", false},
		{"ceildiv(x, 0.5)", true}, {"x % 2", true},	{"x > 1", true},
		{"min(a, 0.5)", false},	   {"-abs(a)", true},	{"null", true},
		{"(a > b) + 1", true},	   {"max(a, b)", true},
	};
	struct expr *x = parse("min(a, 1) in (2, c)");

	assert_true(expr_uses(x, A) && expr_uses(x, C));
	assert_false(expr_uses(x, B) || expr_uses(x, LAYOUT) || expr_uses(x, 99));
	expr_free(x);
	for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
		x = parse(kind[i].text);
		assert_int_equal(expr_is_integer(x, integer), kind[i].whole);
		expr_free(x);
	}
	expr_free(NULL);
}

static void check_holding(const char *text, size_t holding, size_t n, const char *first_false)
{
	RELEASED(strbuf) why = STRBUF_INIT;
	FREED(expr) *x = parse(text);
	size_t got_n = 99;

	assert_int_equal(expr_holding(x, row, &got_n, &why), holding);
	assert_int_equal(got_n, n);
	assert_string_equal(strbuf_text(&why), first_false);
}

TEST(a_condition_tells_which_of_its_parts_does_not_hold)
{
	check_holding("a = 7 and b < 0", 2, 2, "");
	check_holding("a = 7 and (b > 0 or x > 3) and b > 1", 1, 3, "b > 0 or x > 3");
	check_holding("c > 0", 0, 1, "c > 0"); /* NULL does not hold */
	check_holding("not (a = 7 and b < 0)", 0, 1, "not (a = 7 and b < 0)");
}

/* Nothing a person or a fuzzer types may crash the parser: cut, swap and repeat pieces of good
 * texts. */
TEST(a_condition_tells_how_large_a_column_may_be)
{
	static const struct {
		const char *text;
		double bound; /* of a, where b = 3 */
	} c[] = {
		{"a <= 2 * b", 6},
		{"a < b", 3},
		{"b >= a", 3},
		{"a = b and a < 9", 3},
		{"a between 1 and b", 3},
		{"a <= 7 and b >= 1", 7},
		{"a <= 7 or b = 1", (double)INFINITY},
		{"2 * a <= b", (double)INFINITY},
		{"a <= c", (double)INFINITY},
		{"a >= b", (double)INFINITY},
		{"a <= a + 1", (double)INFINITY},
	};
	double at[N_COLUMNS] = {[B] = 3, [C] = (double)NAN};

	for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
		FREED(expr) *x = parse(c[i].text);

		at[A] = (double)NAN;
		assert_true(expr_upper_bound(x, A, at) == c[i].bound);
		at[A] = c[i].bound + 1;
		assert_true(isinf(c[i].bound) || !expr_holds(x, at));
	}
}

TEST(mangled_texts_are_refused_or_taken_but_never_crash)
{
	static const char *const piece[] = {
		"a",	"(",	    ")",       "and", "or", "not", "in", "is",	"null",
		"'x'",	"'",	    "between", "1.5", "-",  "%",   "=",	 "<",	",",
		"min(", "ceildiv(", "layout",  "\"",  "!",  "1e",  "\n", "\x01"};
	uint64_t seed = 42;

	for (int i = 0; i < 50000; i++) {
		RELEASED(strbuf) text = STRBUF_INIT;
		struct expr *x = NULL;

		for (int k = 0; k < 8; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth */
			strbuf_puts(&text, piece[(seed >> 33) % (sizeof piece / sizeof piece[0])]);
			strbuf_puts(&text, seed >> 63 ? " " : "");
		}
		if (expr_parse(strbuf_text(&text), &scope, &x, NULL) == ERR_OK) {
			expr_eval(x, row);
			expr_free(x);
		}
	}
}
