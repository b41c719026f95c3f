#include "ingest/import_application.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/text_form.h"
#include "domain/application.h"
#include "ingest/application_guess.h"
#include "ingest/cell_number.h"
#include "ingest/column_mapping.h"
#include "ingest/field_names.h"
#include "ingest/header_kin.h"
#include "ingest/header_match.h"
#include "ingest/ingest.h"
#include "ingest/row_parts.h"
#include "ingest/size_columns.h"
#include "ingest/table_style.h"
#include "ingest/text_table.h"
#include "ingest/unused_column.h"

/* ---- an application from flags, completed by its table ---- */

/* One under way. */
struct completion {
	const struct ingest_options *o;
	struct text_table *table;
	const struct application *known; /* of that name; NULL: it is new */
	struct ad_hoc_application *out;
	struct strbuf *notes;
};

/* ---- resources ---- */

/* Has a flag a word for the column? */
static bool is_spoken_for(const struct completion *j, const char *header)
{
	const struct ad_hoc *spec = &j->out->spec;
	const char *const *map = j->o->map;
	size_t n = strlen(header);

	for (size_t i = 0; map && map[i]; i++) {
		if (strncmp(map[i], header, n) == 0 && map[i][n] == '=')
			return true;
	}
	return strcmp(header, spec->target) == 0 || text_list_has(spec->problem, header) ||
	       text_list_has(spec->tunable, header) || text_list_has(spec->grid, header) ||
	       text_list_has(spec->resource_column, header);
}

/* Columns that a header calls nodes and no flag has a word for, behind those of --resource; returns
 * how many there are in all. */
static size_t list_resources(struct completion *j)
{
	const struct ad_hoc *spec = &j->out->spec;
	size_t n = text_list_length(spec->resource_column);

	for (size_t i = 0; i < n; i++) {
		j->out->resource_column[i] = spec->resource_column[i];
		j->out->resource_field[i] = spec->resource_field[i];
	}
	for (size_t i = 0; i < text_table_n_columns(j->table); i++) {
		const char *header = text_table_column(j->table, i);
		const char *field = header_kin_resource(header, false);

		if (!field || text_list_has(j->out->resource_field, field) ||
		    is_spoken_for(j, header) ||
		    (strcmp(field, "procs") == 0 && text_list_length(spec->grid) > 0) ||
		    (j->known && application_column(j->known, field) == SIZE_MAX))
			continue;
		j->out->resource_column[n] = header;
		j->out->resource_field[n++] = field;
	}
	return n;
}

/* A column of counts that a header calls nodes is a resource, named so or not.
 * Were it passed over, runs on one node and on sixteen would be repeats of each other. */
static enum err_code find_resources(struct completion *j, struct err *e)
{
	size_t n_named = text_list_length(j->out->spec.resource_column);
	size_t n_max = n_named + text_table_n_columns(j->table), n, n_kept = n_named;
	enum column_cells *cells = calloc(n_max + 1, sizeof *cells);
	enum err_code rc;

	j->out->resource_column = calloc(n_max + 1, sizeof *j->out->resource_column);
	j->out->resource_field = calloc(n_max + 1, sizeof *j->out->resource_field);
	if (!cells || !j->out->resource_column || !j->out->resource_field) {
		free(cells);
		return err_set(e, ERR_NOMEM, "the columns of %s", j->out->spec.name);
	}
	n = list_resources(j);
	rc = n > n_named && !j->known
		     ? column_cells_find(j->table, j->out->resource_column, cells, e)
		     : ERR_OK;
	for (size_t i = n_named; i < n; i++) {
		const char *header = j->out->resource_column[i], *field = j->out->resource_field[i];

		j->out->resource_column[i] = j->out->resource_field[i] = NULL;
		if (cells[i] != CELLS_NUMBERS)
			continue; /* names of nodes */
		j->out->resource_column[n_kept] = header;
		j->out->resource_field[n_kept++] = field;
		if (!j->known)
			strbuf_printf(
				j->notes,
				"%.60s: the resource %s, as its name says (--map %.60s=extra keeps it out)\n",
				header, field, header);
	}
	j->out->spec.resource_column = j->out->resource_column;
	j->out->spec.resource_field = j->out->resource_field;
	free(cells);
	return rc;
}

/* ---- columns that nobody named, and that tell the time ---- */

