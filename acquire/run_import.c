#include "acquire/run_import.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text_form.h"
#include "domain/configuration.h"

void run_table_release(struct run_table *t)
{
	strbuf_release(&t->header);
	strbuf_release(&t->line);
	word_list_release(&t->map);
}

static void put_field(struct run_table *t, const char *name, const char *text)
{
	if (t->header.len) {
		strbuf_putc(&t->header, ',');
		strbuf_putc(&t->line, ',');
	}
	csv_put(&t->header, name);
	csv_put(&t->line, text);
}

/* Its name is none that an import knows. A comma or = would part what the map says. */
enum err_code run_table_put_extra(struct run_table *t, const char *prefix, const char *name,
				  const char *text, struct err *e)
{
	struct strbuf column = STRBUF_INIT, map = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&column, prefix);
	for (; *name; name++)
		strbuf_putc(&column, strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					    "0123456789_",
					    *name)
					     ? *name
					     : '_');
	strbuf_printf(&map, "%s=extra", strbuf_text(&column));
	if (column.failed || map.failed)
		rc = err_set(e, ERR_NOMEM, "a run of a campaign");
	else
		rc = word_list_add(&t->map, strbuf_text(&map), e);
	if (!rc)
		put_field(t, strbuf_text(&column), text);
	strbuf_release(&column);
	strbuf_release(&map);
	return rc;
}

static void put_number(struct run_table *t, const char *name, double x)
{
	char number[REAL_TEXT_SIZE];

	put_field(t, name, isnan(x) ? "" : real_text(x, number));
}

void run_table_put_run(struct run_table *t, const struct application *a, const double *row,
		       double time_s, enum run_status status, const char *repeat)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		struct strbuf level = STRBUF_INIT;

		if (a->column[i].role == COL_DERIVED)
			continue;
		if (a->column[i].type == COL_TEXT && !isnan(row[i])) {
			configuration_put_value(a, i, row[i], &level);
			t->line.failed |= level.failed;
			put_field(t, a->column[i].name, strbuf_text(&level));
		} else {
			put_number(t, a->column[i].name, row[i]);
		}
		strbuf_release(&level);
	}
	put_number(t, a->target, time_s);
	put_field(t, "status", run_status_name(status));
	put_field(t, "repeat", repeat);
}

enum err_code run_table_import(struct kb *kb, struct run_table *t, const struct run_import *about,
			       struct err *e)
{
	struct strbuf csv = STRBUF_INIT, unit = STRBUF_INIT;
	struct ingest_result result = {0};
	enum err_code rc;

	strbuf_printf(&csv, "%s\n%s\n", strbuf_text(&t->header), strbuf_text(&t->line));
	strbuf_printf(&unit, "%s=s", about->app->target);
	if (t->header.failed || t->line.failed || csv.failed || unit.failed) {
		rc = err_set(e, ERR_NOMEM, "a run to import");
	} else {
		const struct ingest_options o = {
			.path = about->origin,
			.text = strbuf_text(&csv),
			.app = about->app->name,
			.machine = about->machine,
			.source = (int)about->source,
			.map = (const char *const *)t->map.word,
			.unit = (const char *const[]){strbuf_text(&unit), NULL},
			.keep_personal = true,
			.progress = about->progress,
			.also = about->also,
			.also_arg = about->also_arg,
		};

		rc = ingest_file(kb, &o, &result, e);
	}
	ingest_result_release(&result);
	strbuf_release(&csv);
	strbuf_release(&unit);
	return rc;
}
