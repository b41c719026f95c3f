#include "cli/compose/composed_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "api/file_writing.h"
#include "api/graph_question.h"
#include "api/task_question.h"
#include "cli/model/model_options.h"

/* ---- application ---- */

/* The configuration that the sweep is asked for; the machine completes it. */
static enum err_code part_open_wavefront(struct composed_model *m,
					 const struct composition_node *node, struct err *e)
{
	const struct component_attribute *class = component_attribute(node->chosen, "class");
	enum err_code rc;

	if (!class || !class->text)
		return err_set(e, ERR_PARSE,
			       "%s: the profile of '%s' wants class = \"sweep3d\": the application "
			       "whose columns its configurations have",
			       node->chosen->origin, node->chosen->name);
	if ((rc = model_question_application(m->c, class->text, &m->q, e)) ||
	    (rc = model_question_options(m->c, &m->q, e)))
		return rc;
	return model_question_read_row(m->c, &m->q, e);
}

/* ---- machine and network ---- */

/* m->q.machine is set: its message costs, and the configuration, which takes nodes from it. */
static enum err_code use_machine(struct composed_model *m, struct err *e)
{
	struct model_question *q = &m->q;
	enum err_code rc = model_question_costs(&m->c->session, q, e);

	if (rc)
		return rc;
	q->input.remote = &q->remote;
	q->input.local = q->has_local ? &q->local : NULL;
	return model_question_configure(q, q->row, e);
}

static enum err_code part_machine(struct composed_model *m, const struct composition_node *node,
				  struct err *e)
{
	const struct machine_entry *entry = machine_components_find(m->machines, node->chosen);

	if (!entry)
		return err_set(e, ERR_PARSE,
			       "%s: '%s' is no machine; the code of a transport component of your "
			       "own is \"loggp-profile\"",
			       node->chosen->origin, node->chosen->name);
	m->q.machine = entry->machine;
	m->q.machine_id = entry->id;
	return use_machine(m, e);
}

static enum err_code read_number(const struct component *c, const char *attribute, double *out,
				 struct err *e)
{
	const struct component_attribute *a = component_attribute(c, attribute);

	if (!a || a->text || !(a->number >= 0))
		return err_set(e, ERR_PARSE, "%s: the profile of '%s' wants %s, a number >= 0",
			       c->origin, c->name, attribute);
	*out = a->number;
	return ERR_OK;
}

static enum err_code read_loggp(const struct component *c, struct loggp *out, struct err *e)
{
	const struct {
		const char *attribute;
		double *value;
		double unit;
	} wanted[] = {
		{"L_us", &out->L_s, 1e-6},
		{"o_small_us", &out->o_small_s, 1e-6},
		{"o_large_us", &out->o_large_s, 1e-6},
		{"G_small_us_per_byte", &out->G_small_s_per_byte, 1e-6},
		{"G_large_us_per_byte", &out->G_large_s_per_byte, 1e-6},
		{"small_max_bytes", &out->small_max_bytes, 1},
		{"handshake_bytes", &out->handshake_bytes, 1},
	};
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !rc; i++) {
		rc = read_number(c, wanted[i].attribute, wanted[i].value, e);
		*wanted[i].value *= wanted[i].unit;
	}
	return rc;
}

/* A transport whose profile is LogGP's parameters, named and measured as in machine definitions. */
static enum err_code part_loggp_profile(struct composed_model *m,
					const struct composition_node *node, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = machine_unknown_text(node->chosen->name, &text, e);

	if (!rc)
		rc = machine_parse(strbuf_text(&text), node->chosen->origin, &m->own_machine, e);
	strbuf_release(&text);
	if (rc || (rc = read_loggp(node->chosen, &m->own_machine->loggp, e)))
		return rc;
	m->own_machine->has_loggp = true;
	m->q.machine = m->own_machine;
	m->q.machine_id = 0;
	return use_machine(m, e);
}

/* ---- processor ---- */

static enum err_code part_given(struct composed_model *m, const struct composition_node *node,
				struct err *e)
{
	enum err_code rc;

	(void)node;
	if (!options_has(&m->c->opt, &opt_wg))
		return err_set(e, ERR_USAGE,
			       "how long does the computation of one cell and angle take? Give "
			       "--wg 0.2us");
	rc = model_question_wg(m->c, &m->q, e);
	/* once more, now with the task's time for this configuration */
	return rc || !m->q.task_wg ? rc : model_question_configure(&m->q, m->q.row, e);
}

