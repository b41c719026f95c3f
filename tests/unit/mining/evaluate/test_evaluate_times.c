#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/cases/rule_miners.h"
#include "mining/evaluate/evaluate_rules.h"
#include "mining/evaluate/regression_tree.h"
#include "mining/rules/mine_rules.h"

FREEABLE(predictor)
FREEABLE(regression_tree)
FREEABLE(slowdown_table)

/* One fold: what was learned from, and a table of that and of what is asked. */

static const struct machine machine = {.name = (char *)(uintptr_t) "m"};

enum { MAX_CONFIGURATIONS = QR_DESIGN_N };

struct fold {
	struct dataset *train, *runs;
	struct fit_input in;
	struct config_table *t;
	unsigned char test[MAX_CONFIGURATIONS];
	struct time_score score[TIME_METHODS];
};

static void fold_open(struct fold *f)
{
	memset(f, 0, sizeof *f);
	f->train = dataset_new(app);
	f->runs = dataset_new(app);
	f->in = (struct fit_input){.runs = f->train, .machine = &machine};
}

static void fold_add(struct fold *f, struct qr c, double wall_s, bool test)
{
	f->test[f->runs->n] = test;
	qr_add(f->runs, c, wall_s);
	if (!test)
		qr_add(f->train, c, wall_s);
}

static enum err_code fold_score(struct fold *f, struct err *e)
{
	enum err_code rc = ERR_OK;

	if (!f->t)
		rc = config_table_make(f->runs, &f->t, e);
	return rc ? rc : evaluate_times(&f->in, f->t, f->test, f->score, e);
}

static void forget_scores(struct fold *f)
{
	for (int m = 0; m < TIME_METHODS; m++)
		error_list_release(&f->score[m].error);
	memset(f->score, 0, sizeof f->score);
}

static void fold_release(struct fold *f)
{
	forget_scores(f);
	config_table_free(f->t);
	dataset_free(f->train);
	dataset_free(f->runs);
}

/* Learned from 1, 2, 4 and 8 s, whose typical time is the root of 8; asked are 2 and 10 s. */
static void add_few(struct fold *f)
{
	for (int i = 0; i < 4; i++)
		fold_add(f, (struct qr){1000 + i, 500, 16, 0, 1}, 1 << i, false);
	fold_add(f, (struct qr){2000, 500, 16, 0, 1}, 2, true);
	fold_add(f, (struct qr){3000, 500, 16, 0, 1}, 10, true);
}

TEST(where_no_rule_holds_the_time_is_the_typical_one)
{
	RELEASED(fold) f;
	const struct time_score *s = &f.score[TIME_RULES];

	fold_open(&f);
	add_few(&f);
	must(fold_score(&f, &err));
	assert_string_equal(s->name, "time rules");
	assert_int_equal(s->error.n, 2);
	check_rel(s->error.value[0], sqrt(8) / 2 - 1, 1e-12);
	check_rel(s->error.value[1], sqrt(8) / 10 - 1, 1e-12);
	assert_int_equal(s->n_train, 4);
	assert_int_equal(s->n_covered, 0);
	assert_int_equal(s->n_folds, 1);
	assert_int_equal(s->n_parts, 0);
	/* a tree always has something to say: of so few, one leaf */
	s = &f.score[TIME_TREE];
	assert_string_equal(s->name, "single tree");
	assert_int_equal(s->n_parts, 1);
	assert_int_equal(s->n_covered, 2);
	check_rel(s->error.value[1], sqrt(8) / 10 - 1, 1e-12);
}

TEST(a_law_of_too_few_scores_nothing_and_folds_add_up)
{
	RELEASED(fold) f;
	struct err e = {0};

	fold_open(&f);
	add_few(&f);
	check_ok(fold_score(&f, &e), &e);
	check_ok(fold_score(&f, &e), &e);
	assert_int_equal(e.code, ERR_OK);
	assert_string_equal(f.score[TIME_POWER_LAW].name, "power-law");
	assert_int_equal(f.score[TIME_POWER_LAW].n_folds, 0);
	assert_int_equal(f.score[TIME_PREDICTOR].n_folds, 2);
	assert_int_equal(f.score[TIME_PREDICTOR].error.n, 4);
	assert_int_equal(f.score[TIME_FOLLOWING].n_folds, 2);
	assert_int_equal(f.score[TIME_TREE].n_folds, 2);
	assert_int_equal(f.score[TIME_TREE].n_train, 8);
	assert_int_equal(f.score[TIME_TREE].error.n, 4);
}

TEST(where_all_that_is_left_is_flagged_nothing_is_scored)
{
	RELEASED(fold) f;

	fold_open(&f);
	add_few(&f);
	memset(f.train->flagged, 1, f.train->n);
	must(fold_score(&f, &err));
	for (int m = 0; m < TIME_METHODS; m++)
		assert_int_equal(f.score[m].n_folds + f.score[m].error.n, 0);
}

/* Three fifths of 162 configurations are learned from, one fifth is asked; layout "column" is
 * slowed by large blocks, so that there are rules of their own for layouts. */
