#include "ingest/row_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text_form.h"
#include "ingest/cell_number.h"
#include "ingest/header_kin.h"
#include "ingest/header_match.h"

enum part { PART_NONE, PART_RANK, PART_STEP, PART_UNIT, PART_FIGURE };

/* What the cells of one column do from row to row. */
struct part_column {
	enum part part;
	double before;
	uint64_t n_changed;  /* rows of the configuration of the row before, with another value */
	uint64_t n_counted;  /* and with the next number */
	uint64_t n_repeated; /* and with the same value */
	uint64_t line;	     /* of the first that changed */
	char figure[40];     /* what the first row is of */
};

static enum part part_of_header(const char *header)
{
	static const struct {
		enum part part;
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
