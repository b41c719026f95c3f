#ifndef INGEST_UNUSED_COLUMN_H
#define INGEST_UNUSED_COLUMN_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"
#include "ingest/text_table.h"

/* Columns of a table that the flags of a class say nothing of, and that tell the time all the same:
 * two kinds of nodes, two builds, hyper-threading. Passed over, they make runs of different things
 * repeats of each other.
 *
 *	log t = configuration + level of the column + noise
 *
 * A column counts whose levels (2 to 8) explain most of what runs of the same configuration differ
 * by, and by 10 % or more; then, of what is left, the next one. Words of which no configuration was
 * run with several cannot be compared so: their name tells, if it is one for kinds of nodes. */

enum {
	UNUSED_LEVELS_MAX = 8,
	UNUSED_TEXT_MAX = 40,
};

struct unused_column {
	size_t i; /* of the table */
	bool words;
	bool personal; /* names of hosts: the levels are what they begin with */
	bool untold;   /* words of which neither the times nor the name tell whether they matter */
	double ratio;  /* of the times of the slowest level over those of the fastest; NaN: no
			* configuration was run with several */
	char slow[UNUSED_TEXT_MAX], fast[UNUSED_TEXT_MAX];
};

/* used(arg, i): has a flag a word for column i, or does the import read it? *out: [*n], the
 * caller's, in the order of the table. t was hashed and is rewound. Of more than 20 000 rows the
 * first are looked at. Errors: NOMEM, those of text_table_next(). */
enum err_code unused_columns_find(struct text_table *t, const struct ad_hoc *spec,
				  bool (*used)(const void *arg, size_t i), const void *arg,
				  struct unused_column **out, size_t *n, struct err *e);

#endif
