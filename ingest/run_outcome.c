#include "ingest/run_outcome.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
#include "ingest/cell_number.h"
#include "ingest/header_kin.h"
#include "ingest/table_style.h"

/* ---- columns that say it ---- */

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

/* ---- times that are missing ---- */

enum {
	NUMBERS_MAX = 32, /* numeric columns that are compared */
	WORDS_MAX = 8,	  /* columns of words, */
	LEVELS_MAX = 8,	  /* if they have so few */
	/* of a numeric column: as it is, and its logarithm */
	FEATURES_MAX = 2 * NUMBERS_MAX + WORDS_MAX * LEVELS_MAX,
};

enum { ASKED_LEAST = 3 }; /* rows: most of one or two is not much */

/* A false alarm costs a few configurations, of which a note tells; a failure that is passed over, a
 * promise that is not kept. Of 3 failures for lack of memory among some 25 runs 0.05 finds 99 %,
 * 0.01 41 %. Words of which there are many come last, and are to say it clearly. */
static const double significant = 0.05, significant_levels = 0.01;

/* Sums over rows, of differences from the first row: what is far from zero and hardly varies keeps
 * its digits (Chan, Golub and LeVeque, "Algorithms for computing the sample variance", The American
 * Statistician, 1983, section 2). */
struct missing_moments {
	const struct application *app;
	/* a column of words: the levels that these rows have; more than LEVELS_MAX: it is left out
	 */
	struct word_levels {
		size_t n;
		double code[LEVELS_MAX];
	} words[WORDS_MAX];
	size_t n_words;
	size_t n;
	struct feature {
		size_t i_column;
		struct word_levels *of; /* NULL: of a numeric column */
		size_t i_level;
		bool is_log;   /* 0 where there is none */
		bool positive; /* all values of a numeric column are */
		double first;  /* value in the first row */
		double sum;    /* over all rows */
		double sum_missing;
	} feature[FEATURES_MAX];
	double product[FEATURES_MAX][FEATURES_MAX]; /* lower triangle */
};

/* Those of one test, standardised. */
struct mean_test {
	size_t n;
	size_t i_column[FEATURES_MAX];
	double d[FEATURES_MAX];		      /* mean of rows without a time - mean of all */
	double v[FEATURES_MAX][FEATURES_MAX]; /* correlation, symmetric */
};

bool missing_time_is_unmarked(const char *text)
{
	return !*text || (cell_is_missing(text) && strpbrk(text, "nN"));
}

/* ---- moments ---- */

static void put_numbers(struct missing_moments *s, size_t i_column)
{
	for (int is_log = 0; is_log <= 1; is_log++)
		s->feature[s->n++] =
			(struct feature){.i_column = i_column, .is_log = is_log, .positive = true};
}

static void put_levels(struct missing_moments *s, size_t i_column)
{
	struct word_levels *of = &s->words[s->n_words++];

	for (size_t i = 0; i < LEVELS_MAX; i++)
		s->feature[s->n++] = (struct feature){.i_column = i_column, .of = of, .i_level = i};
}

enum err_code missing_times_init(struct missing_times *m, const struct application *a,
				 struct err *e)
{
	struct missing_moments *s = calloc(1, sizeof *s);
	size_t n_numbers = 0;

	*m = (struct missing_times){
		.i_most = SIZE_MAX, .only_zeros = true, .least = INFINITY, .moments = s};
	if (!s)
		return err_set(e, ERR_NOMEM, "rows without a time");
	s->app = a;
	for (size_t i = 0; i < a->n_columns; i++) {
		const struct column *c = &a->column[i];

		if (c->role == COL_DERIVED)
			continue;
		if (c->type != COL_TEXT && n_numbers++ < NUMBERS_MAX)
			put_numbers(s, i);
		else if (c->type == COL_TEXT && s->n_words < WORDS_MAX)
			put_levels(s, i);
	}
	return ERR_OK;
}

