#include "domain/application.h"

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