static enum err_code part_constant(struct composed_model *m, const struct composition_node *node,
				   struct err *e)
{
	const struct component *c = node->chosen;
	const struct component_attribute *wg = component_attribute(c, "wg_us");
	const struct component_attribute *fixup = component_attribute(c, "wg_fixup_us");

	if (!wg || wg->text || !(wg->number >= 0) || (fixup && (fixup->text || fixup->number < 0)))
		return err_set(e, ERR_PARSE,
			       "%s: the profile of '%s' wants wg_us, a number >= 0 (and may have "
			       "wg_fixup_us, another)",
			       c->origin, c->name);
	m->q.input.run.Wg_s = wg->number * 1e-6;
	m->q.input.run.Wg_fixup_s = (fixup ? fixup->number : wg->number) * 1e-6;
	return ERR_OK;
}

static enum err_code part_calibrated(struct composed_model *m, const struct composition_node *node,
				     struct err *e)
{
	enum err_code rc = model_question_mined(&m->c->session, &m->q, e);

	(void)node;
	/* once more, now with Wg for this configuration */
	return rc ? rc : model_question_configure(&m->q, m->q.row, e);
}

/* ---- memory ---- */

static enum err_code part_caches(struct composed_model *m, const struct composition_node *node,
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

static enum err_code part_ted(struct composed_model *m, const struct composition_node *node,
			      struct err *e)
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

/* ---- files ---- */

static enum err_code part_disk(struct composed_model *m, const struct composition_node *node,
			       struct err *e)
{
	(void)e;
	m->disk = node->chosen; /* read by the file system that asked for it */
	return ERR_OK;
}

static enum err_code read_disk(const struct component *c, struct disk_shape *out, struct err *e)
{
	enum err_code rc;

	if ((rc = read_number(c, "bytes_per_s", &out->bytes_per_s, e)) ||
	    (rc = read_number(c, "request_s", &out->request_s, e)) ||
	    (rc = read_number(c, "cache_bytes", &out->cache_bytes, e)) ||
	    (rc = read_number(c, "cache_bytes_per_s", &out->cache_bytes_per_s, e)))
		return rc;
	if (!(out->bytes_per_s > 0))
		return err_set(e, ERR_PARSE, "%s: '%s': bytes_per_s is a number > 0", c->origin,
			       c->name);
	return ERR_OK;
}

static enum err_code read_layout(const struct component *c, struct file_system_shape *out,
				 struct err *e)
{
	const struct component_attribute *a = component_attribute(c, "layout");

	out->layout = a && a->text ? file_layout_by_name(a->text) : FILES_LAYOUTS;
	if (out->layout == FILES_LAYOUTS)
		return err_set(e, ERR_PARSE,
			       "%s: the profile of '%s' wants layout, one of shared, collective, "
			       "per-process",
			       c->origin, c->name);
	return out->layout == FILES_COLLECTIVE ? read_number(c, "aggregators", &out->aggregators, e)
					       : ERR_OK;
}

static enum err_code read_file_system(const struct component *c, struct file_system_shape *out,
				      struct err *e)
{
	enum err_code rc;

	if ((rc = read_disk(c, &out->target, e)) ||
	    (rc = read_number(c, "targets", &out->targets, e)) ||
	    (rc = read_number(c, "stripe_count", &out->stripe_count, e)) ||
	    (rc = read_number(c, "stripe_bytes", &out->stripe_bytes, e)) ||
	    (rc = read_number(c, "open_s", &out->open_s, e)) ||
	    (rc = read_number(c, "link_bytes_per_s", &out->link_bytes_per_s, e)))
		return rc;
	return read_layout(c, out, e);
}

static enum err_code write_to_disk(const struct composed_model *m, double bytes_per_cell,
				   double timesteps, double *writing_s, struct err *e)
{
	const struct sweep *s = &m->q.input.sweep;
	struct disk_shape disk = {0};
	enum err_code rc = read_disk(m->disk, &disk, e);

	if (rc)
		return rc;
	return file_writing_time(&disk, timesteps,
				 bytes_per_cell * (double)s->it_g * (double)s->jt_g * (double)s->kt,
				 m->time.time_s / timesteps, writing_s, e);
}

static enum err_code write_to_targets(const struct composed_model *m, double bytes_per_cell,
				      double timesteps, double *writing_s, struct err *e)
{
	struct file_system_shape shape = {.aggregators = 1};
	struct err why = {0};
	enum err_code rc = read_file_system(m->disk, &shape, e);

	if (rc)
		return rc;
	rc = grid_writing_time(&shape, &m->q.input.sweep, bytes_per_cell, timesteps,
			       m->time.time_s / timesteps, writing_s, &why);
	return rc ? err_set(e, rc == ERR_ARG ? ERR_PARSE : rc, "%s: '%s': %s", m->disk->origin,
			    m->disk->name, why.msg)
		  : ERR_OK;
}

/* The grid is written after every time step, to the storage that was requested; between two
 * writes lies the time that the network, which is requested before, has put into m->time. */
static enum err_code part_files(struct composed_model *m, const struct composition_node *node,
				struct err *e)
{
	const double timesteps = (double)m->q.input.run.timesteps;
	double bytes_per_cell = 0, writing_s = 0;
	enum err_code rc;

	if ((rc = read_number(node->asked_by, "bytes_per_cell", &bytes_per_cell, e)))
		return rc;
	rc = strcmp(m->disk->code, "disk") != 0
		     ? write_to_targets(m, bytes_per_cell, timesteps, &writing_s, e)
		     : write_to_disk(m, bytes_per_cell, timesteps, &writing_s, e);
	if (rc)
		return rc;
	m->time.time_s += writing_s;
	m->time.parts.other_s += writing_s;
	return ERR_OK;
}

/* ---- what runs it all ---- */

/* A model of models/model_list.h, by the name of the component's code. */
static enum err_code part_listed_model(struct composed_model *m,
				       const struct composition_node *node, struct err *e)
{
	enum err_code rc = model_find(node->chosen->code, &m->q.model, e);

	if (!rc)
		rc = model_run(m->q.model, &m->q.input, &m->time, e);
	if (!rc)
		m->caveat = m->q.model->caveat;
	return rc;
}

/* ---- task graph ---- */

static enum err_code read_network(const struct component *c, enum task_network *out, struct err *e)
{
	static const enum task_network all[] = {NETWORK_UNSHARED, NETWORK_BUS, NETWORK_PORTS,
						NETWORK_LINKS};
	const struct component_attribute *shares = component_attribute(c, "shares");

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (shares && shares->text &&
		    strcmp(shares->text, task_network_name(all[i])) == 0) {
			*out = all[i];
			return ERR_OK;
		}
	}
	return err_set(e, ERR_PARSE,
		       "%s: the profile of '%s' wants shares = \"%s\", \"%s\", \"%s\" or \"%s\"",
		       c->origin, c->name, task_network_name(all[0]), task_network_name(all[1]),
		       task_network_name(all[2]), task_network_name(all[3]));
}

