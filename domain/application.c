#include "domain/application.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "domain/application_private.h"

const char *column_role_name(enum column_role role)
{
	static const char *const name[COL_ROLE_COUNT] = {
		[COL_PROBLEM] = "problem",   [COL_WORKLOAD] = "workload", [COL_TUNABLE] = "tunable",
		[COL_RESOURCE] = "resource", [COL_DERIVED] = "derived",
	};

	return role < COL_ROLE_COUNT ? name[role] : "unknown";
}

static bool is_one_of(const char *const *list, const char *name)
{
	for (; *list; list++) {
		if (strcasecmp(*list, name) == 0)
			return true;
	}
	return false;
}

bool application_reserves_header(const char *header)
{
	static const char *const reserved[] = {"app",	 "application", "machine",   "source",
					       "status", "repeat",	"n_repeats", NULL};

	return is_one_of(reserved, header);
}

bool application_reserves_name(const char *name)
{
	static const char *const reserved[] = {
		"run_id", "import_id", "machine_id", "wall_s",	     "line",	 "computed", "flag",
		"extra",  "excluded",  "file_name",  "content_hash", "row_hash", "rowid",    NULL};

	return is_one_of(reserved, name) || application_reserves_header(name);
}

static void free_texts(char **text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(text[i]);
	free(text);
}

static void column_release(struct column *c)
{
	free(c->name);
	free(c->unit);
	free(c->doc);
	free_texts(c->alias, c->n_alias);
	free(c->flag);
	free(c->list);
	expr_free(c->derived);
	levels_release(&c->levels);
}

static void free_rules(struct legality *rule, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		expr_free(rule[i].condition);
		free(rule[i].text);
		free(rule[i].why);
	}
	free(rule);
}

static void free_job(struct job_template *job)
{
	template_free(job->command);
	for (size_t i = 0; i < job->n_input; i++) {
		free(job->input[i].name);
		template_free(job->input[i].text);
	}
	free(job->input);
	free_rules(job->required, job->n_required);
}

void application_free(struct application *a)
{
	if (!a)
		return;
	free(a->name);
	free(a->title);
	free_texts(a->alias, a->n_alias);
	for (size_t i = 0; i < a->n_columns; i++)
		column_release(&a->column[i]);
	free(a->column);
	for (size_t i = 0; i < a->n_local; i++)
		free(a->local[i].name);
	free(a->local);
	free_rules(a->legality, a->n_legality);
	for (size_t i = 0; i < a->n_group; i++) {
		free(a->group[i].flag);
		free(a->group[i].column);
	}
	free(a->group);
	free(a->target);
	free_texts(a->target_alias, a->n_target_alias);
	expr_free(a->memory_bytes_per_proc);
	free_job(&a->job);
	application_free_terms(&a->terms);
	free(a->model);
	free(a->definition);
	free(a->scope_name);
	free(a->scope_levels);
	free(a->scope_integer);
	free(a);
}

size_t application_find_name(const struct application *a, const char *name)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (strcasecmp(a->column[i].name, name) == 0)
			return i;
	}
	return SIZE_MAX;
}

size_t application_column(const struct application *a, const char *name)
{
	size_t found = application_find_name(a, name);

	for (size_t i = 0; i < a->n_columns && found == SIZE_MAX; i++) {
		for (size_t k = 0; k < a->column[i].n_alias; k++) {
			if (strcasecmp(a->column[i].alias[k], name) == 0)
				found = i;
		}
	}
	return found;
}

bool application_is(const struct application *a, const char *name)
{
	if (strcasecmp(a->name, name) == 0)
		return true;
	for (size_t i = 0; i < a->n_alias; i++) {
		if (strcasecmp(a->alias[i], name) == 0)
			return true;
	}
	return false;
}

/* "--mk" and "mk" alike. */
static const char *without_dashes(const char *flag)
{
	return flag + strspn(flag, "-");
}

/* Nodes, processes and the like go by their names where no flag was defined. */
static size_t resource_column(const struct application *a, const char *name)
{
	const size_t i = application_column(a, name);

	if (i == SIZE_MAX || strcasecmp(a->column[i].name, name) != 0)
		return SIZE_MAX;
	return a->column[i].role == COL_RESOURCE || i == a->i_procs ? i : SIZE_MAX;
}

size_t application_flag_column(const struct application *a, const char *flag)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].flag && strcmp(a->column[i].flag, without_dashes(flag)) == 0)
			return i;
	}
	return resource_column(a, without_dashes(flag));
}

