/* Answers in their JSON form: what is not known is null, what is told by several numbers is there
 * once, and without memory there is none. */
#include "tests/support/check.h"

#include <jansson.h>

#include "api/advice_record.h"
#include "api/campaign_json.h"
#include "api/composed_answer.h"
#include "api/definition_json.h"
#include "api/import_runs.h"
#include "api/job_sync.h"
#include "api/json_text.h"
#include "api/model_json.h"
#include "api/rule_json.h"
#include "api/scaling_answer.h"
#include "api/study_json.h"
#include "tests/support/made_application.h"

/* ---- answers ---- */

typedef json_t *make_fn(const void *arg);

/* Allocations of jansson that are left to succeed. */
static long left;

static void *allocate(size_t size)
{
	return left-- > 0 ? malloc(size) : NULL;
}

/* The answer. Before that it is asked for with memory for fewer of jansson's allocations, when
 * there must be none. */
static json_t *answer_of(make_fn *make, const void *arg)
{
	json_t *answer = NULL;

	json_set_alloc_funcs(allocate, free);
	for (long n = 0; !answer && n < 10000; n++) {
		left = n;
		answer = make(arg);
		assert_true(!answer || left >= 0);
	}
	json_set_alloc_funcs(malloc, free);
	assert_non_null(answer);
	return answer;
}

static void check_member(const json_t *object, const char *key, const char *want)
{
	json_t *value = json_object_get(object, key);
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6));

	assert_non_null(text);
	assert_string_equal(text, want);
	free(text);
}

/* ---- a definition ---- */

static json_t *make_application(const void *a)
{
	return application_json(a);
}

TEST(a_definition_tells_flags_candidates_and_what_is_legal)
{
	FREED(application) *a = NULL;
	const json_t *app, *column;
	json_t *answer;

	must(application_read("data/applications/sweep3d.conf", &a, &err));
	answer = answer_of(make_application, a);
	app = json_object_get(answer, "app");
	check_member(answer, "format_version", "1");
	check_member(app, "name", "\"sweep3d\"");
	assert_int_equal(json_array_size(json_object_get(app, "columns")), a->n_columns);
	assert_int_equal(json_array_size(json_object_get(app, "legality")), a->n_legality);
	column = json_array_get(json_object_get(app, "columns"), application_column(a, "mk"));
	check_member(column, "flag", "\"--mk\"");
	check_member(column, "candidates", "\"divisors of kt\"");
	check_member(column, "max", "null");
	assert_null(json_object_get(app, "terms")); /* it has a structural model */
	json_decref(answer);
}

TEST(resources_go_by_their_names)
{
	FREED(application) *a = made_application("code", "n", "tile", "", "nodes");

	assert_string_equal(application_shown_flag(a, &a->column[application_column(a, "nodes")]),
			    "nodes");
}

/* ---- levels of detail ---- */

struct made_levels_of_detail {
	const struct composed_level *level;
	size_t n;
};

static json_t *make_levels(const void *arg)
{
	const struct made_levels_of_detail *l = arg;

	return composed_levels_json(l->level, l->n);
}

TEST(levels_are_compared_with_the_first_and_failed_ones_left_out)
{
	FREED(application) *a = made_application("code", "n", "tile", "", "nodes");
	double row[16];
	const struct composition none = {.n = 0};
	struct composed_level level[3] = {
		{.parts = &none, .app = a, .row = row, .time = {.time_s = 8}, .caveat = "roughly"},
		{.parts = NULL},
		{.parts = &none, .app = a, .row = row, .time = {.time_s = 10}}};
	const struct made_levels_of_detail of = {level, 3};
	json_t *answer;
	const json_t *levels;

	assert_true(a->n_columns <= 16);
	for (size_t i = 0; i < 16; i++)
		row[i] = NAN;
	row[application_column(a, "n")] = 100;
	composed_levels_compare(level, 3);
	assert_true(isnan(level[0].difference));
	check_rel(level[2].difference, 0.25, 1e-12); /* 10 / 8 - 1 */
	answer = answer_of(make_levels, &of);
	levels = json_object_get(answer, "levels");
	assert_int_equal(json_array_size(levels), 2);
	check_member(json_array_get(levels, 0), "difference", "null");
	check_member(json_array_get(levels, 0), "caveat", "\"roughly\"");
	check_member(json_array_get(levels, 0), "configuration", "{\"n\":100}");
	check_member(json_array_get(levels, 1), "difference", "0.25");
	json_decref(answer);
	/* nothing to compare with */
	level[0].parts = NULL;
	composed_levels_compare(level, 3);
	assert_true(isnan(level[2].difference));
}

