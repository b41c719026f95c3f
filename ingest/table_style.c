#include "ingest/table_style.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "ingest/cell_number.h"

bool word_is_word(const char *text)
{
	double number;

	return !cell_is_missing(text) && cell_number(text, &number) == NUMBER_NOT_A_NUMBER &&
	       cell_number_evidence(text, false) == EVIDENCE_NONE &&
	       !(strchr(text, ':') && cell_clock(text, CLOCK_HMS, '.', &number) != CLOCK_NONE);
}

/* ---- a header further down ---- */

enum { LINES_MAX = 24, LINE_MAX_BYTES = 4096 };

/* What the cells of a line are, were mark what separates them. */
struct line_cells {
	size_t n, n_numbers, n_words;
};

static struct line_cells look_at_line(const char *line, char mark)
{
	struct line_cells c = {0};
	char cell[128];

	line += strspn(line, " ");
	line += mark == '|' && *line == mark; /* around the line */

	for (bool more = true; more && (c.n == 0 || mark != '|' || line[strspn(line, " \r")]);
	     c.n++) {
		size_t len = 0;

		for (; *line && *line != mark; line++) {
			if (*line != '"' && (len > 0 || *line != ' ') && len + 1 < sizeof cell)
				cell[len++] = *line;
		}
		while (len > 0 && strchr(" \r", cell[len - 1]))
			len--;
		cell[len] = '\0';
		more = *line++ == mark;
		c.n_words += word_is_word(cell);
		c.n_numbers += len > 0 && !word_is_word(cell) && !cell_is_missing(cell);
	}
	return c;
}

/* A line of words only, with as many cells of numbers as of words, or some, in the next but one at
 * most: units may stand between. */
static bool reads_like_header(char *const *line, size_t n, size_t i)
{
	for (const char *mark = ",;\t|"; *mark; mark++) {
		const struct line_cells names = look_at_line(line[i], *mark);

		if (names.n < 2 || names.n_words < names.n)
			continue;
		for (size_t k = i + 1; k < n && k <= i + 2; k++) {
			const struct line_cells row = look_at_line(line[k], *mark);

			if (row.n == names.n && row.n_numbers >= 2)
				return true;
		}
	}
	return false;
}

enum err_code table_header_below(struct text_table *t, struct err *e)
{
	char *line[LINES_MAX] = {NULL};
	uint64_t at[LINES_MAX] = {0};
	struct table_record rec;
	enum err_code rc;
	size_t n = 0;

	if (text_table_is_foreign(t))
		return ERR_OK;
	rc = text_table_rewind(t, e);
	while (!rc && n < LINES_MAX && !(rc = text_table_next(t, &rec, e)) && rec.raw) {
		at[n] = rec.line;
		if (!(line[n] = strndup(rec.raw, rec.raw_len < LINE_MAX_BYTES ? rec.raw_len
									      : LINE_MAX_BYTES)))
			rc = err_set(e, ERR_NOMEM, "%s: its first lines", text_table_name(t));
		else
			n++;
	}
	for (size_t i = 0; i < n && !rc; i++) {
		if (reads_like_header(line, n, i))
			rc = err_set(e, ERR_PARSE,
				     "%s:%llu: this line reads like the header, with the names of "
				     "the columns: put a # before the lines above it, from line "
				     "%llu on",
				     text_table_name(t), (unsigned long long)at[i],
				     (unsigned long long)text_table_header_line(t));
	}
	for (size_t i = 0; i < n; i++)
		free(line[i]);
	return rc;
}

/* A table without a header, or whose header is passed over as a comment. */
static bool has_numbers_only(const struct text_table *t)
{
	double x;

	for (size_t i = 0; i < text_table_n_columns(t); i++) {
		if (cell_number(text_table_column(t, i), &x) != NUMBER_OK)
			return false;
	}
	return true;
}

/* "n nodes time": blanks between columns, or a title above them. */
enum err_code table_columns_check(struct text_table *t, struct err *e)
{
	enum err_code rc;

