#include "mining/rules/rule_set.h"

#include <stdlib.h>
#include <string.h>

static int by_usefulness(const void *a, const void *b)
{
	const struct rule *x = a, *y = b;

	if (x->evidence.usefulness != y->evidence.usefulness)
		return x->evidence.usefulness < y->evidence.usefulness ? 1 : -1;
	return strcmp(x->id, y->id);
}

enum err_code rule_set_make(const struct application *app, struct rule_list *mined,
			    struct rule_set *out, struct err *e)
{
	struct rule_set s = {.rules = *mined, .test = calloc(mined->n + 1, sizeof *s.test)};
	enum err_code rc = ERR_OK;

	*mined = (struct rule_list){0};
	if (!s.test)
		rc = err_set(e, ERR_NOMEM, "%zu rules", s.rules.n);
	for (size_t r = 0; r < s.rules.n && !rc; r++)
		rc = rule_identify(app, &s.rules.item[r], e);
	if (!rc && s.rules.n > 0)
		qsort(s.rules.item, s.rules.n, sizeof s.rules.item[0], by_usefulness);
	for (size_t r = 0; r < s.rules.n && !rc; r++)
		rc = rule_test_new(app, &s.rules.item[r], &s.test[r], e);
	if (rc)
		rule_set_release(&s);
	else
		*out = s;
	return rc;
}

void rule_set_release(struct rule_set *s)
{
	for (size_t r = 0; s->test && r < s->rules.n; r++)
		rule_test_free(s->test[r]);
	free(s->test);
	rule_list_release(&s->rules);
	*s = (struct rule_set){.test = NULL};
}
