#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"
#include "domain/application.h"
#include "api/import_runs.h"
#include "api/shipped.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/frame/options.h"

/* An application told by flags of `ingest`. */
struct ad_hoc_options {
	struct ad_hoc spec; /* points into the lists below and into argv */
	bool given;
	char **problem, **tunable, **categorical;
	char **resource_column, **resource_field;
	char **grid, **candidates;
	const char **constraint;
};

/* ---- an application from flags ---- */

static OPTION(
	opt_ad_hoc_target, "target", "COLUMN",
	.help = "new application: the column of the run time (seconds, unless it names a unit: time_ms; "
		"or --unit)");
static OPTION(opt_ad_hoc_problem, "problem", "COLUMN,...",
	      .help = "new application: columns that say what is solved");
static OPTION(opt_ad_hoc_tunable, "tunable", "COLUMN,...",
	      .help = "new application: columns that may be chosen freely");
static OPTION(opt_ad_hoc_resource, "resource", "COLUMN=FIELD,...",
	      .help = "new application: columns that are paid for; FIELD is nodes, ppn, procs, "
		      "threads or gpus");
static OPTION(
	opt_ad_hoc_categorical, "categorical", "COLUMN,...",
	.help = "new application: which of these columns are words even where they look like numbers");

static OPTION(opt_ad_hoc_constraint, "constraint", "CONDITION",
	      .help = "new application: what every run meets, so that nothing else is proposed: "
		      "'groups % groupsets = 0'; may be repeated");
static OPTION(
	opt_ad_hoc_grid, "grid", "COLUMN,...",
	.help = "new application: sides of the processor grid, whose product is procs: --grid P,Q");
static OPTION(
	opt_ad_hoc_candidates, "candidates", "COLUMN=RANGE,...",
	.help = "new application: values to propose, seen or not: tile=8..256*2, k=10..50+10, n=1..9");

/* Every value of --constraint, whole: conditions have commas. */
static enum err_code list_constraints(const struct options *o, struct ad_hoc_options *out,
				      struct err *e)
{
	size_t n = 0;

	out->constraint = calloc(o->n_given + 1, sizeof *out->constraint);
	if (!out->constraint)
		return err_set(e, ERR_NOMEM, "the values of --constraint");
	for (size_t i = 0; i < o->n_given; i++) {
		if (o->given[i].spec == &opt_ad_hoc_constraint)
			out->constraint[n++] = o->given[i].value;
	}
	return ERR_OK;
}

/* "NNodes=nodes" -> column and field, in place; field[] shares the text of column[]. A column that
 * is called like its field is named once: "nodes". */
static enum err_code split_resources(struct ad_hoc_options *a, size_t n, struct err *e)
{
	a->resource_field = calloc(n + 1, sizeof *a->resource_field);
	if (!a->resource_field)
		return err_set(e, ERR_NOMEM, "the values of --resource");
	for (size_t i = 0; i < n; i++) {
		char *eq = strchr(a->resource_column[i], '=');

		if (!eq) {
			a->resource_field[i] = a->resource_column[i];
			continue;
		}
		if (eq == a->resource_column[i] || !eq[1])
			return err_set(
				e, ERR_USAGE,
				"--resource %s: write COLUMN=FIELD, with FIELD one of nodes, "
				"ppn, procs, threads, gpus",
				a->resource_column[i]);
		*eq = '\0';
		a->resource_field[i] = eq + 1;
	}
	return ERR_OK;
}

static enum err_code target_unit(const char *target, char *const *unit, double *out_s,
				 struct err *e)
{
	const char *given = NULL;

	switch (import_time_unit(target, unit, out_s, &given)) {
	case IMPORT_UNIT_AMBIGUOUS:
		return err_set(e, ERR_USAGE,
			       "--target %s: in minutes, or the minimum? Say --unit %s=min or "
			       "--unit %s=s",
			       target, target, target);
	case IMPORT_UNIT_NO_TIME:
		return err_set(e, ERR_USAGE,
			       "--unit %s: a time is in ns, us, ms, s, min, h or d, or "
			       "written as hms or hm",
			       given);
	case IMPORT_UNIT_UNKNOWN:
		return err_set(e, ERR_USAGE,
			       "--target %s: what its brackets say is no unit of time that is "
			       "known: say --unit '%s=UNIT', with UNIT one of ns, us, ms, s, min, "
			       "h, d, hms, hm",
			       target, target);
	case IMPORT_UNIT_KNOWN:
		break;
	}
	return ERR_OK;
}

