#ifndef INGEST_HEADER_MATCH_H
#define INGEST_HEADER_MATCH_H
#include <stddef.h>
#include "domain/application.h"
#include "ingest/cell_unit.h"
#include "ingest/field_names.h"

/* What one column's header means by itself, for an application class. */

enum match_unit {
	UNIT_OF_FIELD,	/* as the definition has it */
	UNIT_IN_HEADER, /* the header names it */
	UNIT_ASSUMED,	/* a time whose header names none */
	UNIT_AMBIGUOUS, /* "time_min": minutes or the minimum? */
	UNIT_WRONG	/* "time [MB]" */
};

/* How surely a header means the run time; lower is surer. */
enum match_rank { RANK_DECLARED, RANK_GENERIC, RANK_AGGREGATE };

struct header_match {
	enum field_kind kind; /* FIELD_KIND_COUNT: nothing we know */
	size_t index;	      /* FIELD_COLUMN, FIELD_LOCAL */
	enum match_unit unit_from;
	struct cell_unit unit;
	enum match_rank rank; /* FIELD_TIME */
	bool derived;	      /* the name of a column that is computed; kind is FIELD_EXTRA */
};

struct header_match header_match_find(const struct application *a, const char *header);

/* The field that --map's right side names, units and statistics apart; kind FIELD_KIND_COUNT: none.
 */
struct header_match header_match_field(const struct application *a, const char *field);

/* What a field is stored in: "s", "bytes", "" (a count). */
const char *header_match_stored_unit(const struct application *a, const struct header_match *m);

#endif
