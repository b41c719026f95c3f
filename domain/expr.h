#ifndef DOMAIN_EXPR_H
#define DOMAIN_EXPR_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"

/* The one condition type: an expression tree over the columns of a run. Legality ("mm % mmi = 0"),
 * derived columns ("ceildiv(it_g, npe_i)"), `--where` and the conditions of mined rules are all
 * this. Its text, its SQL and its evaluation select exactly the same runs.
 *
 * Language, loosest first:  or;  and;  not;  = != < <= > >=, [not] in (a, b), [not] between a and
 * b, is [not] null;  + -;  * / %;  unary -;  numbers, 'text', column names, ( ), and the functions
 * min(a, b, ...), max(a, b, ...), abs(a), ceildiv(a, b), floordiv(a, b). Where the scope has math
 * (the terms of a definition, which are never SQL) also ceil(a), floor(a), sqrt(a), log2(a) and
 * pow(a, b), NULL where there is no finite value. "==" and "<>" are taken
 * for "=" and "!=". Keywords and names are case-insensitive as in SQL.
 *
 * Values are doubles; a NaN is NULL, and NULL follows SQL (three-valued logic; arithmetic on it,
 * x / 0 and x % 0 give NULL; min and max are NULL if an argument is). The literal null is allowed.
 * "/" is real division. ceildiv, floordiv and % are over integers: reals are first cut towards
 * zero; % has the sign of its left operand, ceildiv rounds up and floordiv down. "a < b < c" is
 * refused. Text columns hold level codes (see struct levels) and allow only = != in, is null,
 * against texts. */
struct expr;

/* The levels of one text column; code = index. Shared by everything that holds such a column. */
struct levels {
	char **name;
	size_t n;
	size_t cap;
};

/* The code of name; levels_add() makes it if it is new (SIZE_MAX: out of memory),
 * levels_find() gives SIZE_MAX. */
size_t levels_add(struct levels *l, const char *name);
size_t levels_find(const struct levels *l, const char *name);
void levels_release(struct levels *l);

/* What an expression may name: column i of a row is called name[i]. levels[i] is NULL for a
 * numeric column; the array may be NULL when all are numeric. integer[i]: its SQL column has type
 * INTEGER and holds nothing beyond +-2^53; the array may be NULL (not known: ceildiv and floordiv
 * then print casts). */
struct expr_scope {
	const char *const *name;
	const struct levels *const *levels;
	size_t n;
	const bool *integer;
	bool math; /* ceil, floor, sqrt, log2 and pow may be used; no SQL can be printed then */
};

/* Can a column go by this name without quotes: a letter or _, then letters, digits and _, and no
 * keyword of the language? */
bool expr_is_name(const char *text);

/* Compile text. An unknown column, a type mismatch or bad syntax is ERR_PARSE; the message shows
 * the place and, for an unknown name, the names there are. The tree keeps column indices, and a
 * pointer to the levels of text columns (they must outlive it; a literal is looked up at
 * evaluation, so levels may grow). What is nested so deeply that evaluation or SQLite's parser
 * could run out of stack is refused too. */
enum err_code expr_parse(const char *text, const struct expr_scope *scope, struct expr **out,
			 struct err *e);
void expr_free(struct expr *x);

/* The value on row[0..scope->n-1]; NaN is NULL. Truth is 1, 0 or NaN. No allocation. */
double expr_eval(const struct expr *x, const double *row);
/* True only if the value is neither 0 nor NULL, as in a WHERE clause. */
bool expr_holds(const struct expr *x, const double *row);
/* Does the value depend on column i? */
bool expr_uses(const struct expr *x, size_t i_column);

/* Above this value of column i a condition cannot hold, whatever else is in the row: of "i <= 8 * n
 * and ..." 8 * n. INFINITY: its form does not say, or a column that it needs is NaN. */
double expr_upper_bound(const struct expr *x, size_t i_column, const double *row);

/* How many of the conditions that "and" joins at the top of x hold on row; *n is how many there
 * are. The text of the first that does not hold is appended to out. Says why a condition was not
 * met, and how nearly it was. */
size_t expr_holding(const struct expr *x, const double *row, size_t *n, struct strbuf *out);

/* Is the value whole (or NULL) whenever the columns with integer[i] are? "/" never is. */
bool expr_is_integer(const struct expr *x, const bool *integer);

/* Append the canonical text (parses back to an equal tree), or SQL for plain SQLite without
 * extensions or math functions, column names quoted only where needed. */
void expr_put_text(const struct expr *x, struct strbuf *out);
void expr_put_sql(const struct expr *x, struct strbuf *out);

/* The SQL of a condition in one step, checked against scope. For one-off use, e.g. --where. */
enum err_code expr_text_to_sql(const char *text, const struct expr_scope *scope, struct strbuf *out,
			       struct err *e);

/* Must this name be "quoted" in SQLite: a keyword, or no plain identifier? */
bool sql_name_needs_quotes(const char *name);

#endif
