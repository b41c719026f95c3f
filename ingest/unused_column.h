#ifndef INGEST_UNUSED_COLUMN_H
#define INGEST_UNUSED_COLUMN_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "ingest/text_table.h"

/* Columns of a table that an application says nothing of, and that tell the time all the same:
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
	bool personal;	   /* names of hosts: the levels are what they begin with */
	bool circumstance; /* by its name, or by its words: "cold", "warm" */
	bool untold;  /* words of which neither the times nor the name tell whether they matter */
	double ratio; /* of the times of the slowest level over those of the fastest; NaN: no
		       * configuration was run with several */
	char slow[UNUSED_TEXT_MAX], fast[UNUSED_TEXT_MAX];
};

/* What a column is to the application. */
enum column_part {
	PART_TIME,
	PART_SETTING, /* of a configuration */
	PART_OTHER,   /* read by the import, or meant for nothing */
	PART_UNUSED
};

/* part(arg, i) of column i. *out: [*n], the caller's, in the order of the table. t was hashed and
 * is rewound. Of more than 20 000 rows the first are looked at. Errors: NOMEM, those of
 * text_table_next(). */
enum err_code unused_columns_find(struct text_table *t,
				  enum column_part (*part)(const void *arg, size_t i),
				  const void *arg, struct unused_column **out, size_t *n,
				  struct err *e);
/* A line: what it tells, and how it comes to be used. taken: as a tunable of a new application;
 * known: the application, where it is there already (may be NULL). */
void unused_column_put_note(const struct unused_column *c, const char *header, bool taken,
			    const struct application *known, struct strbuf *notes);
/* Takes the line that nothing tells whether the column matters out of notes: something does. */
void unused_column_drop_untold(struct strbuf *notes, const char *header);

#endif
