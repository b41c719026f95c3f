#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "domain/expr.h"
#include "domain/template.h"

/* A condition, as in --where and in definitions: its canonical text means the same, and its SQL is
 * one expression that SQLite takes, which reads columns of one table and does nothing else. */

enum { N_COLUMNS = 5 };

static const char *const column_name[N_COLUMNS] = {"a", "b", "order", "x", "layout"};
static const bool column_integer[N_COLUMNS] = {true, true, true, false, false};
static char level_text[2][5] = {"DGZ", "it's"};
static char *level_name[] = {level_text[0], level_text[1]};
static const struct levels layout_levels = {.name = level_name, .n = 2};
static const struct levels *const column_levels[N_COLUMNS] = {[4] = &layout_levels};
static const struct expr_scope scope = {column_name, column_levels, N_COLUMNS, column_integer,
					false};
static const double rows[][N_COLUMNS] = {
	{6, 4, 1, 0.5, 0}, {0, -3, 9007199254740992.0, -1e300, 1}, {NAN, 0, -1, 5e-324, NAN}};
static sqlite3 *db;

static int only_reads_the_table(void *arg, int action, const char *a, const char *b,
				const char *base, const char *trigger)
{
	(void)arg;
	(void)b;
	(void)base;
	(void)trigger;
	if (action == SQLITE_SELECT || action == SQLITE_FUNCTION)
		return SQLITE_OK;
	return action == SQLITE_READ && !strcmp(a, "t") ? SQLITE_OK : SQLITE_DENY;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_require(sqlite3_open(":memory:", &db) == SQLITE_OK, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	fuzz_require(sqlite3_exec(db,
				  "CREATE TABLE t (a INTEGER, b INTEGER, \"order\" INTEGER, x "
				  "REAL, layout TEXT) STRICT; CREATE TABLE secret (s)",
				  NULL, NULL, NULL) == SQLITE_OK,
		     NULL);
	sqlite3_set_authorizer(db, only_reads_the_table, NULL);
	return 0;
}

static void check_sql(const struct expr *x)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	const char *rest = NULL;
	struct err e = {0};

	strbuf_puts(&sql, "SELECT 1 FROM t WHERE (");
	expr_put_sql(x, &sql);
	strbuf_puts(&sql, ")");
	if (sqlite3_prepare_v2(db, strbuf_text(&sql), -1, &s, &rest) != SQLITE_OK)
		err_set(&e, ERR_KB, "%s: %s", sqlite3_errmsg(db), strbuf_text(&sql));
	fuzz_require(!e.code && s && rest && !*rest, &e);
	sqlite3_finalize(s);
	strbuf_release(&sql);
}

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b;
}

static void check_text(const struct expr *x)
{
	struct strbuf text = STRBUF_INIT, text_again = STRBUF_INIT;
	struct expr *again = NULL;
	struct err e = {0};

	expr_put_text(x, &text);
	fuzz_require(!expr_parse(strbuf_text(&text), &scope, &again, &e), &e);
	expr_put_text(again, &text_again);
	fuzz_require(!strcmp(strbuf_text(&text), strbuf_text(&text_again)), NULL);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		fuzz_require(same(expr_eval(x, rows[i]), expr_eval(again, rows[i])), NULL);
	expr_free(again);
	strbuf_release(&text);
	strbuf_release(&text_again);
}

static void try_template(const char *text)
{
	struct strbuf filled = STRBUF_INIT;
	struct template *t = NULL;
	struct err e = {0};
	enum err_code rc = template_parse(text, &scope, &t, &e);

	fuzz_check_error(rc, &e);
	if (!rc) {
		rc = template_fill(t, rows[0], TEMPLATE_COMMAND, &filled, &e);
		fuzz_check_error(rc, &e);
	}
	template_free(t);
	strbuf_release(&filled);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct expr *x = NULL;
	struct err e = {0};
	char *text = fuzz_text(data, size);
	enum err_code rc = expr_parse(text, &scope, &x, &e);

	fuzz_check_error(rc, &e);
	if (!rc) {
		check_text(x);
		check_sql(x);
	}
	expr_free(x);
	try_template(text);
	free(text);
	return 0;
}
