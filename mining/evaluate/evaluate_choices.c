#include "mining/evaluate/evaluate_choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include "mining/cases/rule_miners.h"
#include "mining/numerics/group_by.h"
#include "mining/rules/mine_rules.h"

void single_best_release(struct single_best *f)
{
	free(f->row);
	f->row = NULL;
}

bool single_best_holds(const struct single_best *f, const double *row)
{
	if (!f->row)
		return false;
	for (size_t c = 0; c < f->app->n_columns; c++) {
		if (f->app->column[c].role == COL_TUNABLE && row[c] != f->row[c] &&
		    !(isnan(row[c]) && isnan(f->row[c])))
			return false;
	}
	return true;
}

/* Of one setting: its cases, and the mean over them of its mean log slow-down in each. */
struct setting_mean {
	size_t n_cases;
	double mean;
};

/* sum[], n[]: by case, zero, and left so. */
static struct setting_mean average(const struct slowdown_table *t, const uint32_t *config,
				   const uint32_t *member, size_t n_members, double *sum, size_t *n)
{
	struct setting_mean out = {0};

	for (size_t k = 0; k < n_members; k++) {
		uint32_t i = config[member[k]];

		sum[t->stratum[i]] += t->log_slowdown[i];
		n[t->stratum[i]]++;
	}
	for (size_t k = 0; k < n_members; k++) {
		uint32_t s = t->stratum[config[member[k]]];

		if (n[s] == 0)
			continue;
		out.mean += sum[s] / (double)n[s];
		out.n_cases++;
		sum[s] = 0;
		n[s] = 0;
	}
	out.mean /= (double)out.n_cases;
	return out;
}

static size_t best_setting(const struct setting_mean *of, size_t n)
{
	size_t most = 0, best = 0;

	for (size_t g = 0; g < n; g++)
		most = of[g].n_cases > most ? of[g].n_cases : most;
	for (size_t g = 0; g < n; g++) {
		bool common = 2 * of[g].n_cases >= most;

		if (common && (2 * of[best].n_cases < most || of[g].mean < of[best].mean))
			best = g;
	}
	return best;
}

struct settings {
	/* configurations that can be compared, a run of each, its setting; a run of each setting */
	uint32_t *config, *run, *group, *first;
	size_t n, n_groups;
};

static void list_configurations(const struct slowdown_table *t, struct settings *s)
{
	for (size_t i = 0; i < t->n; i++) {
		if (isnan(t->log_slowdown[i]))
			continue;
		s->config[s->n] = (uint32_t)i;
		s->run[s->n++] = t->first_run[i];
	}
}

/* Agreement in all tunables makes a setting. */
static enum err_code group_settings(const struct slowdown_table *t, struct settings *s,
				    struct err *e)
{
	size_t *column = calloc(t->n_columns + 1, sizeof *column);
	struct row_key key = row_key_of(t->runs, column);
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "tunables of %s", t->app->name);
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->app->column[c].role == COL_TUNABLE)
			column[key.n_key++] = c;
	}
	rc = group_by(&key, s->run, s->n, s->group, s->first, &s->n_groups, e);
	free(column);
	return rc;
}

static enum err_code compare_settings(const struct slowdown_table *t, const struct settings *s,
				      size_t *best, struct err *e)
{
	uint32_t *start = NULL, *member;
	double *sum = calloc(t->n_strata + 1, sizeof *sum);
	size_t *n = calloc(t->n_strata + 1, sizeof *n);
	struct setting_mean *mean = calloc(s->n_groups + 1, sizeof *mean);
	enum err_code rc;

	if (!sum || !n || !mean) {
		rc = err_set(e, ERR_NOMEM, "%zu settings", s->n_groups);
		goto done;
	}
	if ((rc = group_members(s->group, s->n, s->n_groups, &start, &member, e)))
		goto done;
	for (size_t g = 0; g < s->n_groups; g++)
		mean[g] = average(t, s->config, member + start[g], start[g + 1] - start[g], sum, n);
	*best = best_setting(mean, s->n_groups);
done:
	free(start);
	free(sum);
	free(n);
	free(mean);
	return rc;
}

