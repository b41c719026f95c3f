#include "cli/predict_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/mined_machine.h"
#include "cli/predict_row.h"
#include "cli/prediction_table.h"
#include "ingest/ingest.h"

/* ---- the machines of a file ---- */

/* A machine by the name that the file gives it; "" stands for the one of --machine. */
struct named_machine {
	char *name;
	struct mined_machine mined;
};

struct machines {
	struct named_machine *item;
	size_t n;
	size_t last; /* rows of a machine mostly stand together */
	/* The name that failed last, so that a file of a million such rows asks the base once. */
	char *failed;
	struct err why;
};

static void machines_release(struct machines *m)
{
	for (size_t i = 0; i < m->n; i++) {
		mined_machine_release(&m->item[i].mined);
		free(m->item[i].name);
	}
	free(m->item);
	free(m->failed);
}

static const struct mined_machine *find_machine(struct machines *m, const char *name)
{
	if (m->last < m->n && !strcmp(m->item[m->last].name, name))
		return &m->item[m->last].mined;
	for (size_t i = 0; i < m->n; i++) {
		if (!strcmp(m->item[i].name, name)) {
			m->last = i;
			return &m->item[i].mined;
		}
	}
	return NULL;
}

/* ---- the walk over the rows ---- */

struct walk {
	struct context *c;
	const struct application *app;
	int64_t app_id;
	double confidence;
	struct machines machines;
	double *row;
	const struct mined_machine *mined; /* the row's; NULL: there is none */
	struct strbuf why;		   /* why the row is invalid; empty: it is not */
	struct strbuf line;		   /* CSV */
	char delimiter;
	struct out_table *table; /* NULL: CSV */
	int64_t n, n_bad;
};

static enum err_code add_machine(struct walk *w, const char *name, struct err *e)
{
	struct machines *m = &w->machines;
	struct named_machine *longer = realloc(m->item, (m->n + 1) * sizeof *longer);
	struct named_machine *new_one;
	enum err_code rc;

	if (!longer)
		return err_set(e, ERR_NOMEM, "%zu machines", m->n + 1);
	m->item = longer;
	new_one = &m->item[m->n];
	new_one->name = strdup(name);
	if (!new_one->name)
		return err_set(e, ERR_NOMEM, "%zu machines", m->n + 1);
	rc = mined_machine_load(w->c, w->app, w->app_id, *name ? name : NULL, &new_one->mined, e);
	if (rc) {
		free(new_one->name);
		return rc;
	}
	if (new_one->mined.stale)
		context_warn(w->c, "facts about %s changed since this was mined; run `lemnos mine`",
			     new_one->mined.machine->name);
	m->last = m->n++;
	return ERR_OK;
}

/* A machine that a row names and the base does not know makes the row invalid; that no machine is
 * named at all, or nothing was ever mined, is the command's error. */
static bool is_about_the_row(enum err_code rc, const char *name)
{
	return *name && (rc == ERR_NOTFOUND || rc == ERR_NOTMINED || rc == ERR_ARG);
}

static enum err_code machine_of_row(struct walk *w, const char *name,
				    const struct mined_machine **out, struct err *e)
{
	struct machines *m = &w->machines;
	enum err_code rc;

	*out = find_machine(m, name);
	if (*out)
		return ERR_OK;
	if (!m->failed || strcmp(m->failed, name) != 0) {
		m->why = (struct err){0};
		rc = add_machine(w, name, &m->why);
		if (!rc) {
			*out = find_machine(m, name);
			return ERR_OK;
		}
		if (!is_about_the_row(rc, name))
			return err_set(e, rc, "%s", m->why.msg);
		free(m->failed);
		m->failed = strdup(name);
		if (!m->failed)
			return err_set(e, ERR_NOMEM, "the name of a machine");
	}
	strbuf_printf(&w->why, "machine: %s", m->why.msg);
	return ERR_OK;
}

static void put_csv(struct walk *w, const char *raw, const struct forecast *f)
{
	char number[REAL_TEXT_SIZE];
	const double value[] = {f ? f->prediction.time_s : 0, f ? f->lo_s : 0, f ? f->hi_s : 0};

	strbuf_clear(&w->line);
	strbuf_puts(&w->line, raw);
	for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
		strbuf_putc(&w->line, w->delimiter);
		strbuf_puts(&w->line, f ? real_text(value[i], number) : "");
	}
	strbuf_putc(&w->line, w->delimiter);
	strbuf_puts(&w->line, f ? support_name(f->prediction.support) : "");
	strbuf_putc(&w->line, '\n');
	out_exact(strbuf_text(&w->line), w->c->out);
}

