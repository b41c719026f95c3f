#include "tests/support/made_runs.h"

#include "domain/rule.h"
#include "mining/rules/mine_rules.h"
#include "mining/rules/rule_residuals.h"
#include "tests/support/planted.h"
#include "tests/support/uniform.h"

FREEABLE(slowdown_table)

/* The hard cases: data that tempt a miner to say what is not so. */

static struct mined mine(const struct dataset *d, const char *machine)
{
	struct mined m = {0};

	must(mine_rules(d, NULL, machine, NULL, NULL, &m, &err));
	return m;
}

static size_t count_kind(const struct rule_list *l, enum rule_kind kind)
{
	size_t n = 0;

	for (size_t r = 0; r < l->n; r++)
		n += l->item[r].kind == kind;
	return n;
}

static bool condition_uses(const struct rule *r, const struct application *app, const char *column)
{
	struct expr *x = NULL;
	bool uses = false;

	if (*r->condition) {
		must(expr_parse(r->condition, &app->scope, &x, &err));
		uses = expr_uses(x, application_column(app, column));
		expr_free(x);
	}
	return uses;
}

static const struct planted_design usual = {.seed = 4,
					    .n_rules = 2,
					    .n_problems = 12,
					    .n_per_case = 12,
					    .min_factor = 1.3,
					    .max_factor = 2,
					    .noise = 0.03,
					    .disturbed = 0.02};

static struct planted planted(struct planted_design design)
{
	struct planted p = {0};

	assert_int_equal(planted_make(&design, &p), 0);
	return p;
}

/* ---- the evidence ---- */

/* Runs that count and for which the condition holds, one by one. */
TEST(what_a_rule_rests_on_is_what_it_holds_for)
{
	RELEASED(planted) p = planted(usual);
	RELEASED(mined) m;

	for (size_t i = 0; i < p.runs->n; i += 3)
		p.runs->source[i] = SOURCE_SIMULATED;
	for (size_t i = 0; i < p.runs->n; i += 20)
		p.runs->status[i] = RUN_FAILED;
	for (size_t i = 7; i < p.runs->n; i += 20)
		p.runs->flagged[i] = 1;
	for (size_t i = 0; i < p.runs->n; i += 11)
		p.runs->rows[i * p.runs->n_columns + p.column[PLANT_A]] = NAN;
	m = mine(p.runs, "m1");
	assert_true(m.rules.n >= 2);
	for (size_t r = 0; r < m.rules.n; r++) {
		const struct rule_evidence *v = &m.rules.item[r].evidence;
		struct rule_test *test = NULL;
		int64_t n = 0, n_counting = 0, n_simulated = 0;

		must(rule_test_new(p.app, &m.rules.item[r], &test, &err));
		for (size_t i = 0; i < p.runs->n; i++) {
			bool holds = p.runs->status[i] == RUN_OK && !p.runs->flagged[i] &&
				     rule_condition_holds(test, dataset_row(p.runs, i));

			n += holds;
			n_simulated += holds && p.runs->source[i] == SOURCE_SIMULATED;
			n_counting += p.runs->status[i] == RUN_OK && !p.runs->flagged[i];
		}
		rule_test_free(test);
		assert_int_equal(v->n_runs, n);
		assert_int_equal(v->n_source[SOURCE_SIMULATED], n_simulated);
		assert_int_equal(v->n_source[SOURCE_MEASURED], n - n_simulated);
		assert_int_equal(v->n_machines, 1);
		check_rel(v->coverage, (double)n / (double)n_counting, 1e-12);
		assert_string_equal(m.rules.item[r].machine, "m1");
		assert_int_equal(strlen(m.rules.item[r].id), RULE_ID_SIZE - 1);
		assert_true(r == 0 || v->usefulness <= m.rules.item[r - 1].evidence.usefulness);
	}
}

