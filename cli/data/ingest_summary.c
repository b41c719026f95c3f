#include "cli/data/ingest_summary.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

struct ingest_summary {
	struct out_table *files;
	struct out_table *reasons;
	struct out_table *notes;
	int64_t n_taken;
	bool any_import; /* a file is in the base now, or was before */
	bool any_failed;
};

static const struct out_column file_columns[] = {
	{"file", NULL, OUT_TEXT},
	{"import_id", "import", OUT_INT},
	{"rows", NULL, OUT_INT},
	{"taken", NULL, OUT_INT},
	{"refused", NULL, OUT_INT},
	{"known", NULL, OUT_INT},
	{"flagged", NULL, OUT_INT},
	{"aggregates", NULL, OUT_INT},
	{"known_import_id", NULL, OUT_INT},
	{"error", NULL, OUT_TEXT},
};
static const struct out_column reason_columns[] = {
	{"file", NULL, OUT_TEXT},
	{"refused", NULL, OUT_INT},
	{"first_line", "first line", OUT_INT},
	{"reason", NULL, OUT_TEXT},
};
static const struct out_column note_columns[] = {{"file", NULL, OUT_TEXT},
						 {"note", NULL, OUT_TEXT}};

#define N_COLUMNS(list) (sizeof(list) / sizeof((list)[0]))

enum err_code ingest_summary_new(struct ingest_summary **out, struct err *e)
{
	struct ingest_summary *s = calloc(1, sizeof *s);

	if (!s)
		return err_set(e, ERR_NOMEM, "the summary of the import");
	s->files = out_table_new(file_columns, N_COLUMNS(file_columns));
	s->reasons = out_table_new(reason_columns, N_COLUMNS(reason_columns));
	s->notes = out_table_new(note_columns, N_COLUMNS(note_columns));
	if (!s->files || !s->reasons || !s->notes) {
		ingest_summary_free(s);
		return err_set(e, ERR_NOMEM, "the summary of the import");
	}
	*out = s;
	return ERR_OK;
}

void ingest_summary_free(struct ingest_summary *s)
{
	if (!s)
		return;
	out_table_free(s->files);
	out_table_free(s->reasons);
	out_table_free(s->notes);
	free(s);
}

static void add_note(struct ingest_summary *s, const char *file, const char *text)
{
	out_text(s->notes, file);
	out_text(s->notes, text);
}

static void add_notes(struct ingest_summary *s, const char *file, const struct ingest_result *r)
{
	const char *line = strbuf_text(&r->notes);
	struct strbuf text = STRBUF_INIT;

	while (*line) {
		size_t len = strcspn(line, "\n");

		strbuf_clear(&text);
		strbuf_add(&text, line, len);
		add_note(s, file, strbuf_text(&text));
		line += len + (line[len] == '\n');
	}
	for (size_t i = 0; i < r->n_new_machine; i++) {
		strbuf_clear(&text);
		strbuf_printf(&text, "new machine: %s", r->new_machine[i]);
		add_note(s, file, strbuf_text(&text));
	}
	strbuf_release(&text);
}

/* 0 stands for "none". */
static void put_id(struct out_table *t, int64_t id)
{
	if (id)
		out_int(t, id);
	else
		out_null(t);
}

static void print_counts(FILE *f, const struct ingest_result *r, bool dry_run)
{
	fprintf(f, "%lld row%s, %lld %s", (long long)r->n_rows, r->n_rows == 1 ? "" : "s",
		(long long)r->import.n_taken, dry_run ? "would be taken" : "taken");
	if (r->import.id)
		fprintf(f, " (import %lld)", (long long)r->import.id);
	fprintf(f, ", %lld refused, %lld known already", (long long)r->import.n_refused,
		(long long)r->import.n_known);
	if (r->import.n_flagged)
		fprintf(f, ", %lld flagged as suspicious", (long long)r->import.n_flagged);
	if (r->n_aggregates)
		fprintf(f, ", %lld of them aggregates of several repeats",
			(long long)r->n_aggregates);
	fputc('\n', f);
}

static void print_safe(FILE *f, const char *before, const char *text, const char *after)
{
	struct strbuf safe = STRBUF_INIT;

	text_put_safe(&safe, text, false);
	fprintf(f, "%s%s%s", before, strbuf_text(&safe), after);
	strbuf_release(&safe);
}

/* notes: one a line. */
static void print_notes(FILE *f, const char *notes)
{
	struct strbuf line = STRBUF_INIT;

	while (*notes) {
		size_t len = strcspn(notes, "\n");

		strbuf_clear(&line);
		strbuf_add(&line, notes, len);
		print_safe(f, "  note: ", strbuf_text(&line), "\n");
		notes += len + (notes[len] == '\n');
	}
	strbuf_release(&line);
}

