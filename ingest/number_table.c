#include "ingest/number_table.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ingest/cell_number.h"
#include "ingest/header_match.h"
#include "ingest/mapping_check.h"
#include "ingest/text_table.h"

enum { MAX_COLUMNS = 16 };

/* Where the wanted columns stand; SIZE_MAX: not there. */
struct places {
	size_t at[MAX_COLUMNS];
	struct cell_unit unit[MAX_COLUMNS];
};

/* ---- the header ---- */

static enum err_code fail_header(const struct text_table *t, const char *what,
				 const struct number_column *c, struct err *e)
{
	static const char *const units[] = {[NUMBER_SECONDS] = "_us (or _ns, _ms, _s)",
					    [NUMBER_FLOPS] = "_gflops (or _tflops, _pflops)"};
	struct strbuf headers = STRBUF_INIT;
	enum err_code rc;

	mapping_check_list_headers(t, &headers);
	rc = err_set(e, ERR_PARSE, "%s:%llu: %s %s%s; the columns are %s", text_table_name(t),
		     (unsigned long long)text_table_header_line(t), what, c->names[0],
		     units[c->kind] ? units[c->kind] : "", strbuf_text(&headers));
	strbuf_release(&headers);
	return rc;
}

/* "GFlop/s", "gflops": operations a second. 0: no such unit. */
static double flops_unit(const char *unit)
{
	static const char prefix[] = "kmgtpe";
	const char *at = *unit ? strchr(prefix, *unit | 0x20) : NULL; /* in lower case */
	double factor = at ? pow(1000, (double)(at - prefix) + 1) : 1;

	unit += at != NULL;
	return strcasecmp(unit, "flops") == 0 || strcasecmp(unit, "flop/s") == 0 ? factor : 0;
}

/* "rmax_tflops": the header_name knows no such units. */
static void cut_flops(struct header_name *h)
{
	char *last = strrchr(h->stem, '_');

	if (*h->unit || !last || flops_unit(last + 1) == 0)
		return;
	strncpy(h->unit, last + 1, sizeof h->unit - 1);
	*last = '\0';
}

/* In the column's own unit: per cell. 0: the header's unit is none of its kind. */
static double unit_of(enum number_dimension kind, const char *unit)
{
	switch (kind) {
	case NUMBER_BYTES:
		return *unit ? cell_unit_bytes(unit) : 1;
	case NUMBER_SECONDS:
		return cell_unit_seconds(unit);
	case NUMBER_FLOPS:
		return flops_unit(unit);
	case NUMBER_PLAIN:
		break;
	}
	return *unit ? 0 : 1;
}

static bool is_one_of(const char *stem, const char *const *name)
{
	while (*name && strcmp(*name, stem) != 0)
		name++;
	return *name != NULL;
}

static enum err_code find_column(const struct text_table *t, const struct number_column *c,
				 size_t *at, struct cell_unit *unit, struct err *e)
{
	*at = SIZE_MAX;
	*unit = cell_unit_same;
	for (size_t i = 0; i < text_table_n_columns(t); i++) {
		struct header_name h = {.stem = ""};
		double factor;

		if (!header_name_read(text_table_column(t, i), &h) || h.statistic)
			continue;
		if (c->kind == NUMBER_FLOPS)
			cut_flops(&h);
		factor = unit_of(c->kind, h.unit);
		if (!(factor > 0) || !is_one_of(h.stem, c->names))
			continue;
		if (*at != SIZE_MAX)
			return fail_header(t, "two columns could be", c, e);
		*at = i;
		*unit = cell_unit_of_ratio(factor);
	}
	return *at == SIZE_MAX && !c->optional ? fail_header(t, "no column", c, e) : ERR_OK;
}

/* ---- the rows ---- */

static enum err_code read_cell(const struct text_table *t, const struct table_record *rec,
			       const struct number_column *c, size_t at, struct cell_unit unit,
			       double *out, struct err *e)
{
	struct strbuf why = STRBUF_INIT;
	enum number_fault fault;
	enum err_code rc = ERR_OK;

	*out = NAN;
	if (at == SIZE_MAX || (c->may_be_empty && !*rec->field[at]))
		return ERR_OK;
	fault = cell_number(rec->field[at], out);
	*out = cell_unit_apply(unit, *out);
	if (fault != NUMBER_OK)
		number_fault_explain(fault, rec->field[at], &why);
	else if (!(*out >= c->least) || !isfinite(*out))
		strbuf_printf(&why, "'%.60s' is out of range: it must be at least %g",
			      rec->field[at], c->least);
	if (why.len || why.failed)
		rc = err_set(e, ERR_PARSE, "%s:%llu: %s: %s", text_table_name(t),
			     (unsigned long long)rec->line, text_table_column(t, at),
			     strbuf_text(&why));
	strbuf_release(&why);
	return rc;
}

static enum err_code grow(struct number_table *out, size_t *cap, struct err *e)
{
	size_t grown = *cap ? *cap * 2 : 64;
	double *cell;

	if (out->n_rows < *cap)
		return ERR_OK;
	cell = realloc(out->cell, grown * out->n_columns * sizeof *cell);
	if (!cell)
		return err_set(e, ERR_NOMEM, "%zu rows of numbers", grown);
	out->cell = cell;
	*cap = grown;
	return ERR_OK;
}

static enum err_code read_rows(struct text_table *t, const struct number_column *column,
			       const struct places *p, struct number_table *out, struct err *e)
{
	struct table_record rec;
	size_t cap = 0;
	enum err_code rc;

	while (!(rc = text_table_next(t, &rec, e)) && rec.raw) {
		if (rec.bad)
			return err_set(e, ERR_PARSE, "%s:%llu: %s", text_table_name(t),
				       (unsigned long long)rec.line, rec.bad);
		if ((rc = grow(out, &cap, e)))
			return rc;
		for (size_t k = 0; k < out->n_columns; k++) {
			double *cell = &out->cell[out->n_rows * out->n_columns + k];

			if ((rc = read_cell(t, &rec, &column[k], p->at[k], p->unit[k], cell, e)))
				return rc;
		}
		out->n_rows++;
	}
	if (!rc && out->n_rows == 0)
		rc = err_set(e, ERR_PARSE, "%s:%llu: no row below the header", text_table_name(t),
			     (unsigned long long)text_table_header_line(t));
	return rc;
}

/* A table is held in memory; that of a pipe may never end. */
enum { TABLE_BYTES_MAX = 64 << 20 };

static enum err_code open_table(const char *path, struct text_table **out, struct err *e)
{
	struct byte_source *source = NULL;
	enum err_code rc = byte_source_open(path, &source, e);

	if (rc)
		return rc;
	byte_source_limit(source, TABLE_BYTES_MAX, NULL);
	return text_table_open_source(source, 0, out, e);
}

enum err_code number_table_read(const char *path, const struct number_column *column,
				size_t n_columns, struct number_table *out, struct err *e)
{
	struct number_table rows = {.n_columns = n_columns};
	struct text_table *t = NULL;
	struct places p;
	enum err_code rc;

	assert(n_columns > 0 && n_columns <= MAX_COLUMNS);
	rc = open_table(path, &t, e);
	for (size_t k = 0; k < n_columns && !rc; k++)
		rc = find_column(t, &column[k], &p.at[k], &p.unit[k], e);
	if (!rc)
		rc = read_rows(t, column, &p, &rows, e);
	text_table_close(t);
	if (rc)
		number_table_release(&rows);
	else
		*out = rows;
	return rc;
}

void number_table_release(struct number_table *t)
{
	free(t->cell);
	*t = (struct number_table){0};
}
