#include "cli/compose/composed_parts.h"

enum err_code part_given(struct composed_model *m, const struct composition_node *node,
			 struct err *e)
{
	enum err_code rc;

	(void)node;
	if (!options_has(&m->c->opt, &opt_wg))
		return err_set(e, ERR_USAGE,
			       "how long does the computation of one cell and angle take? Give "
			       "--wg 0.2us");
	rc = model_question_wg(m->c, &m->q, e);
	/* once more, now with the task's time for this configuration */
	return rc || !m->q.task_wg ? rc : model_question_configure(&m->q, m->q.row, e);
}

enum err_code part_constant(struct composed_model *m, const struct composition_node *node,
			    struct err *e)
{
	const struct component *c = node->chosen;
	const struct component_attribute *wg = component_attribute(c, "wg_us");
	const struct component_attribute *fixup = component_attribute(c, "wg_fixup_us");

	if (!wg || wg->text || !(wg->number >= 0) || (fixup && (fixup->text || fixup->number < 0)))
		return err_set(e, ERR_PARSE,
			       "%s: the profile of '%s' wants wg_us, a number >= 0 (and may have "
			       "wg_fixup_us, another)",
			       c->origin, c->name);
	m->q.input.run.Wg_s = wg->number * 1e-6;
	m->q.input.run.Wg_fixup_s = (fixup ? fixup->number : wg->number) * 1e-6;
	return ERR_OK;
}

enum err_code part_calibrated(struct composed_model *m, const struct composition_node *node,
			      struct err *e)
{
	enum err_code rc = model_question_mined(&m->c->session, &m->q, e);

	(void)node;
	/* once more, now with Wg for this configuration */
	return rc ? rc : model_question_configure(&m->q, m->q.row, e);
}