const struct group_flag *application_flag_group(const struct application *a, const char *flag)
{
	for (size_t i = 0; i < a->n_group; i++) {
		if (strcmp(a->group[i].flag, without_dashes(flag)) == 0)
			return &a->group[i];
	}
	return NULL;
}

const struct group_flag *application_grid(const struct application *a)
{
	for (size_t i = 0; i < a->n_group; i++) {
		if (a->column[a->group[i].column[0]].candidates == CAND_GRID)
			return &a->group[i];
	}
	return NULL;
}

void application_table(const struct application *a, char *buf, size_t size)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_";
	static const char prefix[] = "run_";
	size_t n = 0;

	if (size == 0)
		return;
	for (const char *p = prefix; *p && n + 1 < size; p++)
		buf[n++] = *p;
	for (const char *p = a->name; *p && n + 1 < size; p++)
		buf[n++] = strchr(plain, *p) ? *p : '_';
	buf[n] = '\0';
}

/* ---- what can only be judged when everything was read ---- */

/* Every header that a file may use must mean one thing. Headers are visited in order; each is
 * compared with those before it. */

struct header {
	const char *text;
	const char *owner;
	const config_setting_t *at;
};

/* Header number k of the application (names and aliases of columns, the target, local sizes); false
 * when there are no more. */
static bool header_at(const config_setting_t *top, const struct application *a, size_t k,
		      struct header *out)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		const struct column *col = &a->column[i];

		if (k <= col->n_alias) {
			*out = (struct header){k == 0 ? col->name : col->alias[k - 1], col->name,
					       application_declaration(top, i)};
			return true;
		}
		k -= col->n_alias + 1;
	}
	if (k <= a->n_target_alias) {
		*out = (struct header){k == 0 ? a->target : a->target_alias[k - 1], "the target",
				       conf_at(top, "target")};
		return true;
	}
	k -= a->n_target_alias + 1;
	/* A derived column may have the local size's name: it is the same quantity. */
	for (size_t i = 0; i < a->n_local; i++) {
		size_t same = application_find_name(a, a->local[i].name);

		if (same != SIZE_MAX && a->column[same].role == COL_DERIVED)
			continue;
		if (k-- == 0) {
			*out = (struct header){a->local[i].name, "a local size",
					       conf_at(top, "local_sizes")};
			return true;
		}
	}
	return false;
}

static void check_headers(struct conf *c, const config_setting_t *top, const struct application *a)
{
	struct header h;
	struct header before;

	for (size_t k = 0; c->rc == ERR_OK && header_at(top, a, k, &h); k++) {
		if (!*h.text)
			conf_fail(c, h.at, "an alias of %s is empty", h.owner);
		if (application_reserves_header(h.text))
			conf_fail(c, h.at,
				  "'%s' (of %s) cannot be a header of this application: import "
				  "reads a column of that name itself",
				  h.text, h.owner);
		for (size_t i = 0; i < k && header_at(top, a, i, &before); i++) {
			if (strcasecmp(h.text, before.text) == 0)
				conf_fail(c, h.at, "the header '%s' has two meanings: %s and %s",
					  h.text, before.owner, h.owner);
		}
	}
}

struct flag {
	const char *text;
	const config_setting_t *at;
};

/* Flag number k, of columns and groups; false when there are no more. */
static bool flag_at(const config_setting_t *top, const struct application *a, size_t k,
		    struct flag *out)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].flag && k-- == 0) {
			*out = (struct flag){a->column[i].flag, application_declaration(top, i)};
			return true;
		}
	}
	if (k >= a->n_group)
		return false;
	*out = (struct flag){a->group[k].flag, conf_at(top, "groups")};
	return true;
}

static void check_flags(struct conf *c, const config_setting_t *top, const struct application *a)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
	struct flag flag;
	struct flag before;

	for (size_t k = 0; c->rc == ERR_OK && flag_at(top, a, k, &flag); k++) {
		if (!*flag.text || *flag.text == '-' || flag.text[strspn(flag.text, allowed)])
			conf_fail(c, flag.at,
				  "the flag '%s' wants small letters, digits and -, without the "
				  "leading --",
				  flag.text);
		for (size_t i = 0; i < k && flag_at(top, a, i, &before); i++) {
			if (strcmp(flag.text, before.text) == 0)
				conf_fail(c, flag.at, "the flag '%s' is declared twice", flag.text);
		}
	}
}

