#ifndef CLI_CONFIG_CELLS_H
#define CLI_CONFIG_CELLS_H
#include <stddef.h>
#include "cli/frame/output.h"
#include "domain/application.h"

/* Configurations as cells of a table: every column of the class that is not derived, by its name.
 */

/* column[a->n_columns]; how many they are. */
size_t config_cells_columns(const struct application *a, struct out_column *column);
/* row NULL: empty cells. */
void config_cells_put(struct out_table *t, const struct application *a, const double *row);

#endif
