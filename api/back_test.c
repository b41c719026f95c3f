#include "api/back_test.h"

#include "models/message_cost.h"

enum err_code back_test_open(struct session *session, const char *app, const char *machine,
			     struct back_test *t, struct err *e)
{
	enum err_code rc;

	if ((rc = session_application(session, app, &t->app, &t->on.app_id, e)) ||
	    (rc = session_machine(session, machine, t->on.app_id, &t->machine, &t->on.machine_id,
				  e)))
		return rc;
	t->on.app = t->app;
	t->on.machine = t->machine;
	return ERR_OK;
}

enum err_code back_test_load(struct session *session, struct back_test *t, struct err *e)
{
	enum err_code rc = mine_input_load(session->kb, &t->on, session->progress, &t->in, e);

	if (!rc && t->in.runs->n == 0)
		rc = err_set(e, ERR_NODATA, "there are no runs of %s on %s", t->app->name,
			     t->machine->name);
	return rc;
}

void back_test_release(struct back_test *t)
{
	mine_input_release(&t->in);
	machine_free(t->machine);
	application_free(t->app);
	*t = (struct back_test){0};
}

enum err_code model_comparison_make(struct session *session, const struct mine_target *on,
				    enum holdout held_out, struct model_comparison *out,
				    struct err *e)
{
	struct message_cost local; /* where the machine gives what a message costs inside a node */
	struct mine_input in = {0};
	enum err_code rc = message_cost_local_from_machine(on->machine, &local, NULL);
	bool has_local = !rc;

	if ((rc = mine_input_load(session->kb, on, session->progress, &in, e)))
		return rc;
	rc = model_compare(&in.fit, has_local ? &local : NULL, held_out, out, e);
	mine_input_release(&in);
	return rc;
}
