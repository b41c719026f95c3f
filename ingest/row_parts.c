#include "ingest/row_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "base/text_form.h"
#include "ingest/cell_number.h"
#include "ingest/header_kin.h"
#include "ingest/header_match.h"

enum part_kind { PART_NONE, PART_RANK, PART_STEP, PART_UNIT, PART_FIGURE };

/* What the cells of one column do from row to row. */
struct part_column {
	enum part_kind part;
	double before;
	uint64_t n_changed;  /* rows of the configuration of the row before, with another value */
	uint64_t n_counted;  /* and with the next number */
	uint64_t n_repeated; /* and with the same value */
	uint64_t line;	     /* of the first that changed */
	char figure[40];     /* what the first row is of */
};

static enum part_kind part_of_header(const char *header)
{
	static const struct {
		enum part_kind part;
		const char *words;
	} named[] = {
		{PART_UNIT, "unit units time_unit timeunit unit_of_time perf_unit"},
		{PART_RANK, "rank mpi_rank rank_id proc_id procid process task_id process_id "
			    "local_rank thread_id taskid tid"},
		{PART_STEP, "step timestep time_step iteration iter epoch cycle it frame batch "
			    "sweep"},
		/* "function" may be a choice */
		{PART_FIGURE, "metric metric_name perf_var quantity fom_name figure_of_merit "
			      "callpath call_path path region phase timer"},
	};
	struct header_name h;

	for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
		if (header_name_read_plain(header, &h) && text_has_word(named[i].words, h.stem))
			return named[i].part;
	}
	return PART_NONE;
}

bool row_parts_names_figures(const char *header)
{
	return part_of_header(header) == PART_FIGURE;
}

/* The cells of a row's configuration, one behind the other. */
static void put_configuration(const struct column_mapping *m, const struct table_record *rec,
			      struct strbuf *out)
{
	strbuf_clear(out);
	for (size_t i = 0; i < rec->n_fields; i++) {
		enum field_kind kind = m->field[i].kind;

		if (kind != FIELD_COLUMN && kind != FIELD_LOCAL && kind != FIELD_PROCS &&
		    kind != FIELD_PPN && kind != FIELD_MACHINE)
			continue;
		strbuf_puts(out, rec->field[i]);
		strbuf_putc(out, '\n');
	}
}

static void look_at(struct part_column *c, const struct table_record *rec, const char *text,
		    bool same)
{
	double x;

	if (cell_number(text, &x) != NUMBER_OK) {
		c->part = PART_NONE; /* names of phases are no count */
		return;
	}
	if (same && x == c->before)
		c->n_repeated++;
	if (same && x != c->before && c->n_changed++ == 0)
		c->line = rec->line;
	c->n_counted += same && x == c->before + 1;
	c->before = x;
}

/* Times of which each has its unit in another column would be taken for those of one. */
static enum err_code check_unit(const struct text_table *t, const struct column_mapping *m,
				const struct table_record *rec, size_t i, struct err *e)
{
	const size_t i_time = m->of_kind[FIELD_TIME];
	const double unit_s = cell_unit_seconds(rec->field[i]);
	const struct cell_unit of_time =
		i_time == SIZE_MAX ? cell_unit_same : m->field[i_time].unit;

	if (!(unit_s > 0) && i_time != SIZE_MAX && !cell_is_missing(rec->field[i]) &&
	    strcmp(text_table_column(t, i), "perf_unit") == 0)
		return err_set(e, ERR_PARSE,
			       "%s:%llu: %s: '%.20s' is no unit of time: what %s holds there is no "
			       "run time. Keep the rows of the one that is, in a file of their own",
			       text_table_name(t), (unsigned long long)rec->line,
			       text_table_column(t, i), rec->field[i],
			       text_table_column(t, i_time));
	if (!(unit_s > 0) || i_time == SIZE_MAX ||
	    fabs(unit_s - cell_unit_apply(of_time, 1)) <= 1e-9 * unit_s)
		return ERR_OK;
	return err_set(
		e, ERR_PARSE,
		"%s:%llu: %s: '%.20s' is the unit of the time in this row, and %s is read in "
		"another: write each time with its unit ('5 min'), or all in the one that "
		"--unit '%s=%.20s' names; --map '%s=extra' if it is of something else",
		text_table_name(t), (unsigned long long)rec->line, text_table_column(t, i),
		rec->field[i], text_table_column(t, i_time), text_table_column(t, i_time),
		rec->field[i], text_table_column(t, i));
}

/* A row for each of several figures of a run, as ReFrame logs them: a rate would be read as a time.
 */
