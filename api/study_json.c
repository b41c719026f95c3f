#include "api/study_json.h"

#include <math.h>

#include <jansson.h>

#include "api/json_text.h"

/* ---- a projection ---- */

static json_t *projected_json(const struct projection *p, size_t i)
{
	const struct projected *r = &p->row[i];
	const struct breakdown *b = &r->time.parts;
	json_t *row = json_object();

	return out_json_unless(member_int(row, "procs", r->procs) |
				       member_int(row, "npe_i", r->npe_i) |
				       member_int(row, "npe_j", r->npe_j) |
				       member_real(row, "time_s", r->time.time_s) |
				       member_real(row, "speedup", projection_speedup(p, i)) |
				       member_real(row, "efficiency", projection_efficiency(p, i)) |
				       member_real(row, "compute_s", b->compute_s) |
				       member_real(row, "comm_s", b->comm_s) |
				       member_real(row, "fill_s", b->fill_s) |
				       member_real(row, "sync_s", b->sync_s) |
				       member_real(row, "other_s", b->other_s) |
				       member_real(row, "Wg_s", r->Wg_s) |
				       member_text(row, "support", support_name(r->support)),
			       row);
}

struct json_t *projection_json(const struct projection *p)
{
	const struct scaling *s = &p->scaling;
	json_t *answer = out_json_answer(), *rows = json_array(), *scaling = json_object();
	int failed = 0;

	for (size_t i = 0; i < p->n; i++)
		failed |= json_array_append_new(rows, projected_json(p, i));
	failed |= member_text(answer, "model", p->question->model->name) |
		  member_text(answer, "machine", p->question->machine->name) |
		  member_bool(answer, "per_proc", p->per_proc) |
		  json_object_set_new(answer, "projection", rows) |
		  member_real(scaling, "least_gain", SCALING_LEAST_GAIN) |
		  member_count(scaling, "stops_at_procs", s->stops_at) |
		  member_count(scaling, "fastest_procs", s->fastest) |
		  member_count(scaling, "rises_at_procs", s->rises_at) |
		  member_real(scaling, "least_efficiency", p->least_efficiency) |
		  member_count(scaling, "efficient_to_procs", p->efficient_to) |
		  json_object_set_new(answer, "scaling", scaling);
	return out_json_unless(failed, answer);
}

/* ---- models beside runs ---- */

static json_t *score_json(const struct model_score *s)
{
	const struct error_region *w = &s->worst;
	json_t *score = json_object();

	return out_json_unless(
		member_text(score, "model", s->model) |
			member_int(score, "configs", (json_int_t)s->n) |
			member_real(score, "median_error", s->median_error) |
			member_real(score, "p90_error", s->p90_error) |
			member_real(score, "bias", s->bias) | member_real(score, "Wg_s", s->Wg_s) |
			member_text(score, "worst_by", w->by) |
			member_real(score, "worst_from", w->by ? w->from : (double)NAN) |
			member_real(score, "worst_to", w->by ? w->to : (double)NAN) |
			json_object_set_new(score, "worst_configs",
					    w->by ? json_integer((json_int_t)w->n) : json_null()) |
			member_real(score, "worst_median_error",
				    w->by ? w->median_error : (double)NAN) |
			member_real(score, "worst_bias", w->by ? w->bias : (double)NAN),
		score);
}

static json_t *refused_json(const struct model_comparison *v)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < v->times.n_refused; i++) {
		json_t *one = json_object();

		failed |= member_text(one, "model", v->times.refused[i].model->name) |
			  member_text(one, "reason", v->times.refused[i].why.msg) |
			  json_array_append_new(list, one);
	}
	return out_json_unless(failed, list);
}

struct json_t *model_comparison_json(const struct mine_target *on, enum holdout held_out,
				     const struct model_comparison *v)
{
	json_t *answer = out_json_answer(), *models = json_array();
	int failed = 0;

	for (size_t i = 0; i < v->n; i++)
		failed |= json_array_append_new(models, score_json(&v->score[i]));
	failed |= member_text(answer, "app", on->app->name) |
		  member_text(answer, "machine", on->machine->name) |
		  member_text(answer, "held_out", holdout_info[held_out].name) |
		  member_text(answer, "message_costs", v->costs) |
		  member_int(answer, "configs", (json_int_t)v->n_configs) |
		  member_int(answer, "configs_there", (json_int_t)v->n_there) |
		  member_int(answer, "runs", (json_int_t)v->n_runs) |
		  json_object_set_new(answer, "models", models) |
		  json_object_set_new(answer, "not_compared", refused_json(v));
	return out_json_unless(failed, answer);
}

/* ---- systems ---- */

static json_t *system_json(const struct ranked_system *at)
{
	json_t *system = json_object();

	return out_json_unless(
		member_int(system, "rank", (json_int_t)at->rank) |
			member_real(system, "rmax_flops", at->rmax_flops) |
			member_real(system, "nmax", at->nmax) |
			member_real(system, "cores", at->cores) |
			member_real(system, "b_eff_bytes_per_s", at->b_eff_bytes_per_s) |
			member_real(system, "core_flops", at->core_flops),
		system);
}

static json_t *correlation_json(const struct rank_correlation *c)
{
	json_t *o = json_object();

	return out_json_unless(member_real(o, "rho", c->rho) | member_real(o, "lo", c->lo) |
				       member_real(o, "hi", c->hi) | member_real(o, "p", c->p),
			       o);
}

struct json_t *system_ranking_json(const struct system_ranking *r)
{
	json_t *answer = out_json_answer(), *systems = json_array();
	int failed = 0;

	for (size_t i = 0; i < r->n; i++)
		failed |= json_array_append_new(systems, system_json(&r->row[i]));
	failed |= json_object_set_new(answer, "systems", systems) |
		  member_int(answer, "accelerated", (json_int_t)r->n_accelerated) |
		  member_int(answer, "incomplete", (json_int_t)r->n_incomplete) |
		  json_object_set_new(answer, "b_eff", correlation_json(&r->b_eff)) |
		  json_object_set_new(answer, "core", correlation_json(&r->core));
	return out_json_unless(failed, answer);
}

/* ---- a collective operation ---- */

static json_t *line_json(const struct collective_line *line)
{
	json_t *nodes = json_object();

	return out_json_unless(
		member_int(nodes, "nodes", (json_int_t)line->nodes) |
			member_int(nodes, "measurements", (json_int_t)line->n) |
			member_real(nodes, "t0_s", line->t0_s) |
			member_real(nodes, "s_per_byte", line->s_per_byte) |
			member_real(nodes, "bytes_per_s", collective_line_rate(line)) |
			member_real(nodes, "misfit", line->misfit),
		nodes);
}

struct json_t *collective_fit_json(const struct collective_fit *f)
{
	const struct collective_cost *l = &f->law;
	json_t *answer = out_json_answer(), *nodes = json_array(), *law = json_object();
	int failed = 0;

	for (size_t i = 0; i < f->n_lines; i++)
		failed |= json_array_append_new(nodes, line_json(&f->line[i]));
	failed |= json_object_set_new(answer, "nodes", nodes) | member_real(law, "t0_s", l->t0_s) |
		  member_real(law, "t0_stage_s", l->t0_stage_s) |
		  member_real(law, "s_per_byte", l->s_per_byte) |
		  member_real(law, "stage_s_per_byte", l->stage_s_per_byte) |
		  member_real(law, "misfit", f->law_misfit) |
		  json_object_set_new(answer, "law", law);
	return out_json_unless(failed, answer);
}
