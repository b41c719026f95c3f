#ifndef CLI_FIT_TEXT_H
#define CLI_FIT_TEXT_H
#include "api/fit_description.h"
#include "base/strbuf.h"
#include "cli/frame/context.h"

/* A predictor in words, for people. */

/* How far off it is: "1.2 % between runs seen, 1.5 % at the edge, 1.4 % beyond (held out)",
 * the typical error. */
void fit_put_error(struct strbuf *s, const struct fit_description *d);
/* What 9 of 10 held-out runs took, over the prediction: "9 of 10 x0.97..1.06 between, ..." */
void fit_put_coverage(struct strbuf *s, const struct fit_description *d);
/* Both, and a table of what it is made of, each with its meaning. Errors: NOMEM. */
enum err_code fit_print(const struct context *c, const struct fit_description *d, struct err *e);

#endif
