#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/date_text.h"
#include "kb/kb.h"
#include "kb/kb_run_table.h"
#include "kb/kb_sql.h"

/* When runs were made, from what their files said of it: columns of dates are of no application,
 * and kept beside the runs. */

/* As batch systems and people call them, what tells best first: a job may wait for days. Blanks and
 * hyphens are as good as underscores. The first two are of runs that were made for us. */
static const char *const names[] = {
	"slurm_started", "campaign_started", "start",	    "started",	 "started_at", "start_time",
	"starttime",	 "start_date",	     "begin",	    "date",	 "run_date",   "rundate",
	"day",		 "datetime",	     "date_time",   "timestamp", "time_stamp", "when",
	"measured_on",	 "measured_at",	     "end",	    "ended_at",	 "end_time",   "endtime",
	"finished_at",	 "submit",	     "submit_time", "submitted", "created_at",
};

enum { N_NAMES = sizeof names / sizeof names[0] };

bool kb_is_date_name(const char *header)
{
	for (size_t i = 0; i < N_NAMES; i++) {
		size_t k = 0;

		while (header[k] && names[i][k] &&
		       (tolower((unsigned char)header[k]) == names[i][k] ||
			(names[i][k] == '_' && (header[k] == ' ' || header[k] == '-'))))
			k++;
		if (!header[k] && !names[i][k])
			return true;
	}
	return false;
}

void kb_run_dates_release(struct kb_run_dates *d)
{
	free(d->item);
	*d = (struct kb_run_dates){0};
}

static int by_id(const void *key, const void *item)
{
	const int64_t id = *(const int64_t *)key,
		      other = ((const struct kb_run_date *)item)->run_id;

	return (id > other) - (id < other);
}

double kb_run_date_of(const struct kb_run_dates *d, int64_t run_id)
{
	const struct kb_run_date *date =
		d->n ? bsearch(&run_id, d->item, d->n, sizeof *d->item, by_id) : NULL;

	return date ? date->at_s : NAN;
}

static enum err_code add_date(struct kb_run_dates *d, int64_t run_id, double s, struct err *e)
{
	if (d->n == d->room) {
		const size_t room = 2 * d->room + 256;
		struct kb_run_date *more = realloc(d->item, room * sizeof *more);

		if (!more)
			return err_set(e, ERR_NOMEM, "dates of %zu runs", d->n);
		d->item = more;
		d->room = room;
	}
	d->item[d->n++] = (struct kb_run_date){run_id, s};
	return ERR_OK;
}

/* A date, of which 20250305 is a number; or seconds or milliseconds since 1970 (2001 to 2096). */
static bool read_cell(sqlite3_stmt *s, int i, enum slashed_order order, double *at_s)
{
	char packed[16];

	if (sqlite3_column_type(s, i) == SQLITE_TEXT)
		return date_text_read(kb_sql_text(s, i), order, at_s);
	*at_s = kb_sql_real(s, i);
	if (*at_s >= 19700101 && *at_s < 22000101) {
		snprintf(packed, sizeof packed, "%.0f", *at_s);
		return date_text_read(packed, order, at_s);
	}
	if (*at_s >= 1e12)
		*at_s /= 1000;
	return *at_s >= 1e9 && *at_s <= 4e9;
}

/* What is kept beside the runs of a machine (?1) under names of dates: run_id, the cell, and the
 * place of its name in names[]. */
static void put_cells(const struct application *a, struct strbuf *sql)
{
	strbuf_puts(sql, "(SELECT r.run_id, j.value, instr(',");
	for (size_t i = 0; i < N_NAMES; i++)
		strbuf_printf(sql, "%s,", names[i]);
	strbuf_puts(sql, "', ',' || replace(replace(lower(j.key), ' ', '_'), '-', '_') || ',') AS "
			 "place FROM ");
	run_table_put_name(a, sql);
	strbuf_puts(sql, " AS r, json_each(r.extra) AS j WHERE r.machine_id = ?1 AND "
			 "json_valid(r.extra))");
}

/* Dates as 05/03/2025 have one order on a machine, if one of them tells it and none another. */
static enum err_code find_order(struct kb *kb, const struct application *a, int64_t machine_id,
				enum slashed_order *out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	size_t n[SLASHED_MONTH_FIRST + 1] = {0};
	bool row = true;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT DISTINCT value FROM ");
	put_cells(a, &sql);
	strbuf_puts(&sql, " WHERE place > 0 AND value GLOB '*[0-9]/*[0-9]/[0-9][0-9]*'");
	if (sql.failed)
		rc = err_set(e, ERR_NOMEM, "dates of runs");
	else
		rc = kb_sql_prepare(kb, &s, e, strbuf_text(&sql), "i", machine_id);
	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		n[date_text_order(kb_sql_text(s, 0))]++;
	*out = SLASHED_UNKNOWN;
	if (n[SLASHED_DAY_FIRST] > 0 && n[SLASHED_MONTH_FIRST] == 0)
		*out = SLASHED_DAY_FIRST;
	if (n[SLASHED_MONTH_FIRST] > 0 && n[SLASHED_DAY_FIRST] == 0)
		*out = SLASHED_MONTH_FIRST;
	sqlite3_finalize(s);
	strbuf_release(&sql);
	return rc;
}

enum err_code kb_load_run_dates(struct kb *kb, const struct application *a, int64_t machine_id,
				struct kb_run_dates *out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	enum slashed_order order;
	bool row = true;
	enum err_code rc = find_order(kb, a, machine_id, &order, e);

	*out = (struct kb_run_dates){0};
	if (rc)
		return rc;
	strbuf_puts(&sql, "SELECT run_id, value FROM ");
	put_cells(a, &sql);
	strbuf_puts(&sql, " WHERE place > 0 ORDER BY run_id, place");
	if (sql.failed)
		rc = err_set(e, ERR_NOMEM, "dates of runs");
	else
		rc = kb_sql_prepare(kb, &s, e, strbuf_text(&sql), "i", machine_id);
	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		const int64_t run_id = sqlite3_column_int64(s, 0);
		double at_s;

		if ((out->n == 0 || out->item[out->n - 1].run_id != run_id) &&
		    read_cell(s, 1, order, &at_s))
			rc = add_date(out, run_id, at_s, e);
	}
	sqlite3_finalize(s);
	strbuf_release(&sql);
	if (rc)
		kb_run_dates_release(out);
	return rc;
}
