#include "acquire/campaign.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "acquire/adaptive.h"
#include "acquire/design.h"
#include "mining/mine.h"

/* Chosen together by the adaptive design where the plan does not say: a fit of thousands of points
 * takes as long as many a run. */
enum { USUAL_BATCH = 4 };

/* ---- a plan in terms of the base ---- */

static enum err_code find_machine(struct kb *kb, struct campaign_target *t, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct err why = {0};
	enum err_code rc = kb_get_machine(kb, t->plan->machine, &t->machine, &t->machine_id, &why);

	if (rc != ERR_NOTFOUND)
		return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
	/* As an import does: it is known by its name. */
	t->machine_id = 0;
	if (!(rc = machine_unknown_text(t->plan->machine, &text, e)))
		rc = machine_parse(strbuf_text(&text), t->plan->machine, &t->machine, e);
	strbuf_release(&text);
	return rc;
}

enum err_code campaign_target_open(struct kb *kb, struct campaign_plan *plan,
				   struct campaign_target *out, struct err *e)
{
	struct campaign_target t = {.plan = plan};
	enum err_code rc;

	if ((rc = kb_get_application(kb, plan->application, &t.app, &t.app_id, e)) ||
	    (rc = find_machine(kb, &t, e)) ||
	    (rc = campaign_space_open(plan, t.app, t.machine, &t.space, e)))
		goto done;
	t.level = calloc(t.space.axes.n + 1, sizeof *t.level);
	if (!t.level)
		rc = err_set(e, ERR_NOMEM, "a campaign's plan");
done:
	if (rc)
		campaign_target_release(&t);
	else
		*out = t;
	return rc;
}

void campaign_target_release(struct campaign_target *t)
{
	if (t->space.plan)
		campaign_space_release(&t->space);
	free(t->level);
	application_free(t->app);
	machine_free(t->machine);
	campaign_plan_free(t->plan);
	*t = (struct campaign_target){0};
}

/* ---- levels as text ---- */

static void put_levels(const size_t *level, size_t n, struct strbuf *out)
{
	for (size_t i = 0; i < n; i++)
		strbuf_printf(out, "%s%zu", i ? " " : "", level[i]);
}

static bool read_levels(const struct campaign_space *s, const char *text, size_t *level)
{
	for (size_t i = 0; i < s->axes.n; i++) {
		char *end;

		errno = 0;
		level[i] = strtoul(text, &end, 10);
		if (end == text || errno || level[i] >= s->n_levels[i])
			return false;
		text = end;
	}
	return !*text;
}

bool campaign_run_row(const struct campaign_target *t, const char *levels, double *row)
{
	return read_levels(&t->space, levels, t->level) &&
	       campaign_space_row(&t->space, t->level, row, NULL);
}

/* ---- designs ---- */

struct legality_of_levels {
	const struct campaign_space *space;
	double *row;
};

static bool is_legal(void *arg, const size_t *level)
{
	const struct legality_of_levels *l = arg;

	return campaign_space_row(l->space, level, l->row, NULL);
}

/* What the design refused, and what stands against the first combination, if that is not legal:
 * often all are refused for one reason. */
static enum err_code say_why_not(const struct campaign_target *t, enum plan_design kind,
				 double *row, const char *refused, struct err *e)
{
	const struct campaign_plan *plan = t->plan;
	unsigned line = plan->design.line ? plan->design.line : plan->factor[0].line;
	size_t *first = calloc(t->space.axes.n + 1, sizeof *first);
	struct strbuf text = STRBUF_INIT, why = STRBUF_INIT;
	enum err_code rc;

	strbuf_printf(&text, "%s%s",
		      kind == PLAN_ADAPTIVE ? "an adaptive design weighs every configuration, and "
					    : "",
		      refused);
	if (first && !campaign_space_row(&t->space, first, row, &why))
		strbuf_printf(&text, "; the first one: %s", strbuf_text(&why));
	rc = !first || text.failed || why.failed
		     ? err_set(e, ERR_NOMEM, "a campaign's design")
		     : campaign_plan_fail(plan, line, ERR_PARSE, e, strbuf_text(&text));
	strbuf_release(&text);
	strbuf_release(&why);
	free(first);
	return rc;
}

