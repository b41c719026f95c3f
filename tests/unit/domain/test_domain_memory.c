#include "tests/support/check.h"
#include "tests/support/made_application.h"
#include "tests/support/failing_allocations.h"

#include "domain/composition.h"
#include "domain/configuration.h"
#include "domain/dataset.h"
#include "domain/job_script.h"
#include "domain/profile_table.h"
#include "domain/rule.h"
#include "domain/task_description.h"
#include "domain/template.h"

FREEABLE(machine)
FREEABLE(task_description)
FREEABLE(template)

/* The room without memory: of what is read or made, all or nothing. Each allocation fails in turn.
 */

static const char small_path[] = "tests/fixtures/definitions/small.conf";

/* ---- applications ---- */

static struct application *read_application(const char *path)
{
	struct application *a = NULL;

	must(application_read(path, &a, &err));
	return a;
}

TEST(an_application_is_whole_or_none)
{
	static const char *const path[] = {small_path, "tests/fixtures/definitions/job.conf",
					   "data/applications/sweep3d.conf"};
	struct application *a = NULL;

	for (size_t i = 0; i < 3; i++) {
		failing_each_allocation (application_read(path[i], &a, &err), &err)
			assert_null(a);
		assert_non_null(a->name);
		assert_string_equal(a->definition + strlen(a->definition) - 3, "};\n");
		application_free(a);
		a = NULL;
	}
}

TEST(an_ad_hoc_application_has_a_text_or_an_error)
{
	const struct ad_hoc spec = {
		.name = "qr",
		.target = "time (s)",
		.target_unit_s = 1,
		.problem = (const char *const[]){"m", "n", NULL},
		.tunable = (const char *const[]){"nb", "lay out", NULL},
		.categorical = (const char *const[]){"lay out", NULL},
		.resource_column = (const char *const[]){"procs", NULL},
		.resource_field = (const char *const[]){"procs", NULL},
	};
	FREED(application) *a = NULL;
	struct strbuf text = STRBUF_INIT;

	failing_each_allocation (application_ad_hoc_text(&spec, &text, &err), &err)
		strbuf_release(&text);
	must(application_parse(strbuf_text(&text), "qr", &a, &err));
	assert_true(application_column(a, "lay_out") != SIZE_MAX);
	strbuf_release(&text);
}

/* ---- configurations, runs ---- */

TEST(a_row_is_set_by_texts_or_there_is_an_error)
{
	FREED(application) *a = read_application(small_path);
	double row[32];

	configuration_clear(a, row);
	failing_each_allocation (configuration_set(a, "n=8,grid=2x4", row, &err), &err)
		configuration_clear(a, row);
	assert_true(row[application_column(a, "n")] == 8);
	assert_true(row[application_column(a, "py")] == 4);
	failing_each_allocation (configuration_set_group(a, &a->group[0], "4x8", row, &err), &err)
		;
	assert_true(row[application_column(a, "px")] == 4);
}

static enum err_code add_runs(struct dataset *d, size_t n, struct err *e)
{
	double row[32];
	enum err_code rc = ERR_OK;

	configuration_clear(d->app, row);
	row[0] = 5;
	for (size_t i = d->n; i < n && !rc; i++)
		rc = dataset_add(d, row, (double)i, (int64_t)i, 1, SOURCE_MEASURED, RUN_OK, 1, e);
	return rc;
}

TEST(a_set_of_runs_keeps_what_it_has_when_it_cannot_grow)
{
	FREED(application) *a = read_application(small_path);
	struct dataset *d = dataset_new(a), *part = NULL;
	unsigned char keep[100] = {0, 1};

	assert_non_null(d);
	failing_each_allocation (add_runs(d, 100, &err), &err) {
		for (size_t i = 0; i < d->n; i++)
			assert_true(d->wall_s[i] == (double)i && dataset_row(d, i)[0] == 5);
	}
	assert_int_equal(d->n, 100);
	failing_each_allocation (dataset_subset(d, keep, &part, &err), &err)
		assert_null(part);
	assert_int_equal(part->n, 1);
	assert_true(part->wall_s[0] == 1);
	dataset_free(part);
	dataset_free(d);
	failing_allocation_start(1);
	d = dataset_new(a);
	assert_true(failing_allocation_stop());
	assert_null(d);
}

/* ---- components ---- */

