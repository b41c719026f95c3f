#include "mining/structure/terms_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/linear_posterior.h"

/* The numbers of a terms model in the knowledge base. Terms are known by all that they follow from
 * (application_put_term()), columns by their name, levels of texts by theirs, all as the meaning of
 * a number: a definition that says something else wants a fit of its own. */

static enum err_code add(struct kb_fit *fit, const char *what, size_t i, double value,
			 const char *meaning, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "terms_%s_%zu", what, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

static enum err_code store_uses(const struct terms_model *m, struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n_uses && !rc; i++) {
		const struct node_use *use = &m->use[i];

		rc = add(fit, "use_shift", i, use->shift, "log time of a kind of node use", e);
		if (!rc && !isnan(use->ppn))
			rc = add(fit, "use_ppn", i, use->ppn, "its processes per node", e);
		if (!rc && !isnan(use->threads))
			rc = add(fit, "use_threads", i, use->threads, "its threads", e);
	}
	return rc;
}

static enum err_code store_levels(const struct terms_model *m, struct kb_fit *fit, struct err *e)
{
	const struct application *app = m->app;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n_levels && !rc; i++) {
		const struct column *col = &app->column[m->level[i].column];

		if ((rc = add(fit, "level_column", i, (double)m->level[i].column, col->name, e)) ||
		    (rc = add(fit, "level_code", i, m->level[i].code,
			      col->levels.name[(size_t)m->level[i].code], e)))
			break;
		rc = add(fit, "level_effect", i, m->level[i].effect, "log time of a level", e);
	}
	return rc;
}

static enum err_code store_smooth(const struct terms_model *m, struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n_smooth && !rc; i++) {
		const struct smooth_correction *s = &m->smooth[i];

		if ((rc = add(fit, "smooth_column", i, (double)s->column,
			      m->app->column[s->column].name, e)) ||
		    (rc = add(fit, "smooth_lo", i, s->lo, "log of the least seen", e)) ||
		    (rc = add(fit, "smooth_hi", i, s->hi, "log of the most seen", e)) ||
		    (rc = add(fit, "smooth_linear", i, s->linear, "log time at an end", e)))
			break;
		rc = add(fit, "smooth_square", i, s->square, "log time at both ends", e);
	}
	return rc;
}

static enum err_code store_costs(const struct terms_model *m, struct kb_fit *fit, struct err *e)
{
	struct strbuf term = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < m->n_terms && !rc; k++) {
		strbuf_clear(&term);
		application_put_term(m->app, k, &term);
		if (term.failed)
			rc = err_set(e, ERR_NOMEM, "terms");
		else if (!(rc = add(fit, "cost", k, m->theta[k], strbuf_text(&term), e)))
			rc = add(fit, "unit", k, m->unit[k], "of the term, by second", e);
	}
	strbuf_release(&term);
	return rc;
}

enum err_code terms_model_store(const struct terms_model *m, struct kb_fit *fit, struct err *e)
{
	enum err_code rc = store_costs(m, fit, e);

	if (rc || (rc = kb_fit_add(fit, "terms_scale", m->scale, NAN, "log s", "misfit", e)) ||
	    (rc = store_uses(m, fit, e)) || (rc = store_levels(m, fit, e)) ||
	    (rc = store_smooth(m, fit, e)))
		return rc;
	return triangle_store("terms_factor_", m->factor, m->n_params, fit, e);
}

/* term is scratch. */
static bool load_costs(const struct kb_fit *fit, struct terms_model *m, struct strbuf *term)
{
	for (size_t k = 0; k < m->n_terms; k++) {
		const struct kb_param *cost = kb_fit_find(fit, "terms_cost_%zu", k);

		strbuf_clear(term);
		application_put_term(m->app, k, term);
		if (!cost || !cost->meaning || strcmp(cost->meaning, strbuf_text(term)))
			return false;
		m->theta[k] = cost->value;
		m->unit[k] = kb_fit_number(fit, "terms_unit_%zu", k);
		if (!(m->theta[k] >= 0) || !(m->unit[k] > 0))
			return false;
	}
	m->scale = kb_fit_value(fit, "terms_scale");
	return m->n_terms > 0 && !kb_fit_find(fit, "terms_cost_%zu", m->n_terms) && m->scale > 0;
}

