#include "kb/kb_run_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The code of a text of column i; runs with the same text mostly follow each other. */
static size_t level_code(struct column *c, size_t last, const char *text)
{
	if (last < c->levels.n && strcmp(c->levels.name[last], text) == 0)
		return last;
	return levels_add(&c->levels, text);
}

/* Values to numbers, texts to the codes of their levels. code[i] is the last one of column i. */
static enum err_code to_row(const struct application *a, const struct run_value *value,
			    size_t *code, double *row, struct err *e)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		row[i] = value[i].number;
		if (!value[i].text)
			continue;
		code[i] = level_code(&a->column[i], code[i], value[i].text);
		if (code[i] == SIZE_MAX)
			return err_set(e, ERR_NOMEM, "values of column %s", a->column[i].name);
		row[i] = (double)code[i];
	}
	return ERR_OK;
}

/* What run_loader_put_columns() has ahead of the columns of the class. */
enum { N_FIXED = 7 };

/* What the base's checks keep out may still be in a damaged file. */
static enum err_code check_run(sqlite3_stmt *s, int source, int status, double wall_s,
			       struct err *e)
{
	bool has_time = wall_s > 0 && isfinite(wall_s);

	if (source >= 0 && status >= 0 && (has_time || status == RUN_FAILED))
		return ERR_OK;
	return err_set(e, ERR_KB, "run %lld is damaged: `lemnos status check` tells more",
		       (long long)sqlite3_column_int64(s, 0));
}

enum err_code run_loader_add(struct run_loader *l, sqlite3_stmt *s, struct err *e)
{
	double wall_s = kb_sql_real(s, 4);
	int source = run_source_from(kb_sql_text(s, 2));
	int status = source < 0 ? -1 : run_status_from(kb_sql_text(s, 3));
	enum err_code rc;

	if (status < 0 && kb_sql_lost_text(s))
		return err_set(e, ERR_NOMEM, "source and status of a run");
	if ((rc = check_run(s, source, status, wall_s, e)))
		return rc;
	run_values_from_row(l->a, s, N_FIXED, l->value);
	if ((rc = to_row(l->a, l->value, l->code, l->row, e)))
		return rc;
	rc = dataset_add(l->runs, l->row, wall_s, sqlite3_column_int64(s, 0),
			 sqlite3_column_int64(s, 1), (enum run_source)source,
			 (enum run_status)status, (uint32_t)sqlite3_column_int64(s, 5), e);
	if (!rc && sqlite3_column_int(s, 6))
		l->runs->flagged[l->runs->n - 1] = 1;
	return rc;
}

enum err_code run_loader_init(struct run_loader *l, const struct application *a, struct err *e)
{
	*l = (struct run_loader){
		.a = a,
		.value = calloc(a->n_columns + 1, sizeof *l->value),
		.row = calloc(a->n_columns + 1, sizeof *l->row),
		.code = calloc(a->n_columns + 1, sizeof *l->code),
		.runs = dataset_new(a),
	};
	if (l->value && l->row && l->code && l->runs)
		return ERR_OK;
	run_loader_release(l);
	return err_set(e, ERR_NOMEM, "runs of %s", a->name);
}

void run_loader_release(struct run_loader *l)
{
	dataset_free(l->runs);
	free(l->value);
	free(l->row);
	free(l->code);
	*l = (struct run_loader){0};
}

struct dataset *run_loader_take(struct run_loader *l)
{
	struct dataset *runs = l->runs;

	l->runs = NULL;
	return runs;
}

void run_loader_put_columns(const struct application *a, const char *prefix, struct strbuf *sql)
{
	static const char *const fixed[N_FIXED] = {"run_id", "machine_id", "source", "status",
						   "wall_s", "n_repeats",  "flag"};

	for (int i = 0; i < N_FIXED; i++)
		strbuf_printf(sql, "%s%s%s", i ? ", " : "", prefix, fixed[i]);
	strbuf_puts(sql, " IS NOT NULL");
	run_values_put_names(a, prefix, sql);
}
