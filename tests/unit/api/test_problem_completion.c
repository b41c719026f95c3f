/* What people leave out of a problem, from what runs leave no choice of. */
#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include <unistd.h>

#include "api/problem_completion.h"
#include "ingest/ingest.h"

/* Two cases with sizes of their own; dt goes with dx, order never varies, steps do in each case. */
static const char table[] = "name,nx,dx,dt,order,steps,nodes,time\n"
			    "small,100,12,60,2,10,1,9\n"
			    "small,100,12,60,2,20,2,8\n"
			    "large,400,3,15,2,10,1,70\n"
			    "large,400,3,15,2,20,2,65\n";
static const char *const problem[] = {"name", "nx", "dx", "dt", "order", "steps", NULL};
static const char *const categorical[] = {"name", NULL};

struct cases {
	char path[64];
	struct session session;
	struct application *app;
	double *row;
	struct strbuf taken;
};

static int set_up(void **state)
{
	static const char *const column[] = {"nodes", NULL}, *const field[] = {"nodes", NULL};
	struct cases *c = zeroed(1, sizeof *c);
	const struct ad_hoc wrf = {.name = "wrf",
				   .target = "time",
				   .target_unit_s = 1,
				   .problem = problem,
				   .categorical = categorical,
				   .resource_column = column,
				   .resource_field = field};
	const struct ingest_options o = {.path = "runs.csv",
					 .text = table,
					 .app = "wrf",
					 .machine = "m",
					 .source = -1,
					 .ad_hoc = &wrf};
	struct ingest_result result = {0};
	int file;

	strcpy(c->path, "/tmp/lemnos-problem-XXXXXX");
	file = mkstemp(c->path);
	assert_true(file >= 0);
	close(file);
	c->session.kb_path = c->path;
	must(session_open(&c->session, KB_CREATE, &err));
	must(ingest_file(c->session.kb, &o, &result, &err));
	assert_int_equal(result.import.n_taken, 4);
	ingest_result_release(&result);
	must(kb_get_application(c->session.kb, "wrf", &c->app, NULL, &err));
	c->row = calloc(c->app->n_columns, sizeof *c->row);
	assert_non_null(c->row);
	*state = c;
	return 0;
}

static int tear_down(void **state)
{
	HEAP struct cases *c = *state;

	application_free(c->app);
	session_close(&c->session);
	assert_int_equal(unlink(c->path), 0);
	strbuf_release(&c->taken);
	free(c->row);
	return 0;
}

static double *at(struct cases *c, const char *column)
{
	const size_t i = application_column(c->app, column);

	assert_true(i < c->app->n_columns);
	return &c->row[i];
}

static void give_nothing(struct cases *c)
{
	for (size_t i = 0; i < c->app->n_columns; i++)
		c->row[i] = NAN;
	strbuf_clear(&c->taken);
}

static void give_case(struct cases *c, const char *name)
{
	const struct column *column = &c->app->column[application_column(c->app, "name")];

	give_nothing(c);
	for (size_t i = 0; i < column->levels.n; i++) {
		if (!strcmp(column->levels.name[i], name))
			*at(c, "name") = (double)i;
	}
	assert_true(*at(c, "name") >= 0);
}

static void complete(struct cases *c)
{
	must(problem_complete(&c->session, c->app, c->row, &c->taken, &err));
}

TEST_WITH(a_name_stands_for_its_sizes, set_up, tear_down)
{
	struct cases *c = *state;

	give_case(c, "large");
	complete(c);
	assert_true(*at(c, "nx") == 400 && *at(c, "dx") == 3 && *at(c, "dt") == 15);
	assert_true(*at(c, "order") == 2);
	assert_true(isnan(*at(c, "steps")));
	assert_string_equal(
		strbuf_text(&c->taken),
		"order 2 assumed, as in all runs; nx 400, dx 3, dt 15 assumed, as in all runs of name large");
}

TEST_WITH(a_number_that_the_case_never_had_is_another_problem, set_up, tear_down)
{
	struct cases *c = *state;

	give_case(c, "large");
	*at(c, "nx") = 1000;
	complete(c);
	assert_true(isnan(*at(c, "dx")) && isnan(*at(c, "dt")));
	assert_string_equal(strbuf_text(&c->taken), "order 2 assumed, as in all runs");
	/* steps differ from run to run of the case */
	give_case(c, "large");
	*at(c, "steps") = 5000;
	complete(c);
	assert_true(*at(c, "nx") == 400 && *at(c, "dx") == 3 && *at(c, "dt") == 15);
}

TEST_WITH(a_number_goes_with_a_number, set_up, tear_down)
{
	struct cases *c = *state;

	give_nothing(c);
	*at(c, "dx") = 12;
	complete(c);
	assert_true(*at(c, "nx") == 100 && *at(c, "dt") == 60);
	assert_true(isnan(*at(c, "name")) && isnan(*at(c, "steps")));
	/* no run has it */
	give_nothing(c);
	*at(c, "dx") = 6;
	complete(c);
	assert_true(isnan(*at(c, "nx")) && isnan(*at(c, "dt")));
}

TEST_WITH(the_example_agrees_as_far_as_a_run_does, set_up, tear_down)
{
	struct cases *c = *state;
	RELEASED(strbuf) text = STRBUF_INIT;

	give_case(c, "large");
	*at(c, "nx") = 1000;
	must(problem_put_example(&c->session, c->app, c->row, &text, &err));
	assert_non_null(strstr(strbuf_text(&text), "name=large,nx=1000,dx=3,dt=15,order=2,steps="));
}

static enum err_code complete_again(struct cases *c, struct err *e)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	enum err_code rc;

	give_case(c, "small");
	*at(c, "dx") = 12;
	rc = problem_complete(&c->session, c->app, c->row, &c->taken, e);
	if (!rc)
		rc = problem_put_example(&c->session, c->app, c->row, &text, e);
	if (!rc && text.failed)
		rc = err_set(e, ERR_NOMEM, "an example");
	return rc;
}

TEST_WITH(without_memory_there_is_an_error, set_up, tear_down)
{
	struct cases *c = *state;

	failing_each_place (complete_again(c, &err), &err)
		continue;
	assert_true(*at(c, "nx") == 100);
}
