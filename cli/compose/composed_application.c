#include "cli/compose/composed_parts.h"

/* The configuration that the sweep is asked for; the machine completes it. */
enum err_code part_open_wavefront(struct composed_model *m, const struct composition_node *node,
				  struct err *e)
{
	const struct component_attribute *class = component_attribute(node->chosen, "class");
	enum err_code rc;

	if (!class || !class->text)
		return err_set(e, ERR_PARSE,
			       "%s: the profile of '%s' wants class = \"sweep3d\": the application "
			       "whose columns its configurations have",
			       node->chosen->origin, node->chosen->name);
	if ((rc = model_question_application(m->c, class->text, &m->q, e)) ||
	    (rc = model_question_options(m->c, &m->q, e)))
		return rc;
	return model_question_read_row(m->c, &m->q, e);
}
