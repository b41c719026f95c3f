#ifndef API_CONFIG_JSON_H
#define API_CONFIG_JSON_H
#include <stdbool.h>
#include <stddef.h>
#include "domain/application.h"

struct json_t;

/* Configurations as JSON, under the names of the application's definition. */

/* The k-th of the columns that say which configuration to submit, in the order in which answers
 * show them: nodes, ppn, procs, threads, then the other resources and the tunables. SIZE_MAX: there
 * are no more. */
size_t config_column(const struct application *a, size_t k);

/* Set in object all columns of a role; where only_given, those that are not NaN. -1: out of memory,
 * like jansson's own functions. */
int config_json_set_role(struct json_t *object, const struct application *a, enum column_role role,
			 const double *row, bool only_given);
/* Set in object what config_column() lists. */
int config_json_set_choice(struct json_t *object, const struct application *a, const double *row);

#endif
