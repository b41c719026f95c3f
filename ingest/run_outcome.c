#include "ingest/run_outcome.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
#include "ingest/header_kin.h"
#include "ingest/table_style.h"

enum { SHOWN_MAX = 60, WORD_LENGTH_MIN = 3 };

/* What the cells of one column say. */
struct outcome_column {
	enum outcome_reading reading;
	bool by_header;
	uint64_t n_ok, n_failed, n_late, n_unknown, n_measure;
	uint64_t line; /* of the first that did not end well */
	char text[SHOWN_MAX + 1];
};

/* Two letters may mean anything: "CA", "to". */
static bool is_word_of_an_end(const char *text)
{
	int status = status_from_word(text);

	return (strlen(text) >= WORD_LENGTH_MIN || strcasecmp(text, "ok") == 0) &&
	       word_is_word(text) &&
	       (status == RUN_OK || status == RUN_FAILED || status == RUN_TIMEOUT);
}

static bool may_be_one(const struct mapped_field *f)
{
	return f->kind == FIELD_EXTRA && !f->by_user && !f->derived && !f->overruled;
}

static enum outcome_reading reading_of(const struct text_table *t, const struct column_mapping *m,
				       const struct table_record *first, size_t i, bool *by_header)
{
	enum outcome_reading reading;

	if (!may_be_one(&m->field[i]))
		return OUTCOME_NONE;
	reading = outcome_of_header(text_table_column(t, i));
	*by_header = reading != OUTCOME_NONE;
	if (!*by_header && !first->bad && is_word_of_an_end(first->field[i]))
		reading = OUTCOME_WORD;
	return reading;
}

static void count(struct outcome_column *c, const struct table_record *rec, const char *text)
{
	int status = outcome_of_cell(c->reading, text);

	switch (status) {
	case RUN_OK:
		c->n_ok++;
		return;
	case RUN_FAILED:
		c->n_failed++;
		break;
	case RUN_TIMEOUT:
		c->n_late++;
		break;
	case STATUS_MEASURE:
		c->n_measure++;
		return;
	default:
		c->n_unknown += *text != '\0';
		return;
	}
	if (!c->by_header && !is_word_of_an_end(text))
		c->n_unknown++;
	if (c->line == 0) {
		c->line = rec->line;
		snprintf(c->text, sizeof c->text, "%s", text);
		c->text[utf8_first_invalid(c->text, strlen(c->text))] = '\0';
	}
}

/* What another column says of a run whose status says that it failed adds nothing. */
static bool ended_well(const struct column_mapping *m, const struct table_record *rec)
{
	size_t i = m->of_kind[FIELD_STATUS];

	if (i != SIZE_MAX)
		return status_from_word(rec->field[i]) == RUN_OK;
	i = m->of_kind[FIELD_EXIT];
	return i == SIZE_MAX || status_from_exit_code(rec->field[i]) == RUN_OK;
}

/* A column of numbers measures something, and one in which every run ended well changes nothing.
 * One that its name does not give away must hold nothing else. */
static bool says_how_runs_ended(const struct outcome_column *c)
{
	if (c->reading == OUTCOME_NONE || c->n_measure > 0)
		return false;
	/* of the series, not of its runs */
	if ((c->reading == OUTCOME_REMARK || c->reading == OUTCOME_SIZE) && c->n_ok == 0)
		return false;
	return c->n_failed + c->n_late > 0 && (c->by_header || c->n_unknown == 0);
}

static void put_note(const char *header, const struct outcome_column *c, struct strbuf *notes)
{
	uint64_t n = c->n_failed + c->n_late;

	text_put_safe(notes, header, false);
	strbuf_puts(notes, ": says how runs ended: '");
	text_put_safe(notes, c->text, false);
	strbuf_printf(notes, "' in line %llu is %s", (unsigned long long)c->line,
		      outcome_of_cell(c->reading, c->text) == RUN_TIMEOUT ? "a timeout" : "failed");
	if (n > 1)
		strbuf_printf(notes, ", and so are %llu more rows", (unsigned long long)(n - 1));
	strbuf_puts(notes, " (");
	header_kin_put_map(header, "extra", notes);
	strbuf_puts(notes, " if they are good runs)\n");
}

enum err_code run_outcome_find(struct text_table *t, struct column_mapping *m, struct strbuf *notes,
			       struct err *e)
{
	size_t n = text_table_n_columns(t);
	struct outcome_column *column = calloc(n + 1, sizeof *column);
	struct table_record rec;
	enum err_code rc;
	bool any = false;

	if (!column)
		return err_set(e, ERR_NOMEM, "%s: %zu columns", text_table_name(t), n);
	if (!(rc = text_table_rewind(t, e)))
		rc = text_table_next(t, &rec, e);
	for (size_t i = 0; !rc && rec.raw && i < n; i++) {
		column[i].reading = reading_of(t, m, &rec, i, &column[i].by_header);
		any |= column[i].reading != OUTCOME_NONE;
	}
	while (!rc && any && rec.raw) {
		bool well = !rec.bad && ended_well(m, &rec);

		for (size_t i = 0; i < n && well; i++) {
			if (column[i].reading != OUTCOME_NONE)
				count(&column[i], &rec, rec.field[i]);
		}
		rc = text_table_next(t, &rec, e);
	}
	for (size_t i = 0; !rc && i < n; i++) {
		if (!says_how_runs_ended(&column[i]))
			continue;
		m->field[i].outcome = column[i].reading;
		put_note(text_table_column(t, i), &column[i], notes);
	}
	free(column);
	return rc ? rc : text_table_rewind(t, e);
}