static enum err_code check_figure(const struct text_table *t, struct part_column *c,
				  const struct table_record *rec, size_t i, struct err *e)
{
	const char *text = rec->field[i], *header = text_table_column(t, i);
	struct strbuf aside = STRBUF_INIT;
	enum err_code rc;

	if (cell_is_missing(text) || strlen(text) >= sizeof c->figure)
		return ERR_OK;
	if (!*c->figure)
		strcpy(c->figure, text);
	if (strcmp(c->figure, text) == 0)
		return ERR_OK;
	header_kin_put_map(header, "extra", &aside);
	rc = err_set(e, ERR_PARSE,
		     "%s:%llu: %s: '%s' here and '%s' above: rows of parts or figures of a run, "
		     "whose values would all be read as times of runs. Keep the rows of the one "
		     "that is the time of a run, in a file of their own; where each row is a run "
		     "of its own, name the column in --problem or --tunable, or say %s",
		     text_table_name(t), (unsigned long long)rec->line, header, text, c->figure,
		     strbuf_text(&aside));
	strbuf_release(&aside);
	return rc;
}

/* Ranks are told apart in any order; steps only if they are counted up, for a number of iterations
 * that a solver needed differs from run to run, too. */
static bool is_part(const struct part_column *c, uint64_t n_rows)
{
	if ((c->part != PART_RANK && c->part != PART_STEP) || c->n_repeated > 0)
		return false;
	return c->part == PART_RANK ? c->n_changed > 0
				    : c->n_changed >= 2 && c->n_counted == c->n_changed &&
					      2 * c->n_changed >= n_rows;
}

static enum err_code refuse(const struct text_table *t, size_t i, const struct part_column *c,
			    struct err *e)
{
	const char *header = text_table_column(t, i);
	struct strbuf as_repeat = STRBUF_INIT;
	enum err_code rc;

	header_kin_put_map(header, "repeat", &as_repeat);
	rc = err_set(e, ERR_PARSE,
		     "%s:%llu: %s: rows of one configuration differ by it, so each seems to be a "
		     "%s of a run and not a run. Make one row of each run, with its whole time; "
		     "where each row is a run of its own, say %s",
		     text_table_name(t), (unsigned long long)c->line, header,
		     c->part == PART_RANK ? "process" : "part", strbuf_text(&as_repeat));
	strbuf_release(&as_repeat);
	return rc;
}

enum err_code row_parts_check(struct text_table *t, const struct column_mapping *m, struct err *e)
{
	size_t n = text_table_n_columns(t);
	struct part_column *column = calloc(n + 1, sizeof *column);
	struct strbuf now = STRBUF_INIT, before = STRBUF_INIT;
	struct table_record rec;
	enum err_code rc = ERR_OK;
	uint64_t n_rows = 0;
	bool any = false;

	if (!column)
		return err_set(e, ERR_NOMEM, "%s: %zu columns", text_table_name(t), n);
	for (size_t i = 0; i < n; i++) {
		if (m->field[i].kind == FIELD_EXTRA && !m->field[i].by_user)
			column[i].part = part_of_header(text_table_column(t, i));
		any |= column[i].part != PART_NONE;
	}
	if (any)
		rc = text_table_rewind(t, e);
	while (any && !rc && !(rc = text_table_next(t, &rec, e)) && rec.raw) {
		struct strbuf was = before;
		bool same;

		if (rec.bad)
			continue;
		put_configuration(m, &rec, &now);
		same = n_rows++ > 0 && strcmp(strbuf_text(&now), strbuf_text(&before)) == 0;
		for (size_t i = 0; i < n && !rc; i++) {
			if (column[i].part == PART_UNIT)
				rc = check_unit(t, m, &rec, i, e);
			else if (column[i].part == PART_FIGURE)
				rc = check_figure(t, &column[i], &rec, i, e);
			else if (column[i].part != PART_NONE)
				look_at(&column[i], &rec, rec.field[i], same);
		}
		before = now;
		now = was;
	}
	if (!rc && (now.failed || before.failed))
		rc = err_set(e, ERR_NOMEM, "%s: a row", text_table_name(t));
	for (size_t i = 0; !rc && i < n; i++) {
		if (is_part(&column[i], n_rows))
			rc = refuse(t, i, &column[i], e);
	}
	if (!rc && any)
		rc = text_table_rewind(t, e);
	strbuf_release(&now);
	strbuf_release(&before);
	free(column);
	return rc;
}

/* ---- rows of statistics ---- */

struct label_column {
	bool looked_at;
	bool is_index;	/* by its header */
	bool percents;	/* "25%" is a label, too, and no value */
	unsigned words; /* of statistic_word, a bit each */
	uint64_t n_words, n_percents;
	uint64_t n_others;  /* cells that are neither those nor empty, */
	uint64_t n_numbers; /* and are numbers */
};

/* By themselves these are levels, too: a reduction by "max" or "sum". */
enum { N_AMBIGUOUS = 5 };
static const char *const statistic_word[] = {
	"min",	   "max",     "sum",	 "count",    "total",
	"mean",	   "avg",     "average", "median",   "std",
	"stdev",   "std dev", "stddev",	 "variance", "standard deviation",
	"geomean",
};

