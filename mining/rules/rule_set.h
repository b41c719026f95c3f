#ifndef MINING_RULE_SET_H
#define MINING_RULE_SET_H
#include <stddef.h>
#include "base/err.h"
#include "domain/rule.h"

/* Mined rules ready to be asked, as somebody who only has the printed ones would: most useful
 * first. */
struct rule_set {
	struct rule_list rules;
	struct rule_test **test; /* [rules.n] */
};

/* Takes over what is in *mined, also on failure. Errors: PARSE, NOMEM. */
enum err_code rule_set_make(const struct application *app, struct rule_list *mined,
			    struct rule_set *out, struct err *e);
void rule_set_release(struct rule_set *s);

#endif
