#ifndef DOMAIN_COMPOSITION_PRIVATE_H
#define DOMAIN_COMPOSITION_PRIVATE_H
#include "domain/composition.h"
#include "domain/expr.h"
#include "domain/profile_table.h"

/* Private to the composition*.c files: the messages of a resolution that failed, all of code ARG.
 */

/* What is being asked. */
struct composition_ask {
	const struct composition_question *question;
	struct profile_table *profiles;
	const struct component_request *request;
	const struct component *asked_by; /* NULL: the root */
	const struct expr *selector;
	const struct composition_wish *wish; /* NULL: none about this request */
};

void composition_fail_none(const struct composition_ask *a, struct err *e);
void composition_fail_several(const struct composition_ask *a, const struct component *const *match,
			      size_t n, struct err *e);
/* The wish is for a component or paradigm that is not among the matches. */
void composition_fail_wish(const struct composition_ask *a, const struct component *const *match,
			   size_t n, struct err *e);
/* c takes an argument, and none was given. */
void composition_fail_argument(const struct composition_ask *a, const struct component *c,
			       struct err *e);

#endif