	if (has_numbers_only(t))
		return err_set(
			e, ERR_PARSE,
			"%s:%llu: numbers where the names of the columns are wanted: put a "
			"line of names above, or, where there is one, take away the # before it",
			text_table_name(t), (unsigned long long)text_table_header_line(t));
	if (text_table_n_columns(t) > 1)
		return ERR_OK;
	if ((rc = table_header_below(t, e)))
		return rc;
	return err_set(
		e, ERR_PARSE,
		"%s:%llu: one column, '%.60s': commas, semicolons, tabs or | are wanted between "
		"columns (--delimiter names another mark; `tr -s ' ' ,` makes commas of blanks), and a # "
		"before a title above them",
		text_table_name(t), (unsigned long long)text_table_header_line(t),
		text_table_column(t, 0));
}

/* ---- words ---- */

struct word_count {
	size_t i_table; /* SIZE_MAX: no such column */
	uint64_t n_words;
	uint64_t n_bytes; /* of the words */
	uint64_t n_others;
};

static void count(struct word_count *c, size_t n, const struct table_record *rec)
{
	for (size_t i = 0; i < n; i++) {
		const char *text = c[i].i_table == SIZE_MAX ? "" : rec->field[c[i].i_table];
		double bytes;

		if (word_is_word(text)) {
			c[i].n_words++;
			c[i].n_bytes += size_in_table(text, &bytes);
		} else if (!cell_is_missing(text))
			c[i].n_others++;
	}
}

static enum column_cells cells_of(const struct word_count *c)
{
	if (c->n_words <= c->n_others)
		return CELLS_NUMBERS;
	return c->n_bytes == c->n_words ? CELLS_BYTES : CELLS_WORDS;
}

enum err_code column_cells_find(struct text_table *t, const char *const *list,
				enum column_cells *cells, struct err *e)
{
	struct word_count *c;
	struct table_record rec;
	enum err_code rc;
	size_t n = 0;

	while (list && list[n])
		n++;
	c = calloc(n + 1, sizeof *c);
	if (!c)
		return err_set(e, ERR_NOMEM, "%s: %zu columns", text_table_name(t), n);
	for (size_t i = 0; i < n; i++)
		c[i].i_table = text_table_find(t, list[i]);
	rc = text_table_rewind(t, e);
	while (!rc && !(rc = text_table_next(t, &rec, e)) && rec.raw) {
		if (!rec.bad)
			count(c, n, &rec);
	}
	if (!rc)
		rc = text_table_rewind(t, e);
	for (size_t i = 0; i < n; i++)
		cells[i] = cells_of(&c[i]);
	free(c);
	return rc;
}

enum { N_EVIDENCE = EVIDENCE_EITHER_COMMA + 1, TEXT_SIZE = 64 }; /* what has evidence is shorter */

/* The first cell of each kind. */
struct example {
	uint64_t line; /* 0: there is none */
	const char *column;
	char text[TEXT_SIZE];
};

/* What the cells of one column look like. */
struct column_style {
	struct example dot;	    /* "1.000" */
	bool plain, other;	    /* "500"; "0.5" */
	struct example two, three;  /* "23:33"; "1:02:03", an hour or more */
	bool two_long, three_short; /* "75:03", "0:23:33" */
};

struct style_search {
	struct text_table *table;
	const struct column_mapping *m;
	struct example first[N_EVIDENCE];
	struct column_style *column; /* n_columns */
};

static bool is_number(const struct column_mapping *m, size_t i, bool *whole)
{
	const struct mapped_field *f = &m->field[i];

	*whole = false;
	switch (f->kind) {
	case FIELD_COLUMN:
		*whole = m->app->column[f->index].type == COL_INT && f->unit.multiplier == 1 &&
			 f->unit.divisor == 1;
		return m->app->column[f->index].type != COL_TEXT;
	case FIELD_LOCAL:
	case FIELD_PROCS:
	case FIELD_PPN:
	case FIELD_REPEAT:
	case FIELD_N_REPEATS:
		*whole = true;
		return true;
	case FIELD_TIME:
		return true;
	default:
		return false;
	}
}

/* The number of "1,5 s". */
static const char *without_unit(const char *text, char *number)
{
	size_t n = strspn(text, "+-0123456789.,'_ ");

	if (n == 0 || n >= TEXT_SIZE || !text[n] || strchr(":;/", text[n]))
		return text;
	while (text[n - 1] == ' ')
		n--;
	memcpy(number, text, n);
	number[n] = '\0';
	return number;
}

static void take_example(struct example *x, const struct style_search *s, uint64_t line, size_t i,
			 const char *text)
{
	if (x->line)
		return;
	x->line = line;
	x->column = text_table_column(s->table, i);
	snprintf(x->text, sizeof x->text, "%s", text);
}

