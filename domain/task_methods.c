#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "domain/task_private.h"

enum {
	RUNS_DEFAULT = 5, /* the fewest whose median two disturbed runs cannot move */
	COUNT_MAX = 1000000
};

/* ---- measure, simulate ---- */

static void read_arguments(struct conf *c, const config_setting_t *g, struct task_program *out)
{
	size_t n;
	char **text = conf_texts(c, g, "arguments", &n);
	struct err inner = {0};

	out->argument = n > 0 ? calloc(n, sizeof(struct template *)) : NULL;
	if (n > 0 && !out->argument)
		conf_fail_memory(c);
	for (size_t i = 0; i < n && c->rc == ERR_OK; i++) {
		char remark[80];

		snprintf(remark, sizeof remark, "\"%.60s\": ", text[i]);
		if (template_parse(text[i], &task_scope, &out->argument[i], &inner) != ERR_OK)
			conf_fail_inner(c, conf_at(g, "arguments"), remark, &inner);
		else
			out->n_arguments++;
	}
	for (size_t i = 0; i < n; i++)
		free(text[i]);
	free(text);
}

void task_run_read(struct conf *c, const config_setting_t *g, enum task_method method,
		   struct task_program *out)
{
	static const char *const measured[] = {"program", "arguments", "cell_angles", "only",
					       "repeats", "runs",      "output",      NULL};
	static const char *const simulated[] = {"program", "arguments", "cell_angles", "only",
						NULL};

	if (!g)
		return;
	conf_check_keys(c, g, method == TASK_MEASURE ? measured : simulated);
	out->program = conf_required_text(c, g, "program");
	read_arguments(c, g, out);
	out->cell_angles = task_expr(c, g, "cell_angles");
	out->only = task_expr(c, g, "only");
	out->repeats = task_count(c, g, "repeats", 1, 1, COUNT_MAX);
	out->runs = task_count(c, g, "runs", RUNS_DEFAULT, 1, COUNT_MAX);
	out->output = conf_text(c, g, "output");
	if (c->rc == ERR_OK && !out->cell_angles && !out->output)
		conf_fail(c, g,
			  "'cell_angles' is missing: how many cells times angles one repeat "
			  "computes, \"8 * it * jt * kt * mm\"");
}

void task_run_release(struct task_program *r)
{
	for (size_t i = 0; i < r->n_arguments; i++)
		template_free(r->argument[i]);
	free(r->argument);
	free(r->program);
	expr_free(r->cell_angles);
	expr_free(r->only);
	free(r->output);
}

/* ---- trace ---- */

static void read_recorded(struct conf *c, const config_setting_t *g, double *out)
{
	const char *known[TASK_REPEATS + 1] = {0};

	for (int v = 0; v < TASK_REPEATS; v++)
		known[v] = task_variable_name((enum task_variable)v);
	conf_check_keys(c, g, known);
	for (int v = 0; v < TASK_VARIABLES; v++) {
		out[v] = NAN;
		if (v < TASK_REPEATS && g && config_setting_get_member(g, known[v]))
			out[v] = (double)task_count(c, g, known[v], 0, 1, COUNT_MAX);
	}
}

void task_trace_read(struct conf *c, const config_setting_t *g, struct task_trace *out)
{
	static const char *const known[] = {"file", "recorded", "cell_angles", "warm_passes", NULL};

	if (!g)
		return;
	conf_check_keys(c, g, known);
	out->file = conf_required_text(c, g, "file");
	read_recorded(c, conf_group(c, g, "recorded"), out->recorded);
	out->cell_angles = task_number(c, g, "cell_angles", 1, 1e15);
	out->warm_passes = task_count(c, g, "warm_passes", 0, 0, 1000);
}

/* ---- database ---- */

/* Text and numbers as they stand where exact; numbers and expressions where near. */
static void read_attribute(struct conf *c, const config_setting_t *s, bool exact,
			   struct task_attribute *out)
{
	const char *name = config_setting_name(s);
	const config_setting_t *group = config_setting_parent(s);

	out->column = strdup(name);
	if (!out->column) {
		conf_fail_memory(c);
	} else if (config_setting_type(s) != CONFIG_TYPE_STRING) {
		out->number = conf_number(c, group, name, 0);
		if (!exact && !(out->number > 0 && isfinite(out->number)))
			conf_fail(c, s, "'%s' wants a number > 0: nearness is a ratio", name);
	} else if (exact) {
		out->text = conf_text(c, group, name);
	} else {
		out->value = task_expr(c, group, name);
	}
}

static struct task_attribute *read_attributes(struct conf *c, const config_setting_t *g, bool exact,
					      size_t *n)
{
	struct task_attribute *list;

	*n = 0;
	if (conf_length(g) == 0)
		return NULL;
	list = calloc(conf_length(g), sizeof *list);
	if (!list) {
		conf_fail_memory(c);
		return NULL;
	}
	for (; *n < conf_length(g); ++*n)
		read_attribute(c, conf_item(g, *n), exact, &list[*n]);
	return list;
}

void task_database_read(struct conf *c, const config_setting_t *g, struct task_database *out)
{
	static const char *const known[] = {"file", "time", "exact", "nearest", "within", NULL};

	if (!g)
		return;
	conf_check_keys(c, g, known);
	out->file = conf_required_text(c, g, "file");
	out->time = conf_required_text(c, g, "time");
	out->exact = read_attributes(c, conf_group(c, g, "exact"), true, &out->n_exact);
	out->nearest = read_attributes(c, conf_group(c, g, "nearest"), false, &out->n_nearest);
	out->within = conf_number(c, g, "within", 1);
	if (c->rc == ERR_OK && !(out->within >= 1 && isfinite(out->within)))
		conf_fail(c, conf_at(g, "within"),
			  "'within' wants a factor >= 1; 1 takes only what agrees exactly");
	if (c->rc == ERR_OK && out->n_exact + out->n_nearest == 0)
		conf_fail(c, g, "which rows? Give 'exact' or 'nearest'");
}

static void release_attributes(struct task_attribute *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].column);
		free(list[i].text);
		expr_free(list[i].value);
	}
	free(list);
}

void task_database_release(struct task_database *d)
{
	free(d->file);
	free(d->time);
	release_attributes(d->exact, d->n_exact);
	release_attributes(d->nearest, d->n_nearest);
}
