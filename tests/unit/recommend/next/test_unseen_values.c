#include "tests/support/shared_runs.h"
#include "tests/support/made_runs.h"
#include "tests/unit/recommend/world.h"

#include "mining/numerics/mining_init.h"
#include "recommend/next/candidate_points.h"
#include "recommend/next/next_runs.h"

/* Values that no run has, of an application without a definition file: nb = 8, 16, 64 and omega =
 * 0.5, 1, 2 each change alone, p and q only together, variant is 1, 2 or 3; nb divides 192 in all
 * runs. */

static struct predictor *predictor;
static struct machine machine = {.name = (char *)"testbed", .cores_per_node = 1};

static char always[] = "", divides[] = "192 % nb = 0";
static const struct rule held = {.kind = RULE_INVARIANT, .condition = always, .setting = divides};
static const struct active_rule in_use = {&held, RULE_STATE_NEW};

static void set_row(double *row, const char *text)
{
	configuration_clear(app, row);
	must(configuration_set(app, text, row, &err));
	configuration_derive(app, row);
}

static void add(double n, double nb, double omega, double p, double variant, double nodes)
{
	double row[WORLD_COLUMNS];
	char text[200];

	snprintf(text, sizeof text,
		 "n=%.0f,nb=%.0f,omega=%.9g,p=%.0f,q=%.0f,variant=%.0f,nodes=%.0f", n, nb, omega, p,
		 8 / p, variant, nodes);
	set_row(row, text);
	runs_add(runs, row,
		 1e-3 * n / nodes * (1 + 4 / nb) * (1 + 0.1 * omega) *
			 (1 + 0.01 * (double)(runs->n % 5)));
}

static int set_up(void **state)
{
	static const double nb[] = {8, 16, 64}, omega[] = {0.5, 1, 2};

	mining_init();
	app = made_application("relax", "n", "nb,omega,p,q,variant", "", "nodes");
	runs = dataset_new(app);
	assert_non_null(runs);
	for (double n = 1000; n <= 4000; n *= 2) {
		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++) {
				for (double nodes = 1; nodes <= 4; nodes *= 2)
					add(n, nb[i], omega[j], 1 << j, 1 + i, nodes);
				add(n, nb[i], omega[j], 2, 1, 1);
				add(n, nb[i], omega[j], 2, 2, 1);
				add(n, nb[i], omega[j], 2, 3, 1);
			}
		}
	}
	must(predictor_fit(NULL, &(struct fit_input){.runs = runs, .machine = &machine}, &predictor,
			   &err));
	return 0;
}

static int tear_down(void **state)
{
	predictor_free(predictor);
	return free_runs(state);
}

static struct advice_request ask(double *row, const char *fixed)
{
	set_row(row, fixed);
	return (struct advice_request){.app = app,
				       .machine = &machine,
				       .predictor = predictor,
				       .runs = runs,
				       .row = row,
				       .deadline_s = NAN,
				       .confidence = 0.9,
				       .objective = OBJECTIVE_TIME,
				       .rules = &in_use,
				       .n_rules = 1};
}

static double get(const double *row, const char *name)
{
	return row[application_column(app, name)];
}

/* What is added for one place, of a question that fixes `fixed`. */
static void find(const char *fixed, const char *place, struct candidate_points *out)
{
	double row[WORLD_COLUMNS], at[WORLD_COLUMNS];
	struct advice_request q = ask(row, fixed);
	RELEASED(config_space) space = {0};
	struct candidate_point x = {.kind = "recommended"};

	set_row(at, place);
	*out = (struct candidate_points){0};
	must(config_space_init(&space, &q, &err));
	must(candidate_points_add(out, &x, at, app->n_columns, &err));
	must(unseen_values_add(&space, out, 1, &err));
}

/* Does the i-th differ from the first in this column alone, where it has this value? */
static void check_value(const struct candidate_points *p, size_t i, const char *column,
			double value)
{
	assert_true(i < p->n);
	assert_string_equal(p->item[i].kind, "new value");
	check_rel(get(p->item[i].row, column), value, 1e-12);
	for (size_t c = 0; c < app->n_columns; c++) {
		if (c != application_column(app, column))
			check_abs(p->item[i].row[c], p->item[0].row[c], 0);
	}
}

