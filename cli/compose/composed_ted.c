#include <inttypes.h>
#include <math.h>

#include "base/units.h"
#include "cli/compose/composed_parts.h"
#include "api/task_question.h"

/* ---- memory ---- */

enum err_code part_caches(struct composed_model *m, const struct composition_node *node,
			  struct err *e)
{
	(void)e;
	m->memory = node->chosen; /* read by the processor that asked for it */
	return ERR_OK;
}

static enum err_code take_count(const struct component *c, const char *attribute, uint64_t *out,
				struct err *e)
{
	const struct component_attribute *a = component_attribute(c, attribute);

	if (!a)
		return ERR_OK;
	if (a->text || !(a->number >= 1 && a->number <= 1e15) || trunc(a->number) != a->number)
		return err_set(e, ERR_PARSE,
			       "%s: the profile of '%s': %s wants a whole number >= 1", c->origin,
			       c->name, attribute);
	*out = (uint64_t)a->number;
	return ERR_OK;
}

/* What the memory component says of the caches; what it leaves out stays as the task has it. */
static enum err_code take_memory(const struct component *c, struct memory_shape *s, struct err *e)
{
	struct cache_shape *LL = &s->shared[s->n_shared - 1];
	const struct {
		const char *attribute;
		uint64_t *value;
	} wanted[] = {
		{"I1_bytes", &s->I1.size_bytes},
		{"I1_associativity", &s->I1.associativity},
		{"I1_line_bytes", &s->I1.line_bytes},
		{"D1_bytes", &s->D1.size_bytes},
		{"D1_associativity", &s->D1.associativity},
		{"D1_line_bytes", &s->D1.line_bytes},
		{"LL_bytes", &LL->size_bytes},
		{"LL_associativity", &LL->associativity},
		{"LL_line_bytes", &LL->line_bytes},
	};
	struct err why = {0};
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !rc; i++)
		rc = take_count(c, wanted[i].attribute, wanted[i].value, e);
	if (!rc && memory_shape_check(s, &why))
		rc = err_set(e, ERR_PARSE, "%s: '%s': %s", c->origin, c->name, why.msg);
	return rc;
}

/* ---- processors ---- */

/* The task that the component's profile names, else that of --cpu ted:FILE. */
static enum err_code open_task(const struct composition_node *node, struct task_description **out,
			       struct err *e)
{
	const struct component_attribute *task = component_attribute(node->chosen, "task");

	if (task && task->text)
		return task_question_open(task->text, out, e);
	if (node->argument)
		return task_question_open(node->argument, out, e);
	return err_set(e, ERR_PARSE,
		       "%s: '%s' wants task = \"FILE\" in its profile, or takes = \"FILE\"",
		       node->chosen->origin, node->chosen->name);
}

static enum err_code evaluate(struct composed_model *m, const struct task_description *t,
			      struct ted_result *out, struct err *e)
{
	const struct sweep *s = &m->q.input.sweep;
	struct sweep_block b;
	enum err_code rc = sweep_block_of(s, &b, e);

	if (!rc) {
		const double asked[TASK_VARIABLES] = {
			[TASK_IT] = (double)b.it,     [TASK_JT] = (double)b.jt,
			[TASK_KT] = (double)s->kt,    [TASK_MK] = (double)s->mk,
			[TASK_MMI] = (double)s->mmi,  [TASK_MM] = (double)s->mm,
			[TASK_REPEATS] = (double)NAN,
		};

		rc = task_question_evaluate(&m->c->session, t, asked, out, e);
	}
	return rc;
}

enum err_code part_ted(struct composed_model *m, const struct composition_node *node, struct err *e)
{
	struct task_description *t = NULL;
	struct ted_result r = {0};
	enum err_code rc = open_task(node, &t, e);

	if (!rc && m->memory && (t->method == TASK_SIMULATE || t->method == TASK_TRACE))
		rc = take_memory(m->memory, &t->memory, e);
	if (!rc && !(rc = evaluate(m, t, &r, e))) {
		m->q.input.run.Wg_s = m->q.input.run.Wg_fixup_s = r.Wg_s;
		context_note(m->c, "%s: %s", node->chosen->name, strbuf_text(&r.evidence));
	}
	ted_result_release(&r);
	task_description_free(t);
	return rc;
}
