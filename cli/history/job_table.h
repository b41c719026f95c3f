#ifndef CLI_JOB_TABLE_H
#define CLI_JOB_TABLE_H
#include "api/job_sync.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* Jobs of recommendations: promised against happened. */

/* `advice sync [ID...]` */
enum err_code job_sync_run(struct context *c, struct err *e);

struct json_t;
/* A list of them; NULL: no memory. */
struct json_t *jobs_json(const struct job_reports *r);
/* Lines for people, one a job; none where there is no job. */
void jobs_put_text(struct strbuf *s, const struct job_reports *r);

#endif
