#include <stdlib.h>
#include <string.h>

#include "cli/ad_hoc_options.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/ingest_summary.h"
#include "cli/shipped.h"
#include "ingest/ingest.h"

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
	.help = "unit of a time or size column: --unit time=ms",
};
static const struct option_spec opt_rejects = {
	.name = "rejects",
	.arg = "FILE",
	.values = "FILE",
	.help = "write every refused row there, with line, column, value and reason",
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
	struct ad_hoc_options ad_hoc;
};

static void lists_release(struct ingest_lists *l)
{
	free(l->map);
	free(l->unit);
	ad_hoc_options_release(&l->ad_hoc);
}

static enum err_code read_options(const struct context *c, struct ingest_options *o,
				  struct ingest_lists *l, struct err *e)
{
	enum err_code rc;

	o->source = -1;
	if ((rc = options_choice(&c->opt, &opt_source, &o->source, e)) ||
	    (rc = options_list(&c->opt, &opt_map, &l->map, NULL, e)) ||
	    (rc = options_list(&c->opt, &opt_unit, &l->unit, NULL, e)) ||
	    (rc = ad_hoc_options_read(&c->opt, l->unit, &l->ad_hoc, e)))
		return rc;
	o->app = options_get(&c->opt, &opt_app);
	o->machine = options_get(&c->opt, &opt_machine);
	o->map = (const char *const *)l->map;
	o->unit = (const char *const *)l->unit;
	o->ad_hoc = l->ad_hoc.given ? &l->ad_hoc.spec : NULL;
	o->dry_run = options_has(&c->opt, &opt_dry_run);
	o->strict = options_has(&c->opt, &opt_strict);
	o->keep_personal = options_has(&c->opt, &opt_keep_personal);
	o->rejects = options_get(&c->opt, &opt_rejects);
	o->progress = c->progress;
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
		rc = ingest_file(c->kb, o, &result, &why);
		progress_bar_clear(&c->bar);
		ingest_summary_add(s, c, o, &result, rc, &why);
		ingest_result_release(&result);
		if (!rc)
			continue;
		if (rc != ERR_PARSE && rc != ERR_NODATA)
			return err_set(e, rc, "%s", why.msg);
		context_warn(c, "%s", why.msg);
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

	if ((rc = read_options(c, &o, &lists, e)) ||
	    (rc = shipped_open_kb(c, o.dry_run ? NEEDS_KB_WRITE : NEEDS_KB_CREATE, e)) ||
	    (rc = ingest_summary_new(&summary, e)))
		goto done;
	rc = load_files(c, &o, summary, e);
	printed = ingest_summary_print(summary, c, o.dry_run, &printing);
	if (!rc && printed)
		rc = err_set(e, printed, "%s", printing.msg);
done:
	ingest_summary_free(summary);
	lists_release(&lists);
	return rc;
}

static const struct option_spec *const ingest_options[] = {&opt_app,
							   &opt_machine,
							   &opt_source,
							   &opt_map,
							   &opt_unit,
							   &opt_dry_run,
							   &opt_strict,
							   &opt_rejects,
							   &opt_keep_personal,
							   &opt_format,
							   &opt_ad_hoc_target,
							   &opt_ad_hoc_problem,
							   &opt_ad_hoc_tunable,
							   &opt_ad_hoc_resource,
							   &opt_ad_hoc_categorical,
							   NULL};

/* Opens the base itself: --dry-run must not make one. */
static const struct action ingest_actions[] = {
	{NULL, "FILE... [--app NAME] [--machine NAME] [OPTION]...", NULL, 1, OPERANDS_ANY,
	 NEEDS_NOTHING, ingest_run},
};

const struct cmd cmd_ingest = {
	.name = "ingest",
	.summary = "load runs from CSV files",
	.description =
		"Loads tables of runs: CSV or TSV with a header line, also .gz and .zst; - is "
		"standard\n"
		"input. Columns are matched by name and by the aliases of the application's\n"
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
		"Exit status 3: a file gave no valid row, or --strict refused it.",
	.examples =
		"  lemnos ingest runs.csv --app sweep3d --machine mycluster\n"
		"  lemnos ingest old.tsv.gz --map cores=procs --unit time=ms --dry-run\n"
		"  lemnos ingest qr.csv --app qr --target time --problem m,n --tunable mb,nb \\\n"
		"      --resource nodes=nodes,ppn=ppn",
	.options = ingest_options,
	.action = ingest_actions,
	.n_actions = 1,
};
