#ifndef CLI_FINDING_TABLES_H
#define CLI_FINDING_TABLES_H
#include <stdbool.h>
#include "cli/frame/output.h"
#include "domain/findings.h"

/* What mining found out about the runs besides rules, a table of each kind of finding; NULL: out of
 * memory. The caller frees it. */

/* One row. for_people: without the remarks, which are several lines. */
struct out_table *finding_profile_table(const struct data_profile *p, bool for_people);
/* A row for each column of the runs. */
struct out_table *finding_column_table(const struct findings *f);
struct out_table *finding_effect_table(const struct findings *f);
struct out_table *finding_interaction_table(const struct findings *f);
struct out_table *finding_hypothesis_table(const struct findings *f);
/* A row for each choice. */
struct out_table *finding_ranking_table(const struct findings *f);

#endif
