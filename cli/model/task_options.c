#include "cli/model/task_options.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/task_question.h"
#include "base/units.h"
#include "cli/model/model_definitions.h"
#include "domain/configuration.h"

static enum err_code set_variable(const char *name, size_t length, const char *value, double *asked,
				  struct err *e)
{
	struct err inner = {0};
	int64_t count = 0;

	for (int v = 0; v < TASK_REPEATS; v++) {
		const char *known = task_variable_name((enum task_variable)v);

		if (strlen(known) != length || strncmp(known, name, length) != 0)
			continue;
		if (!value || integer_parse(value, 1, TASK_MAX_COUNT, &count, &inner))
			return err_set(e, ERR_USAGE, "%s: %s", known,
				       value ? inner.msg : "a number is wanted");
		asked[v] = (double)count;
		return ERR_OK;
	}
	return err_set(e, ERR_USAGE,
		       "a task has no '%.*s'; give it, jt, kt, mk, mmi and mm, or a whole "
		       "configuration with --problem",
		       (int)length, name);
}

static enum err_code read_variables(struct context *c, double *asked, struct err *e)
{
	char **set = NULL;
	size_t n = 0;
	enum err_code rc = options_list(&c->opt, &opt_set, &set, &n, e);

	for (size_t i = 0; i < n && !rc; i++) {
		const char *is = strchr(set[i], '=');

		rc = set_variable(set[i], strcspn(set[i], "="), is ? is + 1 : NULL, asked, e);
	}
	for (size_t i = 0; i < c->opt.n_flags && !rc; i++) {
		const struct app_flag *f = &c->opt.flag[i];

		rc = set_variable(f->name, strlen(f->name), f->value, asked, e);
	}
	free(set);
	return rc;
}

/* The columns of the application that go by the variables' names. */
static enum err_code read_configuration(struct context *c, double *asked, struct err *e)
{
	struct application *app = NULL;
	double *row = NULL;
	int64_t id = 0;
	enum err_code rc = model_definitions_application(c, &app, &id, e);

	if (rc)
		return rc;
	row = calloc(app->n_columns, sizeof *row);
	rc = row ? context_configuration(c, app, true, row, e)
		 : err_set(e, ERR_NOMEM, "a configuration");
	if (!rc) {
		configuration_default_workload(app, row);
		configuration_derive(app, row);
	}
	for (int v = 0; v < TASK_REPEATS && !rc; v++) {
		size_t i = application_column(app, task_variable_name((enum task_variable)v));

		if (i != SIZE_MAX)
			asked[v] = row[i];
	}
	free(row);
	application_free(app);
	return rc;
}

enum err_code task_options_read(struct context *c, double *asked, struct err *e)
{
	for (int v = 0; v < TASK_VARIABLES; v++)
		asked[v] = (double)NAN;
	return options_has(&c->opt, &opt_problem) ? read_configuration(c, asked, e)
						  : read_variables(c, asked, e);
}
