#include "ingest/ingest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_form.h"
#include "ingest/cell_number.h"
#include "ingest/application_guess.h"
#include "ingest/column_mapping.h"
#include "ingest/foreign_file.h"
#include "ingest/import_application.h"
#include "ingest/import_rows.h"
#include "ingest/machine_cache.h"
#include "ingest/mapping_check.h"
#include "ingest/reject_log.h"
#include "ingest/row_parts.h"
#include "ingest/run_outcome.h"
#include "ingest/size_columns.h"
#include "ingest/table_style.h"
#include "ingest/text_table.h"
#include "ingest/unused_column.h"

/* One import under way. */
struct import_job {
	struct kb *kb;
	const struct ingest_options *o;
	struct ingest_options
		completed; /* o, and what the table adds to the application from flags */
	struct ad_hoc_application ad_hoc;
	const char **map; /* o's, without what splits columns */
	struct ingest_result *out;
	const struct foreign_format *format; /* NULL: CSV */
	char *patterns;			     /* text of the file; NULL: none given */
	char patterns_sha256[DIGEST_HEX_SIZE];
	struct text_table *table;
	struct table_record first; /* row */
	struct import_application app;
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
	if (j->format)
		strbuf_printf(&text, ";format: %s", j->format->name);
	if (j->format && j->o->region)
		strbuf_printf(&text, ";region: %s", j->o->region);
	if (j->format && j->o->metric)
		strbuf_printf(&text, ";metric: %s", j->o->metric);
	if (j->format && j->patterns)
		strbuf_printf(&text, ";patterns: %s", j->patterns_sha256);
	for (const char *const *m = j->o->match; m && *m; m++)
		strbuf_printf(&text, ";match: %s", *m);
	if (j->o->source >= 0)
		strbuf_printf(&text, ";source: %s", run_source_name((enum run_source)j->o->source));
	if (text.failed)
		rc = err_set(e, ERR_NOMEM, "record of the import");
	else if (!(rc = copy_text(strbuf_text(&text), &imp->mapping, e)))
		rc = copy_text(j->app.app->name, &imp->application, e);
	strbuf_release(&text);
	return rc;
}

/* By what fills the fields of an application that is there. */
static enum column_part part_by_mapping(const void *arg, size_t i)
{
	const struct import_job *j = arg;
	const struct mapped_field *f = &j->mapping.field[i];

	switch (f->kind) {
	case FIELD_TIME:
		return PART_TIME;
	case FIELD_COLUMN:
	case FIELD_LOCAL:
	case FIELD_MACHINE:
		return PART_SETTING;
	case FIELD_EXTRA:
		return f->derived || f->by_user || f->overruled || f->outcome != OUTCOME_NONE ||
				       field_kind_of_header(text_table_column(j->table, i)) !=
					       FIELD_KIND_COUNT
			       ? PART_OTHER
			       : PART_UNUSED;
	default:
		return PART_OTHER;
	}
}

/* Of an application that is there already, columns that tell the time and are in none of its fields
 * are said. */
static enum err_code note_unused(struct import_job *j, struct err *e)
{
	struct unused_column *found = NULL;
	size_t n = 0;
	enum err_code rc = unused_columns_find(j->table, part_by_mapping, j, &found, &n, e);

	for (size_t i = 0; i < n && !rc; i++)
		unused_column_put_note(&found[i], text_table_column(j->table, found[i].i), false,
				       j->app.app, &j->out->notes);
	free(found);
	return rc;
}

/* "solve: taken for the time of a run; if it is a part of it, ..." */
static void note_whole_time(struct import_job *j)
{
	const char *target = j->o->ad_hoc->target;
	const size_t i = target && text_table_find(j->table, target) != SIZE_MAX
				 ? application_guess_whole_time(j->table, target)
				 : SIZE_MAX;
	struct strbuf *notes = &j->out->notes;

	if (i == SIZE_MAX)
		return;
	text_put_safe(notes, target, false);
	strbuf_puts(notes,
		    ": taken for the time of the whole run, which deadlines are for. Is it a "
		    "part of ");
	text_put_safe(notes, text_table_column(j->table, i), false);
	strbuf_puts(notes, "? Then undo this, and name that in --target\n");
}

