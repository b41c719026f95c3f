#include "ingest/import_application.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "base/text_form.h"
#include "ingest/cell_number.h"
#include "ingest/application_guess.h"
#include "ingest/column_mapping.h"
#include "ingest/field_names.h"
#include "ingest/header_match.h"
#include "ingest/table_style.h"

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
static enum err_code check_target(const struct ad_hoc *spec, struct err *e)
{
	static const char *const why[] = {
		[IS_RESULT] = "that is no time but another result. The target is how long a run "
			      "took; where only a rate was kept, make a column of times from it "
			      "(work / rate) before importing",
		[IS_PART] = "that is the time of a part of a run, and deadlines are for whole "
			    "runs: make a column of it times the number of parts before importing. "
			    "To have the part predicted, give the column another name",
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

	return what == IS_RUN_TIME
		       ? ERR_OK
		       : err_set(e, ERR_ARG, "--target %s: %s", spec->target, why[what]);
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
				      struct import_application *out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct import_application there = {0};
	struct import_application made = {0};
	enum err_code rc;

	if ((rc = check_target(spec, e)) || (rc = check_columns(spec, e)) ||
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
		return make_application(at->kb, at->o->ad_hoc, out, e);
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
