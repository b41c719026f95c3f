#include "api/rule_verdict.h"

#include <string.h>

/* The latest decision that stands about a twin of r; NULL: none. */
static const struct kb_decision *decision_on_twin(const struct kb_decisions *decisions,
						  const struct rule_list *beside,
						  const struct rule *r)
{
	const struct kb_decision *latest = NULL;

	for (size_t i = 0; i < beside->n; i++) {
		const struct rule *twin = &beside->item[i];
		struct kb_verdict v;

		if (strcmp(twin->twin_of, r->id) != 0)
			continue;
		kb_judge_rule(decisions, twin->id, "", &v);
		if (v.decision && (!latest || v.decision->id > latest->id))
			latest = v.decision;
	}
	return latest;
}

enum err_code rule_verdict(const struct application *app, const struct kb_decisions *decisions,
			   const struct rule_list *beside, const struct rule *r,
			   struct kb_verdict *out, struct err *e)
{
	struct strbuf shape = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	rule_put_shape(app, r, &shape);
	if (shape.failed) {
		rc = err_set(e, ERR_NOMEM, "the shape of a rule");
	} else {
		kb_judge_rule(decisions, r->id, strbuf_text(&shape), out);
		if (!out->decision && !out->look_again)
			out->look_again = decision_on_twin(decisions, beside, r);
	}
	strbuf_release(&shape);
	return rc;
}