/* sqrt(8 * 16) = 11.3: 12 divides 192; sqrt(16 * 64) = 32 does, too. Of omega, which is not whole,
 * sqrt(1/2) and sqrt(2). p and q never change alone, and variants follow each other. */
TEST(values_between_those_that_were_run_are_tried)
{
	RELEASED(candidate_points) p;

	find("n=3000", "n=3000,nb=16,omega=1,p=2,q=4,variant=2,nodes=1", &p);
	assert_int_equal(p.n, 5);
	check_value(&p, 1, "nb", 12);
	check_value(&p, 2, "nb", 32);
	check_value(&p, 3, "omega", sqrt(0.5));
	check_value(&p, 4, "omega", sqrt(2));
}

/* As far beyond as from the value before: 64 * 4 = 256 does not divide 192, but 192 does; 8 / 2 =
 * 4; 2 * 2 and 0.5 / 2. */
TEST(values_beyond_those_that_were_run_are_tried)
{
	struct candidate_points p;

	find("n=3000", "n=3000,nb=64,omega=2,p=2,q=4,variant=3,nodes=1", &p);
	assert_int_equal(p.n, 5);
	check_value(&p, 1, "nb", 32);
	check_value(&p, 2, "nb", 192);
	check_value(&p, 3, "omega", sqrt(2));
	check_value(&p, 4, "omega", 4);
	candidate_points_release(&p);
	find("n=3000", "n=3000,nb=8,omega=0.5,p=2,q=4,variant=1,nodes=1", &p);
	assert_int_equal(p.n, 5);
	check_value(&p, 1, "nb", 4);
	check_value(&p, 2, "nb", 12);
	check_value(&p, 3, "omega", 0.25);
	check_value(&p, 4, "omega", sqrt(0.5));
	candidate_points_release(&p);
}

TEST(what_the_question_fixes_is_left_alone)
{
	RELEASED(candidate_points) p;

	find("n=3000,nb=16,omega=1", "n=3000,nb=16,omega=1,p=2,q=4,variant=2,nodes=1", &p);
	assert_int_equal(p.n, 1);
}

TEST(the_reason_names_what_is_new_and_what_it_costs)
{
	double free_row[WORLD_COLUMNS], row[WORLD_COLUMNS];
	struct advice_request q = ask(free_row, "n=3000");
	struct next_run r = {.row = row,
			     .at = {.time_s = 250, .scale = 1},
			     .lo_s = 200,
			     .hi_s = 330,
			     .node_hours = 0.2083,
			     .kind = "new value",
			     .right = 0.234,
			     .before = {.wrong = 0.4},
			     .after = {.wrong = 0.31}};
	RELEASED(strbuf) text = STRBUF_INIT;

	set_row(row, "n=3000,nb=12,omega=4,p=2,q=4,variant=2,nodes=3");
	next_run_put_reason(&q, &r, &text);
	assert_string_equal(
		strbuf_text(&text),
		"No run has nodes = 3 (the nearest have 2 and 4) and none nb = 12 (the nearest have "
		"8 and 16) and none omega = 4 (the most is 2). It is predicted to take 4m 10s, but "
		"3m 20s to 5m 30s is possible; with a chance of 23 % it would be right to submit "
		"it. It costs about 0.208 node-hours and takes the chance of a wrong decision from "
		"40 % to 31 %.");
	strbuf_clear(&text);
	set_row(row, "n=1500,nb=16,omega=1,p=2,q=4,variant=2,nodes=2");
	r.kind = "smaller problem";
	r.right = NAN;
	r.after.wrong = 0.001;
	next_run_put_reason(&q, &r, &text);
	assert_string_equal(
		strbuf_text(&text),
		"It is predicted to take 4m 10s, but 3m 20s to 5m 30s is possible; the "
		"same with a smaller problem, it tells of a dearer run. It costs about "
		"0.208 node-hours and takes the chance of a wrong decision from 40 % to "
		"below 1 %.");
}

TEST_GROUP(set_up, tear_down)
