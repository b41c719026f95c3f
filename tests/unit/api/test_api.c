/* What a front end needs is in api/: import, mine, recommend, predict, explain, review and
 * evaluate, with nothing of cli/ linked; alone, and in two threads on two bases at once. */
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <pthread.h>

#include "api/advice_answer.h"
#include "api/advice_explanation.h"
#include "api/back_test.h"
#include "api/import_runs.h"
#include "api/mine_base.h"
#include "api/predict_answer.h"
#include "api/rule_book.h"
#include "api/shipped.h"
#include "domain/configuration.h"

/* ---- one front end at work ---- */

/* What it was told, all of which two bases with the same runs must agree on. */
struct told {
	int64_t n_taken;
	size_t n_pairs, n_together, n_rules;
	char rule_id[RULE_ID_SIZE];
	bool feasible;
	double predicted_s, p_meet;
	bool current_then, current_after_review;
	double error; /* of the back test */
	size_t n_steps, n_notes;
};

struct work {
	char kb_path[128];
	const char *runs; /* a file of runs */
	struct session session;
	struct progress progress;
	struct told told;
	char failed[1100]; /* "": it did not. A thread of its own must not leave by longjmp(). */
};

static bool count_step(void *arg, const char *what, uint64_t done, uint64_t total)
{
	struct work *w = arg;

	w->told.n_steps += what != NULL;
	return true;
}

static void count_note(void *arg, const char *text)
{
	struct work *w = arg;

	w->told.n_notes += strlen(text) > 0;
}

static enum err_code import(struct work *w, struct err *e)
{
	const struct ingest_options o = {.path = w->runs, .source = -1};
	RELEASED(ingest_result) result = {0};
	enum err_code rc = shipped_open_kb(&w->session, KB_CREATE, NULL, e);

	if (!rc)
		rc = import_runs(&w->session, &o, &result, e);
	w->told.n_taken = result.import.n_taken;
	return rc;
}

static enum err_code count_mined(void *arg, const struct mined_step *step, struct err *e)
{
	struct work *w = arg;

	w->told.n_pairs += step->machine && !step->failed && step->made->changed;
	w->told.n_together += !step->machine;
	return ERR_OK;
}

static enum err_code mine_all(struct work *w, struct err *e)
{
	const struct mine_request all = {.told = count_mined, .arg = w};

	return mine_base(&w->session, &all, e);
}

static enum err_code ask(struct work *w, struct advice_question *q, struct err *e)
{
	const struct machine_request any = {.name = NULL};
	enum err_code rc;

	if ((rc = advice_question_open(&w->session, NULL, q, e)) ||
	    (rc = configuration_set_problem(q->app, "50x50x50", true, q->given, e)))
		return rc;
	q->request.deadline_s = 3600;
	q->request.objective = OBJECTIVE_NODES;
	advice_question_complete(&w->session, q);
	return advice_question_bind_machine(&w->session, &any, q, e);
}

/* What is recommended, asked for by itself, takes as long, and so says the answer read back. */
static enum err_code predict(struct work *w, const struct advice_question *q,
			     const struct advice_answer *a, struct err *e)
{
	const struct choice *best = &a->advice->best;
	const struct predict_question one = {
		.app = q->app, .app_id = q->app_id, .given = best->row, .confidence = 0.9};
	RELEASED(predict_answer) p = {0};
	enum err_code rc = predict_answer_find(&w->session, &one, &p, e);

	if (!rc && (fabs(p.forecast.prediction.time_s / best->prediction.time_s - 1) > 1e-12 ||
		    p.told.best.predicted_s != p.forecast.prediction.time_s ||
		    a->told.best.predicted_s != best->prediction.time_s || !p.told.best.given ||
		    a->told.is_best_effort))
		rc = err_set(e, ERR_ARG, "%.17g s is predicted, %.17g s recommended",
			     p.told.best.predicted_s, a->told.best.predicted_s);
	return rc;
}

/* The base is open for reading; id: of the answer, which is remembered. */
static enum err_code recommend(struct work *w, char id[ADVICE_ID_SIZE], struct err *e)
{
	RELEASED(advice_question) q = {0};
	RELEASED(advice_answer) a = {0};
	enum err_code rc;

