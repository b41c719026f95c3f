#include "ingest/header_match.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "ingest/cell_number.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* text[0..len-1] without blanks at its ends, into buf. */
static bool copy_trimmed(const char *text, size_t len, char *buf, size_t size)
{
	while (len > 0 && is_blank(text[0])) {
		text++;
		len--;
	}
	while (len > 0 && is_blank(text[len - 1]))
		len--;
	if (len >= size)
		return false;
	memcpy(buf, text, len);
	buf[len] = '\0';
	return true;
}

/* What stands in brackets as a unit: "min.", "in minutes". */
static bool read_bracketed(const char *text, size_t len, char *unit, size_t size)
{
	if (len > 0 && text[len - 1] == '.')
		len--;
	if (len > 3 && strncasecmp(text, "in ", 3) == 0) {
		text += 3;
		len -= 3;
	}
	return copy_trimmed(text, len, unit, size) && cell_unit_known(unit);
}

/* "node(s) used": no seconds. */
static bool is_plural(const struct header_name *h, const char *open, const char *close)
{
	return open > h->stem && !is_blank(open[-1]) && close == open + 2 && open[1] == 's' &&
	       close[1] != '\0';
}

static bool ends_with_time(const char *text, size_t len)
{
	static const char *const words[] = {"time", "elapsed", "duration"};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const size_t n = strlen(words[i]);

		if (len >= n && strncasecmp(text + len - n, words[i], n) == 0)
			return true;
	}
	return len == 1 && (*text == 't' || *text == 'T');
}

/* "Wall time / h" -> "Wall time", "h": a number is a quantity divided by its unit (ISO
 * 80000-1, 7.1.4), where "iterations / s" is a rate. */
static bool cut_quotient(struct header_name *h)
{
	const char *slash = strrchr(h->stem, '/');
	size_t len = slash ? (size_t)(slash - h->stem) : 0;

	while (len > 0 && is_blank(h->stem[len - 1]))
		len--;
	if (len == 0 || !ends_with_time(h->stem, len) ||
	    !copy_trimmed(slash + 1, strlen(slash + 1), h->unit, sizeof h->unit) ||
	    !(cell_unit_seconds(h->unit) > 0)) {
		*h->unit = '\0';
		return false;
	}
	h->bracketed = true;
	h->stem[len] = '\0';
	return true;
}

/* "time [ms] (mean of 3)" -> "time (mean of 3)", "ms": a known unit, wherever it stands. */
static bool cut_known_bracket(struct header_name *h)
{
	for (char *open = h->stem; (open = strpbrk(open, "[(")); open++) {
		const char *close = strchr(open, *open == '[' ? ']' : ')');
		char *end = open;

		if (!close || is_plural(h, open, close) ||
		    !read_bracketed(open + 1, (size_t)(close - open) - 1, h->unit, sizeof h->unit))
			continue;
		while (end > h->stem && (is_blank(end[-1]) || end[-1] == '_'))
			end--;
		h->bracketed = true;
		memmove(end, close + 1, strlen(close + 1) + 1);
		return true;
	}
	*h->unit = '\0';
	return false;
}

/* "time [ms]" -> "time", "ms". */
static void cut_bracketed_unit(struct header_name *h)
{
	size_t len = strlen(h->stem);
	const char *open;

	if (len == 0 || !strchr("])", h->stem[len - 1]))
		return;
	open = strrchr(h->stem, h->stem[len - 1] == ']' ? '[' : '(');
	if (!open ||
	    !copy_trimmed(open + 1, len - (size_t)(open - h->stem) - 2, h->unit, sizeof h->unit))
		return;
	h->bracketed = true;
	len = (size_t)(open - h->stem);
	while (len > 0 && (is_blank(h->stem[len - 1]) || h->stem[len - 1] == '_'))
		len--;
	h->stem[len] = '\0';
}

/* "time (wall)", "time (inc)": which time it is, and in no unit. */
static void forget_qualifier(struct header_name *h)
{
	static const char *const words[] = {
		"wall", "real", "elapsed",   "total", "sum", "cpu",	"user", "inc",	    "incl",
		"exc",	"excl", "inclusive", "mean",  "avg", "average", "max",	"exclusive"};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strcasecmp(h->unit, words[i]) == 0) {
			*h->unit = '\0';
			h->bracketed = false;
		}
	}
}

/* "time_ms" -> "time", "ms". */
static void cut_unit_suffix(struct header_name *h)
{
	char *last = strrchr(h->stem, '_');

	if (!last || last == h->stem || strlen(last + 1) >= sizeof h->unit)
		return;
	if (!cell_unit_known(last + 1))
		return;
	strcpy(h->unit, last + 1);
	*last = '\0';
}