static enum err_code check_given(const struct options *o, struct err *e)
{
	static const struct option_spec *const useless_alone[] = {
		&opt_ad_hoc_problem,	 &opt_ad_hoc_tunable,	 &opt_ad_hoc_resource,
		&opt_ad_hoc_categorical, &opt_ad_hoc_constraint, &opt_ad_hoc_grid,
		&opt_ad_hoc_candidates};

	if (options_has(o, &opt_ad_hoc_target)) {
		if (!options_has(o, &opt_app))
			return err_set(e, ERR_USAGE,
				       "--target makes a new application: name it with --app NAME");
		return ERR_OK;
	}
	for (size_t i = 0; i < sizeof useless_alone / sizeof useless_alone[0]; i++) {
		if (options_has(o, useless_alone[i]))
			return err_set(e, ERR_USAGE,
				       "--%s describes a new application: name its time column "
				       "with --target COLUMN",
				       useless_alone[i]->name);
	}
	return ERR_OK;
}

/* unit: the values of --unit, for the unit of the target. Errors: USAGE (--target without --app or
 * without a problem, a resource that is not COLUMN=FIELD). Release in any case. */
static enum err_code ad_hoc_options_read(const struct options *o, char *const *unit,
					 struct ad_hoc_options *out, struct err *e)
{
	size_t n_resources = 0;
	enum err_code rc;

	if ((rc = check_given(o, e)))
		return rc;
	out->given = options_has(o, &opt_ad_hoc_target);
	if (!out->given)
		return ERR_OK;
	out->spec.name = options_get(o, &opt_app);
	out->spec.target = options_get(o, &opt_ad_hoc_target);
	if ((rc = target_unit(out->spec.target, unit, &out->spec.target_unit_s, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_problem, &out->problem, NULL, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_tunable, &out->tunable, NULL, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_categorical, &out->categorical, NULL, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_resource, &out->resource_column, &n_resources, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_grid, &out->grid, NULL, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_candidates, &out->candidates, NULL, e)) ||
	    (rc = list_constraints(o, out, e)) || (rc = split_resources(out, n_resources, e)))
		return rc;
	out->spec.grid = (const char *const *)out->grid;
	out->spec.candidates = (const char *const *)out->candidates;
	out->spec.constraint = out->constraint;
	out->spec.problem = (const char *const *)out->problem;
	out->spec.tunable = (const char *const *)out->tunable;
	out->spec.categorical = (const char *const *)out->categorical;
	out->spec.resource_column = (const char *const *)out->resource_column;
	out->spec.resource_field = (const char *const *)out->resource_field;
	return ERR_OK;
}

static void ad_hoc_options_release(struct ad_hoc_options *a)
{
	free(a->problem);
	free(a->tunable);
	free(a->categorical);
	free(a->resource_column);
	free(a->resource_field);
	free(a->grid);
	free(a->candidates);
	free(a->constraint);
	*a = (struct ad_hoc_options){0};
}

/* What `ingest` says: for people a paragraph after each file, with --format csv or json all of it
 * at the end. */