/* Does a flag, or the import, know what the column is? */
static bool is_known(const struct completion *j, size_t i)
{
	const char *header = text_table_column(j->table, i);
	const enum field_kind kind = field_kind_of_header(header);

	return is_spoken_for(j, header) || text_list_has(j->out->resource_column, header) ||
	       outcome_of_header(header) != OUTCOME_NONE ||
	       (!text_table_is_foreign(j->table) && row_parts_names_figures(header)) ||
	       (kind == FIELD_MACHINE ? !j->o->machine : kind != FIELD_KIND_COUNT);
}

/* By the flags of an application that is made of them. */
static enum column_part part_by_flags(const void *arg, size_t i)
{
	const struct completion *j = arg;
	const struct ad_hoc *spec = &j->out->spec;
	const char *header = text_table_column(j->table, i);

	if (i == text_table_find(j->table, spec->target))
		return PART_TIME;
	if (text_list_has(spec->problem, header) || text_list_has(spec->tunable, header) ||
	    text_list_has(spec->grid, header) || text_list_has(spec->resource_column, header))
		return PART_SETTING;
	return is_known(j, i) ? PART_OTHER : PART_UNUSED;
}

/* Dates and numbers tell when or how, but nobody chooses them as they stand. */
static bool is_choice(const struct completion *j, const struct unused_column *c)
{
	const char *header = text_table_column(j->table, c->i);

	return c->words && !c->personal && !c->untold && !c->circumstance &&
	       !(*c->slow >= '0' && *c->slow <= '9') &&
	       field_kind_of_header(header) != FIELD_MACHINE && !header_kin_resource(header, true);
}

/* A column of words that tells the time is a choice, named so or not; of others it is said. Of an
 * application that is there already, choices are what they were. */
static enum err_code find_unused(struct completion *j, struct err *e)
{
	const struct ad_hoc *spec = &j->out->spec;
	size_t n_tunable = text_list_length(spec->tunable), n = 0;
	struct unused_column *found = NULL;
	enum err_code rc = unused_columns_find(j->table, part_by_flags, j, &found, &n, e);

	j->out->tunable =
		calloc(n_tunable + text_table_n_columns(j->table) + 1, sizeof *j->out->tunable);
	if (!rc && !j->out->tunable)
		rc = err_set(e, ERR_NOMEM, "the columns of %s", spec->name);
	for (size_t i = 0; !rc && i < n_tunable; i++)
		j->out->tunable[i] = spec->tunable[i];
	for (size_t i = 0; !rc && j->known && i < text_table_n_columns(j->table); i++) {
		const char *header = text_table_column(j->table, i);
		const size_t c = application_column(j->known, header);

		if (!is_known(j, i) && c != SIZE_MAX && j->known->column[c].role == COL_TUNABLE)
			j->out->tunable[n_tunable++] = header;
	}
	for (size_t i = 0; !rc && i < n; i++) {
		const char *header = text_table_column(j->table, found[i].i);
		const bool taken = !j->known && is_choice(j, &found[i]);

		if (taken)
			j->out->tunable[n_tunable++] = header;
		if (taken || !text_list_has(j->out->tunable, header))
			unused_column_put_note(&found[i], header, taken, NULL, j->notes);
	}
	j->out->spec.tunable = j->out->tunable;
	free(found);
	return rc;
}

/* ---- columns of words, and of sizes with their unit ---- */

/* Of an application that is there already, cells are what they were. */
static enum column_cells known_cells(const struct application *known, const char *column)
{
	const size_t i = application_column(known, column);

	if (i == SIZE_MAX)
		return CELLS_NUMBERS;
	if (known->column[i].type == COL_TEXT)
		return CELLS_WORDS;
	return cell_unit_bytes(known->column[i].unit) > 0 ? CELLS_BYTES : CELLS_NUMBERS;
}

/* Columns of words, and of sizes with their unit, each to its list. What is chosen is passed to the
 * program as it was written ("4M"): such a size is a word. */
static void add_words(struct completion *j, const char *const *list, const enum column_cells *cells,
		      bool chosen)
{
	for (size_t i = 0; list && list[i]; i++) {
		const enum column_cells c = j->known ? known_cells(j->known, list[i]) : cells[i];
		const bool bytes = c == CELLS_BYTES && !chosen;
		const char **to = bytes ? j->out->bytes : j->out->categorical;

		if (c == CELLS_NUMBERS || text_list_has(j->out->categorical, list[i]))
			continue;
		to[text_list_length(to)] = list[i];
		if (!j->known)
			strbuf_printf(j->notes, "%.60s: %s\n", list[i],
				      bytes ? "sizes with their units, so it is in bytes"
					    : "words, so it is categorical");
	}
}