/* The columns with candidates "grid" are exactly those of one group, and procs is there to say how
 * many processors a grid has. */
static void check_grid(struct conf *c, const config_setting_t *top, const struct application *a)
{
	const struct group_flag *grid = application_grid(a);
	size_t n = 0;

	for (size_t i = 0; i < a->n_columns; i++)
		n += a->column[i].candidates == CAND_GRID;
	if (n == 0)
		return;
	if (application_find_name(a, "procs") == SIZE_MAX)
		conf_fail(c, top,
			  "a processor grid wants a column 'procs', for example derived = ( { name "
			  "= \"procs\"; expr = \"npe_i * npe_j\"; } )");
	for (size_t i = 0; grid && i < grid->n; i++)
		n -= a->column[grid->column[i]].candidates == CAND_GRID;
	if (!grid || n != 0)
		conf_fail(c, conf_at(top, "groups"),
			  "columns with candidates \"grid\" belong to one group: groups = ( { flag "
			  "= \"grid\"; columns = [ ... ]; } )");
}

/* The columns that the program itself understands. */
static void check_resources(struct conf *c, const config_setting_t *top,
			    const struct application *a)
{
	static const char *const name[] = {"nodes", "ppn", "procs", "threads"};

	for (size_t k = 0; k < sizeof name / sizeof name[0]; k++) {
		size_t i = application_find_name(a, name[k]);

		if (i == SIZE_MAX)
			continue;
		if (a->column[i].role != COL_RESOURCE && a->column[i].role != COL_DERIVED)
			conf_fail(c, application_declaration(top, i),
				  "'%s' is a resource: declare it under resources", name[k]);
		else if (a->column[i].type != COL_INT)
			conf_fail(c, application_declaration(top, i),
				  "'%s' counts things: it must be an integer", name[k]);
	}
}

void application_check(struct conf *c, const config_setting_t *top, const struct application *a)
{
	check_headers(c, top, a);
	check_flags(c, top, a);
	check_grid(c, top, a);
	check_resources(c, top, a);
}

/* ---- what a search would list ---- */

/* How many candidates the definition alone gives a column; 1: they depend on the question. */
static double count_candidates(const struct column *c)
{
	if (c->candidates == CAND_LIST)
		return (double)c->n_list;
	if (c->candidates == CAND_RANGE && c->of == SIZE_MAX)
		return floor(c->max) - ceil(c->min) + 1;
	return 1;
}

bool application_has_too_many_tunings(const struct application *a, struct strbuf *out)
{
	double n_tunings = 1;

	for (size_t i = 0; i < a->n_columns; i++) {
		const struct column *c = &a->column[i];
		double n = c->role == COL_TUNABLE ? count_candidates(c) : 1;

		if (n > 1)
			strbuf_printf(out, "%s%s (%.15g)", n_tunings > 1 ? ", " : "", c->name, n);
		n_tunings *= n;
	}
	strbuf_printf(out, " have %.15g combinations, and %d are judged at most", n_tunings,
		      MAX_TUNINGS_JUDGED);
	return n_tunings > MAX_TUNINGS_JUDGED;
}

enum err_code application_check_candidates(const struct application *a, struct err *e)
{
	double n_tunings = 1;
	struct strbuf axes = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < a->n_columns && !rc; i++) {
		const struct column *c = &a->column[i];
		double n = count_candidates(c);

		if (n > MAX_COLUMN_CANDIDATES)
			rc = err_set(e, ERR_PARSE,
				     "%s: %s may be any of %.15g numbers, and %d are searched at "
				     "most: a narrower range, a list, or 'of = \"COLUMN\"'",
				     a->name, c->name, n, MAX_COLUMN_CANDIDATES);
		if (c->role != COL_TUNABLE || n <= 1)
			continue;
		strbuf_printf(&axes, "%s%s (%.15g)", n_tunings > 1 ? ", " : "", c->name, n);
		n_tunings *= n;
	}
	if (!rc && a->n_legality == 0 && n_tunings > MAX_TUNINGS_LISTED)
		rc = err_set(e, ERR_PARSE,
			     "%s: the tunables %s have %.15g combinations, and %d are searched at "
			     "most: narrower ranges, lists, or rules of legality",
			     a->name, strbuf_text(&axes), n_tunings, MAX_TUNINGS_LISTED);
	strbuf_release(&axes);
	return rc;
}
