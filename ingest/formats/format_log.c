#include <ctype.h>
#include <regex.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/formats/foreign_format.h"

/* Logs of any program by a file of patterns (--patterns): lines NAME = EXPRESSION, where a POSIX
 * extended regular expression finds in a line of the log what becomes the column NAME: its first
 * group, or all of it. A file of its own and not of libconfig's syntax, in which every backslash of
 * an expression would have to be doubled, and which only domain/ reads. A log is one run; where it
 * has several, the pattern `begin` matches the line that each begins with. */

enum { PATTERNS_MAX = 1000, GROUPS = 2 };

struct log_pattern {
	char *column;
	regex_t expression;
	bool compiled;
};

struct log_reader {
	struct foreign_input *in;
	struct foreign_table *out;
	struct log_pattern *pattern;
	size_t n_patterns;
	size_t i_begin; /* SIZE_MAX: a file is one run */
	char **value; /* [n_patterns] of the run under way, at the first of a column; NULL: none */
	uint64_t *line; /* where it stands */
	uint64_t run_line;
	bool in_run;
};

static const char blanks[] = " \t\r";

/* ---- without patterns ---- */

/* Of a line "key: value" or "key = value" the bytes before the mark, a key being words as programs
 * write them; 0: it is none. */
static size_t key_length(const char *line, size_t len)
{
	static const char words[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789 -/";
	enum { KEY_MAX = 40 };
	const size_t n = isalpha((unsigned char)*line) ? strspn(line, words) : 0;

	return n > 0 && n <= KEY_MAX && n < len && (line[n] == ':' || line[n] == '=') &&
			       n + 1 + strspn(line + n + 1, blanks) < len
		       ? n
		       : 0;
}

/* Says what is wanted, by the first line that it could be said of. */
static enum err_code want_patterns(struct foreign_input *in, struct err *e)
{
	struct foreign_line line;
	enum err_code rc;
	size_t n = 0;

	while (!(rc = foreign_input_line(in, &line, e)) && line.text &&
	       !(n = key_length(line.text, line.len)))
		;
	if (rc)
		return rc;
	if (!n)
		return err_set(e, ERR_ARG,
			       "%s: what is to be found in a log? Say --patterns FILE, with lines "
			       "NAME = EXPRESSION",
			       foreign_input_name(in));
	return err_set(e, ERR_ARG,
		       "%s: what is to be found in a log? Say --patterns FILE, with lines NAME = "
		       "EXPRESSION; for its line %llu: %.*s = ^%.*s *(.*)",
		       foreign_input_name(in), (unsigned long long)line.number,
		       (int)strcspn(line.text, " :="), line.text, (int)n + 1, line.text);
}

/* ---- the patterns ---- */

static enum err_code fault(const struct log_reader *r, size_t line, struct err *e, const char *what)
{
	return err_set(e, ERR_PARSE, "%s:%zu: %s", foreign_input_choice(r->in)->patterns_name, line,
		       what);
}

static enum err_code compile(struct log_reader *r, struct log_pattern *p, const char *text,
			     size_t line, struct err *e)
{
	char what[200];
	int code = regcomp(&p->expression, text, REG_EXTENDED);

	if (code) {
		regerror(code, &p->expression, what, sizeof what);
		return fault(r, line, e, what);
	}
	p->compiled = true;
	return ERR_OK;
}

/* text: one line of the file of patterns, its own to change. */
static enum err_code add_pattern(struct log_reader *r, char *text, size_t line, struct err *e)
{
	struct log_pattern *p = &r->pattern[r->n_patterns];
	char *equals, *end;

	text += strspn(text, blanks);
	end = text + strlen(text);
	while (end > text && strchr(blanks, end[-1]))
		*--end = '\0';
	if (!*text || *text == '#')
		return ERR_OK;
	equals = strchr(text, '=');
	if (!equals || equals == text || !equals[1 + strspn(equals + 1, blanks)])
		return fault(r, line, e, "NAME = EXPRESSION is wanted");
	if (r->n_patterns == PATTERNS_MAX)
		return fault(r, line, e, "too many patterns");
	end = equals;
	while (end > text && strchr(blanks, end[-1]))
		end--;
	*end = '\0';
	if (!*text)
		return fault(r, line, e, "NAME = EXPRESSION is wanted");
	if (!(p->column = strdup(text)))
		return err_set(e, ERR_NOMEM, "%s: no memory for its patterns",
			       foreign_input_name(r->in));
	r->n_patterns++;
	if (strcmp(text, "begin") == 0) {
		if (r->i_begin != SIZE_MAX)
			return fault(r, line, e, "a second pattern begin: write (ONE|OTHER)");
		r->i_begin = r->n_patterns - 1;
	}
	equals++;
	return compile(r, p, equals + strspn(equals, blanks), line, e);
}

static enum err_code read_patterns(struct log_reader *r, struct err *e)
{
	const char *text = foreign_input_choice(r->in)->patterns;
	char *copy, *p;
	size_t line = 0;
	enum err_code rc = ERR_OK;

	if (!text)
		return want_patterns(r->in, e);
	copy = strdup(text);
	r->pattern = calloc(PATTERNS_MAX, sizeof *r->pattern);
	r->value = calloc(PATTERNS_MAX, sizeof *r->value);
	r->line = calloc(PATTERNS_MAX, sizeof *r->line);
	if (!copy || !r->pattern || !r->value || !r->line)
		rc = err_set(e, ERR_NOMEM, "%s: no memory for its patterns",
			     foreign_input_name(r->in));
	p = copy;
	while (!rc && p) {
		char *newline = strchr(p, '\n');

		if (newline)
			*newline = '\0';
		rc = add_pattern(r, p, ++line, e);
		p = newline ? newline + 1 : NULL;
	}
	free(copy);
	if (!rc && r->n_patterns == 0)
		rc = fault(r, 1, e, "no pattern: NAME = EXPRESSION is wanted");
	return rc;
}

/* The first pattern of this column: several may find it in different lines. */
static size_t first_of_column(const struct log_reader *r, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (strcmp(r->pattern[k].column, r->pattern[i].column) == 0)
			return k;
	}
	return i;
}