/* Of each choice and setting as many are told as its residuals name; of time rules none. */
TEST(what_speaks_against_a_rule_is_counted)
{
	RELEASED(planted) p = planted(usual);
	RELEASED(mined) m = mine(p.runs, "m1");
	FREED(slowdown_table) *t = NULL;
	int64_t n_checked = 0;

	must(slowdown_table_make(p.runs, NULL, &t, &err));
	for (size_t r = 0; r < m.rules.n; r++) {
		const struct rule *rule = &m.rules.item[r];
		RELEASED(rule_residuals) w = {.n_checked = 0};

		if (rule->kind == RULE_CHOICE || rule->kind == RULE_SETTING)
			must(rule_residuals_make(t, rule, NULL, &w, &err));
		assert_int_equal(rule->evidence.n_checked, w.n_checked);
		assert_int_equal(rule->evidence.n_counter, w.n_counter);
		n_checked += rule->evidence.n_checked;
	}
	assert_true(n_checked > 0);
}

TEST(the_same_runs_give_the_same_rules)
{
	RELEASED(planted) p = planted(usual);
	RELEASED(mined) one = mine(p.runs, "m1"), other = mine(p.runs, "m1");

	assert_true(one.rules.n > 0);
	assert_int_equal(one.rules.n, other.rules.n);
	for (size_t r = 0; r < one.rules.n; r++) {
		assert_string_equal(one.rules.item[r].id, other.rules.item[r].id);
		assert_string_equal(one.rules.item[r].condition, other.rules.item[r].condition);
		assert_memory_equal(&one.rules.item[r].evidence, &other.rules.item[r].evidence,
				    sizeof one.rules.item[r].evidence);
	}
}

/* ---- too little ---- */

TEST(no_runs_or_one_or_failed_ones_give_no_rules)
{
	RELEASED(planted) p = planted(usual);
	struct dataset *few = dataset_new(p.app);
	struct mined m = mine(few, "m1");

	assert_int_equal(m.rules.n, 0);
	mined_release(&m);
	runs_add(few, dataset_row(p.runs, 0), 1);
	m = mine(few, "m1");
	assert_int_equal(m.rules.n, 0);
	assert_int_equal(m.findings.profile.n_runs, 1);
	mined_release(&m);
	dataset_free(few);

	memset(p.runs->status, RUN_FAILED, p.runs->n);
	m = mine(p.runs, "m1");
	assert_int_equal(m.rules.n, 0);
	mined_release(&m);
}

TEST(equal_times_give_no_rules)
{
	RELEASED(planted) p = planted(usual);
	RELEASED(mined) m;

	for (size_t i = 0; i < p.runs->n; i++)
		p.runs->wall_s[i] = 3.7;
	m = mine(p.runs, "m1");
	/* invariants are about choices, not times */
	assert_int_equal(m.rules.n, count_kind(&m.rules, RULE_INVARIANT));
}

/* ---- columns ---- */

static const char forty[] =
	"t1,t2,t3,t4,t5,t6,t7,t8,t9,t10,t11,t12,t13,t14,t15,t16,t17,t18,t19,t20,"
	"t21,t22,t23,t24,t25,t26,t27,t28,t29,t30,t31,t32,t33,t34,t35,t36,t37,t38,t39,t40";

/* Forty tunables of 5 values each in 20 choices for each of 16 cases. t7 >= 4, t20 = 2 and t33 <= 2
 * are slow by 1.5, 1.4 and 1.3; noise is 3 %. */
static struct dataset *forty_runs(const struct application *app, uint64_t seed)
{
	struct dataset *d = dataset_new(app);

	for (int i = 0; i < 16 * 20; i++) {
		int size = 1 + i / 40;
		double row[64], time_s, u = 0;

		configuration_clear(app, row);
		row[application_column(app, "size")] = size;
		row[application_column(app, "procs")] = i / 20 % 2 ? 4 : 16;
		for (size_t c = 0; c < 40; c++)
			row[application_column(app, "t1") + c] =
				1 + floor(uniform_draw(&seed, 0, 5));
		for (int k = 0; k < 12; k++) /* nearly normal, variance 1 */
			u += uniform_draw(&seed, -0.5, 0.5);
		time_s = size * exp(0.03 * u);
		time_s *= row[application_column(app, "t7")] >= 4 ? 1.5 : 1;
		time_s *= row[application_column(app, "t20")] == 2 ? 1.4 : 1;
		time_s *= row[application_column(app, "t33")] <= 2 ? 1.3 : 1;
		runs_add(d, row, time_s);
	}
	return d;
}

