#include "mining/structure/analytic_mean_store.h"

#include <math.h>
#include <stdlib.h>

#include "mining/structure/analytic_mean.h"

static const struct {
	const char *name, *meaning;
} wg_info[WG_FIT_PARAMS] = {
	{"listed_log_wg", "log of Wg over that of the formula"},
	{"listed_wg_it", "exponent of it in that"},
	{"listed_wg_jt", "exponent of jt in that"},
	{"listed_wg_mk", "exponent of mk in that"},
	{"listed_wg_mmi", "exponent of mmi in that"},
};

/* A parameter called after the model says which: numbers in the list change, names do not. */
static void model_name(const struct model *m, struct strbuf *out)
{
	strbuf_printf(out, "listed_model_%s", m->name);
}

enum err_code analytic_mean_store(const void *state, struct kb_fit *fit, struct err *e)
{
	const struct analytic_mean *m = state;
	struct strbuf name = STRBUF_INIT;
	enum err_code rc = wavefront_store(m->formula, fit, e);

	model_name(m->model, &name);
	if (!rc && name.failed)
		rc = err_set(e, ERR_NOMEM, "fit");
	if (!rc)
		rc = kb_fit_add(fit, strbuf_text(&name), 1, NAN, "", m->model->title, e);
	strbuf_release(&name);
	for (int j = 0; j < WG_FIT_PARAMS && !rc; j++)
		rc = kb_fit_add(fit, wg_info[j].name, m->p[j], NAN, "1", wg_info[j].meaning, e);
	return rc;
}

/* NULL: none that this program knows. */
static const struct model *stored_model(const struct kb_fit *fit)
{
	size_t n;
	const struct model *list = model_list(&n), *found = NULL;

	for (size_t k = 0; k < n && !found; k++) {
		struct strbuf name = STRBUF_INIT;

		model_name(&list[k], &name);
		if (analytic_mean_wants(&list[k]) && !isnan(kb_fit_value(fit, strbuf_text(&name))))
			found = &list[k];
		strbuf_release(&name);
	}
	return found;
}

enum err_code analytic_mean_load(const struct kb_fit *fit, const struct application *app,
				 void **state, struct err *e)
{
	struct analytic_mean *m = calloc(1, sizeof *m);
	void *formula = NULL;
	bool whole = true;
	enum err_code rc;

	if (!m)
		return err_set(e, ERR_NOMEM, "listed model");
	m->app = app;
	m->model = stored_model(fit);
	for (int j = 0; j < WG_FIT_PARAMS; j++) {
		m->p[j] = kb_fit_value(fit, wg_info[j].name);
		whole = whole && isfinite(m->p[j]);
	}
	if (!m->model || !whole)
		rc = err_set(e, ERR_NOTMINED,
			     "the fit lacks the model that it is made of: run `lemnos mine`");
	else
		rc = wavefront_load(fit, app, &formula, e);
	if (rc) {
		free(m);
		return rc;
	}
	m->formula = formula;
	*state = m;
	return ERR_OK;
}
