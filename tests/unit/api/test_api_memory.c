/* What a front end asks, without memory: an error or the right answer, never a wrong one; and a
 * base that can be asked again. */
#include "tests/support/failing_allocations.h"
#include "tests/support/folder.h"

#include <jansson.h>

#include "api/advice_answer.h"
#include "api/advice_explanation.h"
#include "api/import_runs.h"
#include "api/job_submit.h"
#include "api/job_sync.h"
#include "api/json_text.h"
#include "api/mine_base.h"
#include "api/rule_book.h"
#include "api/rule_json.h"
#include "base/strbuf.h"
#include "domain/configuration.h"
#include "tests/support/check.h"
#include "tests/support/made_application.h"

FREEABLE(machine)

static char base_path[128];
static struct session session;

enum { N_RUNS = 24 };

/* A few configurations of one problem: every part is there, and a search is short. */
static const char runs[] =
	"machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat\n";

static void put_runs(struct strbuf *text)
{
	strbuf_puts(text, runs);
	for (int i = 0; i < N_RUNS; i++) {
		int p = 2 << i % 2, q = 1 << i / 3 % 2, mk = i % 2 ? 10 : 5,
		    mmi = i / 6 % 2 ? 3 : 6;

		strbuf_printf(text, "blue,20,20,10,%d,%d,%d,%d,%d,12,%.4f,1\n", p, q, p * q, mk,
			      mmi, 8.0 / (p * q) + 0.3 / mk + 0.05 * mmi + 0.01 * (i % 5));
	}
}

static void load(void)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	struct ingest_options o = {.path = "runs", .source = -1, .app = "sweep3d"};
	RELEASED(ingest_result) r = {0};
	FREED(application) *a = NULL;

	put_runs(&text);
	o.text = strbuf_text(&text);
	must(session_open(&session, KB_CREATE, &err));
	must(application_read("data/applications/sweep3d.conf", &a, &err));
	must(kb_put_application(session.kb, a, NULL, &err));
	must(import_runs(&session, &o, &r, &err));
	assert_int_equal(r.import.n_taken, N_RUNS);
}

static int make_base(void **state)
{
	session_init_process();
	if (make_folder(state))
		return -1;
	snprintf(base_path, sizeof base_path, "%s/a.kb", folder);
	session = (struct session){.kb_path = base_path, .datadir = "data"};
	load();
	return 0;
}

static enum err_code count_fits(void *arg, const struct mined_step *step, struct err *e)
{
	return step->failed ? err_set(e, step->failed, "%s", step->why) : ERR_OK;
}

static int make_mined_base(void **state)
{
	const struct mine_request all = {.told = count_fits};

	if (make_base(state))
		return -1;
	must(mine_base(&session, &all, &err));
	return 0;
}

static int remove_base(void **state)
{
	session_close(&session);
	return remove_folder(state);
}

/* ---- the base ---- */

static enum err_code open_and_choose(int64_t *id, struct err *e)
{
	FREED(application) *a = NULL;
	FREED(machine) *m = NULL;
	enum err_code rc;

	if (!(rc = session_open(&session, KB_READ, e)) &&
	    !(rc = session_application(&session, NULL, &a, id, e)))
		rc = session_machine(&session, NULL, *id, &m, NULL, e);
	if (!rc && (strcmp(a->name, "sweep3d") != 0 || strcmp(m->name, "blue") != 0))
		rc = err_set(e, ERR_ARG, "another one");
	return rc;
}

TEST_WITH(the_only_application_and_machine_are_found_or_there_is_an_error, make_base, remove_base)
{
	int64_t id = 0;

	failing_each_place_tolerated (open_and_choose(&id, &err), &err)
		;
	assert_true(id > 0);
}

static enum err_code import_more(int64_t *id, struct err *e)
{
	const struct ingest_options o = {
		.path = "more",
		.text = "machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat\n"
			"blue,20,20,10,4,4,16,10,6,12,1.5,1\n",
		.source = -1,
		.app = "sweep3d"};
	RELEASED(ingest_result) r = {0};
	enum err_code rc = import_runs(&session, &o, &r, e);

	if (!rc && r.import.n_taken != 1)
		rc = err_set(e, ERR_ARG, "%lld taken", (long long)r.import.n_taken);
	*id = rc ? 0 : r.import.id;
	return rc;
}

static int64_t count_runs(void)
{
	RELEASED(kb_names) names = {0};
	int64_t n;

	must(kb_list_applications(session.kb, &names, &err));
	assert_int_equal(names.n, 1);
	n = names.item[0].n_runs;
	return n;
}