static bool load_uses(const struct kb_fit *fit, struct terms_model *m)
{
	for (; m->n_uses < TERMS_MAX_USES && kb_fit_find(fit, "terms_use_shift_%zu", m->n_uses);
	     m->n_uses++) {
		struct node_use *use = &m->use[m->n_uses];

		use->shift = kb_fit_number(fit, "terms_use_shift_%zu", m->n_uses);
		use->ppn = kb_fit_number(fit, "terms_use_ppn_%zu", m->n_uses);
		use->threads = kb_fit_number(fit, "terms_use_threads_%zu", m->n_uses);
		if (!isfinite(use->shift))
			return false;
	}
	return true;
}

/* The column that a number's meaning names; SIZE_MAX: none. */
static size_t column_of(const struct kb_fit *fit, const char *what, size_t i,
			const struct application *app)
{
	const struct kb_param *q = kb_fit_find(fit, "terms_%s_%zu", what, i);

	return q && q->meaning ? application_column(app, q->meaning) : SIZE_MAX;
}

/* Levels may have other codes by now: found by name. One that no run has any more keeps no code. */
static bool load_levels(const struct kb_fit *fit, struct terms_model *m)
{
	for (; m->n_levels < TERMS_MAX_LEVELS &&
	       kb_fit_find(fit, "terms_level_effect_%zu", m->n_levels);
	     m->n_levels++) {
		struct term_level *l = &m->level[m->n_levels];
		const struct kb_param *code = kb_fit_find(fit, "terms_level_code_%zu", m->n_levels);
		size_t at;

		l->column = column_of(fit, "level_column", m->n_levels, m->app);
		l->effect = kb_fit_number(fit, "terms_level_effect_%zu", m->n_levels);
		if (l->column == SIZE_MAX || m->app->column[l->column].type != COL_TEXT || !code ||
		    !code->meaning || !isfinite(l->effect))
			return false;
		at = levels_find(&m->app->column[l->column].levels, code->meaning);
		l->code = at == SIZE_MAX ? -1 : (double)at;
	}
	return true;
}

static bool load_smooth(const struct kb_fit *fit, struct terms_model *m)
{
	for (;
	     m->n_smooth < TERMS_MAX_SMOOTH && kb_fit_find(fit, "terms_smooth_lo_%zu", m->n_smooth);
	     m->n_smooth++) {
		struct smooth_correction *s = &m->smooth[m->n_smooth];

		s->column = column_of(fit, "smooth_column", m->n_smooth, m->app);
		s->lo = kb_fit_number(fit, "terms_smooth_lo_%zu", m->n_smooth);
		s->hi = kb_fit_number(fit, "terms_smooth_hi_%zu", m->n_smooth);
		s->linear = kb_fit_number(fit, "terms_smooth_linear_%zu", m->n_smooth);
		s->square = kb_fit_number(fit, "terms_smooth_square_%zu", m->n_smooth);
		if (s->column == SIZE_MAX || !(s->hi > s->lo) || !isfinite(s->linear + s->square))
			return false;
	}
	return true;
}

enum err_code terms_model_load(const struct kb_fit *fit, const struct application *app,
			       struct terms_model **out, struct err *e)
{
	struct terms_model *m = calloc(1, sizeof *m);
	struct strbuf term = STRBUF_INIT;
	bool same;

	if (!m)
		return err_set(e, ERR_NOMEM, "terms");
	m->app = app;
	m->n_terms = app->terms.n;
	same = load_costs(fit, m, &term);
	if (term.failed) {
		strbuf_release(&term);
		terms_model_free(m);
		return err_set(e, ERR_NOMEM, "terms");
	}
	strbuf_release(&term);
	if (!same || !load_uses(fit, m) || !load_levels(fit, m) || !load_smooth(fit, m))
		goto other;
	m->n_params = m->n_terms + m->n_uses + m->n_levels + 2 * m->n_smooth;
	m->factor = calloc(m->n_params * m->n_params + 1, sizeof *m->factor);
	if (!m->factor) {
		terms_model_free(m);
		return err_set(e, ERR_NOMEM, "terms");
	}
	if (!triangle_load(fit, "terms_factor_", m->factor, m->n_params))
		goto other;
	*out = m;
	return ERR_OK;
other:
	terms_model_free(m);
	return err_set(e, ERR_NOTMINED,
		       "the fit is not of the terms that application %s has: run `lemnos mine`",
		       app->name);
}