static enum err_code first_row_again(struct import_job *j, struct err *e)
{
	enum err_code rc = text_table_rewind(j->table, e);

	return rc ? rc : text_table_next(j->table, &j->first, e);
}

/* What the table adds to the application that flags describe. */
static enum err_code complete_application(struct import_job *j, struct err *e)
{
	enum err_code rc = size_columns_split_mapped(j->table, NULL, j->o->map, &j->map, e);

	j->completed = *j->o;
	j->completed.map = j->map;
	j->o = &j->completed;
	if (!rc)
		rc = ad_hoc_application_complete(j->kb, j->table, j->o, &j->ad_hoc, &j->out->notes,
						 e);
	j->completed.ad_hoc = &j->ad_hoc.spec;
	return rc ? rc : first_row_again(j, e);
}

/* Spreadsheets and gnuplot tables have a row of units below the header: were the one of the times
 * passed over, minutes would be read as seconds. */
static void take_row_of_units(struct import_job *j)
{
	const size_t i = j->mapping.of_kind[FIELD_TIME];
	struct mapped_field *f = &j->mapping.field[i];
	char unit[CELL_UNIT_MAX];

	if (j->format || f->unit_named || !j->first.raw || j->first.bad ||
	    !cell_is_unit_of_time(j->first.field[i], unit) ||
	    !cell_unit_between(unit, "s", &f->unit))
		return;
	f->unit_named = true;
	f->unit_assumed = false;
	text_put_safe(&j->out->notes, text_table_column(j->table, i), false);
	strbuf_printf(&j->out->notes, ": in %s, as the row of units in line %llu says\n", unit,
		      (unsigned long long)j->first.line);
}

/* Columns of sizes of an application that is there. */
static enum err_code split_sizes(struct import_job *j, struct err *e)
{
	enum err_code rc = size_columns_split_mapped(j->table, j->app.app, j->o->map, &j->map, e);

	if (!rc)
		rc = size_columns_split_groups(j->table, j->app.app, &j->out->notes, e);
	return rc ? rc : first_row_again(j, e);
}

/* An application that nobody named is doubted first. */
static enum err_code find_application_and_map(struct import_job *j, struct mapping_request *q,
					      struct err *e)
{
	const struct table_at_hand at = {j->kb, j->o, j->table, &j->first};
	struct err why = {0};
	enum err_code rc;

	if ((rc = import_application_find(&at, &j->app, e)) ||
	    (!j->o->ad_hoc && (rc = split_sizes(j, e))))
		return rc;
	if (j->o->ad_hoc && !j->app.id && !j->format)
		note_whole_time(j);
	q->app = j->app.app;
	q->map = j->map;
	rc = column_mapping_make(j->table, q, &j->mapping, &why);
	if (rc == ERR_PARSE) {
		const enum err_code below = table_header_below(j->table, e);

		if (below)
			return below;
	}
	if (rc == ERR_PARSE && j->app.assumed) {
		text_table_unsplit(j->table);
		return import_application_doubt(&at, &j->app, why.msg, e);
	}
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	take_row_of_units(j);
	/* other programs' formats have a status of their own */
	if (!j->format && ((rc = row_parts_check(j->table, &j->mapping, e)) ||
			   (rc = run_outcome_find(j->table, &j->mapping, &j->out->notes, e))))
		return rc;
	mapping_check_put_notes(&j->mapping, &j->out->notes);
	return j->o->ad_hoc || j->format ? ERR_OK : note_unused(j, e);
}

enum { PATTERNS_SIZE_MAX = 1 << 20 };

/* All of the source into *out, NUL-terminated. */
static enum err_code read_whole(struct byte_source *source, char **out, struct err *e)
{
	char *text = malloc(PATTERNS_SIZE_MAX + 1);
	size_t n = 0, got = 1;
	enum err_code rc =
		text ? ERR_OK
		     : err_set(e, ERR_NOMEM, "%s: no memory to read it", byte_source_name(source));

