#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/frame/ad_hoc_options.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/data/ingest_summary.h"
#include "api/import_runs.h"
#include "api/shipped.h"

static const struct option_spec opt_source = {
	.name = "source",
	.arg = "SOURCE",
	.values = "measured simulated modelled",
	.help = "where the times come from (default: the source column, else measured)",
};
static const struct option_spec opt_map = {
	.name = "map",
	.arg = "COLUMN=FIELD,...",
	.help = "what a column of the file is: --map cores=procs,t=runtime_s",
};
static const struct option_spec opt_unit = {
	.name = "unit",
	.arg = "COLUMN=UNIT,...",
	.help = "unit of a time or size column: --unit time=ms; hms or hm for times like 02:03",
};
static const struct option_spec opt_decimal = {
	.name = "decimal",
	.arg = "CHARACTER",
	.values = ". ,",
	.help = "decimal mark of the numbers: . or , (default: found from all of them)",
};
static const struct option_spec opt_delimiter = {
	.name = "delimiter",
	.arg = "CHARACTER",
	.help = "what separates columns, or tab (default: comma, semicolon, tab or |, as the "
		"header has it)",
};
static const struct option_spec opt_input_format = {
	.name = "input-format",
	.arg = "NAME",
	.values = "auto csv" FOREIGN_FORMAT_WORDS,
	.help = "what the file is: auto (default: its first lines say), csv, or the name of a\n"
		"format that another program writes",
};
static const struct option_spec opt_match = {
	.name = "match",
	.arg = "COLUMN=TEMPLATE,...",
	.help = "of another program's file: rows whose column looks like that; * is any text,\n"
		"{NAME} one that becomes a column: --match 'JobName=lu_n{n}_nb{nb}_*'",
};
/* What --format means everywhere, and a short way to say --input-format. */
static const struct option_spec opt_ingest_format = {
	.name = "format",
	.arg = "FORMAT",
	.values = "table json csv auto" FOREIGN_FORMAT_WORDS,
	.help = "of the summary: table (for people), json or csv (exact numbers); takes a\n"
		"word of --input-format, too: that is of the file",
};
static const struct option_spec opt_region = {
	.name = "region",
	.arg = "NAME",
	.help = "of a profile: the region that is the run; '*': each is a row, with a column region",
};
static const struct option_spec opt_metric = {
	.name = "metric",
	.arg = "NAME",
	.help = "of measurements by Extra-P: the metric that is the time",
};
static const struct option_spec opt_patterns = {
	.name = "patterns",
	.arg = "FILE",
	.values = "FILE",
	.help = "the file is a log; what to find in it: lines NAME = REGULAR EXPRESSION",
};
static const struct option_spec opt_cores_per_node = {
	.name = "cores-per-node",
	.arg = "N",
	.help = "cores of a node, of a machine of which that is not known yet",
};
static const struct option_spec opt_memory_per_node = {
	.name = "memory-per-node",
	.arg = "SIZE",
	.help = "memory of a node, of such a machine: 192GiB",
};
static const struct option_spec opt_rejects = {
	.name = "rejects",
	.arg = "FILE",
	.values = "FILE",
	.help = "write every refused row there, with line, column, value and reason",
};
static const struct option_spec opt_max_bytes = {
	.name = "max-bytes",
	.arg = "SIZE",
	.help = "refuse input that goes on for longer, unpacked (default 64GiB)",
};
static const struct option_spec opt_strict = {
	.name = "strict",
	.help = "take nothing from a file in which any row is refused (exit 3)",
};
static const struct option_spec opt_dry_run = {
	.name = "dry-run",
	.help = "say what would happen, change nothing",
};
static const struct option_spec opt_keep_personal = {
	.name = "keep-personal",
	.help = "also keep user, account, host and command line columns",
};

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
			"--rejects names one file, and %zu files are to be loaded: load them "
			"one by one",
			c->n_operands);
	return ERR_OK;
}

/* Every file is an import of its own: a bad one does not keep the others out, and decides the exit
 * status. A fault of the system or an interrupt ends the work. */
static enum err_code load_files(struct context *c, struct ingest_options *o,
				struct ingest_summary *s, struct err *e)
{
	enum err_code worst = ERR_OK;

	for (size_t i = 0; i < c->n_operands; i++) {
		struct ingest_result result = {0};
		struct err why = {0};
		enum err_code rc;

		o->path = c->operand[i];
		rc = import_runs(&c->session, o, &result, &why);
		progress_bar_clear(&c->bar);
		ingest_summary_add(s, c, o, &result, rc, &why);
		ingest_result_release(&result);
		if (!rc)
			continue;
		if (rc != ERR_PARSE && rc != ERR_NODATA) {
			*e = why; /* with its lines */
			return rc;
		}
		context_report(c, &why);
		worst = rc;
	}
	return worst;
}

static enum err_code ingest_run(struct context *c, struct err *e)
{
	struct ingest_options o = {0};
	struct ingest_lists lists = {0};
	struct ingest_summary *summary = NULL;
	struct err printing = {0};
	enum err_code rc, printed;
	bool made = false;

	if ((rc = read_options(c, &o, &lists, e)) ||
	    (rc = shipped_open_kb(&c->session, KB_CREATE, &made, e)) ||
	    (rc = ingest_summary_new(&summary, e)))
		goto done;
	rc = load_files(c, &o, summary, e);
	if (made && !o.dry_run && ingest_summary_any_import(summary)) {
		shipped_tell_new_kb(&c->session);
		made = false;
	}
	printed = ingest_summary_print(summary, c, o.dry_run, &printing);
	if (!rc && printed)
		rc = err_set(e, printed, "%s", printing.msg);
done:
	if (made) /* of a dry run, or of files that gave nothing */
		shipped_take_back_kb(&c->session);
	ingest_summary_free(summary);
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
		"Loads tables of runs: CSV or TSV with a header line, also .gz and .zst; - is "
		"standard\n"
		"input. Output and logs of other programs are recognised and read as such tables\n"
		"(below). Columns are matched by name and by the aliases of the application's\n"
		"definition, units by the header (time_ms) or --unit. Each file is one import, all "
		"or\n"
		"nothing; the same file again adds nothing, and `lemnos imports undo` takes one "
		"back.\n"
		"Rows that cannot be right are refused and counted by reason; suspicious ones are\n"
		"taken and flagged. A machine that is not known yet is created.\n"
		"\n"
		"An application class without a definition file is made from flags: --target "
		"names\n"
		"the time column, --problem, --tunable and --resource the columns that matter. "
		"Later\n"
		"imports of the class need only --app.\n"
		"\n"
		"Where nothing is taken, no new knowledge base is left behind; --dry-run needs "
		"none.\n"
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
