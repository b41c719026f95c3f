#include "cli/frame/ad_hoc_options.h"

#include <stdlib.h>
#include <string.h>

#include "api/import_runs.h"

const struct option_spec opt_ad_hoc_target = {
	.name = "target",
	.arg = "COLUMN",
	.help = "new class: the column of the run time (seconds, unless it names a unit: time_ms; "
		"or --unit)",
};
const struct option_spec opt_ad_hoc_problem = {
	.name = "problem",
	.arg = "COLUMN,...",
	.help = "new class: columns that say what is solved",
};
const struct option_spec opt_ad_hoc_tunable = {
	.name = "tunable",
	.arg = "COLUMN,...",
	.help = "new class: columns that may be chosen freely",
};
const struct option_spec opt_ad_hoc_resource = {
	.name = "resource",
	.arg = "COLUMN=FIELD,...",
	.help = "new class: columns that are paid for; FIELD is nodes, ppn, procs, "
		"threads or gpus",
};
const struct option_spec opt_ad_hoc_categorical = {
	.name = "categorical",
	.arg = "COLUMN,...",
	.help = "new class: which of these columns are words even where they look like numbers",
};

const struct option_spec opt_ad_hoc_constraint = {
	.name = "constraint",
	.arg = "CONDITION",
	.help = "new class: what every run meets, so that nothing else is proposed: "
		"'groups % groupsets = 0'; may be repeated",
};
const struct option_spec opt_ad_hoc_grid = {
	.name = "grid",
	.arg = "COLUMN,...",
	.help = "new class: sides of the processor grid, whose product is procs: --grid P,Q",
};
const struct option_spec opt_ad_hoc_candidates = {
	.name = "candidates",
	.arg = "COLUMN=RANGE,...",
	.help = "new class: values to propose, seen or not: tile=8..256*2, k=10..50+10, n=1..9",
};

/* Every value of --constraint, whole: conditions have commas. */
static enum err_code list_constraints(const struct options *o, struct ad_hoc_options *out,
				      struct err *e)
{
	size_t n = 0;

	out->constraint = calloc(o->n_given + 1, sizeof *out->constraint);
	if (!out->constraint)
		return err_set(e, ERR_NOMEM, "the values of --constraint");
	for (size_t i = 0; i < o->n_given; i++) {
		if (o->given[i].spec == &opt_ad_hoc_constraint)
			out->constraint[n++] = o->given[i].value;
	}
	return ERR_OK;
}

/* "nodes=nodes" -> column and field, in place; field[] shares the text of column[]. */
static enum err_code split_resources(struct ad_hoc_options *a, size_t n, struct err *e)
{
	a->resource_field = calloc(n + 1, sizeof *a->resource_field);
	if (!a->resource_field)
		return err_set(e, ERR_NOMEM, "the values of --resource");
	for (size_t i = 0; i < n; i++) {
		char *eq = strchr(a->resource_column[i], '=');

		if (!eq || eq == a->resource_column[i] || !eq[1])
			return err_set(
				e, ERR_USAGE,
				"--resource %s: write COLUMN=FIELD, with FIELD one of nodes, "
				"ppn, procs, threads, gpus",
				a->resource_column[i]);
		*eq = '\0';
		a->resource_field[i] = eq + 1;
	}
	return ERR_OK;
}

static enum err_code target_unit(const char *target, char *const *unit, double *out_s,
				 struct err *e)
{
	const char *given = NULL;

	switch (import_time_unit(target, unit, out_s, &given)) {
	case IMPORT_UNIT_AMBIGUOUS:
		return err_set(e, ERR_USAGE,
			       "--target %s: in minutes, or the minimum? Say --unit %s=min or "
			       "--unit %s=s",
			       target, target, target);
	case IMPORT_UNIT_NO_TIME:
		return err_set(e, ERR_USAGE,
			       "--unit %s: a time is in ns, us, ms, s, min, h or d, or "
			       "written as hms or hm",
			       given);
	case IMPORT_UNIT_KNOWN:
		break;
	}
	return ERR_OK;
}

static enum err_code check_given(const struct options *o, struct err *e)
{
	static const struct option_spec *const useless_alone[] = {
		&opt_ad_hoc_problem,	 &opt_ad_hoc_tunable,	 &opt_ad_hoc_resource,
		&opt_ad_hoc_categorical, &opt_ad_hoc_constraint, &opt_ad_hoc_grid,
		&opt_ad_hoc_candidates};

	if (options_has(o, &opt_ad_hoc_target)) {
		if (!options_has(o, &opt_app))
			return err_set(e, ERR_USAGE,
				       "--target makes a new class: name it with --app NAME");
		return ERR_OK;
	}
	for (size_t i = 0; i < sizeof useless_alone / sizeof useless_alone[0]; i++) {
		if (options_has(o, useless_alone[i]))
			return err_set(e, ERR_USAGE,
				       "--%s describes a new class: name its time column with "
				       "--target COLUMN",
				       useless_alone[i]->name);
	}
	return ERR_OK;
}

enum err_code ad_hoc_options_read(const struct options *o, char *const *unit,
				  struct ad_hoc_options *out, struct err *e)
{
	size_t n_resources = 0;
	enum err_code rc;

	if ((rc = check_given(o, e)))
		return rc;
	out->given = options_has(o, &opt_ad_hoc_target);
	if (!out->given)
		return ERR_OK;
	out->spec.name = options_get(o, &opt_app);
	out->spec.target = options_get(o, &opt_ad_hoc_target);
	if ((rc = target_unit(out->spec.target, unit, &out->spec.target_unit_s, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_problem, &out->problem, NULL, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_tunable, &out->tunable, NULL, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_categorical, &out->categorical, NULL, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_resource, &out->resource_column, &n_resources, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_grid, &out->grid, NULL, e)) ||
	    (rc = options_list(o, &opt_ad_hoc_candidates, &out->candidates, NULL, e)) ||
	    (rc = list_constraints(o, out, e)) || (rc = split_resources(out, n_resources, e)))
		return rc;
	out->spec.grid = (const char *const *)out->grid;
	out->spec.candidates = (const char *const *)out->candidates;
	out->spec.constraint = out->constraint;
	out->spec.problem = (const char *const *)out->problem;
	out->spec.tunable = (const char *const *)out->tunable;
	out->spec.categorical = (const char *const *)out->categorical;
	out->spec.resource_column = (const char *const *)out->resource_column;
	out->spec.resource_field = (const char *const *)out->resource_field;
	return ERR_OK;
}

void ad_hoc_options_release(struct ad_hoc_options *a)
{
	free(a->problem);
	free(a->tunable);
	free(a->categorical);
	free(a->resource_column);
	free(a->resource_field);
	free(a->grid);
	free(a->candidates);
	free(a->constraint);
	*a = (struct ad_hoc_options){0};
}
