#include "ingest/import_rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "base/text_form.h"
#include "ingest/cell_number.h"

/* Must a JSON string escape it? UTF-8 passes unchanged: the table was checked to be that. */
static bool needs_escape(unsigned char c)
{
	return c < 0x20 || c == '"' || c == '\\';
}

/* One scan: the usual text has nothing to escape, and strcspn() would make a table for each. */
static void put_string(struct strbuf *json, const char *text)
{
	const char *from = text;

	strbuf_putc(json, '"');
	for (;; text++) {
		unsigned char c = (unsigned char)*text;

		if (!needs_escape(c))
			continue;
		strbuf_add(json, from, (size_t)(text - from));
		if (!c)
			break;
		if (c == '"' || c == '\\')
			strbuf_printf(json, "\\%c", c);
		else
			strbuf_printf(json, "\\u%04x", c);
		from = text + 1;
	}
	strbuf_putc(json, '"');
}

static size_t n_digits(const char *text)
{
	size_t n = 0;

	while (text[n] >= '0' && text[n] <= '9')
		n++;
	return n;
}

/* RFC 8259, section 6: no plus, no leading zero, digits on both sides of a point. */
static bool is_json_number(const char *text)
{
	size_t n;

	text += *text == '-';
	n = n_digits(text);
	if (n == 0 || (text[0] == '0' && n > 1))
		return false;
	text += n;
	if (*text == '.') {
		n = n_digits(++text);
		if (n == 0)
			return false;
		text += n;
	}
	if (*text == 'e' || *text == 'E') {
		text++;
		text += *text == '-' || *text == '+';
		n = n_digits(text);
		if (n == 0)
			return false;
		text += n;
	}
	return !*text;
}

/* The cells that are kept beside a run, as one JSON object: {"compiler":"gcc","ranks":16}. Begin
 * with a cleared buffer, put members, end; it stays empty if nothing was put. A cell that is
 * written as JSON writes numbers stays the number it is, digit for digit; everything else is a
 * string. A name serves many rows: `"compiler":` is put once, and before the cell of each row. */
static void extra_json_put_name(struct strbuf *json, const char *name)
{
	put_string(json, name);
	strbuf_putc(json, ':');
}

static void extra_json_put_named(struct strbuf *json, const struct strbuf *name, const char *cell)
{
	strbuf_putc(json, json->len ? ',' : '{');
	strbuf_add(json, name->buf, name->len);
	if (is_json_number(cell))
		strbuf_puts(json, cell);
	else
		put_string(json, cell);
}

static void extra_json_end(struct strbuf *json)
{
	if (json->len)
		strbuf_putc(json, '}');
}

static bool is_run_time(double time_s)
{
	return time_s >= KB_WALL_MIN_S && time_s < KB_WALL_LIMIT_S;
}

static enum err_code name_extra(struct run_row *r, const struct column_mapping *m, struct err *e)
{
	size_t n = text_table_n_columns(m->table);
	bool failed = false;

	r->name = calloc(n + 1, sizeof *r->name);
	if (!r->name)
		return err_set(e, ERR_NOMEM, "a row of %zu columns", n);
	for (size_t i = 0; i < n; i++) {
		enum field_kind kind = m->field[i].kind;

		if (kind == FIELD_EXTRA || kind == FIELD_EXIT || kind == FIELD_LIMIT)
			extra_json_put_name(&r->name[i], text_table_column(m->table, i));
		failed |= r->name[i].failed;
	}
	return failed ? err_set(e, ERR_NOMEM, "a row of %zu columns", n) : ERR_OK;
}

/* Is there a column that would say of a run that it failed? A remark may or may not. */
static bool says_how_runs_end(const struct column_mapping *m)
{
	bool says = m->of_kind[FIELD_STATUS] != SIZE_MAX || m->of_kind[FIELD_EXIT] != SIZE_MAX ||
		    text_table_is_foreign(m->table);

	for (size_t i = 0; i < text_table_n_columns(m->table); i++) {
		const enum outcome_reading reading = m->field[i].outcome;

		says |= reading != OUTCOME_NONE && reading != OUTCOME_REMARK &&
			reading != OUTCOME_SIZE;
	}
	return says;
}

enum err_code run_row_init(struct run_row *r, const struct column_mapping *m,
			   struct application *app, struct machine_cache *machines, struct err *e)
{
	enum err_code rc;

