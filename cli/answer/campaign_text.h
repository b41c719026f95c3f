#ifndef CLI_CAMPAIGN_TEXT_H
#define CLI_CAMPAIGN_TEXT_H
#include "api/campaign_total.h"
#include "cli/frame/context.h"

/* Print what a campaign costs, in c->format; file names the file of its rows. Errors: NOMEM. */
enum err_code campaign_print(const struct context *c, const struct campaign_total *t,
			     const char *file, struct err *e);

#endif
