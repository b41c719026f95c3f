#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "api/composed_answer.h"
#include "api/import_runs.h"
#include "base/err.h"
#include "base/units.h"
#include "cli/answer/answer_text.h"
#include "cli/compose/cmd_model_components.h"
#include "cli/compose/compose_options.h"
#include "cli/compose/composed_model.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_options.h"

/* ---- --store ---- */

/* "network loggp:ARGUMENT" as it stands in the composition. */
static void put_part(const struct composed_model *m, const char *request, struct strbuf *out)
{
	const struct composition_node *n = composition_find(m->parts, request);

	if (!n)
		return;
	strbuf_printf(out, " %s=%s", request, n->chosen->name);
	if (n->argument)
		strbuf_printf(out, ":%s", n->argument);
}

static enum err_code check_class(const struct composed_model *m, struct err *e)
{
	const struct component *app = m->parts->node[0].chosen;

	if (application_is(m->q.app, app->name))
		return ERR_OK;
	return err_set(e, ERR_ARG,
		       "--store: times of %s would be false ones of %s, whose columns it has",
		       app->name, m->q.app->name);
}

/* --store: the time of a composed model becomes a run of the knowledge base, simulated where its
 * network is, else modelled, with network, processor and Wg beside it. Errors: ARG (the program is
 * not of the application whose columns it has), those of generated_runs_store(). */
static enum err_code compose_store(struct context *c, const struct composed_model *m, struct err *e)
{
	static const char *const extra[] = {"model", "cpu", "Wg_s", "Wg_fixup_s"};
	const struct composition_node *network = composition_find(m->parts, "network");
	const struct composition_node *cpu = composition_find(m->parts, "cpu");
	char Wg_s[REAL_TEXT_SIZE], Wg_fixup_s[REAL_TEXT_SIZE];
	const char *value[] = {network ? network->chosen->name : NULL,
			       cpu ? cpu->chosen->name : NULL, real_text(m->q.input.run.Wg_s, Wg_s),
			       real_text(m->q.input.run.Wg_fixup_s, Wg_fixup_s)};
	bool simulated = network && network->chosen->paradigm == PARADIGM_SIMULATED;
	struct strbuf origin = STRBUF_INIT;
	struct generated_runs runs = {.app = m->q.app,
				      .machine = m->q.machine,
				      .source = simulated ? SOURCE_SIMULATED : SOURCE_MODELLED,
				      .extra = extra,
				      .n_extra = sizeof extra / sizeof *extra};
	enum err_code rc = check_class(m, e);

	if (rc)
		return rc;
	strbuf_puts(&origin, "model compose");
	put_part(m, "network", &origin);
	put_part(m, "cpu", &origin);
	strbuf_printf(&origin, " wg=%s", Wg_s);
	put_part(m, "machine", &origin);
	runs.origin = strbuf_text(&origin);
	generated_runs_add(&runs, m->q.row, m->time.time_s, value);
	rc = origin.failed ? err_set(e, ERR_NOMEM, "a composed run")
			   : generated_runs_store(&c->session, &runs, e);
	generated_runs_release(&runs);
	strbuf_release(&origin);
	return rc;
}

/* ---- what was chosen, for people ---- */

static void put_indent(unsigned depth, struct strbuf *out)
{
	strbuf_printf(out, "%*s", (int)(2 * depth), "");
}

static void put_place(const struct component *c, struct strbuf *out)
{
	strbuf_printf(out, "%s%s%s, %s", component_domain_name(c->domain),
		      c->part == PART_NONE ? "" : " ", component_part_name(c->part),
		      component_paradigm_name(c->paradigm));
}

/* "cpu: given  (hardware processor, analytic)  by --wg", and under it what was to be matched. */
static void put_node(const struct composition_node *n, struct strbuf *out)
{
	put_indent(n->depth, out);
	strbuf_printf(out, "%s: %s%s%s  (", n->request->name, n->chosen->name,
		      n->argument ? ":" : "", n->argument ? n->argument : "");
	put_place(n->chosen, out);
	strbuf_puts(out, ")  ");
	if (n->again)
		strbuf_puts(out, "as above");
	else if (n->decided_by)
		strbuf_printf(out, "by %s", n->decided_by);
	else
		strbuf_puts(out, "the only match");
	strbuf_puts(out, "\n");
	put_indent(n->depth + 2, out);
	strbuf_printf(out, "where %s\n", n->request->selector);
	put_indent(n->depth + 2, out);
	strbuf_puts(out, "matches: ");
	for (size_t i = 0; i < n->n_matches; i++) {
		strbuf_puts(out, i > 0 ? ", " : "");
		component_put_name(n->match[i], out);
	}
	strbuf_puts(out, "\n");
}

