#include "ingest/ingest.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_form.h"
#include "ingest/column_mapping.h"
#include "ingest/import_class.h"
#include "ingest/import_rows.h"
#include "ingest/machine_cache.h"
#include "ingest/reject_log.h"
#include "ingest/table_style.h"
#include "ingest/text_table.h"

/* One import under way. */
struct import_job {
	struct kb *kb;
	const struct ingest_options *o;
	/* o, and what the table adds to the class from flags: columns of words, resources */
	struct ingest_options completed;
	struct ad_hoc ad_hoc;
	const char **categorical, **resource_column, **resource_field;
	struct ingest_result *out;
	struct text_table *table;
	struct table_record first; /* row */
	struct import_class class;
	struct column_mapping mapping;
	struct machine_cache machines;
	struct reject_log *log;
	struct import_rows rows;
};

static enum err_code copy_text(const char *text, char **out, struct err *e)
{
	if (text && !(*out = strdup(text)))
		return err_set(e, ERR_NOMEM, "record of the import");
	return ERR_OK;
}

/* What the import is remembered as. */
static const char *import_name(const struct ingest_options *o)
{
	const char *slash = strrchr(o->path, '/');

	if (o->text)
		return o->path;
	if (strcmp(o->path, "-") == 0)
		return "stdin";
	return slash && slash[1] ? slash + 1 : o->path;
}

/* ---- before anything is written ---- */

/* The machine of the whole file: the flag's; the default, if no column names one. */
static enum err_code find_machine(struct import_job *j, struct err *e)
{
	struct kb_import *imp = &j->out->import;
	const char *fault = j->o->machine ? machine_name_fault(j->o->machine) : NULL;
	enum err_code rc;

	if (fault)
		return err_set(e, ERR_ARG, "the machine's name '%.60s': %s", j->o->machine, fault);
	if (j->o->machine)
		return copy_text(j->o->machine, &imp->machine, e);
	if (j->mapping.of_kind[FIELD_MACHINE] != SIZE_MAX)
		return ERR_OK;
	if ((rc = kb_get_default(j->kb, "machine", &imp->machine, e)))
		return rc;
	if (!imp->machine)
		return err_set(e, ERR_ARG,
			       "%s:%llu: on which machine? No column says it: give --machine NAME, "
			       "or --map COLUMN=machine",
			       text_table_name(j->table),
			       (unsigned long long)text_table_header_line(j->table));
	strbuf_printf(&j->out->notes, "machine %s: the default, the file names none\n",
		      imp->machine);
	return ERR_OK;
}

static enum err_code identify(struct import_job *j, struct err *e)
{
	struct kb_import *imp = &j->out->import;
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	struct number_style style = text_table_number_style(j->table);

	column_mapping_put_text(&j->mapping, &text);
	if (!number_style_is_plain(style))
		strbuf_printf(&text, ";decimal: %c", style.decimal);
	if (j->o->source >= 0)
		strbuf_printf(&text, ";source: %s", run_source_name((enum run_source)j->o->source));
	if (text.failed)
		rc = err_set(e, ERR_NOMEM, "record of the import");
	else if (!(rc = copy_text(strbuf_text(&text), &imp->mapping, e)))
		rc = copy_text(j->class.app->name, &imp->application, e);
	strbuf_release(&text);
	return rc;
}

/* Of a class that is there already, words are what they were. */
static bool was_words(const struct application *known, const char *column)
{
	size_t i = known ? application_column(known, column) : SIZE_MAX;

	return i != SIZE_MAX && known->column[i].type == COL_TEXT;
}

static void add_words(struct import_job *j, const char *const *list, const bool *words,
		      const struct application *known)
{
	size_t n = text_list_length(j->categorical);

	for (size_t i = 0; list && list[i]; i++) {
		if (!(known ? was_words(known, list[i]) : words[i]) ||
		    text_list_has(j->categorical, list[i]))
			continue;
		j->categorical[n++] = list[i];
		if (!known)
			strbuf_printf(&j->out->notes, "%.60s: words, so it is categorical\n",
				      list[i]);
	}
}

/* Has a flag a word for the column? */
static bool is_spoken_for(const struct ingest_options *o, const char *header)
{
	const struct ad_hoc *spec = o->ad_hoc;
	size_t n = strlen(header);

	for (size_t i = 0; o->map && o->map[i]; i++) {
		if (strncmp(o->map[i], header, n) == 0 && o->map[i][n] == '=')
			return true;
	}
	return strcmp(header, spec->target) == 0 || text_list_has(spec->problem, header) ||
	       text_list_has(spec->tunable, header) || text_list_has(spec->grid, header) ||
	       text_list_has(spec->resource_column, header);
}

