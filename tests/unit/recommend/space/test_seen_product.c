#include "tests/support/made_runs.h"
#include "tests/unit/recommend/world.h"

#include "recommend/space/seen_product.h"

/* Candidates of an application without a definition, from its runs. */

struct asked {
	struct application *app;
	struct dataset *runs;
	struct machine machine;
	double given[16];
	int64_t max_nodes;
	const struct progress *progress;
	/* of rules that are kept */
	const struct active_rule *rules;
	size_t n_rules;
};

struct answered {
	struct axis axis;
	struct seen_product told;
	struct kept_invariants invariants;
};

static struct asked application_of(const char *tunables, const char *resources)
{
	static char name[] = "there";
	struct asked q = {.app = made_application("toy", "size", tunables, "", resources),
			  .machine = {.name = name}};

	q.runs = dataset_new(q.app);
	assert_non_null(q.runs);
	configuration_clear(q.app, q.given);
	return q;
}

static void asked_release(struct asked *q)
{
	dataset_free(q->runs);
	application_free(q->app);
}

static void add(struct asked *q, const char *values, enum run_status status)
{
	double row[16];

	configuration_clear(q->app, row);
	must(configuration_set(q->app, values, row, &err));
	runs_add_as(q->runs, row, 1, SOURCE_MEASURED, status);
}

static void give(struct asked *q, const char *values)
{
	configuration_clear(q->app, q->given);
	must(configuration_set(q->app, values, q->given, &err));
}

static enum err_code try_fill(const struct asked *q, struct answered *out, struct err *e)
{
	struct advice_request request = {.app = q->app,
					 .machine = &q->machine,
					 .runs = q->runs,
					 .row = q->given,
					 .max_nodes = q->max_nodes};
	struct placement placement;
	bool agree[16] = {false};
	size_t free_column[16], n = 0;
	const struct seen_product_input in = {.app = q->app,
					      .runs = q->runs,
					      .given = q->given,
					      .agree = agree,
					      .placement = &placement,
					      .invariants = &out->invariants,
					      .progress = q->progress};
	enum err_code rc;

	for (size_t i = 0; i < q->app->n_columns; i++) {
		enum column_role role = q->app->column[i].role;

		if (role != COL_TUNABLE && role != COL_RESOURCE)
			continue;
		if (isnan(q->given[i]))
			free_column[n++] = i;
		else
			agree[i] = true;
	}
	*out = (struct answered){.invariants = {.n = 0}};
	if (!(rc = placement_init(&placement, &request, q->given, e)) &&
	    !(rc = kept_invariants_init(&out->invariants, q->app, q->rules, q->n_rules, e)) &&
	    !(rc = axis_init(&out->axis, free_column, n, e)))
		rc = seen_product_fill(&out->axis, &in, &out->told, e);
	return rc;
}

static void answered_release(struct answered *a)
{
	axis_release(&a->axis);
	seen_product_release(&a->told);
	kept_invariants_release(&a->invariants);
}

static struct answered fill(const struct asked *q)
{
	struct answered a;

	must(try_fill(q, &a, &err));
	return a;
}

/* Are these the candidates, the values of all free columns one row after the other? */
static void check_candidates(const struct asked *q, const double *want, size_t n_rows)
{
	RELEASED(answered) a = fill(q);

	assert_int_equal(a.axis.n, n_rows);
	for (size_t i = 0; i < n_rows * a.axis.n_columns; i++)
		check_abs(a.axis.value[i], want[i], 0);
}