static bool is_shown(const struct composition_node *n, const struct composition *shown)
{
	const struct composition_node *as =
		shown ? composition_find(shown, n->request->name) : NULL;

	return !as || as->chosen != n->chosen;
}

/* The nodes that are not as in `shown` (NULL: all). */
static enum err_code print_tree(const struct context *c, const struct composition *parts,
				const struct composition *shown, struct err *e)
{
	struct strbuf text = STRBUF_INIT, safe = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < parts->n; i++) {
		if (is_shown(&parts->node[i], shown))
			put_node(&parts->node[i], &text);
	}
	text_put_safe(&safe, strbuf_text(&text), true);
	if (text.failed || safe.failed)
		rc = err_set(e, ERR_NOMEM, "a composition");
	else
		fputs(strbuf_text(&safe), c->out);
	strbuf_release(&safe);
	strbuf_release(&text);
	return rc;
}

/* ---- levels side by side ---- */

static const struct out_column level_columns[] = {
	{"app", NULL, OUT_TEXT},
	{"network", NULL, OUT_TEXT},
	{"paradigm", NULL, OUT_TEXT},
	{"machine", NULL, OUT_TEXT},
	{"cpu", NULL, OUT_TEXT},
	{"wg_s", "Wg", OUT_SECONDS},
	{"wg_fixup_s", "with fix-ups", OUT_SECONDS},
	{"time_s", "time", OUT_SECONDS},
	{"compute_s", "compute", OUT_SECONDS},
	{"comm_s", "communication", OUT_SECONDS},
	{"fill_s", "fill", OUT_SECONDS},
	{"sync_s", "synchronisation", OUT_SECONDS},
	{"other_s", "other", OUT_SECONDS},
	{"difference", NULL, OUT_PERCENT},
};
/* For people: what differs. The rest stands in the tree above. */
static const struct out_column difference_columns[] = {
	{"network", NULL, OUT_TEXT},
	{"paradigm", NULL, OUT_TEXT},
	{"time_s", "time", OUT_SECONDS},
	{"compute_s", "compute", OUT_SECONDS},
	{"comm_s", "communication", OUT_SECONDS},
	{"fill_s", "fill", OUT_SECONDS},
	{"sync_s", "synchronisation", OUT_SECONDS},
	{"other_s", "other", OUT_SECONDS},
	{"difference", NULL, OUT_PERCENT},
};

static const char *name_of(const struct component *c)
{
	return c ? c->name : NULL;
}

static const char *paradigm_of(const struct component *c)
{
	return c ? component_paradigm_name(c->paradigm) : NULL;
}

/* The name of who serves a request, with what it was given: "ted:FILE". */
static void put_serving(struct out_table *t, const struct composed_level *m, const char *request)
{
	const struct composition_node *n = composition_find(m->parts, request);
	struct strbuf name = STRBUF_INIT;

	if (n)
		strbuf_printf(&name, "%s%s%s", n->chosen->name, n->argument ? ":" : "",
			      n->argument ? n->argument : "");
	out_text(t, n ? strbuf_text(&name) : NULL);
	strbuf_release(&name);
}

static void put_times(struct out_table *t, const struct composed_level *m)
{
	const struct breakdown *b = &m->time.parts;

	out_real(t, m->time.time_s);
	out_real(t, b->compute_s);
	out_real(t, b->comm_s);
	out_real(t, b->fill_s);
	out_real(t, b->sync_s);
	out_real(t, b->other_s);
	out_real(t, m->difference);
}

static void put_level(struct out_table *t, const struct composed_level *m)
{
	put_serving(t, m, "app");
	put_serving(t, m, "network");
	out_text(t, paradigm_of(composed_level_serving(m, "network")));
	put_serving(t, m, "machine");
	put_serving(t, m, "cpu");
	out_real(t, m->Wg_s);
	out_real(t, m->Wg_fixup_s);
	put_times(t, m);
}