TEST(of_forty_columns_rules_speak_of_the_three_that_matter)
{
	FREED(application) *app = made_application("choices", "size", forty, "", "procs");
	const struct column *t = &app->column[application_column(app, "t1")];
	size_t n_rules = 0, n_wrong = 0, n_found[3] = {0};

	for (uint64_t seed = 1; seed <= 20; seed++) {
		FREED(dataset) *d = forty_runs(app, seed);
		RELEASED(mined) m = mine(d, "m1");
		bool found[3] = {false};

		for (size_t r = 0; r < m.rules.n; r++) {
			const struct rule *rule = &m.rules.item[r];
			bool wrong = false;

			for (size_t c = 0; c < 40; c++) {
				bool uses = condition_uses(rule, app, t[c].name);

				if (c == 6 || c == 19 || c == 32)
					found[c / 13] |= uses && rule->kind == RULE_CHOICE;
				else
					wrong |= uses;
			}
			n_rules++;
			n_wrong += wrong;
		}
		for (size_t k = 0; k < 3; k++)
			n_found[k] += found[k];
	}
	print_message("%zu rules, %zu of other columns; found %zu %zu %zu of 20\n", n_rules,
		      n_wrong, n_found[0], n_found[1], n_found[2]);
	assert_true((double)n_wrong <= 0.05 * (double)n_rules);
	for (size_t k = 0; k < 3; k++)
		assert_true(n_found[k] >= 18);
}

TEST(a_copy_of_a_column_is_not_spoken_of)
{
	FREED(application) *app = made_application("choices", "size", "a,a_again,b", "", "procs");
	FREED(dataset) *d = dataset_new(app);
	RELEASED(mined) m;
	uint64_t seed = 2;

	for (int i = 0; i < 400; i++) {
		double row[8], a = floor(uniform_draw(&seed, 0, 6));
		int size = 1 + i / 40;

		row[application_column(app, "size")] = size;
		row[application_column(app, "procs")] = 4;
		row[application_column(app, "a")] = row[application_column(app, "a_again")] = a;
		row[application_column(app, "b")] = floor(uniform_draw(&seed, 0, 6));
		runs_add(d, row, size * (a >= 4 ? 1.5 : 1) * uniform_draw(&seed, 0.97, 1.03));
	}
	m = mine(d, "m1");
	assert_true(count_kind(&m.rules, RULE_CHOICE) >= 1);
	for (size_t r = 0; r < m.rules.n; r++) {
		if (m.rules.item[r].kind == RULE_INVARIANT) {
			assert_string_equal(m.rules.item[r].setting, "a = a_again");
			continue;
		}
		assert_false(condition_uses(&m.rules.item[r], app, "a_again"));
		assert_true(!m.rules.item[r].setting ||
			    !strstr(m.rules.item[r].setting, "a_again"));
	}
}

/* 200 levels, three runs of each; every tenth level is slow by 1.5. What is said of levels must be
 * true of them; of noise alone nothing is said. */
static struct dataset *level_runs(struct application *app, double factor, uint64_t seed)
{
	struct dataset *d = dataset_new(app);

	for (int i = 0; i < 200; i++) {
		char name[16];

		snprintf(name, sizeof name, "v%03d", i);
		levels_add(&app->column[application_column(app, "variant")].levels, name);
	}
	for (int i = 0; i < 600; i++) {
		double row[8], noise = exp(0.05 * uniform_draw(&seed, -1.7, 1.7));
		int size = 1 + i / 60;
		int level = i * 7 % 200;

		row[application_column(app, "size")] = size;
		row[application_column(app, "procs")] = 4;
		row[application_column(app, "variant")] = level;
		runs_add(d, row, size * (level % 10 == 0 ? factor : 1) * noise);
	}
	return d;
}