/* A set that what did not fit is not left in half. */
TEST(a_file_of_components_is_read_whole_or_refused)
{
	static const char *const path[] = {
		"data/components/applications.conf", "data/components/memories.conf",
		"data/components/networks.conf", "data/components/processors.conf"};
	struct component_set set = {0};
	struct profile_table *t = NULL;

	for (size_t i = 0; i < 4; i++) {
		failing_each_place (component_read(path[i], &set, &err), &err)
			component_set_release(&set);
		assert_true(set.n > 0);
		failing_each_allocation (profile_table_new(&set, &t, &err), &err)
			assert_null(t);
		profile_table_free(t);
		t = NULL;
		component_set_release(&set);
	}
}

TEST(a_composition_is_whole_or_none)
{
	static char app[] = "app", any_application[] = "domain = 'application'";
	const struct component_request root = {.name = app, .selector = any_application};
	const char *text =
		"components = ( { name = \"sweep\"; domain = \"application\"; paradigm = \"analytic\";"
		" requests = ( { name = \"net\"; selector = \"messages = 1\"; },"
		"              { name = \"cpu\"; selector = \"part = 'processor'\"; } ); },"
		"{ name = \"b\"; domain = \"runtime\"; paradigm = \"analytic\"; takes = \"machine\";"
		"  profile = { messages = 1; }; },"
		"{ name = \"p\"; domain = \"hardware\"; part = \"processor\"; paradigm = \"analytic\"; },"
		"{ name = \"q\"; domain = \"hardware\"; part = \"processor\"; paradigm = \"analytic\"; } );";
	const struct composition_wish wish[] = {
		{.request = "cpu", .component = "q", .flag = "--cpu"},
		{.request = "net", .component = "b:blue", .flag = "--net"}};
	RELEASED(component_set) set = {0};
	const struct composition_question q = {&set, &root, wish, 2};
	RELEASED(composition) made = {0};

	must(component_parse(text, "t.conf", &set, &err));
	failing_each_allocation (composition_resolve(&q, &made, &err), &err)
		assert_true(made.n == 0 && made.node == NULL);
	assert_string_equal(composition_find(&made, "cpu")->chosen->name, "q");
	assert_string_equal(composition_find(&made, "net")->argument, "blue");
}

TEST(a_task_is_whole_or_none)
{
	static const char *const path[] = {
		"data/tasks/sweep-database.ted", "data/tasks/sweep-measure.ted",
		"data/tasks/sweep-simulate.ted", "data/tasks/sweep-trace.ted"};
	struct task_description *t = NULL;

	for (size_t i = 0; i < 4; i++) {
		failing_each_allocation (task_description_read(path[i], &t, &err), &err)
			assert_null(t);
		assert_non_null(t->name);
		task_description_free(t);
		t = NULL;
	}
}

TEST(a_pipeline_of_instructions_is_whole_or_none)
{
	static const char text[] =
		"task = { name = \"t\"; method = \"simulate\";"
		"run = { program = \"a\"; cell_angles = \"1\"; };"
		"processor = { clock_ghz = 2; pipeline = { issue_width = 4; window = 8;"
		"units = ({ name = \"u\"; });kinds = ({ name = \"add\"; unit = \"u\"; latency = 1; });"
		"loop = [\"add x = x\", \"add y = x y\"]; }; };memory = {"
		"I1 = { size = \"32 KiB\"; associativity = 8; line = 64; miss_cycles = 10; };"
		"D1 = { size = \"32 KiB\"; associativity = 8; line = 64; miss_cycles = 10; };"
		"LL = { size = \"1 MiB\"; associativity = 16; line = 64; miss_cycles = 100; }; };};";
	FREED(task_description) *t = NULL;

	failing_each_allocation (task_description_parse(text, "t.ted", &t, &err), &err)
		assert_null(t);
	assert_int_equal(t->processor.pipeline->n, 2);
}

/* ---- rules ---- */

static void release_rule(struct rule *r)
{
	rule_release(r);
	*r = (struct rule){0};
}

static enum err_code make_rule(const struct application *a, struct rule *r, struct err *e)
{
	enum err_code rc;

	r->kind = RULE_TIME;
	r->condition = strdup("block in (1, 2) and n > 4 and share is not null and layout = 'a'");
	if (!r->condition)
		return err_set(e, ERR_NOMEM, "condition");
	r->coefficient = r->max = 2;
	r->weight = 0.5;
	if ((rc = rule_add_term(r, "n", 2, e)) || (rc = rule_add_term(r, "px", -1, e)))
		return rc;
	return rule_identify(a, r, e);
}

