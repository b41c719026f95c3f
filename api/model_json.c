#include "api/model_json.h"

#include <math.h>

#include <jansson.h>

#include "api/answer_json.h"
#include "api/json_text.h"

struct json_t *model_time_json(const struct model_question *q, const struct sweep_time *time)
{
	json_t *answer = out_json_answer();

	return out_json_unless(
		member_text(answer, "model", q->model->name) |
			member_text(answer, "machine", q->machine->name) |
			json_object_set_new(answer, "configuration",
					    config_json_given(q->app, q->row)) |
			member_real(answer, "wg_s", q->input.run.Wg_s) |
			member_real(answer, "wg_fixup_s", q->input.run.Wg_fixup_s) |
			member_real(answer, "time_s", time->time_s) |
			json_object_set_new(answer, "breakdown", breakdown_json(&time->parts)) |
			member_text(answer, "caveat", q->model->caveat),
		answer);
}

struct json_t *simulated_time_json(const char *name, const struct model_question *q,
				   const struct simulation *s, double time_s)
{
	const bool measured = simulation_measures(s);
	json_t *answer = out_json_answer();

	return out_json_unless(
		member_text(answer, "model", name) |
			member_text(answer, "machine", q->machine->name) |
			json_object_set_new(answer, "configuration",
					    config_json_given(q->app, q->row)) |
			member_text(answer, "program", simulation_program_name(s)) |
			member_real(answer, "wg_s", measured ? (double)NAN : q->input.run.Wg_s) |
			member_real(answer, "cpu_scale", measured ? s->cpu_scale : (double)NAN) |
			member_real(answer, "time_s", time_s) |
			member_text(answer, "remarks", strbuf_text(&s->remarks)),
		answer);
}

struct json_t *formula_json(const struct model *m, const double *in, const double *value)
{
	const struct formula *f = m->formula;
	json_t *answer = out_json_answer(), *inputs = json_object(), *results = json_object();
	int failed = 0;

	for (size_t i = 0; i < f->n_inputs; i++)
		failed |= member_real(inputs, f->input[i].name,
				      isnan(in[i]) ? f->input[i].dflt : in[i]);
	for (size_t i = 0; i < f->n_results; i++)
		failed |= member_real(results, f->result[i].name, value[i]);
	failed |= member_text(answer, "model", m->name) | member_text(answer, "source", m->source) |
		  json_object_set_new(answer, "inputs", inputs) |
		  json_object_set_new(answer, "results", results) |
		  member_text(answer, "caveat", m->caveat);
	return out_json_unless(failed, answer);
}

static json_t *kind_json(size_t k, const struct unit_kind *kind, const struct unit_of_study *of)
{
	json_t *one = json_object();

	return out_json_unless(member_int(one, "kind", (json_int_t)k + 1) |
				       member_real(one, "units", kind->count) |
				       member_real(one, "l_peak_flops", kind->l_peak_flops) |
				       member_real(one, "share", kind->share) |
				       member_real(one, "omega", of->omega) |
				       member_real(one, "x", of->x) |
				       member_real(one, "compute_s", of->compute_s),
			       one);
}

struct json_t *unit_study_json(const struct model *m, const struct unit_kind *kind, size_t n_kinds,
			       const struct unit_study *s)
{
	json_t *answer = out_json_answer(), *kinds = json_array(), *results = json_object();
	int failed = 0;

	for (size_t k = 0; k < n_kinds; k++)
		failed |= json_array_append_new(kinds, kind_json(k, &kind[k], &s->kind[k]));
	failed |= member_text(answer, "model", m->name) |
		  json_object_set_new(answer, "kinds", kinds) |
		  member_real(results, "time_s", s->all.time_s) |
		  member_real(results, "l_flops", s->all.l_flops) |
		  member_real(results, "speedup", s->all.speedup) |
		  member_int(results, "slowest_kind", (json_int_t)s->all.slowest + 1) |
		  json_object_set_new(answer, "results", results);
	return out_json_unless(failed, answer);
}
