#include "cli/model/formula_store.h"

#include <math.h>
#include <string.h>

#include "api/import_runs.h"
#include "domain/application.h"

/* What a formula calls the run time. */
static const char run_time[] = "time_s";

/* n_results: it gives none. */
static size_t find_time(const struct formula *f)
{
	size_t i = 0;

	while (i < f->n_results && strcmp(f->result[i].name, run_time) != 0)
		i++;
	return i;
}

enum err_code formula_store_check(const struct context *c, const struct model *m, struct err *e)
{
	if (find_time(m->formula) == m->formula->n_results)
		return err_set(
			e, ERR_USAGE,
			"--store: model %s gives no time of a run (no %s among its results), "
			"so there is no run to keep",
			m->name, run_time);
	if (!options_get(&c->opt, &opt_app) || !options_get(&c->opt, &opt_machine))
		return err_set(e, ERR_USAGE,
			       "--store: which program on which machine took that long? Give --app "
			       "NAME and --machine NAME");
	return ERR_OK;
}

static double input_of(const struct formula *f, const double *in, size_t i)
{
	return isnan(in[i]) ? f->input[i].dflt : in[i];
}

static void put_table(const struct formula *f, const double *in, double time_s, const char *model,
		      struct strbuf *csv)
{
	char number[REAL_TEXT_SIZE];

	for (size_t i = 0; i < f->n_inputs; i++)
		strbuf_printf(csv, "%s,", f->input[i].name);
	strbuf_printf(csv, "%s,model\n", run_time);
	for (size_t i = 0; i < f->n_inputs; i++)
		strbuf_printf(csv, "%s,", real_text(input_of(f, in, i), number));
	strbuf_printf(csv, "%s,%s\n", real_text(time_s, number), model);
}

/* What was given, as typed: defaults say nothing. */
static void put_origin(const struct formula *f, const double *in, const char *model,
		       struct strbuf *out)
{
	char number[REAL_TEXT_SIZE];

	strbuf_printf(out, "model %s", model);
	for (size_t i = 0; i < f->n_inputs; i++) {
		if (!isnan(in[i]))
			strbuf_printf(out, " %s=%s", f->input[i].name, real_text(in[i], number));
	}
}

enum err_code formula_store(struct context *c, const struct model *m, const double *in,
			    const double *value, struct err *e)
{
	const struct formula *f = m->formula;
	const char *problem[FORMULA_MAX_INPUTS + 1] = {NULL};
	const char *const nodes_column[] = {f->procs, NULL}, *const nodes_field[] = {"nodes", NULL};
	const struct ad_hoc class = {
		.name = options_get(&c->opt, &opt_app),
		.target = run_time,
		.problem = problem,
		.resource_column = f->procs ? nodes_column : NULL,
		.resource_field = f->procs ? nodes_field : NULL,
	};
	struct strbuf csv = STRBUF_INIT, origin = STRBUF_INIT;
	enum err_code rc;
	size_t n = 0;

	for (size_t i = 0; i < f->n_inputs; i++) {
		if (!f->procs || strcmp(f->input[i].name, f->procs) != 0)
			problem[n++] = f->input[i].name;
	}
	put_table(f, in, value[find_time(f)], m->name, &csv);
	put_origin(f, in, m->name, &origin);
	if (csv.failed || origin.failed)
		rc = err_set(e, ERR_NOMEM, "a modelled run");
	else
		rc = made_table_store(
			&c->session,
			&(struct made_table){.csv = strbuf_text(&csv),
					     .app = class.name,
					     .ad_hoc = &class,
					     .machine = options_get(&c->opt, &opt_machine),
					     .source = SOURCE_MODELLED,
					     .origin = strbuf_text(&origin)},
			e);
	strbuf_release(&csv);
	strbuf_release(&origin);
	return rc;
}
