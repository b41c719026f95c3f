#ifndef CLI_EMIT_SLURM_H
#define CLI_EMIT_SLURM_H
#include <stdbool.h>
#include "base/err.h"
#include "api/advice_question.h"
#include "api/answer.h"
#include "cli/frame/context.h"

/* `recommend --emit slurm`: a job script in place of the answer. --risk goes with --submit as well.
 */
extern const struct option_spec opt_emit, opt_risk;

bool emit_is_asked(const struct context *c);
/* Before anything is searched for: do the options go together? Errors: USAGE. */
enum err_code emit_check(const struct context *c, struct err *e);

/* Print the script of the recommendation to c->out. An honest no is no script: it is told on c->log
 * and ERR_OK is returned, as where it is printed as an answer. Errors: ARG (the configuration
 * cannot be started by a script: says why), NOMEM. */
enum err_code emit_slurm(struct context *c, const struct advice_question *q,
			 const struct advice *advice, const struct answer *answer, struct err *e);

/* The script of what is recommended, or of the best effort where there is one; time_file as in
 * struct job. Errors: those of emit_slurm(). */
enum err_code emit_make_script(const struct context *c, const struct advice_question *q,
			       const struct advice *advice, const struct answer *answer,
			       const char *time_file, struct strbuf *script, int64_t *limit_min,
			       struct err *e);

#endif
