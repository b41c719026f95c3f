#ifndef DOMAIN_APPLICATION_PRIVATE_H
#define DOMAIN_APPLICATION_PRIVATE_H
#include <stdbool.h>
#include "domain/application.h"
#include "domain/conf.h"

/* Private to the application_*.c files: the steps of application_parse(), in this order. The first
 * error sticks in c (see conf.h); what was read so far is in a and is freed with it. */

/* application_columns.c: all columns but the expressions of derived ones, and the scope. */
void application_read_columns(struct conf *c, const config_setting_t *top, struct application *a);
/* Where column i was declared, for messages. */
const config_setting_t *application_declaration(const config_setting_t *top, size_t i);
/* application_derived.c: the expressions over the columns. */
void application_read_derived(struct conf *c, const config_setting_t *top, struct application *a);
void application_read_legality(struct conf *c, const config_setting_t *top, struct application *a);
void application_read_memory(struct conf *c, const config_setting_t *top, struct application *a);
/* The list `key` of rules { rule, why }; what was read is in *out also after an error. */
void application_read_rules(struct conf *c, const config_setting_t *group, const char *key,
			    const struct application *a, struct legality **out, size_t *n);
void application_free_rules(struct legality *rule, size_t n);
/* application_job.c: how a run is started. */
void application_read_job(struct conf *c, const config_setting_t *top, struct application *a);
void application_free_job(struct job_template *job);
/* application_check.c: what can only be judged when everything was read
 * (without an error). */
void application_check(struct conf *c, const config_setting_t *top, const struct application *a);

/* The column of this very name (no alias), any case; SIZE_MAX: none. */
size_t application_find_name(const struct application *a, const char *name);

/* A letter or digit, then letters, digits, _ . or -: names are part of table names and commands. */
bool application_name_is_legal(const char *name);

/* A name that the run table needs for itself. */
bool application_reserves_name(const char *name);

#endif
