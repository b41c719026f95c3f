#ifndef TESTS_RECOMMEND_MADE_RULES_H
#define TESTS_RECOMMEND_MADE_RULES_H
#include "tests/unit/recommend/shared_world.h"

/* A world and hand-made rules, for tests of what rules do to an answer. */

enum { MAX_RULES = 12 };

static double row[WORLD_COLUMNS];

/* Hand-made rules, refilled by each test. */
static struct rule *rule[MAX_RULES];
static struct active_rule in_use[MAX_RULES];
static size_t n_rules;

static inline void drop_rules(void)
{
	while (n_rules > 0) {
		rule_release(rule[--n_rules]);
		free(rule[n_rules]);
	}
}

static inline int no_rules(void **state)
{
	drop_rules();
	return 0;
}

static inline struct rule *add_rule(enum rule_kind kind, enum kb_rule_state state,
				    const char *condition, const char *setting)
{
	struct rule *r = calloc(1, sizeof *r);

	assert_true(r && n_rules < MAX_RULES);
	*r = (struct rule){.kind = kind, .condition = strdup(condition), .within = 0.01};
	r->setting = setting ? strdup(setting) : NULL;
	r->coefficient = r->min = r->max = 1;
	must(rule_identify(world.app, r, &err));
	rule[n_rules] = r;
	in_use[n_rules++] = (struct active_rule){r, state};
	return r;
}

static inline struct advice_request request(const char *problem, const char *fixed,
					    double deadline_s)
{
	struct advice_request q;

	world_row(&world, row, problem, fixed);
	q = world_request(&world, row, deadline_s);
	q.rules = in_use;
	q.n_rules = n_rules;
	return q;
}

static inline struct advice *find_without(struct advice_request q)
{
	q.rules = NULL;
	q.n_rules = 0;
	return world_find(&q);
}

static inline bool same_rows(const double *a, const double *b)
{
	return !memcmp(a, b, world.app->n_columns * sizeof *a);
}

static inline void check_same_choice(const struct advice *a, const struct advice *b)
{
	assert_int_equal(a->feasible, b->feasible);
	assert_true(same_rows(a->best.row, b->best.row));
	check_abs(a->best.prediction.time_s, b->best.prediction.time_s, 0);
	assert_int_equal(a->n_alternative, b->n_alternative);
	for (size_t i = 0; i < a->n_alternative; i++) {
		assert_true(same_rows(a->alternative[i].row, b->alternative[i].row));
		assert_string_equal(a->alternative[i].why, b->alternative[i].why);
	}
}

#endif