static void put_difference(struct out_table *t, const struct composed_level *m)
{
	put_serving(t, m, "network");
	out_text(t, paradigm_of(composed_level_serving(m, "network")));
	put_times(t, m);
}

typedef void put_row_fn(struct out_table *t, const struct composed_level *m);

static enum err_code print_levels(const struct context *c, const struct out_column *columns,
				  size_t n_columns, put_row_fn *put_row, enum out_format format,
				  const struct composed_level *level, size_t n, struct err *e)
{
	struct out_table *t = out_table_new(columns, n_columns);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the answer of a composed model");
	for (size_t i = 0; i < n; i++) {
		if (level[i].parts)
			put_row(t, &level[i]);
	}
	rc = out_table_print(t, format, "levels", c->out, e);
	out_table_free(t);
	return rc;
}

/* ---- for people ---- */

static void note_caveats(const struct context *c, const struct composed_level *level, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (level[i].parts && level[i].caveat)
			context_note(c, "%s: %s",
				     name_of(composed_level_serving(&level[i], "network")),
				     level[i].caveat);
	}
}

static void print_time(const struct context *c, const struct composed_level *m)
{
	char time[32], wg[32], fixup[32];

	context_print(c, "\n%s; Wg %s, %s with flux fix-ups\n",
		      duration_format(m->time.time_s, time, sizeof time),
		      duration_format(m->Wg_s, wg, sizeof wg),
		      duration_format(m->Wg_fixup_s, fixup, sizeof fixup));
	if (m->caveat)
		context_print(c, "%s\n", m->caveat);
	fputc('\n', c->out);
}

static enum err_code print_parts(const struct context *c, const struct composed_level *m,
				 struct err *e)
{
	if (isnan(m->time.parts.compute_s)) {
		fputs("where the time goes, a simulation does not tell\n", c->out);
		return ERR_OK;
	}
	return breakdown_print(&m->time.parts, c->out, e);
}

static enum err_code print_for_people(const struct context *c, const struct composed_level *level,
				      size_t n, struct err *e)
{
	const struct composition *shown = NULL;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n && !rc; i++) {
		if (!level[i].parts)
			continue;
		rc = print_tree(c, level[i].parts, shown, e);
		shown = level[i].parts;
	}
	if (rc)
		return rc;
	if (n == 1) {
		print_time(c, level);
		return print_parts(c, level, e);
	}
	fputc('\n', c->out);
	rc = print_levels(c, difference_columns,
			  sizeof difference_columns / sizeof *difference_columns, put_difference,
			  FORMAT_TABLE, level, n, e);
	note_caveats(c, level, n);
	return rc;
}

static enum err_code print_json(const struct context *c, const struct composed_level *level,
				size_t n, struct err *e)
{
	struct json_t *answer = composed_levels_json(level, n);

	return out_answer(!answer, answer, "the answer of a composed model", c->out, e);
}

/* What `lemnos model compose` prints: what was chosen and why, and what it computes. Of several,
 * level[0] is what the others are compared with; one that failed has no parts (parts NULL). */
static enum err_code print_level_answers(const struct context *c,
					 const struct composed_level *level, size_t n,
					 struct err *e)
{
	if (c->format == FORMAT_TABLE)
		return print_for_people(c, level, n, e);
	if (c->format == FORMAT_JSON)
		return print_json(c, level, n, e);
	note_caveats(c, level, n);
	return print_levels(c, level_columns, sizeof level_columns / sizeof *level_columns,
			    put_level, FORMAT_CSV, level, n, e);
}

/* The levels that were run, as an answer. */
static enum err_code compose_print(const struct context *c, const struct composed_model *model,
				   size_t n, struct err *e)
{
	struct composed_level *level = calloc(n, sizeof *level);
	enum err_code rc;

	if (!level)
		return err_set(e, ERR_NOMEM, "the answer of a composed model");
	for (size_t i = 0; i < n; i++)
		level[i] = (struct composed_level){.parts = model[i].parts,
						   .app = model[i].q.app,
						   .row = model[i].q.row,
						   .Wg_s = model[i].q.input.run.Wg_s,
						   .Wg_fixup_s = model[i].q.input.run.Wg_fixup_s,
						   .time = model[i].time,
						   .caveat = model[i].caveat};
	composed_levels_compare(level, n);
	rc = print_level_answers(c, level, n, e);
	free(level);
	return rc;
}

/* ---- the action ---- */

