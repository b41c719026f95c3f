#ifndef CLI_MACHINES_TEXT_H
#define CLI_MACHINES_TEXT_H
#include "api/answer.h"
#include "base/strbuf.h"
#include "cli/frame/context.h"

/* The machines of an answer to a question put to several (multi_machine.h), for people; nothing
 * where one machine was asked. */

/* "on iblike: ", "on iblike, the nearest of 3 machines: " */
void machines_put_chosen(struct strbuf *s, const struct answer *answer);
/* How it was chosen, what each machine answered, and why some did not. Errors: NOMEM. */
enum err_code machines_print(const struct context *c, const struct answer *answer, struct err *e);

#endif
