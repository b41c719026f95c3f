#ifndef API_CAMPAIGN_JSON_H
#define API_CAMPAIGN_JSON_H
#include "api/campaigns.h"

/* The JSON form of campaigns: the contract of `lemnos acquire plan` and `acquire status NAME`. Each
 * returns NULL when out of memory. */
struct json_t;

/* {"format_version", "campaign", "application", "machine", "design", ..., "cost": {...}, "runs":
 * [...]}: what a plan means, each run with the columns of the campaign's space. */
struct json_t *campaign_preview_json(const struct campaign_preview *p);
/* {"format_version", "campaign": {...}, "runner", "plan", "runs": [...]}: one campaign as the base
 * has it. */
struct json_t *campaign_report_json(const struct campaign_report *r);

#endif