/* nodes, s, t */
TEST(every_two_values_were_run_together)
{
	RELEASED(asked) q = application_of("s,t", "nodes");
	struct answered a;

	add(&q, "s=1,t=1,nodes=1", RUN_OK);
	add(&q, "s=1,t=2,nodes=2", RUN_OK);
	add(&q, "s=2,t=1,nodes=2", RUN_OK);
	add(&q, "s=2,t=2,nodes=1", RUN_FAILED); /* failed runs bring nothing together */
	check_candidates(&q, (double[]){1, 1, 1, /**/ 2, 1, 1, /**/ 2, 1, 2, /**/ 2, 2, 1}, 4);
	a = fill(&q);
	assert_int_equal(a.told.n[ORIGIN_RUN], 3);
	assert_int_equal(a.told.n[ORIGIN_PAIRS], 1);
	assert_false(a.told.cut);
	answered_release(&a);
	give(&q, "s=2");
	check_candidates(&q, (double[]){2, 1}, 1);
	give(&q, "s=7"); /* nobody tried it: it goes with everything */
	check_candidates(&q, (double[]){1, 1, /**/ 2, 1, /**/ 2, 2}, 3);
	give(&q, "s=2,nodes=1"); /* never together: with all that was run */
	check_candidates(&q, (double[]){1, 2}, 2);
}

/* 1, 4 and 16 nodes were run, tile 2 on 1 and 4 alone. */
TEST(further_node_counts_go_with_those_around_them)
{
	static const double all[] = {1, 2, 3, 4, 6, 8, 12, 16, 24};
	RELEASED(asked) q = application_of("tile", "nodes");
	struct answered a;
	double row[16], want[26];
	size_t n = 0;

	for (int nodes = 1; nodes <= 16; nodes *= 4) {
		char text[40];

		snprintf(text, sizeof text, "tile=1,nodes=%d", nodes);
		add(&q, text, RUN_OK);
		snprintf(text, sizeof text, "tile=2,nodes=%d", nodes);
		if (nodes < 16)
			add(&q, text, RUN_OK);
	}
	q.max_nodes = 30;
	for (size_t i = 0; i < 9; i++) {
		want[2 * n] = all[i];
		want[2 * n++ + 1] = 1;
		if (all[i] > 4)
			continue;
		want[2 * n] = all[i];
		want[2 * n++ + 1] = 2;
	}
	assert_int_equal(n, 13);
	check_candidates(&q, want, 13);
	a = fill(&q);
	memcpy(row, q.given, sizeof row);
	for (size_t i = 0; i < 13; i++) {
		double nodes = want[2 * i];

		axis_put(&a.axis, i, row);
		assert_int_equal(seen_product_origin(&a.told, row),
				 nodes == 1 || nodes == 4 || nodes == 16 ? ORIGIN_RUN
				 : nodes < 16				 ? ORIGIN_BETWEEN
									 : ORIGIN_BEYOND);
	}
	answered_release(&a);
	q.max_nodes = 0; /* the most that was run */
	a = fill(&q);
	assert_int_equal(a.axis.n, 8 + 4);
	answered_release(&a);
	give(&q, "nodes=5"); /* asked for by name, it need be no such step */
	check_candidates(&q, (double[]){1}, 1);
}

TEST(nothing_is_proposed_on_fewer_nodes_than_were_run)
{
	RELEASED(asked) q = application_of("tile", "nodes");

	add(&q, "tile=1,nodes=8", RUN_OK);
	q.max_nodes = 8;
	check_candidates(&q, (double[]){8, 1}, 1);
	q.max_nodes = 16;
	check_candidates(&q, (double[]){8, 1, /**/ 12, 1, /**/ 16, 1}, 3);
}

/* nodes, procs, tile; 16 and 8 processes a node. */
TEST(processes_grow_with_the_nodes)
{
	RELEASED(asked) q = application_of("tile", "nodes,procs");

	add(&q, "tile=1,nodes=1,procs=16", RUN_OK);
	add(&q, "tile=1,nodes=4,procs=64", RUN_OK);
	add(&q, "tile=1,nodes=4,procs=32", RUN_OK);
	check_candidates(
		&q,
		(double[]){1, 16, 1, /**/ 2, 32, 1, /**/ 3, 48, 1, /**/ 4, 32, 1, /**/ 4, 64, 1},
		5);
	give(&q, "procs=48");
	check_candidates(&q, (double[]){3, 1}, 1);
}

TEST(without_nodes_there_are_further_process_counts)
{
	RELEASED(asked) q = application_of("tile", "procs");

	add(&q, "tile=1,procs=1", RUN_OK);
	add(&q, "tile=1,procs=4", RUN_OK);
	check_candidates(&q, (double[]){1, 1, /**/ 2, 1, /**/ 3, 1, /**/ 4, 1}, 4);
}

