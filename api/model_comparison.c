#include "api/model_comparison.h"

#include "models/message_cost.h"

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
