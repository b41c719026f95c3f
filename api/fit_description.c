#include "api/fit_description.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "domain/machine.h"

/* How a parameter is stored. */
enum form { PLAIN, LOGARITHM };

static const struct {
	const char *name, *meaning;
	enum form form;
	enum fit_fact_kind kind;
} known[] = {
	{"log_wg", "time to compute one cell for one angle", LOGARITHM, FIT_SECONDS},
	{"wg_it", "that time goes with this power of the cells along i (it)", PLAIN, FIT_NUMBER},
	{"wg_jt", "with this power of the cells along j (jt)", PLAIN, FIT_NUMBER},
	{"wg_mk", "with this power of the planes in a block (mk)", PLAIN, FIT_NUMBER},
	{"wg_mmi", "with this power of the angles in a block (mmi)", PLAIN, FIT_NUMBER},
	{"wg_grid_1", "with this power of a process's cells, from 65 536 of them on", PLAIN,
	 FIT_NUMBER},
	{"wg_grid_2", "what is added to that power from 262 144 cells on", PLAIN, FIT_NUMBER},
	{"wg_grid_3", "what is added to that power from 1 048 576 cells on", PLAIN, FIT_NUMBER},
	{"wg_stream_1", "with this power of cells, more so the fewer angles a block has", PLAIN,
	 FIT_NUMBER},
	{"wg_stream_2", "what is added to that power from 262 144 cells on", PLAIN, FIT_NUMBER},
	{"wg_stream_3", "what is added to that power from 1 048 576 cells on", PLAIN, FIT_NUMBER},
	{"wg_block_1", "with this power of the cells in a block, from 2 981 of them on", PLAIN,
	 FIT_NUMBER},
	{"wg_block_2", "what is added to that power from 22 026 cells on", PLAIN, FIT_NUMBER},
	{"log_a_eager", "part of a message's cost that is paid, where sending does not wait",
	 LOGARITHM, FIT_NUMBER},
	{"log_a_block", "part of a message's cost that is paid, where sending waits", LOGARITHM,
	 FIT_NUMBER},
	{"log_a_fill", "part of a message's cost that is paid while the pipeline fills", LOGARITHM,
	 FIT_NUMBER},
	{"log_a_reduce", "small messages that a level of a global sum costs", LOGARITHM,
	 FIT_NUMBER},
	{"log_a_source", "work outside the sweeps, in sweeps", LOGARITHM, FIT_NUMBER},
	{"log_fix", "extra work of an iteration that mends negative fluxes, as a part of it",
	 LOGARITHM, FIT_NUMBER},
	{"log_line", "cost of starting an inner loop, in cells", LOGARITHM, FIT_NUMBER},
	{"log_long", "extra cost of starting a long inner loop, in cells", LOGARITHM, FIT_NUMBER},
	{"step", "cells from which an inner loop counts as long (0: none does)", PLAIN, FIT_NUMBER},
	{"scale", "typical error before corrections", PLAIN, FIT_SHARE},
	{"trend_terms", "power laws that are added up", PLAIN, FIT_NUMBER},
	{"trend_scale", "typical error of these, before corrections", PLAIN, FIT_SHARE},
	{"inputs", "columns that the corrections depend on", PLAIN, FIT_NUMBER},
	{"n_configs", "configurations that it was fitted to", PLAIN, FIT_NUMBER},
	{"noise", "spread of repeats of the same run", PLAIN, FIT_SHARE},
	{"sure", "spread of a prediction where the predictor has no doubt", PLAIN, FIT_SHARE},
	{"max_doubt", "the most doubt that counts, as a part of the time", PLAIN, FIT_SHARE},
	{"trust_inside", "part of a correction that is believed between runs seen", PLAIN,
	 FIT_SHARE},
	{"trust_edge", "part that is believed at their edge", PLAIN, FIT_SHARE},
	{"trust_outside", "part that is believed beyond them", PLAIN, FIT_SHARE},
	{"source_measured_configs", "configurations that were measured", PLAIN, FIT_NUMBER},
	{"source_measured_weight", "weight of one of these", PLAIN, FIT_NUMBER},
	{"source_simulated_configs", "configurations that were simulated", PLAIN, FIT_NUMBER},
	{"source_simulated_weight", "weight of one of these", PLAIN, FIT_NUMBER},
	{"source_modelled_configs", "configurations that a model computed", PLAIN, FIT_NUMBER},
	{"source_modelled_weight", "weight of one of these", PLAIN, FIT_NUMBER},
};

static double shown(double stored, enum form form)
{
	return form == LOGARITHM ? exp(stored) : stored;
}

static bool describe(const struct kb_param *p, struct fit_fact *out)
{
	const double z = 1.6448536269514722; /* normal quantile of 0.95 */

	for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
		if (strcmp(known[k].name, p->name))
			continue;
		*out = (struct fit_fact){
			.meaning = known[k].meaning,
			.kind = known[k].kind,
			.value = shown(p->value, known[k].form),
			.lo = shown(p->value - z * p->std_error, known[k].form),
			.hi = shown(p->value + z * p->std_error, known[k].form),
		};
		return true;
	}
	return false;
}

enum err_code fit_description_make(const struct kb_fit *fit, const struct application *app,
				   struct fit_description *out, struct err *e)
{
	struct fit_description d = {0};
	struct predictor *p = NULL;
	enum err_code rc = predictor_load(fit, app, &p, e);

	if (rc)
		return rc;
	for (int s = 0; s < 3; s++)
		d.error[s] = predictor_error(p, (enum support)s);
	predictor_free(p);
	batch_effect_load(fit, &d.batches);
	d.fact = calloc(fit->n_param + 1, sizeof *d.fact);
	if (!d.fact)
		return err_set(e, ERR_NOMEM, "what a predictor is made of");
	for (size_t k = 0; k < fit->n_param; k++) {
		if (describe(&fit->param[k], &d.fact[d.n_facts]))
			d.n_facts++;
		else
			d.n_others++;
	}
	*out = d;
	return ERR_OK;
}

enum err_code fit_description_find(struct kb *kb, const char *app, const char *machine,
				   const char *snapshot, struct fit_description *out, struct err *e)
{
	struct application *a = NULL;
	struct machine *m = NULL;
	struct kb_fit fit = {0};
	int64_t app_id, machine_id;
	enum err_code rc;

	if ((rc = kb_get_application(kb, app, &a, &app_id, e)) ||
	    (rc = kb_get_machine(kb, machine, &m, &machine_id, e)) ||
	    (rc = kb_get_fit(kb, app_id, machine_id, &fit, e)))
		goto done;
	if (snapshot && strcmp(snapshot, fit.snapshot))
		rc = err_set(e, ERR_NOTMINED, "the predictor is another one by now");
	else
		rc = fit_description_make(&fit, a, out, e);
done:
	kb_fit_release(&fit);
	machine_free(m);
	application_free(a);
	return rc;
}

void fit_description_release(struct fit_description *d)
{
	free(d->fact);
	*d = (struct fit_description){0};
}