	while (!rc && got > 0 && n < PATTERNS_SIZE_MAX) {
		if (!(rc = byte_source_read(source, text + n, PATTERNS_SIZE_MAX - n, &got, e)))
			n += got;
	}
	if (!rc && got > 0)
		rc = err_set(e, ERR_PARSE, "%s: a file of patterns of 1 MiB or more",
			     byte_source_name(source));
	else if (!rc && memchr(text, '\0', n))
		rc = err_set(e, ERR_PARSE, "%s: a NUL byte: this is no text",
			     byte_source_name(source));
	if (rc) {
		free(text);
		return rc;
	}
	text[n] = '\0';
	*out = text;
	return ERR_OK;
}

static enum err_code read_patterns(struct import_job *j, struct err *e)
{
	struct byte_source *source = NULL;
	enum err_code rc;

	if (!j->o->patterns)
		return ERR_OK;
	if ((rc = byte_source_open(j->o->patterns, &source, e)))
		return rc;
	/* Far above what read_whole() refuses: for the digest of a pipe that never ends. */
	byte_source_limit(source, 16 * PATTERNS_SIZE_MAX, NULL);
	if (!(rc = byte_source_fingerprint(source, NULL, j->patterns_sha256, e)))
		rc = read_whole(source, &j->patterns, e);
	byte_source_close(source);
	return rc;
}

static enum err_code open_foreign(struct import_job *j, struct byte_source *source, struct err *e)
{
	const struct ingest_options *o = j->o;
	const struct foreign_choice choice = {.region = o->region,
					      .metric = o->metric,
					      .patterns = j->patterns,
					      .patterns_name = o->patterns,
					      .match = o->match};
	struct foreign_table *rows = NULL;
	struct strbuf *notes = &j->out->notes;
	enum err_code rc;

	if (o->delimiter)
		rc = err_set(e, ERR_ARG,
			     "--delimiter is for CSV tables, not for %s: leave one of them out",
			     j->format->name);
	else if (j->format->is_pingpong)
		rc = err_set(e, ERR_PARSE,
			     "%s: %s: message costs, no runs of an application: `lemnos calibrate "
			     "--machine NAME --pingpong FILE` takes them",
			     byte_source_name(source), j->format->title);
	else
		rc = foreign_file_read(source, j->format, o->foreign_max_bytes, &choice,
				       o->progress, &rows, e);
	if (rc) {
		byte_source_close(source);
		return rc;
	}
	strbuf_printf(notes, "read as %s: %s\n", j->format->name, j->format->title);
	strbuf_puts(notes, strbuf_text(foreign_table_notes(rows)));
	return text_table_open_foreign(source, rows, &j->table, e);
}

/* What separates columns is said of CSV only. */
static const char *format_wanted(const struct ingest_options *o)
{
	bool any = o->format && strcmp(o->format, foreign_format_auto) == 0;

	if (any && o->patterns)
		return format_log.name;
	return any && o->delimiter ? foreign_format_csv : o->format;
}

enum choice_flag { CHOICE_REGION, CHOICE_METRIC, CHOICE_PATTERNS };

static bool takes_choice(const struct foreign_format *f, enum choice_flag flag)
{
	return flag == CHOICE_REGION   ? f->takes_region
	       : flag == CHOICE_METRIC ? f->takes_metric
				       : f->takes_patterns;
}

/* "extrap, caliper and thicket": the formats whose readers ask for it. */
static void put_takers(enum choice_flag flag, struct strbuf *out)
{
	const struct foreign_format *f, *last = NULL;
	const char *separator = "";

	for (size_t i = 0; (f = foreign_format_at(i)) != NULL; i++) {
		if (!takes_choice(f, flag))
			continue;
		if (last) {
			strbuf_printf(out, "%s%s", separator, last->name);
			separator = ", ";
		}
		last = f;
	}
	if (last)
		strbuf_printf(out, "%s%s", *separator ? " and " : "", last->name);
}

