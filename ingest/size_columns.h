#ifndef INGEST_SIZE_COLUMNS_H
#define INGEST_SIZE_COLUMNS_H
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "ingest/text_table.h"

/* Columns of sizes: 280x280x255 in a cell is three numbers, no word, of which other sizes can be
 * asked than were run. Each number gets a column of its own. */

/* --map COLUMN=FIELD:FIELD: the columns are called as the fields. *left: the rest of map,
 * NULL-terminated, the caller's (its texts are those of map); map may be NULL. app: whose fields
 * they are; NULL: not known yet. Errors: ARG (no such column or field, other than 2 to 4 fields),
 * those of text_table_split(). */
enum err_code size_columns_split_mapped(struct text_table *t, const struct application *app,
					const char *const *map, const char ***left, struct err *e);

/* A column that is called as a group of the application ("grid" of Sweep3D is npe_i x npe_j), or
 * "problem", becomes these columns, where none of them is in the table already. One line is added
 * to notes (may be NULL) for each. No row is read. Errors: those of text_table_split(). */
enum err_code size_columns_split_groups(struct text_table *t, const struct application *app,
					struct strbuf *notes, struct err *e);

/* For an application made from flags: each column whose cells are as many sizes, but for one in
 * ten, and that no flag calls categorical or a resource, becomes columns called as the parts of its
 * header
 * ("nx x ny x nz"), or grid_x, grid_y, grid_z of "grid". known: the application of that name that
 * is there; NULL: it is new. *out: what was split, the last without a header; to be released. All
 * of the table is read and rewound: it was hashed. Errors: those of text_table_split() and
 * text_table_next(). */
enum err_code size_columns_split_all(struct text_table *t, const struct ad_hoc *spec,
				     const struct application *known, struct ad_hoc_sizes **out,
				     struct strbuf *notes, struct err *e);
void size_columns_free(struct ad_hoc_sizes *sizes);
/* The list, NULL-terminated, with what was split in place of each of its columns. NULL: out of
 * memory. */
const char **size_columns_expand(const char *const *list, const struct ad_hoc_sizes *sizes);

#endif
