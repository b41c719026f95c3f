#include "api/import_runs.h"

#include <string.h>

#include <jansson.h>

#include "api/json_text.h"
#include "base/text_form.h"
#include "domain/configuration.h"
#include "ingest/cell_number.h"
#include "ingest/header_match.h"
#include "ingest/ingest.h"
#include "ingest/unused_column.h"
#include "mining/mine.h"
#include "api/shipped.h"

enum { MANY_ROWS = 2000 };

/* What `mine` will not take at its word: told while the file is at hand. Of many runs, or where
 * anything fails, it is left to `mine`. */
static void note_screened(struct session *session, struct ingest_result *out)
{
	const struct kb_import *imp = &out->import;
	struct kb_filter f = {.machine_id = 0};
	struct application *app = NULL;
	struct machine *machine = NULL;
	struct kb_names machines = {0};
	struct dataset *runs = NULL, *failures = NULL;
	struct run_screen screen = {.n_cut = 0};
	struct short_runs did_less = {.n = 0};
	struct strbuf text = STRBUF_INIT;
	int64_t app_id = 0;
	bool few = false;

	if (kb_get_application(session->kb, imp->application, &app, &app_id, NULL) ||
	    kb_get_machine(session->kb, imp->machine, &machine, &f.machine_id, NULL) ||
	    kb_list_machines(session->kb, app_id, &machines, NULL))
		goto done;
	for (size_t i = 0; i < machines.n; i++)
		few = few ||
		      (machines.item[i].id == f.machine_id && machines.item[i].n_runs <= MANY_ROWS);
	if (!few || kb_load_runs(session->kb, app, &f, NULL, &runs, NULL) ||
	    dataset_order_by_content(runs, NULL) || !(failures = dataset_new(app)) ||
	    mine_screen_runs(session->kb, f.machine_id, &runs, failures, &screen, &did_less, NULL))
		goto done;
	short_runs_explain(&did_less, &text);
	run_screen_explain(&screen, &text);
	for (size_t i = 0; i < did_less.n_columns; i++)
		unused_column_drop_untold(&out->notes, did_less.column[i]);
	if (text.len > 0 && !text.failed)
		strbuf_printf(&out->notes, "what mine makes of it:%s\n", strbuf_text(&text));
done:
	strbuf_release(&text);
	dataset_free(runs);
	dataset_free(failures);
	kb_names_release(&machines);
	machine_free(machine);
	application_free(app);
}

enum err_code import_runs(struct session *session, const struct ingest_options *o,
			  struct ingest_result *out, struct err *e)
{
	struct ingest_options reported = *o;
	enum err_code rc;

	reported.progress = session->progress;
	rc = ingest_file(session->kb, &reported, out, e);
	if (!rc && out->import.id > 0 && out->import.machine && out->n_rows <= MANY_ROWS)
		note_screened(session, out);
	return rc;
}

bool import_format_at(size_t i, const char **name, const char **title)
{
	const struct foreign_format *f = foreign_format_at(i);

	if (f) {
		*name = f->name;
		*title = f->title;
	}
	return f != NULL;
}

/* ---- units ---- */

static enum import_unit unit_in_name(const char *column, double *out_s)
{
	struct header_name h;

	*out_s = 1;
	if (!header_name_read(column, &h))
		return IMPORT_UNIT_KNOWN;
	if (!(cell_unit_seconds(h.unit) > 0))
		return *h.unit && h.bracketed && !strchr(h.unit, '/') /* a rate: no time at all */
			       ? IMPORT_UNIT_UNKNOWN
			       : IMPORT_UNIT_KNOWN;
	if (!h.bracketed && !strcmp(h.unit, "min"))
		return IMPORT_UNIT_AMBIGUOUS;
	*out_s = cell_unit_seconds(h.unit);
	return IMPORT_UNIT_KNOWN;
}

enum import_unit import_time_unit(const char *column, char *const *unit, double *out_s,
				  const char **given)
{
	size_t len = strlen(column);

	for (; *unit; unit++) {
		if (strncmp(*unit, column, len) != 0 || (*unit)[len] != '=')
			continue;
		*given = *unit;
		*out_s = cell_unit_seconds(*unit + len + 1);
		return *out_s > 0 ? IMPORT_UNIT_KNOWN : IMPORT_UNIT_NO_TIME;
	}
	return unit_in_name(column, out_s);
}

/* ---- the table ---- */

static void put_header(struct generated_runs *r)
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

static void put_cell(struct generated_runs *r, size_t i_column, double value)
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

void generated_runs_add(struct generated_runs *r, const double *row, double time_s,
			const char *const *extra)
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

void generated_runs_release(struct generated_runs *r)
{
	strbuf_release(&r->csv);
	r->n = 0;
}

/* ---- into the base ---- */

/* The base may be open for reading, as models ask it. */
static enum err_code open_for_writing(struct session *session, struct err *e)
{
	return shipped_open_kb(session, KB_CREATE, NULL, e);
}

/* A base that does not know the machine would make one without parameters of its name. */
static enum err_code bring_machine(struct session *session, const struct machine *m, struct err *e)
{
	struct machine *there = NULL;
	struct err why = {0};
	enum err_code rc = kb_get_machine(session->kb, m->name, &there, NULL, &why);

