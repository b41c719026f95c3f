#ifndef CLI_CMD_EXPLAIN_H
#define CLI_CMD_EXPLAIN_H
#include "base/err.h"
#include "cli/frame/context.h"

/* `lemnos explain ID` and `lemnos advice show ID`: a remembered answer in full, what became of it,
 * and what the same question would be answered today; id is c->operand[0]. Errors: NOTFOUND, those
 * of advice_explanation_find(). */
enum err_code explanation_run(struct context *c, struct err *e);

#endif
