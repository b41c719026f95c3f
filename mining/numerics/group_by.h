#ifndef MINING_GROUP_BY_H
#define MINING_GROUP_BY_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/dataset.h"

/* Rows that agree in some columns get the same number: 0, 1, ... in order of first appearance.
 * Values agree when they are equal or both NaN. */

struct row_key {
	const double *x;	/* rows */
	const uint32_t *row_of; /* which of them is whose; NULL: each has its own */
	size_t n_columns;	/* of a row */
	const size_t *column;	/* that count */
	size_t n_key;
	const int64_t *machine;	     /* by row; NULL: does not count */
	const unsigned char *source; /* likewise */
};

/* Of runs, by some columns; n_key is 0. The second: by machine and source, too. */
static inline struct row_key row_key_of(const struct dataset *runs, const size_t *column)
{
	return (struct row_key){.x = runs->rows,
				.row_of = runs->row_of,
				.n_columns = runs->n_columns,
				.column = column};
}

static inline struct row_key row_key_of_configurations(const struct dataset *runs,
						       const size_t *column)
{
	struct row_key key = row_key_of(runs, column);

	key.machine = runs->machine_id;
	key.source = runs->source;
	return key;
}

/* Of the rows row[0..n-1] (indices into key->x; NULL: 0..n-1): group[i] of row[i]; first[g] (NULL:
 * not wanted; room for n) is a group's first row. Errors: NOMEM, ARG (more than
 * 2^32 - 2 rows). */
enum err_code group_by(const struct row_key *key, const uint32_t *row, size_t n, uint32_t *group,
		       uint32_t *first, size_t *n_groups, struct err *e);

/* A hash of what the key says of a row: the same wherever the row stands. */
uint64_t row_hash(const struct row_key *key, size_t row);

/* The members of each group, in order: member[start[g] .. start[g + 1] - 1]. start has n_groups + 1
 * elements. Both are one allocation: free(*start). Errors: NOMEM. */
enum err_code group_members(const uint32_t *group, size_t n, size_t n_groups, uint32_t **start,
			    uint32_t **member, struct err *e);

#endif