TEST(of_two_hundred_levels_only_what_is_true_is_said)
{
	size_t n_flat = 0, n_slow = 0, n_said = 0, n_true = 0;

	for (uint64_t seed = 1; seed <= 5; seed++) {
		for (size_t flat = 0; flat < 2; flat++) {
			struct application *app =
				made_application("choices", "size", "variant", "variant", "procs");
			struct dataset *d = level_runs(app, flat ? 1 : 1.5, seed);
			struct mined m = mine(d, "m1");

			for (size_t r = 0; r < m.rules.n; r++) {
				struct rule_test *test = NULL;

				if (m.rules.item[r].kind != RULE_CHOICE)
					continue;
				n_flat += flat;
				n_slow += !flat;
				must(rule_test_new(app, &m.rules.item[r], &test, &err));
				for (size_t i = 0; i < d->n && !flat; i++) {
					if (!rule_condition_holds(test, dataset_row(d, i)))
						continue;
					n_said++;
					n_true += i * 7 % 200 % 10 == 0;
				}
				rule_test_free(test);
			}
			mined_release(&m);
			dataset_free(d);
			application_free(app);
		}
	}
	print_message("rules: %zu of noise, %zu of slow levels, true of %zu of %zu runs\n", n_flat,
		      n_slow, n_true, n_said);
	assert_true(n_flat <= 1);
	assert_true(n_slow >= 5);
	assert_true((double)n_true >= 0.5 * (double)n_said);
}

/* ---- runs that mislead ---- */

/* The choice rules, and how many of them the planted factors do not bear out: truth[] of the runs
 * for which one holds must be larger on average than that of the others. */
static void count_choice_rules(const struct planted *p, const struct mined *m, const double *truth,
			       size_t *n, size_t *n_false)
{
	for (size_t r = 0; r < m->rules.n; r++) {
		double sum[2] = {0}, count[2] = {0};
		struct rule_test *test = NULL;

		if (m->rules.item[r].kind != RULE_CHOICE)
			continue;
		must(rule_test_new(p->app, &m->rules.item[r], &test, &err));
		for (size_t i = 0; i < p->runs->n; i++) {
			const double *row = dataset_row(p->runs, i);
			bool in = rule_condition_holds(test, row);

			sum[in] += truth[i];
			count[in]++;
		}
		rule_test_free(test);
		++*n;
		if (!(sum[1] / count[1] > sum[0] / fmax(1, count[0]) + 0.02))
			++*n_false;
	}
}

static void spoil_with_missing_values(struct planted *p, uint64_t *seed)
{
	for (size_t i = 0; i < p->runs->n * p->runs->n_columns; i++) {
		if (uniform_draw(seed, 0, 1) < 0.05)
			p->runs->rows[i] = NAN;
	}
}

static void spoil_with_tiny_times(struct planted *p, uint64_t *seed)
{
	for (size_t i = 0; i < p->runs->n; i++) {
		if (uniform_draw(seed, 0, 1) < 0.03)
			p->runs->wall_s[i] = uniform_draw(seed, 0.8e-3, 1.2e-3);
	}
}

static void check_spoilt(void (*spoil)(struct planted *p, uint64_t *seed), const char *what,
			 double least_recall)
{
	size_t n = 0, n_false = 0, n_planted = 0;
	struct planted_design design = usual;
	uint64_t random = 77;

	for (design.seed = 1; design.seed <= 10; design.seed++) {
		RELEASED(planted) p = planted(design);
		double *truth = zeroed(p.runs->n, sizeof *truth);
		RELEASED(mined) m;

		for (size_t i = 0; i < p.runs->n; i++)
			truth[i] = log(planted_factor(&p, dataset_row(p.runs, i)));
		spoil(&p, &random);
		m = mine(p.runs, "m1");
		count_choice_rules(&p, &m, truth, &n, &n_false);
		free(truth);
		n_planted += p.n_rules;
	}
	print_message("%s: %zu planted, %zu found, %zu false\n", what, n_planted, n, n_false);
	assert_true((double)n_false <= 0.1 * (double)n);
	assert_true((double)(n - n_false) >= least_recall * (double)n_planted);
}

TEST(missing_values_make_no_rules)
{
	check_spoilt(spoil_with_missing_values, "missing values", 0.5);
}

TEST(failed_runs_with_tiny_times_hide_no_rules)
{
	check_spoilt(spoil_with_tiny_times, "tiny times", 0.8);
}