/* One record. raw is its text, machine the name in its machine column (may be NULL). */
struct record {
	const char *raw;
	const char *machine;
	const char *bad; /* the reader's reason against it, with file and line; NULL: none */
};

/* Judge and predict; *f is set and *good true, or w->why says why not. */
static enum err_code predict_record(struct walk *w, const struct record *r, struct forecast *f,
				    bool *good, struct err *e)
{
	const struct mined_machine *m;
	enum err_code rc;

	*good = false;
	w->mined = NULL;
	if (r->bad) {
		strbuf_puts(&w->why, r->bad);
		return ERR_OK;
	}
	if ((rc = machine_of_row(w, r->machine ? r->machine : "", &w->mined, e)))
		return rc;
	m = w->mined;
	if (m && predict_row_complete(w->app, m->machine, w->row, &w->why)) {
		*f = predict_row(m->predictor, w->row, w->confidence);
		*good = true;
	}
	return ERR_OK;
}

static enum err_code do_record(struct walk *w, const struct record *r, struct err *e)
{
	struct forecast f;
	bool good;
	enum err_code rc;

	strbuf_clear(&w->why);
	if ((rc = predict_record(w, r, &f, &good, e)))
		return rc;
	w->n++;
	if (!good) {
		w->n_bad++;
		if (r->bad)
			context_warn(w->c, "%s", r->bad);
		else
			context_warn(w->c, "row %" PRId64 ": %s", w->n, strbuf_text(&w->why));
	}
	if (w->table)
		prediction_table_add(
			w->table, w->app, w->mined ? w->mined->machine->name : r->machine,
			r->bad ? NULL : w->row, good ? &f : NULL, strbuf_text(&w->why));
	else
		put_csv(w, r->raw, good ? &f : NULL);
	return w->why.failed || w->line.failed ? err_set(e, ERR_NOMEM, "row %" PRId64, w->n)
					       : ERR_OK;
}

static void put_csv_header(struct walk *w, const char *header)
{
	char d = w->delimiter;

	out_exact(header, w->c->out);
	fprintf(w->c->out, "%cpredicted_s%clo_s%chi_s%csupport\n", d, d, d, d);
}

static enum err_code walk_records(struct walk *w, struct config_reader *reader, struct err *e)
{
	enum { STEP = 4096 };
	struct record r;
	enum err_code rc;

	while (!(rc = config_reader_next(reader, &r.raw, w->row, &r.machine, &r.bad, e)) && r.raw) {
		if ((rc = do_record(w, &r, e)))
			return rc;
		if (ferror(w->c->out))
			return ERR_OK; /* main says so, unless the reader of the output left */
		if (w->n % STEP == 0 && !progress_step(w->c->progress, "rows", (uint64_t)w->n, 0))
			return err_set(e, ERR_INTERRUPTED, "interrupted after %" PRId64 " rows",
				       w->n);
	}
	return rc;
}

static enum err_code predict_records(struct walk *w, struct config_reader *reader, struct err *e)
{
	enum out_format format = context_format_or(w->c, FORMAT_CSV);
	enum err_code rc;

	if (format == FORMAT_CSV) {
		w->delimiter = config_reader_delimiter(reader);
		put_csv_header(w, config_reader_header(reader));
	} else if (!(w->table = prediction_table_new(w->app))) {
		return err_set(e, ERR_NOMEM, "the predictions");
	}
	rc = walk_records(w, reader, e);
	progress_bar_clear(&w->c->bar);
	if (!rc && w->table)
		rc = out_table_print(w->table, format, "predictions", w->c->out, e);
	if (!rc && w->n_bad > 0)
		rc = err_set(e, ERR_PARSE,
			     "%" PRId64 " of %" PRId64 " rows could not be predicted; their cells "
			     "are empty",
			     w->n_bad, w->n);
	return rc;
}

enum err_code predict_file(struct context *c, const struct application *app, int64_t app_id,
			   const char *path, double confidence, struct err *e)
{
	struct walk w = {.c = c, .app = app, .app_id = app_id, .confidence = confidence};
	struct config_reader *reader = NULL;
	enum err_code rc;

	w.row = calloc(app->n_columns, sizeof *w.row);
	if (!w.row)
		return err_set(e, ERR_NOMEM, "a configuration");
	if (!(rc = config_reader_open(path, app, &reader, e)))
		rc = predict_records(&w, reader, e);
	config_reader_close(reader);
	machines_release(&w.machines);
	out_table_free(w.table);
	strbuf_release(&w.why);
	strbuf_release(&w.line);
	free(w.row);
	return rc;
}
