#ifndef INGEST_HEADER_MATCH_H
#define INGEST_HEADER_MATCH_H
#include <stdbool.h>
#include <stddef.h>
#include "domain/application.h"
#include "ingest/cell_number.h"
#include "ingest/field_names.h"

/* What a column's header says beside its name: "time [ms]", "time (us)", "time / ms", "time_ms",
 * "mean_time_s". */

enum header_statistic { STATISTIC_NONE, STATISTIC_MEAN, STATISTIC_MEDIAN };

enum { HEADER_NAME_MAX = 128 };

struct header_name {
	char stem[HEADER_NAME_MAX]; /* lower case, unit and statistic cut off */
	char unit[16];		    /* as written; "" = none */
	bool bracketed;		    /* or behind a stroke: the unit can be nothing else */
	enum header_statistic statistic;
};

/* False if the header is too long to be any name we know. A suffix after '_' is a unit only if it
 * names one of time or size. */
bool header_name_read(const char *header, struct header_name *out);
/* header_name_read(), blanks and hyphens of the stem as low lines: "total_time" of "Total Time";
 * without the "parameter_" that hyperfine puts before. */
bool header_name_read_plain(const char *header, struct header_name *out);

/* What one column's header means by itself, for an application. */

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
