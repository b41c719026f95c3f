#include "tests/support/made_application.h"
#include "tests/unit/kb/kb_test_applications.h"

/* docs/schema.md against the schema of a real base. */

enum { MAX_NAMES = 1000 };

/* A set of "table.column". */
struct names {
	char *name[MAX_NAMES];
	size_t n;
};

static void put(struct names *set, const char *table, const char *column, size_t len)
{
	char buf[200];

	assert_true(set->n < MAX_NAMES);
	snprintf(buf, sizeof buf, "%s.%.*s", table, (int)len, column);
	set->name[set->n] = strdup(buf);
	assert_non_null(set->name[set->n++]);
}

static bool contains(const struct names *set, const char *name)
{
	for (size_t i = 0; i < set->n; i++) {
		if (strcmp(set->name[i], name) == 0)
			return true;
	}
	return false;
}

static void names_release(struct names *set)
{
	for (size_t i = 0; i < set->n; i++)
		free(set->name[i]);
}

/* All of a is in b. */
static void expect_subset(const struct names *a, const struct names *b, const char *where)
{
	for (size_t i = 0; i < a->n; i++) {
		if (!contains(b, a->name[i])) {
			print_error("%s is not in %s\n", a->name[i], where);
			fail();
		}
	}
}

/* The names in backticks of the first cell of a table row. */
static void put_first_cell(struct names *set, const char *table, const char *line)
{
	const char *end = strchr(line + 1, '|');
	const char *p = line;

	while (end && (p = strchr(p, '`')) && p < end) {
		const char *close = strchr(p + 1, '`');

		assert_non_null(close);
		put(set, table, p + 1, (size_t)(close - p - 1));
		p = close + 1;
	}
}

/* Every "### TABLE" and the first cells of the rows below it. The generated tables are documented
 * as NAME and made for sweep3d here. */
static void read_document(struct names *set)
{
	HEAP char *text = read_text("docs/schema.md");
	char table[100] = "";
	char *rest = text;
	char *line;

	while ((line = strtok_r(rest, "\n", &rest))) {
		if (strcmp(line, "### run_NAME") == 0)
			strcpy(table, "run_sweep3d");
		else if (strcmp(line, "### runs_NAME") == 0)
			strcpy(table, "runs_sweep3d");
		else if (strcmp(line, "### stored_NAME") == 0)
			strcpy(table, "stored_sweep3d");
		else if (strcmp(line, "### keys_NAME") == 0)
			strcpy(table, "keys_sweep3d");
		else if (strncmp(line, "### ", 4) == 0)
			snprintf(table, sizeof table, "%s", line + 4);
		else if (line[0] == '#')
			table[0] = '\0';
		else if (line[0] == '|' && table[0])
			put_first_cell(set, table, line);
	}
}

/* All tables and views, without the columns of the application itself. */
static void read_schema(struct names *set, const struct application *a)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *s = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(
			db,
			"SELECT t.name, c.name FROM sqlite_schema AS t JOIN "
			"pragma_table_xinfo(t.name) AS c WHERE t.type IN ('table', 'view') "
			"AND t.name NOT LIKE 'sqlite_%'",
			-1, &s, NULL),
		SQLITE_OK);
	while (sqlite3_step(s) == SQLITE_ROW) {
		const char *table = (const char *)sqlite3_column_text(s, 0);
		const char *column = (const char *)sqlite3_column_text(s, 1);

		if (strstr(table, "sweep3d") && application_column(a, column) != SIZE_MAX)
			continue;
		put(set, table, column, strlen(column));
	}
	sqlite3_finalize(s);
	sqlite3_close(db);
}

static void make_base_with_sweep3d(struct application **a)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);

	must(application_read("data/applications/sweep3d.conf", a, &err));
	must(kb_put_application(kb, *a, NULL, &err));
}

KB_TEST(the_document_and_the_schema_name_the_same_columns)
{
	FREED(application) *a = NULL;
	RELEASED(names) document = {0};
	RELEASED(names) schema = {0};

	make_base_with_sweep3d(&a);
	read_document(&document);
	read_schema(&schema, a);
	assert_true(schema.n > 80);
	expect_subset(&schema, &document, "docs/schema.md");
	expect_subset(&document, &schema, "the schema");
}

KB_TEST(the_queries_of_the_document_run)
{
	struct application *a = NULL;
	int n_queries = 0;
	HEAP char *text = read_text("docs/schema.md");
	char *begin;
	char *end;
	const char *sql;
	sqlite3 *db = NULL;

	make_base_with_sweep3d(&a);
	application_free(a);
	begin = strstr(text, "```sql\n");
	assert_non_null(begin);
	end = strstr(begin + 7, "```");
	assert_non_null(end);
	*end = '\0';
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	for (sql = begin + 7; *sql;) {
		sqlite3_stmt *s = NULL;

		if (sqlite3_prepare_v2(db, sql, -1, &s, &sql) != SQLITE_OK) {
			print_error("%s\n", sqlite3_errmsg(db));
			fail();
		}
		if (s) {
			int code = sqlite3_step(s);

			n_queries++;
			assert_true(code == SQLITE_ROW || code == SQLITE_DONE);
		}
		sqlite3_finalize(s);
	}
	assert_true(n_queries >= 6);
	sqlite3_close(db);
}

KB_TEST(the_numbers_of_the_document_are_those_of_the_file)
{
	char want[60];
	HEAP char *text = read_text("docs/schema.md");

	snprintf(want, sizeof want, "`PRAGMA application_id` is %d", (int)KB_APPLICATION_ID);
	assert_non_null(strstr(text, want));
	snprintf(want, sizeof want, "the version of the schema, %d.", kb_schema_version());
	for (char *p = text; *p; p++) /* the sentence may stand on two lines */
		*p = *p == '\n' ? ' ' : *p;
	assert_non_null(strstr(text, want));
}
