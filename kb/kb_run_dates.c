#include <ctype.h>
#include <stdlib.h>

#include "kb/kb.h"
#include "kb/kb_run_table.h"
#include "kb/kb_sql.h"

/* When runs were made, from what their files said of it: columns of dates are of no application,
 * and kept beside the runs. */

/* Of a cell that SQLite reads as a date, or a number of seconds since 1970 (2001 to 2096). */
static const char at_s[] =
	"CASE WHEN j.type = 'text' THEN (julianday(j.value) - 2440587.5) * 86400 "
	"WHEN j.value BETWEEN 1e9 AND 4e9 THEN j.value END";

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

static enum err_code add_date(struct kb_run_dates *d, int64_t run_id, double s, struct err *e)
{
	if (d->n > 0 && d->item[d->n - 1].run_id == run_id)
		return ERR_OK;
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

enum err_code kb_load_run_dates(struct kb *kb, const struct application *a, int64_t machine_id,
				struct kb_run_dates *out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc;

	*out = (struct kb_run_dates){0};
	strbuf_puts(&sql, "SELECT run_id, at FROM (SELECT r.run_id, instr(',");
	for (size_t i = 0; i < N_NAMES; i++)
		strbuf_printf(&sql, "%s,", names[i]);
	strbuf_printf(&sql,
		      "', ',' || replace(replace(lower(j.key), ' ', '_'), '-', '_') || ',') AS "
		      "place, %s AS at FROM ",
		      at_s);
	run_table_put_name(a, &sql);
	strbuf_puts(
		&sql,
		" AS r, json_each(r.extra) AS j WHERE r.machine_id = ?1 AND "
		"json_valid(r.extra)) WHERE place > 0 AND at IS NOT NULL ORDER BY run_id, place");
	if (sql.failed)
		rc = err_set(e, ERR_NOMEM, "dates of runs");
	else
		rc = kb_sql_prepare(kb, &s, e, strbuf_text(&sql), "i", machine_id);
	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = add_date(out, sqlite3_column_int64(s, 0), kb_sql_real(s, 1), e);
	sqlite3_finalize(s);
	strbuf_release(&sql);
	if (rc)
		kb_run_dates_release(out);
	return rc;
}