/* Cubes of a code that divides a cube, squares, nodes of 12: further counts are of the kind. Powers
 * of two are how people scan. */
TEST(further_process_counts_are_of_the_kind_that_was_run)
{
	static const struct {
		double run[5]; /* 0: no more */
		int64_t most;
		double want[12];
	} kind[] = {
		{{1, 8, 27, 125}, 600, {1, 8, 27, 64, 125, 216, 512}},
		{{4, 9, 25, 64}, 100, {4, 9, 16, 25, 36, 64}},
		{{12, 36, 60}, 100, {12, 24, 36, 48, 60, 72, 96}},
		{{1, 4, 16, 64}, 64, {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}},
		{{8, 24, 40}, 48, {8, 12, 16, 24, 32, 40, 48}},
		{{1, 27}, 30, {1, 2, 3, 4, 6, 8, 12, 16, 24, 27}}, /* two tell nothing */
	};

	for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
		RELEASED(asked) q = application_of("tile", "procs");
		double want[24];
		size_t n = 0;

		for (size_t k = 0; k < 5 && kind[i].run[k] > 0; k++) {
			char text[40];

			snprintf(text, sizeof text, "tile=1,procs=%g", kind[i].run[k]);
			add(&q, text, RUN_OK);
		}
		for (; n < 12 && kind[i].want[n] > 0; n++) {
			want[2 * n] = kind[i].want[n];
			want[2 * n + 1] = 1;
		}
		q.machine.cores_per_node = 1; /* so many nodes are so many processes */
		q.max_nodes = kind[i].most;
		check_candidates(&q, want, n);
	}
}

/* ppn 8 and threads 1, ppn 4 and threads 2 fill a node; 8 with 2 was run on 8 nodes of another
 * kind, which the machine's definition rules out for what was not run. */
TEST(no_node_is_overfilled)
{
	RELEASED(asked) q = application_of("tile", "nodes,ppn,threads");
	RELEASED(answered) a;

	add(&q, "tile=1,nodes=1,ppn=8,threads=1", RUN_OK);
	add(&q, "tile=1,nodes=1,ppn=4,threads=2", RUN_OK);
	add(&q, "tile=2,nodes=1,ppn=8,threads=2", RUN_OK);
	add(&q, "tile=2,nodes=4,ppn=8,threads=1", RUN_OK);
	add(&q, "tile=1,nodes=4,ppn=4,threads=2", RUN_OK);
	q.machine.cores_per_node = 8;
	q.max_nodes = 4;
	a = fill(&q);
	for (size_t i = 0; i < a.axis.n; i++) {
		double row[16];

		memcpy(row, q.given, sizeof row);
		axis_put(&a.axis, i, row);
		assert_true(seen_product_origin(&a.told, row) == ORIGIN_RUN ||
			    row[q.app->i_ppn] * row[q.app->i_threads] <= 8);
	}
	assert_int_equal(a.told.n[ORIGIN_RUN], 5);
	assert_true(a.told.n[ORIGIN_PAIRS] > 0);
}

/* 10 tunables of five values, of which most pairs were run: there are millions of combinations. */
TEST(there_is_a_limit_to_what_is_combined)
{
	RELEASED(asked) q = application_of("t0,t1,t2,t3,t4,t5,t6,t7,t8,t9", "nodes");
	RELEASED(answered) a, again;

	for (int k = 0; k < 400; k++) {
		RELEASED(strbuf) s = STRBUF_INIT;

		strbuf_printf(&s, "nodes=%d", 1 + k % 3);
		for (int i = 0; i < 10; i++)
			strbuf_printf(&s, ",t%d=%d", i, 1 + k * (i + 3) / (i + 1) % 5);
		add(&q, strbuf_text(&s), RUN_OK);
	}
	a = fill(&q);
	again = fill(&q);
	assert_true(a.told.cut);
	assert_int_equal(a.told.n[ORIGIN_PAIRS], SEEN_PRODUCT_MAX);
	assert_int_equal(a.axis.n, SEEN_PRODUCT_MAX + a.told.n[ORIGIN_RUN]);
	assert_int_equal(a.axis.n, again.axis.n);
	assert_memory_equal(a.axis.value, again.axis.value,
			    a.axis.n * a.axis.n_columns * sizeof(double));
}

