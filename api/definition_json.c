#include "api/definition_json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <jansson.h>

#include "api/json_text.h"

const char *application_shown_flag(const struct application *a, const struct column *c)
{
	if (!c->flag && c->role == COL_RESOURCE &&
	    application_flag_column(a, c->name) == (size_t)(c - a->column))
		return c->name;
	return c->flag;
}

void application_put_candidates(const struct application *a, const struct column *c,
				struct strbuf *s)
{
	const char *of = c->of == SIZE_MAX ? NULL : a->column[c->of].name;

	if (c->role != COL_TUNABLE && c->candidates != CAND_GRID)
		return;
	switch (c->candidates) {
	case CAND_SEEN:
		strbuf_puts(s, "those seen in runs");
		break;
	case CAND_DIVISORS:
		strbuf_printf(s, "divisors of %s", of);
		break;
	case CAND_RANGE:
		if (of)
			strbuf_printf(s, "%g to %s", c->min, of);
		else
			strbuf_printf(s, "%g to %g", c->min, c->max);
		break;
	case CAND_LIST:
		for (size_t i = 0; i < c->n_list; i++)
			strbuf_printf(s, "%s%g", i ? ", " : "", c->list[i]);
		break;
	case CAND_GRID:
		strbuf_puts(s, "processor grid");
		break;
	}
}

/* ---- what messages of a machine cost ---- */

static void add_costs(struct shown_costs *c, const struct cost_segment *segment, size_t n,
		      const char *origin)
{
	for (size_t i = 0; i < n; i++)
		c->item[c->n++] = (struct shown_cost){segment[i], origin};
}

enum err_code shown_costs_find(struct kb *kb, const struct machine *m, int64_t id,
			       struct shown_costs *out, struct err *e)
{
	struct shown_costs c = {0};
	struct cost_segment *fitted = NULL;
	size_t n = 0;
	enum err_code rc = m->n_segment ? ERR_OK : kb_get_message_cost(kb, id, &fitted, &n, e);

	if (rc)
		return rc;
	c.item = calloc(m->n_segment + n + m->n_segment_local + 1, sizeof *c.item);
	if (c.item) {
		add_costs(&c, m->segment, m->n_segment, "given");
		add_costs(&c, fitted, n, "fitted");
		add_costs(&c, m->segment_local, m->n_segment_local, "given, inside a node");
		*out = c;
	} else {
		rc = err_set(e, ERR_NOMEM, "the message costs of %s", m->name);
	}
	free(fitted);
	return rc;
}

void shown_costs_release(struct shown_costs *c)
{
	free(c->item);
	*c = (struct shown_costs){0};
}

/* ---- JSON ---- */

static json_t *column_json(const struct application *a, const struct column *c)
{
	const char *flag = application_shown_flag(a, c);
	struct strbuf dashed = STRBUF_INIT, tried = STRBUF_INIT;
	json_t *column = json_object();
	int failed;

	strbuf_printf(&dashed, "--%s", flag ? flag : "");
	application_put_candidates(a, c, &tried);
	failed = dashed.failed | tried.failed | member_text(column, "column", c->name) |
		 member_text(column, "role", column_role_name(c->role)) |
		 member_text(column, "flag", flag ? strbuf_text(&dashed) : NULL) |
		 member_text(column, "unit", c->unit && *c->unit ? c->unit : NULL) |
		 member_real(column, "min", c->min) | member_real(column, "max", c->max) |
		 member_real(column, "default", c->dflt) |
		 member_text(column, "candidates", tried.len ? strbuf_text(&tried) : NULL) |
		 member_text(column, "doc", c->doc);
	strbuf_release(&dashed);
	strbuf_release(&tried);
	return out_json_unless(failed, column);
}

static json_t *columns_json(const struct application *a)
{
	json_t *columns = json_array();
	int failed = 0;

	for (size_t i = 0; i < a->n_columns; i++)
		failed |= json_array_append_new(columns, column_json(a, &a->column[i]));
	return out_json_unless(failed, columns);
}

static json_t *group_json(const struct application *a, const struct group_flag *g)
{
	json_t *names = json_array();
	int failed = 0;

	for (size_t i = 0; i < g->n; i++)
		failed |=
			json_array_append_new(names, out_json_string(a->column[g->column[i]].name));
	return out_json_unless(failed, names);
}

static json_t *groups_json(const struct application *a)
{
	json_t *groups = json_object();
	int failed = 0;

	for (size_t i = 0; i < a->n_group; i++)
		failed |=
			json_object_set_new(groups, a->group[i].flag, group_json(a, &a->group[i]));
	return out_json_unless(failed, groups);
}

