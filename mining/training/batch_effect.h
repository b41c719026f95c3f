#ifndef MINING_BATCH_EFFECT_H
#define MINING_BATCH_EFFECT_H
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/dataset.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* Runs that came together were often made together: by one compiler, under one load, before or
 * after an upgrade. Where the same configurations differ from import to import by more than their
 * runs do within one, the next batch of runs may differ as well, and by as much.
 *
 *	log t = configuration + batch + noise,   batch ~ N(0, sd^2)
 *
 * a two-way layout with random batches, unbalanced; sd by the method of moments (Searle, Casella,
 * McCulloch: Variance Components, 1992, ch. 5), over the median run of a configuration in each
 * import. sd is 0 unless some batch differs beyond chance (t test over its configurations, 0.001
 * over all batches), the most different one by 3 % at least, so that a file cut into parts at
 * random is the same as the whole. */
struct batch_effect {
	double sd; /* of log time; 0: none */
	/* Of the batch that differs most: its time over that of the others, in n_configurations. */
	double ratio;
	size_t n_configurations;
};

enum { BATCH_LEAST = 4 }; /* configurations that a batch shares with others, to be told */

/* runs: those that t is made of; a batch is what has the same import_id. Errors: NOMEM. */
enum err_code batch_effect_find(const struct dataset *runs, const struct config_table *t,
				struct batch_effect *out, struct err *e);
/* A sentence with a blank before it; nothing where sd is 0. */
void batch_effect_explain(const struct batch_effect *b, struct strbuf *out);

/* As "batch_sd", "batch_ratio", "batch_configurations"; nothing where sd is 0. Errors: NOMEM. */
enum err_code batch_effect_store(const struct batch_effect *b, struct kb_fit *fit, struct err *e);
void batch_effect_load(const struct kb_fit *fit, struct batch_effect *out);

#endif