/* ---- a campaign ---- */

static json_t *make_report(const void *r)
{
	return campaign_report_json(r);
}

TEST(a_campaign_counts_by_state_and_knows_no_import_0)
{
	char wave[] = "wave", plan[] = "plan text", mk[] = "mk=5";
	struct kb_campaign_run run = {.position = 1,
				      .repeat = 1,
				      .configuration = mk,
				      .state = CAMPAIGN_RUN_TIMED_OUT,
				      .predicted_s = NAN,
				      .limit_s = 60,
				      .wall_s = NAN,
				      .elapsed_s = 60,
				      .run_id = 17};
	struct campaign_report r = {.record = {.name = wave, .plan = plan},
				    .runs = {.item = &run, .n = 1},
				    .count = {.n = 1, .of = {[CAMPAIGN_RUN_TIMED_OUT] = 1}},
				    .state = "done"};
	json_t *answer = answer_of(make_report, &r);
	const json_t *campaign = json_object_get(answer, "campaign");
	const json_t *first = json_array_get(json_object_get(answer, "runs"), 0);

	check_member(answer, "runner", "null");
	check_member(campaign, "timed_out", "1");
	check_member(campaign, "refused", "0");
	check_member(first, "state", "\"timed-out\"");
	check_member(first, "predicted_s", "null");
	check_member(first, "import_id", "null");
	check_member(first, "run_id", "17");
	json_decref(answer);
}

/* ---- models ---- */

static json_t *make_formula(const void *m)
{
	const double in[FORMULA_MAX_INPUTS] = {NAN, NAN, NAN, NAN};
	const double value[FORMULA_MAX_RESULTS] = {3};

	return formula_json(m, in, value);
}

TEST(inputs_that_were_not_given_are_told_by_their_defaults)
{
	static const struct formula_input inputs[] = {{.name = "procs", .dflt = 4}};
	static const struct formula_result results[] = {{.name = "time_s"}};
	static const struct formula f = {
		.input = inputs, .n_inputs = 1, .result = results, .n_results = 1};
	const struct model m = {.name = "made", .source = "here", .formula = &f};
	json_t *answer = answer_of(make_formula, &m);

	check_member(answer, "inputs", "{\"procs\":4.0}");
	check_member(answer, "results", "{\"time_s\":3.0}");
	check_member(answer, "caveat", "null");
	json_decref(answer);
}

TEST(a_simulation_that_measures_its_computation_needs_no_wg)
{
	char program[] = "a.out";
	struct simulation s = {.program = program, .cpu_scale = 2};

	assert_true(simulation_measures(&s));
	assert_string_equal(simulation_program_name(&s), "a.out");
	s = (struct simulation){.program = program, .own = true};
	assert_false(simulation_measures(&s));
	assert_string_equal(simulation_program_name(&s), "kernels/wavefront");
}

/* ---- studies ---- */

static json_t *make_fit(const void *f)
{
	return collective_fit_json(f);
}

TEST(a_time_that_does_not_grow_with_bytes_has_no_rate)
{
	struct collective_line line[] = {{.nodes = 2, .n = 3, .t0_s = 1, .s_per_byte = 0.25},
					 {.nodes = 4, .n = 3, .t0_s = 1, .s_per_byte = 0}};
	const struct collective_fit f = {.line = line, .n_lines = 2, .law_misfit = NAN};
	json_t *answer = answer_of(make_fit, &f);
	const json_t *nodes = json_object_get(answer, "nodes");

	check_member(json_array_get(nodes, 0), "bytes_per_s", "4.0");
	check_member(json_array_get(nodes, 1), "bytes_per_s", "null");
	check_member(json_object_get(answer, "law"), "misfit", "null");
	json_decref(answer);
}

static json_t *make_ranking(const void *r)
{
	return system_ranking_json(r);
}

TEST(a_ranking_tells_systems_and_both_correlations)
{
	struct ranked_system row = {.rank = 7, .cores = 64, .nmax = NAN};
	const struct system_ranking r = {.row = &row,
					 .n = 1,
					 .n_accelerated = 2,
					 .b_eff = {.rho = 0.5},
					 .core = {.rho = NAN}};
	json_t *answer = answer_of(make_ranking, &r);

	check_member(json_array_get(json_object_get(answer, "systems"), 0), "rank", "7");
	check_member(json_array_get(json_object_get(answer, "systems"), 0), "nmax", "null");
	check_member(json_object_get(answer, "b_eff"), "rho", "0.5");
	check_member(json_object_get(answer, "core"), "rho", "null");
	json_decref(answer);
}

