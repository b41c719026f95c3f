#ifndef INGEST_HEADER_NAME_H
#define INGEST_HEADER_NAME_H
#include <stdbool.h>

/* What a column's header says beside its name: "time [ms]", "time (us)", "time_ms", "mean_time_s".
 */

enum header_statistic { STATISTIC_NONE, STATISTIC_MEAN, STATISTIC_MEDIAN };

enum { HEADER_NAME_MAX = 128 };

struct header_name {
	char stem[HEADER_NAME_MAX]; /* lower case, unit and statistic cut off */
	char unit[16];		    /* as written; "" = none */
	bool bracketed;		    /* the unit stood in brackets: it can be nothing else */
	enum header_statistic statistic;
};

/* False if the header is too long to be any name we know. A suffix after '_' is a unit only if it
 * names one of time or size. */
bool header_name_read(const char *header, struct header_name *out);

#endif