static enum err_code refuse_choice(const struct import_job *j, const char *name, const char *flag,
				   const char *value, const char *takers, struct err *e)
{
	return err_set(e, ERR_ARG, "%s %.200s: %s is %s%s; %s is for %s", flag, value, name,
		       j->format ? "read as " : "", j->format ? j->format->name : "a CSV table",
		       flag, takers);
}

/* What was said of the file must be of use to its reader: else it would be lost without a word. */
static enum err_code check_choice(const struct import_job *j, const char *name, struct err *e)
{
	const struct {
		const char *flag, *value;
		enum choice_flag choice;
	} said[] = {
		{"--region", j->o->region, CHOICE_REGION},
		{"--metric", j->o->metric, CHOICE_METRIC},
		{"--patterns", j->o->patterns, CHOICE_PATTERNS},
	};

	if (j->o->match && *j->o->match && !j->format)
		return refuse_choice(j, name, "--match", *j->o->match, "what other programs write",
				     e);
	for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
		struct strbuf takers = STRBUF_INIT;
		enum err_code rc;

		if (!said[i].value || (j->format && takes_choice(j->format, said[i].choice)))
			continue;
		put_takers(said[i].choice, &takers);
		rc = takers.failed ? err_set(e, ERR_NOMEM, "%s: the names of formats", name)
				   : refuse_choice(j, name, said[i].flag, said[i].value,
						   strbuf_text(&takers), e);
		strbuf_release(&takers);
		return rc;
	}
	return ERR_OK;
}

static enum err_code open_table(struct import_job *j, struct err *e)
{
	const struct ingest_options *o = j->o;
	struct byte_source *source = NULL;
	enum err_code rc =
		o->text ? byte_source_open_text(o->text, strlen(o->text), o->path, &source, e)
			: byte_source_open(o->path, &source, e);

	if (rc)
		return rc;
	if ((rc = read_patterns(j, e))) {
		byte_source_close(source);
		return rc;
	}
	byte_source_limit(source, o->text ? 0 : o->max_bytes, "--max-bytes SIZE reads more");
	if ((rc = byte_source_fingerprint(source, o->text ? NULL : o->progress,
					  j->out->import.sha256, e)) ||
	    (rc = foreign_file_format(source, format_wanted(o), &j->format, e)) ||
	    (rc = check_choice(j, byte_source_name(source), e))) {
		byte_source_close(source);
		return rc;
	}
	if (j->format)
		return open_foreign(j, source, e);
	return text_table_open_source(source, o->delimiter, &j->table, e);
}

/* The first row is read again, if all were. */
static enum err_code find_number_style(struct import_job *j, struct err *e)
{
	/* programs write points */
	enum err_code rc =
		j->format && !j->o->decimal
			? ERR_OK
			: table_style_find(j->table, &j->mapping, j->o->decimal, &j->out->notes, e);

	return rc ? rc : first_row_again(j, e);
}

static enum err_code prepare(struct import_job *j, struct err *e)
{
	const struct ingest_options *o = j->o;
	struct mapping_request q = {
		.unit = o->unit,
		.machine_given = o->machine != NULL,
		.source_given = o->source >= 0,
		.keep_personal = o->keep_personal,
		.exact = o->ad_hoc != NULL,
		.first = &j->first,
	};
	enum err_code rc;

	if ((rc = copy_text(import_name(o), &j->out->import.file_name, e)) ||
	    (rc = open_table(j, e)) || (!j->format && (rc = table_columns_check(j->table, e))) ||
	    (rc = text_table_next(j->table, &j->first, e)) ||
	    (o->ad_hoc && (rc = complete_application(j, e))) ||
	    (rc = find_application_and_map(j, &q, e)) || (rc = find_number_style(j, e)) ||
	    (rc = find_machine(j, e)) || (rc = identify(j, e)))
		return rc;
	return kb_find_import(j->kb, &j->out->import, &j->out->already_import, e);
}

/* ---- the rows ---- */

static enum err_code take_rows(struct import_job *j, struct err *e)
{
	struct import_rows *r = &j->rows;
	enum err_code rc;