	*r = (struct run_row){.machines = machines, .source = -1};
	if ((rc = row_values_init(&r->values, m, app, e)) || (rc = name_extra(r, m, e)) ||
	    (rc = statistic_labels_init(&r->labels, m, e))) {
		run_row_release(r);
		return rc;
	}
	r->values.nodes_required = true;
	r->says_ends = says_how_runs_end(m);
	r->i_excluded = text_table_find(m->table, "excluded");
	if (r->i_excluded != SIZE_MAX && m->field[r->i_excluded].kind != FIELD_EXTRA)
		r->i_excluded = SIZE_MAX;
	return ERR_OK;
}

void run_row_release(struct run_row *r)
{
	if (r->name) {
		for (size_t i = 0; i < text_table_n_columns(r->values.m->table); i++)
			strbuf_release(&r->name[i]);
	}
	free(r->name);
	row_values_release(&r->values);
	missing_times_release(&r->missing);
	statistic_labels_release(&r->labels);
	strbuf_release(&r->computed);
	strbuf_release(&r->extra);
	free(r->app_seen);
	*r = (struct run_row){0};
}

/* The cell of a field that is not the configuration's; NULL if no column has it. */
static const char *cell(const struct run_row *r, const struct table_record *rec,
			enum field_kind kind, const char **header)
{
	const struct column_mapping *m = r->values.m;
	size_t i = m->of_kind[kind];

	if (i == SIZE_MAX)
		return NULL;
	*header = text_table_column(m->table, i);
	return rec->field[i];
}

static bool refuse_word(const char *header, const char *text, const char *kind, const char *right,
			struct reject *why)
{
	reject_begin(why, header, text, *text ? kind : "empty");
	if (*text)
		strbuf_printf(&why->reason, "'%.60s' is %s: %s", text, kind, right);
	else
		strbuf_printf(&why->reason, "empty: %s", right);
	return false;
}

/* Somebody judged that it must not count, and a table has no place for who and why. */
static bool is_excluded(const struct run_row *r, const struct table_record *rec, struct reject *why)
{
	const char *text;

	if (r->i_excluded == SIZE_MAX)
		return false;
	text = rec->field[r->i_excluded];
	if (strcasecmp(text, "true") != 0)
		return false;
	refuse_word(text_table_column(r->values.m->table, r->i_excluded), text,
		    "excluded from predictions", "take the column out where it should count", why);
	return true;
}

/* Whether it is one is known when all rows were seen: until then, it waits. */
static bool is_statistics(struct run_row *r, const struct table_record *rec, struct reject *why)
{
	const size_t i = statistic_labels_find(&r->labels, rec);

	if (i == SIZE_MAX)
		return false;
	if (!r->labels.known) {
		r->waits = ROW_WAITS_FOR_LABELS;
		return true;
	}
	reject_begin(why, text_table_column(r->values.m->table, i), rec->field[i],
		     "a row of statistics");
	strbuf_printf(&why->reason, "'%.60s': a row of statistics of others, and no run",
		      rec->field[i]);
	return true;
}

static bool read_app(struct run_row *r, const struct table_record *rec, struct reject *why)
{
	const struct application *a = r->values.app;
	const char *header;
	const char *text = cell(r, rec, FIELD_APP, &header);

	if (!text || (r->app_seen && strcmp(r->app_seen, text) == 0))
		return true;
	if (application_is(a, text)) {
		free(r->app_seen);
		r->app_seen = strdup(text); /* without it, only slower */
		return true;
	}
	reject_begin(why, header, text, NULL);
	strbuf_printf(&why->kind, "%s: not %s", header, a->name);
	strbuf_printf(&why->reason, "'%.60s' is not %s: load each application by itself", text,
		      a->name);
	return false;
}

static enum err_code machine_failed(const struct run_row *r, const struct table_record *rec,
				    enum err_code rc, const struct err *reason, struct err *e)
{
	return err_set(e, rc, "%s:%llu: machine: %s", text_table_name(r->values.m->table),
		       (unsigned long long)rec->line, reason->msg);
}

static enum err_code read_machine(struct run_row *r, const struct table_record *rec,
				  struct known_machine **out, struct reject *why, struct err *e)
{
	const char *header = "";
	const char *name = r->machine ? r->machine : cell(r, rec, FIELD_MACHINE, &header);
	const char *fault = machine_name_fault(name);
	struct err reason = {0};
	enum err_code rc;

