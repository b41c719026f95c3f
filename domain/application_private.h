#ifndef DOMAIN_APPLICATION_PRIVATE_H
#define DOMAIN_APPLICATION_PRIVATE_H
#include <stdbool.h>
#include "domain/application.h"
#include "domain/conf.h"

/* Private to the application*.c files: what reading of a definition shares. The first error sticks
 * in c (see conf.h); what was read so far is in a and is freed with it. */

/* Where column i was declared, for messages. */
const config_setting_t *application_declaration(const config_setting_t *top, size_t i);
/* The keys let, compute and communication, after all columns; and what is wrong with their values,
 * after all of the definition. */
void application_read_terms(struct conf *c, const config_setting_t *top, struct application *a);
void application_check_terms(struct conf *c, const config_setting_t *top,
			     const struct application *a);

/* Checks that need all of the definition, read without an error. */
void application_check(struct conf *c, const config_setting_t *top, const struct application *a);

/* The column of this very name (no alias), any case; SIZE_MAX: none. */
size_t application_find_name(const struct application *a, const char *name);

/* A letter or digit, then letters, digits, _ . or -: names are part of table names and commands. */
bool application_name_is_legal(const char *name);

/* A name that the run table needs for itself. */
bool application_reserves_name(const char *name);

#endif
