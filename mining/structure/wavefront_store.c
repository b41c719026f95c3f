#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/linear_posterior.h"
#include "mining/structure/wavefront_model.h"

#define POSTERIOR "structure_posterior_"

/* The calibrated model as named numbers in the knowledge base, and back. */

/* The numbered parameters of one range of the message cost, as they are called in a fit. */
enum range_field {
	FROM_BYTES,
	TOTAL_S,
	TOTAL_S_PER_BYTE,
	SEND_S,
	RECEIVE_S,
	RECEIVE_S_PER_BYTE,
	SYNC_S,
	BLOCKS,
	RANGE_FIELDS
};
static const struct {
	const char *name, *unit, *meaning;
} range_field[RANGE_FIELDS] = {
	[FROM_BYTES] = {"from_bytes", "bytes", "messages of this size and more"},
	[TOTAL_S] = {"total_s", "s", "one-way cost, constant part"},
	[TOTAL_S_PER_BYTE] = {"total_s_per_byte", "s/byte", "one-way cost, slope"},
	[SEND_S] = {"send_s", "s", "the sender's call"},
	[RECEIVE_S] = {"receive_s", "s", "the receiver's call, constant part"},
	[RECEIVE_S_PER_BYTE] = {"receive_s_per_byte", "s/byte", "the receiver's call, slope"},
	[SYNC_S] = {"sync_s", "s", "latency paid for each wait on the other side"},
	[BLOCKS] = {"blocks", "1", "1: the send waits for the receive"},
};

static enum err_code store_cost(const struct message_cost *c, struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < c->n_range; i++) {
		const struct message_range *r = &c->range[i];
		const double value[RANGE_FIELDS] = {r->from_bytes,	 r->total_s,
						    r->total_s_per_byte, r->send_s,
						    r->receive_s,	 r->receive_s_per_byte,
						    r->sync_s,		 r->blocks ? 1 : 0};

		for (int f = 0; f < RANGE_FIELDS && !rc; f++) {
			char name[64];

			snprintf(name, sizeof name, "message_%zu_%s", i, range_field[f].name);
			rc = kb_fit_add(fit, name, value[f], NAN, range_field[f].unit,
					range_field[f].meaning, e);
		}
	}
	return rc;
}

static double range_value(const struct kb_fit *fit, size_t i, enum range_field f)
{
	char name[64];

	snprintf(name, sizeof name, "message_%zu_%s", i, range_field[f].name);
	return kb_fit_value(fit, name);
}

static void load_cost(const struct kb_fit *fit, struct message_cost *c)
{
	memset(c, 0, sizeof *c);
	while (c->n_range <= MESSAGE_COST_MAX_SEGMENTS &&
	       !isnan(range_value(fit, c->n_range, FROM_BYTES))) {
		struct message_range *r = &c->range[c->n_range];

		r->from_bytes = range_value(fit, c->n_range, FROM_BYTES);
		r->total_s = range_value(fit, c->n_range, TOTAL_S);
		r->total_s_per_byte = range_value(fit, c->n_range, TOTAL_S_PER_BYTE);
		r->send_s = range_value(fit, c->n_range, SEND_S);
		r->receive_s = range_value(fit, c->n_range, RECEIVE_S);
		r->receive_s_per_byte = range_value(fit, c->n_range, RECEIVE_S_PER_BYTE);
		r->sync_s = range_value(fit, c->n_range, SYNC_S);
		r->blocks = range_value(fit, c->n_range, BLOCKS) > 0;
		c->n_range++;
	}
}

enum err_code wavefront_store(const void *state, struct kb_fit *fit, struct err *e)
{
	const struct wavefront_model *m = state;
	enum err_code rc = ERR_OK;

	for (int j = 0; j < WP_COUNT && !rc; j++)
		rc = kb_fit_add(fit, wavefront_param_info[j].name, m->time.p[j], m->std_error[j],
				wavefront_param_info[j].unit, wavefront_param_info[j].meaning, e);
	if (!rc)
		rc = kb_fit_add(fit, "message_origin", m->cost_origin, NAN, "",
				"0 assumed, 1 ping-pong, 2 machine file", e);
	if (rc ||
	    (rc = kb_fit_add(fit, "step", isfinite(m->time.step) ? m->time.step : 0, NAN, "cells",
			     "inner loops longer than this start more slowly; 0: none", e)) ||
	    (rc = kb_fit_add(fit, "scale", m->scale, NAN, "log s", "robust misfit", e)) ||
	    (rc = kb_fit_add(fit, "n_configs", (double)m->n_configs, NAN, "", "configurations", e)))
		return rc;
	if ((rc = triangle_store(POSTERIOR, m->posterior, WP_COUNT, fit, e)))
		return rc;
	return store_cost(&m->time.cost, fit, e);
}

enum err_code wavefront_load(const struct kb_fit *fit, const struct application *app, void **state,
			     struct err *e)
{
	struct wavefront_model *m = calloc(1, sizeof *m);
	double p[WP_COUNT], step = kb_fit_value(fit, "step");
	double origin = kb_fit_value(fit, "message_origin"),
	       n_configs = kb_fit_value(fit, "n_configs");

	if (!m)
		return err_set(e, ERR_NOMEM, "wavefront model");
	for (int j = 0; j < WP_COUNT; j++) {
		p[j] = kb_fit_value(fit, wavefront_param_info[j].name);
		if (!isfinite(p[j])) {
			free(m);
			return err_set(e, ERR_NOTMINED,
				       "the fit lacks parameter %s: run `lemnos mine`",
				       wavefront_param_info[j].name);
		}
	}
	for (size_t i = 0; i < fit->n_param; i++) {
		for (int j = 0; j < WP_COUNT; j++) {
			if (!strcmp(fit->param[i].name, wavefront_param_info[j].name))
				m->std_error[j] = fit->param[i].std_error;
		}
	}
	load_cost(fit, &m->time.cost);
	if (!wavefront_time_bind(app, m->time.column) || m->time.cost.n_range == 0 ||
	    !triangle_load(fit, POSTERIOR, m->posterior, WP_COUNT) ||
	    !(n_configs >= 1 && n_configs < 1e15)) {
		free(m);
		return err_set(e, ERR_NOTMINED,
			       "the fit does not suit application %s: run `lemnos mine`",
			       app->name);
	}
	wavefront_time_set(&m->time, p);
	m->time.step = step > 0 ? step : INFINITY;
	m->scale = kb_fit_value(fit, "scale");
	m->n_configs = (size_t)n_configs;
	m->cost_origin =
		origin >= 0 && origin < COST_ORIGINS ? (enum cost_origin)(int)origin : COST_ASSUMED;
	*state = m;
	return ERR_OK;
}
