#include <math.h>
#include <stdlib.h>

#include "acquire/ted_run.h"
#include "ingest/cell_number.h"
#include "ingest/text_table.h"

/* The one record's value of the column that holds seconds per cell and angle. */
static enum err_code read_time(const struct task_description *t, struct text_table *table,
			       double *time_s, struct err *e)
{
	size_t column = text_table_find(table, t->run.output);
	struct table_record record;
	enum err_code rc;
	double x = 0;

	if (column == SIZE_MAX)
		return err_set(e, ERR_PARSE, "%s: %s prints no column '%s'", t->name,
			       t->run.program, t->run.output);
	if ((rc = text_table_next(table, &record, e)))
		return rc;
	if (!record.raw || record.bad)
		return err_set(e, ERR_PARSE, "%s: %s prints no row of results%s%s", t->name,
			       t->run.program, record.bad ? ": " : "",
			       record.bad ? record.bad : "");
	if (cell_number(record.field[column], &x) != NUMBER_OK || !(x > 0))
		return err_set(e, ERR_PARSE, "%s: %s prints %s = '%.40s', which is no time > 0",
			       t->name, t->run.program, t->run.output, record.field[column]);
	*time_s = x;
	return ERR_OK;
}

static enum err_code run_once(const struct task_description *t, const struct ted_words *w,
			      const struct work_folder *folder, const struct ted_options *o,
			      double *time_s, struct err *e)
{
	struct strbuf path = STRBUF_INIT;
	struct text_table *table = NULL;
	enum err_code rc = ted_run(w, folder, o, e);

	strbuf_printf(&path, "%s/out", strbuf_text(&folder->path));
	if (!rc && path.failed)
		rc = err_set(e, ERR_NOMEM, "a path");
	if (!rc && !(rc = text_table_open(path.buf, 0, NULL, NULL, &table, e)))
		rc = read_time(t, table, time_s, e);
	text_table_close(table);
	strbuf_release(&path);
	return rc;
}

enum err_code ted_measure(const struct task_description *t, const double *asked,
			  const struct ted_options *o, struct ted_result *out, struct err *e)
{
	size_t runs = (size_t)t->run.runs;
	double *time_s = calloc(runs, sizeof *time_s);
	struct work_folder folder = {0};
	struct ted_words w = {0};
	enum err_code rc = time_s ? ERR_OK : err_set(e, ERR_NOMEM, "times of a task");

	if (rc || (rc = ted_words_program(&w, t, asked, t->run.repeats, o, e)) ||
	    (rc = work_folder_open(NULL, &folder, e)))
		goto done;
	for (size_t i = 0; i < runs && !rc; i++) {
		if (!progress_step(o->progress, "runs", i, runs))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted");
		else
			rc = run_once(t, &w, &folder, o, &time_s[i], e);
	}
	if (rc)
		goto done;
	ted_summarise(time_s, runs, out);
	strbuf_printf(&out->evidence, "the median of %zu runs of %s on this machine", runs,
		      t->run.program);
done:
	work_folder_close(&folder);
	ted_words_release(&w);
	free(time_s);
	return rc;
}
