#include "models/taskgraph/task_graph_lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text_form.h"

void task_lexer_fail(struct task_lexer *x, const char *at, const char *fmt, ...)
{
	char text[800];
	va_list args;

	if (x->rc)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	x->rc = err_set(x->e, ERR_PARSE, "%s:%zu:%zu: %s", x->origin, x->line ? x->line : 1,
			(size_t)(at - x->line_begin) + 1, text);
}

/* ---- words ---- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

static bool put_char(struct task_lexer *x, struct task_word *w, size_t *n, char c, const char *at)
{
	if (is_control(c))
		task_lexer_fail(x, at, "byte 0x%02x: names are made of printable characters",
				(unsigned)c);
	else if (*n >= TASK_NAME_MAX)
		task_lexer_fail(x, w->at, "a name of more than %d bytes", TASK_NAME_MAX);
	else
		w->name[(*n)++] = c;
	return !x->rc;
}

static void read_quoted(struct task_lexer *x, struct task_word *w)
{
	const char *p = w->at + 1;
	size_t n = 0;

	for (; p < x->line_end && *p != '"'; p++) {
		if (*p == '\\') {
			p++;
			if (p == x->line_end || (*p != '"' && *p != '\\')) {
				task_lexer_fail(x, p - 1, "after \\ in a name comes \" or \\");
				return;
			}
		}
		if (!put_char(x, w, &n, *p, p))
			return;
	}
	if (p == x->line_end)
		task_lexer_fail(x, w->at, "this quote is not closed by the end of the line");
	else if (n == 0)
		task_lexer_fail(x, w->at, "a name has at least one character");
	else if (p + 1 < x->line_end && !is_space(p[1]) && p[1] != '#')
		task_lexer_fail(x, p + 1, "a space belongs after the closing quote");
	w->name[n] = '\0';
	w->len = (size_t)(p + 1 - w->at);
}

static void read_bare(struct task_lexer *x, struct task_word *w)
{
	const char *p = w->at;
	size_t n = 0;

	for (; p < x->line_end && !is_space(*p) && *p != '#' && *p != '"'; p++) {
		if (*p == '=' && !w->equals)
			w->equals = p;
	}
	w->len = (size_t)(p - w->at);
	if (p < x->line_end && *p == '"')
		task_lexer_fail(x, p, "a quote within a word: quote the whole name");
	if (w->equals || x->rc)
		return;
	for (p = w->at; p < w->at + w->len; p++) {
		if (!put_char(x, w, &n, *p, p))
			return;
	}
	w->name[n] = '\0';
}

/* The next word; len 0 at the end of the line or after an error. */
void task_lexer_word(struct task_lexer *x, struct task_word *w)
{
	while (x->at < x->line_end && is_space(*x->at))
		x->at++;
	if (x->at < x->line_end && *x->at == '#')
		x->at = x->line_end;
	w->at = x->at;
	w->len = 0;
	w->equals = NULL;
	w->name[0] = '\0';
	if (x->rc || x->at == x->line_end)
		return;
	if (*x->at == '"')
		read_quoted(x, w);
	else
		read_bare(x, w);
	if (x->rc)
		w->len = 0;
	x->at += w->len;
}

bool task_word_is(const struct task_word *w, const char *text)
{
	return w->len == strlen(text) && memcmp(w->at, text, w->len) == 0;
}

bool task_lexer_line(struct task_lexer *x)
{
	const char *bad;
	size_t len;

	if (x->rc || x->next >= x->end)
		return false;
	x->line++;
	x->line_begin = x->at = x->next;
	x->line_end = memchr(x->next, '\n', (size_t)(x->end - x->next));
	if (!x->line_end)
		x->line_end = x->end;
	x->next = x->line_end + 1;
	len = (size_t)(x->line_end - x->line_begin);
	bad = memchr(x->line_begin, '\0', len);
	if (!bad)
		bad = x->line_begin + utf8_first_invalid(x->line_begin, len);
	if (bad < x->line_end)
		task_lexer_fail(x, bad, "byte 0x%02x: a task graph is UTF-8 text",
				(unsigned)(unsigned char)*bad);
	return !x->rc;
}
