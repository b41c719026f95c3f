#include "tests/support/check.h"

#include "mining/cases/case_contrast.h"
#include "mining/cases/rule_miners.h"
#include "tests/support/planted.h"

FREEABLE(rule_test)
FREEABLE(slowdown_table)

/* Rules are mined from runs whose truth is known, a hundred times over: how many of the planted
 * ones are found, and how many of the found ones are true? */

enum { N_SEEDS = 100, ENOUGH_RUNS = 30 };

struct score {
	size_t n_planted, n_recalled; /* planted ones with enough runs behind them */
	size_t n_found, n_false;
};

static void marks_of_rule(const struct slowdown_table *t, const struct rule *r, unsigned char *in)
{
	FREED(rule_test) *test = NULL;

	must(rule_test_new(t->app, r, &test, &err));
	for (size_t i = 0; i < t->n; i++)
		in[i] = rule_condition_holds(test, slowdown_row(t, i));
}

/* The contrast that the rule claims, computed from the true factors without noise. */
static double true_contrast(const struct planted *p, struct slowdown_table *t,
			    const unsigned char *in)
{
	double *measured = t->log_slowdown;
	HEAP double *truth = zeroed(t->n, sizeof *truth);
	HEAP unsigned char *item_in = zeroed(t->n, 1);
	RELEASED(case_contrast) c = {0};
	struct contrast found = {0};

	for (size_t i = 0; i < t->n; i++)
		truth[i] = log(planted_factor(p, slowdown_row(t, i)));
	t->log_slowdown = truth;
	must(case_contrast_make(t, &c, &err));
	for (size_t k = 0; k < c.n; k++)
		item_in[k] = in[c.item[k]];
	must(case_contrast_measure(&c, item_in, &found, &err));
	t->log_slowdown = measured;
	return found.beta;
}

static double jaccard(const unsigned char *a, const unsigned char *b, size_t n)
{
	size_t both = 0, either = 0;

	for (size_t i = 0; i < n; i++) {
		both += a[i] && b[i];
		either += a[i] || b[i];
	}
	return either ? (double)both / (double)either : 0;
}

static void hold_against_truth(const struct planted *p, struct slowdown_table *t,
			       const struct rule_list *found, struct score *s)
{
	HEAP unsigned char *in = zeroed((found->n + 1) * t->n, 1), *planted = zeroed(t->n, 1);

	for (size_t r = 0; r < found->n; r++) {
		unsigned char *marks = in + r * t->n;
		double claim = log(found->item[r].evidence.versus_others);

		marks_of_rule(t, &found->item[r], marks);
		s->n_found++;
		if (!(true_contrast(p, t, marks) >= claim / 2))
			s->n_false++;
	}
	for (size_t k = 0; k < p->n_rules; k++) {
		size_t n_runs = 0;
		bool recalled = false;

		for (size_t i = 0; i < t->n; i++) {
			planted[i] = planted_holds(p, k, slowdown_row(t, i));
			n_runs += planted[i];
		}
		if (n_runs < ENOUGH_RUNS)
			continue;
		for (size_t r = 0; r < found->n; r++)
			recalled |= jaccard(planted, in + r * t->n, t->n) >= 0.5;
		s->n_planted++;
		s->n_recalled += recalled;
	}
}

static struct score mine_many(struct planted_design design)
{
	struct score s = {0};

	for (design.seed = 1; design.seed <= N_SEEDS; design.seed++) {
		RELEASED(planted) p = {0};
		FREED(slowdown_table) *t = NULL;
		RELEASED(rule_list) found = {0};

		assert_int_equal(planted_make(&design, &p), 0);
		must(slowdown_table_make(p.runs, NULL, &t, &err));
		must(mine_choice_rules(t, NULL, &found, &err));
		hold_against_truth(&p, t, &found, &s);
	}
	print_message("planted %zu, recalled %zu; found %zu, false %zu\n", s.n_planted,
		      s.n_recalled, s.n_found, s.n_false);
	return s;
}

TEST(planted_rules_are_found_and_few_others)
{
	struct score s = mine_many((struct planted_design){.n_rules = 1,
							   .n_problems = 12,
							   .n_per_case = 10,
							   .min_factor = 1.1,
							   .max_factor = 2,
							   .noise = 0.03});

	assert_true((double)s.n_recalled >= 0.9 * (double)s.n_planted);
	assert_true((double)s.n_false <= 0.1 * (double)s.n_found);
}

TEST(several_rules_are_told_apart)
{
	struct score s = mine_many((struct planted_design){.n_rules = 3,
							   .n_problems = 12,
							   .n_per_case = 10,
							   .min_factor = 1.1,
							   .max_factor = 2,
							   .noise = 0.03,
							   .disturbed = 0.03});

	assert_true((double)s.n_recalled >= 0.9 * (double)s.n_planted);
	assert_true((double)s.n_false <= 0.1 * (double)s.n_found);
}

TEST(an_auto_tuners_log_gives_the_same_rules)
{
	struct score s = mine_many((struct planted_design){.n_rules = 1,
							   .n_problems = 12,
							   .n_per_case = 20,
							   .min_factor = 1.1,
							   .max_factor = 2,
							   .noise = 0.03,
							   .biased = true});

	assert_true((double)s.n_recalled >= 0.9 * (double)s.n_planted);
	assert_true((double)s.n_false <= 0.1 * (double)s.n_found);
}

TEST(noise_alone_gives_no_rules)
{
	struct score s = mine_many((struct planted_design){.n_rules = 0,
							   .n_problems = 12,
							   .n_per_case = 10,
							   .min_factor = 1,
							   .max_factor = 1,
							   .noise = 0.1,
							   .disturbed = 0.05});

	/* At 5 % false discovery one in twenty data sets may show a rule. */
	assert_true(s.n_found <= 5);
}