static enum err_code make_design(const struct campaign_target *t, enum plan_design kind,
				 const struct progress *p, struct design *out, struct err *e)
{
	const struct campaign_plan *plan = t->plan;
	struct legality_of_levels legal = {.space = &t->space,
					   .row = calloc(t->app->n_columns + 1, sizeof *legal.row)};
	const struct design_space space = {
		.n_factors = t->space.axes.n,
		.n_levels = t->space.n_levels,
		.nominal = t->space.nominal,
		.legal = is_legal,
		.arg = &legal,
		.progress = p,
	};
	struct err why = {0};
	enum err_code rc;

	if (!legal.row)
		return err_set(e, ERR_NOMEM, "a campaign's design");
	switch (kind) {
	case PLAN_FRACTIONAL:
		rc = design_fraction(&space, (size_t)plan->design.size, plan->seed, out, &why);
		break;
	case PLAN_LATIN_HYPERCUBE:
		rc = design_latin_hypercube(&space, (size_t)plan->design.size, plan->seed, out,
					    &why);
		break;
	case PLAN_FULL:
	case PLAN_ADAPTIVE:
	case PLAN_DESIGNS:
	default:
		rc = design_full_factorial(&space, CONFIGURATION_AXES_MOST, out, &why);
		break;
	}
	if (rc == ERR_ARG)
		rc = say_why_not(t, kind, legal.row, why.msg, e);
	else if (rc)
		err_set(e, rc, "%s", why.msg);
	free(legal.row);
	return rc;
}

/* ---- runs ---- */

static void predict(const struct campaign_plan *plan, const struct predictor *predictor,
		    const double *row, struct kb_campaign_run *r)
{
	struct prediction at;

	r->predicted_s = r->quantile_s = NAN;
	r->limit_s = plan->timeout.fixed_s;
	if (!predictor)
		return;
	predictor_predict(predictor, row, 1, &at);
	if (isfinite(at.time_s))
		r->predicted_s = at.time_s;
	r->quantile_s = prediction_quantile_s(predictor, &at, plan->timeout.quantile);
	if (!isfinite(r->quantile_s))
		r->quantile_s = NAN;
	else if (plan->launcher.kind != PLAN_SMPI) /* which takes other times than it simulates */
		r->limit_s = fmax(plan->timeout.least_s, plan->timeout.factor * r->quantile_s);
}

static char *text_of(struct strbuf *s)
{
	if (s->failed) {
		strbuf_release(s);
		return NULL;
	}
	return s->buf ? s->buf : strdup("");
}

static enum err_code add_run(const struct campaign_target *t, const struct predictor *predictor,
			     const size_t *level, int64_t repeat, struct campaign_choice *c,
			     struct err *e)
{
	struct strbuf levels = STRBUF_INIT, configuration = STRBUF_INIT;
	double *row = c->row + c->n * t->app->n_columns;
	struct kb_campaign_run *r = &c->run[c->n++];

	campaign_space_row(&t->space, level, row, NULL);
	put_levels(level, t->space.axes.n, &levels);
	campaign_space_put(&t->space, row, &configuration);
	*r = (struct kb_campaign_run){.repeat = repeat,
				      .elapsed_s = NAN,
				      .wall_s = NAN,
				      .levels = text_of(&levels),
				      .configuration = text_of(&configuration)};
	predict(t->plan, predictor, row, r);
	if (!r->levels || !r->configuration)
		return err_set(e, ERR_NOMEM, "a campaign's runs");
	return campaign_space_check_command(&t->space, row, e);
}

/* In blocks: each has all configurations once, in an order of its own. n_before: runs that there
 * are. */
static enum err_code make_runs(const struct campaign_target *t, const struct predictor *predictor,
			       const size_t *level, size_t n_points, size_t n_before,
			       struct campaign_choice *c, struct err *e)
{
	const struct campaign_plan *plan = t->plan;
	size_t repeats = (size_t)plan->repeats, n = n_points * repeats, keep = n;
	struct design_run *order;
	enum err_code rc = ERR_OK;

	if (plan->budget.runs > 0 && n_before + n > (size_t)plan->budget.runs) {
		keep = (size_t)plan->budget.runs > n_before ? (size_t)plan->budget.runs - n_before
							    : 0;
		c->n_over_budget = n - keep;
	}
	if (n > SIZE_MAX / 1024 || repeats > 1000000)
		return err_set(e, ERR_NOMEM, "a campaign of %zu runs", n);
	order = calloc(n + 1, sizeof *order);
	c->run = calloc(keep + 1, sizeof *c->run);
	c->row = calloc(keep * t->app->n_columns + 1, sizeof *c->row);
	if (!order || !c->run || !c->row) {
		free(order);
		return err_set(e, ERR_NOMEM, "a campaign of %zu runs", n);
	}
	design_run_order(n_points, repeats, plan->seed + n_before, order);
	for (size_t i = 0; i < keep && !rc; i++)
		rc = add_run(t, predictor, level + order[i].point * t->space.axes.n,
			     (int64_t)order[i].repeat + 1, c, e);
	c->n_configurations = n_points;
	free(order);
	return rc;
}

static enum err_code load_predictor(struct kb *kb, const struct campaign_target *t,
				    struct predictor **out, struct err *e)
{
	const struct mine_target on = {t->app, t->app_id, t->machine, t->machine_id};
	struct err why = {0};
	char snapshot[65];
	bool stale;
	enum err_code rc;