/* Columns of words are categorical, named so or not. */
static enum err_code find_words(struct completion *j, struct err *e)
{
	const struct ad_hoc *spec = &j->out->spec;
	size_t n_problem = text_list_length(spec->problem);
	size_t n_all = n_problem + text_list_length(spec->tunable);
	enum column_cells *cells = calloc(n_all + 1, sizeof *cells);
	enum err_code rc = ERR_OK;

	j->out->categorical = calloc(n_all + text_list_length(spec->categorical) + 1,
				     sizeof *j->out->categorical);
	j->out->bytes = calloc(n_all + 1, sizeof *j->out->bytes);
	if (!cells || !j->out->categorical || !j->out->bytes) {
		free(cells);
		return err_set(e, ERR_NOMEM, "the columns of %s", spec->name);
	}
	for (size_t i = 0; spec->categorical && spec->categorical[i]; i++)
		j->out->categorical[i] = spec->categorical[i];
	if (!j->known && !(rc = column_cells_find(j->table, spec->problem, cells, e)))
		rc = column_cells_find(j->table, spec->tunable, cells + n_problem, e);
	if (!rc) {
		add_words(j, spec->problem, cells, false);
		add_words(j, spec->tunable, cells + n_problem, true);
	}
	j->out->spec.categorical = j->out->categorical;
	j->out->spec.bytes = j->out->bytes;
	free(cells);
	return rc;
}

/* ---- columns of sizes ---- */

/* Their parts stand for them. */
static enum err_code find_sizes(struct completion *j, struct err *e)
{
	struct ad_hoc_application *c = j->out;
	struct ad_hoc *spec = &c->spec;
	enum err_code rc = size_columns_split_all(j->table, spec, j->known, &c->sizes, j->notes, e);

	if (rc)
		return rc;
	c->problem = size_columns_expand(spec->problem, c->sizes);
	c->named_tunable = size_columns_expand(spec->tunable, c->sizes);
	c->grid = size_columns_expand(spec->grid, c->sizes);
	if (!c->problem || !c->named_tunable || !c->grid)
		return err_set(e, ERR_NOMEM, "the columns of %s", spec->name);
	spec->problem = c->problem;
	spec->tunable = c->named_tunable;
	spec->grid = c->grid;
	spec->sizes = c->sizes;
	return ERR_OK;
}

/* ---- all together ---- */

/* Of repeats side by side only the target is read. */
static void note_repeats(struct completion *j)
{
	const char *target = j->out->spec.target;
	size_t n = 0;

	for (size_t i = 0; target && i < text_table_n_columns(j->table); i++) {
		const char *header = text_table_column(j->table, i);

		if (!application_guess_are_repeats(target, header) || is_spoken_for(j, header))
			continue;
		strbuf_printf(j->notes, "%s%.60s", n++ ? ", " : "", header);
	}
	if (n > 0)
		strbuf_printf(
			j->notes,
			": repeats beside %.60s, LEFT OUT: make one row of each run, with one "
			"column of times, to have all of them\n",
			target);
}

enum err_code ad_hoc_application_complete(struct kb *kb, struct text_table *t,
					  const struct ingest_options *o,
					  struct ad_hoc_application *out, struct strbuf *notes,
					  struct err *e)
{
	struct application *known = NULL;
	struct completion j = {.o = o, .table = t, .out = out, .notes = notes};
	enum err_code rc;

	(void)kb_get_application(kb, o->ad_hoc->name, &known, NULL, NULL); /* or it is new */
	j.known = known;
	out->spec = *o->ad_hoc;
	if (!(rc = find_sizes(&j, e)) && !(rc = find_resources(&j, e)) &&
	    !(rc = find_unused(&j, e)))
		rc = find_words(&j, e);
	note_repeats(&j);
	application_free(known);
	return rc;
}