	r->table = j->table;
	r->record = j->first;
	r->log = j->log;
	r->progress = j->o->progress;
	rc = import_rows_run(r, e);
	import_rows_put_notes(r, &j->out->notes);
	j->out->n_rows = r->n_rows;
	j->out->n_aggregates = r->n_aggregates;
	j->out->import.n_refused = r->n_refused;
	return rc;
}

/* 12.3 beside "350 ms": seconds, or milliseconds like its neighbours? */
static enum err_code check_units_of_times(const struct import_job *j, struct err *e)
{
	const struct run_row *row = &j->rows.row;
	size_t i = j->mapping.of_kind[FIELD_TIME];
	const char *header = text_table_column(j->table, i);

	if (j->format || !row->line_bare || !row->line_with_unit || j->mapping.field[i].unit_named)
		return ERR_OK;
	return err_set(
		e, ERR_PARSE,
		"%s:%llu: %s: a number without a unit, and in line %llu a time with one: say "
		"in which unit the mere numbers are with --unit '%s=s' (or ms, us, ns, min, "
		"h)",
		text_table_name(j->table), (unsigned long long)row->line_bare, header,
		(unsigned long long)row->line_with_unit, header);
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

/* The same file with another mapping, as notes advise, before the first import was undone. Of other
 * programs' files, parts may be meant. */
static enum err_code note_same_file(struct import_job *j, struct err *e)
{
	struct kb_import *imp = &j->out->import;
	int64_t id = 0;
	enum err_code rc =
		j->format || imp->n_taken == 0 ? ERR_OK : kb_find_same_file(j->kb, imp, &id, e);

	if (!rc && id)
		strbuf_printf(&j->out->notes,
			      "this file is import %lld, too, read with other columns, units or "
			      "machine: its rows count twice until you take that back (`lemnos "
			      "imports undo %lld`)\n",
			      (long long)id, (long long)id);
	return rc;
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
	if ((rc = import_application_store(j->kb, &j->app, e)) ||
	    (rc = run_row_init(&r->row, &j->mapping, j->app.app, &j->machines, e)) ||
	    (rc = kb_run_writer_open(j->kb, j->app.app, j->app.id, imp, &r->writer, e)))
		return rc;
	r->row.machine = imp->machine;
	r->row.source = j->o->source;
	j->machines.writer = r->writer;
	if ((rc = take_rows(j, e)) || (rc = judge(j, e)) || (rc = check_units_of_times(j, e)))
		return rc;
	if (!(rc = kb_run_writer_finish(r->writer, imp, j->o->progress, e)))
		rc = note_same_file(j, e);
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

/* Merged cells of a spreadsheet are written once, and empty below. */
static void note_merged_cells(const struct import_job *j, struct ingest_result *out)
{
	const size_t i_time = j->mapping.field ? j->mapping.of_kind[FIELD_TIME] : SIZE_MAX;
	const char *time = i_time != SIZE_MAX ? text_table_column(j->table, i_time) : "";
	static const char empty[] = ": empty";

	for (size_t i = 0; i < out->n_reason; i++) {
		const char *text = out->reason[i].text;
		const size_t n = strlen(text), n_end = sizeof empty - 1;

		if (2 * out->reason[i].n < out->n_rows || n < n_end ||
		    strcmp(text + n - n_end, empty) != 0 ||
		    (strlen(time) == n - n_end && strncmp(time, text, n - n_end) == 0))
			continue;
		strbuf_add(&out->notes, text, n - n_end);
		strbuf_puts(&out->notes,
			    ": empty in most rows: where one cell stands for those below "
			    "it, fill them in\n");
	}
}

static void wind_up(struct import_job *j, bool failed)
{
	struct ingest_result *out = j->out;

	if (j->log)
		reject_log_take_reasons(j->log, &out->reason, &out->n_reason);
	note_merged_cells(j, out);
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
	import_application_release(&j->app);
	ad_hoc_application_release(&j->ad_hoc);
	free(j->map);
	text_table_close(j->table);
	free(j->patterns);
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