	*out = NULL;
	if (t->machine_id == 0)
		return ERR_OK;
	rc = mine_load(kb, &on, out, &stale, snapshot, &why);
	if (rc == ERR_NOTMINED)
		return ERR_OK;
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static void count_space(const struct campaign_target *t, size_t n_legal, struct campaign_choice *c)
{
	c->n_legal = n_legal;
	c->n_combinations = 1;
	for (size_t i = 0; i < t->plan->n_factors; i++)
		c->n_combinations *= t->space.n_levels[i];
}

static enum err_code choose_at_once(struct kb *kb, const struct campaign_target *t,
				    const struct progress *p, struct campaign_choice *c,
				    struct err *e)
{
	struct predictor *predictor = NULL;
	struct design d = {0};
	enum err_code rc;

	if ((rc = load_predictor(kb, t, &predictor, e)) ||
	    (rc = make_design(t, t->plan->design.kind, p, &d, e)))
		goto done;
	if (t->plan->design.kind == PLAN_FULL)
		count_space(t, d.n, c);
	rc = make_runs(t, predictor, d.level, d.n, 0, c, e);
done:
	design_release(&d);
	predictor_free(predictor);
	return rc;
}

/* ---- the adaptive design ---- */

/* All legal configurations, and what was chosen of them. */
struct points {
	struct design all;
	double *row;
	unsigned char *runnable;
	size_t n_chosen;
};

static void points_release(struct points *p)
{
	design_release(&p->all);
	free(p->row);
	free(p->runnable);
}

static void mark_chosen(const struct campaign_target *t, const struct kb_campaign_runs *sofar,
			size_t *level, struct points *p)
{
	size_t n = t->space.axes.n;

	for (size_t r = 0; r < sofar->n; r++) {
		if (!read_levels(&t->space, sofar->item[r].levels, level))
			continue;
		for (size_t i = 0; i < p->all.n; i++) {
			if (!p->runnable[i] ||
			    memcmp(design_point(&p->all, i), level, n * sizeof *level))
				continue;
			p->runnable[i] = 0;
			p->n_chosen++;
		}
	}
}

static enum err_code points_make(const struct campaign_target *t,
				 const struct kb_campaign_runs *sofar, const struct progress *p,
				 struct points *out, struct err *e)
{
	size_t *level = calloc(t->space.axes.n + 1, sizeof *level);
	enum err_code rc = make_design(t, PLAN_ADAPTIVE, p, &out->all, e);

	if (!rc) {
		out->row = calloc(out->all.n * t->app->n_columns + 1, sizeof *out->row);
		out->runnable = calloc(out->all.n + 1, 1);
		if (!level || !out->row || !out->runnable)
			rc = err_set(e, ERR_NOMEM, "%zu configurations", out->all.n);
	}
	for (size_t i = 0; !rc && i < out->all.n; i++) {
		campaign_space_row(&t->space, design_point(&out->all, i),
				   out->row + i * t->app->n_columns, NULL);
		out->runnable[i] = 1;
	}
	if (!rc)
		mark_chosen(t, sofar, level, out);
	free(level);
	return rc;
}

/* Those of the plan, in one block as adaptive_questions_of_space() makes them. */
static enum err_code make_questions(const struct campaign_target *t, const struct points *p,
				    struct adaptive_question **out, size_t *n, struct err *e)
{
	const struct campaign_plan *plan = t->plan;
	struct adaptive_question *q;
	size_t *point;
	enum err_code rc = ERR_OK;

	if (plan->n_questions == 0)
		return adaptive_questions_of_space(t->app, p->row, p->all.n, out, n, e);
	q = malloc(plan->n_questions * (sizeof *q + p->all.n * sizeof *point) + sizeof *point);
	if (!q)
		return err_set(e, ERR_NOMEM, "a campaign's questions");
	point = (size_t *)(void *)(q + plan->n_questions);
	for (size_t i = 0; i < plan->n_questions && !rc; i++) {
		size_t k = 0;

		for (size_t j = 0; j < p->all.n; j++) {
			if (campaign_space_asks(&t->space, i, p->row + j * t->app->n_columns, e))
				point[k++] = j;
		}
		q[i] = (struct adaptive_question){.point = point,
						  .n = k,
						  .deadline_s = plan->question[i].deadline_s,
						  .objective = plan->question[i].objective,
						  .weight = plan->question[i].weight};
		point += k;
		if (k == 0)
			rc = campaign_plan_fail(plan, plan->question[i].line, ERR_PARSE, e,
						"no configuration of the plan has this problem");
	}
	if (rc) {
		free(q);
		return rc;
	}
	*out = q;
	*n = plan->n_questions;
	return ERR_OK;
}

/* How many configurations to choose now; 0: it has enough. */
static size_t batch_size(const struct campaign_target *t, const struct points *p, bool first)
{
	const struct campaign_plan *plan = t->plan;
	size_t n = plan->design.batch ? (size_t)plan->design.batch : USUAL_BATCH;
	size_t size = plan->design.size ? (size_t)plan->design.size : SIZE_MAX;

	if (first)
		n = plan->design.initial ? (size_t)plan->design.initial
					 : adaptive_default_start(t->app, p->row, p->all.n);
	if (p->n_chosen >= size)
		return 0;
	return n < size - p->n_chosen ? n : size - p->n_chosen;
}

static enum err_code take_choice(struct kb *kb, const struct campaign_target *t,
				 const struct mine_input *in, const struct points *p,
				 const struct adaptive_choice *chosen, size_t n_before,
				 struct campaign_choice *c, struct err *e)
{
	struct predictor *predictor = NULL;
	struct err why = {0};
	size_t n = t->space.axes.n;
	size_t *level = calloc(chosen->n * n + 1, sizeof *level);
	enum err_code rc = level ? ERR_OK : err_set(e, ERR_NOMEM, "a campaign's runs");