	if (!(rc = session_open(&w->session, KB_READ, e)) && !(rc = ask(w, &q, e)) &&
	    !(rc = advice_answer_find(&q, 0, &a, e)) && !(rc = predict(w, &q, &a, e)) &&
	    !(rc = advice_answer_keep(&w->session, &q, &a, e))) {
		w->told.feasible = a.advice->feasible;
		w->told.predicted_s = a.advice->best.prediction.time_s;
		w->told.p_meet = a.advice->best.p_meet;
		memcpy(id, a.id, sizeof a.id);
	}
	return rc;
}

static enum err_code explain(struct work *w, const char *id, bool *current, struct err *e)
{
	RELEASED(advice_explanation) x = {0};
	enum err_code rc = advice_explanation_find(&w->session, id, &x, e);

	*current = x.today.current;
	return rc;
}

/* Refuse the first rule of the book. */
static enum err_code review(struct work *w, struct err *e)
{
	struct rule_book b = {0};
	struct rule_subject s = {0};
	enum err_code rc;

	if ((rc = session_open(&w->session, KB_WRITE, e)) ||
	    (rc = rule_book_load(&w->session, NULL, NULL, &b, e)) ||
	    (rc = rule_subject_find(&b, "1", DECISION_REFUSE, &s, e)) ||
	    (rc = rule_decide(&w->session, &b, &s, DECISION_REFUSE, "tester", NULL, e)))
		goto done;
	w->told.n_rules = b.n;
	memcpy(w->told.rule_id, s.view->rule->id, sizeof w->told.rule_id);
	if (s.view->verdict.state != RULE_STATE_REFUSED)
		rc = err_set(e, ERR_ARG, "rule %s is not refused", s.id);
done:
	rule_subject_release(&s);
	rule_book_release(&b);
	return rc;
}

static enum err_code back_test(struct work *w, struct err *e)
{
	static const char *const power_law[] = {"power-law"};
	const struct cv_protocol *protocol[] = {cv_protocol_find("configurations-70/30")};
	struct evaluate_request request = {.protocol = protocol,
					   .n_protocols = 1,
					   .predictor = power_law,
					   .n_predictors = 1,
					   .seed = 1};
	struct evaluation v[1];
	RELEASED(back_test) t = {0};
	size_t n = 0;
	enum err_code rc;

	if (!(rc = back_test_open(&w->session, NULL, NULL, &t, e)) &&
	    !(rc = back_test_load(&w->session, &t, e))) {
		request.in = &t.in.fit;
		rc = evaluate(&request, v, &n, e);
	}
	if (!rc && n == 1)
		w->told.error = v[0].scores.median_error;
	return rc;
}

static void *do_all(void *arg)
{
	struct work *w = arg;
	struct err e = {0};
	char id[ADVICE_ID_SIZE] = "";
	enum err_code rc;

	if ((rc = import(w, &e)) || (rc = mine_all(w, &e)) || (rc = recommend(w, id, &e)) ||
	    (rc = explain(w, id, &w->told.current_then, &e)) || (rc = review(w, &e)) ||
	    (rc = explain(w, id, &w->told.current_after_review, &e)) || (rc = back_test(w, &e)))
		snprintf(w->failed, sizeof w->failed, "error %d: %s", (int)rc, e.msg);
	session_close(&w->session);
	return NULL;
}

enum { EACH = 3, N_TAKEN = 190 };

/* Each third of the runs that ship: what is asked of 190 is asked of 570 in five times the time. */
static void put_some_runs(const char *shipped, const char *to)
{
	FILE *in = fopen(shipped, "r"), *out = fopen(to, "w");
	char line[256];

	assert_true(in && out);
	for (size_t n = 0; fgets(line, sizeof line, in); n++) {
		if (n % EACH == 0) /* the header, too */
			assert_true(fputs(line, out) >= 0);
	}
	assert_int_equal(fclose(in) | fclose(out), 0);
}

static void begin(struct work *w, const char *name, const char *runs)
{
	*w = (struct work){.runs = runs};
	snprintf(w->kb_path, sizeof w->kb_path, "%s/%s.kb", folder, name);
	w->progress = (struct progress){count_step, w};
	w->session = (struct session){.kb_path = w->kb_path,
				      .progress = &w->progress,
				      .datadir = "data",
				      .note = count_note,
				      .arg = w};
}

static void check_told(const struct work *w)
{
	assert_string_equal(w->failed, "");
	assert_int_equal(w->told.n_taken, N_TAKEN); /* lines of the file, but for its header */
	assert_int_equal(w->told.n_pairs, 1);
	assert_int_equal(w->told.n_together, 1);
	assert_true(w->told.n_rules > 0);
	assert_true(w->told.feasible && w->told.p_meet >= 0.9);
	assert_true(w->told.predicted_s > 0 && w->told.predicted_s < 3600);
	assert_true(w->told.current_then);
	assert_true(w->told.error > 0);
	assert_true(w->told.n_steps > 0);
	assert_int_equal(w->told.n_notes, 1); /* a new knowledge base */
}