/* ---- scaling ---- */

struct scaled {
	struct scaling_question q;
	struct scaling_answer a;
};

static json_t *make_scaling(const void *arg)
{
	const struct scaled *s = arg;

	return scaling_answer_json(&s->q, &s->a);
}

TEST(a_point_that_cannot_be_predicted_tells_why_and_nothing_else)
{
	FREED(application) *a = made_application("code", "n", "tile", "", "nodes");
	char blue[] = "blue";
	struct machine machine = {.name = blue};
	double row[16];
	struct scaling_point point = {.why = "tile is larger than n", .speedup = 2};
	const struct scaled s = {.q = {.app = a, .confidence = 0.9},
				 .a = {.mined = {.machine = &machine},
				       .row = row,
				       .point = &point,
				       .n = 1,
				       .i_resource = SIZE_MAX}};
	json_t *answer;
	const json_t *first;

	assert_true(a->n_columns <= 16);
	for (size_t i = 0; i < 16; i++)
		row[i] = NAN;
	answer = answer_of(make_scaling, &s);
	first = json_array_get(json_object_get(answer, "predictions"), 0);
	check_member(answer, "resource", "null");
	check_member(first, "nodes", "null");
	check_member(first, "speedup", "null");
	check_member(first, "support", "null");
	check_member(first, "error", "\"tile is larger than n\"");
	json_decref(answer);
}

/* ---- jobs ---- */

static json_t *make_jobs(const void *r)
{
	return job_reports_json(r);
}

TEST(of_a_job_that_waits_nothing_is_told_as_0)
{
	char id[] = "5f1c", pending[] = "pending", here[] = "here", there[] = "there";
	struct job_report one = {.job = {.advice_id = id,
					 .state = pending,
					 .cluster = here,
					 .ran_on = there,
					 .submitted_s = 86400,
					 .exit_status = -1,
					 .exit_signal = 0,
					 .wall_s = NAN},
				 .outcome = {.in_time = HIT_UNKNOWN, .inside = HIT_NO}};
	const struct job_reports r = {.item = &one, .n = 1};
	json_t *answer = answer_of(make_jobs, &r);
	const json_t *job = json_array_get(answer, 0);

	check_member(job, "cluster", "\"there\"");
	check_member(job, "submitted_at", "\"1970-01-02T00:00:00Z\"");
	check_member(job, "started_at", "null");
	check_member(job, "nodes", "null");
	check_member(job, "exit_status", "null");
	check_member(job, "exit_signal", "0");
	check_member(job, "wall_s", "null");
	check_member(job, "in_time", "null");
	check_member(job, "inside", "false");
	json_decref(answer);
}

/* ---- a machine ---- */

struct made_machine {
	struct machine machine;
	struct shown_costs costs;
};

static json_t *make_machine(const void *arg)
{
	const struct made_machine *m = arg;

	return machine_definition_json(&m->machine, &m->costs);
}

TEST(what_a_definition_leaves_out_is_null)
{
	char blue[] = "blue";
	struct shown_cost given = {{.from_bytes = 0, .intercept_s = 2e-5}, "given"};
	const struct made_machine m = {
		.machine = {.name = blue, .cores_per_node = 16, .loggp = {.L_s = 1e-6}},
		.costs = {.item = &given, .n = 1}};
	json_t *answer = answer_of(make_machine, &m);
	const json_t *told = json_object_get(answer, "machine");
	const json_t *cost = json_array_get(json_object_get(told, "segments"), 0);

	check_member(told, "nodes", "null");
	check_member(told, "cores_per_node", "16");
	check_member(told, "L_s", "null"); /* has_loggp is false */
	check_member(told, "blocking_bytes", "null");
	check_member(cost, "from_bytes", "0.0");
	check_member(cost, "se_intercept_s", "null");
	check_member(cost, "origin", "\"given\"");
	json_decref(answer);
}

/* ---- an import ---- */

static json_t *make_import_report(const void *file)
{
	return import_report_json(file, 2, true);
}