static void look_at_clock(struct style_search *s, uint64_t line, size_t i, const char *text)
{
	struct column_style *c = &s->column[i];
	const char *colon = strchr(text, ':');
	double seconds;

	if (strlen(text) >= TEXT_SIZE || cell_clock(text, CLOCK_HMS, '.', &seconds) != CLOCK_OK)
		return;
	if (cell_clock(text, CLOCK_ANY, '.', &seconds) == CLOCK_TWO_WAYS) {
		take_example(&c->two, s, line, i, text);
		c->two_long = c->two_long || seconds >= 3600;
	} else if (colon && strchr(colon + 1, ':')) {
		if (seconds >= 3600)
			take_example(&c->three, s, line, i, text);
		c->three_short = c->three_short || seconds < 3600;
	}
}

static bool is_of_digits(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

static void look_at(struct style_search *s, const struct table_record *rec)
{
	for (size_t i = 0; i < rec->n_fields; i++) {
		const char *text = rec->field[i];
		char number[TEXT_SIZE], bound[TEXT_SIZE];
		enum number_evidence evidence;
		bool whole;

		if (!is_number(s->m, i, &whole))
			continue;
		if (is_of_digits(text)) {
			s->column[i].plain = true;
			continue;
		}
		if (s->m->field[i].kind == FIELD_TIME) {
			if (cell_is_lower_bound(text, bound, sizeof bound))
				text = bound;
			if (strchr(text, ':'))
				look_at_clock(s, rec->line, i, text);
			text = without_unit(text, number);
		}
		evidence = cell_number_evidence(text, whole);
		take_example(&s->first[evidence], s, rec->line, i, text);
		if (evidence == EVIDENCE_EITHER_DOT)
			take_example(&s->column[i].dot, s, rec->line, i, text);
		else if (evidence != EVIDENCE_NONE)
			s->column[i].other = true;
		else if (is_of_digits(text)) /* "500 s" */
			s->column[i].plain = true;
	}
}

/* Of what has no commas the style shows in the first rows. */
enum { FIRST_ROWS = 500 };

static enum err_code look_at_rows(struct style_search *s, bool all, struct err *e)
{
	struct table_record rec;
	size_t n = 0;
	enum err_code rc = text_table_rewind(s->table, e);

	while (!rc && (all || n++ < FIRST_ROWS) && !(rc = text_table_next(s->table, &rec, e)) &&
	       rec.raw) {
		if (!rec.bad)
			look_at(s, &rec);
	}
	return rc ? rc : text_table_rewind(s->table, e);
}

static const struct example *found(const struct style_search *s, enum number_evidence what)
{
	return s->first[what].line ? &s->first[what] : NULL;
}

static const struct example *either(const struct example *a, const struct example *b)
{
	return a ? a : b;
}

/* The cell that may be read in two ways, and one that speaks for the comma (NULL: none does). */
static enum err_code refuse(const struct style_search *s, const struct example *two_ways,
			    const struct example *comma, struct err *e)
{
	struct strbuf beside = STRBUF_INIT;
	double as_point = 0;
	double as_comma = 0;
	enum err_code rc;

	cell_number_in((struct number_style){'.', true}, two_ways->text, &as_point);
	cell_number_in((struct number_style){',', true}, two_ways->text, &as_comma);
	if (comma)
		strbuf_printf(&beside, " beside '%s' in line %llu", comma->text,
			      (unsigned long long)comma->line);
	rc = err_set(e, ERR_PARSE,
		     "%s:%llu: %s: '%s'%s is %.15g if the decimal is a point, and %.15g if it is a "
		     "comma: say --decimal . or --decimal ,",
		     text_table_name(s->table), (unsigned long long)two_ways->line,
		     two_ways->column, two_ways->text, strbuf_text(&beside), as_point, as_comma);
	strbuf_release(&beside);
	return rc;
}

static void put_note(const struct example *x, struct number_style style, struct strbuf *notes)
{
	double value = 0;

	cell_number_in(style, x->text, &value);
	strbuf_printf(notes, "numbers have %s: %s '%s' in line %llu is read as ",
		      style.decimal == ',' ? "decimal commas" : "commas between thousands",
		      x->column, x->text, (unsigned long long)x->line);
	strbuf_put_number(notes, value);
	strbuf_printf(notes, " (--decimal %c if not)\n", style.decimal == ',' ? '.' : ',');
}

/* "1.000" beside "500" in one column: no program writes decimals of some numbers and not of others,
 * all of them three. The same in a table without any other point, whose columns a semicolon
 * separates, as where commas are decimals. */
static const struct example *dot_in_doubt(const struct style_search *s)
{
	if (found(s, EVIDENCE_COMMA) || found(s, EVIDENCE_COMMA_GROUPED) ||
	    found(s, EVIDENCE_POINT_GROUPED))
		return NULL;
	for (size_t i = 0; i < text_table_n_columns(s->table); i++) {
		const struct column_style *c = &s->column[i];

		if (c->dot.line && c->plain && !c->other)
			return &c->dot;
	}
	return text_table_delimiter(s->table) == ';' && !found(s, EVIDENCE_POINT)
		       ? found(s, EVIDENCE_EITHER_DOT)
		       : NULL;
}

/* Points are what programs write, so a cell that may be either is only doubted where some number
 * of the table has a comma. */
static enum err_code judge(const struct style_search *s, struct strbuf *notes, struct err *e)
{
	const struct example *point = found(s, EVIDENCE_POINT);
	const struct example *point_grouped = found(s, EVIDENCE_POINT_GROUPED);
	const struct example *comma = found(s, EVIDENCE_COMMA);
	const struct example *comma_grouped = found(s, EVIDENCE_COMMA_GROUPED);
	const struct example *dot = found(s, EVIDENCE_EITHER_DOT);
	const struct example *either_comma = found(s, EVIDENCE_EITHER_COMMA);
	bool any_point = point || point_grouped;
	bool any_comma = comma || comma_grouped;
	struct number_style style = number_style_plain;

	if (any_comma && dot && (any_point || !comma_grouped))
		return refuse(s, dot, either(comma, comma_grouped), e);
	if (any_comma && !any_point)
		style = (struct number_style){',', comma_grouped != NULL};
	else if (!any_comma && point_grouped)
		style = (struct number_style){'.', true};
	else if (!any_comma && !any_point && either_comma)
		return refuse(s, either(dot, either_comma), dot ? either_comma : NULL, e);
	text_table_set_number_style(s->table, style);
	if (!number_style_is_plain(style) && notes)
		put_note(style.decimal == ',' ? either(comma, comma_grouped) : point_grouped, style,
			 notes);
	return ERR_OK;
}

/* No comma outside of quotes is part of a number where commas separate columns. */
static bool may_have_commas(const struct text_table *t)
{
	const struct byte_source *s = text_table_source(t);

	return byte_source_has_comma(s) &&
	       (text_table_delimiter(t) != ',' || byte_source_has_quote(s));
}

/* "23:33" beside "1:02:03": who leaves out the hours where there are none writes minutes first. */
static void judge_clocks(const struct style_search *s, struct column_mapping *m,
			 struct strbuf *notes)
{
	for (size_t i = 0; i < text_table_n_columns(s->table); i++) {
		const struct column_style *c = &s->column[i];

		if (!c->two.line || !c->three.line || c->two_long || c->three_short || c->plain ||
		    c->other || c->dot.line || m->field[i].unit.clock != CLOCK_ANY)
			continue;
		m->field[i].unit.clock = CLOCK_HMS;
		if (notes)
			strbuf_printf(notes,
				      "%.60s: '%s' beside '%s' is minutes and seconds (--unit "
				      "%.60s=hm if not)\n",
				      c->two.column, c->two.text, c->three.text, c->two.column);
	}
}

enum err_code table_style_find(struct text_table *t, struct column_mapping *m, char decimal,
			       struct strbuf *notes, struct err *e)
{
	struct style_search s = {.table = t, .m = m};
	const bool commas = !decimal && may_have_commas(t);
	enum err_code rc;

	s.column = calloc(text_table_n_columns(t) + 1, sizeof *s.column);
	if (!s.column)
		return err_set(e, ERR_NOMEM, "the columns of %s", text_table_name(t));
	rc = look_at_rows(&s, commas, e);
	if (!rc)
		judge_clocks(&s, m, notes);
	if (decimal)
		text_table_set_number_style(t, (struct number_style){decimal, true});
	else if (!rc && dot_in_doubt(&s))
		rc = refuse(&s, dot_in_doubt(&s), NULL, e);
	else if (!rc && commas)
		rc = judge(&s, notes, e);
	free(s.column);
	return rc;
}
