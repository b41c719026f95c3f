#include "tests/support/shared_app.h"
#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include "mining/rules/setting_rules.h"
#include "tests/unit/mining/qr_application.h"

/* Held-out cases with given outcomes, of a tree that is one setting, b in its first bin. Each case
 * has four configurations, two with it. Student's t of two degrees of freedom is elementary:
 * P(|T| > t) = 1 - t / sqrt(2 + t^2), so 90 % are within t = 0.9 sqrt(2 / (1 - 0.81)). */
#define T2_90 (0.9 * sqrt(2 / 0.19))

enum { MOST = 40, MEMBERS = 4, MOST_COLUMNS = 16 };

static size_t b;
static unsigned char code[MOST_COLUMNS * MOST * MEMBERS];
static uint32_t first_run[MOST * MEMBERS], config[MOST * MEMBERS], block[MOST];
static double x[MOST * MEMBERS * MOST_COLUMNS], mean[MOST], slowdown[MOST * MEMBERS];
static size_t first[MOST + 1];
static struct held_case held[MOST];
static uint32_t row_of[MOST * MEMBERS];
static struct dataset runs;
static struct slowdown_table table;
static struct setting_evidence v;
static struct setting_tree tree;

static int set_up(void **state)
{
	app = qr_application();
	b = application_column(app, "b");
	assert_true(app->n_columns <= MOST_COLUMNS);
	memset(x, 0, sizeof x);
	memset(code, 0, sizeof code);
	for (uint32_t i = 0; i < MOST * MEMBERS; i++)
		row_of[i] = i;
	runs = (struct dataset){
		.app = app, .n_columns = app->n_columns, .rows = x, .row_of = row_of};
	table = (struct slowdown_table){.app = app,
					.runs = &runs,
					.n = MOST * MEMBERS,
					.n_columns = app->n_columns,
					.code = code,
					.first_run = first_run};
	v = (struct setting_evidence){.cases = {.t = &table,
						.first = first,
						.config = config,
						.mean = mean,
						.slowdown = slowdown,
						.block = block},
				      .held = held};
	memset(&tree, 0, sizeof tree);
	tree.node[0].setting.n = 1;
	tree.node[0].setting.of[0].column = b;
	return 0;
}

/* A case of the mean 0.5 whose problem is m. others may be NAN. */
static void add(uint32_t its_block, double m, double followed, double others)
{
	size_t c = v.cases.n_cases++;

	held[c] = (struct held_case){followed, others};
	mean[c] = 0.5;
	block[c] = its_block;
	for (size_t k = c * MEMBERS; k < (c + 1) * MEMBERS; k++) {
		config[k] = first_run[k] = (uint32_t)k;
		code[b * table.n + k] = k % 2;
		x[k * app->n_columns + application_column(app, "m")] = m;
	}
	first[c + 1] = (c + 1) * MEMBERS;
	if (its_block >= table.n_blocks)
		table.n_blocks = its_block + 1;
}

static struct setting_verdict judge(void)
{
	struct setting_verdict out;

	must(setting_evidence_judge(&v, &tree, 0, 0, &out, &err));
	return out;
}

#define IN_FIXTURE(name) TEST_WITH(name, set_up, free_app)

/* Gains of three blocks 0.1, 0.2 and 0.3 (two cases, of 0.25 and 0.35), times 0.1, 0.2, 0.6 over
 * the best; a fourth compares nothing. */
IN_FIXTURE(blocks_are_what_evidence_counts)
{
	struct setting_verdict out;
	double t = 0.2 / (0.1 / sqrt(3)), half = T2_90 * sqrt(0.07 / 3);

	add(3, 4, 0.7, NAN);
	add(0, 1, 0.1, 0.2);
	add(1, 2, 0.2, 0.4);
	add(2, 3, 0.5, 0.75);
	add(2, 3, 0.7, 1.05);
	out = judge();
	check_rel(out.evidence.versus_others, exp(0.2), 1e-12);
	check_rel(out.evidence.p_value, 1 - t / sqrt(2 + t * t), 1e-9);
	check_rel(out.evidence.effect, exp(0.3), 1e-12);
	check_rel(log(out.evidence.lo), 0.3 - half, 1e-8);
	check_rel(log(out.evidence.hi), 0.3 + half, 1e-8);
	/* the middle of 0.1, 0.2 and 0.3 off the mean */
	check_rel(out.evidence.held_out_error, 0.2, 1e-9);
	assert_int_equal(out.evidence.n_cases, 4);
	assert_int_equal(out.evidence.n_problems, 3);
	/* of 5 times 0.5 saved: -0.2 + 0.4 + 0.3 + 0 - 0.2 */
	check_rel(out.evidence.usefulness, 0.3 / 2.5, 1e-12);
	check_rel(out.share, 0.5, 1e-12);
	assert_false(out.enough);
}