static void check_same(const struct told *a, const struct told *b)
{
	assert_string_equal(a->rule_id, b->rule_id);
	assert_int_equal(a->n_rules, b->n_rules);
	assert_true(a->predicted_s == b->predicted_s && a->p_meet == b->p_meet);
	assert_int_equal(a->current_after_review, b->current_after_review);
	assert_true(a->error == b->error);
	assert_int_equal(a->n_steps, b->n_steps);
}

/* ---- the tests ---- */

static char sp2like[80], iblike[80];

static int put_runs(void **state)
{
	session_init_process();
	if (make_folder(state))
		return -1;
	snprintf(sp2like, sizeof sp2like, "%s/sp2like.csv", folder);
	snprintf(iblike, sizeof iblike, "%s/iblike.csv", folder);
	put_some_runs("data/runs/simulated_sp2like.csv", sp2like);
	put_some_runs("data/runs/simulated_iblike.csv", iblike);
	return 0;
}

TEST_WITH(test_two_threads_on_two_bases_are_told_what_each_is_told_alone, put_runs, remove_folder)
{
	HEAP struct work *w = zeroed(4, sizeof *w);
	pthread_t thread[2];

	begin(&w[0], "alone-sp2like", sp2like);
	begin(&w[1], "alone-iblike", iblike);
	begin(&w[2], "sp2like", sp2like);
	begin(&w[3], "iblike", iblike);
	do_all(&w[0]);
	do_all(&w[1]);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, do_all, &w[2 + i]), 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	for (size_t i = 0; i < 4; i++)
		check_told(&w[i]);
	check_same(&w[2].told, &w[0].told);
	check_same(&w[3].told, &w[1].told);
	/* The machines differ, so that an answer from the other base would be seen. */
	assert_true(w[0].told.predicted_s != w[1].told.predicted_s);
}

/* The machines that were told, and how many may be. */
struct in_order {
	char names[80];
	size_t n, most;
};

static enum err_code note_machine(void *arg, const struct mined_step *step, struct err *e)
{
	struct in_order *o = arg;

	if (o->n++ == o->most)
		return err_set(e, ERR_IO, "no more");
	strcat(strcat(o->names, step->machine ? step->machine->name : "all"), " ");
	return ERR_OK;
}

/* They are mined side by side, and yet nothing is known of what comes behind one that failed. */
TEST_WITH(test_machines_are_told_in_their_order, put_runs, remove_folder)
{
	const size_t most[] = {0, 1, 9};
	const char *const names[] = {"", "iblike ", "iblike sp2like all "};

	for (size_t i = 0; i < 3; i++) {
		struct in_order told = {.most = most[i]};
		const struct mine_request all = {.told = note_machine, .arg = &told};
		RELEASED(kb_fit) fit = {0};
		struct machine *sp2 = NULL;
		struct work w;
		int64_t app_id = 0, machine_id = 0;
		struct application *app = NULL;

		begin(&w, names[i], sp2like);
		must(import(&w, &err));
		w.runs = iblike;
		must(import(&w, &err));
		assert_int_equal(mine_base(&w.session, &all, &err), i < 2 ? ERR_IO : ERR_OK);
		assert_string_equal(told.names, names[i]);
		must(kb_get_machine(w.session.kb, "sp2like", &sp2, &machine_id, &err));
		must(kb_get_application(w.session.kb, "sweep3d", &app, &app_id, &err));
		assert_int_equal(kb_get_fit(w.session.kb, app_id, machine_id, &fit, NULL),
				 i < 1 ? ERR_NOTMINED : ERR_OK);
		machine_free(sp2);
		application_free(app);
		session_close(&w.session);
	}
}

TEST_WITH(test_a_front_end_can_cancel, put_runs, remove_folder)
{
	struct work w;

	begin(&w, "cancelled", sp2like);
	w.progress = (struct progress){stop_at_once, NULL};
	must_fail(import(&w, &err), ERR_INTERRUPTED, "");
	w.progress = (struct progress){count_step, &w};
	must(import(&w, &err));
	assert_int_equal(w.told.n_taken, N_TAKEN); /* nothing had been taken */
	session_close(&w.session);
}