	*out = NULL;
	if (fault) {
		reject_begin(why, header, name, fault);
		strbuf_printf(&why->reason, "'%.60s' is no machine's name: %s", name, fault);
		return ERR_OK;
	}
	rc = machine_cache_get(r->machines, name, out, &reason);
	return rc ? machine_failed(r, rec, rc, &reason, e) : ERR_OK;
}

static bool read_source(const struct run_row *r, const struct table_record *rec, struct kb_run *out,
			struct reject *why)
{
	const char *header;
	const char *text = cell(r, rec, FIELD_SOURCE, &header);
	int source = r->source;

	if (source < 0)
		source = text ? source_from_word(text) : SOURCE_MEASURED;
	if (source < 0)
		return refuse_word(header, text, "no known source",
				   "write measured, simulated or modelled", why);
	out->source = (enum run_source)source;
	return true;
}

/* ---- how it ended, and when ---- */

static bool refuse_status(const char *header, const char *text, int status, struct reject *why)
{
	bool is_code = *text && !text[strspn(text, "-0123456789")];

	if (status == STATUS_NOT_FINISHED)
		return refuse_word(header, text, "not finished",
				   "load the run when its time is known", why);
	if (status == STATUS_TWO_WAYS)
		return refuse_word(header, text, "not told apart",
				   "a letter that schedulers use in two ways: write ok, failed or "
				   "timeout, or --map the column to extra and give the exit code",
				   why);
	refuse_word(header, text, "no known status", "write ok, failed or timeout", why);
	strbuf_printf(&why->reason,
		      is_code ? ", or say --map %s=exit_code if it is one"
			      : ", or say --map %s=extra if it says something else",
		      header);
	return false;
}

/* A run that another column says went wrong did, whatever its status. */
static bool read_outcome(const struct run_row *r, const struct table_record *rec, int *status,
			 struct reject *why)
{
	const struct column_mapping *m = r->values.m;

	for (size_t i = 0; i < rec->n_fields && *status == RUN_OK; i++) {
		enum outcome_reading reading = m->field[i].outcome;

		if (reading == OUTCOME_NONE)
			continue;
		*status = outcome_of_cell(reading, rec->field[i]);
		if (*status < 0)
			return refuse_status(text_table_column(m->table, i), rec->field[i], *status,
					     why);
	}
	return true;
}

static bool read_status(const struct run_row *r, const struct table_record *rec, struct kb_run *out,
			struct reject *why)
{
	const char *header;
	const char *text = cell(r, rec, FIELD_STATUS, &header);
	int status = RUN_OK;

	if (text)
		status = status_from_word(text);
	else if ((text = cell(r, rec, FIELD_EXIT, &header)))
		status = status_from_exit_code(text);
	if (status < 0)
		return refuse_status(header, text, status, why);
	if (!read_outcome(r, rec, &status, why))
		return false;
	out->status = (enum run_status)status;
	return true;
}

/* Seconds from a cell, a number in the column's unit or a clock's reading. */
static enum number_fault read_seconds(const struct run_row *r, size_t i, const char *text,
				      enum clock_fault *clock, double *out_s)
{
	struct cell_unit unit = r->values.m->field[i].unit;
	enum number_fault fault = NUMBER_NOT_A_NUMBER;
	double x;

	*clock = CLOCK_NONE;
	if (unit.clock == CLOCK_ANY)
		fault = cell_number_in(r->values.style, text, &x);
	if (fault == NUMBER_OK) {
		*out_s = cell_unit_apply(unit, x);
		return NUMBER_OK;
	}
	*clock = cell_clock(text, unit.clock, r->values.style.decimal, out_s);
	return *clock == CLOCK_OK ? NUMBER_OK : fault;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool refuse_time(const struct run_row *r, const char *header, const char *text,
			enum number_fault fault, enum clock_fault clock, struct reject *why)
{
	const struct column_mapping *m = r->values.m;
	double as_hms = 0;
	double as_hm = 0;
	char unit[CELL_UNIT_MAX];

