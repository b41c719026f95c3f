#include "domain/task_description.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "domain/task_private.h"

static const char *const method_name[] = {"measure", "database", "simulate", "trace"};
static const char *const variable_name[] = {"it", "jt", "kt", "mk", "mmi", "mm", "repeats"};
static const bool variable_integer[] = {true, true, true, true, true, true, true};

const struct expr_scope task_scope = {variable_name, NULL, TASK_VARIABLES, variable_integer};

const char *task_method_name(enum task_method method)
{
	return method_name[method];
}

const char *task_variable_name(enum task_variable v)
{
	return variable_name[v];
}

/* ---- values ---- */

double task_number(struct conf *c, const config_setting_t *g, const char *key, double min,
		   double max)
{
	double x = conf_required_number(c, g, key);

	if (c->rc == ERR_OK && !(x >= min && x <= max))
		conf_fail(c, conf_at(g, key), "'%s' wants a number from %g to %g", key, min, max);
	return x;
}

int64_t task_count(struct conf *c, const config_setting_t *g, const char *key, int64_t absent,
		   int64_t min, int64_t max)
{
	double x = conf_number(c, g, key, (double)absent);

	if (c->rc == ERR_OK && !(x >= (double)min && x <= (double)max && trunc(x) == x))
		conf_fail(c, conf_at(g, key), "'%s' wants a whole number from %lld to %lld", key,
			  (long long)min, (long long)max);
	return c->rc == ERR_OK ? (int64_t)x : absent;
}

struct expr *task_expr(struct conf *c, const config_setting_t *g, const char *key)
{
	char *text = conf_text(c, g, key);
	struct expr *x = NULL;
	struct err inner = {0};
	char remark[80];

	snprintf(remark, sizeof remark, "'%s': ", key);
	if (text && expr_parse(text, &task_scope, &x, &inner) != ERR_OK)
		conf_fail_inner(c, conf_at(g, key), remark, &inner);
	free(text);
	return x;
}

/* ---- the whole ---- */

static const char *method_at(int i)
{
	return method_name[i];
}

/* What each method needs, and what would be of no effect there and is refused. */
static void check_groups(struct conf *c, const config_setting_t *top, enum task_method method)
{
	static const char *const group[] = {"run", "processor", "memory", "trace", "database"};
	static const bool wanted[][5] = {
		[TASK_MEASURE] = {true, false, false, false, false},
		[TASK_DATABASE] = {false, false, false, false, true},
		[TASK_SIMULATE] = {true, true, true, false, false},
		[TASK_TRACE] = {false, true, true, true, false},
	};

	for (size_t i = 0; i < sizeof group / sizeof group[0]; i++) {
		bool given = conf_group(c, top, group[i]) != NULL;

		if (given != wanted[method][i])
			conf_fail(c, conf_at(top, group[i]), "the method '%s' %s a group '%s'",
				  method_name[method], given ? "does not use" : "needs", group[i]);
	}
}

static void read_task(struct conf *c, const config_setting_t *top, struct task_description *t)
{
	static const char *const known[] = {"name",	 "title",  "origin", "method",	 "run",
					    "processor", "memory", "trace",  "database", NULL};

	conf_check_keys(c, top, known);
	t->name = conf_required_text(c, top, "name");
	t->title = conf_text(c, top, "title");
	t->origin = conf_text(c, top, "origin");
	t->method = (enum task_method)conf_word(c, top, "method", method_at, TASK_TRACE + 1, -1);
	check_groups(c, top, t->method);
	if (t->method == TASK_MEASURE || t->method == TASK_SIMULATE)
		task_run_read(c, conf_group(c, top, "run"), t->method, &t->run);
	if (t->method == TASK_SIMULATE || t->method == TASK_TRACE)
		task_hardware_read(c, top, &t->processor, &t->memory);
	if (t->method == TASK_TRACE)
		task_trace_read(c, conf_group(c, top, "trace"), &t->trace);
	if (t->method == TASK_DATABASE)
		task_database_read(c, conf_group(c, top, "database"), &t->database);
}

/* Cachegrind has I1, D1 and one shared level. */
static void check_simulator(struct conf *c, const config_setting_t *top,
			    const struct task_description *t)
{
	const config_setting_t *g = conf_at(top, "memory");

	if (c->rc != ERR_OK || t->method != TASK_SIMULATE)
		return;
	if (t->memory.n_shared > 1)
		conf_fail(c, g,
			  "cachegrind has one shared level: leave L2 and L3 out, or record a trace "
			  "and take method = \"trace\"");
	if (t->memory.tlb.entries > 0 || t->memory.inclusive)
		conf_fail(c, g,
			  "cachegrind has no TLB and no inclusive levels: record a trace and take "
			  "method = \"trace\"");
}

/* "data/tasks/" of "data/tasks/x.conf". */
static void set_folder(struct conf *c, struct task_description *t)
{
	const char *slash = strrchr(c->origin, '/');

	t->folder = slash ? strndup(c->origin, (size_t)(slash - c->origin) + 1) : strdup("");
	if (!t->folder)
		conf_fail_memory(c);
}

enum err_code task_description_parse(const char *text, const char *origin,
				     struct task_description **out, struct err *e)
{
	struct task_description *t = calloc(1, sizeof *t);
	const config_setting_t *top;
	struct conf c;

	if (!t)
		return err_set(e, ERR_NOMEM, "%s: out of memory", origin);
	conf_open(&c, text, origin, e);
	top = conf_top(&c, "task");
	if (top) {
		read_task(&c, top, t);
		check_simulator(&c, top, t);
		set_folder(&c, t);
	}
	conf_close(&c);
	if (c.rc != ERR_OK)
		task_description_free(t);
	else
		*out = t;
	return c.rc;
}

enum err_code task_description_read(const char *path, struct task_description **out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = conf_read_file(path, &text, e);

	if (rc == ERR_OK)
		rc = task_description_parse(strbuf_text(&text), path, out, e);
	strbuf_release(&text);
	return rc;
}

void task_description_free(struct task_description *t)
{
	if (!t)
		return;
	free(t->name);
	free(t->title);
	free(t->origin);
	free(t->folder);
	task_run_release(&t->run);
	free(t->trace.file);
	task_database_release(&t->database);
	free(t);
}
