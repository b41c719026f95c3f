#include "cli/compose/composed_model.h"

#include <stdlib.h>
#include <string.h>

#include "cli/compose/composed_parts.h"

/* What runs a component: by domain, part, paradigm and the code that its definition names. */
struct part_code {
	enum component_domain domain;
	enum component_part part;
	enum component_paradigm paradigm;
	const char *code;
	part_fn *open; /* before those that it requests; NULL: nothing to do */
	part_fn *run;  /* after them; NULL: nothing to do */
};

#define ANY_PARADIGM PARADIGM_COUNT

static const struct part_code codes[] = {
	{DOMAIN_APPLICATION, PART_NONE, PARADIGM_ANALYTIC, "wavefront", part_open_wavefront, NULL},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "loggp", NULL, part_listed_model},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "loggp-printed", NULL, part_listed_model},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "loggp-smp", NULL, part_listed_model},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "loggp-tile", NULL, part_listed_model},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "logp", NULL, part_listed_model},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "lopc", NULL, part_listed_model},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "lopc-coprocessor", NULL, part_listed_model},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "pipeline", NULL, part_listed_model},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "plug-sweep3d", NULL, part_listed_model},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "plug-lu", NULL, part_listed_model},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "plug-chimaera", NULL, part_listed_model},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "task-graph", NULL, part_task_graph},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_SIMULATED, "smpi", NULL, part_smpi},
	{DOMAIN_RUNTIME, PART_NONE, PARADIGM_ANALYTIC, "files", NULL, part_files},
	{DOMAIN_HARDWARE, PART_STORAGE, ANY_PARADIGM, "disk", part_disk, NULL},
	{DOMAIN_HARDWARE, PART_STORAGE, ANY_PARADIGM, "parallel-file-system", part_disk, NULL},
	{DOMAIN_HARDWARE, PART_PROCESSOR, PARADIGM_ANALYTIC, "given", NULL, part_given},
	{DOMAIN_HARDWARE, PART_PROCESSOR, ANY_PARADIGM, "constant", NULL, part_constant},
	{DOMAIN_HARDWARE, PART_PROCESSOR, PARADIGM_MEASURED, "calibrated", NULL, part_calibrated},
	{DOMAIN_HARDWARE, PART_PROCESSOR, ANY_PARADIGM, "ted", NULL, part_ted},
	{DOMAIN_HARDWARE, PART_MEMORY, ANY_PARADIGM, "caches", NULL, part_caches},
	{DOMAIN_HARDWARE, PART_TRANSPORT, ANY_PARADIGM, "machine", NULL, part_machine},
	{DOMAIN_HARDWARE, PART_TRANSPORT, ANY_PARADIGM, "loggp-profile", NULL, part_loggp_profile},
};
enum { N_CODES = sizeof codes / sizeof *codes };

static bool same_place(const struct part_code *k, const struct component *c)
{
	return k->domain == c->domain && k->part == c->part &&
	       (k->paradigm == ANY_PARADIGM || k->paradigm == c->paradigm);
}

static const struct part_code *find_code(const struct component *c)
{
	for (size_t i = 0; i < N_CODES; i++) {
		if (same_place(&codes[i], c) && strcmp(codes[i].code, c->code) == 0)
			return &codes[i];
	}
	return NULL;
}

static enum err_code fail_code(const struct component *c, struct err *e)
{
	struct strbuf names = STRBUF_INIT;
	enum err_code rc;

	for (size_t i = 0; i < N_CODES; i++) {
		if (same_place(&codes[i], c))
			strbuf_printf(&names, "%s%s", names.len ? ", " : "", codes[i].code);
	}
	rc = err_set(e, ERR_PARSE,
		     "%s: '%s': no code computes \"%.60s\" for a component that is %s, of the %s "
		     "domain%s%s; there is: %s",
		     c->origin, c->name, c->code, component_paradigm_name(c->paradigm),
		     component_domain_name(c->domain), c->part == PART_NONE ? "" : ", ",
		     component_part_name(c->part), names.len ? strbuf_text(&names) : "none");
	strbuf_release(&names);
	return rc;
}

enum err_code composed_model_check(const struct component_set *set, struct err *e)
{
	for (size_t i = 0; i < set->n; i++) {
		if (!find_code(set->item[i]))
			return fail_code(set->item[i], e);
	}
	return ERR_OK;
}

/* Wg of the composition before this one, if its processor is the same on the same machine. */
static bool take_wg_from_before(struct composed_model *m, const struct composition_node *node)
{
	const struct composed_model *b = m->before;
	const struct composition_node *cpu =
		b ? composition_find(b->parts, node->request->name) : NULL;

	if (!cpu || cpu->chosen != node->chosen || node->chosen->part != PART_PROCESSOR ||
	    b->q.machine != m->q.machine)
		return false;
	m->q.input.run.Wg_s = b->q.input.run.Wg_s;
	m->q.input.run.Wg_fixup_s = b->q.input.run.Wg_fixup_s;
	return true;
}

/* A node, and before it those that it requests. They do not go in a circle: they were resolved. */
static enum err_code run_node(struct composed_model *m, const struct composition_node *node,
			      bool *done, struct err *e)
{
	const struct part_code *code = find_code(node->chosen);
	enum err_code rc = ERR_OK;

	if (done[node - m->parts->node])
		return ERR_OK;
	done[node - m->parts->node] = true;
	if (code && code->open)
		rc = code->open(m, node, e);
	for (size_t i = 0; i < node->chosen->n_requests && !rc; i++)
		rc = run_node(m, composition_find(m->parts, node->chosen->request[i].name), done,
			      e);
	if (rc || !code || !code->run || take_wg_from_before(m, node))
		return rc;
	return code->run(m, node, e);
}

enum err_code composed_model_run(struct composed_model *m, struct err *e)
{
	bool *done = calloc(m->parts->n, sizeof *done);
	enum err_code rc;

	if (!done)
		return err_set(e, ERR_NOMEM, "a composed model");
	rc = run_node(m, &m->parts->node[0], done, e);
	free(done);
	return rc;
}

void composed_model_release(struct composed_model *m)
{
	m->q.machine = NULL; /* somebody else's */
	model_question_release(&m->q);
	machine_free(m->own_machine);
	m->own_machine = NULL;
}