/* Columns that a header calls nodes and no flag has a word for, behind those of --resource; returns
 * how many there are in all. */
static size_t list_resources(struct import_job *j, const struct application *known)
{
	const struct ad_hoc *spec = j->o->ad_hoc;
	size_t n = text_list_length(spec->resource_column);

	for (size_t i = 0; i < n; i++) {
		j->resource_column[i] = spec->resource_column[i];
		j->resource_field[i] = spec->resource_field[i];
	}
	for (size_t i = 0; i < text_table_n_columns(j->table); i++) {
		const char *header = text_table_column(j->table, i);
		const char *field = header_resource(header);

		if (!field || text_list_has(j->resource_field, field) ||
		    is_spoken_for(j->o, header) ||
		    (strcmp(field, "procs") == 0 && text_list_length(spec->grid) > 0) ||
		    (known && application_column(known, field) == SIZE_MAX))
			continue;
		j->resource_column[n] = header;
		j->resource_field[n++] = field;
	}
	return n;
}

/* A class from flags: a column of counts that a header calls nodes is a resource, named so or not.
 * Were it passed over, runs on one node and on sixteen would be repeats of each other. */
static enum err_code find_resources(struct import_job *j, const struct application *known,
				    struct err *e)
{
	size_t n_named = text_list_length(j->o->ad_hoc->resource_column);
	size_t n_max = n_named + text_table_n_columns(j->table), n, n_kept = n_named;
	bool *words = calloc(n_max + 1, sizeof *words);
	enum err_code rc;

	j->resource_column = calloc(n_max + 1, sizeof *j->resource_column);
	j->resource_field = calloc(n_max + 1, sizeof *j->resource_field);
	if (!words || !j->resource_column || !j->resource_field) {
		free(words);
		return err_set(e, ERR_NOMEM, "the columns of %s", j->o->ad_hoc->name);
	}
	n = list_resources(j, known);
	rc = n > n_named && !known ? word_columns_find(j->table, j->resource_column, words, e)
				   : ERR_OK;
	for (size_t i = n_named; i < n; i++) {
		const char *header = j->resource_column[i], *field = j->resource_field[i];

		j->resource_column[i] = j->resource_field[i] = NULL;
		if (words[i])
			continue; /* names of nodes */
		j->resource_column[n_kept] = header;
		j->resource_field[n_kept++] = field;
		if (!known)
			strbuf_printf(
				&j->out->notes,
				"%.60s: the resource %s, as its name says (--map %.60s=extra keeps it out)\n",
				header, field, header);
	}
	free(words);
	return rc;
}

/* A class from flags: its columns of words are categorical, named so or not. */
static enum err_code find_words(struct import_job *j, const struct application *known,
				struct err *e)
{
	const struct ad_hoc *spec = j->o->ad_hoc;
	size_t n_problem = text_list_length(spec->problem);
	size_t n_all = n_problem + text_list_length(spec->tunable);
	bool *words = calloc(n_all + 1, sizeof *words);
	enum err_code rc = ERR_OK;

	j->categorical =
		calloc(n_all + text_list_length(spec->categorical) + 1, sizeof *j->categorical);
	if (!words || !j->categorical) {
		free(words);
		return err_set(e, ERR_NOMEM, "the columns of %s", spec->name);
	}
	for (size_t i = 0; spec->categorical && spec->categorical[i]; i++)
		j->categorical[i] = spec->categorical[i];
	if (!known && !(rc = word_columns_find(j->table, spec->problem, words, e)) &&
	    !(rc = word_columns_find(j->table, spec->tunable, words + n_problem, e)))
		rc = text_table_next(j->table, &j->first, e);
	if (!rc) {
		add_words(j, spec->problem, words, known);
		add_words(j, spec->tunable, words + n_problem, known);
	}
	free(words);
	return rc;
}

/* What the table adds to the class that flags describe. */
static enum err_code complete_class(struct import_job *j, struct err *e)
{
	struct application *known = NULL;
	enum err_code rc;