	/* What was measured since is in the limits, too; before it, what was mined. */
	if (!rc) {
		rc = predictor_fit(NULL, &in->fit, &predictor, &why);
		if (rc == ERR_NODATA || rc == ERR_NUMERIC)
			rc = load_predictor(kb, t, &predictor, e);
		else if (rc)
			err_set(e, rc, "%s", why.msg);
	}
	for (size_t i = 0; !rc && i < chosen->n; i++)
		memcpy(level + i * n, design_point(&p->all, chosen->run[i].point),
		       n * sizeof *level);
	if (!rc)
		rc = make_runs(t, predictor, level, chosen->n, n_before, c, e);
	predictor_free(predictor);
	free(level);
	return rc;
}

static enum err_code choose_next(struct kb *kb, const struct campaign_target *t,
				 const struct kb_campaign_runs *sofar, const struct points *points,
				 const struct progress *p, struct campaign_choice *c, struct err *e)
{
	/* 0 would be all machines */
	const struct mine_target on = {t->app, t->app_id, t->machine,
				       t->machine_id ? t->machine_id : -1};
	struct adaptive_question *question = NULL;
	struct adaptive_choice chosen = {0};
	struct mine_input in = {0};
	struct adaptive_request q = {
		.in = &in.fit,
		.row = points->row,
		.n_points = points->all.n,
		.runnable = points->runnable,
		.n_batch = batch_size(t, points, sofar->n == 0),
		.n_start = (size_t)t->plan->design.initial,
		.per_node_hour = t->plan->budget.node_hours > 0,
		.seed = t->plan->seed + sofar->n,
	};
	enum err_code rc;

	if ((rc = make_questions(t, points, &question, &q.n_questions, e)) ||
	    (rc = mine_input_load(kb, &on, p, &in, e)))
		goto done;
	q.question = question;
	if ((rc = adaptive_choose(&q, &chosen, e)))
		goto done;
	c->expected_loss = chosen.loss;
	if (chosen.n > 0 && !(rc = take_choice(kb, t, &in, points, &chosen, sofar->n, c, e)))
		c->more = true;
done:
	adaptive_choice_release(&chosen);
	mine_input_release(&in);
	free(question);
	return rc;
}

static enum err_code choose_adaptively(struct kb *kb, const struct campaign_target *t,
				       const struct kb_campaign_runs *sofar,
				       const struct progress *p, struct campaign_choice *c,
				       struct err *e)
{
	struct points points = {0};
	enum err_code rc = points_make(t, sofar, p, &points, e);

	count_space(t, points.all.n, c);
	if (!rc)
		rc = choose_next(kb, t, sofar, &points, p, c, e);
	points_release(&points);
	return rc;
}

/* ---- either ---- */

enum err_code campaign_choose(struct kb *kb, const struct campaign_target *t,
			      const struct kb_campaign_runs *sofar, const struct progress *p,
			      struct campaign_choice *out, struct err *e)
{
	static const struct kb_campaign_runs none;
	struct campaign_choice c = {.expected_loss = NAN};
	enum err_code rc = ERR_OK;

	if (!sofar)
		sofar = &none;
	if (t->plan->design.kind == PLAN_ADAPTIVE)
		rc = choose_adaptively(kb, t, sofar, p, &c, e);
	else if (sofar->n == 0)
		rc = choose_at_once(kb, t, p, &c, e);
	if (rc)
		campaign_choice_release(&c);
	else
		*out = c;
	return rc;
}

void campaign_choice_release(struct campaign_choice *c)
{
	for (size_t i = 0; i < c->n; i++)
		kb_campaign_run_release(&c->run[i]);
	free(c->run);
	free(c->row);
	*c = (struct campaign_choice){0};
}
