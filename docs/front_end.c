/* A front end that is not a terminal, as small as one can be: load a table of runs, learn from it,
 * ask for a configuration that meets a deadline. Everything is asked of api/; `make check-docs`
 * builds and runs it. usage: front_end BASE RUNS.csv PROBLEM DEADLINE_S */
#include <stdio.h>
#include <stdlib.h>

#include "api/advice_answer.h"
#include "api/import_runs.h"
#include "api/mine_base.h"
#include "api/shipped.h"
#include "domain/configuration.h"

static enum err_code load(struct session *s, const char *runs, struct err *e)
{
	const struct ingest_options o = {.path = runs, .source = -1};
	struct ingest_result result = {0};
	enum err_code rc = shipped_open_kb(s, KB_CREATE, NULL, e);

	if (!rc && !(rc = import_runs(s, &o, &result, e)))
		printf("%lld runs taken\n", (long long)result.import.n_taken);
	ingest_result_release(&result);
	return rc;
}

/* A page would show a bar here, and what was found on each machine. */
static enum err_code learnt(void *arg, const struct mined_step *step, struct err *e)
{
	(void)arg;
	(void)e;
	if (step->machine)
		printf("%s: %s\n", step->machine->name, step->failed ? step->why : "learnt");
	return ERR_OK;
}

static enum err_code ask(struct session *s, const char *problem, double deadline_s, struct err *e)
{
	const struct machine_request any = {.name = NULL};
	struct advice_question q = {0};
	struct advice_answer a = {0};
	enum err_code rc;

	if ((rc = advice_question_open(s, NULL, &q, e)) ||
	    (rc = configuration_set_problem(q.app, problem, false, q.given, e)))
		goto done;
	q.request.deadline_s = deadline_s;
	q.request.objective = OBJECTIVE_NODE_HOURS;
	advice_question_complete(s, &q);
	if ((rc = advice_question_bind_machine(s, &any, &q, e)) ||
	    (rc = advice_answer_find(&q, 0, &a, e)))
		goto done;
	printf("%s, support %s: %.3g s (%.3g to %.3g), in time with probability %.2f\n",
	       a.told.feasible ? "submit" : "no", a.told.best.support, a.told.best.predicted_s,
	       a.told.best.lo_s, a.told.best.hi_s, a.told.best.p_meet);
	for (size_t c = 0; c < q.app->n_columns; c++) {
		if (a.told.best.value[c].number == a.told.best.value[c].number)
			printf("  %s = %.15g\n", q.app->column[c].name,
			       a.told.best.value[c].number);
	}
	rc = advice_answer_keep(s, &q, &a, e);
done:
	advice_answer_release(&a);
	advice_question_release(&q);
	return rc;
}

int main(int argc, char **argv)
{
	const struct mine_request all = {.told = learnt};
	struct session s = {.kb_path = argc > 1 ? argv[1] : NULL};
	struct err e = {0};
	enum err_code rc;

	if (argc != 5)
		return fputs("usage: front_end BASE RUNS.csv PROBLEM DEADLINE_S\n", stderr), 2;
	session_init_process();
	if ((rc = load(&s, argv[2], &e)) || (rc = mine_base(&s, &all, &e)) ||
	    (rc = ask(&s, argv[3], strtod(argv[4], NULL), &e)))
		fprintf(stderr, "%s\n", e.msg);
	session_close(&s);
	return rc != ERR_OK;
}