/* m = 100 procs: what is done by the one cannot be told from what is done by the other. */
TEST(of_weak_scaled_runs_a_rule_says_what_cannot_be_told_apart)
{
	FREED(application) *app = made_application("choices", "size", "a,b", "", "procs");
	FREED(dataset) *d = dataset_new(app);
	size_t n_conditional = 0;
	RELEASED(mined) m;
	uint64_t seed = 6;

	for (int i = 0; i < 16 * 40; i++) {
		double procs = 1 << i / 40, a = floor(uniform_draw(&seed, 0, 6)), row[8];

		row[application_column(app, "size")] = 100 * procs;
		row[application_column(app, "procs")] = procs;
		row[application_column(app, "a")] = a;
		row[application_column(app, "b")] = floor(uniform_draw(&seed, 0, 6));
		runs_add(d, row,
			 (procs >= 16 && a >= 4 ? 1.6 : 1) * uniform_draw(&seed, 0.97, 1.03));
	}
	m = mine(d, "m1");
	for (size_t r = 0; r < m.rules.n; r++) {
		const struct rule *rule = &m.rules.item[r];

		if (rule->kind != RULE_CHOICE ||
		    !(condition_uses(rule, app, "size") || condition_uses(rule, app, "procs")))
			continue;
		n_conditional++;
		assert_non_null(rule->caveat);
		assert_non_null(strstr(rule->caveat, "cannot be told apart"));
	}
	assert_true(n_conditional >= 1);
}

/* ---- machines ---- */

/* Slow from a = 4 on, on both machines; slow from b = 4 on on the first, up to 3 on the second. */
TEST(over_all_machines_only_what_holds_on_each_is_said)
{
	FREED(application) *app = made_application("choices", "size", "a,b", "", "procs");
	FREED(dataset) *d = dataset_new(app);
	RELEASED(mined) m;
	uint64_t seed = 9;

	for (int i = 0; i < 800; i++) {
		double row[8], a = floor(uniform_draw(&seed, 0, 8)),
			       b = floor(uniform_draw(&seed, 0, 8));
		bool first = i < 500;

		row[application_column(app, "size")] = 1 + i % 10;
		row[application_column(app, "procs")] = 4;
		row[application_column(app, "a")] = a;
		row[application_column(app, "b")] = b;
		must(dataset_add(d, row,
				 (1 + i % 10) * (a >= 4 ? 1.5 : 1) * ((b >= 4) == first ? 1.4 : 1) *
					 uniform_draw(&seed, 0.97, 1.03),
				 i + 1, first ? 1 : 2, SOURCE_MEASURED, RUN_OK, 1, &err));
	}
	m = mine(d, NULL);
	assert_true(count_kind(&m.rules, RULE_CHOICE) >= 1);
	assert_int_equal(count_kind(&m.rules, RULE_TIME), 0);
	for (size_t r = 0; r < m.rules.n; r++) {
		assert_null(m.rules.item[r].machine);
		assert_false(condition_uses(&m.rules.item[r], app, "b"));
		assert_true(m.rules.item[r].kind != RULE_CHOICE ||
			    m.rules.item[r].evidence.n_machines == 2);
	}
}

static bool stop_when_looking(void *arg, const char *what, uint64_t done, uint64_t total)
{
	int *left = arg;

	(void)what, (void)done, (void)total;
	return (*left)-- > 0;
}

/* Wherever it is stopped: an error, nothing made, nothing lost (the sanitizers look). */
TEST(it_can_be_interrupted_anywhere)
{
	RELEASED(planted) p = planted(usual);
	enum err_code rc = ERR_INTERRUPTED;
	int steps = 0;

	for (; rc == ERR_INTERRUPTED && steps < 1000; steps += 1 + steps / 4) {
		int left = steps;
		const struct progress stop = {stop_when_looking, &left};
		RELEASED(mined) m = {0};

		rc = mine_rules(p.runs, NULL, "m1", NULL, &stop, &m, &(struct err){0});
		assert_true(rc == ERR_INTERRUPTED || rc == ERR_OK);
		assert_true(rc == ERR_OK || m.rules.n == 0);
	}
	assert_in_range(steps, 5, 999);
}
