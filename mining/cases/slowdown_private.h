#ifndef MINING_SLOWDOWN_PRIVATE_H
#define MINING_SLOWDOWN_PRIVATE_H
#include <stdbool.h>
#include "mining/cases/slowdown_table.h"

/* The parts of making a slow-down table: by case (slowdown_cases.c) and by column
 * (slowdown_columns.c). */

/* Is the column free to choose, or does it derive from one that is? */
bool slowdown_depends_on_choice(const struct application *a, size_t column);

/* stratum, block and their counts, from configurations. */
enum err_code slowdown_make_cases(struct slowdown_table *t, struct err *e);
/* log_slowdown, from log_time and stratum. */
enum err_code slowdown_compare(struct slowdown_table *t, struct err *e);
/* bins, code, use and copy_of. */
enum err_code slowdown_make_columns(struct slowdown_table *t, struct err *e);

#endif