static void add_many(struct fold *f)
{
	for (int i = 0; i < QR_DESIGN_N; i++) {
		struct qr c = qr_design(i);
		double slower = c.layout == 1 ? 1 + c.b / 64 : 1;

		if (i % 5 < 4)
			fold_add(f, c, qr_power_law(c) * slower, i % 5 == 0);
	}
}

/* What a rule set says of a row: the geometric mean of what its formulas say that hold; NaN: none
 * does. followed: only rules with a weight. */
static double rules_say(const struct rule_set *s, const double *row, bool followed)
{
	double product = 1;
	int n = 0;

	for (size_t r = 0; r < s->rules.n; r++) {
		if (rule_condition_holds(s->test[r], row) &&
		    (!followed || s->rules.item[r].weight > 0)) {
			product *= rule_formula(s->test[r], row);
			n++;
		}
	}
	return n > 0 ? pow(product, 1.0 / n) : (double)NAN;
}

/* The parts themselves, each asked as anybody could. */
TEST(each_method_is_asked_what_was_held_out)
{
	FREED(slowdown_table) *seen = NULL;
	FREED(regression_tree) *tree = NULL;
	FREED(predictor) *power = NULL, *own = NULL;
	struct rule_list mined = {0}, corrections = {0};
	RELEASED(rule_set) rules = {0}, followed = {0};
	RELEASED(fold) f;
	size_t n = 0, n_covered = 0, n_following = 0, n_weighty = 0;

	fold_open(&f);
	add_many(&f);
	must(fold_score(&f, &err));
	must(slowdown_table_make(f.train, NULL, &seen, &err));
	must(regression_tree_fit(seen, &tree, &err));
	must(predictor_fit("power-law", &f.in, &power, &err));
	must(predictor_fit(NULL, &f.in, &own, &err));
	must(mine_time_rules(seen, NULL, NULL, &mined, &err));
	must(rule_set_make(app, &mined, &rules, &err));
	must(mine_time_rules(seen, own, NULL, &corrections, &err));
	must(rule_set_make(app, &corrections, &followed, &err));
	assert_true(rules.rules.n > 1);
	for (size_t i = 0; i < f.t->n; i++) {
		const double *row = config_table_row(f.t, i);
		double measured_s = f.t->time_s[i], rule_s = rules_say(&rules, row, false);
		struct prediction at;

		if (!f.test[i])
			continue;
		n_covered += isnan(rule_s) ? 0 : 1;
		n_following += isnan(rules_say(&followed, row, true)) ? 0 : 1;
		if (!isnan(rule_s))
			check_abs(f.score[TIME_RULES].error.value[n], rule_s / measured_s - 1,
				  1e-12);
		check_abs(f.score[TIME_TREE].error.value[n],
			  exp(regression_tree_log_time(tree, row)) / measured_s - 1, 1e-12);
		predictor_predict(power, row, 1, &at);
		check_abs(f.score[TIME_POWER_LAW].error.value[n], at.time_s / measured_s - 1,
			  1e-12);
		predictor_predict(own, row, 1, &at);
		check_abs(f.score[TIME_PREDICTOR].error.value[n], at.time_s / measured_s - 1,
			  1e-12);
		n++;
	}
	for (size_t r = 0; r < followed.rules.n; r++)
		n_weighty += followed.rules.item[r].weight > 0;
	for (int m = 0; m < TIME_METHODS; m++) {
		assert_int_equal(f.score[m].error.n, n);
		assert_int_equal(f.score[m].n_train, f.t->n - n);
	}
	assert_int_equal(f.score[TIME_RULES].n_covered, n_covered);
	assert_int_equal(f.score[TIME_RULES].n_parts, rules.rules.n);
	assert_int_equal(f.score[TIME_TREE].n_parts, regression_tree_leaves(tree));
	assert_int_equal(f.score[TIME_POWER_LAW].n_covered, n);
	assert_int_equal(f.score[TIME_PREDICTOR].n_covered, n);
	assert_int_equal(f.score[TIME_FOLLOWING].n_covered, n_following);
	assert_int_equal(f.score[TIME_FOLLOWING].n_parts, n_weighty);
	assert_string_equal(f.score[TIME_PREDICTOR].name, predictor_name(own));
	assert_string_equal(f.score[TIME_FOLLOWING].name, "gaussian-process and time rules");
}

TEST(no_times_are_judged_without_memory)
{
	RELEASED(fold) f;
	struct err e = {0};

	fold_open(&f);
	add_few(&f);
	check_ok(config_table_make(f.runs, &f.t, &e), &e);
	/* a list of names for a message may fail to be made where there is no such message */
	failing_each_place_tolerated (fold_score(&f, &e), &e) {
		if (!e.code)
			assert_int_equal(f.score[TIME_TREE].error.n, 2);
		forget_scores(&f);
	}
	assert_int_equal(f.score[TIME_TREE].error.n, 2);
}

TEST_GROUP(qr_set_up, qr_tear_down)