/* One problem at one or several levels of detail: a composition for each network. */
struct levels_of_detail {
	struct component_set set;
	struct machine_components machines;
	struct compose_wishes wishes;
	struct composition *parts; /* [n] */
	struct composed_model *model;
	size_t n;
};

static char root_name[] = "app", root_selector[] = "domain = 'application'";
static const struct component_request root = {.name = root_name, .selector = root_selector};

static enum err_code read_all(struct context *c, struct levels_of_detail *l, struct err *e)
{
	enum err_code rc;

	if ((rc = compose_wishes_read(c, &l->wishes, e)) ||
	    (rc = model_definitions_open_base(c, e)) ||
	    (rc = compose_wishes_settle(c, &l->wishes, e)) ||
	    (rc = compose_read_components(c, &l->set, e)) ||
	    (rc = composed_model_check(&l->set, e)) ||
	    (rc = machine_components_add(c, &l->set, &l->machines, e)))
		return rc;
	l->n = l->wishes.n_networks > 1 ? l->wishes.n_networks : 1;
	l->parts = calloc(l->n, sizeof *l->parts);
	l->model = calloc(l->n, sizeof *l->model);
	return l->parts && l->model ? ERR_OK : err_set(e, ERR_NOMEM, "the levels of detail");
}

static void release_all(struct levels_of_detail *l)
{
	for (size_t i = 0; l->parts && l->model && i < l->n; i++) {
		composed_model_release(&l->model[i]);
		composition_release(&l->parts[i]);
	}
	free(l->model);
	free(l->parts);
	compose_wishes_release(&l->wishes);
	machine_components_release(&l->machines);
	component_set_release(&l->set);
}

static enum err_code resolve(struct levels_of_detail *l, struct err *e)
{
	struct composition_wish *network = compose_wishes_find(&l->wishes, "network");
	struct composition_question q = {
		.set = &l->set,
		.root = &root,
		.wish = l->wishes.item,
		.n_wishes = l->wishes.n,
	};
	enum err_code rc = ERR_OK;

	if (network->component && l->wishes.n_networks > 0)
		return err_set(e, ERR_USAGE,
			       "--network and --choose network=... say the same; keep one");
	for (size_t i = 0; i < l->n && !rc; i++) {
		if (l->wishes.n_networks > 0)
			network->component = l->wishes.network[i];
		rc = composition_resolve(&q, &l->parts[i], e);
	}
	return rc;
}

/* A level that cannot be had (no simulator here, say) leaves the others; one by itself is an error.
 */
static enum err_code run(struct context *c, struct levels_of_detail *l, struct err *e)
{
	enum err_code failed = ERR_OK;

	for (size_t i = 0; i < l->n; i++) {
		struct composed_model *m = &l->model[i];
		struct err why = {0};
		enum err_code rc;

		*m = (struct composed_model){
			.c = c, .parts = &l->parts[i], .machines = &l->machines};
		m->before = i > 0 && m[-1].parts ? &m[-1] : NULL;
		rc = composed_model_run(m, &why);
		if (rc && l->n == 1)
			return err_set(e, rc, "%s", why.msg);
		if (rc) {
			context_warn(c, "%s: %s", l->wishes.network[i], why.msg);
			m->parts = NULL;
			failed = rc;
		}
	}
	return failed;
}

static enum err_code store(struct context *c, const struct levels_of_detail *l, struct err *e)
{
	enum err_code rc = ERR_OK;

	if (!options_has(&c->opt, &opt_store))
		return ERR_OK;
	for (size_t i = 0; i < l->n && !rc; i++) {
		if (l->model[i].parts)
			rc = compose_store(c, &l->model[i], e);
	}
	return rc;
}

enum err_code model_compose_run(struct context *c, struct err *e)
{
	struct levels_of_detail l = {0};
	enum err_code failed = ERR_OK;
	enum err_code rc;

	if (options_has(&c->opt, &opt_model_from))
		return err_set(e, ERR_USAGE,
			       "compose takes one configuration at a time; --from is for `lemnos "
			       "model run`");
	if (!(rc = read_all(c, &l, e)) && !(rc = resolve(&l, e))) {
		failed = run(c, &l, e);
		if (failed && l.n == 1)
			rc = failed;
		else if (!(rc = compose_print(c, l.model, l.n, e)))
			rc = store(c, &l, e);
	}
	release_all(&l);
	return rc ? rc : failed;
}
