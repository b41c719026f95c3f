#ifndef MINING_SOURCE_WEIGHTS_H
#define MINING_SOURCE_WEIGHTS_H
#include "base/strbuf.h"
#include "mining/training/predictor_kind.h"

/* What configurations that were only simulated or modelled say beside measured ones (or modelled
 * ones beside simulated ones): they help where those are missing, and never outvote them.
 *
 * A fit to the best source is asked about the others. They differ from it by a factor in the
 * middle, as models are too fast or too slow on the whole: it is taken out of their times. And they
 * scatter about that by so much more than held-out configurations of the best source do about
 * theirs: the weight is the ratio of the variances (robust: of the squared medians of |residual|),
 * at most 1. Together they count no more than the best source does, or a tenth each. A tenth is
 * also the weight where the best source has too few configurations to compare with. */
struct source_share {
	size_t n_configs;
	double factor; /* that times of this source were over what the best one says; 1: unknown */
	double weight; /* of one configuration */
};

/* t->weight, and time_s, run_s and limits of the lesser sources over their factor. share[]: by enum
 * run_source. Without a lesser source t is left as it is. Errors: INTERRUPTED, NOMEM. */
enum err_code source_weights_learn(const struct predictor_kind *kind, const struct fit_input *in,
				   struct config_table *t, struct source_share share[SOURCE_COUNT],
				   struct err *e);

/* One sentence for each lesser source; nothing where there is none. */
void source_weights_explain(const struct source_share share[SOURCE_COUNT], struct strbuf *out);

#endif