enum { N_STATISTICS = sizeof statistic_word / sizeof statistic_word[0], LABEL_MAX = 20 };

/* "25%", "99.9%" */
static bool is_percentile(const char *text)
{
	const size_t n = strspn(text, "0123456789.");

	return n > 0 && text[n] == '%' && text[n + 1] == '\0';
}

/* Index of statistic_word; N_STATISTICS: none. The first letter decides of most cells. */
static size_t statistic_of(const char *text)
{
	char plain[LABEL_MAX + 1];
	size_t n;

	if (*text < 'A' || !strchr("acgmstvACGMSTV", *text) || (n = strlen(text)) > LABEL_MAX)
		return N_STATISTICS;
	memcpy(plain, text, n + 1);
	if (plain[n - 1] == ':' || plain[n - 1] == '.')
		plain[n - 1] = '\0';
	for (size_t i = 0; i < N_STATISTICS; i++) {
		if (strcasecmp(statistic_word[i], plain) == 0)
			return i;
	}
	return N_STATISTICS;
}

static bool is_label(const struct label_column *c, const char *text)
{
	return statistic_of(text) < N_STATISTICS || (c->percents && is_percentile(text));
}

static bool may_hold_labels(const struct column_mapping *m, size_t i)
{
	const struct mapped_field *f = &m->field[i];

	switch (f->kind) {
	case FIELD_COLUMN:
		return m->app->column[f->index].type != COL_TEXT;
	case FIELD_LOCAL:
	case FIELD_PROCS:
	case FIELD_PPN:
	case FIELD_REPEAT:
		return true;
	case FIELD_EXTRA:
		return !f->by_user && f->outcome == OUTCOME_NONE;
	case FIELD_DROP:
		return !*text_table_column(m->table, i);
	default:
		return false;
	}
}

enum err_code statistic_labels_init(struct statistic_labels *l, const struct column_mapping *m,
				    struct err *e)
{
	static const char *const index[] = {"",		  "index", "unnamed: 0", "statistic",
					    "statistics", "stat",  "stats",	 "name",
					    "label",	  "run",   NULL};
	const size_t n = text_table_n_columns(m->table);

	*l = (struct statistic_labels){.column = calloc(n + 1, sizeof *l->column), .n = n};
	if (!l->column)
		return err_set(e, ERR_NOMEM, "%s: %zu columns", text_table_name(m->table), n);
	for (size_t i = 0; i < n; i++) {
		l->column[i].looked_at = !text_table_is_foreign(m->table) && may_hold_labels(m, i);
		l->column[i].is_index = text_list_has(index, text_table_column(m->table, i));
	}
	return ERR_OK;
}

void statistic_labels_release(struct statistic_labels *l)
{
	free(l->column);
	*l = (struct statistic_labels){0};
}

size_t statistic_labels_find(const struct statistic_labels *l, const struct table_record *rec)
{
	for (size_t i = 0; i < rec->n_fields; i++) {
		if (l->column[i].looked_at && is_label(&l->column[i], rec->field[i]))
			return i;
	}
	return SIZE_MAX;
}

static void look_for_label(struct label_column *c, const char *text)
{
	const size_t i = statistic_of(text);
	double x;

	if (i < N_STATISTICS) {
		c->words |= 1u << i;
		c->n_words++;
	} else if (is_percentile(text)) {
		c->n_percents++;
	} else if (!cell_is_missing(text)) {
		c->n_others++;
		c->n_numbers += cell_number(text, &x) == NUMBER_OK;
	}
}

/* "mean" in every row says how the times were made, and "max" and "sum" how data were reduced. */
static bool holds_labels(struct label_column *c)
{
	size_t n_words = 0;

	c->percents = c->n_percents <= c->n_words;
	c->n_others += c->percents ? 0 : c->n_percents;
	c->n_numbers += c->percents ? 0 : c->n_percents;
	for (unsigned rest = c->words; rest; rest &= rest - 1)
		n_words++;
	if (c->words >> N_AMBIGUOUS == 0)
		return false;
	if (c->n_others == 0)
		return n_words >= 3;
	return (c->is_index && c->n_words < c->n_others) || 2 * c->n_numbers > c->n_others;
}

enum err_code statistic_labels_survey(struct statistic_labels *l, struct text_table *t,
				      struct err *e)
{
	struct table_record rec;
	enum err_code rc = text_table_rewind(t, e);

	while (!rc && !(rc = text_table_next(t, &rec, e)) && rec.raw) {
		for (size_t i = 0; !rec.bad && i < l->n; i++) {
			if (l->column[i].looked_at)
				look_for_label(&l->column[i], rec.field[i]);
		}
	}
	for (size_t i = 0; i < l->n; i++)
		l->column[i].looked_at &= holds_labels(&l->column[i]);
	l->known = true;
	return rc;
}