void missing_times_release(struct missing_times *m)
{
	free(m->moments);
	*m = (struct missing_times){.i_most = SIZE_MAX};
}

/* The features of a column follow each other, so that its first one meets the level. */
static void meet_level(struct word_levels *l, double code)
{
	size_t i = 0;

	while (i < l->n && i < LEVELS_MAX && l->code[i] != code)
		i++;
	if (i < l->n)
		return;
	if (i < LEVELS_MAX)
		l->code[i] = code;
	l->n++;
}

static double value_of(struct feature *f, double x)
{
	if (f->of) {
		if (f->i_level == 0)
			meet_level(f->of, x);
		return f->i_level < f->of->n && x == f->of->code[f->i_level];
	}
	f->positive &= x > 0;
	if (!f->is_log)
		return x;
	return x > 0 ? log(x) : 0;
}

/* What a cell says in its own unit, or in seconds of a clock (hh:mm:ss), and its decimals. What is
 * written otherwise is far from 0. */
static double plain_value(const char *text, int *n_decimals)
{
	double whole = 0, part = 0, scale = 1;
	bool any = false;

	*n_decimals = 0;
	for (const char *c = text; *c; c++) {
		if (*c == ':') {
			whole = (whole + part) * 60;
			part = 0;
		} else if (*c == '.' || *c == ',') {
			scale = 0.1;
			*n_decimals = 0;
		} else if (*c >= '0' && *c <= '9' && scale < 1) {
			part += scale * (*c - '0');
			scale /= 10;
			++*n_decimals;
			any = true;
		} else if (*c >= '0' && *c <= '9') {
			part = 10 * part + (*c - '0');
			any = true;
		} else {
			return INFINITY;
		}
	}
	return any ? whole + part : INFINITY;
}

/* Of a time, or of what stands in its place. */
static void see_ticks(struct missing_times *m, bool timed, const char *text)
{
	int n_decimals;
	const double value = plain_value(text, &n_decimals);

	if (!timed) {
		m->only_zeros &= value == 0;
		return;
	}
	m->least = fmin(m->least, value);
	m->n_decimals_max = n_decimals > m->n_decimals_max ? n_decimals : m->n_decimals_max;
}

#define FEW_TICKS 3.5

static bool are_below_a_tick(const struct missing_times *m)
{
	return m->only_zeros && m->least < FEW_TICKS * pow(10, -m->n_decimals_max);
}

void missing_times_add(struct missing_times *m, const double *row, bool timed, uint64_t line,
		       const char *text)
{
	struct missing_moments *s = m->moments;
	const bool is_first = m->n_timed + m->n_missing == 0;
	double z[FEATURES_MAX];

	see_ticks(m, timed, text);
	m->n_timed += timed;
	if (!timed && m->n_missing++ == 0) {
		m->line = line;
		snprintf(m->text, sizeof m->text, "%s", text);
		m->text[utf8_first_invalid(m->text, strlen(m->text))] = '\0';
	}
	for (size_t i = 0; i < s->n; i++) {
		struct feature *f = &s->feature[i];
		const double x = value_of(f, row[f->i_column]);

		if (is_first)
			f->first = x;
		z[i] = x - f->first;
		if (z[i] == 0)
			continue;
		f->sum += z[i];
		f->sum_missing += timed ? 0 : z[i];
		for (size_t k = 0; k <= i; k++)
			s->product[i][k] += z[i] * z[k];
	}
}

/* ---- the test ---- */

/* Those of 2 and 1 degrees, and a term for each two more (Abramowitz and Stegun, Handbook of
 * Mathematical Functions, 1964, 26.4.4 and 26.4.5). GSL, which has it, is seen by mining/ and
 * models/ alone. */
