#include "api/import_runs.h"

#include <string.h>

#include "ingest/cell_number.h"
#include "ingest/header_match.h"

enum err_code import_runs(struct session *session, const struct ingest_options *o,
			  struct ingest_result *out, struct err *e)
{
	struct ingest_options reported = *o;

	reported.progress = session->progress;
	return ingest_file(session->kb, &reported, out, e);
}

bool import_format_at(size_t i, const char **name, const char **title)
{
	const struct foreign_format *f = foreign_format_at(i);

	if (f) {
		*name = f->name;
		*title = f->title;
	}
	return f != NULL;
}

/* ---- units ---- */

static enum import_unit unit_in_name(const char *column, double *out_s)
{
	struct header_name h;

	*out_s = 1;
	if (!header_name_read(column, &h) || !(cell_unit_seconds(h.unit) > 0))
		return IMPORT_UNIT_KNOWN;
	if (!h.bracketed && !strcmp(h.unit, "min"))
		return IMPORT_UNIT_AMBIGUOUS;
	*out_s = cell_unit_seconds(h.unit);
	return IMPORT_UNIT_KNOWN;
}

enum import_unit import_time_unit(const char *column, char *const *unit, double *out_s,
				  const char **given)
{
	size_t len = strlen(column);

	for (; *unit; unit++) {
		if (strncmp(*unit, column, len) != 0 || (*unit)[len] != '=')
			continue;
		*given = *unit;
		*out_s = cell_unit_seconds(*unit + len + 1);
		return *out_s > 0 ? IMPORT_UNIT_KNOWN : IMPORT_UNIT_NO_TIME;
	}
	return unit_in_name(column, out_s);
}
