#include "ingest/header_match.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "ingest/header_name.h"

static const struct header_match no_match = {.kind = FIELD_KIND_COUNT, .unit = {1, 1, CLOCK_ANY}};

const char *header_match_stored_unit(const struct application *a, const struct header_match *m)
{
	if (m->kind == FIELD_TIME || m->kind == FIELD_LIMIT)
		return "s";
	if (m->kind == FIELD_COLUMN && a->column[m->index].unit)
		return a->column[m->index].unit;
	return "";
}

/* A column of the class, or a per-processor size, by its name alone. A per-processor size stands
 * before the derived column of the same name: it is what the file can give. */
static struct header_match match_column(const struct application *a, const char *name)
{
	struct header_match m = no_match;

	for (size_t i = 0; i < a->n_local; i++) {
		if (strcasecmp(a->local[i].name, name) == 0) {
			m.kind = FIELD_LOCAL;
			m.index = i;
			return m;
		}
	}
	m.index = application_column(a, name);
	if (m.index == SIZE_MAX)
		return no_match;
	if (a->column[m.index].role != COL_DERIVED) {
		m.kind = FIELD_COLUMN;
		return m;
	}
	m.derived = m.index != a->i_procs;
	m.kind = m.derived ? FIELD_EXTRA : FIELD_PROCS;
	m.index = 0;
	return m;
}

/* Does the header mean what `name` (a header the definition knows) means? */
static bool match_time_name(const char *header, const struct header_name *split, const char *name,
			    double unit_s, bool unit_is_declared, struct header_match *m)
{
	struct header_name known;

	if (!header_name_read(name, &known))
		return strcasecmp(header, name) == 0;
	if (strcasecmp(header, name) == 0) {
		bool named = *known.unit && cell_unit_seconds(known.unit) > 0;

		m->unit_from = named || unit_is_declared ? UNIT_OF_FIELD : UNIT_ASSUMED;
		m->unit = cell_unit_of_ratio(
			unit_is_declared || !named ? unit_s : cell_unit_seconds(known.unit));
		m->unit.clock = cell_unit_clock(known.unit);
		return true;
	}
	if (known.statistic != STATISTIC_NONE || strcmp(split->stem, known.stem) != 0)
		return false;
	if (split->statistic != STATISTIC_NONE)
		m->rank = RANK_AGGREGATE;
	if (!*split->unit) {
		m->unit_from = UNIT_ASSUMED;
		m->unit = cell_unit_of_ratio(unit_s);
	} else if (cell_unit_seconds(split->unit) > 0) {
		m->unit_from = !split->bracketed && strcmp(split->unit, "min") == 0
				       ? UNIT_AMBIGUOUS
				       : UNIT_IN_HEADER;
		cell_unit_between(split->unit, "s", &m->unit);
	} else {
		m->unit_from = UNIT_WRONG;
	}
	return true;
}

static struct header_match match_time(const struct application *a, const char *header,
				      const struct header_name *split)
{
	struct header_match m = no_match;
	bool found = match_time_name(header, split, a->target, a->target_unit_s, true, &m);

	for (size_t i = 0; !found && i < a->n_target_alias; i++)
		found = match_time_name(header, split, a->target_alias[i], a->target_unit_s, false,
					&m);
	if (!found && match_time_name(header, split, field_kind_name(FIELD_TIME), 1, true, &m)) {
		if (m.rank < RANK_GENERIC)
			m.rank = RANK_GENERIC;
		found = true;
	}
	if (!found)
		return no_match;
	m.kind = FIELD_TIME;
	return m;
}

/* "memory [GiB]" for a column in bytes; "it_g [cells]". */
static struct header_match match_with_unit(const struct application *a,
					   const struct header_name *split)
{
	struct header_match m = match_column(a, split->stem);
	const char *stored;

	if (m.kind == FIELD_KIND_COUNT || split->statistic != STATISTIC_NONE)
		return no_match;
	stored = header_match_stored_unit(a, &m);
	if (cell_unit_between(split->unit, stored, &m.unit)) {
		m.unit_from = UNIT_IN_HEADER;
		return m;
	}
	if (!split->bracketed)
		return no_match; /* "mesh_h" is a name of its own */
	if (cell_unit_known(split->unit) || cell_unit_known(stored))
		m.unit_from = strcasecmp(split->unit, stored) == 0 ? UNIT_OF_FIELD : UNIT_WRONG;
	return m;
}

/* "Timelimit", "time_limit [h]": what a run may take at most. A plain number without a unit is not
 * read: Slurm writes minutes, others seconds. */
static struct header_match match_limit(const struct header_name *split)
{
	struct header_match m = no_match;

	if (field_kind_of_header(split->stem) != FIELD_LIMIT)
		return m;
	m.kind = FIELD_LIMIT;
	m.unit_from = UNIT_OF_FIELD;
	m.unit.clock = CLOCK_HMS;
	if (strcmp(split->stem, "timelimitraw") == 0) /* of sacct: minutes */
		m.unit = cell_unit_of_ratio(60);
	if (!*split->unit)
		return m;
	m.unit_from = cell_unit_between(split->unit, "s", &m.unit) ? UNIT_IN_HEADER : UNIT_WRONG;
	return m;
}

/* Words for the same thing that every table of runs may have, if the class has use for them. */
static struct header_match match_generic(const struct application *a, const char *name)
{
	struct header_match m = no_match;
	bool computes_procs = a->i_procs != SIZE_MAX && a->column[a->i_procs].role == COL_DERIVED;

	m.kind = field_kind_of_header(name);
	if ((m.kind == FIELD_PROCS && !computes_procs) ||
	    (m.kind == FIELD_PPN && a->i_nodes == SIZE_MAX))
		return no_match;
	return m;
}

struct header_match header_match_find(const struct application *a, const char *header)
{
	struct header_name split;
	struct header_match m = match_column(a, header);

	if (m.kind != FIELD_KIND_COUNT || !header_name_read(header, &split))
		return m;
	m = match_time(a, header, &split);
	if (m.kind == FIELD_KIND_COUNT && *split.unit)
		m = match_with_unit(a, &split);
	if (m.kind == FIELD_KIND_COUNT)
		m = match_limit(&split);
	if (m.kind == FIELD_KIND_COUNT)
		m = match_generic(a, header);
	return m;
}

struct header_match header_match_field(const struct application *a, const char *field)
{
	struct header_match m = match_column(a, field);
	struct header_name split;

	if (m.kind != FIELD_KIND_COUNT && !m.derived)
		return m;
	if (header_name_read(field, &split)) {
		m = match_time(a, field, &split);
		if (m.kind != FIELD_KIND_COUNT && m.rank != RANK_AGGREGATE)
			return m;
	}
	m = no_match;
	for (int k = 0; k < FIELD_KIND_COUNT; k++) {
		const char *name = field_kind_name((enum field_kind)k);

		if (*name && strcasecmp(name, field) == 0)
			m.kind = (enum field_kind)k;
	}
	if (m.kind == FIELD_PROCS || m.kind == FIELD_PPN)
		return match_generic(a, field);
	return m;
}