/* Too short a time is a run that failed, or a wrong unit; which one, only people can tell. */
static void print_flagged(FILE *f, const struct ingest_result *r)
{
	if (!r->import.n_flagged)
		return;
	fputs("  note: flagged runs took less than 1/20 of what others like them take: a wrong "
	      "unit (--unit), or failures?",
	      f);
	if (r->import.id)
		fprintf(f,
			" `lemnos runs --where \"import_id = %lld and flag != ''\"` lists them, "
			"`lemnos imports undo %lld` takes the file back",
			(long long)r->import.id, (long long)r->import.id);
	fputc('\n', f);
}

static void print_for_people(FILE *f, const struct ingest_options *o, const struct ingest_result *r,
			     enum err_code rc)
{
	print_safe(f, "", !strcmp(o->path, "-") ? "standard input" : o->path, ": ");
	if (r->already_import) {
		fprintf(f, "known already as import %lld, nothing added\n",
			(long long)r->already_import);
		if (o->rejects)
			fprintf(f,
				"  note: --rejects wrote nothing; after `lemnos imports undo %lld` "
				"the "
				"file is read again\n",
				(long long)r->already_import);
		return;
	}
	if (!rc)
		print_counts(f, r, o->dry_run);
	else if (r->import.n_refused > 0)
		fprintf(f, "nothing taken, %lld of %lld rows refused\n",
			(long long)r->import.n_refused, (long long)r->n_rows);
	else
		fputs("nothing taken\n", f);
	for (size_t i = 0; i < r->n_reason; i++) {
		fprintf(f, "  refused %lld (first in line %lld): ", (long long)r->reason[i].n,
			(long long)r->reason[i].first_line);
		print_safe(f, "", r->reason[i].text, "\n");
	}
	if (!rc)
		print_flagged(f, r);
	print_notes(f, strbuf_text(&r->notes));
	for (size_t i = 0; i < r->n_new_machine; i++) {
		print_safe(f, "  new machine: ", r->new_machine[i], "");
		fputs(", without parameters yet (`lemnos machines add FILE`, `lemnos calibrate`)\n",
		      f);
	}
}

void ingest_summary_add(struct ingest_summary *s, const struct context *c,
			const struct ingest_options *o, const struct ingest_result *r,
			enum err_code rc, const struct err *why)
{
	out_text(s->files, o->path);
	put_id(s->files, r->import.id);
	out_int(s->files, r->n_rows);
	out_int(s->files, r->import.n_taken);
	out_int(s->files, r->import.n_refused);
	out_int(s->files, r->import.n_known);
	out_int(s->files, r->import.n_flagged);
	out_int(s->files, r->n_aggregates);
	put_id(s->files, r->already_import);
	out_text(s->files, rc ? why->msg : NULL);
	for (size_t i = 0; i < r->n_reason; i++) {
		out_text(s->reasons, o->path);
		out_int(s->reasons, r->reason[i].n);
		out_int(s->reasons, r->reason[i].first_line);
		out_text(s->reasons, r->reason[i].text);
	}
	add_notes(s, o->path, r);
	if (!rc)
		s->n_taken += r->import.n_taken;
	s->any_import |= r->import.id != 0 || r->already_import != 0;
	s->any_failed |= rc != ERR_OK;
	/* Of an interrupted file the counts mean nothing. */
	if (c->format == FORMAT_TABLE && rc != ERR_INTERRUPTED)
		print_for_people(c->out, o, r, rc);
}

static enum err_code print_json(const struct ingest_summary *s, FILE *f, bool dry_run,
				struct err *e)
{
	json_t *answer = out_json_answer();
	enum err_code rc;

	if (!answer || json_object_set_new(answer, "dry_run", json_boolean(dry_run)) ||
	    json_object_set_new(answer, "files", out_table_json(s->files)) ||
	    json_object_set_new(answer, "refused", out_table_json(s->reasons)) ||
	    json_object_set_new(answer, "notes", out_table_json(s->notes)))
		rc = err_set(e, ERR_NOMEM, "the summary of the import");
	else
		rc = out_json(answer, f, e);
	json_decref(answer);
	return rc;
}

bool ingest_summary_any_import(const struct ingest_summary *s)
{
	return s->any_import;
}

/* Of a file that failed, the message says what to type. */
static void print_next(const struct ingest_summary *s, bool dry_run, FILE *f)
{
	if (s->n_taken > 0 && dry_run)
		fputs("next: the same without --dry-run\n", f);
	else if (s->n_taken > 0)
		fputs("next: lemnos mine\n", f);
	else if (!s->any_failed)
		fputs("next: lemnos status\n", f);
}

enum err_code ingest_summary_print(const struct ingest_summary *s, const struct context *c,
				   bool dry_run, struct err *e)
{
	if (c->format == FORMAT_CSV)
		return out_table_print(s->files, FORMAT_CSV, "files", c->out, e);
	if (c->format == FORMAT_JSON)
		return print_json(s, c->out, dry_run, e);
	print_next(s, dry_run, c->out);
	return ERR_OK;
}