	machine_free(there);
	if (rc == ERR_NOTFOUND)
		return kb_put_machine(session->kb, m, NULL, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static void say_refused(const struct session *session, const struct ingest_result *r)
{
	for (size_t i = 0; i < r->n_reason; i++)
		session_warn(session, "%lld not stored: %s", (long long)r->reason[i].n,
			     r->reason[i].text);
}

static void say_stored(const struct session *session, const struct made_table *t,
		       const struct ingest_result *r)
{
	const char *source = run_source_name(t->source);
	long long n_taken = (long long)r->import.n_taken;

	if (r->already_import) {
		session_note(session, "known already as import %lld, nothing added",
			     (long long)r->already_import);
		return;
	}
	say_refused(session, r);
	if (r->import.n_known > 0)
		session_note(session, "%lld known already from other imports",
			     (long long)r->import.n_known);
	session_note(session, "stored as import %lld: %lld %s run%s%s", (long long)r->import.id,
		     n_taken, source, n_taken == 1 ? "" : "s",
		     n_taken > 0 ? "; next: lemnos mine" : "");
}

/* The base is open for writing. */
static enum err_code ingest_table(struct session *session, const struct made_table *t,
				  struct err *e)
{
	const struct ingest_options o = {
		.path = t->origin,
		.text = t->csv,
		.app = t->app,
		.machine = t->machine,
		.source = (int)t->source,
		.ad_hoc = t->ad_hoc,
		.unit = t->unit,
		.progress = session->progress,
	};
	struct ingest_result result = {0};
	enum err_code rc = ingest_file(session->kb, &o, &result, e);

	if (!rc)
		say_stored(session, t, &result);
	ingest_result_release(&result);
	return rc;
}

enum err_code made_table_store(struct session *session, const struct made_table *t, struct err *e)
{
	enum err_code rc = open_for_writing(session, e);

	return rc ? rc : ingest_table(session, t, e);
}

enum err_code generated_runs_store(struct session *session, const struct generated_runs *r,
				   struct err *e)
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
	else if (!(rc = open_for_writing(session, e)) &&
		 !(rc = bring_machine(session, r->machine, e)))
		rc = ingest_table(session, &t, e);
	strbuf_release(&seconds);
	return rc;
}

/* ---- JSON ---- */

static int set_file(json_t *o, const void *arg, size_t i)
{
	const struct imported_file *f = (const struct imported_file *)arg + i;
	const struct ingest_result *r = &f->result;

	return member_text(o, "file", f->path) | member_count(o, "import_id", r->import.id) |
	       member_int(o, "rows", r->n_rows) | member_int(o, "taken", r->import.n_taken) |
	       member_int(o, "refused", r->import.n_refused) |
	       member_int(o, "known", r->import.n_known) |
	       member_int(o, "flagged", r->import.n_flagged) |
	       member_int(o, "aggregates", r->n_aggregates) |
	       member_count(o, "known_import_id", r->already_import) |
	       member_text(o, "error", f->why.code ? f->why.msg : NULL);
}

static int add_refused(json_t *list, const struct imported_file *f)
{
	int failed = 0;

	for (size_t i = 0; i < f->result.n_reason; i++) {
		const struct ingest_reason *x = &f->result.reason[i];
		json_t *o = json_object();

		failed |= member_text(o, "file", f->path) | member_int(o, "refused", x->n) |
			  member_int(o, "first_line", x->first_line) |
			  member_text(o, "reason", x->text) | json_array_append_new(list, o);
	}
	return failed;
}

static int add_note(json_t *list, const char *path, const char *before, const char *text,
		    size_t len)
{
	struct strbuf note = STRBUF_INIT;
	json_t *o = json_object();
	int failed;

	strbuf_puts(&note, before);
	strbuf_add(&note, text, len);
	failed = note.failed | member_text(o, "file", path) |
		 member_text(o, "note", strbuf_text(&note)) | json_array_append_new(list, o);
	strbuf_release(&note);
	return failed;
}

static int add_notes(json_t *list, const struct imported_file *f)
{
	const struct ingest_result *r = &f->result;
	int failed = 0;

	for (const char *line = strbuf_text(&r->notes); *line;) {
		size_t len = strcspn(line, "\n");

		failed |= add_note(list, f->path, "", line, len);
		line += len + (line[len] == '\n');
	}
	for (size_t i = 0; i < r->n_new_machine; i++)
		failed |= add_note(list, f->path, "new machine: ", r->new_machine[i],
				   strlen(r->new_machine[i]));
	return failed;
}

struct json_t *import_report_json(const struct imported_file *file, size_t n, bool dry_run)
{
	json_t *answer = out_json_answer(), *refused = json_array(), *notes = json_array();
	int failed = member_bool(answer, "dry_run", dry_run) |
		     member_value(answer, "files", out_json_list(set_file, file, n));

	for (size_t i = 0; i < n; i++)
		failed |= add_refused(refused, &file[i]) | add_notes(notes, &file[i]);
	failed |= member_value(answer, "refused", refused) | member_value(answer, "notes", notes);
	return out_json_unless(failed, answer);
}