void ad_hoc_application_release(struct ad_hoc_application *c)
{
	free(c->problem);
	free(c->named_tunable);
	free(c->grid);
	free(c->categorical);
	free(c->bytes);
	free(c->resource_column);
	free(c->resource_field);
	free(c->tunable);
	size_columns_free(c->sizes);
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* ---- an application nobody knows: what to type ---- */

/* Need nobody name the machine? */
static enum err_code find_machine(struct kb *kb, const struct text_table *t,
				  const struct ingest_options *o, bool *known, struct err *e)
{
	char *dflt = NULL;
	size_t i_machine = SIZE_MAX;
	enum err_code rc = kb_get_default(kb, "machine", &dflt, e);

	if (!rc)
		rc = column_mapping_find(t, o->map, FIELD_MACHINE, &i_machine, e);
	*known = dflt || i_machine != SIZE_MAX;
	free(dflt);
	return rc;
}

/* name NULL: no application was named. */
static enum err_code suggest(const struct table_at_hand *at, const char *name, struct strbuf *out,
			     struct err *e)
{
	struct table_record first;
	bool machine_known = false;
	enum err_code rc;

	strbuf_puts(out, "\n  ");
	if ((rc = table_header_below(at->table, e)) || (rc = text_table_rewind(at->table, e)) ||
	    (rc = text_table_next(at->table, &first, e)) ||
	    (rc = find_machine(at->kb, at->table, at->o, &machine_known, e)) ||
	    (rc = application_guess_put_command(at->table, &first, at->o, name, machine_known, out,
						e)))
		return rc;
	return out->failed ? err_set(e, ERR_NOMEM, "a suggestion") : ERR_OK;
}

static enum err_code unknown_application(const struct table_at_hand *at, const char *name,
					 struct err *e)
{
	struct strbuf command = STRBUF_INIT;
	enum err_code rc = suggest(at, name, &command, e);

	if (!rc)
		rc = err_set_lines(
			e, ERR_NOTFOUND, strbuf_text(&command),
			"%s knows no application '%s'. Describe it in a file and "
			"`lemnos apps add FILE`, or make it from this table's columns, here "
			"as their names suggest (--problem: what is solved; --tunable: what "
			"may be chosen freely):",
			kb_path(at->kb), name);
	strbuf_release(&command);
	return rc;
}

enum err_code import_application_doubt(const struct table_at_hand *at,
				       const struct import_application *app, const char *why,
				       struct err *e)
{
	struct strbuf command = STRBUF_INIT;
	enum err_code rc = suggest(at, NULL, &command, e);

	/* What to type comes first: a message that is too long is cut at its end. */
	if (!rc) {
		strbuf_printf(&command, "\nIf it is %s: %s", app->app->name, why);
		rc = err_set_lines(
			e, ERR_PARSE, strbuf_text(&command),
			"%s: its columns do not fit %s, for which it was taken. If it is of "
			"another application, name that, for instance as the columns "
			"suggest:",
			text_table_name(at->table), app->app->name);
	}
	strbuf_release(&command);
	return rc;
}

/* ---- the known ones ---- */

static enum err_code get_application(const struct table_at_hand *at, const char *name,
				     struct import_application *out, struct err *e)
{
	struct err why = {0};
	enum err_code rc = kb_get_application(at->kb, name, &out->app, &out->id, &why);

	if (rc == ERR_NOTFOUND)
		return unknown_application(at, name, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

/* Nobody named an application: the default, or the only one. */
static enum err_code choose_application(const struct table_at_hand *at,
					struct import_application *out, struct err *e)
{
	struct strbuf candidates = STRBUF_INIT;
	struct strbuf command = STRBUF_INIT;
	struct kb_names names = {0};
	char *name = NULL;
	enum err_code rc;

	if ((rc = kb_get_default(at->kb, "application", &name, e)) ||
	    (rc = kb_list_applications(at->kb, &names, e)))
		goto done;
	for (size_t i = 0; i < names.n; i++)
		strbuf_printf(&candidates, "%s%s", i ? ", " : "", names.item[i].name);
	if (name || names.n == 1) {
		rc = get_application(at, name ? name : names.item[0].name, out, e);
		out->assumed = true;
	} else if (!(rc = suggest(at, NULL, &command, e))) {
		rc = err_set_lines(
			e, ERR_NOTFOUND, strbuf_text(&command),
			"%s: which application is it? Say --app NAME; %s%s. For a new one, as "
			"the columns suggest:",
			text_table_name(at->table),
			names.n ? "there are " : "the knowledge base knows none yet",
			strbuf_text(&candidates));
	}
done:
	kb_names_release(&names);
	strbuf_release(&candidates);
	strbuf_release(&command);
	free(name);
	return rc;
}

/* ---- one made from flags ---- */

/* "log2n", "log10(time)", "ln t" */
static bool is_logarithm(const char *header)
{
	const size_t n = strncasecmp(header, "log", 3) == 0  ? 3
			 : strncasecmp(header, "ln", 2) == 0 ? 2
							     : 0;

	return n > 0 &&
	       (strchr("_(- 0123456789", header[n]) || strncasecmp(header + n, "time", 4) == 0) &&
	       header[n] != '\0';
}

/* "time_min" that is not in minutes, "best" */
static bool is_best_of_several(const struct ad_hoc *spec)
{
	struct header_name h;

	return header_name_read_plain(spec->target, &h) &&
	       (text_has_word("tmin best fastest best_time min_time time_best minimum "
			      "minimum_time tbest t_best best_t",
			      h.stem) ||
		(strcasecmp(h.unit, "min") == 0 && !h.bracketed && spec->target_unit_s != 60));
}

static enum no_run_time what_target(const struct ad_hoc *spec)
{
	static const char moments[] =
		"start end starttime endtime start_time end_time submit submit_time timestamp date "
		"finish_time finished_at started_at created_at datetime time_stamp";
	struct header_name h;
	double x;

	if (cell_number(spec->target, &x) == NUMBER_OK)
		return IS_NUMBER;
	if (is_logarithm(spec->target))
		return IS_LOG;
	if (header_name_read_plain(spec->target, &h) && text_has_word(moments, h.stem))
		return IS_MOMENT;
	if (field_kind_of_header(spec->target) == FIELD_LIMIT)
		return IS_LIMIT;
	return is_best_of_several(spec) ? IS_BEST : no_run_time_of_header(spec->target);
}

/* A rate as a time makes the slowest the best. */
static enum err_code check_target(const struct ad_hoc *spec, const struct text_table *t,
				  struct err *e)
{
	static const char *const why[] = {
		[IS_RESULT] = "that is no time but another result. The target is how long a run "
			      "took; where only a rate was kept, make a column of times from it "
			      "(work / rate) before importing",
		[IS_PART] = "that is the time of a part of a run, and deadlines are for whole "
			    "runs: make a column of it times the number of parts before importing. "
			    "To have the part predicted, give the column another name",
		[IS_SHARE] = "that may be how long each of them ran, or the sum of all by their "
			     "number: where it is how long the run took by the clock on the wall, "
			     "give the column another name",
		[IS_PREPARATION] = "that is the time of what precedes the work, and deadlines are "
				   "for whole runs: name the column of the time of the whole run. "
				   "To have the part predicted, give the column another name",
		[IS_SIMULATED] = "that is a time in what is simulated, or a step of it: name the "
				 "column of how long the run took. If this is it, give the column "
				 "another name",
		[IS_SUM] = "that is a sum, over processes or runs, and no deadline is for it: the "
			   "target is how long a run took by the clock on the wall",
		[IS_BEST] = "that is the best of several runs, and the next one takes longer: name "
			    "the column of medians or means, or of all runs, one in each row",
		[IS_LOG] = "that is the logarithm of a time: make a column of times from it before "
			   "importing",
		[IS_NUMBER] = "a number is no name of a time. Is each column of times for another "
			      "number of nodes? Make one row of each run, with a column of nodes "
			      "and one of times",
		[IS_MOMENT] =
			"that is when a run began or ended: make a column of how long it took "
			"before importing",
		[IS_LIMIT] =
			"that is what a run was allowed to take: name the column of what it took",
	};
	enum no_run_time what = spec->target ? what_target(spec) : IS_RUN_TIME;
	size_t whole;

	if (what == IS_RUN_TIME)
		return ERR_OK;
	whole = application_guess_whole_time(t, spec->target);
	return err_set(e, ERR_ARG, "--target %s: %s%s%.60s%s", spec->target, why[what],
		       whole == SIZE_MAX ? "" : "; of this table '",
		       whole == SIZE_MAX ? "" : text_table_column(t, whole),
		       whole == SIZE_MAX ? "" : "' has the name of a run time");
}

/* Numbers of jobs and times of day grow as a series goes on, and tell the time as it does. */
static bool numbers_runs(const char *header)
{
	char plain[HEADER_NAME_MAX];
	size_t n = strlen(header);

	if (n >= sizeof plain)
		return false;
	for (size_t i = 0; i <= n; i++)
		plain[i] = (char)(header[i] >= 'A' && header[i] <= 'Z' ? header[i] - 'A' + 'a'
				  : header[i] == ' '		       ? '_'
								       : header[i]);
	return text_has_word("jobid job_id run_id runid timestamp starttime endtime start_time "
			     "end_time submit_time slurm_job_id",
			     plain);
}

/* The least of these is the least work, and would always be chosen. */
static bool says_how_much(const char *header)
{
	struct header_name h;

	return header_kin_counts_work(header) ||
	       (header_name_read_plain(header, &h) &&
		text_has_word(
			"steps tol tolerance rtol atol reltol abstol rel_tol abs_tol eps epsilon",
			h.stem));
}

static enum err_code check_columns(const struct ad_hoc *spec, struct err *e)
{
	const struct {
		const char *flag;
		const char *const *list;
	} chosen[] = {{"problem", spec->problem}, {"tunable", spec->tunable}};

	for (size_t k = 0; k < COUNT(chosen); k++) {
		for (const char *const *c = chosen[k].list; c && *c; c++) {
			if (numbers_runs(*c))
				return err_set(e, ERR_ARG,
					       "--%s %s: that tells runs apart, and nobody chooses "
					       "it: leave it out, it is kept beside the runs",
					       chosen[k].flag, *c);
			if (k == 1 && says_how_much(*c))
				return err_set(
					e, ERR_ARG,
					"--tunable %s: that says how much is to be computed, "
					"and the least of it would always be chosen: name it "
					"in --problem",
					*c);
		}
	}
	for (size_t i = 0; spec->resource_column && spec->resource_column[i]; i++) {
		if (is_logarithm(spec->resource_column[i]))
			return err_set(
				e, ERR_ARG,
				"--resource %s=%s: a logarithm is no count: make a column of "
				"counts before importing",
				spec->resource_column[i], spec->resource_field[i]);
	}
	return ERR_OK;
}

static enum err_code make_application(struct kb *kb, const struct ad_hoc *spec,
				      const struct text_table *t, struct import_application *out,
				      struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct import_application there = {0};
	struct import_application made = {0};
	enum err_code rc;

	if ((rc = check_target(spec, t, e)) || (rc = check_columns(spec, e)) ||
	    (rc = application_ad_hoc_text(spec, &text, e)) ||
	    (rc = application_parse(strbuf_text(&text), spec->name, &made.app, e)) ||
	    (rc = application_check_candidates(made.app, e)))
		goto done;
	if (kb_get_application(kb, spec->name, &there.app, &there.id, NULL) != ERR_OK) {
		*out = made;
		made.app = NULL;
	} else if (!there.app->ad_hoc) {
		rc = err_set(
			e, ERR_ARG,
			"'%s' has a definition: leave out --target, --problem, --tunable, "
			"--resource and --categorical, or give the new application another name",
			spec->name);
	} else if (strcmp(there.app->sha256, made.app->sha256) == 0) {
		*out = there;
		there.app = NULL;
	} else {
		*out = made; /* kb_put_application() refuses what would change stored columns */
		made.app = NULL;
	}
done:
	import_application_release(&there);
	import_application_release(&made);
	strbuf_release(&text);
	return rc;
}

enum err_code import_application_find(const struct table_at_hand *at,
				      struct import_application *out, struct err *e)
{
	size_t i_app;
	enum err_code rc = column_mapping_find(at->table, at->o->map, FIELD_APP, &i_app, e);
	bool has_cell;

	if (rc)
		return rc;
	has_cell =
		i_app != SIZE_MAX && at->first->raw && !at->first->bad && *at->first->field[i_app];
	if (at->o->ad_hoc)
		return make_application(at->kb, at->o->ad_hoc, at->table, out, e);
	if (at->o->app)
		return get_application(at, at->o->app, out, e);
	return has_cell ? get_application(at, at->first->field[i_app], out, e)
			: choose_application(at, out, e);
}

enum err_code import_application_store(struct kb *kb, struct import_application *c, struct err *e)
{
	return c->id ? ERR_OK : kb_put_application(kb, c->app, &c->id, e);
}

void import_application_release(struct import_application *c)
{
	application_free(c->app);
	*c = (struct import_application){0};
}