TEST(each_file_has_its_counts_reasons_and_notes)
{
	char why[] = "n is no number", green[] = "green";
	char *new_machine = green;
	struct ingest_reason reason = {.text = why, .n = 3, .first_line = 7};
	struct imported_file file[2] = {{.path = "a.csv",
					 .result = {.n_rows = 5,
						    .import = {.n_taken = 2, .n_refused = 3},
						    .reason = &reason,
						    .n_reason = 1,
						    .new_machine = &new_machine,
						    .n_new_machine = 1,
						    .notes = STRBUF_INIT}},
					{.path = "b.csv", .result = {.notes = STRBUF_INIT}}};
	const json_t *files, *refused, *notes;
	json_t *answer;

	strbuf_puts(&file[0].result.notes, "time in ms\nppn dropped\n");
	err_set(&file[1].why, ERR_PARSE, "no header");
	answer = answer_of(make_import_report, file);
	files = json_object_get(answer, "files");
	refused = json_object_get(answer, "refused");
	notes = json_object_get(answer, "notes");
	check_member(answer, "dry_run", "true");
	check_member(json_array_get(files, 0), "import_id", "null"); /* as on a dry run */
	check_member(json_array_get(files, 0), "taken", "2");
	check_member(json_array_get(files, 0), "error", "null");
	assert_non_null(
		strstr(json_string_value(json_object_get(json_array_get(files, 1), "error")),
		       "no header"));
	assert_int_equal(json_array_size(refused), 1);
	check_member(json_array_get(refused, 0), "first_line", "7");
	assert_int_equal(json_array_size(notes), 3);
	check_member(json_array_get(notes, 1), "note", "\"ppn dropped\"");
	check_member(json_array_get(notes, 2), "note", "\"new machine: green\"");
	json_decref(answer);
	strbuf_release(&file[0].result.notes);
}

/* ---- findings ---- */

static json_t *make_profile(const void *f)
{
	return findings_profile_json(f);
}

static json_t *make_effects(const void *f)
{
	return findings_effects_json(f);
}

TEST(a_finding_that_says_nothing_says_null)
{
	char n[] = "n", role[] = "problem", none[] = "";
	struct column_profile column = {
		.column = n, .role = role, .min = NAN, .levels = none, .remark = NULL};
	struct column_effect effect = {.column = n, .time_rho = 0.5, .best = none};
	const struct findings f = {
		.column = &column, .n_columns = 1, .effect = &effect, .n_effects = 1};
	json_t *answer = answer_of(make_profile, &f);
	const json_t *told = json_array_get(json_object_get(answer, "columns"), 0);

	check_member(told, "min", "null");
	check_member(told, "level_counts", "null");
	check_member(told, "remark", "null");
	json_decref(answer);
	answer = answer_of(make_effects, &f);
	told = json_array_get(json_object_get(answer, "effects"), 0);
	check_member(told, "time_rho", "0.5");
	check_member(told, "best", "null");
	check_member(answer, "interactions", "[]");
	json_decref(answer);
}

/* ---- were promises kept? ---- */

static json_t *make_calibration(const void *k)
{
	return advice_calibration_json(k);
}

TEST(promises_are_judged_by_how_much_they_said_and_empty_bins_left_out)
{
	/* 0.5 belongs to the bin that begins there, 1 to the last */
	struct judged_forecast in_time[] = {{.probability = 0.5, .hit = HIT_YES},
					    {.probability = 0.6, .hit = HIT_NO},
					    {.probability = 1, .hit = HIT_YES}};
	struct judged_forecast inside[] = {{.probability = 0.9, .hit = HIT_YES}};
	double ratio[] = {1.5, 0.5, 1};
	struct advice_calibration k;
	const json_t *lines;
	json_t *answer;

	for (size_t i = 0; i < 3; i++)
		in_time[i].run_id = (int64_t)i + 1;
	must(advice_calibration_make(in_time, inside, 0, ratio, 0, &k, &err));
	assert_int_equal(k.n, 0);
	must(advice_calibration_make(in_time, in_time, 3, ratio, 3, &k, &err));
	check_rel(k.ratio, 1.0, 1e-12);
	answer = answer_of(make_calibration, &k);
	lines = json_object_get(answer, "calibration");
	assert_int_equal(json_array_size(lines), 4); /* all, two bins, inside */
	check_member(json_array_get(lines, 0), "promises", "3");
	check_member(json_array_get(lines, 0), "kept", "2");
	check_member(json_array_get(lines, 1), "what", "\"in time, promised with 50 to 90 %\"");
	check_member(json_array_get(lines, 1), "promises", "2");
	check_member(json_array_get(lines, 1), "promised_share", "0.55");
	check_member(json_array_get(lines, 2), "promises", "1");
	json_decref(answer);
}
