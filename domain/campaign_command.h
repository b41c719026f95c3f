#ifndef DOMAIN_CAMPAIGN_COMMAND_H
#define DOMAIN_CAMPAIGN_COMMAND_H
#include "domain/campaign_space.h"

/* Of campaign_space.c: the templates of a plan, compiled. Errors: PARSE (file, line), NOMEM. */
enum err_code campaign_command_new(const struct campaign_plan *p, const struct application *a,
				   struct campaign_command **out, struct err *e);
void campaign_command_free(struct campaign_command *c);

#endif