enum err_code single_best_find(const struct slowdown_table *t, struct single_best *out,
			       struct err *e)
{
	uint32_t *own = malloc(4 * t->n * sizeof *own + 1);
	double *row = calloc(t->n_columns + 1, sizeof *row);
	struct settings s = {0};
	struct single_best found = {.app = t->app};
	size_t best = 0;
	enum err_code rc = ERR_OK;

	if (!own || !row) {
		rc = err_set(e, ERR_NOMEM, "settings of %zu configurations", t->n);
		goto done;
	}
	s = (struct settings){own, own + t->n, own + 2 * t->n, own + 3 * t->n, 0, 0};
	list_configurations(t, &s);
	if (s.n > 0) {
		if ((rc = group_settings(t, &s, e)) || (rc = compare_settings(t, &s, &best, e)))
			goto done;
		memcpy(row, dataset_row(t->runs, s.first[best]), t->n_columns * sizeof *row);
		found.row = row;
		row = NULL;
	}
	*out = found;
done:
	free(own);
	free(row);
	return rc;
}

/* What was learned from the training part of a fold. */
struct learned {
	struct rule_set setting, choice;
	struct single_best fixed;
};

/* A held-out case: its configurations that can be compared. */
struct held_out_case {
	const struct slowdown_table *t;
	const uint32_t *config;
	size_t n;
	double *work; /* [n] */
};

void choice_scores_release(struct choice_scores *s)
{
	free(s->item);
	error_list_release(&s->slowdown);
	*s = (struct choice_scores){.item = NULL};
}

static void learned_release(struct learned *l)
{
	rule_set_release(&l->setting);
	rule_set_release(&l->choice);
	single_best_release(&l->fixed);
}

static enum err_code learn(const struct dataset *train, const struct progress *p,
			   struct learned *out, struct err *e)
{
	struct slowdown_table *t = NULL;
	struct rule_list setting = {0}, choice = {0};
	struct err why = {0};
	enum err_code rc = slowdown_table_make(train, p, &t, &why);

	if (rc == ERR_NODATA) /* all that is left is flagged: nothing is learned */
		return ERR_OK;
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	if (!(rc = mine_setting_rules(t, p, &setting, e)) &&
	    !(rc = mine_choice_rules(t, p, &choice, e)) &&
	    !(rc = rule_set_make(t->app, &setting, &out->setting, e)) &&
	    !(rc = rule_set_make(t->app, &choice, &out->choice, e)))
		rc = single_best_find(t, &out->fixed, e);
	rule_list_release(&setting);
	rule_list_release(&choice);
	slowdown_table_free(t);
	return rc;
}

/* ---- settings ---- */

/* Regret of the median of the n values in work. */
static double regret_of(const struct held_out_case *c, size_t n)
{
	return expm1(gsl_stats_median(c->work, 1, n));
}

/* The most useful rule that holds for something that was run with its setting. */
static bool follow_rules(const struct held_out_case *c, const struct rule_set *rules,
			 double *regret, bool *as_promised)
{
	for (size_t r = 0; r < rules->rules.n; r++) {
		size_t n = 0;

		for (size_t k = 0; k < c->n; k++) {
			const double *row = slowdown_row(c->t, c->config[k]);

			if (rule_condition_holds(rules->test[r], row) &&
			    rule_setting_holds(rules->test[r], row))
				c->work[n++] = c->t->log_slowdown[c->config[k]];
		}
		if (n > 0) {
			*regret = regret_of(c, n);
			*as_promised = *regret <= rules->rules.item[r].within;
			return true;
		}
	}
	return false;
}

static bool follow_fixed(const struct held_out_case *c, const struct single_best *fixed,
			 double *regret)
{
	size_t n = 0;

	for (size_t k = 0; k < c->n; k++) {
		if (single_best_holds(fixed, slowdown_row(c->t, c->config[k])))
			c->work[n++] = c->t->log_slowdown[c->config[k]];
	}
	if (n > 0)
		*regret = regret_of(c, n);
	return n > 0;
}

static void choose(const struct held_out_case *c, const struct learned *l, struct choice_case *out)
{
	for (size_t k = 0; k < c->n; k++)
		c->work[k] = c->t->log_slowdown[c->config[k]];
	/* where a method names nothing that was run */
	out->regret[CHOOSE_RANDOM] = regret_of(c, c->n);
	out->regret[CHOOSE_RULES] = out->regret[CHOOSE_FIXED] = out->regret[CHOOSE_RANDOM];
	out->covered[CHOOSE_RANDOM] = true;
	out->covered[CHOOSE_FIXED] = follow_fixed(c, &l->fixed, &out->regret[CHOOSE_FIXED]);
	out->covered[CHOOSE_RULES] =
		follow_rules(c, &l->setting, &out->regret[CHOOSE_RULES], &out->as_promised);
}