	if (cell_is_unit_of_time(text, unit)) {
		reject_begin(why, header, text, "a unit, as in a row of units");
		strbuf_printf(&why->reason, "'%s' is a unit and no time", unit);
	} else if (clock == CLOCK_TWO_WAYS) {
		reject_begin(why, header, text, "hours or minutes first");
		cell_clock(text, CLOCK_HMS, '.', &as_hms);
		cell_clock(text, CLOCK_HM, '.', &as_hm);
		strbuf_printf(&why->reason,
			      "'%.60s' is %.15g s if minutes come first, and %.15g s if hours do: "
			      "say --unit %s=hms or --unit %s=hm",
			      text, as_hms, as_hm, header, header);
	} else if (clock == CLOCK_OUT_OF_RANGE) {
		reject_begin(why, header, text, "not a time of hours, minutes and seconds");
		strbuf_printf(&why->reason,
			      "'%.60s' has more minutes or seconds than 59, or hours "
			      "behind days than 23",
			      text);
	} else if (*text && m->field[m->of_kind[FIELD_TIME]].unit.clock != CLOCK_ANY) {
		reject_begin(why, header, text, "not a time of hours, minutes and seconds");
		strbuf_printf(&why->reason, "'%.60s' is not written like 00:01:40", text);
	} else if (*text >= '0' && *text <= '9' && is_letter(text[strlen(text) - 1])) {
		reject_begin(why, header, text, "not a number, and not one with a unit of time");
		strbuf_printf(
			&why->reason,
			"'%.60s' is no time that can only mean one: write a number and one of "
			"ns, us, ms, s, min, h, d, or 00:01:40",
			text);
	} else {
		reject_begin(why, header, text, number_fault_kind(fault));
		number_fault_explain(fault, text, &why->reason);
		if (fault == NUMBER_NOT_A_NUMBER && !strpbrk(text, "0123456789"))
			strbuf_puts(
				&why->reason,
				", nor a word for how a run ended: write the time, FAIL, OOM or "
				"timeout, or - where none was measured");
		else if (strstr(text, "\xc2\xb1") || strstr(text, "+-") || strstr(text, "+/-"))
			strbuf_puts(&why->reason,
				    ": write the time by itself, and what it varies by elsewhere");
		else if (*text == '<')
			strbuf_puts(&why->reason, ": of a time that is not known but from above "
						  "nothing is learned: write the time itself");
		why->ends_import = fault == NUMBER_POINTS;
	}
	return false;
}

/* The limit of the run, NaN if it is not known. */
static double read_limit(const struct run_row *r, const struct table_record *rec)
{
	const char *header;
	const char *text = cell(r, rec, FIELD_LIMIT, &header);
	enum clock_fault clock;
	double limit_s;

	if (!text ||
	    read_seconds(r, r->values.m->of_kind[FIELD_LIMIT], text, &clock, &limit_s) != NUMBER_OK)
		return (double)NAN;
	return is_run_time(limit_s) ? limit_s : (double)NAN;
}

/* A run that did not end by itself needs no time. Of one that met its limit the limit is a lower
 * bound (right-censored, Klein and Moeschberger, Survival Analysis, 2003, section 3.2); without one
 * nothing is known but that it failed. */
static void do_without_time(struct run_row *r, const struct table_record *rec, struct kb_run *out)
{
	out->wall_s = (double)NAN;
	if (out->status != RUN_TIMEOUT)
		return;
	out->wall_s = read_limit(r, rec);
	if (isnan(out->wall_s)) {
		out->status = RUN_FAILED;
		r->n_without_limit++;
	} else {
		r->n_at_limit++;
	}
}

static void count_mark(struct time_mark *m, const struct table_record *rec, const char *text)
{
	if (m->n++ > 0)
		return;
	m->line = rec->line;
	snprintf(m->text, sizeof m->text, "%s", text);
	m->text[utf8_first_invalid(m->text, strlen(m->text))] = '\0';
}

/* No number stands there. Does it say how the run ended, or that nobody looked? */
static bool read_time_word(struct run_row *r, const struct table_record *rec, const char *header,
			   const char *text, struct kb_run *out, struct reject *why, bool *taken)
{
	bool missing = time_cell_is_missing(text);
	int status = missing ? STATUS_UNKNOWN : status_from_time_cell(text);

	*taken = true;
	if (out->status == RUN_OK && (status == RUN_FAILED || status == RUN_TIMEOUT)) {
		out->status = (enum run_status)status;
		count_mark(status == RUN_FAILED ? &r->failed : &r->late, rec, text);
	} else if (out->status == RUN_OK && missing && *text) {
		*taken = false;
		reject_begin(why, header, text, "not measured");
		strbuf_printf(&why->reason, "'%.60s': no time was measured", text);
		return true;
	} else if (out->status == RUN_OK && status == STATUS_NOT_FINISHED) {
		*taken = refuse_status(header, text, status, why);
		return true;
	} else if (out->status == RUN_OK ||
		   !(missing || status == RUN_FAILED || status == RUN_TIMEOUT)) {
		return false;
	}
	do_without_time(r, rec, out);
	return true;
}

/* "-1", "-1.0", "-999": what scripts write where a run died. Other times below zero are the
 * differences of two clocks. */
static bool is_mark_of_failure(const char *text)
{
	const size_t n = *text == '-' ? strspn(text + 1, "19") : 0;
	const char *rest = text + 1 + n;

	if (n == 0 || (text[1] == '1' ? n > 1 : strspn(text + 1, "9") != n))
		return false;
	return rest[strspn(rest, ".0")] == '\0' && (*rest == '\0' || *rest == '.');
}

/* No column says how runs ended, and there is no time: 0, NA, or nothing at all. */
static bool is_unmarked(const struct run_row *r, const struct kb_run *run, const char *text,
			enum number_fault fault)
{
	if (run->status != RUN_OK || r->says_ends)
		return false;
	return fault == NUMBER_OK ? run->wall_s == 0 : missing_time_is_unmarked(text);
}

static bool read_time(struct run_row *r, const struct table_record *rec, struct kb_run *out,
		      struct reject *why)
{
	const char *header = "";
	const char *text = cell(r, rec, FIELD_TIME, &header);
	char number[64];
	bool longer = cell_is_lower_bound(text, number, sizeof number), taken;
	uint64_t *first;
	enum clock_fault clock;
	enum number_fault fault = read_seconds(r, r->values.m->of_kind[FIELD_TIME],
					       longer ? number : text, &clock, &out->wall_s);

