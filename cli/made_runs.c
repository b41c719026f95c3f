#include "cli/made_runs.h"

#include "cli/shipped.h"
#include "domain/configuration.h"
#include "ingest/ingest.h"

/* ---- the table ---- */

static void put_header(struct made_runs *r)
{
	for (size_t i = 0; i < r->app->n_columns; i++) {
		if (r->app->column[i].role == COL_DERIVED)
			continue;
		csv_put(&r->csv, r->app->column[i].name);
		strbuf_putc(&r->csv, ',');
	}
	csv_put(&r->csv, r->app->target);
	for (size_t i = 0; i < r->n_extra; i++) {
		strbuf_putc(&r->csv, ',');
		csv_put(&r->csv, r->extra[i]);
	}
	strbuf_putc(&r->csv, '\n');
}

static void put_cell(struct made_runs *r, size_t i_column, double value)
{
	char number[REAL_TEXT_SIZE];
	struct strbuf level = STRBUF_INIT;

	if (r->app->column[i_column].type == COL_TEXT) {
		configuration_put_value(r->app, i_column, value, &level);
		csv_put(&r->csv, strbuf_text(&level));
	} else {
		strbuf_puts(&r->csv, real_text(value, number));
	}
	strbuf_release(&level);
}

void made_runs_add(struct made_runs *r, const double *row, double time_s, const char *const *extra)
{
	char number[REAL_TEXT_SIZE];

	if (r->n++ == 0)
		put_header(r);
	for (size_t i = 0; i < r->app->n_columns; i++) {
		if (r->app->column[i].role == COL_DERIVED)
			continue;
		put_cell(r, i, row[i]);
		strbuf_putc(&r->csv, ',');
	}
	strbuf_puts(&r->csv, real_text(time_s, number));
	for (size_t i = 0; i < r->n_extra; i++) {
		strbuf_putc(&r->csv, ',');
		csv_put(&r->csv, extra[i] ? extra[i] : "");
	}
	strbuf_putc(&r->csv, '\n');
}

void made_runs_release(struct made_runs *r)
{
	strbuf_release(&r->csv);
	r->n = 0;
}

/* ---- into the base ---- */

/* The base may be open for reading, as models ask it. */
static enum err_code open_for_writing(struct context *c, struct err *e)
{
	kb_close(c->kb);
	c->kb = NULL;
	return shipped_open_kb(c, NEEDS_KB_CREATE, e);
}

/* A base that does not know the machine would make one without parameters of its name. */
static enum err_code bring_machine(struct context *c, const struct machine *m, struct err *e)
{
	struct machine *there = NULL;
	struct err why = {0};
	enum err_code rc = kb_get_machine(c->kb, m->name, &there, NULL, &why);

	machine_free(there);
	if (rc == ERR_NOTFOUND)
		return kb_put_machine(c->kb, m, NULL, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static void say_refused(const struct context *c, const struct ingest_result *r)
{
	for (size_t i = 0; i < r->n_reason; i++)
		context_warn(c, "%lld not stored: %s", (long long)r->reason[i].n,
			     r->reason[i].text);
}

static void say_stored(const struct context *c, const struct made_table *t,
		       const struct ingest_result *r)
{
	const char *source = run_source_name(t->source);
	long long n_taken = (long long)r->import.n_taken;

	if (r->already_import) {
		context_note(c, "known already as import %lld, nothing added",
			     (long long)r->already_import);
		return;
	}
	say_refused(c, r);
	if (r->import.n_known > 0)
		context_note(c, "%lld known already from other imports",
			     (long long)r->import.n_known);
	context_note(c, "stored as import %lld: %lld %s run%s%s", (long long)r->import.id, n_taken,
		     source, n_taken == 1 ? "" : "s", n_taken > 0 ? "; next: lemnos mine" : "");
}

/* The base is open for writing. */
static enum err_code ingest_table(struct context *c, const struct made_table *t, struct err *e)
{
	const struct ingest_options o = {
		.path = t->origin,
		.text = t->csv,
		.app = t->app,
		.machine = t->machine,
		.source = (int)t->source,
		.ad_hoc = t->ad_hoc,
		.unit = t->unit,
		.progress = c->progress,
	};
	struct ingest_result result = {0};
	enum err_code rc = ingest_file(c->kb, &o, &result, e);

	progress_bar_clear(&c->bar);
	if (!rc)
		say_stored(c, t, &result);
	ingest_result_release(&result);
	return rc;
}

enum err_code made_table_store(struct context *c, const struct made_table *t, struct err *e)
{
	enum err_code rc = open_for_writing(c, e);

	return rc ? rc : ingest_table(c, t, e);
}

enum err_code made_runs_store(struct context *c, const struct made_runs *r, struct err *e)
{
	struct strbuf seconds = STRBUF_INIT;
	const char *unit[] = {NULL, NULL};
	const struct made_table t = {
		.csv = strbuf_text(&r->csv),
		.app = r->app->name,
		.machine = r->machine->name,
		.source = r->source,
		.origin = r->origin,
		.unit = unit,
	};
	enum err_code rc;

	/* whatever unit the definition gives the target */
	strbuf_printf(&seconds, "%s=s", r->app->target);
	unit[0] = strbuf_text(&seconds);
	if (r->csv.failed || seconds.failed)
		rc = err_set(e, ERR_NOMEM, "a table of %zu runs", r->n);
	else if (!(rc = open_for_writing(c, e)) && !(rc = bring_machine(c, r->machine, e)))
		rc = ingest_table(c, &t, e);
	strbuf_release(&seconds);
	return rc;
}