static bool is_time_word(const char *text, size_t len, char *unit, size_t size)
{
	if (len < 2 || len >= size)
		return false;
	for (size_t i = 0; i < len; i++)
		unit[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
	unit[len] = '\0';
	return cell_unit_seconds(unit) > 0;
}

/* "elapsed us", "time-ms", "wallSeconds", "runtime.ms": a unit of time as people put it. A word of
 * two letters or more, so that "grid h" is a name. */
static void cut_time_word(struct header_name *h)
{
	size_t len = strlen(h->stem);
	size_t at = len;
	char unit[sizeof h->unit];
	bool camel;

	while (at > 0 && h->stem[at - 1] >= 'a' && h->stem[at - 1] <= 'z')
		at--;
	camel = at > 1 && h->stem[at - 1] >= 'A' && h->stem[at - 1] <= 'Z' &&
		h->stem[at - 2] >= 'a' && h->stem[at - 2] <= 'z';
	at -= camel;
	if (at < 2 || !(camel || strchr(" -.", h->stem[at - 1])) ||
	    !is_time_word(h->stem + at, len - at, unit, sizeof unit))
		return;
	strcpy(h->unit, unit);
	h->stem[camel ? at : at - 1] = '\0';
}

/* A column called "hours" is in hours. */
static void take_unit_for_name(struct header_name *h)
{
	char unit[sizeof h->unit];

	if (is_time_word(h->stem, strlen(h->stem), unit, sizeof unit))
		strcpy(h->unit, unit);
}

/* "time in ms", "runtimeInSeconds" */
static void cut_preposition(struct header_name *h)
{
	size_t len = strlen(h->stem);

	if (len > 3 && strcasecmp(h->stem + len - 2, "in") == 0 &&
	    (strchr("_ -", h->stem[len - 3]) || h->stem[len - 2] == 'I'))
		h->stem[len - 2 - (strchr("_ -", h->stem[len - 3]) != NULL)] = '\0';
}

/* "mean_time", "time median", "avg time" -> "time". */
static void cut_statistic(struct header_name *h)
{
	static const struct {
		const char *word;
		enum header_statistic statistic;
	} known[] = {
		{"mean", STATISTIC_MEAN},
		{"avg", STATISTIC_MEAN},
		{"average", STATISTIC_MEAN},
		{"median", STATISTIC_MEDIAN},
	};
	size_t len = strlen(h->stem);

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		size_t n = strlen(known[i].word);

		if (len <= n + 1)
			continue;
		if (strncmp(h->stem, known[i].word, n) == 0 && strchr("_ ", h->stem[n])) {
			memmove(h->stem, h->stem + n + 1, len - n);
			h->statistic = known[i].statistic;
			return;
		}
		if (strcmp(h->stem + len - n, known[i].word) == 0 &&
		    strchr("_ ", h->stem[len - n - 1])) {
			h->stem[len - n - 1] = '\0';
			h->statistic = known[i].statistic;
			return;
		}
	}
}

bool header_name_read(const char *header, struct header_name *out)
{
	struct header_name h = {.statistic = STATISTIC_NONE};

	if (!copy_trimmed(header, strlen(header), h.stem, sizeof h.stem))
		return false;
	if (!cut_quotient(&h) && !cut_known_bracket(&h)) {
		cut_bracketed_unit(&h);
		forget_qualifier(&h);
	}
	if (!h.bracketed)
		cut_unit_suffix(&h);
	if (!*h.unit)
		cut_time_word(&h);
	if (*h.unit && !h.bracketed)
		cut_preposition(&h);
	if (!*h.unit)
		take_unit_for_name(&h);
	for (char *p = h.stem; *p; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	}
	cut_statistic(&h);
	/* "time_s_mean" has its unit before the statistic. */
	if (h.statistic != STATISTIC_NONE && !*h.unit)
		cut_unit_suffix(&h);
	*out = h;
	return true;
}

/* "parameter_threads", as hyperfine writes what its --parameter-list calls threads. */
static void cut_mark_of_parameter(char *stem)
{
	static const char mark[] = "parameter_";
	const size_t n = strlen(mark);

	if (strncmp(stem, mark, n) == 0 && stem[n])
		memmove(stem, stem + n, strlen(stem + n) + 1);
}

bool header_name_read_plain(const char *header, struct header_name *out)
{
	if (!header_name_read(header, out))
		return false;
	for (char *p = out->stem; *p; p++) {
		if (*p == ' ' || *p == '-')
			*p = '_';
	}
	cut_mark_of_parameter(out->stem);
	return true;
}

static const struct header_match no_match = {.kind = FIELD_KIND_COUNT, .unit = {1, 1, CLOCK_ANY}};

const char *header_match_stored_unit(const struct application *a, const struct header_match *m)
{
	if (m->kind == FIELD_TIME || m->kind == FIELD_LIMIT)
		return "s";
	if (m->kind == FIELD_COLUMN && a->column[m->index].unit)
		return a->column[m->index].unit;
	return "";
}

/* A column of the application, or a per-processor size, by its name alone. A per-processor size
 * stands before the derived column of the same name: it is what the file can give. */
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

/* Words for the same thing that every table of runs may have, if the application has use for them.
 */
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
