#ifndef CLI_ADVICE_TABLE_H
#define CLI_ADVICE_TABLE_H
#include "api/answer.h"
#include "base/strbuf.h"
#include "cli/frame/output.h"
#include "domain/application.h"

/* The choices of an answer and the runs behind it, as tables. */

/* A column of a configuration as people see it: a single one, or a group such as grid 8x16. */
struct shown_column {
	const char *name;
	size_t i_column;		/* of a group: its first */
	const struct group_flag *group; /* NULL: a single one */
};

/* What config_column() lists; where grouped, members of a group stand together under its flag.
 * out[n_columns]; returns how many. */
size_t shown_columns(const struct application *a, bool grouped, struct shown_column *out);
/* Append the value that a choice or run gives to it, value[n_columns]; nothing where there is none.
 */
void shown_column_put(const struct shown_column *column, const struct answer_value *value,
		      struct strbuf *out);
/* As a column of a table, and its cell there. */
struct out_column shown_column_describe(const struct application *a, const struct shown_column *c);
void shown_column_cell(const struct application *a, const struct shown_column *c,
		       const struct answer_value *value, struct out_table *t);
/* "50x50x50" of a run */
void advice_put_problem(const struct application *a, const struct answer_value *value,
			struct strbuf *out);

/* "node-hours"; "core-hours" or "GPU-hours" where nobody knows of nodes */
const char *advice_hours_name(const struct answer *answer);
/* "node", "core" or "GPU" */
const char *advice_unit_name(const struct answer *answer);

/* One row for the recommendation (or best effort) and one per alternative. For people columns are
 * grouped; for machines they start with the answer's id and verdict. NULL: out of memory. */
struct out_table *advice_table(const struct answer *answer, bool for_people);
/* A choice that has a name besides: "knee". */
struct marked_choice {
	const struct answer_choice *choice;
	const char *mark;
};
/* Choices of an answer behind their marks under a heading, for people. NULL: out of memory. */
struct out_table *advice_marked_table(const struct answer *answer, const struct marked_choice *item,
				      size_t n, const char *heading);
/* The frontier of an answer, for machines. NULL: out of memory. */
struct out_table *advice_frontier_table(const struct answer *answer);
/* What each machine answered, best first, those that did not last. For machines the columns start
 * with the answer's id, and there is the reason of a no. NULL: out of memory. */
struct out_table *advice_machines_table(const struct answer *answer, bool for_people);
/* The nearest runs, for people, at most max. */
struct out_table *advice_runs_table(const struct answer *answer, size_t max);

#endif