static json_t *legality_json(const struct application *a)
{
	json_t *legal = json_array();
	int failed = 0;

	for (size_t i = 0; i < a->n_legality; i++) {
		json_t *rule = json_object();

		failed |= member_text(rule, "rule", a->legality[i].text) |
			  member_text(rule, "why", a->legality[i].why) |
			  json_array_append_new(legal, rule);
	}
	return out_json_unless(failed, legal);
}

static json_t *kind_json(const struct application_terms *terms, bool communication)
{
	json_t *texts = json_array();
	int failed = 0;

	for (size_t i = 0; i < terms->n; i++) {
		if (terms->term[i].communication == communication)
			failed |=
				json_array_append_new(texts, out_json_string(terms->term[i].text));
	}
	return out_json_unless(failed, texts);
}

static json_t *terms_json(const struct application_terms *terms)
{
	json_t *all = json_object(), *lets = json_array();
	int failed = 0;

	for (size_t i = 0; i < terms->n_let; i++) {
		json_t *let = json_object();

		failed |= member_text(let, "name", terms->let[i].name) |
			  member_text(let, "expr", terms->let[i].text) |
			  json_array_append_new(lets, let);
	}
	failed |= json_object_set_new(all, "let", lets) |
		  json_object_set_new(all, "compute", kind_json(terms, false)) |
		  json_object_set_new(all, "communication", kind_json(terms, true));
	return out_json_unless(failed, all);
}

struct json_t *application_json(const struct application *a)
{
	json_t *answer = out_json_answer(), *app = json_object();
	int failed = member_text(app, "name", a->name) | member_text(app, "title", a->title) |
		     member_text(app, "model", a->model) | member_text(app, "target", a->target) |
		     json_object_set_new(app, "columns", columns_json(a)) |
		     json_object_set_new(app, "group_flags", groups_json(a)) |
		     json_object_set_new(app, "legality", legality_json(a));

	if (a->terms.n > 0)
		failed |= json_object_set_new(app, "terms", terms_json(&a->terms));
	return out_json_unless(failed | json_object_set_new(answer, "app", app), answer);
}

double definition_known(double value)
{
	return value > 0 ? value : (double)NAN;
}

static int set_cost(json_t *o, const void *arg, size_t i)
{
	const struct shown_cost *c = (const struct shown_cost *)arg + i;
	const struct cost_segment *s = &c->segment;

	return member_real(o, "from_bytes", s->from_bytes) |
	       member_real(o, "intercept_s", s->intercept_s) |
	       member_real(o, "s_per_byte", s->s_per_byte) |
	       member_real(o, "se_intercept_s", definition_known(s->se_intercept_s)) |
	       member_real(o, "se_s_per_byte", definition_known(s->se_s_per_byte)) |
	       member_text(o, "origin", c->origin);
}

static int set_loggp(json_t *o, const struct machine *m)
{
	const struct loggp *p = &m->loggp;
	const struct {
		const char *key;
		double value;
	} of[] = {{"L_s", p->L_s},
		  {"o_small_s", p->o_small_s},
		  {"o_large_s", p->o_large_s},
		  {"G_small_s_per_byte", p->G_small_s_per_byte},
		  {"G_large_s_per_byte", p->G_large_s_per_byte},
		  {"small_max_bytes", p->small_max_bytes},
		  {"handshake_bytes", p->handshake_bytes}};
	int failed = 0;

	for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
		failed |= member_real(o, of[i].key, m->has_loggp ? of[i].value : (double)NAN);
	return failed;
}

struct json_t *machine_definition_json(const struct machine *m, const struct shown_costs *c)
{
	json_t *answer = out_json_answer(), *o = json_object();
	int failed = member_text(o, "machine", m->name) | member_text(o, "title", m->title) |
		     member_text(o, "origin", m->origin) |
		     member_bool(o, "simulated", m->simulated) |
		     member_count(o, "nodes", m->nodes) |
		     member_count(o, "cores_per_node", m->cores_per_node) |
		     member_real(o, "memory_bytes_per_node",
				 definition_known(m->memory_bytes_per_node)) |
		     set_loggp(o, m) |
		     member_real(o, "blocking_bytes", definition_known(m->blocking_bytes)) |
		     member_value(o, "segments", out_json_list(set_cost, c->item, c->n));

	return out_json_unless(failed | member_value(answer, "machine", o), answer);
}
