#ifndef MINING_RULE_COVERS_H
#define MINING_RULE_COVERS_H
#include "base/err.h"
#include "domain/rule.h"

/* Note in every rule of `general` (found over all machines) which rules of one machine, `own`, say
 * the same there: of the same kind, and holding for mostly the same runs of that machine. runs: of
 * all machines. Errors: NOMEM, PARSE. */
enum err_code rule_covers_find(const struct dataset *runs, int64_t machine_id,
			       const struct rule_list *own, struct rule_list *general,
			       struct err *e);

#endif
