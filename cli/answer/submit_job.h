#ifndef CLI_SUBMIT_JOB_H
#define CLI_SUBMIT_JOB_H
#include <stdbool.h>
#include "api/advice_answer.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* `recommend --submit`: the answer, and its job in the hands of Slurm. */
extern const struct option_spec opt_submit, opt_dry_run, opt_accept, opt_cluster;

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