IN_FIXTURE(what_does_harm_is_not_significant)
{
	struct setting_verdict out;

	for (uint32_t c = 0; c < 5; c++)
		add(c, c, 0.9, 0.1 + c / 100.0);
	out = judge();
	check_abs(out.evidence.p_value, 1, 0);
	assert_true(out.evidence.versus_others < 1);
	check_abs(out.evidence.usefulness, 0, 0);
}

/* n cases in so many blocks; with a case that compares nothing, which does not count. */
static bool is_enough(unsigned n, unsigned n_blocks)
{
	bool enough;

	set_up(NULL);
	add(n_blocks, 100, 0.1, NAN);
	for (unsigned c = 0; c < n; c++)
		add(c % n_blocks, c, 0.1, 0.2);
	enough = judge().enough;
	free_app(NULL);
	return enough;
}

TEST(five_cases_from_three_blocks_are_enough)
{
	assert_true(is_enough(5, 3));
	assert_false(is_enough(4, 4));
	assert_false(is_enough(5, 2));
	assert_true(is_enough(12, 3));
}

/* Of ten cases n are within 3 %, the others within 10 %. */
static struct setting_verdict verdict_of(unsigned n)
{
	struct setting_verdict out;

	set_up(NULL);
	for (unsigned c = 0; c < 10; c++)
		add(c, c, c < n ? log(1.029) : log(1.09), 0.5);
	out = judge();
	free_app(NULL);
	return out;
}

TEST(four_fifths_keep_the_tolerance_that_is_stated)
{
	struct setting_verdict out = verdict_of(8);

	check_abs(out.within, 0.03, 0);
	check_abs(out.evidence.confidence, 0.8, 1e-12);
	out = verdict_of(7);
	check_abs(out.within, 0.1, 0);
	check_abs(out.evidence.confidence, 1, 1e-12);
}

IN_FIXTURE(where_no_tolerance_is_kept_none_is_stated)
{
	for (unsigned c = 0; c < 10; c++)
		add(c, c, c < 4 ? 0 : 1, 2);
	assert_true(isnan(judge().within));
	check_rel(judge().evidence.confidence, 0.4, 1e-12);
}

IN_FIXTURE(without_cases_nothing_is_said)
{
	struct setting_verdict out = judge();

	assert_false(out.enough);
	check_abs(out.share, 1, 0);
	check_abs(out.evidence.p_value, 1, 0);
	check_abs(out.evidence.usefulness, 0, 0);
	assert_true(isnan(out.within));
	assert_int_equal(out.evidence.n_cases, 0);
}

/* Blocks of 0.1, 0.3 (mean 0.2) and 0.6. */
IN_FIXTURE(the_mean_is_over_blocks)
{
	double out;

	add(0, 1, 0.1, NAN);
	add(0, 1, 0.3, 0.5);
	add(2, 2, 0.6, 0.5);
	must(setting_evidence_mean(&v, 0, &out, &err));
	check_rel(out, 0.4, 1e-12);
}

/* Slow-downs 0 and 0.4 with the setting, 0.6 and 0.8 without; then one that has it everywhere, and
 * one that has it nowhere. */
IN_FIXTURE(a_case_is_asked_what_the_setting_gives)
{
	static const double slow[3 * MEMBERS] = {0, 0.6, 0.4, 0.8, 0, 1, 2, 3, 0, 1, 2, 3};

	memcpy(slowdown, slow, sizeof slow);
	for (int c = 0; c < 3; c++)
		add(0, 0, -7, NAN);
	memset(code + b * table.n + MEMBERS, 0, MEMBERS);
	memset(code + b * table.n + (size_t)2 * MEMBERS, 1, MEMBERS);
	v.held = calloc(3 * (TREE_DEPTH + 1), sizeof *v.held);
	assert_non_null(v.held);
	for (size_t k = 0; k < (size_t)3 * (TREE_DEPTH + 1); k++)
		v.held[k] = (struct held_case){-7, NAN};
	for (size_t c = 0; c < 3; c++)
		setting_evidence_ask(&v, &tree, c);
	for (size_t depth = 0; depth <= TREE_DEPTH; depth++) {
		const struct held_case *at = v.held + 3 * depth;

		check_rel(at[0].followed, 0.2, 1e-12);
		check_rel(at[0].others, 0.7, 1e-12);
		check_rel(at[1].followed, 1.5, 1e-12);
		assert_true(isnan(at[1].others));
		check_rel(at[2].followed, -7.0, 1e-12); /* as before */
		assert_true(isnan(at[2].others));
	}
	free(v.held);
}

IN_FIXTURE(without_memory_nothing_is_judged)
{
	struct setting_verdict out;
	double m;

	for (uint32_t c = 0; c < 5; c++)
		add(c, c, 0.1, 0.2);
	failing_each_allocation (setting_evidence_judge(&v, &tree, 0, 0, &out, &err), &err)
		;
	assert_true(out.enough);
	failing_each_allocation (setting_evidence_mean(&v, 0, &m, &err), &err)
		;
	check_rel(m, 0.1, 1e-12);
}