double chi_squared_upper_tail(double chi2, size_t df)
{
	const double pi = acos(-1), half = chi2 / 2;
	const bool odd = df % 2;
	double tail, term;

	if (df == 0 || !(chi2 > 0))
		return 1;
	tail = odd ? erfc(sqrt(half)) : exp(-half);
	term = odd ? 2 * sqrt(half / pi) * exp(-half) : half * exp(-half);
	for (size_t k = odd ? 3 : 4; k <= df; k += 2) {
		tail += term;
		term *= half / ((double)k / 2);
	}
	return tail < 1 ? tail : 1;
}

/* Columns with values that are all above zero are compared by their logarithms. */
static bool is_used(const struct feature *f, bool levels)
{
	return f->of ? levels && f->of->n <= LEVELS_MAX : !levels && f->is_log == f->positive;
}

static double covariance(const struct missing_moments *s, size_t i, size_t k, double n)
{
	return (s->product[i][k] - s->feature[i].sum * s->feature[k].sum / n) / (n - 1);
}

/* Both in units of the standard deviation of the mean of as many rows, drawn from all of them
 * without replacement. */
static void standardise(const struct missing_times *m, bool levels, struct mean_test *t)
{
	const struct missing_moments *s = m->moments;
	const double n1 = (double)m->n_missing, n = n1 + (double)m->n_timed;
	size_t used[FEATURES_MAX];
	double sd[FEATURES_MAX];

	t->n = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct feature *f = &s->feature[i];
		const double variance = is_used(f, levels) && n > 1 ? covariance(s, i, i, n) : 0;

		if (!(variance > 0))
			continue;
		used[t->n] = i;
		sd[t->n] = sqrt(variance);
		t->i_column[t->n] = f->i_column;
		t->d[t->n] =
			(f->sum_missing / n1 - f->sum / n) / sd[t->n] / sqrt((1 - n1 / n) / n1);
		t->n++;
	}
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k <= i; k++)
			t->v[i][k] = t->v[k][i] =
				covariance(s, used[i], used[k], n) / (sd[i] * sd[k]);
	}
}

/* d' V^-1 d by Cholesky's decomposition with complete pivoting: what other columns imply leaves a
 * pivot of zero, and counts neither for chi-squared nor for df. */
static double quadratic_form(struct mean_test *t, size_t *df)
{
	const double least_pivot = 1e-9; /* of 1: rounding leaves 1e-15 or so */
	double chi2 = 0;

	for (*df = 0; *df < t->n; ++*df) {
		double a[FEATURES_MAX], pivot, d;
		size_t p = 0;

		for (size_t i = 1; i < t->n; i++)
			p = t->v[i][i] > t->v[p][p] ? i : p;
		pivot = t->v[p][p];
		d = t->d[p];
		if (pivot < least_pivot)
			break;
		chi2 += d * d / pivot;
		for (size_t i = 0; i < t->n; i++)
			a[i] = t->v[i][p];
		for (size_t i = 0; i < t->n; i++) {
			t->d[i] -= a[i] * d / pivot;
			for (size_t k = 0; k < t->n; k++)
				t->v[i][k] -= a[i] * a[k] / pivot;
		}
	}
	return chi2;
}

static size_t most_different(const struct mean_test *t)
{
	size_t most = 0;

	for (size_t i = 1; i < t->n; i++)
		most = fabs(t->d[i]) > fabs(t->d[most]) ? i : most;
	return t->n ? t->i_column[most] : SIZE_MAX;
}

/* Little, "A test of missing completely at random for multivariate data with missing values",
 * JASA 83, 1988, for one variable that is missing; with the covariance of all rows, so that the
 * statistic has mean df where they are missing at random, however few they are. */
static void test_means(struct missing_times *m, bool levels, struct mean_test *t)
{
	standardise(m, levels, t);
	m->i_most = most_different(t);
	m->chi2 = quadratic_form(t, &m->df);
	m->p = chi_squared_upper_tail(m->chi2, m->df);
}

/* Levels are looked at in a test of their own: many of them would drown what sizes say. */
static enum missing_verdict judge(struct missing_times *m, struct mean_test *t)
{
	struct missing_times by_numbers;