	(void)kb_get_application(j->kb, j->o->ad_hoc->name, &known, NULL, NULL); /* or it is new */
	if (!(rc = find_resources(j, known, e)))
		rc = find_words(j, known, e);
	j->ad_hoc = *j->o->ad_hoc;
	j->ad_hoc.categorical = j->categorical;
	j->ad_hoc.resource_column = j->resource_column;
	j->ad_hoc.resource_field = j->resource_field;
	j->completed = *j->o;
	j->completed.ad_hoc = &j->ad_hoc;
	j->o = &j->completed;
	application_free(known);
	return rc;
}

/* A class that nobody named is doubted first. */
static enum err_code find_class_and_map(struct import_job *j, struct mapping_request *q,
					struct err *e)
{
	const struct table_at_hand at = {j->kb, j->o, j->table, &j->first};
	struct err why = {0};
	enum err_code rc;

	if ((rc = import_class_find(&at, &j->class, e)))
		return rc;
	q->app = j->class.app;
	rc = column_mapping_make(j->table, q, &j->mapping, &why);
	if (rc == ERR_PARSE && j->class.assumed)
		return import_class_doubt(&at, &j->class, why.msg, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static enum err_code open_table(struct import_job *j, struct err *e)
{
	const struct ingest_options *o = j->o;
	char *sha256 = j->out->import.sha256;

	if (o->text)
		return text_table_open_text(o->text, strlen(o->text), o->path, o->delimiter, sha256,
					    &j->table, e);
	return text_table_open_limited(o->path, o->delimiter, o->max_bytes, sha256, o->progress,
				       &j->table, e);
}

/* The first row is read again, if all were. */
static enum err_code find_number_style(struct import_job *j, struct err *e)
{
	enum err_code rc =
		table_style_find(j->table, &j->mapping, j->o->decimal, &j->out->notes, e);

	if (!rc)
		rc = text_table_rewind(j->table, e);
	return rc ? rc : text_table_next(j->table, &j->first, e);
}

static enum err_code prepare(struct import_job *j, struct err *e)
{
	const struct ingest_options *o = j->o;
	struct mapping_request q = {
		.map = o->map,
		.unit = o->unit,
		.machine_given = o->machine != NULL,
		.source_given = o->source >= 0,
		.keep_personal = o->keep_personal,
		.exact = o->ad_hoc != NULL,
		.first = &j->first,
		.notes = &j->out->notes,
	};
	enum err_code rc;

	if ((rc = copy_text(import_name(o), &j->out->import.file_name, e)) ||
	    (rc = open_table(j, e)) || (rc = text_table_next(j->table, &j->first, e)) ||
	    (o->ad_hoc && (rc = complete_class(j, e))) || (rc = find_class_and_map(j, &q, e)) ||
	    (rc = find_number_style(j, e)) || (rc = find_machine(j, e)) || (rc = identify(j, e)))
		return rc;
	return kb_find_import(j->kb, &j->out->import, &j->out->already_import, e);
}

/* ---- the rows ---- */

static void note_timeouts(struct import_job *j)
{
	const struct run_row *row = &j->rows.row;

	if (row->n_at_limit > 0)
		strbuf_printf(&j->out->notes,
			      "%lld run%s met the limit and %s no time: the limit is its lower "
			      "bound\n",
			      (long long)row->n_at_limit, row->n_at_limit == 1 ? "" : "s",
			      row->n_at_limit == 1 ? "has" : "have");
	if (row->n_without_limit > 0)
		strbuf_printf(&j->out->notes,
			      "%lld timeout%s without a time or a limit: kept as failed (--map "
			      "COLUMN=limit_s names the limit)\n",
			      (long long)row->n_without_limit,
			      row->n_without_limit == 1 ? "" : "s");
}

static enum err_code take_rows(struct import_job *j, struct err *e)
{
	struct import_rows *r = &j->rows;
	enum err_code rc;

	r->table = j->table;
	r->record = j->first;
	r->log = j->log;
	r->progress = j->o->progress;
	rc = import_rows_run(r, e);
	note_timeouts(j);
	j->out->n_rows = r->n_rows;
	j->out->n_aggregates = r->n_aggregates;
	j->out->import.n_refused = r->n_refused;
	return rc;
}

/* Is there anything to keep? */
static enum err_code judge(const struct import_job *j, struct err *e)
{
	const char *name = text_table_name(j->table);
	long long n_rows = (long long)j->out->n_rows;
	long long n_refused = (long long)j->out->import.n_refused;

	if (n_rows == 0)
		return err_set(e, ERR_PARSE, "%s:%llu: no row below the header", name,
			       (unsigned long long)text_table_header_line(j->table));
	if (n_refused == n_rows)
		return err_set(e, ERR_PARSE, "%s: none of %lld rows is valid; %s", name, n_rows,
			       reject_log_first(j->log));
	if (n_refused > 0 && j->o->strict)
		return err_set(e, ERR_PARSE,
			       "%s: %lld of %lld rows refused, so the file is (--strict); %s", name,
			       n_refused, n_rows, reject_log_first(j->log));
	return ERR_OK;
}

static enum err_code store_also(const struct import_job *j, struct err *e)
{
	const struct ingest_options *o = j->o;

	return o->also && !o->dry_run ? o->also(j->kb, j->out, o->also_arg, e) : ERR_OK;
}

/* Everything inside the transaction. */
static enum err_code load(struct import_job *j, struct err *e)
{
	struct kb_import *imp = &j->out->import;
	struct import_rows *r = &j->rows;
	enum err_code rc;

	/* While we waited for another writer it may have brought this very file. */
	if ((rc = kb_find_import(j->kb, imp, &j->out->already_import, e)))
		return rc;
	if (j->out->already_import)
		return store_also(j, e);
	if ((rc = import_class_store(j->kb, &j->class, e)) ||
	    (rc = run_row_init(&r->row, &j->mapping, j->class.app, &j->machines, e)) ||
	    (rc = kb_run_writer_open(j->kb, j->class.app, j->class.id, imp, &r->writer, e)))
		return rc;
	r->row.machine = imp->machine;
	r->row.source = j->o->source;
	j->machines.writer = r->writer;
	if ((rc = take_rows(j, e)) || (rc = judge(j, e)))
		return rc;
	rc = kb_run_writer_finish(r->writer, imp, j->o->progress, e);
	return rc ? rc : store_also(j, e);
}

static enum err_code load_or_leave(struct import_job *j, struct err *e)
{
	enum err_code rc;

	j->machines.kb = j->kb;
	j->machines.node = j->o->node;
	if ((rc = reject_log_open(j->o->rejects, j->o->path, kb_path(j->kb), &j->log, e)) ||
	    (rc = kb_begin(j->kb, e)))
		return rc;
	rc = load(j, e);
	kb_run_writer_free(j->rows.writer);
	if (!rc && !j->o->dry_run && (!j->out->already_import || j->o->also))
		rc = kb_commit(j->kb, e);
	kb_rollback(j->kb); /* does nothing after a commit */
	return rc;
}

/* ---- the end ---- */

static void free_names(char **name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
}

static void wind_up(struct import_job *j, bool failed)
{
	struct ingest_result *out = j->out;

	if (j->log)
		reject_log_take_reasons(j->log, &out->reason, &out->n_reason);
	machine_cache_release(&j->machines, &out->new_machine, &out->n_new_machine);
	if (failed || out->already_import) {
		free_names(out->new_machine, out->n_new_machine);
		out->new_machine = NULL;
		out->n_new_machine = 0;
	}
	if (failed || out->already_import || j->o->dry_run)
		out->import.id = 0;
	if (failed)
		out->import.n_taken = out->import.n_known = out->import.n_flagged = 0;
	run_row_release(&j->rows.row);
	reject_log_free(j->log);
	column_mapping_release(&j->mapping);
	import_class_release(&j->class);
	free(j->categorical);
	free(j->resource_column);
	free(j->resource_field);
	text_table_close(j->table);
}

enum err_code ingest_file(struct kb *kb, const struct ingest_options *o, struct ingest_result *out,
			  struct err *e)
{
	struct import_job j = {.kb = kb, .o = o, .out = out};
	enum err_code rc;

	*out = (struct ingest_result){0};
	rc = prepare(&j, e);
	if (!rc && (!out->already_import || o->also))
		rc = load_or_leave(&j, e);
	wind_up(&j, rc != ERR_OK);
	return rc;
}

void ingest_result_release(struct ingest_result *r)
{
	free(r->import.file_name);
	free(r->import.mapping);
	free(r->import.application);
	free(r->import.machine);
	free(r->import.imported_at);
	for (size_t i = 0; i < r->n_reason; i++)
		free(r->reason[i].text);
	free(r->reason);
	free_names(r->new_machine, r->n_new_machine);
	strbuf_release(&r->notes);
	*r = (struct ingest_result){0};
}