TEST(combining_can_be_interrupted)
{
	RELEASED(asked) q = application_of("a,b,c,d,e,f,g,h", "nodes");
	struct progress progress = {.step = stop_at_once};
	RELEASED(answered) a;

	for (int k = 0; k < 300; k++) {
		char text[120];

		snprintf(text, sizeof text, "nodes=1,a=%d,b=%d,c=%d,d=%d,e=%d,f=%d,g=%d,h=%d",
			 1 + k % 7, 1 + k * 3 % 11, 1 + k * 5 % 13, 1 + k % 5, 1 + k / 2 % 6,
			 1 + k / 3 % 7, 1 + k / 5 % 5, 1 + k / 7 % 6);
		add(&q, text, RUN_OK);
	}
	q.progress = &progress;
	assert_int_equal(try_fill(&q, &a, &err), ERR_INTERRUPTED);
}

TEST(what_nothing_keeps_to_is_given_up)
{
	static char always[] = "", divides[] = "size % s = 0", order[] = "s <= t";
	const struct rule rule[] = {
		{.kind = RULE_INVARIANT, .condition = always, .setting = divides},
		{.kind = RULE_INVARIANT, .condition = always, .setting = order}};
	const struct active_rule rules[] = {{&rule[0], RULE_STATE_NEW},
					    {&rule[1], RULE_STATE_ACCEPTED}};
	RELEASED(asked) q = application_of("s,t", "nodes");
	RELEASED(answered) a;

	add(&q, "size=12,s=2,t=3,nodes=1", RUN_OK);
	add(&q, "size=12,s=2,t=4,nodes=1", RUN_OK);
	add(&q, "size=12,s=4,t=4,nodes=1", RUN_OK);
	q.rules = rules;
	q.n_rules = 2;
	give(&q, "size=6");
	check_candidates(&q, (double[]){1, 2, 3, /**/ 1, 2, 4}, 2);
	give(&q, "size=7"); /* neither 2 nor 4 divides it */
	a = fill(&q);
	assert_int_equal(a.axis.n, 3);
	assert_true(a.invariants.item[0].given_up);
	assert_false(a.invariants.item[1].given_up);
	assert_int_equal(a.invariants.n_kept, 1);
}

/* Three runs whose s does not divide the size failed, and one ended: (3 + 1) / (4 + 2). */
TEST(what_breaks_a_relation_fails_as_those_that_broke_it)
{
	static char always[] = "", divides[] = "size % s = 0", order[] = "s <= t";
	const struct rule rule[] = {
		{.kind = RULE_INVARIANT, .condition = always, .setting = divides},
		{.kind = RULE_INVARIANT, .condition = always, .setting = order}};
	const struct active_rule rules[] = {{&rule[0], RULE_STATE_NEW}, {&rule[1], RULE_STATE_NEW}};
	RELEASED(asked) q = application_of("s,t", "nodes");
	RELEASED(kept_invariants) k;

	add(&q, "size=12,s=2,t=3,nodes=1", RUN_OK);
	add(&q, "size=12,s=4,t=4,nodes=1", RUN_FAILED);
	for (int i = 0; i < 3; i++)
		add(&q, "size=12,s=5,t=5,nodes=1", RUN_FAILED);
	add(&q, "size=12,s=7,t=9,nodes=1", RUN_TIMEOUT);
	must(kept_invariants_init(&k, q.app, rules, 2, &err));
	kept_invariants_count_failures(&k, NULL);
	give(&q, "size=12,s=5,t=2,nodes=1");
	check_abs(kept_invariants_fail_p(&k, q.given), 0, 0);
	kept_invariants_count_failures(&k, q.runs);
	check_rel(kept_invariants_fail_p(&k, q.given), 4 / 6.0, 1e-15);
	give(&q, "size=12,s=3,t=2,nodes=1"); /* nothing that is known failed by s > t */
	check_abs(kept_invariants_fail_p(&k, q.given), 0, 0);
}