/* ---- choice rules ---- */

/* Means of log slow-down of the choices that meet the condition, and of the others; false when
 * there are not both. */
static bool compare(const struct held_out_case *c, const struct rule_test *test, double *in,
		    double *others)
{
	double sum[2] = {0};
	size_t n[2] = {0};

	for (size_t k = 0; k < c->n; k++) {
		bool holds = rule_condition_holds(test, slowdown_row(c->t, c->config[k]));

		sum[holds] += c->t->log_slowdown[c->config[k]];
		n[holds]++;
	}
	if (n[0] == 0 || n[1] == 0)
		return false;
	*in = sum[1] / (double)n[1];
	*others = sum[0] / (double)n[0];
	return true;
}

static enum err_code ask_choice_rules(const struct held_out_case *c, const struct rule_set *rules,
				      struct choice_scores *s, bool *compared, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t r = 0; r < rules->rules.n && !rc; r++) {
		double in, others;

		if (!compare(c, rules->test[r], &in, &others))
			continue;
		*compared = true;
		s->n_slower += in > others;
		rc = error_list_add(&s->slowdown,
				    rules->rules.item[r].evidence.effect / exp(in) - 1, e);
	}
	return rc;
}

/* ---- a fold ---- */

static enum err_code reserve_case(struct choice_scores *s, struct err *e)
{
	size_t cap = 2 * s->cap + 64;
	struct choice_case *grown;

	if (s->n < s->cap)
		return ERR_OK;
	grown = realloc(s->item, cap * sizeof *grown);
	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu held-out cases", cap);
	s->item = grown;
	s->cap = cap;
	return ERR_OK;
}

static enum err_code ask_case(const struct held_out_case *c, uint32_t problem,
			      const struct learned *l, struct choice_scores *s, struct err *e)
{
	struct choice_case *out;
	enum err_code rc = reserve_case(s, e);

	if (rc)
		return rc;
	out = &s->item[s->n++];
	*out = (struct choice_case){.problem = problem};
	choose(c, l, out);
	return ask_choice_rules(c, &l->choice, s, &out->compared, e);
}

static enum err_code ask_cases(const struct slowdown_table *all, const unsigned char *held_out,
			       const uint32_t *problem_of, const struct learned *l,
			       struct choice_scores *s, struct err *e)
{
	uint32_t *start = NULL, *member, *config = malloc((all->n + 1) * sizeof *config);
	double *work = malloc((all->n + 1) * sizeof *work);
	enum err_code rc;

	if (!config || !work) {
		rc = err_set(e, ERR_NOMEM, "cases of %zu configurations", all->n);
		goto done;
	}
	if ((rc = group_members(all->stratum, all->n, all->n_strata, &start, &member, e)))
		goto done;
	for (size_t c = 0; c < all->n_strata && !rc; c++) {
		struct held_out_case held = {.t = all, .config = config, .work = work};

		for (uint32_t k = start[c]; k < start[c + 1]; k++) {
			if (held_out[member[k]] && !isnan(all->log_slowdown[member[k]]))
				config[held.n++] = member[k];
		}
		if (held.n >= 2)
			rc = ask_case(&held, problem_of[config[0]], l, s, e);
	}
done:
	free(start);
	free(config);
	free(work);
	return rc;
}

enum err_code evaluate_choices(const struct dataset *train, const struct slowdown_table *all,
			       const unsigned char *held_out, const uint32_t *problem_of,
			       const struct progress *p, struct choice_scores *s, struct err *e)
{
	struct learned l = {.fixed = {.row = NULL}};
	enum err_code rc = learn(train, p, &l, e);

	if (!rc) {
		s->n_folds++;
		s->n_setting_rules += l.setting.rules.n;
		s->n_choice_rules += l.choice.rules.n;
		for (size_t i = 0; i < all->n; i++)
			s->n_train += !held_out[i];
		rc = ask_cases(all, held_out, problem_of, &l, s, e);
	}
	learned_release(&l);
	return rc;
}