	if (!longer && is_unmarked(r, out, text, fault) &&
	    (r->missing.verdict == MISSING_OPEN || r->missing.verdict == MISSING_FAILED)) {
		if (r->missing.verdict == MISSING_OPEN)
			r->waits = ROW_WAITS_FOR_TIMES;
		out->status = RUN_FAILED;
		do_without_time(r, rec, out);
		return r->waits == ROW_WAITS_NOT;
	}
	if (fault != NUMBER_OK && read_time_word(r, rec, header, text, out, why, &taken))
		return taken;
	if (fault != NUMBER_OK)
		return refuse_time(r, header, text, fault, clock, why);
	first = clock == CLOCK_OK ? &r->line_with_unit : &r->line_bare;
	if (*first == 0 && out->wall_s != 0)
		*first = rec->line;
	if (is_run_time(out->wall_s)) {
		if (longer && out->status == RUN_OK) {
			out->status = RUN_TIMEOUT;
			count_mark(&r->longer, rec, text);
		}
		return true;
	}
	if (out->status == RUN_OK && is_mark_of_failure(text)) {
		out->status = RUN_FAILED;
		count_mark(&r->failed, rec, text);
	}
	/* 0 or -1: how long is not known */
	if (out->wall_s < KB_WALL_MIN_S && out->status != RUN_OK) {
		do_without_time(r, rec, out);
		return true;
	}
	if (out->wall_s <= 0) {
		reject_begin(why, header, text, "not greater than zero");
		strbuf_printf(&why->reason, "'%.60s' is no run time: it must be greater than zero",
			      text);
	} else if (out->wall_s < KB_WALL_MIN_S) {
		reject_begin(why, header, text, "less than a nanosecond");
		strbuf_printf(&why->reason,
			      "'%.60s' is no run time: it must be a nanosecond or more", text);
	} else {
		reject_begin(why, header, text, "too large");
		strbuf_printf(&why->reason,
			      "'%.60s' is no run time: it must be greater than zero and finite",
			      text);
	}
	return false;
}

/* A column of whole numbers >= min; none, or an empty cell, is dflt. */
static bool read_count(const struct run_row *r, const struct table_record *rec,
		       enum field_kind kind, double min, double max, double dflt, double *out,
		       struct reject *why)
{
	const char *header;
	const char *text = cell(r, rec, kind, &header);
	enum number_fault fault;

	*out = dflt;
	if (!text || !*text)
		return true;
	fault = cell_integer_in(r->values.style, text, out);
	if (fault != NUMBER_OK && cell_is_missing(text)) {
		*out = dflt;
		return true;
	}
	if (fault != NUMBER_OK) {
		reject_begin(why, header, text, number_fault_kind(fault));
		number_fault_explain(fault, text, &why->reason);
		why->ends_import = fault == NUMBER_POINTS;
		return false;
	}
	if (*out >= min && *out <= max)
		return true;
	reject_begin(why, header, text, "out of range");
	strbuf_printf(&why->reason, "'%.60s' is out of range: %.0f to %.0f", text, min, max);
	return false;
}

static bool read_repeats(const struct run_row *r, const struct table_record *rec,
			 struct kb_run *out, struct reject *why)
{
	const double repeat_max = 9007199254740992.0; /* 2^53 */
	double n_repeats;
	double repeat;

