#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"
#include "domain/configuration.h"
#include "api/task_question.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/frame/progress_bar.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_options.h"

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

/* What is asked of a task: --it 20 --jt 20 ... (or --set it=20,jt=20), else what follows for one
 * processor from the configuration given with --problem. asked[TASK_VARIABLES], NaN: not given.
 * Errors: USAGE, ARG. */
static enum err_code task_options_read(struct context *c, double *asked, struct err *e)
{
	for (int v = 0; v < TASK_VARIABLES; v++)
		asked[v] = (double)NAN;
	return options_has(&c->opt, &opt_problem) ? read_configuration(c, asked, e)
						  : read_variables(c, asked, e);
}

static const struct out_column task_columns[] = {
	{"task", NULL, OUT_TEXT},
	{"method", NULL, OUT_TEXT},
	{"wg_s", "Wg", OUT_SECONDS},
	{"spread_s", "spread", OUT_SECONDS},
	{"times", NULL, OUT_INT},
	{"instructions", NULL, OUT_REAL},
	{"data_accesses", "data accesses", OUT_REAL},
	{"d1_miss_rate", "D1 misses", OUT_PERCENT},
	{"ll_miss_rate", "LL misses", OUT_PERCENT},
	{"tlb_miss_rate", "TLB misses", OUT_PERCENT},
	{"miss_share", "time of misses", OUT_PERCENT},
	{"cost_s", "cost", OUT_SECONDS},
	{"it", NULL, OUT_INT},
	{"jt", NULL, OUT_INT},
	{"kt", NULL, OUT_INT},
	{"mk", NULL, OUT_INT},
	{"mmi", NULL, OUT_INT},
	{"mm", NULL, OUT_INT},
	{"evidence", NULL, OUT_TEXT},
};

/* People read what was asked above the table, and the evidence below: rows stay short. */
enum { SHORT_COLUMNS = 12 };

static void put_result(struct out_table *t, const struct task_description *task,
		       const double *asked, const struct ted_result *r, bool whole)
{
	const double number[] = {r->instructions, r->data_accesses, r->D1_miss_rate,
				 r->LL_miss_rate, r->tlb_miss_rate, r->miss_share,
				 r->cost_s};

	out_text(t, task->name);
	out_text(t, task_method_name(task->method));
	out_real(t, r->Wg_s);
	out_real(t, r->spread_s);
	out_int(t, (int64_t)r->n);
	for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
		out_real(t, number[i]);
	if (!whole)
		return;
	for (int v = 0; v < TASK_REPEATS; v++) {
		if (isnan(asked[v]))
			out_null(t);
		else
			out_int(t, (int64_t)asked[v]);
	}
	out_text(t, strbuf_text(&r->evidence));
}

/* A trace knows what it was recorded with. */
static void take_recorded(const struct task_description *t, double *asked)
{
	for (int v = 0; v < TASK_REPEATS && t->method == TASK_TRACE; v++) {
		if (isnan(asked[v]))
			asked[v] = t->trace.recorded[v];
	}
}

static enum err_code evaluate_one(struct context *c, const char *file, const double *asked,
				  struct out_table *table, struct strbuf *evidence, struct err *e)
{
	struct task_description *t = NULL;
	struct ted_result r = {0};
	double known[TASK_VARIABLES];
	enum err_code rc = task_question_open(file, &t, e);

	if (!rc && !(rc = task_question_evaluate(&c->session, t, asked, &r, e))) {
		for (int v = 0; v < TASK_VARIABLES; v++)
			known[v] = asked[v];
		take_recorded(t, known);
		put_result(table, t, known, &r, c->format != FORMAT_TABLE);
		strbuf_printf(evidence, "%s: %s\n", t->name, strbuf_text(&r.evidence));
	}
	ted_result_release(&r);
	task_description_free(t);
	return rc;
}

static void print_asked(const struct context *c, const double *asked)
{
	const char *before = "";

	for (int v = 0; v < TASK_REPEATS; v++) {
		if (isnan(asked[v]))
			continue;
		fprintf(c->out, "%s%s %.0f", before, task_variable_name((enum task_variable)v),
			asked[v]);
		before = ", ";
	}
	fputs(*before ? "\n\n" : "", c->out);
}

static enum err_code print_tasks(struct context *c, const struct out_table *t, const double *asked,
				 const struct strbuf *evidence, struct err *e)
{
	enum err_code rc;

	progress_bar_clear(&c->bar);
	if (c->format != FORMAT_TABLE)
		return out_table_print(t, c->format, "tasks", c->out, e);
	print_asked(c, asked);
	rc = out_table_rows(t) == 1 ? out_record_print(t, c->format, "task", c->out, e)
				    : out_table_print(t, c->format, "tasks", c->out, e);
	if (!rc)
		context_print(c, "\n%s", strbuf_text(evidence));
	return rc;
}

enum err_code model_task_run(struct context *c, struct err *e)
{
	size_t n_columns = c->format == FORMAT_TABLE ? SHORT_COLUMNS
						     : sizeof task_columns / sizeof task_columns[0];
	struct out_table *t = out_table_new(task_columns, n_columns);
	struct strbuf evidence = STRBUF_INIT;
	double asked[TASK_VARIABLES];
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "times of tasks");
	rc = task_options_read(c, asked, e);
	for (size_t i = 0; i < c->n_operands && !rc; i++)
		rc = evaluate_one(c, c->operand[i], asked, t, &evidence, e);
	if (!rc)
		rc = print_tasks(c, t, asked, &evidence, e);
	strbuf_release(&evidence);
	out_table_free(t);
	return rc;
}
