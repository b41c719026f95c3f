#ifndef API_RULE_CONTEXT_H
#define API_RULE_CONTEXT_H
#include <stdint.h>
#include "base/err.h"
#include "api/session.h"
#include "api/rule_book.h"
#include "mining/rules/rule_residuals.h"
#include "domain/dataset.h"

/* What `rules show` says of a rule besides what is stored with it: taken from today's runs. */
struct rule_context {
	struct dataset *runs; /* of the rule's scope */
	struct kb_names machines;
	struct rule_residuals witness;
	int64_t n_runs;		 /* that the condition holds for */
	struct kb_filter filter; /* that selects them; borrows from where */
	struct strbuf where;
};

/* Errors: those of kb, NOMEM, INTERRUPTED. */
enum err_code rule_context_load(struct session *session, const struct rule_book *b,
				const struct rule *r, struct rule_context *out, struct err *e);
void rule_context_release(struct rule_context *g);
/* The name of the machine of run i of g->runs. */
const char *rule_context_machine(const struct rule_context *g, size_t i);
/* The quantile q in [0, 1] of one side's sorted ratios, linear between them; NaN: there are none.
 */
double rule_context_quantile(const double *sorted, size_t n, double q);

#endif
