#ifndef CLI_HISTORY_H
#define CLI_HISTORY_H
#include "api/job_sync.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* `lemnos explain ID` and `lemnos advice show ID`: a remembered answer in full, what became of it,
 * and what the same question would be answered today; id is c->operand[0]. Errors: NOTFOUND, those
 * of advice_explanation_find(). */
enum err_code explanation_run(struct context *c, struct err *e);

/* Null while it is not known. */
void put_hit(struct out_table *t, enum hit h);

/* ---- jobs of recommendations: promised against happened ---- */

/* `advice sync [ID...]` */
enum err_code job_sync_run(struct context *c, struct err *e);

/* Lines for people, one a job; none where there is no job. */
void jobs_put_text(struct strbuf *s, const struct job_reports *r);

#endif