/* ---- the log ---- */

static void forget_values(struct log_reader *r)
{
	for (size_t i = 0; r->value && i < r->n_patterns; i++) {
		free(r->value[i]);
		r->value[i] = NULL;
	}
}

static enum err_code end_run(struct log_reader *r, struct err *e)
{
	enum err_code rc = ERR_OK;
	bool any = false;

	for (size_t i = 0; i < r->n_patterns; i++) {
		if (!r->value[i])
			continue;
		foreign_table_put(r->out, r->pattern[i].column, r->value[i]);
		foreign_table_need_unit(r->out, r->pattern[i].column);
		any = true;
	}
	if (any || (r->in_run && r->i_begin != SIZE_MAX))
		rc = foreign_table_end_row(r->out, r->run_line ? r->run_line : 1, e);
	r->run_line = 0;
	r->in_run = false;
	forget_values(r);
	return rc;
}

static enum err_code take_value(struct log_reader *r, size_t i, const char *text, size_t n,
				uint64_t line, struct err *e)
{
	size_t at = first_of_column(r, i);
	char *value = strndup(text, n);
	enum err_code rc = ERR_OK;

	if (!value)
		return err_set(e, ERR_NOMEM, "%s: no memory to read it", foreign_input_name(r->in));
	if (r->value[at] && strcmp(r->value[at], value) != 0)
		rc = foreign_input_fault(
			r->in, line, e,
			"a second %.60s, '%.40s': line %llu has '%.40s'. If there are several runs, "
			"say with begin = EXPRESSION how one begins; else make the expression "
			"match one of them",
			r->pattern[at].column, value, (unsigned long long)r->line[at],
			r->value[at]);
	free(r->value[at]);
	r->value[at] = value;
	r->line[at] = line;
	if (!r->run_line)
		r->run_line = line;
	return rc;
}

static enum err_code read_line(struct log_reader *r, const struct foreign_line *l, struct err *e)
{
	regmatch_t match[GROUPS];
	enum err_code rc;

	if (r->i_begin != SIZE_MAX &&
	    regexec(&r->pattern[r->i_begin].expression, l->text, 0, NULL, 0) == 0) {
		if ((rc = end_run(r, e)))
			return rc;
		r->in_run = true;
		r->run_line = l->number;
	}
	if (r->i_begin != SIZE_MAX && !r->in_run) /* what stands before the first run */
		return ERR_OK;
	for (size_t i = 0; i < r->n_patterns; i++) {
		const regmatch_t *m = match;

		if (strcmp(r->pattern[i].column, "begin") == 0 ||
		    regexec(&r->pattern[i].expression, l->text, GROUPS, match, 0) != 0)
			continue;
		if (r->pattern[i].expression.re_nsub > 0)
			m = match + 1;
		if (m->rm_so >= 0 && (rc = take_value(r, i, l->text + m->rm_so,
						      (size_t)(m->rm_eo - m->rm_so), l->number, e)))
			return rc;
	}
	return ERR_OK;
}

static enum err_code read_lines(struct log_reader *r, struct err *e)
{
	struct foreign_line line;
	enum err_code rc = read_patterns(r, e);

	while (!rc && !(rc = foreign_input_line(r->in, &line, e)) && line.text)
		rc = read_line(r, &line, e);
	return rc ? rc : end_run(r, e);
}

static enum err_code read_log(struct foreign_input *in, struct foreign_table *out, struct err *e)
{
	struct log_reader r = {.in = in, .out = out, .i_begin = SIZE_MAX};
	enum err_code rc = read_lines(&r, e);

	forget_values(&r);
	for (size_t i = 0; r.pattern && i < r.n_patterns; i++) {
		free(r.pattern[i].column);
		if (r.pattern[i].compiled)
			regfree(&r.pattern[i].expression);
	}
	free(r.pattern);
	free(r.value);
	free(r.line);
	return rc;
}

/* Lines of MLPerf's logger, or most lines "key: value", below a first line that is no header of a
 * table: nothing in it parts columns. */
static bool is_log(const char *head, size_t n, bool whole)
{
	size_t n_lines = 0, n_keys = 0;

	for (const char *p = head + strspn(head, "\r\n"); *p; p += strspn(p, "\r\n")) {
		const char *line = p;
		size_t len = strcspn(p, "\r\n");

		p += len;
		if (p == head + n && !whole)
			break; /* cut off */
		if (strncmp(line, ":::MLLOG ", strlen(":::MLLOG ")) == 0)
			return true;
		if (n_lines++ == 0 && strcspn(line, ",;|\t") < len)
			return false;
		n_keys += key_length(line, len) > 0;
	}
	return n_keys >= 2 && 2 * n_keys >= n_lines;
}

const struct foreign_format format_log = {
	.name = "log",
	.title = "log read by patterns",
	.recognise = is_log,
	.read = read_log,
	.takes_patterns = true,
};
