#include "domain/application.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/units.h"
#include "domain/application_private.h"

bool application_name_is_legal(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.-";

	return !strchr("_.-", name[0]) && !name[strspn(name, allowed)];
}

static void read_name(struct conf *c, const config_setting_t *top, struct application *a)
{
	a->name = conf_required_text(c, top, "name");
	if (a->name && !application_name_is_legal(a->name))
		conf_fail(c, conf_at(top, "name"),
			  "the name '%s' wants a letter or digit, then letters, digits, _ . or -",
			  a->name);
	a->title = conf_text(c, top, "title");
	a->alias = conf_texts(c, top, "aliases", &a->n_alias);
	a->model = conf_text(c, top, "model");
	a->ad_hoc = conf_bool(c, top, "ad_hoc", false);
}

static void read_target(struct conf *c, const config_setting_t *top, struct application *a)
{
	static const char *const known[] = {"name", "aliases", "unit", NULL};
	const config_setting_t *g = conf_group(c, top, "target");
	char *unit;

	if (!g) {
		if (c->rc == ERR_OK)
			conf_fail(
				c, top,
				"'target' is missing: target = { name = \"runtime\"; unit = \"s\"; "
				"}; names the column of the run time");
		return;
	}
	conf_check_keys(c, g, known);
	a->target = conf_required_text(c, g, "name");
	a->target_alias = conf_texts(c, g, "aliases", &a->n_target_alias);
	a->target_unit_s = 1;
	if ((unit = conf_text(c, g, "unit"))) {
		a->target_unit_s = time_unit_s(unit);
		if (a->target_unit_s == 0)
			conf_fail(c, conf_at(g, "unit"),
				  "'%s' is no unit of time; there are ns, us, ms, s, min, h and d",
				  unit);
		free(unit);
	}
}

/* A column that a group or local size refers to, by its own name; SIZE_MAX with the error. */
static size_t find_column(struct conf *c, const config_setting_t *at, const struct application *a,
			  const char *name)
{
	size_t i;

	if (!name || c->rc != ERR_OK)
		return SIZE_MAX;
	i = application_find_name(a, name);
	if (i == SIZE_MAX)
		conf_fail(c, at, "there is no column '%s'", name);
	return i;
}

static void read_local_size(struct conf *c, const config_setting_t *g, const struct application *a,
			    struct local_size *out)
{
	static const char *const known[] = {"name", "global", "by", NULL};
	char *global;
	char *by;

	conf_check_keys(c, g, known);
	global = conf_required_text(c, g, "global");
	by = conf_required_text(c, g, "by");
	out->name = conf_required_text(c, g, "name");
	out->global = find_column(c, conf_at(g, "global"), a, global);
	out->by = find_column(c, conf_at(g, "by"), a, by);
	if (c->rc == ERR_OK &&
	    (a->column[out->global].type != COL_INT || a->column[out->global].role == COL_DERIVED ||
	     a->column[out->by].type != COL_INT || a->column[out->by].role == COL_DERIVED))
		conf_fail(c, g, "a local size wants two columns of integers that are not derived");
	free(global);
	free(by);
}

static void read_local_sizes(struct conf *c, const config_setting_t *top, struct application *a)
{
	const config_setting_t *list = conf_list(c, top, "local_sizes");

	if (conf_length(list) == 0)
		return;
	a->local = calloc(conf_length(list), sizeof *a->local);
	if (!a->local) {
		conf_fail_memory(c);
		return;
	}
	while (a->n_local < conf_length(list) && c->rc == ERR_OK) {
		const config_setting_t *item = conf_item(list, a->n_local);

		read_local_size(c, item, a, &a->local[a->n_local++]);
	}
}

static void read_group(struct conf *c, const config_setting_t *g, const struct application *a,
		       struct group_flag *out)
{
	static const char *const known[] = {"flag", "columns", NULL};
	size_t n = 0;
	char **name;

	conf_check_keys(c, g, known);
	out->flag = conf_required_text(c, g, "flag");
	name = conf_texts(c, g, "columns", &n);
	if (n < 2)
		conf_fail(c, conf_at(g, "columns"), "'columns' wants two columns or more");
	else if (!(out->column = calloc(n, sizeof *out->column)))
		conf_fail_memory(c);
	for (size_t i = 0; i < n && c->rc == ERR_OK; i++) {
		out->column[out->n++] = find_column(c, conf_at(g, "columns"), a, name[i]);
		if (c->rc == ERR_OK && a->column[out->column[i]].role == COL_DERIVED)
			conf_fail(c, conf_at(g, "columns"),
				  "'%s' is derived: it cannot be set by a flag", name[i]);
	}
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
}

static void read_groups(struct conf *c, const config_setting_t *top, struct application *a)
{
	const config_setting_t *list = conf_list(c, top, "groups");

	if (conf_length(list) == 0)
		return;
	a->group = calloc(conf_length(list), sizeof *a->group);
	if (!a->group) {
		conf_fail_memory(c);
		return;
	}
	while (a->n_group < conf_length(list) && c->rc == ERR_OK) {
		const config_setting_t *item = conf_item(list, a->n_group);

		read_group(c, item, a, &a->group[a->n_group++]);
	}
}

static void read_application(struct conf *c, const config_setting_t *top, struct application *a)
{
	static const char *const known[] = {
		"name",	       "title",	   "aliases",	"model",    "ad_hoc",
		"problem",     "workload", "resources", "tunables", "derived",
		"local_sizes", "legality", "groups",	"target",   "memory_bytes_per_proc",
		"job",	       NULL};

	conf_check_keys(c, top, known);
	read_name(c, top, a);
	application_read_columns(c, top, a);
	application_read_derived(c, top, a);
	read_target(c, top, a);
	read_local_sizes(c, top, a);
	application_read_legality(c, top, a);
	read_groups(c, top, a);
	application_read_memory(c, top, a);
	application_read_job(c, top, a);
	if (c->rc != ERR_OK)
		return;
	application_check(c, top, a);
	a->i_nodes = application_find_name(a, "nodes");
	a->i_ppn = application_find_name(a, "ppn");
	a->i_procs = application_find_name(a, "procs");
	a->i_threads = application_find_name(a, "threads");
}

static void fill_texts(struct conf *c, struct application *a, const char *text)
{
	if (!a->title)
		a->title = strdup("");
	a->definition = strdup(text);
	if (!a->title || !a->definition)
		conf_fail_memory(c);
	digest_text(text, strlen(text), a->sha256);
}

enum err_code application_parse(const char *text, const char *origin, struct application **out,
				struct err *e)
{
	struct application *a = calloc(1, sizeof *a);
	const config_setting_t *top;
	struct conf c;

	if (!a)
		return err_set(e, ERR_NOMEM, "%s: out of memory", origin);
	conf_open(&c, text, origin, e);
	top = conf_top(&c, "application");
	if (top) {
		read_application(&c, top, a);
		fill_texts(&c, a, text);
	}
	conf_close(&c);
	if (c.rc != ERR_OK)
		application_free(a);
	else
		*out = a;
	return c.rc;
}

enum err_code application_read(const char *path, struct application **out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = conf_read_file(path, &text, e);

	if (rc == ERR_OK)
		rc = application_parse(strbuf_text(&text), path, out, e);
	strbuf_release(&text);
	return rc;
}
