#ifndef MINING_EFFECTS_INTERACTIONS_H
#define MINING_EFFECTS_INTERACTIONS_H
#include "base/err.h"
#include "base/progress.h"
#include "domain/findings.h"
#include "mining/cases/slowdown_table.h"

/* Fill out->interaction. strength[t->n_columns]: how much each column matters by itself, >= 0;
 * where there are many pairs, those of strong columns are looked at. Errors: NOMEM, INTERRUPTED. */
enum err_code find_interactions(const struct slowdown_table *t, const double *strength,
				const struct progress *p, struct findings *out, struct err *e);

#endif