TEST_WITH(an_import_is_whole_or_there_is_an_error, make_base, remove_base)
{
	int64_t id = 0;

	failing_each_place_tolerated (import_more(&id, &err), &err) {
		struct err why = {0};

		if (id)
			check_ok(kb_undo_import(session.kb, id, NULL, &why), &why);
		assert_int_equal(count_runs(), N_RUNS);
	}
	assert_true(id > 0);
	assert_int_equal(count_runs(), N_RUNS + 1);
}

/* ---- answers ---- */

struct told {
	double predicted_s, p_meet;
	char id[ADVICE_ID_SIZE];
	size_t json_length;
};

static enum err_code ask(struct told *out, struct err *e)
{
	const struct machine_request any = {.name = NULL};
	struct advice_question q = {0};
	struct advice_answer a = {0};
	enum err_code rc;

	*out = (struct told){0};
	if ((rc = advice_question_open(&session, NULL, &q, e)) ||
	    (rc = configuration_set_problem(q.app, "20x20x10", true, q.given, e)))
		goto done;
	q.request.deadline_s = 3600;
	q.request.objective = OBJECTIVE_NODES;
	advice_question_complete(&session, &q);
	if ((rc = advice_question_bind_machine(&session, &any, &q, e)) ||
	    (rc = advice_answer_find(&q, 0, &a, e)))
		goto done;
	out->predicted_s = a.advice->best.prediction.time_s;
	out->p_meet = a.advice->best.p_meet;
	memcpy(out->id, a.id, sizeof a.id);
	rc = advice_answer_keep(&session, &q, &a, e);
done:
	advice_answer_release(&a);
	advice_question_release(&q);
	return rc;
}

TEST_WITH(a_recommendation_is_the_right_one_or_there_is_an_error, make_mined_base, remove_base)
{
	struct told want, got;

	must(ask(&want, &err));
	assert_true(want.predicted_s > 0 && want.p_meet >= 0.9);
	failing_each_place_repeated_tolerated(ask(&got, &err), &err)
	{
		if (err.code == ERR_OK)
			assert_memory_equal(&got, &want, sizeof got);
	}
}

/* ---- jobs ---- */

/* Scripts that answer as Slurm does: job 41 completed. */
static void put_command(const char *name, const char *body)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	strbuf_printf(&text, "#!/bin/sh\n%s\n", body);
	write_file(in_folder(name), strbuf_text(&text));
	assert_int_equal(chmod(in_folder(name), 0700), 0);
}

static void play_slurm(const char *job_name)
{
	static char before[4096];
	char path[8192], line[512];

	if (!*before)
		snprintf(before, sizeof before, "%s", getenv("PATH"));
	snprintf(path, sizeof path, "%s:%s", folder, before);
	setenv("PATH", path, 1);
	put_command("sbatch", "echo 41");
	snprintf(line, sizeof line,
		 "echo '41|COMPLETED|22|60|1795402819|1795402821|1795402843|1|0:0|c|%s'", job_name);
	put_command("sacct", line);
	put_command("squeue", "");
}

static enum err_code submit_job(const char *advice_id, struct kb_job *out, struct err *e)
{
	static const struct machine machine = {.name = (char *)(uintptr_t) "blue"};
	RELEASED(job_place) place = {0};
	struct job_submission s = {.advice_id = advice_id,
				   .place = &place,
				   .script = "#!/bin/sh\n",
				   .limit_min = 60,
				   .machine = &machine,
				   .again = true};
	enum err_code rc = job_place_find("toy", &place, e);

	if (!rc)
		rc = job_submit(&session, &s, out, e);
	return rc;
}

static size_t count_jobs(bool open)
{
	RELEASED(kb_jobs) jobs = {0};
	size_t n;

	must(kb_list_jobs(session.kb, NULL, open, &jobs, &err));
	n = jobs.n;
	return n;
}

TEST_WITH(a_job_is_submitted_and_kept_or_there_is_an_error, make_mined_base, remove_base)
{
	struct told told;
	struct kb_job job = {0};
	struct err e;
	size_t n_kept = 0;

	must(ask(&told, &err));
	play_slurm("");
	failing_each_place_tolerated (submit_job(told.id, &job, &e), &e) {
		/* sbatch was called at most once, and then the base knows of it */
		assert_true(count_jobs(false) <= n_kept + 1);
		n_kept = count_jobs(false);
		if (e.code == ERR_OK)
			assert_string_equal(job.slurm_id, "41");
		kb_job_release(&job);
	}
	assert_string_equal(job.slurm_id, "41");
	assert_string_equal(job.state, "pending");
	kb_job_release(&job);
}

static enum err_code sync_jobs(double *wall_s, struct err *e)
{
	RELEASED(job_reports) r = {0};
	enum err_code rc = job_sync(&session, NULL, 0, &r, e);

	*wall_s = rc || r.n != 1 ? 0 : r.item[0].job.wall_s;
	return rc;
}

