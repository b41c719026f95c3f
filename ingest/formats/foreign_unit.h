#ifndef INGEST_FORMATS_FOREIGN_UNIT_H
#define INGEST_FORMATS_FOREIGN_UNIT_H
#include "base/strbuf.h"

/* Units of time as other programs write them: "sec", "Seconds", "us". */

/* The unit in our words: "s", "ms", "us", "ns", "min", "h", "d"; NULL: no time ("MB/s", ""), or
 * text is NULL. */
const char *foreign_time_unit(const char *text);
/* The header of a column of times in a unit of ours: "solve_s", "solve [min]" (solve_min could be
 * the minimum). unit NULL: the name alone. Blanks become low lines. */
void foreign_time_header(struct strbuf *out, const char *name, const char *unit);

#endif