	if (!read_count(r, rec, FIELD_N_REPEATS, 1, UINT32_MAX, 1, &n_repeats, why) ||
	    !read_count(r, rec, FIELD_REPEAT, 0, repeat_max, 0, &repeat, why))
		return false;
	out->n_repeats = (uint32_t)n_repeats;
	out->repeat = (int64_t)repeat;
	return true;
}

static void put_computed(struct run_row *r)
{
	strbuf_clear(&r->computed);
	for (size_t i = 0; i < r->values.app->n_columns; i++) {
		if (!r->values.computed[i])
			continue;
		if (r->computed.len)
			strbuf_putc(&r->computed, ',');
		strbuf_puts(&r->computed, r->values.app->column[i].name);
	}
}

static void put_extra(struct run_row *r, const struct table_record *rec)
{
	strbuf_clear(&r->extra);
	for (size_t i = 0; i < rec->n_fields; i++) {
		if (r->name[i].len && rec->field[i][0])
			extra_json_put_named(&r->extra, &r->name[i], rec->field[i]);
	}
	extra_json_end(&r->extra);
}

enum err_code run_row_weigh(struct run_row *r, const struct table_record *rec, struct err *e)
{
	const char *header;
	const char *text;
	struct known_machine *machine;
	struct kb_run run = {.line = (int64_t)rec->line};
	struct reject why = {0};
	enum number_fault fault;
	enum clock_fault clock;
	enum err_code rc = ERR_OK;

	if (rec->bad || is_statistics(r, rec, &why) || is_excluded(r, rec, &why) ||
	    !read_app(r, rec, &why) || !read_source(r, rec, &run, &why) ||
	    !read_status(r, rec, &run, &why) || run.status != RUN_OK)
		goto done;
	text = cell(r, rec, FIELD_TIME, &header);
	fault = read_seconds(r, r->values.m->of_kind[FIELD_TIME], text, &clock, &run.wall_s);
	if (!is_unmarked(r, &run, text, fault) && (fault != NUMBER_OK || !is_run_time(run.wall_s)))
		goto done;
	if (!(rc = read_machine(r, rec, &machine, &why, e)) && machine &&
	    row_values_read(&r->values, rec, machine->cores_per_node, &why))
		missing_times_add(&r->missing, r->values.row, fault == NUMBER_OK && run.wall_s > 0,
				  rec->line, text);
done:
	if (!rc && why.reason.failed)
		rc = err_set(e, ERR_NOMEM, "no memory for a row");
	reject_release(&why);
	return rc;
}

enum err_code run_row_read(struct run_row *r, const struct table_record *rec, struct kb_run *out,
			   bool *taken, struct reject *why, struct err *e)
{
	struct known_machine *machine;
	struct kb_run run = {.line = (int64_t)rec->line};
	struct err reason = {0};
	enum err_code rc;

	*taken = false;
	r->waits = ROW_WAITS_NOT;
	if (rec->bad) {
		reject_begin(why, "", "", rec->bad_kind);
		strbuf_puts(&why->reason, rec->bad);
		return ERR_OK;
	}
	if (is_statistics(r, rec, why) || is_excluded(r, rec, why) || !read_app(r, rec, why) ||
	    !read_source(r, rec, &run, why) || !read_status(r, rec, &run, why) ||
	    !read_time(r, rec, &run, why) || !read_repeats(r, rec, &run, why))
		return ERR_OK;
	if ((rc = read_machine(r, rec, &machine, why, e)) || !machine)
		return rc;
	if (!row_values_read(&r->values, rec, machine->cores_per_node, why))
		return why->reason.failed ? err_set(e, ERR_NOMEM, "no memory for a row") : ERR_OK;
	if ((rc = machine_cache_use(r->machines, machine, &reason)))
		return machine_failed(r, rec, rc, &reason, e);
	put_computed(r);
	put_extra(r, rec);
	if (r->computed.failed || r->extra.failed)
		return err_set(e, ERR_NOMEM, "no memory for a row");
	run.row = r->values.row;
	run.machine_id = machine->id;
	run.computed = r->computed.len ? r->computed.buf : NULL;
	run.extra = r->extra.len ? r->extra.buf : NULL;
	*out = run;
	*taken = true;
	return ERR_OK;
}