struct ingest_summary {
	struct imported_file *file; /* [n] */
	size_t n;
	int64_t n_taken;
	bool any_import; /* a file is in the base, by this command or an earlier one */
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

static void ingest_summary_release(struct ingest_summary *s)
{
	for (size_t i = 0; i < s->n; i++)
		ingest_result_release(&s->file[i].result);
	free(s->file);
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

static void print_for_people(const struct context *c, const struct ingest_options *o,
			     const struct imported_file *file)
{
	const struct ingest_result *r = &file->result;
	const enum err_code rc = file->why.code;
	FILE *f = c->out;

	print_safe(f, "", !strcmp(o->path, "-") ? "standard input" : o->path, ": ");
	if (r->already_import) {
		fprintf(f, "known already as import %lld, nothing added\n",
			(long long)r->already_import);
		if (o->rejects && !c->quiet)
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
		print_flagged(f, r); /* a warning */
	if (c->quiet)
		return;
	print_notes(f, strbuf_text(&r->notes));
	for (size_t i = 0; i < r->n_new_machine; i++) {
		print_safe(f, "  new machine: ", r->new_machine[i], "");
		fputs(", without parameters yet (`lemnos machines add FILE`, `lemnos calibrate`)\n",
		      f);
	}
}

static enum err_code print_csv(const struct ingest_summary *s, FILE *f, struct err *e)
{
	struct out_table *t =
		out_table_new(file_columns, sizeof file_columns / sizeof file_columns[0]);
	enum err_code rc;

	for (size_t i = 0; t && i < s->n; i++) {
		const struct imported_file *file = &s->file[i];
		const struct ingest_result *r = &file->result;

		out_text(t, file->path);
		put_id(t, r->import.id);
		out_int(t, r->n_rows);
		out_int(t, r->import.n_taken);
		out_int(t, r->import.n_refused);
		out_int(t, r->import.n_known);
		out_int(t, r->import.n_flagged);
		out_int(t, r->n_aggregates);
		put_id(t, r->already_import);
		out_text(t, file->why.code ? file->why.msg : NULL);
	}
	rc = t ? out_table_print(t, FORMAT_CSV, "files", f, e)
	       : err_set(e, ERR_NOMEM, "the summary of the import");
	out_table_free(t);
	return rc;
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

static enum err_code ingest_summary_print(const struct ingest_summary *s, const struct context *c,
					  bool dry_run, struct err *e)
{
	struct json_t *answer;

	if (c->format == FORMAT_CSV)
		return print_csv(s, c->out, e);
	if (c->format == FORMAT_JSON) {
		answer = import_report_json(s->file, s->n, dry_run);
		return out_answer(!answer, answer, "the summary of the import", c->out, e);
	}
	if (!c->quiet)
		print_next(s, dry_run, c->out);
	return ERR_OK;
}

/* ---- the command ---- */

static OPTION(opt_source, "source", "SOURCE", .values = "measured simulated modelled",
	      .help = "where the times come from (default: the source column, else measured)");
static OPTION(opt_map, "map", "COLUMN=FIELD,...",
	      .help = "what a column of the file is: --map cores=procs,t=runtime_s,size=nx:ny:nz");
static OPTION(
	opt_unit, "unit", "COLUMN=UNIT,...",
	.help = "unit of a time or size column: --unit time=ms; hms or hm for times like 02:03");
static OPTION(opt_decimal, "decimal", "CHARACTER", .values = ". ,",
	      .help = "decimal mark of the numbers: . or , (default: found from all of them)");
static OPTION(opt_delimiter, "delimiter", "CHARACTER",
	      .help = "what separates columns, or tab (default: comma, semicolon, tab or |, as the "
		      "header has it)");
static OPTION(
	opt_input_format, "input-format", "NAME", .values = "auto csv" FOREIGN_FORMAT_WORDS,
	.help = "what the file is: auto (default: its first lines say), csv, or the name of a\n"
		"format that another program writes");
static OPTION(
	opt_match, "match", "COLUMN=TEMPLATE,...",
	.help = "of another program's file: rows whose column looks like that; * is any text,\n"
		"{NAME} one that becomes a column: --match 'JobName=lu_n{n}_nb{nb}_*'");
/* What --format means everywhere, and a short way to say --input-format. */
static OPTION(opt_ingest_format, "format", "FORMAT",
	      .values = "table json csv auto" FOREIGN_FORMAT_WORDS,
	      .help = "of the summary: table (for people), json or csv (exact numbers); takes a\n"
		      "word of --input-format, too: that is of the file");
static OPTION(
	opt_region, "region", "NAME",
	.help = "of a profile: the region that is the run; '*': each is a row, with a column region");
static OPTION(opt_metric, "metric", "NAME",
	      .help = "of measurements by Extra-P: the metric that is the time");
static OPTION(opt_patterns, "patterns", "FILE", .values = "FILE",
	      .help = "the file is a log; what to find in it: lines NAME = REGULAR EXPRESSION");
static OPTION(opt_cores_per_node, "cores-per-node", "N",
	      .help = "cores of a node, of a machine of which that is not known yet");
static OPTION(opt_memory_per_node, "memory-per-node", "SIZE",
	      .help = "memory of a node, of such a machine: 192GiB");
static OPTION(opt_rejects, "rejects", "FILE", .values = "FILE",
	      .help = "write every refused row there, with line, column, value and reason");
static OPTION(opt_max_bytes, "max-bytes", "SIZE",
	      .help = "refuse input that goes on for longer, unpacked (default 64GiB)");
static OPTION(opt_strict, "strict", NULL,
	      .help = "take nothing from a file in which any row is refused (exit 3)");
static OPTION(opt_dry_run, "dry-run", NULL, .help = "say what would happen, change nothing");
static OPTION(opt_keep_personal, "keep-personal", NULL,
	      .help = "also keep user, account, host and command line columns");

/* The lists that struct ingest_options points to. */
struct ingest_lists {
	char **map;
	char **unit;
	char **match;
	struct ad_hoc_options ad_hoc;
};

static void lists_release(struct ingest_lists *l)
{
	free(l->map);
	free(l->unit);
	free(l->match);
	ad_hoc_options_release(&l->ad_hoc);
}

static enum err_code read_marks(const struct context *c, struct ingest_options *o, struct err *e)
{
	const char *delimiter = options_get(&c->opt, &opt_delimiter);
	int decimal = -1;
	enum err_code rc = options_choice(&c->opt, &opt_decimal, &decimal, e);

	if (rc)
		return rc;
	o->decimal = (char)(decimal < 0 ? 0 : decimal == 0 ? '.' : ',');
	if (!delimiter)
		return ERR_OK;
	if (!strcmp(delimiter, "tab") || !strcmp(delimiter, "\\t"))
		delimiter = "\t";
	if (strlen(delimiter) != 1 || strchr("\"\n\r#", *delimiter) || (*delimiter & 0x80))
		return err_set(e, ERR_USAGE,
			       "--delimiter '%s': write one character (no quote, no #), or tab",
			       delimiter);
	o->delimiter = *delimiter;
	return ERR_OK;
}

static enum err_code read_node(const struct context *c, struct ingest_options *o, struct err *e)
{
	const char *memory = options_get(&c->opt, &opt_memory_per_node);
	long long cores = 0;
	struct err why = {0};
	enum err_code rc = options_integer(&c->opt, &opt_cores_per_node, 1, 1000000, &cores, e);

	if (rc)
		return rc;
	o->node.cores = cores;
	if (memory && size_parse(memory, &o->node.memory_bytes, &why) != ERR_OK)
		return err_set(e, ERR_USAGE, "--memory-per-node: %s", why.msg);
	return ERR_OK;
}

/* A pipe may never end: it does so here. */
static enum err_code read_limit(const struct context *c, struct ingest_options *o, struct err *e)
{
	const char *text = options_get(&c->opt, &opt_max_bytes);
	double bytes = 0x1p36;
	struct err why = {0};

	if (text && size_parse(text, &bytes, &why))
		return err_set(e, ERR_USAGE, "--max-bytes: %s", why.msg);
	if (!(bytes >= 1 && bytes <= 0x1p62))
		return err_set(e, ERR_USAGE, "--max-bytes %s: it must be 1 byte or more", text);
	o->max_bytes = (uint64_t)bytes;
	o->foreign_max_bytes = text ? o->max_bytes : (uint64_t)0x1p30;
	return ERR_OK;
}

/* The word of a list of values, separated by blanks. */
static bool is_value(const char *values, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = values; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		if (len == n && strncmp(p, word, n) == 0)
			return true;
		p += len;
	}
	return false;
}

/* --format may be given twice: for the summary, and for the file. */
static enum err_code read_format(struct context *c, struct ingest_options *o, struct err *e)
{
	const char *given = options_get(&c->opt, &opt_input_format);
	int i_given = 0;
	enum err_code rc = options_choice(&c->opt, &opt_input_format, &i_given, e);

	o->format = "auto";
	for (size_t i = 0; !rc && i < c->opt.n_given; i++) {
		const char *word = c->opt.given[i].value;

		if (c->opt.given[i].spec != &opt_ingest_format)
			continue;
		if (!strcmp(word, "table"))
			c->format = FORMAT_TABLE;
		else if (!strcmp(word, "json"))
			c->format = FORMAT_JSON;
		else if (!strcmp(word, "csv"))
			c->format = FORMAT_CSV;
		else if (is_value(opt_ingest_format.values, word))
			o->format = word;
		else
			rc = err_set(e, ERR_USAGE, "--format %s: it is one of: %s", word,
				     opt_ingest_format.values);
	}
	if (given)
		o->format = given;
	return rc;
}

static enum err_code read_options(struct context *c, struct ingest_options *o,
				  struct ingest_lists *l, struct err *e)
{
	enum err_code rc;

	o->source = -1;
	if ((rc = read_format(c, o, e)))
		return rc;
	if ((rc = options_choice(&c->opt, &opt_source, &o->source, e)) ||
	    (rc = read_marks(c, o, e)) || (rc = read_node(c, o, e)) || (rc = read_limit(c, o, e)) ||
	    (rc = options_list(&c->opt, &opt_map, &l->map, NULL, e)) ||
	    (rc = options_list(&c->opt, &opt_unit, &l->unit, NULL, e)) ||
	    (rc = options_list(&c->opt, &opt_match, &l->match, NULL, e)) ||
	    (rc = ad_hoc_options_read(&c->opt, l->unit, &l->ad_hoc, e)))
		return rc;
	o->region = options_get(&c->opt, &opt_region);
	o->metric = options_get(&c->opt, &opt_metric);
	o->patterns = options_get(&c->opt, &opt_patterns);
	o->app = options_get(&c->opt, &opt_app);
	o->machine = options_get(&c->opt, &opt_machine);
	o->map = (const char *const *)l->map;
	o->unit = (const char *const *)l->unit;
	o->match = (const char *const *)l->match;
	o->ad_hoc = l->ad_hoc.given ? &l->ad_hoc.spec : NULL;
	o->dry_run = options_has(&c->opt, &opt_dry_run);
	o->strict = options_has(&c->opt, &opt_strict);
	o->keep_personal = options_has(&c->opt, &opt_keep_personal);
	o->rejects = options_get(&c->opt, &opt_rejects);
	if (o->rejects && !strcmp(o->rejects, "-"))
		return err_set(e, ERR_USAGE,
			       "--rejects needs a file: standard output has the summary");
	if (o->rejects && c->n_operands > 1)
		return err_set(
			e, ERR_USAGE,
			"--rejects names one file, and %zu files are to be loaded: load them one by one",
			c->n_operands);
	return ERR_OK;
}

/* Every file is an import of its own: a bad one does not keep the others out, and decides the exit
 * status. A fault of the system or an interrupt ends the work. */
static enum err_code load_files(struct context *c, struct ingest_options *o,
				struct ingest_summary *s, struct err *e)
{
	enum err_code worst = ERR_OK;

	s->file = calloc(c->n_operands, sizeof *s->file);
	if (!s->file)
		return err_set(e, ERR_NOMEM, "the summary of the import");
	for (size_t i = 0; i < c->n_operands; i++) {
		struct imported_file *f = &s->file[s->n++];
		enum err_code rc;

		f->path = o->path = c->operand[i];
		rc = import_runs(&c->session, o, &f->result, &f->why);
		f->why.code = rc;
		progress_bar_clear(&c->bar);
		if (!rc)
			s->n_taken += f->result.import.n_taken;
		s->any_import |= f->result.import.id != 0 || f->result.already_import != 0;
		s->any_failed |= rc != ERR_OK;
		/* Of an interrupted file the counts mean nothing. */
		if (c->format == FORMAT_TABLE && rc != ERR_INTERRUPTED)
			print_for_people(c, o, f);
		if (!rc)
			continue;
		if (rc != ERR_PARSE && rc != ERR_NODATA) {
			*e = f->why; /* with its lines */
			return rc;
		}
		context_report(c, &f->why);
		worst = rc;
	}
	return worst;
}

static enum err_code ingest_run(struct context *c, struct err *e)
{
	struct ingest_options o = {0};
	struct ingest_lists lists = {0};
	struct ingest_summary summary = {0};
	struct err printing = {0};
	enum err_code rc, printed;
	bool made = false;

	if ((rc = read_options(c, &o, &lists, e)) ||
	    (rc = shipped_open_kb(&c->session, KB_CREATE, &made, e)))
		goto done;
	rc = load_files(c, &o, &summary, e);
	if (made && !o.dry_run && summary.any_import) {
		shipped_tell_new_kb(&c->session);
		made = false;
	}
	printed = ingest_summary_print(&summary, c, o.dry_run, &printing);
	if (!rc && printed)
		rc = err_set(e, printed, "%s", printing.msg);
done:
	if (made) /* of a dry run, or of files that gave nothing */
		shipped_take_back_kb(&c->session);
	ingest_summary_release(&summary);
	lists_release(&lists);
	return rc;
}

static void put_formats(FILE *f)
{
	const char *name, *title;

	fputs("\nformats of --input-format, recognised by their first lines (lemnos-formats(5)):\n"
	      "  csv                       tables of delimited text: whatever is none of these\n",
	      f);
	for (size_t i = 0; import_format_at(i, &name, &title); i++)
		fprintf(f, "  %-24s  %s\n", name, title);
}

static const struct option_spec *const ingest_options[] = {&opt_app,
							   &opt_machine,
							   &opt_source,
							   &opt_map,
							   &opt_unit,
							   &opt_decimal,
							   &opt_delimiter,
							   &opt_dry_run,
							   &opt_strict,
							   &opt_max_bytes,
							   &opt_rejects,
							   &opt_keep_personal,
							   &opt_input_format,
							   &opt_match,
							   &opt_ingest_format,
							   &opt_region,
							   &opt_metric,
							   &opt_patterns,
							   &opt_ad_hoc_target,
							   &opt_ad_hoc_problem,
							   &opt_ad_hoc_tunable,
							   &opt_ad_hoc_resource,
							   &opt_ad_hoc_categorical,
							   &opt_ad_hoc_constraint,
							   &opt_ad_hoc_grid,
							   &opt_ad_hoc_candidates,
							   &opt_cores_per_node,
							   &opt_memory_per_node,
							   NULL};

/* Opens the base itself, as one that it makes is removed where nothing is kept. */
static const struct action ingest_actions[] = {
	{NULL, "FILE... [--app NAME] [--machine NAME] [OPTION]...", NULL, 1, OPERANDS_ANY,
	 NEEDS_NOTHING, ingest_run},
};

const struct cmd cmd_ingest = {
	.name = "ingest",
	.summary = "load runs from CSV files and from what other programs write",
	.description =
		"Loads tables of runs: CSV or TSV with a header line, also .gz and .zst; - is standard\n"
		"input. Output and logs of other programs are recognised and read as such tables\n"
		"(below). Columns are matched by name and by the aliases of the application's\n"
		"definition, units by the header (time_ms) or --unit. Each file is one import, all or\n"
		"nothing; the same file again adds nothing, and `lemnos imports undo` takes one back.\n"
		"Rows that cannot be right are refused and counted by reason; suspicious ones are\n"
		"taken and flagged. A machine that is not known yet is created.\n"
		"\n"
		"An application without a definition file is made from flags: --target names\n"
		"the time column, --problem, --tunable and --resource the columns that matter. Later\n"
		"imports of the application need only --app.\n"
		"\n"
		"Where nothing is taken, no new knowledge base is left behind; --dry-run needs none.\n"
		"Exit status 3: a file gave no valid row, or --strict refused it.",
	.examples =
		"  lemnos ingest runs.csv --app sweep3d --machine mycluster\n"
		"  lemnos ingest HPL.out --app hpl --machine mycluster --target Time --problem N \\\n"
		"      --tunable NB --grid P,Q\n"
		"  lemnos ingest old.tsv.gz --map cores=procs --unit time=ms --dry-run\n"
		"  lemnos ingest qr.csv --app qr --target time --problem m,n --tunable mb,nb \\\n"
		"      --resource nodes=nodes,ppn=ppn",
	.put_more = put_formats,
	.options = ingest_options,
	.action = ingest_actions,
	.n_actions = 1,
};