	test_means(m, false, t);
	if (m->p < significant)
		return MISSING_FAILED;
	by_numbers = *m;
	test_means(m, true, t);
	if (m->p < significant_levels)
		return MISSING_FAILED;
	if (by_numbers.df > 0 && by_numbers.p <= m->p)
		*m = by_numbers;
	return MISSING_AT_RANDOM;
}

static enum err_code ask(const struct missing_times *m, const char *file, const char *header,
			 struct err *e)
{
	struct strbuf map = STRBUF_INIT;
	enum err_code rc;

	header_kin_put_map("COLUMN", "status", &map);
	rc = err_set(
		e, ERR_PARSE,
		"%s:%llu: %s: %s%s%s, and so no time in %llu of %llu rows: did these runs fail, "
		"or were they not made? Write FAIL there, or -, or name the column that says how "
		"runs ended: %s",
		file, (unsigned long long)m->line, header, *m->text ? "'" : "",
		*m->text ? m->text : "empty", *m->text ? "'" : "", (unsigned long long)m->n_missing,
		(unsigned long long)(m->n_missing + m->n_timed), strbuf_text(&map));
	strbuf_release(&map);
	return rc;
}

enum err_code missing_times_decide(struct missing_times *m, const char *file, const char *header,
				   struct err *e)
{
	struct mean_test *t;

	if (m->n_missing >= ASKED_LEAST && m->n_missing > m->n_timed)
		return ask(m, file, header, e);
	m->verdict = are_below_a_tick(m) ? MISSING_TOO_SHORT : MISSING_AT_RANDOM;
	if (m->n_missing == 0 || m->n_timed == 0 || m->verdict == MISSING_TOO_SHORT)
		return ERR_OK;
	t = malloc(sizeof *t);
	if (!t)
		return err_set(e, ERR_NOMEM, "%s: rows without a time", file);
	m->verdict = judge(m, t);
	free(t);
	return ERR_OK;
}

/* ---- in words ---- */

void missing_times_put_note(const struct missing_times *m, const char *header, struct strbuf *notes)
{
	const bool failed = m->verdict == MISSING_FAILED, one = m->n_missing == 1;

	if (m->verdict == MISSING_OPEN || m->n_missing == 0)
		return;
	text_put_safe(notes, header, false);
	strbuf_printf(notes, ": no time in %llu row%s (", (unsigned long long)m->n_missing,
		      one ? "" : "s");
	if (*m->text) {
		strbuf_putc(notes, '\'');
		text_put_safe(notes, m->text, false);
		strbuf_putc(notes, '\'');
	} else {
		strbuf_puts(notes, "empty");
	}
	strbuf_printf(notes, " in line %llu%s): %s, ", (unsigned long long)m->line,
		      one ? "" : " first", failed ? "taken for failed" : "refused");
	if (m->verdict == MISSING_TOO_SHORT) {
		strbuf_printf(notes, "for %s may be too short for a clock whose least time is %g",
			      one ? "it" : "they", m->least);
	} else if (m->df == 0) {
		strbuf_puts(notes, "for no column varies that could tell why");
	} else {
		strbuf_printf(notes, "for %s configuration%s %s the %llu with a time (",
			      one ? "its" : "their", one ? " is" : "s are",
			      failed ? "unlike those of" : "like those of",
			      (unsigned long long)m->n_timed);
		if (failed && m->i_most != SIZE_MAX)
			strbuf_printf(notes, "most of all %s, ",
				      m->moments->app->column[m->i_most].name);
		strbuf_printf(notes, "chi-squared %.3g, df %zu, p %s%.2g)", m->chi2, m->df,
			      m->p < 1e-4 ? "< " : "= ", m->p < 1e-4 ? 1e-4 : m->p);
	}
	strbuf_puts(notes, failed ? "; write - where no run was made\n"
				  : "; write FAIL where a run failed\n");
}