/* The job as it was before anybody asked. */
static void reopen_job(const struct kb_job *job)
{
	struct kb_imports imports = {0};

	must(kb_list_imports(session.kb, &imports, &err));
	for (size_t i = 0; i < imports.n; i++) {
		if (!imports.item[i].undone && strstr(imports.item[i].file_name, "Slurm job"))
			must(kb_undo_import(session.kb, imports.item[i].id, NULL, &err));
	}
	kb_imports_release(&imports);
	must(kb_put_job(session.kb, job, &err));
}

TEST_WITH(a_job_is_settled_with_its_run_or_there_is_an_error, make_mined_base, remove_base)
{
	struct told told;
	RELEASED(kb_job) job = {0};
	double wall_s = 0;

	must(ask(&told, &err));
	play_slurm("");
	must(submit_job(told.id, &job, &err));
	play_slurm(job.name);
	failing_each_place_tolerated (sync_jobs(&wall_s, &err), &err) {
		assert_int_equal(count_runs(), N_RUNS + (count_jobs(true) == 0));
		if (count_jobs(true) == 0)
			reopen_job(&job);
	}
	assert_true(wall_s == 22); /* sacct's, as the script was never run */
	assert_int_equal(count_runs(), N_RUNS + 1);
	assert_int_equal(count_jobs(true), 0);
}

static void check_objection(const struct answer *a, enum job_objection want)
{
	bool objection[JOB_N_OBJECTIONS];

	job_objections_of(a, objection);
	for (enum job_objection d = 0; d < JOB_N_OBJECTIONS; d++)
		assert_int_equal(objection[d], d == want);
}

TEST(what_speaks_against_a_job_is_named)
{
	const struct answer good = {.feasible = true,
				    .best = {.support = "edge", .outlasts_s = (double)NAN}};
	struct answer a = good;

	check_objection(&a, JOB_N_OBJECTIONS);
	a.feasible = false;
	check_objection(&a, OBJECTION_INFEASIBLE);
	a = good;
	a.best.support = "outside";
	check_objection(&a, OBJECTION_OUTSIDE);
	a.best.support = ""; /* an older answer does not tell */
	check_objection(&a, OBJECTION_OUTSIDE);
	a = good;
	a.best.warning.given = true;
	check_objection(&a, OBJECTION_AT_RISK);
	a.best.warning.failed = true;
	check_objection(&a, OBJECTION_FAILED);
	a = good;
	a.best.outlasts_s = 60;
	check_objection(&a, OBJECTION_CUT);
	a = good;
	a.evidence.machine.simulated = true;
	check_objection(&a, OBJECTION_SIMULATED);
	a = good;
	a.request.like = "blue";
	check_objection(&a, OBJECTION_BORROWED);
}

/* ---- explanations and rules ---- */

/* The answer as text, which is freed; and how long it was. */
static enum err_code measure(struct json_t *answer, size_t *length, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = out_json_text(answer, &text, e);

	*length = text.len;
	strbuf_release(&text);
	json_decref(answer);
	return rc;
}

static enum err_code explain(const char *id, bool *current, size_t *length, struct err *e)
{
	RELEASED(advice_explanation) x = {0};
	struct json_t *answer;
	enum err_code rc = advice_explanation_find(&session, id, &x, e);

	*current = x.today.current;
	if (!rc && !(rc = advice_explanation_json(&x, &answer, e)))
		rc = measure(answer, length, e);
	return rc;
}

TEST_WITH(an_explanation_is_whole_or_there_is_an_error, make_mined_base, remove_base)
{
	struct told told;
	size_t want = 0, got = 0;
	bool current = false;

	must(ask(&told, &err));
	must(explain(told.id, &current, &want, &err));
	failing_each_place_repeated_tolerated(explain(told.id, &current, &got, &err), &err)
	{
		if (err.code == ERR_OK) {
			assert_true(current);
			assert_int_equal(got, want);
		}
	}
	assert_true(current);
}

static enum err_code read_rules(size_t *n, size_t *length, struct err *e)
{
	RELEASED(rule_book) b = {0};
	struct json_t *answer;
	enum err_code rc = rule_book_load(&session, NULL, NULL, &b, e);

	*n = b.n;
	if (!rc && !(rc = rule_book_json(&b, b.n, &answer, e)))
		rc = measure(answer, length, e);
	return rc;
}

TEST_WITH(the_rules_are_all_there_or_there_is_an_error, make_mined_base, remove_base)
{
	size_t want = 0, got = 0, want_length = 0, length = 0;

	must(read_rules(&want, &want_length, &err));
	failing_each_place_repeated_tolerated(read_rules(&got, &length, &err), &err)
	{
		if (err.code == ERR_OK) {
			assert_int_equal(got, want);
			assert_int_equal(length, want_length);
		}
	}
}
