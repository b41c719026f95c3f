#ifndef API_MODEL_COMPARISON_H
#define API_MODEL_COMPARISON_H
#include "api/session.h"
#include "base/err.h"
#include "mining/evaluate/model_compare.h"
#include "mining/mine.h"

/* Which model to trust (model_compare.h), on the runs that the base has of an application on a
 * machine. Errors: those of kb and model_compare(). */
enum err_code model_comparison_make(struct session *session, const struct mine_target *on,
				    enum holdout held_out, struct model_comparison *out,
				    struct err *e);

#endif
