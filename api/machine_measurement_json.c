#include "api/machine_measurement.h"

#include <math.h>
#include <stdio.h>

#include <jansson.h>

#include "api/json_text.h"

static json_t *known(const struct overhead_estimate *o, double value_s)
{
	return o->known ? out_json_real(value_s) : json_null();
}

static json_t *positive(double value)
{
	return value > 0 ? out_json_real(value) : json_null();
}

static json_t *count(size_t n)
{
	return json_integer((json_int_t)n);
}

static json_t *identifiable(const struct overhead_fit *c)
{
	json_t *names = json_array();
	int failed = 0;

	if (c->L.known)
		failed |= json_array_append_new(names, json_string("L"));
	if (c->o.known)
		failed |= json_array_append_new(names, json_string("o"));
	failed |= json_array_append_new(names, json_string("G"));
	if (!failed)
		return names;
	json_decref(names);
	return NULL;
}

static json_t *place_json(const struct message_place *p)
{
	const struct overhead_fit *c = &p->calls;
	json_t *o;

	if (p->file.rows.n == 0)
		return json_null();
	o = json_object();
	if (json_object_set_new(o, "rows", count(p->file.rows.n)) |
	    json_object_set_new(o, "sizes", count(p->fit.n_size)) |
	    json_object_set_new(o, "disturbed", count(p->fit.n_disturbed)) |
	    json_object_set_new(o, "relative_error", out_json_real(p->fit.relative_error)) |
	    json_object_set_new(o, "segments",
				cost_segments_json(p->fit.segment, p->fit.n_segment)) |
	    json_object_set_new(o, "L_s", known(&c->L, c->L.value_s)) |
	    json_object_set_new(o, "se_L_s", known(&c->L, c->L.std_error_s)) |
	    json_object_set_new(o, "o_s", known(&c->o, c->o.value_s)) |
	    json_object_set_new(o, "se_o_s", known(&c->o, c->o.std_error_s)) |
	    json_object_set_new(o, "o_send_s", known(&c->send, c->send.value_s)) |
	    json_object_set_new(o, "o_receive_s", known(&c->receive, c->receive.value_s)) |
	    json_object_set_new(o, "blocking_bytes", positive(c->blocking_bytes)) |
	    json_object_set_new(o, "identifiable", identifiable(c)) |
	    json_object_set_new(o, "why_not", out_json_string(c->why_not))) {
		json_decref(o);
		return NULL;
	}
	return o;
}

static json_t *measured_json(const struct machine_measurement *m)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < m->wg.n; i++) {
		const struct block_time *b = &m->block[i];
		json_t *row = json_object();
		int failed = json_object_set_new(row, "it", out_json_real(b->it)) |
			     json_object_set_new(row, "jt", out_json_real(b->jt)) |
			     json_object_set_new(row, "mk", out_json_real(b->mk)) |
			     json_object_set_new(row, "mmi", out_json_real(b->mmi)) |
			     json_object_set_new(row, "wg_s", out_json_real(b->wg_s)) |
			     json_object_set_new(row, "fitted_s",
						 out_json_real(block_fit_wg(&m->wg, b->it, b->jt,
									    b->mk, b->mmi)));

		if (json_array_append_new(rows, row) | failed) {
			json_decref(rows);
			return NULL;
		}
	}
	return rows;
}

static json_t *wg_json(const struct machine_measurement *m)
{
	json_t *o;
	int failed = 0;

	if (!m->has_wg)
		return json_null();
	o = json_object();
	for (int t = 0; t < BLOCK_TERMS; t++) {
		const char *name = block_term_name((enum block_term)t);
		char key[2][32];

		snprintf(key[0], sizeof key[0], "%s_s", name);
		snprintf(key[1], sizeof key[1], "se_%s_s", name);
		failed |= json_object_set_new(
			o, key[0], m->wg.known[t] ? out_json_real(m->wg.value_s[t]) : json_null());
		failed |= json_object_set_new(o, key[1],
					      m->wg.known[t] ? out_json_real(m->wg.std_error_s[t])
							     : json_null());
	}
	failed |= json_object_set_new(o, "blocks", count(m->wg.n)) |
		  json_object_set_new(o, "relative_error", out_json_real(m->wg.relative_error)) |
		  json_object_set_new(o, "worst", out_json_real(m->wg.worst)) |
		  json_object_set_new(o, "measured", measured_json(m));
	if (!failed)
		return o;
	json_decref(o);
	return NULL;
}

struct json_t *machine_measurement_json(const struct machine_measurement *m)
{
	json_t *answer = machine_calibration_json(&m->calibration), *node = json_object();
	int failed = !answer;

	failed |= json_object_set_new(node, "cores",
				      m->messages.cores > 0 ? json_integer(m->messages.cores)
							    : json_null()) |
		  json_object_set_new(node, "memory_bytes", positive(m->messages.memory_bytes));
	failed |= json_object_set_new(answer, "launch", out_json_string(strbuf_text(&m->launch))) |
		  json_object_set_new(answer, "simulated", json_boolean(m->messages.simulated));
	failed |= json_object_set_new(answer, "node", node) |
		  json_object_set_new(answer, "inside_node", place_json(&m->messages.inside)) |
		  json_object_set_new(answer, "between_nodes", place_json(&m->messages.between)) |
		  json_object_set_new(answer, "wg", wg_json(m));
	if (!failed)
		return answer;
	json_decref(answer);
	return NULL;
}