static enum err_code part_task_graph(struct composed_model *m, const struct composition_node *node,
				     struct err *e)
{
	enum task_network network = NETWORK_UNSHARED;
	enum err_code rc = read_network(node->chosen, &network, e);

	return rc ? rc : graph_run_time(&m->q.input, network, &m->time, e);
}

/* ---- simulation ---- */

/* What the platform could not express, line by line. */
static void note_remarks(const struct context *c, const struct component *by,
			 const struct strbuf *remarks)
{
	const char *line = strbuf_text(remarks);

	while (*line) {
		size_t length = strcspn(line, "\n");

		context_note(c, "%s: %.*s", by->name, (int)length, line);
		line += length + (line[length] == '\n');
	}
}

static struct sweep_time whole_only(double time_s)
{
	const double unknown = (double)NAN;

	return (struct sweep_time){time_s, {unknown, unknown, unknown, unknown, unknown}};
}

static enum err_code part_smpi(struct composed_model *m, const struct composition_node *node,
			       struct err *e)
{
	struct simulation s = {0};
	double time_s = 0;
	enum err_code rc;

	if (!simulation_takes_wg(m->c))
		return err_set(e, ERR_USAGE,
			       "a composition takes Wg from its processor (--cpu): --program and "
			       "--cpu-scale are for `lemnos model run smpi`");
	if (!(rc = simulation_open(m->c, &s, e)) &&
	    !(rc = simulation_run(&m->c->session, &s, &m->q, m->q.row, &time_s, e))) {
		m->time = whole_only(time_s);
		note_remarks(m->c, node->chosen, &s.remarks);
	}
	simulation_release(&s);
	return rc;
}

/* ---- the parts together ---- */

/* A component's part in the whole: it finds in m what those that it requests have put there. */
typedef enum err_code part_fn(struct composed_model *m, const struct composition_node *node,
			      struct err *e);

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
