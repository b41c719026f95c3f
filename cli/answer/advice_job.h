#ifndef CLI_ADVICE_JOB_H
#define CLI_ADVICE_JOB_H
#include <stdbool.h>
#include "api/advice_answer.h"
#include "api/advice_question.h"
#include "api/answer.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* What is recommended as a job of Slurm. --risk goes with both ways. */
extern const struct option_spec opt_emit, opt_submit, opt_risk, opt_dry_run, opt_accept,
	opt_cluster;

/* `recommend --emit slurm`: a job script in place of the answer. */
bool emit_is_asked(const struct context *c);
/* Before anything is searched for: do the options go together? Errors: USAGE. */
enum err_code emit_check(const struct context *c, struct err *e);
/* Print the script of the recommendation to c->out. An honest no is no script: it is told on c->log
 * and ERR_OK is returned, as where it is printed as an answer. Errors: ARG (the configuration
 * cannot be started by a script: says why), NOMEM. */
enum err_code emit_slurm(struct context *c, const struct advice_question *q,
			 const struct advice *advice, const struct answer *answer, struct err *e);

/* `recommend --submit`: the answer, and its job in the hands of Slurm. */
bool submit_is_asked(const struct context *c);
/* Before anything is searched for: do the options go together? Errors: USAGE. */
enum err_code submit_check(const struct context *c, struct err *e);
/* Print the answer, remember it, submit its script and say so; as JSON the answer has "job"
 * besides. Where it is not submitted the answer is printed all the same. Errors: INFEASIBLE, said
 * already (something speaks against it that was not accepted, or there is no sbatch: then the
 * script is printed), those of job_submit(), and what keeps it from being remembered. */
enum err_code submit_answer(struct context *c, const struct advice_question *q,
			    struct advice_answer *a, struct err *e);

#endif
