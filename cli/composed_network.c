#include "cli/composed_parts.h"

/* A model of models/model_list.h, by the name of the component's code. */
enum err_code part_listed_model(struct composed_model *m, const struct composition_node *node,
				struct err *e)
{
	enum err_code rc = model_find(node->chosen->code, &m->q.model, e);

	if (!rc)
		rc = model_run(m->q.model, &m->q.input, &m->time, e);
	if (!rc)
		m->caveat = m->q.model->caveat;
	return rc;
}