static enum err_code list_rules(struct rule_list *l, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (int i = 0; i < 20 && !rc; i++) {
		struct rule r = {.kind = RULE_CHOICE, .condition = strdup("n > 1")};

		if (!r.condition)
			return err_set(e, ERR_NOMEM, "condition");
		rc = rule_list_add(l, &r, e);
		assert_null(r.condition); /* handed over, or released */
	}
	return rc;
}

TEST(a_rule_is_identified_written_and_tested_or_there_is_an_error)
{
	FREED(application) *a = read_application(small_path);
	struct strbuf sql = STRBUF_INIT;
	struct rule_list l = {0};
	struct rule_test *t = NULL;
	struct rule r = {0};
	char id[RULE_ID_SIZE];

	must(make_rule(a, &r, &err));
	memcpy(id, r.id, sizeof id);
	release_rule(&r);
	failing_each_allocation (make_rule(a, &r, &err), &err)
		release_rule(&r);
	assert_string_equal(r.id, id);
	failing_each_allocation (rule_put_sql(a, &r, &sql, &err), &err)
		strbuf_release(&sql);
	assert_non_null(strstr(strbuf_text(&sql), "SELECT"));
	failing_each_allocation (rule_test_new(a, &r, &t, &err), &err)
		assert_null(t);
	rule_test_free(t);
	failing_each_allocation (list_rules(&l, &err), &err)
		rule_list_release(&l);
	assert_int_equal(l.n, 20);
	rule_list_release(&l);
	strbuf_release(&sql);
	release_rule(&r);
}

/* ---- texts ---- */

TEST(a_job_script_is_whole_or_there_is_an_error)
{
	const char *blue =
		"machine = { name = \"blue\"; cores_per_node = 4; slurm = {"
		" partition = \"p\"; options = [ \"--qos=debug\" ]; setup = [ \"ls\" ]; }; };";
	FREED(application) *a = read_application("data/applications/sweep3d.conf");
	struct strbuf out = STRBUF_INIT;
	FREED(machine) *m = NULL;
	struct job job;
	double row[32];

	must(machine_parse(blue, "blue", &m, &err));
	configuration_clear(a, row);
	must(configuration_set_problem(a, "50x50x50", true, row, &err));
	must(configuration_set(a, "npe_i=2,npe_j=2,nodes=1,mk=10,mmi=3", row, &err));
	configuration_default_workload(a, row);
	configuration_derive(a, row);
	job = (struct job){a, m, row, 75, "a remark\n", "/home/a.time"};
	failing_each_place (job_script_slurm(&job, &out, &err), &err)
		strbuf_release(&out);
	assert_non_null(strstr(strbuf_text(&out), "--qos=debug"));
	strbuf_release(&out);
}

/* Appending tells by the buffer. */
static enum err_code text_to_sql(const char *text, const struct expr_scope *scope,
				 struct strbuf *out, struct err *e)
{
	enum err_code rc = expr_text_to_sql(text, scope, out, e);

	return !rc && out->failed ? err_set(e, ERR_NOMEM, "sql") : rc;
}

TEST(an_expression_is_whole_or_none)
{
	static const char *const name[] = {"a", "b"};
	const struct expr_scope scope = {name, NULL, 2, NULL, false};
	const char *text = "not (a in (1, 2, 3)) or -b between 1 and max(a, b, 4) or a is null";
	const double row[] = {4, -2};
	struct strbuf sql = STRBUF_INIT;
	FREED(template) *t = NULL;
	struct expr *x = NULL;

	failing_each_allocation (expr_parse(text, &scope, &x, &err), &err)
		assert_null(x);
	assert_true(expr_holds(x, row));
	expr_free(x);
	failing_each_allocation (text_to_sql(text, &scope, &sql, &err), &err)
		strbuf_release(&sql);
	assert_true(sql.len > 0);
	strbuf_release(&sql);
	failing_each_allocation (template_parse("x {a} y {b * 2}", &scope, &t, &err), &err)
		assert_null(t);
	failing_each_allocation (template_fill(t, row, TEMPLATE_FILE, &sql, &err), &err)
		strbuf_release(&sql);
	assert_string_equal(strbuf_text(&sql), "x 4 y -4");
	strbuf_release(&sql);
}
